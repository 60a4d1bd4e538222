//! Errors of requests without derivatives.

use fixtures::systems::top_in_space::{of_the_paper, top_in_space as top};
use lie_runtime::gradient::{Direction, DirectionError, GradientError, Objective, SensitivityError};
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;

fn told(names: &[&str]) -> String {
    let (system, q, v) = of_the_paper();
    let run = Simulation::of(&system).initial(q, v).step(1e-3).end_time(2e-3);
    run.with_sensitivities(names.iter().copied()).run().unwrap_err().to_string()
}

#[test]
fn names_that_mean_nothing() {
    let unknown = told(&["mas"]);
    assert!(
        unknown.contains("`mas`") && unknown.contains("`center_of_mass`") && unknown.contains("`q.attitude`"),
        "{unknown}"
    );
    for name in ["q.attitud", "inertia[3][0]", "v.attitude[3]", "qq", ""] {
        assert!(told(&[name]).contains(&format!("`{name}`")), "{name}");
    }
    assert!(told(&["mass", "mass"]).contains("duplicate name `mass`"));
    assert!(told(&["inertia", "inertia[1][1]"]).contains("`inertia[1][1]`"));
    assert!(told(&[]).contains("missing names"));
}

/// A start from the midst of a run whose method remembers more than the state.
#[test]
fn states_with_a_memory() {
    let (system, q, v) = of_the_paper();
    let first =
        Simulation::of(&system).initial(q, v).method(GeneralizedAlpha::lie_alpha()).step(1e-3).end_time(0.01).run();
    let state = first.unwrap().last().clone();
    let again = |state| {
        let run =
            Simulation::of(&system).restart_from(state).method(GeneralizedAlpha::lie_alpha()).step(1e-3).end_time(0.02);
        run.with_sensitivities(["mass"]).run()
    };
    let error = again(state.clone()).unwrap_err();
    assert!(matches!(*error, SensitivityError::Remembers { time } if (time - 0.01).abs() < 1e-12), "{error}");
    let mut anew = state;
    anew.memory.forget();
    assert!(again(anew).is_ok());
}

/// A failure during the run returns the recorded trajectory and the name.
#[test]
fn runs_that_fail() {
    let (system, q, v) = of_the_paper();
    let run = Simulation::of(&system).initial(q, v).step(0.5).end_time(10.0).with_sensitivities(["mass"]).run();
    match *run.unwrap_err() {
        SensitivityError::Run { by, error } => {
            assert_eq!(by, "mass");
            assert!(!error.trajectory.states.is_empty(), "{error}");
        }
        other => panic!("{other}"),
    }
}

/// An observer that stops the first run stops all other runs at the same time.
#[test]
fn observers_stop() {
    let (system, q, v) = of_the_paper();
    let until = |state: &State<top::System>| {
        if state.time < 0.0045 { core::ops::ControlFlow::Continue(()) } else { core::ops::ControlFlow::Break(()) }
    };
    let run = Simulation::of(&system).initial(q, v).step(1e-3).end_time(1.0).on_step(until);
    let run = run.with_sensitivities(["mass", "gravity"]).run().unwrap();
    assert_eq!((run.names.len(), run.variations.len()), (4, 6));
    assert!(run.trajectory.stopped.is_some_and(|time| (time - 0.005).abs() < 1e-12));
}

/// A method without a reverse pass is an error before the run, which lists the methods with a reverse pass.
#[test]
fn methods_without_a_way_back() {
    let (system, q, v) = crate::tops::top!(se3, SE3);
    let nothing = Objective::<fixtures::systems::heavy_tops::se3::System>::new();
    let few = OnMechanical(MuntheKaas::rkmk4_two_commutators());
    let run = Simulation::of(&system).initial(q, v).method(few).step(1e-3).end_time(2e-3);
    let error = run.gradient_of(&nothing).unwrap_err();
    assert!(matches!(*error, GradientError::Method { .. }), "{error}");
    assert!(error.to_string().contains("`OnMechanical(MuntheKaas::rkmk4())`"), "{error}");
}

