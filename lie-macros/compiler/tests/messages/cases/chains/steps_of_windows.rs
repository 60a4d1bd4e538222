use lie_runtime::prelude::*;

#[mechanical_system]
mod chain {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Chain {
        pub nodes: Vec<R3>,
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[potential(over = nodes.windows(3).step_by(0))]
    fn none([a, b, c]: [&R3; 3]) -> f64 {
        (a - b + c).x
    }

    #[potential(over = nodes.step_by(2))]
    fn members(a: &R3) -> f64 {
        a.x
    }

    #[potential(over = nodes.windows(2).step_by(1.5))]
    fn fractions([a, b]: [&R3; 2]) -> f64 {
        (a - b).x
    }
}

fn main() {}
