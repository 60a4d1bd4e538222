//! A diverging run ends with an error that states the step required by the stiffness.

use lie_runtime::integrator::Integrator;
use lie_runtime::integrator::generalized_alpha::{METHODS, Parameters};
use lie_runtime::prelude::*;
use lie_runtime::simulate::Divergence;

use crate::models::{contact, held_body, pushed, released, spring, struck, wall};

/// The divergence of a run that has to have one.
fn divergence<M: MechanicalSystem>(run: Result<Run<'_, M>, Box<SimulationError<M>>>) -> Divergence {
    let speed = run.as_ref().map_or(0.0, |run| run.last().velocity.max_norm());
    match run.err().map(|error| (error.to_string(), error.failure)) {
        Some((_, Failure::Diverged { divergence, .. })) => *divergence,
        Some((text, _)) => panic!("{text}"),
        None => panic!("it ended well, at speeds of {speed:e}"),
    }
}

/// ω = 1000, for which explicit methods need steps of some 1e-3.
#[test]
fn a_stiff_spring_tells_its_step() {
    let system = spring::System::new(spring::Data { mass: 2.0, stiffness: 2e6, damping: 0.0 }).unwrap();
    let start = spring::Position { x: Vector1::new(0.1) };
    for method in HalfExplicit::all() {
        for h in [5e-3, 0.02, 0.3, 10.0] {
            for end in [3.0 * h, 40.0 * h, 2000.0 * h] {
                let run = Simulation::of(&system).initial(start, Vector1::zeros()).method(method).step(h).end_time(end);
                let result = run.output_times(&[]).run();
                if end < 4.0 * h && result.is_ok() {
                    continue; // Too few steps to tell.
                }
                let divergence = divergence(result);
                assert!(
                    (divergence.rate.unwrap() / 1e3 - 1.0).abs() < 1e-3,
                    "{} {h}: {divergence}",
                    method.tableau().id
                );
                assert!(divergence.is_explicit && divergence.to_string().contains("about 1.0e-3"), "{divergence}");
            }
        }
    }
    let run = |h: f64| Simulation::of(&system).initial(start, Vector1::zeros()).step(h).end_time(1.0).run();
    assert!(run(2e-4).is_ok());
    // Dampers as well.
    let damped = spring::System::new(spring::Data { mass: 2.0, stiffness: 2.0, damping: 2e4 }).unwrap();
    let run = Simulation::of(&damped).initial(start, Vector1::new(1.0)).step(0.01).end_time(10.0).run();
    assert!((divergence(run).rate.unwrap() / 1e4 - 1.0).abs() < 1e-3);
}

#[test]
fn a_diverging_contact_is_not_a_bad_mass_matrix() {
    let system = contact::System::new(contact::Data { stiffness: 1e12 }).unwrap();
    let start = contact::Ball { pose: S3R3::new(S3::identity(), Vector3::new(0.0, 0.0, 1.0)) };
    let spin = Vector6::new(0.1, 3.0, 0.0, 0.3, 0.0, 0.0);
    for method in [HalfExplicit::herk2_heun(), HalfExplicit::herk4(), HalfExplicit::hedop5()] {
        let run = Simulation::of(&system).initial(start, spin).method(method).step(0.02).end_time(20.0).run();
        let divergence = divergence(run);
        assert!(divergence.growth > 1e2 || divergence.rate.unwrap() * 0.02 > 1.0, "{divergence}");
        assert!(!divergence.to_string().starts_with("the mass"), "{divergence}");
    }
}

