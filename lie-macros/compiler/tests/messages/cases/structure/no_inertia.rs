use lie_runtime::prelude::*;

#[mechanical_system]
mod top {
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

    #[potential]
    fn gravity(top: &HeavyTop, q: &Pose) -> f64 {
        top.gravity.dot(&q.position)
    }
}

fn main() {}
