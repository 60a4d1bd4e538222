use lie_runtime::prelude::*;

#[mechanical_system]
mod top {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose {
        pub position: Vector3<f64>,
        pub tail: SVector<f64, 7>,
    }

    #[kinetic_energy]
    fn kinetic(_q: &Pose, _v: &Velocity) -> f64 {
        0.0
    }
}

fn main() {}
