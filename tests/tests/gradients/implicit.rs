//! Reverse-mode gradients of implicit steps, compared with dual numbers along the whole run.

use fixtures::systems::driven::{driven_pendulum_example, rolling_disc_example};
use lie_runtime::group::{S3xR3, SO3xR3};
use lie_runtime::integrator::collocation::Level;
use lie_runtime::integrator::generalized_alpha::{GeneralizedAlphaOptions, NewtonUpdate, Parameters, StartingValues};
use lie_runtime::prelude::*;

use crate::case::Case;
use crate::tops::top;

/// λ⁺, where it is not kept, is found from the residuals that the iteration has left.
pub fn rattlie() -> Rattlie {
    Rattlie::with_options(lie_runtime::integrator::rattlie::RattlieOptions::default().tolerance(1e-15)).unwrap()
}

#[test]
fn of_the_heavy_top_in_every_formulation() {
    macro_rules! each {
        ($($name:ident: $group:ident)*) => {$({
            let (system, q, v) = top!($name, $group);
            let case = Case::new(&system, q, v, 0.01, 0.15);
            case.check(GeneralizedAlpha::lie_alpha());
            case.check(GeneralizedAlpha::lie_alpha_stab2());
            case.check(GeneralizedAlpha::ul_crv());
            case.check(TrBdf2::new());
            case.check(rattlie());
        })*};
    }
    each! { so3xr3: SO3xR3 s3xr3: S3xR3 se3: SE3 s3r3: S3R3 dq: DQ }
}

/// Every tableau that systems with constraints have, on the level of velocities and of positions.
#[test]
fn of_collocation_with_constraints() {
    let (system, q, v) = top!(so3xr3, SO3xR3);
    let case = Case::new(&system, q, v, 0.01, 0.08);
    for method in Collocation::all().filter(|method| method.method().level != Level::Unconstrained) {
        case.check(method);
    }
    let (system, q, v) = top!(se3, SE3);
    Case::new(&system, q, v, 0.01, 0.06).check(Collocation::radau_iia5());
    let (system, q, v) = driven_pendulum_example();
    let case = Case::new(&system, q, v, 0.02, 0.1);
    case.check(Collocation::radau_iia3());
    case.check(Collocation::radau_iia3_index3());
    let (system, q, v) = rolling_disc_example();
    let case = Case::new(&system, q, v, 0.02, 0.1);
    case.check(Collocation::radau_iia5());
    case.check(Collocation::radau_iia3_index3());
}

/// Multistep methods with fewer previous steps than they need, and with more.
#[test]
fn of_backward_differentiation() {
    let (system, q, v) = top!(so3xr3, SO3xR3);
    let case = Case::new(&system, q, v, 0.01, 0.1);
    for method in BLieDF::all() {
        case.check(method);
    }
    let (system, q, v) = top!(se3, SE3);
    Case::new(&system, q, v, 0.01, 0.08).check(BLieDF::bliedf3());
    let (system, q, v) = driven_pendulum_example();
    let case = Case::new(&system, q, v, 0.02, 0.2);
    case.check(BLieDF::bliedf2());
    case.check(BLieDF::bliedf4_stab2());
    let (system, q, v) = rolling_disc_example();
    Case::new(&system, q, v, 0.02, 0.2).check(BLieDF::bliedf3_stab2());
}

/// A method with a third stage, whose projection onto the constraints exceeds round-off.
#[test]
fn of_third_stages() {
    macro_rules! each {
        ($($name:ident: $group:ident)*) => {$({
            let (system, q, v) = top!($name, $group);
            let case = Case::new(&system, q, v, 0.01, 0.1);
            case.check(TrBdf2::third_order());
            case.check(TrBdf2::configuration());
        })*};
    }
    each! { so3xr3: SO3xR3 s3r3: S3R3 }
    let (system, q, v) = driven_pendulum_example();
    let case = Case::new(&system, q, v, 0.02, 0.2);
    case.check(TrBdf2::third_order());
    case.check(TrBdf2::configuration());
    let (system, q, v) = rolling_disc_example();
    Case::new(&system, q, v, 0.02, 0.2).check(TrBdf2::third_order());
}

/// Every start, other parameters (Newmark's leave a = v'), other coordinates.
#[test]
fn of_every_variant_of_generalized_alpha() {
    let (system, q, v) = top!(so3xr3, SO3xR3);
    let case = Case::new(&system, q, v, 0.01, 0.1);
    case.check(GeneralizedAlpha::simo_vu_quoc());
    case.check(GeneralizedAlpha::chung_hulbert(0.2).unwrap());
    case.check(GeneralizedAlpha::stabilised(Parameters::hht(0.3).unwrap()));
    case.check(GeneralizedAlpha::ul_rotation_vector());
    case.check(GeneralizedAlpha::ul_cayley());
    for start in [StartingValues::FirstOrder, StartingValues::SecondOrder] {
        let options = GeneralizedAlphaOptions::default().start(start);
        case.check(GeneralizedAlpha::new(Parameters::default(), options).unwrap());
    }
}

/// A step that has failed as a whole is gone back part by part.
#[test]
fn of_steps_in_parts() {
    let (system, q, v) = top!(so3xr3, SO3xR3);
    let case = Case::new(&system, q, v, 0.1, 0.6);
    // Fewer iterations than some steps need, and not all.
    let method = (5..12).find_map(|maximum_iterations| {
        let newton = NewtonUpdate::Simplified;
        let options =
            GeneralizedAlphaOptions::default().maximum_iterations(maximum_iterations).tolerance(1e-12).newton(newton);
        let method = GeneralizedAlpha::new(Parameters::default(), options).unwrap();
        let run = Simulation::of(&system).initial(q, v).method(method).step(0.1).end_time(0.6).run().ok()?;
        let parts = run.states[1..].iter().filter(|state| state.memory.step() < 0.09).count();
        (1..6).contains(&parts).then_some(method)
    });
    case.check(method.expect("some steps in parts, others as a whole"));
}

/// A constraint that depends on time, and a velocity constraint.
#[test]
fn of_driven_and_rolling_bodies() {
    let (system, q, v) = driven_pendulum_example();
    let case = Case::new(&system, q, v, 0.02, 0.3);
    case.check(GeneralizedAlpha::lie_alpha());
    case.check(GeneralizedAlpha::lie_alpha_stab2());
    case.check(GeneralizedAlpha::ul_crv());
    case.check(TrBdf2::new());
    case.check(rattlie());
    let (system, q, v) = rolling_disc_example();
    let case = Case::new(&system, q, v, 0.02, 0.3);
    case.check(GeneralizedAlpha::lie_alpha());
    case.check(GeneralizedAlpha::lie_alpha_stab2());
    case.check(GeneralizedAlpha::ul_crv());
    case.check(TrBdf2::new());
    case.check(rattlie());
}

/// The sizes of the steps are taken as they were; velocities change with them.
#[test]
fn of_controlled_steps() {
    let (system, q, v) = top!(so3xr3, SO3xR3);
    let case = Case::new(&system, q, v, 0.004, 0.3).controlled(1e-4);
    case.check(GeneralizedAlpha::lie_alpha());
    case.check(GeneralizedAlpha::lie_alpha_stab2());
    case.check(TrBdf2::new());
    case.check(HalfExplicit::hedop5());
}
