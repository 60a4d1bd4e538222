use lie_runtime::prelude::*;

#[mechanical_system]
mod top {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose {
        pub attitude: Box<SO3>,
        pub position: Option<R3>,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.attitude.norm_squared() + 0.5 * v.position.norm_squared()
    }
}

fn main() {}
