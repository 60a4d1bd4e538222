use lie_runtime::prelude::*;

#[mechanical_system]
mod rod {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Rod {
        pub nodes: Vec<S3R3>,
        pub left: Vec<R3>,
        pub hub: SE3,
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(v: &Vector6<f64>) -> f64 {
        0.5 * v.dot(v)
    }

    #[kinetic_energy(over = left)]
    fn of_left(v: &Vector3<f64>) -> f64 {
        0.5 * v.dot(v)
    }

    #[kinetic_energy]
    fn of_hub(v: &Velocity) -> f64 {
        0.5 * v.hub.dot(&v.hub)
    }

    #[quantity]
    fn tip(q: &Rod) -> Vector3<f64> {
        q.nodes[q.nodes.len() - 1].translation
    }

    #[force]
    fn wind(v: &Velocity) -> Vector6<f64> {
        0.1 * v.nodes[0]
    }

    #[potential(over = nodes)]
    fn neighbours(index: usize, a: &S3R3) -> f64 {
        a[index + 1].translation.z
    }

    #[potential(over = nodes)]
    fn modulo(index: usize, a: &S3R3) -> f64 {
        if index % 2 == 0 { a.translation.z } else { 0.0 }
    }

    #[potential(over = nodes)]
    fn without_cast(length: usize, a: &S3R3) -> f64 {
        a.translation.z / length
    }
}

fn main() {}
