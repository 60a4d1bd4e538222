//! Reverse differentiation of what has none.

use lie_runtime::prelude::*;

#[mechanical_system(gradients = all)]
mod valued {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Point {
        pub x: R1,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x.norm_squared()
    }
}

fn main() {}
