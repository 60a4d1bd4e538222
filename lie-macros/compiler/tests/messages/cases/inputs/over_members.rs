//! Of a term over members: by value, twice, and where it cannot be.

use lie_runtime::prelude::*;

#[mechanical_system]
mod beads {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Chain {
        pub beads: Vec<R3>,
    }

    #[inputs]
    pub struct Inputs {
        pub wind: Vector3<f64>,
    }

    #[kinetic_energy(over = beads)]
    fn kinetic(u: &Inputs, v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared() * u.wind.x
    }

    #[force(over = beads)]
    fn blown(u: Inputs, x: &R3) -> Vector3<f64> {
        u.wind * x.z
    }

    #[force(over = beads)]
    fn twice(u: &Inputs, x: &R3, w: &Inputs) -> Vector3<f64> {
        u.wind * x.z - w.wind
    }
}

fn main() {}
