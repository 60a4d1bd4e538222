//! A run can be stopped, and returns the recorded trajectory at its limits.

use core::ops::ControlFlow;
use core::time::Duration;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Arc, Mutex};

use lie_runtime::integrator::StepFailure;
use lie_runtime::integrator::{Integrator, StepCost, StepError};
use lie_runtime::prelude::*;
use lie_runtime::simulate::{LimitReached, Limits, SetupError, Warning};

use crate::models::spring;

fn oscillator() -> (spring::System, spring::Position) {
    let system = spring::System::new(spring::Data { mass: 1.0, stiffness: 1.0, damping: 0.0 }).unwrap();
    (system, spring::Position { x: Vector1::new(1.0) })
}

#[test]
fn an_observer_stops_a_run() {
    let (system, q) = oscillator();
    let run = || Simulation::of(&system).initial(q, Vector1::zeros()).step(0.01).end_time(100.0);
    let mut seen = 0;
    let through_zero = |state: &State<spring::System>| {
        if state.configuration.x.x > 0.0 { ControlFlow::Continue(()) } else { ControlFlow::Break(()) }
    };
    let stopped = run().on_step(|_| seen += 1).on_step(through_zero).output_every(50).run().unwrap();
    let time = stopped.stopped.unwrap();
    assert!((time - core::f64::consts::FRAC_PI_2).abs() < 0.01, "{time}");
    assert_eq!((stopped.last().time, stopped.statistics.accepted), (time, seen - 1));
    assert_eq!(run().end_time(1.0).run().unwrap().stopped, None);
    // At the first state already.
    let at_once = run().on_step(|_| ControlFlow::Break(())).output_times(&[50.0]).run().unwrap();
    assert_eq!((at_once.stopped, at_once.states.len()), (Some(0.0), 1));
    let controlled = Simulation::of(&system).initial(q, Vector1::zeros()).rtol(1e-8).atol(1e-8).end_time(100.0);
    assert!(controlled.on_step(through_zero).run().unwrap().stopped.unwrap() < 3.0);
}

#[test]
fn limits_end_a_run_with_what_it_has() {
    let (system, q) = oscillator();
    let run = || Simulation::of(&system).initial(q, Vector1::zeros());
    let limit = |limits: Limits| run().rtol(1e-10).atol(1e-10).end_time(1e6).limits(limits).run().unwrap_err();
    let error = limit(Limits::default().steps(100));
    let Failure::Limit { time, limit: LimitReached::Steps(100) } = error.failure else { panic!("{error}") };
    assert!(error.last.as_ref().unwrap().time == time && error.trajectory.states.len() > 10);
    let error = limit(Limits::default().bytes(100_000));
    assert!(matches!(error.failure, Failure::Limit { limit: LimitReached::Bytes(100_000), .. }), "{error}");
    let error = limit(Limits::default().seconds(0.05).bytes(u64::MAX));
    assert!(matches!(error.failure, Failure::Limit { limit: LimitReached::Seconds(_), .. }), "{error}");
    assert!(
        error.trajectory.statistics.seconds < 5.0 && error.to_string().contains("0.05 s of wall-clock time"),
        "{error}"
    );
    // What is known before is said before.
    let error = run().step(1e-9).end_time(1e4).run().unwrap_err();
    assert!(matches!(error.failure, Failure::Setup(SetupError::TooManySteps { .. })), "{error}");
    let error = run().step(1e-6).end_time(1e3).run().unwrap_err();
    assert!(matches!(error.failure, Failure::Setup(SetupError::TooManyStates { .. })), "{error}");
    let bad = Limits::default().seconds(f64::NAN);
    let error = run().step(0.1).end_time(1.0).limits(bad).run().unwrap_err();
    assert!(matches!(error.failure, Failure::Setup(SetupError::Limit { .. })), "{error}");
}

/// Steps that the time does not resolve would all end where they begin.
#[test]
fn steps_below_the_resolution_of_the_time_are_refused() {
    let (system, q) = oscillator();
    let run = |start: f64, h: f64, end: f64| {
        let run = Simulation::of(&system).initial(q, Vector1::zeros()).start_time(start).step(h).end_time(end);
        run.output_times(&[]).run()
    };
    for (start, h, end) in [(1e9, 1e-8, 1e9 + 1e-6), (-1e16, 1.0, -1e16 + 4.0), (1e300, 1.0, 2e300)] {
        let error = run(start, h, end).unwrap_err();
        assert!(matches!(error.failure, Failure::Setup(SetupError::BelowResolution { .. })), "{start} {h}: {error}");
    }
    assert!(run(1e9, 1e-3, 1e9 + 1e-2).is_ok());
}

#[test]
fn samples_asked_for_twice_are_recorded_twice() {
    let (system, q) = oscillator();
    let run = |times: &[f64]| {
        let run = Simulation::of(&system).initial(q, Vector1::zeros()).step(0.1).end_time(1.0).output_times(times);
        run.run().unwrap().times().collect::<Vec<_>>()
    };
    assert_eq!(run(&[0.5, 0.5, 0.33, 1.0, 0.0, 0.33, 0.0]), [0.0, 0.0, 0.33, 0.33, 0.5, 0.5, 1.0]);
}

