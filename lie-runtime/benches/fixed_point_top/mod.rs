//! The heavy top about its fixed point on SO(3) in two formulations: as declared, in (R, Ω), and as a Hamiltonian system in (Q, π).
#![allow(dead_code)] // No benchmark uses all of it, and the tests use more.

use std::hint::black_box;

use lie_runtime::field::{FirstOrder, HamiltonianProblem, MechanicalField};
use lie_runtime::integrator::{FieldState, Integrator};
use lie_runtime::prelude::*;
use lie_runtime::space::Cotangent;

use hand_written::top_hamiltonian::TopHamiltonian;

/// The heavy top about its fixed point.
#[mechanical_system]
pub mod top {
    use lie_runtime::prelude::*;

    /// Body to space.
    #[configuration]
    pub struct Attitude {
        /// The rotation.
        pub attitude: SO3,
    }

    /// Data of the top.
    #[parameters]
    pub struct Top {
        /// Principal moments about the fixed point.
        pub moments: Vector3<f64>,
        /// M l Γ₀.
        pub weight: Vector3<f64>,
        /// The direction of the centre of mass in the body.
        pub axis: Vector3<f64>,
    }

    #[kinetic_energy]
    fn kinetic(top: &Top, v: &Velocity) -> f64 {
        0.5 * v.attitude.dot(&top.moments.component_mul(&v.attitude))
    }

    #[potential]
    fn weight(top: &Top, q: &Attitude) -> f64 {
        top.weight.dot(&(q.attitude * top.axis))
    }
}

/// The angular velocity of the paper at t = 0.
pub const OMEGA: Vector3<f64> = Vector3::new(0.0, 150.0, -4.615_38);

/// Repeats steps of 1e-3 s of the declared system over the first second.
pub fn declared<I: Integrator<MechanicalField<top::System>> + 'static>(method: I) -> Box<dyn FnMut(u64)> {
    steps::<MechanicalField<top::System>, _>(declaration(), start(), method)
}

/// Returns Ω after this number of steps of 1e-3 s of the declared system, and Ω' at the start.
pub fn after<I: Integrator<MechanicalField<top::System>>>(method: &I, steps: u64) -> [Vector3<f64>; 2] {
    let system = declaration();
    let mut from = FieldState::<MechanicalField<top::System>>::at(&system, 0.0, start());
    let mut workspace = method.workspace(&system, &from);
    method.start(&system, &mut from, &mut workspace).expect("the field is defined");
    let acceleration = from.direction.1;
    let mut to = from.clone();
    for _ in 0..steps {
        method.step(&system, &from, 1e-3, &mut to, &mut workspace).expect("no step fails");
        core::mem::swap(&mut from, &mut to);
    }
    [from.point.1, acceleration]
}

fn declaration() -> top::System {
    let TopHamiltonian { moments, weight, axis } = TopHamiltonian::of_the_paper();
    top::System::new(top::Top { moments, weight, axis }).expect("positive moments")
}

fn start() -> (top::Attitude, Vector3<f64>) {
    (top::Attitude { attitude: SO3::identity() }, OMEGA)
}

/// Repeats steps of the Hamiltonian system.
pub fn canonical<I: Integrator<HamiltonianProblem<TopHamiltonian>> + 'static>(method: I) -> Box<dyn FnMut(u64)> {
    let system = TopHamiltonian::of_the_paper();
    let momentum = OMEGA.component_mul(&system.moments);
    steps::<HamiltonianProblem<TopHamiltonian>, _>(
        system,
        Cotangent { configuration: SO3::identity(), momentum },
        method,
    )
}

fn steps<F, I>(system: F::System, start: F::Point, method: I) -> Box<dyn FnMut(u64)>
where
    F: FirstOrder + 'static,
    F::System: Sized,
    I: Integrator<F> + 'static,
{
    let mut first = FieldState::<F>::at(&system, 0.0, start);
    let mut workspace = method.workspace(&system, &first);
    method.start(&system, &mut first, &mut workspace).expect("the field is defined");
    let mut states = [first.clone(), first.clone()];
    Box::new(move |times| {
        // References alternate, so that the measurement does not contain an exchange of states.
        let [from, to] = &mut states;
        let (mut from, mut to) = (from, to);
        for _ in 0..times {
            if from.time > 0.9995 {
                from.clone_from(&first);
            }
            method.step(&system, from, black_box(1e-3), to, &mut workspace).expect("no step fails");
            core::mem::swap(&mut from, &mut to);
        }
        black_box(&*from);
    })
}
