use lie_runtime::prelude::*;

mod other {
    pub use lie_runtime::nalgebra::Vector2 as Vector3;
    pub use lie_runtime::prelude::R3;
}

#[mechanical_system]
mod spring {
    use super::other::*;

    #[configuration]
    pub struct Place {
        pub x: R3,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x.norm_squared()
    }

    #[potential]
    fn energy(q: &Place) -> f64 {
        Vector3::repeat(q.x.x).norm()
    }
}

fn main() {}
