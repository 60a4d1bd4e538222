use lie_runtime::prelude::*;

#[mechanical_system]
mod row {
    use lie_runtime::prelude::*;

    pub struct Body {
        pub attitude: SO3,
        pub position: R3,
    }

    #[configuration]
    pub struct Row {
        pub bodies: Vec<Body>,
        pub nodes: Vec<R3>,
    }

    #[kinetic_energy(over = bodies)]
    fn kinetic(v: &Vector6<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[kinetic_energy(over = nodes)]
    fn of_nodes(v: &BodyVelocity) -> f64 {
        0.5 * v.attitude.norm_squared()
    }

    #[potential(over = bodies.windows(2))]
    fn spring([a, b]: [&SE3; 2]) -> f64 {
        (a.translation - b.translation).norm_squared()
    }
}

fn main() {}
