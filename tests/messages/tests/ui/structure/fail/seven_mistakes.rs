use lie_runtime::prelude::*;

#[mechanical_system]
mod heavy_top {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose {
        pub attitude: SO4,
        pub position: Point3<f64>,
    }

    #[parameters]
    pub struct HeavyTop {
        pub mass: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity, top: &HeavyTop) -> f64 {
        0.5 * top.mass * v.position.dot(&v.position)
    }

    #[potental]
    fn gravity(top: &HeavyTop, q: &Pose) -> f64 {
        top.mass * q.position.z
    }

    #[constraint]
    fn fixed_point(q: &Pose, v: &Velocity) -> Vector3<f64> {
        q.position
    }

    #[force(on = atitude)]
    fn motor(t: f64) -> Vector3<f64> {
        Vector3::new(t, 0.0, 0.0)
    }

    #[potential]
    async fn spring(q: &Pose) -> f64 {
        q.position.x
    }
}

fn main() {}
