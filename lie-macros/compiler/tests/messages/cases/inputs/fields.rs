//! What can be tabulated, held and differentiated.

use lie_runtime::prelude::*;

#[mechanical_system]
mod arm {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose {
        pub angle: f64,
    }

    #[inputs]
    pub struct Inputs {
        pub target: SO3,
        pub heading: SO2,
        pub on: bool,
        pub gear: usize,
        pub history: Vec<f64>,
        pub name: &'static str,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.angle * v.angle
    }

}

fn main() {}
