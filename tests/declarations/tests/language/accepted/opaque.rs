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
        bump(q.position.x, q.attitude.log()) + hill(q.position.y) + turned(q.position).z
    }

    #[opaque]
    fn bump<S: Scalar>(x: S, d: Vector3<S>) -> S {
        let mut sum = S::from_f64(1.0);
        let mut k = 0;
        while k < 3 {
            sum += match k {
                0 => x * d[k],
                _ => d[k] * d[k],
            };
            k += 1;
        }
        sum.sqrt()
    }

    #[opaque(derivative = hill_slope)]
    fn hill<S: Scalar>(x: S) -> S {
        (-(x * x)).exp()
    }

    #[opaque]
    fn hill_slope<S: Scalar>(x: S) -> S {
        S::from_f64(-2.0) * x * (-(x * x)).exp()
    }

    #[opaque]
    fn turned<S: Scalar>(d: Vector3<S>) -> Vector3<S> {
        Vector3::new(d.y, d.z, d.x * d.y)
    }
}
