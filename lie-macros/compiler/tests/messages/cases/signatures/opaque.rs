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

    #[opaque]
    fn plain(x: f64) -> f64 {
        x
    }

    #[opaque(derivative = slope)]
    fn missing<S: Scalar>(x: S) -> S {
        x
    }

    #[opaque]
    fn matrix<S: Scalar>(x: Matrix3<S>) -> S {
        x[(0, 0)]
    }
}

fn main() {}
