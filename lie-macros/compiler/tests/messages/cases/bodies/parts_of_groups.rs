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

    #[dissipation]
    fn damping(p: &Data, v: &Velocity) -> f64 {
        p.k * v.frame.rotation.norm_squared()
    }

    #[potential]
    fn energy(p: &Data, q: &Pose) -> f64 {
        p.k * q.wheel.cos() + q.attitude[(2, 2)] + q.frame.z
    }
}

fn main() {}
