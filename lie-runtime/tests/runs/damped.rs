//! Heavily damped motions: a fast motion that no step resolves leaves no displacement, no energy and no wrong gradient.

use lie_runtime::gradient::{Adjoint, Objective};
use lie_runtime::integrator::Integrator;
use lie_runtime::integrator::generalized_alpha::{GeneralizedAlphaOptions, METHODS, Parameters, StartingValues};
use lie_runtime::nalgebra::Vector5;
use lie_runtime::prelude::*;
use lie_runtime::scalar::{Dual, Scalar};

use crate::models::{spring, viscous};

/// A unit mass on a damper and a spring.
fn joint(damping: f64, stiffness: f64) -> spring::System {
    spring::System::new(spring::Data { mass: 1.0, stiffness, damping }).unwrap()
}

/// x(t) of x'' + c x' + k x = 0 with c² > 4 k.
fn exact([c, k]: [f64; 2], [x, v]: [f64; 2], t: f64) -> f64 {
    let fast = -0.5 * (c + (c * c - 4.0 * k).sqrt());
    let slow = k / fast;
    let part = (v - slow * x) / (fast - slow);
    (x - part) * (slow * t).exp() + part * (fast * t).exp()
}

fn alphas(spectral_radius: f64) -> impl Iterator<Item = GeneralizedAlpha> {
    let parameters = Parameters::chung_hulbert(spectral_radius).unwrap();
    METHODS.iter().map(move |method| GeneralizedAlpha::by_id(method.id, parameters).unwrap())
}

/// x at the end of a run at steps of h.
fn reached<I: Integrator<spring::System>>(
    system: &spring::System,
    method: I,
    [x, v]: [f64; 2],
    h: f64,
    end: f64,
) -> f64 {
    let start = spring::Position { x: Vector1::new(x) };
    let run = Simulation::of(system).initial(start, Vector1::new(v)).method(method).step(h).end_time(end).run();
    run.unwrap_or_else(|error| panic!("{error}")).last().configuration.x[0]
}

#[test]
fn a_fast_damped_motion_leaves_no_displacement() {
    for c in [1e3, 1e4, 1e6, 1e12] {
        for v in [1.0, 0.0, -3.0] {
            let (system, right) = (joint(c, 1.0), exact([c, 1.0], [1.0, v], 1.0));
            let assert = |id: &str, x: f64, within: f64| {
                assert!((x - right).abs() < within, "{id}, c = {c:e}, v = {v}: {x:.10} instead of {right:.10}");
            };
            for method in alphas(0.9) {
                assert(method.id(), reached(&system, method, [1.0, v], 0.01, 1.0), 1e-6 * (1.0 + v.abs()));
            }
            for method in BLieDF::all() {
                assert(method.id(), reached(&system, method, [1.0, v], 0.01, 1.0), 1e-7 * (1.0 + v.abs()));
            }
        }
    }
    // Where every fast motion is annihilated in one step: what is left is u (h c)⁻³ of the start.
    for method in alphas(0.0) {
        let x = reached(&joint(1e6, 1.0), method, [1.0, 1.0], 0.01, 1.0);
        assert!((x - 1.0).abs() < 1e-3, "{}: {x}", method.id());
    }
}

/// Error control rejects a large first step, and a large step after an event that excites the fast motion.
#[test]
fn a_fast_damped_motion_leaves_no_displacement_under_error_control() {
    for c in [1e2, 1e4, 1e6, 1e8] {
        let system = joint(c, 1.0);
        let start = |method: GeneralizedAlpha, v: f64, tolerance: f64| {
            let run = Simulation::of(&system).initial(spring::Position { x: Vector1::new(1.0) }, Vector1::new(v));
            run.method(method).rtol(tolerance).atol(tolerance).end_time(1.0)
        };
        for tolerance in [1e-3, 1e-5, 1e-7] {
            for method in alphas(0.9) {
                for v in [1.0, -3.0, 1e-3] {
                    for first in [None, Some(0.01), Some(0.3)] {
                        let run = start(method, v, tolerance);
                        let run = if let Some(h) = first { run.initial_step(h) } else { run };
                        let run = run.run().unwrap_or_else(|error| panic!("{}: {error}", method.id()));
                        let (x, right) = (run.last().configuration.x[0], exact([c, 1.0], [1.0, v], 1.0));
                        let error = (x - right).abs() / (tolerance * (1.0 + v.abs()));
                        assert!(error < 10.0, "{} {c:e} {tolerance:e} {v} {first:?}: {error}", method.id());
                    }
                }
                let run = start(method, 0.0, tolerance)
                    .event("kick", |_, state| state.time - 0.5)
                    .rising()
                    .apply(|at| at.state().velocity.x = 1.0);
                let run = run.run().unwrap_or_else(|error| panic!("{}: {error}", method.id()));
                let half = exact([c, 1.0], [1.0, 0.0], 0.5);
                let (x, right) = (run.last().configuration.x[0], exact([c, 1.0], [half, 1.0], 0.5));
                let error = (x - right).abs() / tolerance;
                assert!(error < 20.0, "{} {c:e} {tolerance:e} after a kick: {error}", method.id());
            }
        }
    }
}

