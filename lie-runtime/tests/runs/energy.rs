//! Energy check of conservative systems: slow divergence ends in an error.

use lie_runtime::prelude::*;

use crate::models::{driven_off, held_body, linkage, merry_go_round, spring, treadmill, wheel};

/// ω = 1.
fn slow() -> wheel::System {
    wheel::System::new(wheel::Data { inertia: 1.0, spring: 1.0 }).unwrap()
}

/// Heun's method multiplies the energy of an oscillator by 1 + (h ω)⁴ / 4 in each step: by a hundred in 300 steps of 0.5, and
/// speeds by ten, which the growth of speeds lets pass.
#[test]
fn an_oscillator_that_grows_slowly_is_an_error() {
    let system = slow();
    let run = |h: f64, steps: f64| {
        let start = wheel::Wheel { x: Vector1::new(1.0) };
        let run = Simulation::of(&system).initial(start, Vector1::zeros()).method(HalfExplicit::herk2_heun());
        run.step(h).end_time(h * steps)
    };
    let error = run(0.5, 300.0).run().unwrap_err();
    let Failure::EnergyGained { time, part, limit } = error.failure else { panic!("{error}") };
    assert!(part > limit && limit == 0.75 && time < 150.0, "{error}");
    let last = error.last.as_ref().unwrap();
    let energy = system.kinetic_energy(0.0, &last.configuration, &last.velocity)
        + system.potential_energy(0.0, &last.configuration);
    // Four times what there was at the start, at most, where it was last looked at.
    assert!(energy <= 2.0 && last.time < time, "{energy}");
    assert!(error.to_string().contains("max_velocity_growth"), "{error}");
    // It can be allowed, and is told: e = (1 + h⁴/4)^n, of which the start was 1.
    let allowed = run(0.5, 300.0).max_velocity_growth(1e3).run().unwrap();
    let expected = 1.0 - (1.0_f64 + 0.5_f64.powi(4) / 4.0).powi(-300);
    let gained = allowed.statistics.energy_gained.unwrap();
    assert!((gained - expected).abs() < 1e-2, "{gained} {expected}");
    // Half the step does as well.
    let halved = run(0.25, 600.0).run().unwrap().statistics.energy_gained.unwrap();
    let expected = 1.0 - (1.0_f64 + 0.25_f64.powi(4) / 4.0).powi(-600);
    assert!((halved / expected - 1.0).abs() < 0.05, "{halved} {expected}");
}

#[test]
fn honest_runs_gain_next_to_nothing() {
    let system = slow();
    let start = || Simulation::of(&system).initial(wheel::Wheel { x: Vector1::new(1.0) }, Vector1::zeros());
    let gained = start().step(0.1).end_time(100.0).run().unwrap().statistics.energy_gained.unwrap();
    assert!((0.0..1e-5).contains(&gained), "{gained:e}");
    // What a stiff method damps is none: the first step of generalized-α throws the velocity of a stiff spring beyond what it
    // stores, and damps it from there on.
    let stiff = wheel::System::new(wheel::Data { inertia: 1.0, spring: 1e6 }).unwrap();
    let start = wheel::Wheel { x: Vector1::new(1.0) };
    for method in ["lie_alpha", "tr_bdf2", "bliedf2", "rattlie", "radau_iia3"] {
        let run = Simulation::of(&stiff).initial(start, Vector1::zeros()).method_named(method).unwrap();
        match run.step(0.05).end_time(20.0).run() {
            Ok(run) => assert!(run.statistics.energy_gained.unwrap() <= 0.75, "{method}"),
            Err(error) => assert!(!matches!(error.failure, Failure::EnergyGained { .. }), "{method}: {error}"),
        }
    }
    // At rest, and from an unstable place.
    let rest = Simulation::of(&system).initial(wheel::Wheel { x: Vector1::zeros() }, Vector1::zeros());
    assert_eq!(rest.step(0.1).end_time(100.0).run().unwrap().statistics.energy_gained, Some(0.0));
    let unstable = wheel::System::new(wheel::Data { inertia: 1.0, spring: -100.0 }).unwrap();
    let start = wheel::Wheel { x: Vector1::new(1e-7) };
    let run = Simulation::of(&unstable).initial(start, Vector1::zeros()).step(1e-3).end_time(3.0).run().unwrap();
    assert!(run.last().velocity.x > 1e4 && run.statistics.energy_gained.unwrap() < 1e-9);
}

/// In a frame that turns T + V is not conserved, T₂ − T₀ + V is.
#[test]
fn jacobis_integral_is_what_is_compared() {
    let system = merry_go_round::System::new().unwrap();
    let start = merry_go_round::Ball { place: Vector2::new(1.0, 0.0) };
    let run = Simulation::of(&system).initial(start, Vector2::new(0.0, 0.3)).step(0.01).end_time(50.0).run().unwrap();
    let total = |state: &State<merry_go_round::System>| {
        system.kinetic_energy(0.0, &state.configuration, &state.velocity)
            + system.potential_energy(0.0, &state.configuration)
    };
    let energies = run.states.iter().map(total);
    let (least, most) = energies.fold((f64::MAX, f64::MIN), |(least, most), e| (least.min(e), most.max(e)));
    assert!(most > 1.3 * least, "{least} {most}");
    let gained = run.statistics.energy_gained.unwrap();
    assert!(gained < 1e-8, "{gained:e}");
}

#[test]
fn which_declarations_conserve_energy() {
    let conserves = |description: &lie_runtime::system::Description| description.conserves_energy;
    assert!(conserves(slow().description()));
    assert!(conserves(held_body::System::new(held_body::Data { stiffness: 1.0 }).unwrap().description()));
    let lengths = linkage::Lengths { crank: 1.0, coupler: 3.0, rocker: 2.5, ground: 3.2 };
    assert!(conserves(linkage::System::new(lengths).unwrap().description()));
    assert!(conserves(merry_go_round::System::new().unwrap().description()));
    // Dissipation, a constraint of time, a velocity that is prescribed.
    let damped = spring::System::new(spring::Data { mass: 1.0, stiffness: 1.0, damping: 0.0 }).unwrap();
    assert!(!conserves(damped.description()));
    assert!(!conserves(driven_off::System::new().unwrap().description()));
    let carried = treadmill::System::new().unwrap();
    assert!(!conserves(carried.description()));
    let run = Simulation::of(&carried).initial(treadmill::Foot { place: Vector2::zeros() }, Vector2::new(1.0, 0.0));
    assert_eq!(run.step(0.1).end_time(1.0).run().unwrap().statistics.energy_gained, None);
}
