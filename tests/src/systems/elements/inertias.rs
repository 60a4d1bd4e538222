//! Chains whose inertia is not half a mass times a velocity squared.

use lie_runtime::prelude::*;

/// Directions: a chain of S² whose inertia is declared through q', the first one held.
#[mechanical_system(derivative_check)]
pub mod directors {
    use lie_runtime::prelude::*;

    /// Directions.
    #[configuration]
    pub struct Directors {
        /// From the held one on.
        #[clamped(first)]
        pub directors: Vec<S2>,
        /// One that couples to all of them by its inertia.
        pub pointer: S2,
    }

    /// Data.
    #[parameters]
    pub struct Data {
        /// m L².
        pub inertia: f64,
        /// Bending.
        pub stiffness: f64,
    }

    #[kinetic_energy(over = directors)]
    fn kinetic(data: &Data, index: usize, q: &S2, omega: &Vector3<f64>) -> f64 {
        let share = 1.0 / (1 + index) as f64;
        0.5 * share * data.inertia * omega.cross(&q.direction()).norm_squared()
    }

    #[kinetic_energy(over = pointer)]
    fn of_pointer(omega: &Vector3<f64>) -> f64 {
        0.7 * omega.norm_squared()
    }

    /// How neighbours differ.
    #[quantity(over = directors.windows(2))]
    pub fn turn([a, b]: [&S2; 2]) -> Vector3<f64> {
        b.direction() - a.direction()
    }

    #[potential(over = directors.windows(2))]
    fn bending(data: &Data, pair: [&S2; 2]) -> f64 {
        0.5 * data.stiffness * turn(pair).norm_squared()
    }

    #[dissipation(over = directors.windows(2))]
    fn viscous(pair: [&S2; 2], rates: [&Vector3<f64>; 2]) -> f64 {
        0.5 * turn_rate(pair, rates).norm_squared()
    }

    #[potential(over = directors.windows(3))]
    fn twisting([a, b, c]: [&S2; 3]) -> f64 {
        a.direction().cross(&b.direction()).dot(&c.direction()).powi(2)
    }

    #[constraint(over = (directors.last(), pointer))]
    fn at_an_angle(a: &S2, b: &S2) -> f64 {
        a.direction().dot(&b.direction()) - 0.3
    }

    #[force(over = directors)]
    fn torque(t: f64, q: &S2, omega: &Vector3<f64>) -> Vector3<f64> {
        q.direction().cross(&Vector3::new(t, 1.0, 0.0)) - 0.1 * omega
    }
}

/// Declared mass matrices, of members and of pairs.
#[mechanical_system(derivative_check)]
pub mod plates {
    use lie_runtime::prelude::*;

    /// Plates.
    #[configuration]
    pub struct Plates {
        /// In a row.
        pub plates: Vec<SE2>,
    }

    #[mass_matrix(over = plates)]
    fn own(q: &SE2) -> Matrix3<f64> {
        let a = q.translation.x;
        Matrix3::new(2.0 + a * a, a, 0.0, a, 3.0, 0.1, 0.0, 0.1, 4.0)
    }

    #[potential(over = plates.windows(2))]
    fn springs(index: usize, [a, b]: [&SE2; 2]) -> f64 {
        (1.0 + index as f64) * (a.inverse() * b).log().norm_squared()
    }
}
