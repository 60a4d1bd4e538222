use lie_runtime::prelude::*;

#[mechanical_system]
mod rod {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Rod {
        pub left: Vec<R3>,
        pub right: Vec<R3>,
        pub three: [R3; 3],
    }

    #[kinetic_energy(over = left)]
    fn of_left(v: &Vector3<f64>) -> f64 {
        0.5 * v.dot(v)
    }

    #[kinetic_energy(over = right)]
    fn of_right(v: &Vector3<f64>) -> f64 {
        0.5 * v.dot(v)
    }

    #[kinetic_energy(over = three)]
    fn of_three(v: &Vector3<f64>) -> f64 {
        0.5 * v.dot(v)
    }

    #[potential(over = (left, right))]
    fn both(a: &R3, b: &R3) -> f64 {
        (a - b).norm_squared()
    }

    #[potential(over = left.chunks(2))]
    fn chunks([a, b]: [&R3; 2]) -> f64 {
        (a - b).norm_squared()
    }

    #[potential(over = left.widows(2))]
    fn misspelt([a, b]: [&R3; 2]) -> f64 {
        (a - b).norm_squared()
    }

    #[potential(over = three[3])]
    fn beyond(a: &R3) -> f64 {
        a.norm_squared()
    }

    #[potential(over = three.windows(4))]
    fn wide([a, b, c, d]: [&R3; 4]) -> f64 {
        a.norm_squared()
    }

    #[potential(over = 2)]
    fn number(a: &R3) -> f64 {
        a.norm_squared()
    }

    #[potential(over = (left.last(), right.first()))]
    fn one_is_missing(a: &R3) -> f64 {
        a.norm_squared()
    }
}

fn main() {}
