use lie_runtime::prelude::*;

#[mechanical_system]
mod top {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose {
        pub attitude: SO3,
        pub position: R3,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.attitude.dot(&v.attitude) + 0.5 * v.position.dot(&v.position)
    }

    #[potental]
    fn gravity(q: &Pose) -> f64 {
        q.position.z
    }
}

fn main() {}
