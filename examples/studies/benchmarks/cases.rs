//! The problems in their formulations.

use std::error::Error;

use benchmark_problems::{bicycle, bricard, governor, n_four_bar, pendulum, squeezer};
use lie_runtime::nalgebra::SVector;
use lie_runtime::prelude::*;
use lie_runtime::system::MechanicalSystem;

use super::measure::{Case, Task, deviation};

/// The largest error of the states whose time is in a table.
fn at<M: MechanicalSystem<Scalar = f64>, const N: usize>(
    states: &[State<M>],
    table: &[(f64, [f64; N])],
    found: impl Fn(&State<M>) -> [f64; N],
) -> f64 {
    let errors = table.iter().map(|&(time, reference)| {
        let state = states.iter().find(|state| (state.time - time).abs() < 1e-9);
        state.map_or(f64::INFINITY, |state| deviation(found(state), reference))
    });
    errors.fold(0.0, f64::max)
}

/// The largest error of all states.
fn along<M: MechanicalSystem<Scalar = f64>>(states: &[State<M>], error: impl Fn(&State<M>) -> f64) -> f64 {
    states.iter().map(error).fold(0.0, f64::max)
}

/// The change of the energy in hundredths of it.
fn energy_drift<M: MechanicalSystem<Scalar = f64>>(system: &M, states: &[State<M>]) -> f64 {
    let energy = |state: &State<M>| {
        system.kinetic_energy(state.time, &state.configuration, &state.velocity)
            + system.potential_energy(state.time, &state.configuration)
    };
    let energies = || states.iter().map(energy);
    let span = energies().fold(f64::NEG_INFINITY, f64::max) - energies().fold(f64::INFINITY, f64::min);
    let drift = 100.0 * span / energies().next().unwrap_or(f64::NAN).abs();
    if drift.is_finite() { drift } else { f64::INFINITY }
}

/// A01: once with its 10 s, once with 2000 s, some 845 periods.
fn pendulums(cases: &mut Vec<Case>) -> Result<(), Box<dyn Error>> {
    let ten = Task { problem: "A01, 10 s", end: 10.0, output: 0.02, published: Some(0.037) };
    let many = Task { problem: "A01, 2000 s", end: 2000.0, output: 0.5, published: None };
    for task in [ten, many] {
        let point = || -> Result<_, Box<dyn Error>> {
            let start = pendulum::point::Mass { position: Vector2::new(-1.0, 0.0) };
            Ok((pendulum::point::System::new()?, (start, Vector2::zeros())))
        };
        let of_point = |_: &_, states: &[State<pendulum::point::System>]| {
            along(states, |state| deviation(state.configuration.position.into(), pendulum::position(state.time)))
        };
        let (system, start) = point()?;
        cases.push(Case::new(task, "R2 and its rod", system, start, HalfExplicit::hedop5(), of_point));
        let (system, start) = point()?;
        cases.push(Case::new(task, "R2 and its rod", system, start, Rattlie::new(), of_point));
        let start = pendulum::hinge::Hinge { turn: SO2::from_angle(-core::f64::consts::FRAC_PI_2) };
        let (system, start) = (pendulum::hinge::System::new()?, (start, Vector1::zeros()));
        cases.push(Case::new(task, "SO2", system, start, HalfExplicit::hedop5(), |_, states| {
            along(states, |state| {
                deviation(pendulum::hinge::mass(&state.configuration).into(), pendulum::position(state.time))
            })
        }));
    }
    Ok(())
}

/// x, y, x', y' of B₀ on the branch of the parallelogram.
fn parallelogram(n: usize, t: f64) -> [f64; 4] {
    let [theta, rate] = pendulum::upright(n, t);
    [theta.cos(), theta.sin(), -rate * theta.sin(), rate * theta.cos()]
}

