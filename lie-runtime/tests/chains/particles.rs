//! Chains of point masses: modes in closed form, rigid links, wrong lengths, no allocation.

use std::f64::consts::PI;

use hand_written::particles::Particles;
use lie_runtime::group::TangentVector;
use lie_runtime::integrator::generalized_alpha::{GeneralizedAlphaOptions, NewtonUpdate, Parameters};
use lie_runtime::integrator::{GeneralizedAlpha, HalfExplicit, Integrator, LocalError, StepFailure};
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;
use lie_runtime::simulate::{ConsistentValues, Failure, SetupError};
use lie_runtime::system::{Linearised, ModelError};

type Springs = Particles<f64, false, false>;
type Rod = Particles<f64, false, true>;
type Links = Particles<f64, true, false>;
type HeavyLinks = Particles<f64, true, true>;

fn index3() -> GeneralizedAlpha {
    GeneralizedAlpha::index3(Parameters::chung_hulbert(0.9).unwrap())
}

fn stabilised() -> GeneralizedAlpha {
    GeneralizedAlpha::stabilised(Parameters::chung_hulbert(0.9).unwrap())
}

/// The deviation at t = 3 of mode `j` between two clamps from its closed form.
fn deviation_of_mode<M>(system: &M, edges: usize, omega: f64, integrator: impl Integrator<M>, step: f64) -> f64
where
    M: MechanicalSystem<Scalar = f64, Configuration = Vec<Vector3<f64>>, Velocity = DVector<f64>>,
{
    let shape = |i: usize| (2.0 * PI * i as f64 / edges as f64).sin();
    let q: Vec<_> = (0..=edges).map(|i| Vector3::new(i as f64, shape(i), 0.0)).collect();
    let run = Simulation::of(system).initial(q, system.zero_velocity()).method(integrator).step(step);
    let trajectory = run.end_time(3.0).run().unwrap();
    let last = trajectory.last();
    let deviation =
        |i: usize| (last.configuration[i] - Vector3::new(i as f64, shape(i) * (3.0 * omega).cos(), 0.0)).norm();
    (0..=edges).map(deviation).fold(0.0, f64::max)
}

#[test]
fn springs_swing_in_the_modes_of_the_chain() {
    for edges in [3, 8, 33] {
        let angle = 2.0 * PI / edges as f64;
        let lumped = Springs::new(edges + 1, [true, true], 1.0, 0.0).unwrap();
        let omega = 2.0 * (angle / 2.0).sin();
        assert!(deviation_of_mode(&lumped, edges, omega, HalfExplicit::hedop5(), 0.02) < 1e-9);
        // Linear elements with consistent mass: ω² = 6 (1 − cos) / (2 + cos).
        let consistent = Rod::new(edges + 1, [true, true], 1.0, 0.0).unwrap();
        let omega = (6.0 * (1.0 - angle.cos()) / (2.0 + angle.cos())).sqrt();
        assert!(deviation_of_mode(&consistent, edges, omega, HalfExplicit::hedop5(), 0.02) < 1e-9);
        let coarse = deviation_of_mode(&consistent, edges, omega, index3(), 0.01);
        let fine = deviation_of_mode(&consistent, edges, omega, index3(), 0.005);
        assert!(coarse < 1e-3 && (coarse / fine - 4.0).abs() < 0.2, "{edges}: {coarse} {fine}");
    }
}

/// Horizontal links that hang from a clamp, slightly bent.
fn initial(count: usize) -> Vec<Vector3<f64>> {
    let mut position = Vector3::zeros();
    let mut nodes = vec![position];
    for i in 1..count {
        let (turn, tilt) = (0.1 * i as f64, 0.05 * (i as f64).cos());
        position += Vector3::new(turn.cos() * tilt.cos(), turn.sin() * tilt.cos(), tilt.sin());
        nodes.push(position);
    }
    nodes
}

fn assert_methods_agree<M>(system: &M, count: usize)
where
    M: Linearised<Scalar = f64, Configuration = Vec<Vector3<f64>>, Velocity = DVector<f64>, Multipliers = DVector<f64>>,
{
    fn end<M, I>(system: &M, count: usize, integrator: I, step: f64) -> (Vec<Vector3<f64>>, DVector<f64>)
    where
        M: Linearised<Scalar = f64, Configuration = Vec<Vector3<f64>>>,
        I: Integrator<M>,
        M::Multipliers: Into<DVector<f64>>,
    {
        let run = Simulation::of(system).initial(initial(count), system.zero_velocity());
        let trajectory = run.method(integrator).step(step).end_time(0.5).run().unwrap();
        let last = trajectory.last();
        (last.configuration.clone(), last.multipliers.clone().into())
    }
    let distance = |a: &(Vec<Vector3<f64>>, DVector<f64>), b: &(Vec<Vector3<f64>>, DVector<f64>)| {
        let nodes = a.0.iter().zip(&b.0).map(|(a, b)| (a - b).norm()).fold(0.0, f64::max);
        (nodes, (&a.1 - &b.1).amax() / b.1.amax())
    };
    let reference = end(system, count, HalfExplicit::hedop5(), 1.0 / 256.0);
    let (nodes, multipliers) = distance(&end(system, count, HalfExplicit::hedop5(), 1.0 / 128.0), &reference);
    assert!(nodes < 1e-8 && multipliers < 1e-6, "hedop5: {nodes} {multipliers}");
    for method in [index3(), stabilised()] {
        let coarse = distance(&end(system, count, method, 1.0 / 64.0), &reference);
        let fine = distance(&end(system, count, method, 1.0 / 128.0), &reference);
        println!("{}: {coarse:?} {fine:?}", method.id());
        assert!(fine.0 < 1e-3 && (3.4..4.6).contains(&(coarse.0 / fine.0)), "{}: {coarse:?} {fine:?}", method.id());
        assert!(fine.1 < 1e-2 && (3.0..5.0).contains(&(coarse.1 / fine.1)), "{}: {coarse:?} {fine:?}", method.id());
    }
}

