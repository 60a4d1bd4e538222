//! One mechanism twice: over chains, and written out member by member.
//!
//! Masses on a rod of four frames that slides along a rail, with every kind of element: inertia, springs, bending over
//! three neighbours, damping, loads at both ends, constraints between neighbours and with a member of another field.

use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;

/// The number of frames of the version that is written out.
pub const COUNT: usize = 4;

/// Over chains.
#[mechanical_system(derivative_check)]
pub mod chained {
    use lie_runtime::prelude::*;

    /// The frames and the rail.
    #[configuration]
    pub struct Line {
        /// A slider.
        pub rail: R1,
        /// Frames.
        pub frames: Vec<S3R3>,
    }

    /// Data.
    #[parameters]
    pub struct Data {
        /// Mass.
        pub mass: f64,
        /// Inertia.
        pub inertia: Matrix3<f64>,
        /// Stiffness.
        pub stiffness: Vector6<f64>,
        /// Damping.
        pub damping: f64,
    }

    #[kinetic_energy(over = frames)]
    fn kinetic(data: &Data, index: usize, length: usize, q: &S3R3, v: &Vector6<f64>) -> f64 {
        let share = if index == 0 || index + 1 == length { 0.5 } else { 1.0 + index as f64 };
        // An inertia that changes with the attitude.
        let heavy = 1.0 + 0.1 * q.translation[1].powi(2);
        let (angular, linear) = (v.angular(), v.linear());
        0.5 * share * (heavy * data.mass * linear.norm_squared() + angular.dot(&(data.inertia * angular)))
    }

    #[kinetic_energy]
    fn slider(v: &Velocity) -> f64 {
        0.75 * v.rail[0] * v.rail[0]
    }

    /// The strain.
    #[quantity(over = frames.windows(2))]
    pub fn strain([a, b]: [&S3R3; 2]) -> Vector6<f64> {
        (a.inverse() * b).log()
    }

    #[potential(over = frames.windows(2))]
    fn elastic(data: &Data, [a, b]: [&S3R3; 2]) -> f64 {
        let w = strain([a, b]);
        0.5 * w.dot(&data.stiffness.component_mul(&w))
    }

    #[potential(over = frames.windows(3))]
    fn bending(data: &Data, [a, b, c]: [&S3R3; 3]) -> f64 {
        (a.translation - 2.0 * b.translation + c.translation).norm_squared() * data.stiffness[0]
    }

    #[dissipation(over = frames.windows(2))]
    fn viscous(data: &Data, pair: [&S3R3; 2], velocities: [&Vector6<f64>; 2]) -> f64 {
        0.5 * data.damping * strain_rate(pair, velocities).norm_squared()
    }

    #[force(over = frames.first())]
    fn push(t: f64, q: &S3R3) -> Vector6<f64> {
        let force = q.rotation.inverse() * Vector3::new(t, 0.5, -1.0);
        Vector6::new(0.1, t, 0.3, force[0], force[1], force[2])
    }

    #[quantity(over = frames.last())]
    fn tip(q: &S3R3) -> Vector3<f64> {
        q.translation + q.rotation * Vector3::new(0.1, 0.2, 0.3)
    }

    #[force(at = tip)]
    fn pull(t: f64, data: &Data) -> Vector3<f64> {
        Vector3::new(0.0, data.mass, t)
    }

    #[constraint(over = frames.windows(2))]
    fn apart([a, b]: [&S3R3; 2]) -> f64 {
        (a.translation - b.translation).norm_squared() - 1.0
    }

    #[constraint(over = (rail, frames[1]))]
    fn on_rail(t: f64, rail: &R1, q: &S3R3) -> f64 {
        q.translation[0] - rail[0] - 0.1 * t.sin()
    }

    #[velocity_constraint(over = frames.first())]
    fn blade(q: &S3R3, v: &Vector6<f64>) -> f64 {
        v[3] * (1.0 + q.translation[2]) + v[0]
    }
}

/// The same, written out.
#[mechanical_system(derivative_check, max_operations = 40_000)]
pub mod spelled_out {
    use lie_runtime::prelude::*;

    const N: usize = 4;

    /// The frames and the rail.
    #[configuration]
    pub struct Line {
        /// A slider.
        pub rail: R1,
        /// Frames.
        pub frames: [S3R3; N],
    }

