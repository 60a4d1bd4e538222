//! Pairs of declarations of one system: in the short forms of the language, and spelled out.

use lie_runtime::prelude::*;

/// Three masses in a row: loops, constants, helpers, conditions, rates, dissipation.
#[mechanical_system(derivative_check)]
pub mod compact {
    use lie_runtime::prelude::*;

    const MASSES: usize = 3;
    const STIFFNESS: f64 = 4.0 * 3.0;
    const LIMIT: f64 = STIFFNESS / 24.0;
    const WEIGHTS: [f64; MASSES] = [1.0, 2.0, 0.5];

    /// Where they are.
    #[configuration]
    pub struct Row {
        /// Along a line.
        pub places: R3,
        /// A turntable.
        pub table: SO2,
    }

    /// Data.
    #[parameters]
    pub struct Data {
        /// Lengths of the springs.
        pub lengths: [f64; 2],
        /// Damping.
        pub damping: f64,
        /// Where the masses are on the turntable.
        pub lever: Vector2<f64>,
    }

    fn square(x: f64) -> f64 {
        x * x
    }

    /// Harder beyond its limit.
    fn spring(stretch: f64) -> f64 {
        let soft = 0.5 * STIFFNESS * square(stretch);
        if stretch > LIMIT {
            soft + (stretch - LIMIT).powi(3)
        } else if stretch < -LIMIT {
            soft - 2.0 * (stretch + LIMIT).powi(3)
        } else {
            soft
        }
    }

    /// The stretches of the springs.
    #[quantity]
    pub fn stretches(data: &Data, q: &Row) -> Vector2<f64> {
        let mut all = Vector2::zeros();
        for i in 0..MASSES - 1 {
            all[i] = q.places[i + 1] - q.places[i] - data.lengths[i];
        }
        all
    }

    /// A point on the turntable.
    #[quantity]
    pub fn point(data: &Data, q: &Row) -> Vector2<f64> {
        q.table * data.lever
    }

    #[kinetic_energy]
    #[allow(clippy::needless_range_loop)] // Loops over indices are in the language.
    fn kinetic(data: &Data, q: &Row, v: &Velocity) -> f64 {
        let mut sum = square(point_rate(data, q, v).norm());
        for i in 0..MASSES {
            sum += 0.5 * WEIGHTS[i] * square(v.places[i]);
        }
        sum
    }

    #[potential]
    fn springs(data: &Data, q: &Row) -> f64 {
        let both = stretches(data, q);
        let mut sum = 0.0;
        for i in 0..2 {
            sum += spring(both[i]);
        }
        sum
    }

    #[dissipation]
    fn dampers(data: &Data, q: &Row, v: &Velocity) -> f64 {
        0.5 * data.damping * stretches_rate(data, q, v).norm_squared()
    }
}

/// The same without loops, constants, helpers and rates, with a force in the place of the dissipation.
#[mechanical_system(derivative_check)]
pub mod spelled {
    use lie_runtime::prelude::*;

    /// Where they are.
    #[configuration]
    pub struct Row {
        /// Along a line.
        pub places: R3,
        /// A turntable.
        pub table: SO2,
    }

    /// Data.
    #[parameters]
    pub struct Data {
        /// Lengths of the springs.
        pub lengths: [f64; 2],
        /// Damping.
        pub damping: f64,
        /// Where the masses are on the turntable.
        pub lever: Vector2<f64>,
    }

    #[mass_matrix]
    fn mass(data: &Data) -> Matrix4<f64> {
        let turning = 2.0 * (data.lever.x * data.lever.x + data.lever.y * data.lever.y);
        Matrix4::new(1.0, 0.0, 0.0, 0.0, 0.0, 2.0, 0.0, 0.0, 0.0, 0.0, 0.5, 0.0, 0.0, 0.0, 0.0, turning)
    }

    #[potential]
    fn first(data: &Data, q: &Row) -> f64 {
        let x = q.places.y - q.places.x - data.lengths[0];
        let hard = (x - 0.5) * (x - 0.5) * (x - 0.5);
        let pushed = -2.0 * (x + 0.5) * (x + 0.5) * (x + 0.5);
        6.0 * x * x
            + if x > 0.5 {
                hard
            } else if x < -0.5 {
                pushed
            } else {
                0.0
            }
    }

    #[potential]
    fn second(data: &Data, q: &Row) -> f64 {
        let x = q.places.z - q.places.y - data.lengths[1];
        let hard = (x - 0.5) * (x - 0.5) * (x - 0.5);
        let pushed = -2.0 * (x + 0.5) * (x + 0.5) * (x + 0.5);
        6.0 * x * x
            + if x > 0.5 {
                hard
            } else if x < -0.5 {
                pushed
            } else {
                0.0
            }
    }

