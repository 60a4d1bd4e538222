//! The derivative check asked for with frames.

use lie_runtime::prelude::*;

#[mechanical_system(derivative_check)]
mod pendulum {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pendulum {
        pub links: Vec<S2>,
    }

    #[kinematics(over = links)]
    fn mass(above: &R3, link: &S2) -> R3 {
        above + link.direction()
    }

    #[kinetic_energy(over = mass)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared()
    }
}

fn main() {}
