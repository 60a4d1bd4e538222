use lie_runtime::prelude::*;

#[mechanical_system]
mod row {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Row {
        pub joints: Vec<f64>,
    }

    #[kinetic_energy(over = joints)]
    fn kinetic(v: &f64) -> f64 {
        0.5 * v * v
    }

    #[force(over = joints)]
    fn drag(v: &f64) -> f64 {
        -0.1 * v
    }
}

fn main() {}