    #[force(on = places)]
    fn dampers(data: &Data, v: &Velocity) -> Vector3<f64> {
        let left = data.damping * (v.places.y - v.places.x);
        let right = data.damping * (v.places.z - v.places.y);
        Vector3::new(left, right - left, -right)
    }
}

/// Two bars and a body whose inertia is that of points: T = Σ m/2 |rate|².
#[mechanical_system(derivative_check)]
pub mod points {
    use lie_runtime::prelude::*;

    /// A double pendulum and a free body.
    #[configuration]
    pub struct Linkage {
        /// The bars.
        pub bars: [SO2; 2],
        /// The body.
        pub body: SE3,
    }

    /// Data.
    #[parameters]
    pub struct Data {
        /// Masses at the ends of the bars.
        pub masses: [f64; 2],
        /// Lengths.
        pub lengths: [f64; 2],
        /// The mass of each of the body's points.
        pub mass: f64,
        /// Half distances of the body's points along its axes.
        pub size: Vector3<f64>,
    }

    /// The elbow.
    #[quantity]
    pub fn elbow(data: &Data, q: &Linkage) -> Vector2<f64> {
        q.bars[0] * Vector2::new(data.lengths[0], 0.0)
    }

    /// The hand: the second bar's angle is that in space.
    #[quantity]
    pub fn hand(data: &Data, q: &Linkage) -> Vector2<f64> {
        elbow(data, q) + q.bars[1] * Vector2::new(data.lengths[1], 0.0)
    }

    /// A point of the body.
    #[quantity]
    pub fn right(data: &Data, q: &Linkage) -> Vector3<f64> {
        q.body * Vector3::new(data.size.x, data.size.y, 0.0)
    }

    /// The opposite one.
    #[quantity]
    pub fn left(data: &Data, q: &Linkage) -> Vector3<f64> {
        q.body * Vector3::new(-data.size.x, -data.size.y, 0.0)
    }

    /// One out of the plane of the others.
    #[quantity]
    pub fn top(data: &Data, q: &Linkage, t: f64) -> Vector3<f64> {
        q.body * Vector3::new(0.0, 0.1 * t, data.size.z)
    }

    #[kinetic_energy]
    fn bars(data: &Data, q: &Linkage, v: &Velocity) -> f64 {
        0.5 * data.masses[0] * elbow_rate(data, q, v).norm_squared()
            + 0.5 * data.masses[1] * hand_rate(data, q, v).norm_squared()
    }

    #[kinetic_energy]
    fn body(data: &Data, q: &Linkage, v: &Velocity) -> f64 {
        0.5 * data.mass
            * (right_rate(data, q, v).norm_squared()
                + left_rate(data, q, v).norm_squared()
                + 0.5 * v.body.angular().norm_squared())
    }
}

/// The same with the inertia written down.
#[mechanical_system(derivative_check)]
pub mod matrices {
    use lie_runtime::prelude::*;

    /// A double pendulum and a free body.
    #[configuration]
    pub struct Linkage {
        /// The bars.
        pub bars: [SO2; 2],
        /// The body.
        pub body: SE3,
    }

    /// Data.
    #[parameters]
    pub struct Data {
        /// Masses at the ends of the bars.
        pub masses: [f64; 2],
        /// Lengths.
        pub lengths: [f64; 2],
        /// The mass of each of the body's points.
        pub mass: f64,
        /// Half distances of the body's points along its axes.
        pub size: Vector3<f64>,
    }

    #[kinetic_energy]
    fn bars(data: &Data, q: &Linkage, v: &Velocity) -> f64 {
        let (a, b) = (data.lengths[0], data.lengths[1]);
        let (u, w) = (v.bars[0], v.bars[1]);
        let between = (q.bars[1].angle() - q.bars[0].angle()).cos();
        0.5 * data.masses[0] * a * a * u * u
            + 0.5 * data.masses[1] * (a * a * u * u + b * b * w * w + 2.0 * a * b * u * w * between)
    }

    #[kinetic_energy]
    fn body(data: &Data, v: &Velocity) -> f64 {
        let (omega, u) = (v.body.angular(), v.body.linear());
        let (x, y) = (data.size.x, data.size.y);
        let inertia = Matrix3::new(
            2.0 * y * y,
            -2.0 * x * y,
            0.0,
            -2.0 * x * y,
            2.0 * x * x,
            0.0,
            0.0,
            0.0,
            2.0 * (x * x + y * y),
        );
        data.mass * u.norm_squared()
            + 0.5 * data.mass * omega.dot(&(inertia * omega))
            + 0.25 * data.mass * omega.norm_squared()
    }
}
