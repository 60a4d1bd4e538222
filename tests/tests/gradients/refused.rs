//! What has no derivatives is told.

use lie_runtime::gradient::{GradientError, Objective, SensitivityError};
use lie_runtime::prelude::*;
use tests::systems::top_in_space::{of_the_paper, top_in_space as top};

fn told(names: &[&str]) -> String {
    let (system, q, v) = of_the_paper();
    let run = Simulation::of(&system).starting_at(q, v).step(1e-3).until(2e-3);
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
    assert!(told(&["mass", "mass"]).contains("twice"));
    assert!(told(&["inertia", "inertia[1][1]"]).contains("`inertia[1][1]`"));
    assert!(told(&[]).contains("no names"));
}

/// A start from the midst of a run whose method remembers more than the state.
#[test]
fn states_with_a_memory() {
    let (system, q, v) = of_the_paper();
    let first =
        Simulation::of(&system).starting_at(q, v).with(GeneralizedAlpha::lie_alpha()).step(1e-3).until(0.01).run();
    let state = first.unwrap().last().unwrap().clone();
    let again = |state| {
        let run =
            Simulation::of(&system).continuing_from(state).with(GeneralizedAlpha::lie_alpha()).step(1e-3).until(0.02);
        run.with_sensitivities(["mass"]).run()
    };
    let error = again(state.clone()).unwrap_err();
    assert!(matches!(*error, SensitivityError::Remembers { time } if (time - 0.01).abs() < 1e-12), "{error}");
    let mut anew = state;
    anew.memory.forget();
    assert!(again(anew).is_ok());
}

/// What fails half-way leaves what was recorded, and the name.
#[test]
fn runs_that_fail() {
    let (system, q, v) = of_the_paper();
    let run = Simulation::of(&system).starting_at(q, v).step(0.5).until(10.0).with_sensitivities(["mass"]).run();
    match *run.unwrap_err() {
        SensitivityError::Run { by, error } => {
            assert_eq!(by, "mass");
            assert!(!error.trajectory.states.is_empty(), "{error}");
        }
        other => panic!("{other}"),
    }
}

/// An observer that stops stops every one of the runs where it has stopped the first.
#[test]
fn observers_stop() {
    let (system, q, v) = of_the_paper();
    let until = |state: &State<top::System>| {
        if state.time < 0.0045 { core::ops::ControlFlow::Continue(()) } else { core::ops::ControlFlow::Break(()) }
    };
    let run = Simulation::of(&system).starting_at(q, v).step(1e-3).until(1.0).observe(until);
    let run = run.with_sensitivities(["mass", "gravity"]).run().unwrap();
    assert_eq!((run.names.len(), run.variations.len()), (4, 6));
    assert!(run.trajectory.stopped.is_some_and(|time| (time - 0.005).abs() < 1e-12));
}

/// Methods without a way back say so before the run, and what has one.
#[test]
fn methods_without_a_way_back() {
    let (system, q, v) = crate::tops::top!(se3, SE3);
    let nothing = Objective::<tests::systems::heavy_tops::se3::System>::new();
    let run = Simulation::of(&system).starting_at(q, v).with(TrBdf2::third_order()).step(1e-3).until(2e-3);
    let error = run.gradient_of(&nothing).unwrap_err();
    assert!(matches!(*error, GradientError::Method { method: "tr_bdf2_third_order", .. }), "{error}");
    assert!(error.to_string().contains("`TrBdf2::new()`"), "{error}");
}