/// Beads on springs, with parameters of every kind.
#[mechanical_system(gradients)]
mod beads {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Beads {
        pub places: Vec<R1>,
    }

    #[parameters]
    pub struct Data {
        pub mass: f64,
        pub stiffness: Vec<f64>,
        pub turns: usize,
        pub is_soft: bool,
    }

    #[kinetic_energy(over = places)]
    fn kinetic(data: &Data, v: &Vector1<f64>) -> f64 {
        0.5 * data.mass * v.norm_squared()
    }

    #[potential(over = places)]
    fn spring(data: &Data, index: usize, x: &R1) -> f64 {
        let stiffness = if data.is_soft { data.stiffness[index] / data.turns as f64 } else { data.stiffness[index] };
        0.5 * stiffness * x.norm_squared()
    }
}

type Beads = beads::System;

fn two_beads() -> Beads {
    let data = beads::Data { mass: 1.0, stiffness: vec![4.0, 9.0], turns: 2, is_soft: true };
    beads::System::new(data, beads::Lengths { places: 2 }).unwrap()
}

fn run(system: &Beads, end: f64) -> Simulation<'_, Beads> {
    let q = beads::Beads { places: vec![Vector1::new(1.0), Vector1::new(-0.5)] };
    Simulation::of(system).initial(q, DVector::zeros(2)).step(0.01).end_time(end)
}

fn failed(objective: &Objective<'_, Beads>) -> GradientError<Beads> {
    *run(&two_beads(), 0.1).gradient_of(objective).unwrap_err()
}

/// Integers, booleans, lengths and unknown names have no derivatives.
#[test]
fn what_has_no_derivative() {
    let system = two_beads();
    let first = Objective::<Beads>::new().at_end(|state| state.configuration.places[0][0]);
    let gradient = run(&system, 0.1).gradient_of(&first).unwrap();
    assert_eq!(gradient.names[..], ["mass", "stiffness[0]", "stiffness[1]"]);
    assert_eq!(gradient.all_of("stiffness").unwrap().len(), 2);
    for name in ["turns", "is_soft", "places", "stiffness[2]", "mas", ""] {
        let told = [gradient.by(name).unwrap_err(), gradient.all_of(name).unwrap_err()].map(|error| error.to_string());
        for text in told {
            assert!(text.contains(&format!("`{name}`")) && text.contains("`stiffness[1]`"), "{text}");
            assert!(text.contains("`.configuration` and `.velocity`"), "{text}");
            assert!(text.contains("integers, booleans") && text.contains("lengths of chains"), "{text}");
        }
        let error = run(&system, 0.1).with_sensitivities([name]).run().unwrap_err().to_string();
        assert!(error.contains("integers, booleans"), "{error}");
    }
}

/// A direction is of finite sizes, and of inputs where there are some.
#[test]
fn directions_that_are_none() {
    let nothing = Objective::<beads::System<lie_runtime::scalar::Dual<f64>>>::new();
    let system = two_beads();
    let told = |along: &Direction| match run(&system, 0.1).hessian_times(&nothing, along).map_err(|error| *error) {
        Err(GradientError::Direction(error)) => error,
        Err(other) => panic!("{other}"),
        Ok(_) => panic!("there is none"),
    };
    let endless = told(&Direction::new().component("mass", 1.0).components("stiffness", [0.0, f64::INFINITY]));
    assert_eq!(endless, DirectionError::NotFinite { name: "stiffness".to_owned(), size: f64::INFINITY });
    for pieces in [vec![], vec![vec![]], vec![vec![1.0]]] {
        let without = told(&Direction::new().inputs([0.0], pieces));
        assert!(without.to_string().contains("remove `.inputs(…)`"), "{without}");
    }
}

