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
        swirl(q.position).x
    }

    #[opaque(derivative = swirl_slope)]
    fn swirl<S: Scalar>(d: Vector3<S>) -> Vector3<S> {
        d * d.x
    }

    #[opaque]
    fn swirl_slope<S: Scalar>(d: Vector3<S>) -> Vector3<S> {
        d
    }
}

fn main() {}
