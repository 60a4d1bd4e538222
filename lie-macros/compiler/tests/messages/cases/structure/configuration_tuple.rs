use lie_runtime::prelude::*;

#[mechanical_system]
mod top {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose(SO3, R3);

    #[kinetic_energy]
    fn kinetic(_v: &Velocity) -> f64 {
        0.0
    }
}

fn main() {}