/// Options of a run without derivatives are reported before the run.
#[test]
fn runs_with_events() {
    let system = two_beads();
    let nothing = Objective::<Beads>::new();
    let struck = run(&system, 0.1).event("strikes", |_, state| state.configuration.places[0][0]).stop();
    let error = struck.gradient_of(&nothing).unwrap_err();
    assert!(matches!(*error, GradientError::Events), "{error}");
    assert!(error.to_string().contains("call `.event(…)` after `.with_gradients()`"), "{error}");
    let late = Objective::<Beads>::new().at_event("strikes", |_, at| at.time);
    let unsaid = run(&system, 0.1).gradient_of(&late).unwrap_err().to_string();
    assert!(unsaid.contains("registered with `.event(…)` after `.with_gradients()`"), "{unsaid}");
    let sampled = run(&system, 0.1).output_times(&[0.03]).gradient_of(&nothing).unwrap_err();
    assert!(matches!(*sampled, GradientError::Refused { setting: "output_times" }), "{sampled}");
}

/// A failure during the run returns the recorded trajectory.
#[test]
fn runs_that_fail_before_their_end() {
    let (system, q, v) = crate::tops::top!(se3, SE3);
    let nothing = Objective::<fixtures::systems::heavy_tops::se3::System>::new();
    let run = Simulation::of(&system).initial(q, v).step(0.5).end_time(50.0);
    match *run.gradient_of(&nothing).unwrap_err() {
        GradientError::Run(error) => {
            assert!(!error.trajectory.states.is_empty(), "{error}");
            assert!(error.last.is_some_and(|last| last.time < 50.0));
        }
        other => panic!("{other}"),
    }
}

/// Each of these is no number somewhere, or has no derivative where it is one.
#[test]
fn objectives_that_are_no_numbers() {
    let lift = lie_runtime::scalar::Dual::lift;
    let undefined =
        failed(&Objective::<Beads>::new().over_time(|state| lift(if state.time > 0.045 { f64::NAN } else { 1.0 })));
    assert!(
        matches!(undefined, GradientError::Objective { time, value } if value.is_nan() && time > 0.045),
        "{undefined}"
    );
    let data = [0.2, f64::NAN];
    let at_data = Objective::<Beads>::new()
        .at_times([0.03, 0.05], |number, state| state.configuration.places[0][0] - lift(data[number]));
    let missing = failed(&at_data);
    assert!(matches!(missing, GradientError::Objective { time, .. } if (time - 0.05).abs() < 1e-12), "{missing}");
    let infinite =
        failed(&Objective::<Beads>::new().at_end(|state| lift(1.0) / (state.velocity[0] - state.velocity[0])));
    assert!(matches!(infinite, GradientError::Objective { value, .. } if !value.is_finite()), "{infinite}");
    let steep =
        failed(&Objective::<Beads>::new().at_end(|state| (state.velocity[0] - lift(state.velocity[0].re)).sqrt()));
    assert!(matches!(steep, GradientError::Objective { value, .. } if value == 0.0), "{steep}");
    assert!(steep.to_string().contains("root"), "{steep}");
}

#[test]
fn times_that_are_no_steps() {
    let at =
        |time: f64| failed(&Objective::<Beads>::new().at_times([time], |_, state| state.configuration.places[0][0]));
    for (time, told) in [
        (0.015, "choose a step"),
        (-0.01, "the run begins at 0.0"),
        (0.2, "the run ends at 0.1"),
        (f64::NAN, "the run ends at 0.1: choose times within the run"),
        (f64::INFINITY, "within the run"),
    ] {
        let error = at(time);
        assert!(matches!(error, GradientError::Time { .. }) && error.to_string().contains(told), "{error}");
    }
    assert!(matches!(at(0.015), GradientError::Time { near: [before, after], .. } if before < 0.015 && 0.015 < after));
}

/// A run that ends where it starts is a function of the initial values alone.
#[test]
fn runs_of_no_step() {
    let system = two_beads();
    let objective = Objective::<Beads>::new()
        .at_end(|state| state.configuration.places[0][0] * state.configuration.places[1][0])
        .at_times([0.0], |_, state| state.velocity[1])
        .over_time(|state| state.configuration.places[0][0]);
    let gradient = run(&system, 0.0).gradient_of(&objective).unwrap();
    assert_eq!((gradient.value, gradient.parameters.clone()), (-0.5, vec![0.0; 3]));
    assert_eq!((gradient.configuration.as_slice(), gradient.velocity.as_slice()), (&[-0.5, 1.0][..], &[0.0, 1.0][..]));
}
