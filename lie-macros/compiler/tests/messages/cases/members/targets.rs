use lie_runtime::prelude::*;

#[mechanical_system]
mod pair {
    use lie_runtime::prelude::*;

    pub struct Body {
        pub attitude: SO3,
        pub position: R3,
    }

    #[configuration]
    pub struct Pair {
        pub upper: Body,
        pub bodies: [Body; 2],
        pub free: SO3,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        v.bodies
            .iter()
            .map(|v| 0.5 * v.attitude.norm_squared() + 0.5 * v.position.norm_squared())
            .sum::<f64>()
            + 0.5 * v.upper.attitude.norm_squared()
            + 0.5 * v.upper.position.norm_squared()
            + 0.5 * v.free.norm_squared()
    }

    #[force(on = upper.atitude)]
    fn misspelt() -> Vector3<f64> {
        Vector3::zeros()
    }

    #[force(on = bodies.attitude)]
    fn all() -> Vector3<f64> {
        Vector3::zeros()
    }

    #[force(on = bodies[2])]
    fn third() -> Vector6<f64> {
        Vector6::zeros()
    }

    #[force(on = free.angle)]
    fn part() -> Vector3<f64> {
        Vector3::zeros()
    }

    #[force(on = upper.position)]
    fn large() -> Vector6<f64> {
        Vector6::zeros()
    }

    #[force(on = upper[0])]
    fn one() -> Vector6<f64> {
        Vector6::zeros()
    }

    #[potential]
    fn of_a_body(body: &Body) -> f64 {
        body.position.z
    }
}

fn main() {}
