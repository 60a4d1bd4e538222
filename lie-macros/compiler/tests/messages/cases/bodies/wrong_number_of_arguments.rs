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
        square(q.position.x, 2.0) + tip(q).x
    }

    fn square(x: f64) -> f64 {
        x * x
    }

    #[quantity]
    fn tip(q: &Pose, t: f64) -> Vector3<f64> {
        q.position * t
    }
}

fn main() {}
