use lie_runtime::prelude::*;

#[mechanical_system]
mod rod {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Rod {
        pub nodes: Vec<S3R3>,
        pub cranks: Vec<SO2>,
        pub left: Vec<R3>,
        pub right: Vec<R3>,
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(v: &Vector6<f64>) -> f64 {
        0.5 * v.dot(v)
    }

    #[kinetic_energy(over = left)]
    fn of_left(v: &Vector3<f64>) -> f64 {
        0.5 * v.dot(v)
    }

    #[kinetic_energy(over = right)]
    fn of_right(v: &Vector3<f64>) -> f64 {
        0.5 * v.dot(v)
    }

    #[kinetic_energy(over = cranks)]
    fn of_cranks(v: f64) -> f64 {
        0.5 * v * v
    }

    #[potential(ovr = nodes)]
    fn ovr(a: &S3R3) -> f64 {
        a.translation.z
    }

    #[potential(over = nodes.window(2))]
    fn window([a, b]: [&S3R3; 2]) -> f64 {
        (a.inverse() * b).log().norm_squared()
    }

    #[potential(over = nodes.windows(0))]
    fn none(a: &S3R3) -> f64 {
        a.translation.z
    }

    #[potential(over = nodes.windows(2.0))]
    fn real([a, b]: [&S3R3; 2]) -> f64 {
        (a.inverse() * b).log().norm_squared()
    }

    #[potential(over = nodes.windows())]
    fn how_many([a, b]: [&S3R3; 2]) -> f64 {
        (a.inverse() * b).log().norm_squared()
    }

    #[potential(over = "nodes")]
    fn text(a: &S3R3) -> f64 {
        a.translation.z
    }

    #[potential(over(nodes))]
    fn called(a: &S3R3) -> f64 {
        a.translation.z
    }

    #[potential(nodes)]
    fn bare(a: &S3R3) -> f64 {
        a.translation.z
    }

    #[potential(over = nodes.first)]
    fn field(a: &S3R3) -> f64 {
        a.translation.z
    }

    #[potential(over = nodes[-1])]
    fn minus(a: &S3R3) -> f64 {
        a.translation.z
    }

    #[potential(over = nodes[0..2])]
    fn range([a, b]: [&S3R3; 2]) -> f64 {
        (a.inverse() * b).log().norm_squared()
    }

    #[potential(over = Rod.nodes)]
    fn path(a: &S3R3) -> f64 {
        a.translation.z
    }

    #[potential(over = q.nodes)]
    fn of_q(a: &S3R3) -> f64 {
        a.translation.z
    }

    #[constraint(over = left.last(), right.first())]
    fn no_tuple(a: &R3, b: &R3) -> Vector3<f64> {
        a - b
    }

    #[constraint(over = left.last(), over = right.first())]
    fn over_twice(a: &R3, b: &R3) -> Vector3<f64> {
        a - b
    }

    #[constraint(over = (nodes, nodes))]
    fn itself(a: &S3R3, b: &S3R3) -> f64 {
        a.translation.x - b.translation.x
    }

    #[constraint(over = (left.first(), left.first()))]
    fn same(a: &R3, b: &R3) -> Vector3<f64> {
        a - b
    }

    #[observable(over = nodes)]
    fn height(a: &S3R3) -> f64 {
        a.translation.z
    }
}

fn main() {}
