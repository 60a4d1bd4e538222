//! What is told by the ω of directions is inertia of each alone.

use lie_runtime::prelude::*;

#[mechanical_system]
mod coupled {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Needles {
        pub first: S2,
        pub second: S2,
    }

    #[kinetic_energy]
    fn own(v: &Velocity) -> f64 {
        0.5 * v.first.norm_squared() + v.second.norm_squared()
    }

    #[kinetic_energy]
    fn joint(v: &Velocity) -> f64 {
        0.5 * (v.first + v.second).norm_squared()
    }
}

#[mechanical_system]
mod anisotropic {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Needle {
        pub needle: S2,
    }

    #[kinetic_energy]
    fn uneven(v: &Velocity) -> f64 {
        0.5 * v.needle.dot(&Vector3::new(1.0, 1.0, 2.0).component_mul(&v.needle))
    }
}

fn main() {}
