//! Events that cannot take place.

use lie_runtime::integrator::AnyMethod;
use lie_runtime::prelude::*;
use lie_runtime::simulate::event::{Change, EventError};

#[mechanical_system(redundant = minimum_norm)]
pub mod ball {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Height {
        pub z: f64,
    }

    #[parameters]
    pub struct Ball {
        pub mass: f64,
        pub touches: bool,
    }

    #[kinetic_energy]
    fn kinetic(p: &Ball, v: &Velocity) -> f64 {
        0.5 * p.mass * v.z * v.z
    }

    #[potential]
    fn weight(p: &Ball, q: &Height) -> f64 {
        10.0 * p.mass * q.z
    }

    #[constraint]
    fn floor(p: &Ball, q: &Height) -> f64 {
        if p.touches { q.z } else { 0.0 }
    }
}

/// The error message for a ball with this action at its first impact.
fn said(treat: impl FnMut(&mut Change<'_, ball::System>) + Send) -> (EventError, String) {
    let system = ball::System::new(ball::Ball { mass: 1.0, touches: false }).unwrap();
    let error = Simulation::of(&system)
        .initial(ball::Height { z: 5.0 }, Vector1::new(0.0))
        .event("strikes", |_, state| state.configuration.z)
        .falling()
        .apply(treat)
        .step(0.01)
        .end_time(4.0)
        .run()
        .map(|run| run.events.len())
        .unwrap_err();
    // Nothing computed is lost.
    assert!(error.trajectory.states.len() > 100 && error.last.is_some());
    let text = error.to_string();
    match error.failure {
        Failure::Event { event, time, error } => {
            assert_eq!(event, "strikes");
            assert!(time >= 1.0 - 1e-12);
            (*error, text)
        }
        other => panic!("{other:?}"),
    }
}

#[test]
fn what_leads_nowhere_says_why() {
    let (error, text) = said(|at| at.impact(["flor"], 0.5));
    assert_eq!(error, EventError::UnknownConstraint { name: "flor".into(), known: vec!["floor"] });
    assert!(text.starts_with("event `strikes` at t = "), "{text}");
    assert!(text.contains("unknown constraint `flor`; the constraints are `floor`"), "{text}");

    for coefficient in [-0.1, 1.5, f64::NAN] {
        let (error, _) = said(move |at| {
            at.set(|p| p.touches = true);
            at.impact(["floor"], coefficient);
        });
        assert!(matches!(error, EventError::Restitution { .. }), "{error:?}");
    }

    // A velocity that the floor does not admit.
    let (error, text) = said(|at| at.set(|p| p.touches = true));
    assert!(matches!(error, EventError::Inconsistent(_)), "{error:?}");
    assert!(text.contains("`.impact([\"its name\"], 0.0)`"), "{text}");

    let (error, _) = said(|at| at.set(|p| p.mass = -1.0));
    assert!(matches!(error, EventError::Parameters(_)), "{error:?}");

    let (error, _) = said(|at| at.state().velocity.x = f64::NAN);
    assert!(matches!(error, EventError::State(_)), "{error:?}");
}

#[test]
fn chattering_is_told() {
    // It is stopped, and falls on: nothing holds it.
    let (error, text) = said(|at| at.state().velocity.x = 0.0);
    assert_eq!(error, EventError::Chattering { times: 2 });
    assert!(text.contains("without a full step in between"), "{text}");
    // Rebounds without end in a finite time: until 1 + 2 · 0.5 / (1 − 0.5) = 3 s.
    let (error, text) = said(|at| {
        at.set(|p| p.touches = true);
        at.impact(["floor"], 0.5);
        at.set(|p| p.touches = false);
    });
    assert!(matches!(error, EventError::Chattering { times } if times > 10), "{error:?}");
    assert!(text.contains("t = 2.9999"), "{text}");
}

#[test]
fn functions_without_a_value_are_told() {
    let system = ball::System::new(ball::Ball { mass: 1.0, touches: false }).unwrap();
    for (function, at) in [(-1.0, 0.0), (4.0, 0.4)] {
        let error = Simulation::of(&system)
            .initial(ball::Height { z: 5.0 }, Vector1::new(0.0))
            .event("is nowhere", move |_, state| if state.configuration.z > function { 1.0 } else { f64::NAN })
            .record()
            .event("is never", move |_, state| if function < 0.0 { f64::INFINITY } else { state.time - 1e3 })
            .record()
            .step(0.01)
            .end_time(3.0)
            .run()
            .unwrap_err();
        let Failure::Event { time, error, .. } = &error.failure else { panic!("{error}") };
        assert!(matches!(**error, EventError::NotFinite { .. }) && *time >= at, "{time}: {error:?}");
    }
}

#[test]
fn derivatives_across_events_on_plain_numbers_are_refused() {
    let system = ball::System::new(ball::Ball { mass: 1.0, touches: false }).unwrap();
    let error = Simulation::of(&system)
        .initial(ball::Height { z: 5.0 }, Vector1::new(0.0))
        .event("lands", |_, state| state.configuration.z)
        .record()
        .step(0.01)
        .end_time(0.1)
        .with_sensitivities(["mass"])
        .method(AnyMethod::of(HalfExplicit::hedop5()))
        .run()
        .err()
        .unwrap();
    assert!(error.to_string().contains("call `.event(…)` after `.with_sensitivities([…])`"), "{error}");
}
