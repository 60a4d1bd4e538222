use lie_runtime::prelude::*;

#[mechanical_system]
mod rod {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Rod {
        pub nodes: Vec<S3R3>,
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(v: &Vector6<f64>) -> f64 {
        0.5 * v.dot(v)
    }

    #[potential(over = nodes)]
    fn weight(node: &SE3) -> f64 {
        node.translation[2]
    }

    #[dissipation(over = nodes)]
    fn friction(v: &Vector3<f64>) -> f64 {
        v.dot(v)
    }

    #[potential(over = nodes)]
    fn whole(q: &Rod) -> f64 {
        0.0
    }

    #[potential(over = nodes)]
    fn moving(node: &S3R3, v: &Vector6<f64>) -> f64 {
        v[0]
    }
}

fn main() {}