/// For all initial heights, the gain of velocity is at most the limit `max_velocity_growth`: 100 times the largest component of the
/// velocity, which is the length or up to √3 less.
#[test]
fn no_ball_leaves_the_floor_with_energy_of_nowhere() {
    let mut ended = 0;
    for stiffness in [1e4, 1e6, 1e8, 1e10, 1e12] {
        let system = contact::System::new(contact::Data { stiffness }).unwrap();
        for height in (0..40).map(|i| 0.9 + 0.03 * f64::from(i)) {
            let start = contact::Ball { pose: S3R3::new(S3::identity(), Vector3::new(0.0, 0.0, height)) };
            let spin = Vector6::new(0.1, 3.0, 0.0, 0.3, 0.0, 0.0);
            let before = 9.81 * height + system.kinetic_energy(0.0, &start, &spin);
            for method in [HalfExplicit::herk2_heun(), HalfExplicit::herk4(), HalfExplicit::hedop5()] {
                let run = Simulation::of(&system).initial(start, spin).method(method).step(0.02).end_time(6.0);
                let Ok(run) = run.output_times(&[6.0]).run() else { continue };
                let end = run.last();
                let after = system.kinetic_energy(6.0, &end.configuration, &end.velocity)
                    + system.potential_energy(6.0, &end.configuration);
                assert!(after < 3e4 * before, "{stiffness:e} {height} {}: {:e}", method.tableau().id, after / before);
                ended += 1;
            }
        }
    }
    assert!(ended > 100, "{ended}");
}

/// System with a constraint: the final error is a singular constraint, a million radians away.
#[test]
fn a_stiff_body_on_a_hinge_is_not_redundant() {
    let system = held_body::System::new(held_body::Data { stiffness: 1e8 }).unwrap();
    let turned = SO3::exp(&Vector3::new(0.2, 0.1, -0.3));
    let start = held_body::Body { attitude: turned, position: turned * Vector3::new(0.0, 1.0, 0.0) };
    for method in HalfExplicit::all() {
        for h in [1e-3, 1e-2] {
            let run =
                Simulation::of(&system).initial(start, Vector6::zeros()).method(method).step(h).end_time(500.0 * h);
            let error = run.constraint_tolerance(f64::INFINITY).run().unwrap_err();
            let text = error.to_string();
            let Failure::Diverged { divergence, .. } = &error.failure else {
                panic!("{}: {text}", method.tableau().id)
            };
            assert!(divergence.rate.unwrap() > 5e3 && text.contains("the motion diverges"), "{text}");
            assert!(error.last.unwrap().velocity.all_finite());
        }
    }
}

/// Growing motions that are resolved, and stiff motions of implicit methods, are not reported.
#[test]
fn honest_motions_do_not_blow_up() {
    // An unstable equilibrium: x grows as exp(10 t), by e³⁰.
    let system = spring::System::new(spring::Data { mass: 1.0, stiffness: -100.0, damping: 0.0 }).unwrap();
    let start = spring::Position { x: Vector1::new(1e-9) };
    let run = |h: f64| Simulation::of(&system).initial(start, Vector1::zeros()).step(h).end_time(3.0).run();
    assert!(run(1e-3).unwrap().last().velocity.x > 1e3);
    assert!(run(3e-2).is_ok());
    let stiff = spring::System::new(spring::Data { mass: 1.0, stiffness: 1e10, damping: 1.0 }).unwrap();
    let start = spring::Position { x: Vector1::new(1.0) };
    let run = |h: f64| Simulation::of(&stiff).initial(start, Vector1::zeros()).step(h).end_time(200.0 * h);
    let alpha = GeneralizedAlpha::index3(Parameters::chung_hulbert(0.9).unwrap());
    assert!(run(1e-3).method(alpha).run().is_ok());
    assert!(run(0.1).method(TrBdf2::new()).run().is_ok());
    // At 10⁴ units of its frequency v overshoots by as much: energy that no spring had, and that a damper only takes.
    let error = run(0.1).method(alpha).run().unwrap_err();
    assert!(matches!(error.failure, Failure::EnergyGained { .. }), "{error}");
}

