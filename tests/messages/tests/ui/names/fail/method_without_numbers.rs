use lie_runtime::prelude::*;

#[mechanical_system]
mod top {
    use lie_runtime::prelude::*;

    pub struct Switches {
        pub is_damped: bool,
    }

    impl Switches {
        fn factor(&self) -> f64 {
            if self.is_damped { 0.5 } else { 2.5 }
        }
    }

    #[parameters]
    pub struct Data {
        pub mass: f64,
        pub switches: Switches,
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
        data.switches.factor() * q.x.sin()
    }
}

fn main() {}
