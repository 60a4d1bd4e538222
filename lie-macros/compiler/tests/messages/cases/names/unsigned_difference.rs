use lie_runtime::prelude::*;

#[mechanical_system]
mod top {
    use lie_runtime::prelude::*;

    #[parameters]
    pub struct Data {
        pub count: usize,
        pub order: i32,
    }

    #[configuration]
    pub struct Pose {
        pub x: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x * v.x
    }

    #[potential]
    fn potential(data: &Data, q: &Pose) -> f64 {
        (data.order - 1) as f64 * (data.count - 1) as f64 * q.x
    }
}

fn main() {}
