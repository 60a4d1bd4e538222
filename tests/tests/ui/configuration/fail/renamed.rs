use lie_runtime::prelude::*;

#[mechanical_system]
mod top {
    use lie_runtime::prelude::*;

    use lie_runtime::group::SO3 as Rotation;

    #[configuration]
    pub struct Pose {
        pub attitude: Rotation,
    }

    #[kinetic_energy]
    fn kinetic(_q: &Pose, _v: &Velocity) -> f64 {
        0.0
    }
}

fn main() {}
