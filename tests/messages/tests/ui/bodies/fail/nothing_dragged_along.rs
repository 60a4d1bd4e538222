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

    #[quantity]
    pub fn tip(q: &Pose) -> Vector3<f64> {
        q.frame.translation
    }

    #[potential]
    fn energy(p: &Data, q: &Pose) -> f64 {
        p.k * sine(q.beta)
    }
}

fn main() {
    let system = body::System::new(body::Data { k: 1.0, point: Vector3::zeros() }).unwrap();
    let q = body::Pose { attitude: SO3::identity(), frame: SE3::identity(), wheel: SO2::identity(), beta: 0.0 };
    let v = body::Velocity { attitude: Vector3::x(), frame: Vector6::zeros(), wheel: 0.0, beta: 1.0 };
    let _ = body::tip_rate(&q, &v);
    let _ = Simulation::of(&system).initial(q.clone(), v.clone()).step(0.01).end_time(1.0).run();
}