/// At rates that no explicit start would survive the slow motion is followed with the order of the method.
#[test]
fn the_order_is_kept_beside_a_fast_damped_motion() {
    let (c, k) = (1e5, 1e5);
    let (system, slow) = (joint(c, k), -2.0 * k / (c + (c * c - 4.0 * k).sqrt()));
    let order = |method: &dyn Fn(f64) -> f64, v: f64| {
        let right = exact([c, k], [1.0, v], 1.0);
        let [coarse, fine] = [0.1, 0.05].map(|h| (method(h) - right).abs());
        ((coarse / fine).log2(), fine)
    };
    for method in alphas(0.9) {
        // The fast motion is excited, or not.
        for v in [1.0, slow] {
            let (found, error) = order(&|h| reached(&system, method, [1.0, v], h, 1.0), v);
            assert!((found - 2.0).abs() < 0.25 && error < 1e-3, "{} {v}: {found} {error:e}", method.id());
        }
    }
    for method in BLieDF::all() {
        let (found, error) = order(&|h| reached(&system, method, [1.0, slow], h, 1.0), slow);
        let k = method.steps() as f64;
        assert!((found - k).abs() < 0.3, "{}: {found} {error:e}", method.id());
    }
}

/// A rotor stops after u / c, and a bob sinks slowly on its circle; by rotations, constraints and local coordinates.
#[test]
fn rotations_and_constraints_are_damped_alike() {
    let (c, gravity) = (1e6, 1e5);
    let system = viscous::System::new(viscous::Liquid { damping: c, gravity }).unwrap();
    let spin = Vector3::new(3.0, -2.0, 5.0);
    let start = viscous::Bodies { rotor: SO3::identity(), bob: Vector2::new(1.0, 0.0) };
    let velocity = Vector5::new(spin.x, spin.y, spin.z, 0.0, -2.0);
    // c φ' = −g cos φ: the Gudermannian of −g t / c.
    let end = 2.0_f64;
    let angle = -(gravity * end / c).sinh().atan();
    let check = |id: &str, run: Result<Run<'_, viscous::System>, Box<SimulationError<viscous::System>>>| {
        let run = run.unwrap_or_else(|error| panic!("{id}: {error}"));
        let last = run.last();
        let turned = last.configuration.rotor.log();
        assert!((turned - spin / c).amax() < 1e-6, "{id}: {turned}");
        let bob = last.configuration.bob;
        assert!((bob.y.atan2(bob.x) - angle).abs() < 2e-4, "{id}: {} instead of {angle}", bob.y.atan2(bob.x));
        // Along the rod the weight alone pulls, but for φ'².
        let tension = -gravity * angle.sin();
        assert!((last.multipliers[0] - tension).abs() < 1e-5 * gravity, "{id}: {} {tension}", last.multipliers[0]);
    };
    for method in alphas(0.9) {
        let run = Simulation::of(&system).initial(start, velocity).method(method).step(0.02).end_time(end).run();
        check(method.id(), run);
    }
    for method in BLieDF::all().filter(|method| method.steps() > 1) {
        let run = Simulation::of(&system).initial(start, velocity).method(method).step(0.02).end_time(end).run();
        check(method.id(), run);
    }
}

/// The state after an impulse is an ordinary initial state.
#[test]
fn a_blow_leaves_no_displacement_either() {
    let (c, end) = (1e6, 1.0);
    let system = joint(c, 1.0);
    let start = spring::Position { x: Vector1::new(1.0) };
    for method in alphas(0.9) {
        let run = Simulation::of(&system).initial(start, Vector1::new(0.0)).method(method).step(0.01).end_time(end);
        let struck = run.event("blow", |_, state| state.time - 0.503).apply(|change| change.state().velocity[0] = 10.0);
        let last = struck.run().unwrap_or_else(|error| panic!("{error}")).last().clone();
        let right = exact([c, 1.0], [exact([c, 1.0], [1.0, 0.0], 0.503), 10.0], end - 0.503);
        assert!((last.configuration.x[0] - right).abs() < 1e-5, "{}: {} {right}", method.id(), last.configuration.x[0]);
    }
}

