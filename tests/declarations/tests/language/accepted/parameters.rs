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
    #[derive(Clone, Debug)]
    pub struct Body {
        pub name: String,
        pub mass: f64,
        pub springs: [f64; 2],
    }

    #[kinetic_energy]
    fn kinetic(body: &Body, v: &Velocity) -> f64 {
        0.5 * body.mass * (v.attitude.dot(&v.attitude) + v.position.dot(&v.position)) * body.springs[0]
    }
}
