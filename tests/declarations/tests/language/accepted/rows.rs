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
    fn place(q: &Pose) -> Vector3<f64> {
        q.position
    }

    #[velocity_constraint]
    fn turn(v: &Velocity) -> Vector1<f64> {
        Vector1::new(v.attitude.x)
    }
}
