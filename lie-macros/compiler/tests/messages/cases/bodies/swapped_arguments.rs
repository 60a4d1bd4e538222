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

    fn spring(k: f64, x: &Vector3<f64>) -> f64 {
        0.5 * k * x.norm_squared()
    }

    #[potential]
    fn energy(p: &Data, q: &Pose) -> f64 {
        spring(&q.frame.translation, p.k)
    }
}

fn main() {}
