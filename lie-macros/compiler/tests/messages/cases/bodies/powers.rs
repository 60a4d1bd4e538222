use lie_runtime::prelude::*;

#[mechanical_system]
mod body {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose {
        pub attitude: SO3,
        pub frame: SE3,
        pub wheel: SO2,
        pub beta: f64,
    }

    #[parameters]
    pub struct Data {
        pub k: f64,
        pub point: Vector3<f64>,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * (v.attitude.norm_squared() + v.frame.norm_squared() + v.wheel * v.wheel + v.beta * v.beta)
    }

    #[potential]
    fn caret(p: &Data, q: &Pose) -> f64 {
        0.5 * p.k * q.beta^2
    }

    #[potential]
    fn stars(p: &Data, q: &Pose) -> f64 {
        0.5 * p.k * q.beta**2
    }

    #[potential]
    fn method(p: &Data, q: &Pose) -> f64 {
        0.5 * p.k * q.beta.pow(2)
    }
}

fn main() {}
