use lie_runtime::prelude::*;

#[mechanical_system]
mod top {
    use lie_runtime::prelude::*;

    #[configuration]
    pub union Pose {
        attitude: f64,
    }

    #[kinetic_energy]
    fn kinetic(_v: &Velocity) -> f64 {
        0.0
    }
}

fn main() {}