fn is_send<T: Send>(_: &T) {}
fn is_sync<T: Sync>(_: &T) {}

/// Compiles, which is the test.
#[test]
fn simulations_can_go_to_other_threads() {
    let (system, q) = oscillator();
    is_send(&system);
    is_sync(&system);
    let mut seen = 0;
    let simulation =
        Simulation::of(&system).initial(q, Vector1::zeros()).step(0.1).end_time(1.0).on_step(|_| seen += 1);
    is_send(&simulation);
    std::thread::scope(|scope| scope.spawn(|| simulation.run().map(|_| ()).unwrap()).join()).unwrap();
    assert_eq!(seen, 11);
}

/// A method whose steps are announced as expensive.
#[derive(Clone)]
struct Dense;

impl Integrator<spring::System> for Dense {
    type Workspace = <HalfExplicit as Integrator<spring::System>>::Workspace;

    fn id(&self) -> &'static str {
        "dense"
    }
    fn order(&self) -> usize {
        4
    }
    fn step_cost(&self, _: &spring::System, _: &State<spring::System>) -> Option<StepCost> {
        Some(StepCost { operations: 3e9, unknowns: 360, instead: "tr_bdf2" })
    }
    fn workspace(&self, system: &spring::System, state: &State<spring::System>) -> Self::Workspace {
        HalfExplicit::herk4().workspace(system, state)
    }
    fn start(
        &self,
        system: &spring::System,
        state: &mut State<spring::System>,
        workspace: &mut Self::Workspace,
    ) -> Result<(), StepError> {
        HalfExplicit::herk4().start(system, state, workspace)
    }
    fn step(
        &self,
        system: &spring::System,
        from: &State<spring::System>,
        h: f64,
        to: &mut State<spring::System>,
        workspace: &mut Self::Workspace,
    ) -> Result<(), StepError> {
        HalfExplicit::herk4().step(system, from, h, to, workspace)
    }
}

/// The number of announced warnings when the observer sees its first state, and all of them at the end.
#[test]
fn costs_are_announced_before_the_first_step() {
    let (system, q) = oscillator();
    let announced = Arc::new(Mutex::new(Vec::new()));
    let (kept, seen) = (Arc::clone(&announced), Arc::clone(&announced));
    let mut before = None;
    let run = Simulation::of(&system).initial(q, Vector1::zeros()).method(Dense).step(0.01).end_time(1.0);
    let run = run.on_warning(move |warning| kept.lock().unwrap().push(warning.to_string()));
    let run = run.on_step(|_| before = before.or(Some(seen.lock().unwrap().len()))).run().unwrap();
    let [Warning::Costly { method: "dense", unknowns: 360, seconds, steps, instead: "tr_bdf2" }] = run.warnings()[..]
    else {
        panic!("{:?}", run.warnings())
    };
    assert_eq!((seconds, steps, before), (3.0, Some(100.0), Some(1)));
    let text = announced.lock().unwrap().join("\n");
    assert!(
        text.starts_with(
            "`dense` solves dense equations in 360 unknowns: about 3.00 s a step, 5 min for 100 steps; use `tr_bdf2`, whose cost of a step \
             grows linearly with the length of a chain"
        ),
        "{text}"
    );
    // Five steps take 15 s.
    let short = Simulation::of(&system).initial(q, Vector1::zeros()).method(Dense).step(0.01).end_time(0.05);
    assert!(short.run().unwrap().warnings().is_empty());
}

/// x' = 1, evaluated once in two seconds.
struct Slow(AtomicUsize);

impl VectorField for Slow {
    type Point = Vector1<f64>;
    type Workspace = ();

    fn zero(&self) -> Vector1<f64> {
        Vector1::zeros()
    }
    fn workspace(&self) {}
    fn evaluate(&self, _: f64, _: &Vector1<f64>, (): &mut (), out: &mut Vector1<f64>) -> Result<(), StepFailure> {
        if self.0.fetch_add(1, Ordering::Relaxed) == 2 {
            std::thread::sleep(Duration::from_millis(2050));
        }
        *out = Vector1::new(1.0);
        Ok(())
    }
}

#[test]
fn a_slow_step_is_announced_once() {
    let field = Slow(AtomicUsize::new(0));
    let run = Simulation::of_field(&field).initial(Vector1::new(0.0)).step(0.1).end_time(1.0).on_warning(|_| {});
    let run = run.run().unwrap();
    let [Warning::SlowStep { time, seconds, left: Some(left) }] = run.warnings()[..] else {
        panic!("{:?}", run.warnings())
    };
    assert_eq!((time, left), (0.1, 9.0));
    assert!((2.0..10.0).contains(&seconds), "{seconds}");
}
