use lie_runtime::prelude::*;

#[mechanical_system]
mod top {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose {
        pub attitude: SO3,
        pub position: R3,
    }

    #[mass_matrix]
    fn mass() -> Matrix3<f64> {
        Matrix3::identity()
    }
}

fn main() {}
