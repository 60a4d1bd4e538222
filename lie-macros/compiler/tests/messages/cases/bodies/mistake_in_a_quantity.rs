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

    #[quantity]
    fn tip(q: &Pose) -> Vector3<f64> {
        q.attitude * Vector2::new(1.0, 0.0)
    }

    #[potential]
    fn height(q: &Pose) -> f64 {
        tip(q).z
    }

    #[dissipation]
    fn damping(q: &Pose, v: &Velocity) -> f64 {
        tip_rate(q, v).norm_squared()
    }
}

fn main() {}
