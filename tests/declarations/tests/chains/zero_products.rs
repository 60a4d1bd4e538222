//! Derivatives with respect to entries that are zero.

use lie_runtime::prelude::*;
use lie_runtime::solve::solve_dense;

/// Free bodies.
#[mechanical_system]
pub mod bodies {
    use lie_runtime::prelude::*;

    /// Attitudes.
    #[configuration]
    pub struct Bodies {
        /// Body to space.
        pub attitudes: Vec<SO3>,
    }

    /// Data.
    #[parameters]
    #[derive(Clone)]
    pub struct Data {
        /// Moments of inertia, in kg m².
        pub inertia: Matrix3<f64>,
    }

    #[kinetic_energy(over = attitudes)]
    fn kinetic(p: &Data, v: &Vector3<f64>) -> f64 {
        0.5 * v.dot(&(p.inertia * v))
    }
}

/// The mass matrix is diagonal, and its derivative is not.
#[test]
fn products_of_inertia_that_are_zero_have_derivatives() {
    let system = |product: f64| {
        let inertia = Matrix3::new(1.0, product, 0.0, product, 2.0, 0.0, 0.0, 0.0, 3.0);
        bodies::System::new(bodies::Data { inertia }, bodies::Lengths { attitudes: 2 }).unwrap()
    };
    let start = || bodies::Bodies { attitudes: vec![SO3::identity(); 2] };
    let velocity = [0.4, 1.0, -0.3, 0.2, 0.1, 0.9];
    let of = |system: &bodies::System| {
        let mut v = system.zero_velocity();
        v.copy_from_slice(&velocity);
        v
    };
    let end = |product: f64| {
        let system = system(product);
        let run = Simulation::of(&system).initial(start(), of(&system)).step(1e-2).end_time(1.0).run().unwrap();
        run.last().velocity.clone()
    };
    let system = system(0.0);
    let run = Simulation::of(&system).initial(start(), of(&system)).step(1e-2).end_time(1.0);
    let run = run.with_sensitivities(["inertia[0][1]", "inertia[1][0]"]).run().unwrap();
    let variations = run.variations.last().unwrap();
    let exact = &variations[0].velocity + &variations[1].velocity;
    let size = 1e-4;
    let difference = (end(size) - end(-size)) / (2.0 * size);
    assert!(exact.norm() > 0.1 && (&exact - &difference).norm() < 1e-6, "{exact} and {difference}");
}

/// An entry below the diagonal that is zero takes part in the elimination with its derivative.
#[test]
fn elimination_keeps_derivatives_of_zeros() {
    let number = |re: f64, eps: f64| lie_runtime::scalar::Dual { re, eps };
    let mut matrix = [number(2.0, 0.0), number(1.0, 0.0), number(0.0, 1.0), number(3.0, 0.0)];
    let mut vector = [number(4.0, 0.0), number(6.0, 0.0)];
    solve_dense(&mut matrix, &mut vector).unwrap();
    // x = (1, 2), and x' = −A⁻¹ A' x with A' x = (0, 1).
    assert_eq!((vector[0].re, vector[1].re), (1.0, 2.0));
    assert!((vector[0].eps - 1.0 / 6.0).abs() < 1e-15 && (vector[1].eps + 1.0 / 3.0).abs() < 1e-15);
}
