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
    fn turning(v: &Velocity) -> f64 {
        0.5 * v.attitude.dot(&v.attitude)
    }

    #[kinetic_energy]
    fn moving(v: &Velocity) -> f64 {
        0.5 * v.position.dot(&v.position)
    }
}
