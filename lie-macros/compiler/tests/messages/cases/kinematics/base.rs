//! What frames hang on, and recursions that are no plain functions.

use lie_runtime::prelude::*;

#[mechanical_system]
mod moved {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Chain {
        pub links: Vec<R3>,
    }

    fn floor(height: f64) -> R3 {
        Vector3::new(0.0, 0.0, height)
    }

    #[kinematics(over = links, base = floor)]
    fn mass(above: &R3, link: &R3) -> R3 {
        above + link
    }

    #[kinetic_energy(over = mass)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared()
    }
}

#[mechanical_system]
mod late {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Chain {
        pub links: Vec<R3>,
    }

    #[kinematics(over = links)]
    async fn mass(above: &R3, link: &R3) -> R3 {
        above + link
    }

    #[kinetic_energy(over = links)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared()
    }
}

fn main() {}
