use lie_runtime::prelude::*;

#[mechanical_system]
mod top {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose<const N: usize>
    where
        f64: Copy,
    {
        pub attitude: SO3,
    }

    #[kinetic_energy]
    fn kinetic(_v: &Velocity) -> f64 {
        0.0
    }
}

fn main() {}