/// A02: the tops of the uprights, or the rods themselves.
fn four_bars(cases: &mut Vec<Case>) -> Result<(), Box<dyn Error>> {
    let two = Task { problem: "A02, N = 2", end: 10.0, output: 0.025, published: Some(0.455) };
    let forty = Task { problem: "A02, N = 40", end: 20.0, output: 0.05, published: None };
    for (n, task) in [(2, two), (40, forty)] {
        let tops = || -> Result<_, Box<dyn Error>> {
            let (q, v) = n_four_bar::upright_tops(n);
            Ok((n_four_bar::tops::System::new(n_four_bar::tops::Lengths { tops: n + 1 })?, (q, v.into())))
        };
        let of_tops = move |_: &_, states: &[State<n_four_bar::tops::System>]| {
            along(states, |state| {
                let (x, v) = (state.configuration.tops[0], &state.velocity);
                deviation([x.x, x.y, v[0], v[1]], parallelogram(n, state.time))
            })
        };
        let (system, start) = tops()?;
        cases.push(Case::new(task, "tops in R2", system, start, HalfExplicit::hedop5(), of_tops));
        let (system, start) = tops()?;
        cases.push(Case::new(task, "tops in R2", system, start, Rattlie::new(), of_tops));
        let (q, v) = n_four_bar::upright_rods(n);
        let system = n_four_bar::rods::System::new(n_four_bar::lengths_of_rods(n))?;
        cases.push(Case::new(task, "rods in SE2", system, (q, v.into()), HalfExplicit::hedop5(), move |_, states| {
            along(states, |state| {
                let (rod, v) = (state.configuration.uprights[0], &state.velocity);
                let (x, rate) = (rod * Vector2::new(0.5, 0.0), rod.rotation * Vector2::new(v[1], v[2] + 0.5 * v[0]));
                deviation([x.x, x.y, rate.x, rate.y], parallelogram(n, state.time))
            })
        }));
    }
    Ok(())
}

/// A04: five bodies in six hinges, or five angles in one loop.
fn bricards(cases: &mut Vec<Case>) -> Result<(), Box<dyn Error>> {
    let task = Task { problem: "A04", end: 10.0, output: 0.05, published: Some(0.258) };
    let of_bodies = |_: &_, states: &[State<bricard::bricard::System>]| {
        at(states, &bricard::CORNER, |state| bricard::corner(&state.configuration).into())
    };
    let bodies = bricard::bricard::System::new;
    cases.push(Case::new(task, "bodies in SE3", bodies()?, bricard::cube(), HalfExplicit::hedop5(), of_bodies));
    cases.push(Case::new(task, "bodies in SE3", bodies()?, bricard::cube(), Rattlie::new(), of_bodies));
    let of_angles = |_: &_, states: &[State<bricard::jointed::System>]| {
        at(states, &bricard::CORNER, |state| bricard::corner_of_hinges(&state.configuration).into())
    };
    let angles = bricard::jointed::System::new;
    let start = || (bricard::jointed::Hinges { angles: [0.0; 5] }, SVector::<f64, 5>::zeros());
    // RATTLie asks for a mass matrix that is constant.
    cases.push(Case::new(task, "hinges", angles()?, start(), HalfExplicit::hedop5(), of_angles));
    Ok(())
}

/// A05: joints without a constraint, or four bodies.
fn governors(cases: &mut Vec<Case>) -> Result<(), Box<dyn Error>> {
    let task = Task { problem: "A05", end: 10.0, output: 0.1, published: Some(0.233) };
    let slider = governor::SLIDER.map(|(time, height)| (time, [height]));
    let of_joints = move |_: &_, states: &[State<governor::jointed::System>]| {
        at(states, &slider, |state| [state.configuration.slider])
    };
    let (joints, start) = (governor::jointed::System::new, governor::joints);
    cases.push(Case::new(task, "joints", joints()?, start(), HalfExplicit::hedop5(), of_joints));
    cases.push(Case::new(task, "joints", joints()?, start(), GeneralizedAlpha::chung_hulbert(0.8)?, of_joints));
    cases.push(Case::new(task, "joints", joints()?, start(), BLieDF::bliedf2(), of_joints));
    let of_bodies = move |_: &_, states: &[State<governor::bodies::System>]| {
        at(states, &slider, |state| [state.configuration.slider.translation.z])
    };
    let (q, v) = governor::bodies_at_start();
    let (bodies, start) = (governor::bodies::System::new, || (q, SVector::from(v)));
    cases.push(Case::new(task, "bodies in SE3", bodies()?, start(), GeneralizedAlpha::chung_hulbert(0.8)?, of_bodies));
    cases.push(Case::new(task, "bodies in SE3", bodies()?, start(), BLieDF::bliedf2(), of_bodies));
    Ok(())
}

