use lie_runtime::prelude::*;

#[mechanical_system]
mod top {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose {
        pub angle: f32,
    }

    #[kinetic_energy]
    fn kinetic(_q: &Pose, _v: &Velocity) -> f64 {
        0.0
    }
}

fn main() {}
