use lie_runtime::prelude::*;

#[mechanical_system]
mod landscape {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Position {
        pub x: R3,
    }

    #[opaque(derivative = wind_slope)]
    fn wind<S: Scalar>(x: Vector3<S>) -> Vector3<S> {
        Vector3::new(x.z * x.z, x.y, x.x)
    }

    #[opaque]
    fn wind_slope<S: Scalar>(x: Vector3<S>) -> Vector3<S> {
        x
    }

    #[opaque(derivative = hill_slope)]
    fn hill<S: Scalar>(x: S, y: S) -> S {
        x * y
    }

    #[opaque]
    fn hill_slope<S: Scalar>(x: S, y: S) -> S {
        x + y
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x.norm_squared()
    }

    #[potential]
    fn height(q: &Position) -> f64 {
        hill(q.x.x, q.x.y) + wind(q.x).z
    }
}

fn main() {}
