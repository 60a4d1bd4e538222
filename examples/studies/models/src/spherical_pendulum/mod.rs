//! N masses connected by massless links; the declaration contains one element (paper 3, section 5).

pub mod formulations;

use lie_runtime::prelude::*;

/// The pendulum: R(q) ω' = g(q, ω) follows from the energies of one mass and from where it hangs.
#[mechanical_system]
pub mod pendulum {
    /// The links.
    #[configuration]
    pub struct Pendulum {
        /// Their directions, from the fixed point on.
        pub links: Vec<S2>,
    }

    /// Equal links.
    #[parameters]
    pub struct Link {
        /// m.
        pub mass: f64,
        /// L.
        pub length: f64,
        /// g, along −e₃.
        pub gravity: f64,
    }

    /// The mass below a link, from that above it; the first link hangs from the origin.
    #[kinematics(over = links)]
    pub fn mass(data: &Link, above: &R3, link: &S2) -> R3 {
        above + link.direction() * data.length
    }

    #[kinetic_energy(over = mass)]
    fn kinetic(data: &Link, v: &Vector3<f64>) -> f64 {
        0.5 * data.mass * v.norm_squared()
    }

    #[potential(over = mass)]
    fn weight(data: &Link, x: &R3) -> f64 {
        data.mass * data.gravity * x.z
    }

    /// The last mass.
    #[observable(over = mass.last())]
    fn tip(x: &R3) -> Vector3<f64> {
        *x
    }
}