    /// Data.
    #[parameters]
    pub struct Data {
        /// Mass.
        pub mass: f64,
        /// Inertia.
        pub inertia: Matrix3<f64>,
        /// Stiffness.
        pub stiffness: Vector6<f64>,
        /// Damping.
        pub damping: f64,
    }

    #[kinetic_energy]
    fn kinetic(data: &Data, q: &Line, v: &Velocity) -> f64 {
        let mut sum = 0.75 * v.rail[0] * v.rail[0];
        for i in 0..N {
            let share = if i == 0 || i + 1 == N { 0.5 } else { 1.0 + i as f64 };
            let heavy = 1.0 + 0.1 * q.frames[i].translation[1].powi(2);
            let (angular, linear) = (v.frames[i].angular(), v.frames[i].linear());
            sum += 0.5 * share * (heavy * data.mass * linear.norm_squared() + angular.dot(&(data.inertia * angular)));
        }
        sum
    }

    #[quantity]
    fn strains(q: &Line) -> SVector<f64, 18> {
        let mut all = SVector::<f64, 18>::zeros();
        for i in 1..N {
            let w = (q.frames[i - 1].inverse() * q.frames[i]).log();
            for k in 0..6 {
                all[6 * (i - 1) + k] = w[k];
            }
        }
        all
    }

    #[potential]
    fn elastic(data: &Data, q: &Line) -> f64 {
        let mut sum = 0.0;
        for i in 1..N {
            let w = (q.frames[i - 1].inverse() * q.frames[i]).log();
            sum += 0.5 * w.dot(&data.stiffness.component_mul(&w));
        }
        for i in 2..N {
            let second = q.frames[i - 2].translation - 2.0 * q.frames[i - 1].translation + q.frames[i].translation;
            sum += second.norm_squared() * data.stiffness[0];
        }
        sum
    }

    #[dissipation]
    fn viscous(data: &Data, q: &Line, v: &Velocity) -> f64 {
        0.5 * data.damping * strains_rate(q, v).norm_squared()
    }

    #[force]
    fn push(t: f64, q: &Line) -> SVector<f64, 25> {
        let force = q.frames[0].rotation.inverse() * Vector3::new(t, 0.5, -1.0);
        let mut all = SVector::<f64, 25>::zeros();
        all[1] = 0.1;
        all[2] = t;
        all[3] = 0.3;
        for k in 0..3 {
            all[4 + k] = force[k];
        }
        all
    }

    #[quantity]
    fn tip(q: &Line) -> Vector3<f64> {
        q.frames[N - 1].translation + q.frames[N - 1].rotation * Vector3::new(0.1, 0.2, 0.3)
    }

    #[force(at = tip)]
    fn pull(t: f64, data: &Data) -> Vector3<f64> {
        Vector3::new(0.0, data.mass, t)
    }

    #[constraint]
    fn apart(q: &Line) -> Vector3<f64> {
        let mut all = Vector3::zeros();
        for i in 1..N {
            all[i - 1] = (q.frames[i - 1].translation - q.frames[i].translation).norm_squared() - 1.0;
        }
        all
    }

    #[constraint]
    fn on_rail(t: f64, q: &Line) -> f64 {
        q.frames[1].translation[0] - q.rail[0] - 0.1 * t.sin()
    }

    #[velocity_constraint]
    fn blade(q: &Line, v: &Velocity) -> f64 {
        v.frames[0][3] * (1.0 + q.frames[0].translation[2]) + v.frames[0][0]
    }
}

/// The mechanism over chains and a start at rest but for what the rail asks for.
///
/// # Panics
/// Never: the data are good.
pub fn chained_example() -> (chained::System, chained::Line, DVector<f64>) {
    let data = chained::Data {
        mass: 1.3,
        inertia: Matrix3::new(0.3, 0.02, -0.01, 0.02, 0.5, 0.03, -0.01, 0.03, 0.4),
        stiffness: Vector6::new(2.0, 3.0, 5.0, 7.0, 11.0, 13.0),
        damping: 0.4,
    };
    let system = chained::System::new(data, chained::Lengths { frames: COUNT }).expect("a chain");
    let frames = (0..COUNT).map(|i| S3R3::new(S3::identity(), Vector3::new(i as f64, 0.0, 0.0))).collect();
    let velocity = system.zero_velocity();
    (system, chained::Line { rail: R1::new(1.0), frames }, velocity)
}