#[test]
fn rigid_links_move_alike_with_every_method() {
    assert_methods_agree(&Links::new(7, [true, false], 0.0, 9.81).unwrap(), 7);
    assert_methods_agree(&HeavyLinks::new(7, [true, false], 0.0, 9.81).unwrap(), 7);
}

#[test]
fn one_link_is_a_pendulum() {
    // Small swings of a mass of 1 on a link of 1: ω² = g.
    let system = Links::new(2, [true, false], 0.0, 9.81).unwrap();
    let angle = 1e-3_f64;
    let q = vec![Vector3::zeros(), Vector3::new(angle.sin(), 0.0, -angle.cos())];
    let run = Simulation::of(&system).initial(q, system.zero_velocity()).rtol(1e-10).atol(1e-12);
    let trajectory = run.end_time(1.0).run().unwrap();
    let last = trajectory.last();
    assert!((last.configuration[1][0] - angle * 9.81_f64.sqrt().cos()).abs() < 1e-9);
    // −Bᵀ λ = −d λ carries the weight, d = (0, 0, −1) but for terms of the order of the angle squared.
    assert!((last.multipliers[0] - 9.81).abs() < 1e-4);
}

#[test]
fn lengths_that_do_not_fit_are_named() {
    let short = Links::new(1, [false, false], 0.0, 9.81).unwrap_err();
    assert_eq!(short, ModelError::ChainTooShort { member: "nodes", length: 1, needed: 2, functions: &["link"] });
    assert!(short.to_string().starts_with("chain `nodes` has 1 member, and `link` requires 2 members; use at least 2"));
    let none = Links::new(0, [false, false], 0.0, 9.81).unwrap_err();
    assert!(none.to_string().starts_with("chain `nodes` has 0 members, and `link` requires 2 members; use at least 2"));

    let system = Links::new(5, [true, false], 0.0, 9.81).unwrap();
    let foreign = ModelError::ChainLength { member: "nodes", expected: 5, given: 4 };
    let run = Simulation::of(&system).initial(initial(4), system.zero_velocity()).step(0.1).end_time(1.0).run();
    assert_eq!(run.unwrap_err().failure, Failure::Setup(SetupError::ForeignState(foreign.clone())));
    let run = Simulation::of(&system).initial(initial(5), DVector::zeros(15)).step(0.1).end_time(1.0).run();
    let wrong = ModelError::VectorLength { vector: "velocity", expected: 12, given: 15 };
    assert_eq!(run.unwrap_err().failure, Failure::Setup(SetupError::ForeignState(wrong)));
    let mut state = lie_runtime::integrator::State::at_rest(&system, 0.0, initial(4));
    let method = HalfExplicit::hedop5();
    let mut workspace = Integrator::<Links>::workspace(&method, &system, &state);
    let error = method.start(&system, &mut state, &mut workspace).unwrap_err();
    assert_eq!(error.failure, StepFailure::ForeignState(foreign.clone()));
    let method = index3();
    let mut workspace = Integrator::<Links>::workspace(&method, &system, &state);
    let error = method.start(&system, &mut state, &mut workspace).unwrap_err();
    assert_eq!(error.failure, StepFailure::ForeignState(foreign));
    assert!(ConsistentValues::of(&system).state(&system, 0.0, initial(6), system.zero_velocity()).is_err());
}

fn assert_no_allocation<M, I>(system: &M, integrator: &I)
where
    M: MechanicalSystem<Configuration = Vec<Vector3<f64>>>,
    I: Integrator<M>,
{
    let (mut from, _) = ConsistentValues::of(system).state(system, 0.0, initial(9), system.zero_velocity()).unwrap();
    let (mut to, mut error) = (from.clone(), LocalError::of(system));
    let mut workspace = integrator.workspace(system, &from);
    integrator.start(system, &mut from, &mut workspace).unwrap();
    let mut steps = |count: usize| {
        for _ in 0..count {
            integrator.step(system, &from, 1e-3, &mut to, &mut workspace).unwrap();
            if integrator.estimate_order().is_some() {
                integrator.step_with_estimate(system, &from, 1e-3, &mut to, &mut error, &mut workspace).unwrap();
            }
            core::mem::swap(&mut from, &mut to);
        }
    };
    // Two states take turns: after two steps each has room for what the method remembers.
    steps(2);
    let allocations = allocation_counter::measure(|| steps(10));
    assert_eq!(allocations.count_total, 0, "{}", integrator.id());
    assert!(from.velocity.all_finite());
}

#[test]
fn steps_allocate_nothing() {
    let modified = GeneralizedAlphaOptions::default().newton(NewtonUpdate::Modified);
    let parameters = Parameters::chung_hulbert(0.9).unwrap();
    let links = Links::new(9, [true, false], 0.0, 9.81).unwrap();
    let heavy = HeavyLinks::new(9, [true, false], 0.0, 9.81).unwrap();
    for method in HalfExplicit::all() {
        assert_no_allocation(&links, &method);
        assert_no_allocation(&heavy, &method);
    }
    for method in [index3(), stabilised(), GeneralizedAlpha::new(parameters, modified).unwrap()] {
        assert_no_allocation(&links, &method);
        assert_no_allocation(&heavy, &method);
    }
    assert_no_allocation(&Springs::new(9, [true, true], 1.0, 1.0).unwrap(), &HalfExplicit::hedop5());
    assert_no_allocation(&Rod::new(9, [false, false], 1.0, 1.0).unwrap(), &index3());
}
