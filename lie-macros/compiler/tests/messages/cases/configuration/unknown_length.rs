use lie_runtime::prelude::*;

const N: usize = 3;

#[mechanical_system]
mod top {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose {
        pub frames: [SO3; super::N],
    }

    #[kinetic_energy]
    fn kinetic(_q: &Pose, _v: &Velocity) -> f64 {
        0.0
    }
}

fn main() {}
