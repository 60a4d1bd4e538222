use lie_runtime::prelude::*;

#[mechanical_system]
mod top {
    use lie_runtime::prelude::*;

    #[parameters]
    pub struct Data {
        pub mass: f64,
    }

    impl Data {
        #[cfg(target_pointer_width = "16")]
        const GRAVITY: f64 = 1.62;
        #[cfg(not(target_pointer_width = "16"))]
        const GRAVITY: f64 = 9.81;
    }

    #[configuration]
    pub struct Pose {
        pub x: f64,
    }

    #[kinetic_energy]
    fn kinetic(data: &Data, v: &Velocity) -> f64 {
        0.5 * data.mass * v.x * v.x
    }

    #[potential]
    fn potential(data: &Data, q: &Pose) -> f64 {
        data.mass * Data::GRAVITY * q.x
    }
}

fn main() {}
