//! Methods, associated functions and constants in `impl` blocks of the declaration's types.

use lie_runtime::prelude::*;

use super::assert_as_declared;

#[mechanical_system(derivative_check)]
mod pendulum {
    use lie_runtime::prelude::*;

    #[derive(Clone, Debug)]
    pub struct Body {
        pub mass: f64,
        pub center: Vector3<f64>,
    }

    impl Body {
        pub const GRAVITY: f64 = 9.81;
        const UP: Vector3<f64> = Vector3::new(0.0, 0.0, Self::SCALE);
        const SCALE: f64 = 1.0;

        pub fn weight(&self) -> f64 {
            self.mass * Self::GRAVITY
        }

        fn height(&self, place: &Vector3<f64>) -> f64 {
            Body::along(place, 2.0) + Self::along(place, Self::SCALE)
        }

        fn along(place: &Vector3<f64>, factor: f64) -> f64 {
            factor * place.dot(&Self::UP)
        }
    }

    /// A type without scalars.
    #[derive(Clone, Debug)]
    pub struct Switches {
        pub is_damped: bool,
    }

    impl Switches {
        fn factor(&self) -> f64 {
            if self.is_damped { 0.5 } else { 2.5 }
        }
    }

    #[parameters]
    pub struct Pendulum {
        pub upper: Body,
        pub lower: Body,
        pub switches: Switches,
    }

    impl Pendulum {
        fn weight(&self) -> f64 {
            Body::weight(&self.upper) + self.lower.weight()
        }

        fn bodies(&self) -> [&Body; 2] {
            [&self.upper, &self.lower]
        }
    }

    #[configuration]
    pub struct Pose {
        pub attitude: SO3,
        pub position: R3,
    }

    impl Pose {
        fn place(&self, point: &Vector3<f64>) -> Vector3<f64> {
            self.attitude * point + self.position
        }
    }

    fn weight(p: &Pendulum) -> f64 {
        p.weight()
    }

    #[kinetic_energy]
    fn kinetic(p: &Pendulum, v: &Velocity) -> f64 {
        0.5 * weight(p) * (v.attitude.norm_squared() + v.position.norm_squared())
    }

    #[potential]
    pub fn potential(p: &Pendulum, q: &Pose) -> f64 {
        let mut sum = p.weight() * q.place(&p.upper.center).z + p.switches.factor() * q.position.x.sin();
        for body in p.bodies() {
            sum +=
                body.weight() * Body::height(body, &q.place(&body.center)) + q.position.norm_squared() * Body::GRAVITY;
        }
        sum
    }
}

#[test]
fn methods_and_associated_items() {
    use pendulum::{Body, Pendulum, Pose, Switches, System, potential};
    let body = |mass: f64| Body { mass, center: Vector3::new(0.1, 0.2, mass) };
    let data = || Pendulum { upper: body(0.3), lower: body(1.7), switches: Switches { is_damped: false } };
    assert_as_declared(
        &System::new(data()).unwrap(),
        |random| Pose { attitude: SO3::exp(&random.rotation_vector()), position: random.vector() },
        |_, q| potential(&data(), q),
    );
}
