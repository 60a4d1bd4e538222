use lie_runtime::prelude::*;

#[mechanical_system]
mod body {
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

    #[potential]
    fn height(q: &Pose) -> f64 {
        smooth(q.position) + smooth(q.position.x, 1.0) + smooth(2)
    }

    #[opaque]
    fn smooth<S: Scalar>(x: S) -> S {
        x * x
    }
}

fn main() {}
