//! Frames that are wrong: terms over them are no errors of their own, and the signature that is shown has the names that are given.

use lie_runtime::prelude::*;

/// A recursion without the frame before.
#[mechanical_system]
mod alone {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Arm {
        pub hinges: Vec<SO2>,
    }

    #[kinematics(over = hinges)]
    fn body(hinge: &SO2) -> SE2 {
        SE2::new(*hinge, Vector2::new(1.0, 0.0))
    }

    #[kinetic_energy(over = body)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[constraint(over = (body[0], body.last()))]
    fn closed(a: &SE2, b: &SE2) -> Vector2<f64> {
        a.position() - b.position()
    }

    #[potential(over = (body, body).by(springs))]
    fn spring(a: &SE2, b: &SE2) -> f64 {
        (a.position() - b.position()).norm_squared()
    }
}

/// The joint before the frame.
#[mechanical_system]
mod exchanged {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Arm {
        pub hinges: Vec<SO2>,
    }

    #[kinematics(over = hinges)]
    fn body(hinge: &SO2, before: &SE2) -> SE2 {
        *before * SE2::new(*hinge, Vector2::new(1.0, 0.0))
    }

    #[kinetic_energy(over = body)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared()
    }
}

fn main() {}
