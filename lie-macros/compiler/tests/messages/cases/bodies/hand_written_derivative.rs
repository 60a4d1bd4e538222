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
        bowl(q.position.x, q.position) + ridge(q.position.y)
    }

    #[opaque(derivative = bowl_slope)]
    fn bowl<S: Scalar>(x: S, d: Vector3<S>) -> S {
        x * d.dot(&d)
    }

    #[opaque]
    fn bowl_slope<S: Scalar>(x: S, d: Vector3<S>) -> Vector3<S> {
        d * x
    }

    #[opaque(derivative = ridge_slope)]
    fn ridge<S: Scalar>(x: S) -> S {
        x * x
    }

    #[opaque]
    fn ridge_slope<S: Scalar>(x: S, y: S) -> S {
        x + y
    }
}

fn main() {}