/// Impulses of time-dependent forces or potentials between two checked states.
#[test]
fn what_is_struck_may_fly() {
    let system = struck::System::new().unwrap();
    let start = struck::Position { x: Vector1::new(0.0) };
    let run = Simulation::of(&system).initial(start, Vector1::new(0.01)).step(2e-4).end_time(2.0).run().unwrap();
    let expected = 0.01 + 1e3 * core::f64::consts::PI.sqrt();
    assert!((run.last().velocity.x / expected - 1.0).abs() < 1e-6, "{}", run.last().velocity);
    // x = 0.01 t to the cliff at 1, and down.
    let system = released::System::new().unwrap();
    let start = released::Position { x: Vector1::new(0.99) };
    let run = Simulation::of(&system).initial(start, Vector1::new(1.0)).step(1e-7).end_time(0.02);
    let run = run.output_times(&[0.02]).run().unwrap();
    assert!((run.last().velocity.x / 2e3 - 1.0).abs() < 1e-3, "{}", run.last().velocity);
}

/// An infinite force is below no tolerance, though its scale is infinite as well.
#[test]
fn an_infinite_force_is_an_error() {
    fn assert_fails<I: Integrator<wall::System>>(
        id: &str,
        method: I,
        [stiffness, damping]: [f64; 2],
        [x, v]: [f64; 2],
    ) {
        let system = wall::System::new(wall::Data { stiffness, damping }).unwrap();
        let start = Simulation::of(&system).initial(wall::Ball { x }, Vector1::new(v));
        let run = start.method(method).step(0.1).end_time(1.0).run();
        let at = run.as_ref().map(|run| run.last().configuration.x);
        let Err(error) = &run else { panic!("{id}: x = {at:?}") };
        let is_expected = matches!(error.failure, Failure::Step(_) | Failure::Diverged { .. });
        assert!(
            is_expected && error.trajectory.states.iter().all(|state| state.configuration.x >= 0.0),
            "{id}: {error}"
        );
    }
    for (data, start) in [([1e3, 0.0], [1.0, -20.0]), ([1e5, 1e-3], [0.3, -5.0])] {
        let parameters = Parameters::chung_hulbert(0.9).unwrap();
        for method in METHODS {
            assert_fails(method.id, GeneralizedAlpha::by_id(method.id, parameters).unwrap(), data, start);
        }
        for method in BLieDF::all() {
            assert_fails(method.id(), method, data, start);
        }
        assert_fails("tr_bdf2", TrBdf2::new(), data, start);
        assert_fails("gauss4", Collocation::gauss4(), data, start);
        assert_fails("radau_iia5", Collocation::radau_iia5(), data, start);
        assert_fails("rattlie", Rattlie::new(), data, start);
    }
}

/// The same for an input: the message has its name and its time.
#[test]
fn an_infinite_input_is_an_error() {
    for value in [f64::INFINITY, f64::NEG_INFINITY, f64::NAN] {
        let system = pushed::System::new().unwrap();
        let system = system.with_inputs(move |t, _, _| pushed::Inputs { push: if t > 0.5 { value } else { 0.0 } });
        let run = || Simulation::of(&system).initial(pushed::Cart { x: 0.0 }, Vector1::new(1.0)).end_time(1.0);
        let texts = [
            run().method(GeneralizedAlpha::lie_alpha()).step(0.1).run().map(drop).map_err(|error| error.to_string()),
            run().method(TrBdf2::new()).step(0.1).run().map(drop).map_err(|error| error.to_string()),
            run().method(BLieDF::bliedf2()).step(0.1).run().map(drop).map_err(|error| error.to_string()),
            run().method(Rattlie::new()).step(0.1).run().map(drop).map_err(|error| error.to_string()),
            run()
                .method(GeneralizedAlpha::lie_alpha())
                .rtol(1e-6)
                .atol(1e-8)
                .run()
                .map(drop)
                .map_err(|error| error.to_string()),
            run().method(TrBdf2::new()).rtol(1e-6).atol(1e-8).run().map(drop).map_err(|error| error.to_string()),
            run()
                .method(HalfExplicit::hedop5())
                .rtol(1e-6)
                .atol(1e-8)
                .run()
                .map(drop)
                .map_err(|error| error.to_string()),
        ];
        for text in texts {
            let text = text.expect_err("no such force has a motion");
            assert!(text.contains("input `push` is not finite at t = 0.5"), "{text}");
        }
    }
}