/// A spurious gain of energy is an error, for systems with dissipation as well; it is not an error for negative damping.
#[test]
fn dissipative_motions_cannot_gain_energy() {
    let (system, start) = (joint(1e6, 1.0), spring::Position { x: Vector1::new(1.0) });
    assert!(system.description().never_gains_energy && !system.description().conserves_energy);
    // A start that paper 2 has as well: a₀ = v'₀.
    let options = GeneralizedAlphaOptions::default().start(StartingValues::FirstOrder);
    let method = GeneralizedAlpha::new(Parameters::chung_hulbert(0.0).unwrap(), options).unwrap();
    let run = Simulation::of(&system).initial(start, Vector1::new(1.0)).method(method).step(0.01).end_time(1.0).run();
    let error = run.unwrap_err();
    assert!(matches!(error.failure, Failure::EnergyGained { .. }), "{error}");
    assert!(error.to_string().contains("`tr_bdf2`"), "{error}");
    // x'' − 0.5 x' + x = 0 grows by e^{t / 4}.
    let fed = joint(-0.5, 1.0);
    let run = Simulation::of(&fed).initial(start, Vector1::new(0.0)).method(GeneralizedAlpha::lie_alpha());
    let run = run.step(0.01).end_time(10.0).run().unwrap_or_else(|error| panic!("{error}"));
    let energy = |state: &State<spring::System>| state.configuration.x[0].powi(2) + state.velocity[0].powi(2);
    assert!(energy(run.last()) > 50.0 * energy(run.first()));
}

/// The gradient with respect to the parameters and to the initial velocity, by differences; the first step starts with damping.
#[test]
fn gradients_go_back_through_such_starts() {
    fn check<I: Adjoint<viscous::System>>(id: &str, method: &I) {
        let end = |[damping, gravity, spin, fall]: [f64; 4]| {
            // λ of `tr_bdf2` has round-off over h², too much for differences.
            let weight = Dual::from_f64(if damping > 100.0 { 0.0 } else { 1.0 });
            let system = viscous::System::new(viscous::Liquid { damping, gravity }).unwrap();
            let start = viscous::Bodies { rotor: SO3::identity(), bob: Vector2::new(1.0, 0.0) };
            let velocity = Vector5::new(0.5, spin, -0.3, 0.0, fall);
            let run = Simulation::of(&system).initial(start, velocity).method(method.clone()).step(0.01).end_time(0.06);
            run.gradient_of(&Objective::<viscous::System>::new().at_end(|state| {
                let (turned, bob) = (state.configuration.rotor.log(), state.configuration.bob);
                let speeds = state.velocity[1] + state.velocity[4];
                turned[0] + turned[1] + bob.x * bob.y + speeds + weight * state.multipliers[0] * bob.y
            }))
            .unwrap_or_else(|error| panic!("{id}: {error}"))
        };
        // The fast motions are excited and not resolved; or there are none.
        for at in [[2e3, 5e2, 20.0, -3.0], [2.0, 9.81, 3.0, -1.0]] {
            let gradient = end(at);
            let [damping, gravity] = ["damping", "gravity"].map(|name| gradient.by(name).unwrap());
            let found = [damping, gravity, gradient.velocity[1], gradient.velocity[4]];
            for (number, found) in found.into_iter().enumerate() {
                let moved = |h: f64| {
                    let mut moved = at;
                    moved[number] += h;
                    end(moved).value
                };
                // Of fourth order.
                let h = 1e-3 * at[number].abs();
                let right = (8.0 * (moved(h) - moved(-h)) - moved(2.0 * h) + moved(-2.0 * h)) / (12.0 * h);
                // In parts of J for parts of the number.
                let is_right = (found - right).abs() * at[number].abs() < 1e-7 * gradient.value.abs();
                assert!(is_right, "{id} {at:?} {number}: {found:e} instead of {right:e}");
            }
        }
    }
    for method in alphas(0.9).chain(alphas(0.2)) {
        check(method.id(), &method);
    }
    for method in BLieDF::all().filter(|method| method.steps() > 1) {
        check(method.id(), &method);
    }
}
