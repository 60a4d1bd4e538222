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
        even(q.position.x)
    }

    fn even(x: f64) -> f64 {
        0.5 * odd(x)
    }

    fn odd(x: f64) -> f64 {
        x + even(x)
    }
}

fn main() {}