/// The second manoeuvre of the uncontrolled bicycle, 4.6 m/s and a push of 0.5 rad/s: the measured quantity is the energy.
fn bicycles(cases: &mut Vec<Case>) -> Result<(), Box<dyn Error>> {
    let task = Task { problem: "bicycle", end: 20.0, output: 0.1, published: Some(0.596) };
    let (q, v) = bicycle::straight(4.6, 0.5);
    let start = || (q, SVector::from(v));
    cases.push(Case::new(task, "SO3", bicycle::so3::System::new()?, start(), HalfExplicit::hedop5(), energy_drift));
    let (q, v) = bicycle::straight_with_quaternions(4.6, 0.5);
    let (system, start) = (bicycle::s3::System::new()?, (q, SVector::from(v)));
    cases.push(Case::new(task, "S3", system, start, HalfExplicit::hedop5(), energy_drift));
    Ok(())
}

/// Andrews' mechanism: its angles, or the directions of the bodies computed from them.
fn squeezers(cases: &mut Vec<Case>) -> Result<(), Box<dyn Error>> {
    let task = Task { problem: "squeezer", end: 0.03, output: 0.001, published: None };
    let of_angles = |_: &_, states: &[State<squeezer::angles::System>]| {
        at(states, &[(0.03, squeezer::ANGLES)], |State { configuration: q, .. }| {
            [q.beta, q.theta, q.gamma, q.phi, q.delta, q.omega, q.epsilon]
        })
    };
    let (system, start) = (squeezer::angles::System::new, || (squeezer::start(), SVector::<f64, 7>::zeros()));
    cases.push(Case::new(task, "angles", system()?, start(), HalfExplicit::hedop5(), of_angles));
    cases.push(Case::new(task, "angles", system()?, start(), GeneralizedAlpha::chung_hulbert(0.8)?, of_angles));
    let [crank, _, lever, _, upper, _, lower] = squeezer::ANGLES;
    // The crank has turned more than twice.
    let directions = [(0.03, [crank.cos(), crank.sin(), lever, upper, lower])];
    let of_bodies = move |_: &_, states: &[State<squeezer::bodies::System>]| {
        at(states, &directions, |State { configuration: q, .. }| {
            let crank = q.crank.rotation.angle();
            [
                crank.cos(),
                crank.sin(),
                q.lever.rotation.angle(),
                q.upper_arm.rotation.angle(),
                q.lower_arm.rotation.angle(),
            ]
        })
    };
    let system = squeezer::bodies::System::new;
    let start = || (squeezer::placed(&squeezer::start()), SVector::<f64, 21>::zeros());
    cases.push(Case::new(task, "bodies in SE2", system()?, start(), HalfExplicit::hedop5(), of_bodies));
    cases.push(Case::new(task, "bodies in SE2", system()?, start(), Rattlie::new(), of_bodies));
    Ok(())
}

/// Returns all cases.
///
/// # Errors
/// The errors of systems that cannot be built.
pub fn cases() -> Result<Vec<Case>, Box<dyn Error>> {
    let mut cases = Vec::new();
    for add in [pendulums, four_bars, bricards, governors, bicycles, squeezers] {
        add(&mut cases)?;
    }
    Ok(cases)
}
