use lie_runtime::prelude::*;

#[mechanical_system]
mod top {
    use lie_runtime::prelude::*;

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.attitude.dot(&v.attitude) + 0.5 * v.position.dot(&v.position)
    }
}

fn main() {}
