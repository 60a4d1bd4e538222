use lie_runtime::prelude::*;

#[mechanical_system]
mod top {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose {
        pub attitude: SO3,
        pub position: R3,
    }

    #[parameters]
    pub struct HeavyTop {
        pub mass: f64,
        pub gravity: Vector3<f64>,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.attitude.dot(&v.attitude) + 0.5 * v.position.dot(&v.position)
    }

    #[constraint]
    fn nothing(_q: &Pose) -> SVector<f64, 0> {
        SVector::<f64, 0>::zeros()
    }
}

fn main() {}
