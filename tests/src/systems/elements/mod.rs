//! Systems over chains whose generated derivatives are compared with dual numbers.

mod inertias;

pub use inertias::*;

use lie_runtime::prelude::*;

/// A Cosserat rod, clamped at its first node, with a load that follows its last one.
macro_rules! rod {
    ($(#[$documentation:meta])* $name:ident, $($rest:item)*) => {
        models::declared_rod! {
            [derivative_check],
            $(#[$documentation])*
            $name, [#[clamped(first)]],

            #[dissipation(over = nodes.windows(2))]
            fn viscous(rod: &Section, length: usize, [a, b]: [&S3R3; 2], [va, vb]: [&Vector6<f64>; 2]) -> f64 {
                0.5 * rod.damping * strain_rate(rod, length, [a, b], [va, vb]).norm_squared()
            }

            #[force(over = nodes.last())]
            fn pull(t: f64, q: &S3R3) -> Vector6<f64> {
                let force = q.rotation.inverse() * Vector3::new(0.3, t.sin(), -1.0);
                Vector6::new(0.2, 0.0, -t, force[0], force[1], force[2])
            }

            $($rest)*
        }
    };
}

rod! {
    /// With shear.
    shear_flexible,
}

rod! {
    /// Without shear.
    kirchhoff,

    #[constraint(over = nodes.windows(2))]
    fn unsheared(rod: &Section, length: usize, pair: [&S3R3; 2]) -> Vector2<f64> {
        let strain = strain(rod, length, pair);
        Vector2::new(strain[3], strain[4])
    }
}

/// Masses on rigid links; the first and the last one are held.
#[mechanical_system(derivative_check)]
pub mod rope {
    use lie_runtime::prelude::*;

    const GRAVITY: f64 = 9.81;

    /// Masses.
    #[configuration]
    pub struct Rope {
        /// From one hook to the other.
        #[clamped(first, last)]
        pub masses: Vec<R3>,
    }

    #[kinetic_energy(over = masses)]
    fn kinetic(index: usize, v: &Vector3<f64>) -> f64 {
        0.5 * (1.0 + 0.25 * index as f64) * v.norm_squared()
    }

    #[potential(over = masses)]
    fn weight(x: &R3) -> f64 {
        GRAVITY * x.z + 0.1 * x.norm().powi(3)
    }

    /// Faster is harder.
    #[force(over = masses)]
    fn air(x: &R3, v: &Vector3<f64>) -> Vector3<f64> {
        -0.2 * v * (1.0 + v.norm_squared()).sqrt() / (1.0 + x.z * x.z)
    }

    #[constraint(over = masses.windows(2))]
    fn link([a, b]: [&R3; 2]) -> f64 {
        0.5 * ((b - a).norm_squared() - 1.0)
    }
}

/// Two chains and a body between them, a wheel, a power: members of every kind, alone and together.
#[mechanical_system(derivative_check)]
pub mod joined {
    use lie_runtime::prelude::*;

    /// Members.
    #[configuration]
    pub struct Members {
        /// From a wall.
        #[clamped(first)]
        pub left: Vec<S3R3>,
        /// Cranks.
        pub cranks: Vec<SO2>,
        /// To a wall.
        #[clamped(last)]
        pub right: Vec<SE2>,
        /// A body.
        pub bar: SE3,
        /// A wheel on it.
        pub hub: SO2,
        /// What does not move.
        #[clamped]
        pub ground: SO3,
        /// Sliders.
        pub sliders: [Rn<2>; 3],
    }

    /// Data.
    #[parameters]
    pub struct Data {
        /// Inertia.
        pub inertia: Matrix3<f64>,
        /// Springs.
        pub stiffness: [f64; 2],
        /// Where they are fastened.
        pub arms: [Vector3<f64>; 2],
    }

    fn spring(stiffness: f64, gap: &Vector3<f64>) -> f64 {
        0.5 * stiffness * (gap.norm() - 0.3).powi(2)
    }

    #[kinetic_energy(over = left)]
    fn of_left(data: &Data, q: &S3R3, v: &Vector6<f64>) -> f64 {
        // An inertia that depends on the place.
        let mass = 1.0 + 0.2 * q.translation.x.powi(2);
        0.5 * (v.angular().dot(&(data.inertia * v.angular())) + mass * v.linear().norm_squared())
    }

    #[kinetic_energy(over = cranks)]
    fn of_cranks(index: usize, q: &SO2, v: &f64) -> f64 {
        0.5 * (2.0 + q.angle().cos()) * v * v / (1 + index) as f64
    }

    /// Inertia that couples neighbours.
    #[kinetic_energy(over = cranks.windows(2))]
    fn geared([va, vb]: [&f64; 2]) -> f64 {
        0.1 * (va - vb).powi(2)
    }

    #[kinetic_energy(over = right)]
    fn of_right(v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared() + 0.1 * v[0] * v[1]
    }

    #[kinetic_energy(over = bar)]
    fn of_bar(data: &Data, v: &Vector6<f64>) -> f64 {
        0.5 * (v.angular().dot(&(data.inertia * v.angular())) + v.linear().norm_squared())
    }

    #[kinetic_energy]
    fn of_the_rest(q: &Members, v: &Velocity) -> f64 {
        0.5 * v.hub * v.hub + 0.1 * v.hub * v.bar[0] * q.hub.angle().sin()
    }

    #[kinetic_energy(over = sliders)]
    fn of_sliders(v: &Vector2<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    /// From the bar to the end of the first chain.
    #[quantity(over = (left.last(), bar))]
    pub fn gap(data: &Data, end: &S3R3, bar: &SE3) -> Vector3<f64> {
        bar.rotation.inverse() * (end.translation - bar.translation) - data.arms[0]
    }

    #[potential(over = (left.last(), bar))]
    fn to_the_left(data: &Data, end: &S3R3, bar: &SE3) -> f64 {
        spring(data.stiffness[0], &gap(data, end, bar))
    }

    #[dissipation(over = (left.last(), bar))]
    fn damper(data: &Data, end: &S3R3, bar: &SE3, v: &Vector6<f64>, w: &Vector6<f64>) -> f64 {
        0.3 * gap_rate(data, end, bar, v, w).norm_squared()
    }

    #[force(at = gap)]
    fn piston(t: f64, end: &S3R3, _: &SE3) -> Vector3<f64> {
        Vector3::new(t, end.translation.y, 0.5)
    }

    #[potential(over = left.windows(3))]
    fn bending([a, b, c]: [&S3R3; 3]) -> f64 {
        let (first, second) = ((a.inverse() * b).log(), (b.inverse() * c).log());
        0.5 * (second - first).norm_squared()
    }

    #[constraint(over = (bar, right.first()))]
    fn tied(data: &Data, t: f64, bar: &SE3, start: &SE2) -> Vector2<f64> {
        let point = *bar * data.arms[1];
        let place = start * Vector2::new(0.1 * t, 0.2);
        Vector2::new(point.x - place.x, point.z - place.y)
    }

    #[constraint(over = (cranks.first(), cranks.last()))]
    fn ring(first: &SO2, last: &SO2) -> f64 {
        (first.inverse() * last).angle().sin() - 0.2
    }

    #[velocity_constraint(over = (right[1], hub))]
    fn rolls(q: &SE2, hub: &SO2, v: &Vector3<f64>, omega: &f64) -> f64 {
        v[1] - (1.0 + 0.1 * q.translation.x) * omega * hub.angle().cos() - 0.4
    }

    #[potential(over = (right.windows(2), ground))]
    fn compass([a, b]: [&SE2; 2], ground: &SO3) -> f64 {
        let along = ground * Vector3::new(a.translation.x, b.translation.y, 1.0);
        (a.inverse() * b).log().norm_squared() + 0.2 * along.x
    }

    #[force(on = bar)]
    fn motor(q: &Members, v: &Velocity) -> Vector6<f64> {
        Vector6::new(q.hub.angle(), -v.hub, 0.0, 0.1, q.bar.translation.x, 0.3)
    }

    #[force(on = hub)]
    fn brake(v: &Velocity) -> f64 {
        -0.2 * v.hub * v.hub.abs()
    }

    #[potential(over = sliders.windows(2))]
    fn bands(index: usize, [a, b]: [&Rn<2>; 2]) -> f64 {
        let rest = if index == 0 { 0.1 } else { 0.7 };
        ((a - b).norm() - rest).powi(2)
    }

    #[force(over = sliders[1])]
    fn push(v: &Vector2<f64>) -> Vector2<f64> {
        Vector2::new(1.0 - v.x, v.x * v.y)
    }

    /// A point of the body.
    #[quantity(over = bar)]
    pub fn corner(data: &Data, t: f64, bar: &SE3) -> Vector3<f64> {
        *bar * (data.arms[0] * t)
    }
}

/// Springs whose force somebody wrote by hand, a tenth of it wrong.
#[mechanical_system(derivative_check)]
pub mod wrong_spring {
    use lie_runtime::prelude::*;

    /// Masses.
    #[configuration]
    pub struct Masses {
        /// In a row.
        pub masses: Vec<R3>,
    }

    #[opaque(derivative = stiffening_slope)]
    fn stiffening<S: Scalar>(stretch: S) -> S {
        stretch.powi(4)
    }

    #[opaque]
    fn stiffening_slope<S: Scalar>(stretch: S) -> S {
        S::from_f64(4.4) * stretch.powi(3)
    }

    #[kinetic_energy(over = masses)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[potential(over = masses.windows(2))]
    fn springs([a, b]: [&R3; 2]) -> f64 {
        stiffening((a - b).norm())
    }
}
