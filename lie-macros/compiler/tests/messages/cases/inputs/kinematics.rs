//! A frame is moved by its member.

use lie_runtime::prelude::*;

#[mechanical_system]
mod links {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Joints {
        pub joints: Vec<S2>,
    }

    #[inputs]
    pub struct Inputs {
        pub length: f64,
    }

    #[kinematics(over = joints)]
    fn mass(u: &Inputs, above: &R3, link: &S2) -> R3 {
        above + link.direction() * u.length
    }

    #[kinetic_energy(over = mass)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared()
    }
}

fn main() {}
