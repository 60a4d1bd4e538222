//! Names that the macro imports into the module of a declaration.

use fixtures::random::Random;

use super::assert_as_declared;

#[lie_runtime::mechanical_system(derivative_check)]
mod without_imports {
    #[configuration]
    pub struct Pose {
        pub attitude: S3,
        pub position: R3,
        pub axis: S2,
    }

    #[parameters]
    pub struct Body {
        pub inertia: Matrix3<f64>,
        pub weights: SVector<f64, 7>,
    }

    #[kinetic_energy]
    fn kinetic(body: &Body, v: &Velocity) -> f64 {
        let rotation = 0.5 * v.attitude.dot(&(body.inertia * v.attitude));
        rotation + 0.5 * v.position.norm_squared() + 0.5 * v.axis.norm_squared()
    }

    /// A function of any scalar.
    #[opaque]
    fn cubed<S: Scalar>(x: S) -> S {
        x * x * x
    }

    #[potential]
    pub fn height(body: &Body, q: &Pose) -> f64 {
        let lever: Vector3<f64> = q.attitude * vector![0.1, 0.2, 0.3];
        let stretch: Matrix2x3<f64> = matrix![1.0, 0.0, 0.5; 0.0, 1.0, -0.5];
        cubed((lever + q.position).z) + (stretch * q.position).norm_squared() + body.weights[6] * q.axis.direction().z
    }
}

#[test]
fn a_declaration_needs_no_import() {
    use without_imports::{Body, Pose, System, height};
    let body = || Body {
        inertia: lie_runtime::nalgebra::Matrix3::from_diagonal_element(2.0),
        weights: lie_runtime::nalgebra::SVector::from_fn(|row, _| row as f64),
    };
    assert_as_declared(
        &System::new(body()).unwrap(),
        |random: &mut Random| Pose {
            attitude: lie_runtime::group::S3::exp(&random.rotation_vector()),
            position: random.vector(),
            axis: lie_runtime::space::S2::new(random.vector()).unwrap(),
        },
        |_, q| height(&body(), q),
    );
}

#[lie_runtime::mechanical_system(derivative_check)]
mod shadowing {
    // Imports and items with names that the macro imports as well.
    use core::f64::consts::PI as S2;

    /// Not the vector of nalgebra.
    pub struct Vector4;

    /// Not the trait.
    pub type Scalar = f64;

    const SE3: Scalar = 0.25;

    fn force(_: Vector4) -> f64 {
        2.0
    }

    #[configuration]
    pub struct Slider {
        pub x: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        SE3 * v.x * v.x
    }

    #[potential]
    pub fn spring(q: &Slider) -> f64 {
        S2 * q.x.powi(2)
    }

    pub fn own() -> f64 {
        force(Vector4)
    }
}

#[test]
fn names_of_the_user_take_precedence() {
    use shadowing::{Slider, System, own, spring};
    assert_eq!(own(), 2.0);
    assert_as_declared(&System::new().unwrap(), |random| Slider { x: random.number() }, |_, q| spring(q));
}
