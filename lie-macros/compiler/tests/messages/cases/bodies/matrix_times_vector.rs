use lie_runtime::prelude::*;

#[mechanical_system]
mod body {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose {
        pub attitude: SO3,
        pub position: R3,
    }

    #[parameters]
    pub struct Data {
        pub inertia: Matrix3<f64>,
        pub planar: Vector2<f64>,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.attitude.dot(&v.attitude) + 0.5 * v.position.dot(&v.position)
    }

    #[potential]
    fn height(data: &Data, q: &Pose) -> f64 {
        (data.inertia * data.planar).norm_squared() + q.position.x
    }
}

fn main() {}
