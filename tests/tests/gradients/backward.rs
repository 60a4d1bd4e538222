//! Reverse-mode gradients of runs, compared with dual numbers along the whole run and with differences.

use fixtures::systems::driven::{driven_pendulum_example, knife_edge_example, rolling_disc_example, skate_example};
use fixtures::systems::heavy_tops::se3;
use lie_runtime::gradient::pullback_check;
use lie_runtime::group::{S3xR3, SO3xR3};
use lie_runtime::prelude::*;
use lie_runtime::system::TangentSystem;

use crate::case::Case;
use crate::tops::top;

#[test]
fn of_the_heavy_top_in_every_formulation() {
    macro_rules! each {
        ($($name:ident: $group:ident)*) => {$({
            let (system, q, v) = top!($name, $group);
            let case = Case::new(&system, q, v, 0.01, 0.2);
            case.check(HalfExplicit::hedop5());
            case.check(HalfExplicit::herk4());
            case.check(OnMechanical(MuntheKaas::rkmk4()));
        })*};
    }
    each! { so3xr3: SO3xR3 s3xr3: S3xR3 se3: SE3 s3r3: S3R3 dq: DQ }
}

/// Every tableau: with the last stage the first of the next step, and without.
#[test]
fn of_every_explicit_method() {
    let (system, q, v) = top!(so3xr3, SO3xR3);
    let case = Case::new(&system, q, v, 0.01, 0.1);
    for method in HalfExplicit::all() {
        case.check(method);
    }
    case.check(OnMechanical(MuntheKaas::rkmk54()));
    case.check(OnMechanical(MuntheKaas::rkmk3()));
}

/// A constraint that depends on time, and a velocity constraint.
#[test]
fn of_driven_and_rolling_bodies() {
    let (system, q, v) = driven_pendulum_example();
    let case = Case::new(&system, q, v, 0.02, 0.4);
    case.check(HalfExplicit::hedop5());
    case.check(HalfExplicit::herk3());
    case.check(OnMechanical(MuntheKaas::rkmk4()));
    let (system, q, v) = rolling_disc_example();
    let case = Case::new(&system, q, v, 0.02, 0.4);
    case.check(HalfExplicit::hedop5());
    case.check(OnMechanical(MuntheKaas::rkmk4()));
}

/// Each kernel separately, off the constraints, at accelerations and multipliers that are not a solution.
#[test]
fn of_each_kernel() {
    macro_rules! each {
        ($($system:expr, $q:expr;)*) => {$({
            let (system, q) = ($system, $q);
            let mut state = State::at_rest(&system, 0.7, q);
            for at in 0..system.dof() {
                state.velocity.set_component(at, 0.4 + (at as f64).cos());
                state.acceleration.set_component(at, 1.0 - (at as f64).sin());
            }
            for at in 0..system.constraint_rows() {
                state.multipliers.set_component(at, 0.8 - 0.3 * at as f64);
            }
            let mut turn = system.zero_velocity();
            for at in 0..system.dof() {
                turn.set_component(at, 0.3 + 0.2 * at as f64);
            }
            let start = state.configuration.clone();
            system.space().compose_exp(&start, &turn, &mut state.configuration);
            for kernel in pullback_check(&system, &state).unwrap() {
                assert!(kernel.deviation < 1e-13, "{}: {kernel:?}", system.description().name);
            }
        })*};
    }
    macro_rules! tops {
        ($($name:ident: $group:ident)*) => {$({
            let (system, q, _) = top!($name, $group);
            each! { system, q; }
        })*};
    }
    tops! { so3xr3: SO3xR3 s3xr3: S3xR3 se3: SE3 s3r3: S3R3 dq: DQ }
    each! {
        driven_pendulum_example().0, driven_pendulum_example().1;
        rolling_disc_example().0, rolling_disc_example().1;
        skate_example().0, skate_example().1;
        knife_edge_example().0, knife_edge_example().1;
    }
}

/// J(p + ε d) − J(p) − ε g · d is of second order.
#[test]
fn of_taylor() {
    let (system, q, v) = top!(se3, SE3);
    let case = Case::new(&system, q, v, 0.01, 0.2);
    let gradient = case.gradient(HalfExplicit::hedop5());
    let slope = gradient.by("mass").unwrap();
    let rests = [0.04, 0.02].map(|distance| {
        let mut data = system.parameters().clone();
        data.mass += distance;
        let other = se3::System::new(data).unwrap();
        let moved = Case {
            still: system
                .varied(&se3::HeavyTop {
                    mass: 0.0,
                    inertia: Matrix3::zeros(),
                    center_of_mass: Vector3::zeros(),
                    gravity: Vector3::zeros(),
                })
                .unwrap(),
            system: &other,
            q: case.q,
            v: case.v,
            step: case.step,
            end: case.end,
            tolerance: None,
            names: vec![],
        };
        moved.gradient(HalfExplicit::hedop5()).value - gradient.value - distance * slope
    });
    let order = (rests[0] / rests[1]).log2();
    assert!((order - 2.0).abs() < 0.1, "{rests:?}");
}
