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
        (q.attitude + q.attitude).log().norm_squared() + (q.attitude - q.attitude.inverse()).log().x
    }
}

fn main() {}
