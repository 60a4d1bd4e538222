use lie_runtime::prelude::*;

#[mechanical_system]
mod pendulum {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pendulum {
        pub links: Vec<S2>,
    }

    #[kinematics(over = links)]
    fn mass(above: &R3, link: &S2) -> R3 {
        above + link.direction()
    }

    #[kinetic_energy(over = mass)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[kinetic_energy(over = mass.windows(2))]
    fn shared([a, b]: [&Vector3<f64>; 2]) -> f64 {
        a.dot(b)
    }

    #[constraint(over = (mass.last(), links.first()))]
    fn held(x: &R3, link: &S2) -> f64 {
        x[0] - link.direction().x
    }

    #[observable(over = mass.windows(2))]
    fn apart([a, b]: [&R3; 2]) -> f64 {
        (a - b).norm()
    }

    #[potential(over = mass.windows(9))]
    fn bent(all: [&R3; 9]) -> f64 {
        (all[0] - all[8]).norm()
    }

    #[potential(over = masses)]
    fn weight(x: &R3) -> f64 {
        9.81 * x[2]
    }

    #[force(over = mass.last())]
    fn wind(t: f64) -> Vector2<f64> {
        Vector2::new(t, 0.0)
    }
}

fn main() {}
