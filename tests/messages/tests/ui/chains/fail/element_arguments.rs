use lie_runtime::prelude::*;

#[mechanical_system]
mod rod {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Rod {
        pub nodes: Vec<S3R3>,
        pub cranks: Vec<SO2>,
        pub hub: SO2,
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(v: &Vector6<f64>, a: &S3R3) -> f64 {
        0.5 * v.dot(v) + a.translation.z
    }

    #[kinetic_energy(over = cranks)]
    fn of_cranks(v: f64) -> f64 {
        0.5 * v * v
    }

    #[kinetic_energy(over = cranks)]
    fn angular(v: &Vector1<f64>) -> f64 {
        0.5 * v.dot(v)
    }

    #[kinetic_energy]
    fn wheel(v: &Velocity) -> f64 {
        0.5 * v.hub * v.hub
    }

    #[potential(over = nodes.windows(2))]
    fn apart(a: &S3R3, b: &S3R3) -> f64 {
        (a.inverse() * b).log().norm_squared()
    }

    #[potential(over = nodes.windows(2))]
    fn borrowed([a, b]: &[S3R3; 2]) -> f64 {
        (a.inverse() * b).log().norm_squared()
    }

    #[potential(over = nodes.windows(2))]
    fn slice(pair: &[S3R3]) -> f64 {
        (pair[0].inverse() * pair[1]).log().norm_squared()
    }

    #[potential(over = nodes.windows(2))]
    fn tuple((a, b): (&S3R3, &S3R3)) -> f64 {
        (a.inverse() * b).log().norm_squared()
    }

    #[potential(over = nodes)]
    fn all(nodes: &Vec<S3R3>) -> f64 {
        nodes[0].translation.z
    }

    #[potential(over = nodes)]
    fn value(a: S3R3) -> f64 {
        a.translation.z
    }

    #[potential(over = nodes)]
    fn counted(index: u32, a: &S3R3) -> f64 {
        a.translation.z * index as f64
    }

    #[potential(over = nodes)]
    fn real_index(index: f64, a: &S3R3) -> f64 {
        a.translation.z * index
    }

    #[potential(over = nodes)]
    fn real_length(length: f64, a: &S3R3) -> f64 {
        a.translation.z / length
    }

    #[dissipation(over = nodes)]
    fn velocity_of_all(v: &Velocity) -> f64 {
        v.hub
    }

    #[observable]
    fn height(nodes: &Vec<S3R3>) -> f64 {
        nodes[0].translation.z
    }

    #[potential]
    fn without_over(a: &S3R3) -> f64 {
        a.translation.z
    }

    #[quantity(over = nodes.last())]
    fn end(a: &S3R3) -> Vector3<f64> {
        a.translation
    }

    #[force(over = nodes.first(), at = end)]
    fn elsewhere() -> Vector3<f64> {
        Vector3::new(0.0, 0.0, 1.0)
    }

    #[force(over = nodes.last())]
    fn short() -> Vector3<f64> {
        Vector3::new(0.0, 0.0, 1.0)
    }

}

fn main() {}
