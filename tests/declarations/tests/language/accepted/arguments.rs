use lie_runtime::prelude::*;

#[mechanical_system]
mod top {
    use lie_runtime::nalgebra;
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose {
        pub attitude: SO3,
        pub position: R3,
    }

    #[parameters]
    pub struct HeavyTop {
        pub mass: f64,
        pub gravity: Vector3<f64>,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.attitude.dot(&v.attitude) + 0.5 * v.position.dot(&v.position)
    }

    #[potential]
    fn gravity(t: f64, top: &HeavyTop, q: &self::Pose<f64>) -> f64 {
        t * top.mass * q.position.z
    }

    #[force(on = position)]
    fn push(_: &HeavyTop, _q: &Pose, _v: &Velocity, t: f64) -> nalgebra::Vector3<f64> {
        Vector3::new(t.sin(), 0.0, 0.0)
    }
}
