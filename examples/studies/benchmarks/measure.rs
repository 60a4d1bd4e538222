//! A problem in one formulation with one method: error and processor time for steps that halve.

use cpu_time::ThreadTime;
use lie_runtime::integrator::Integrator;
use lie_runtime::prelude::*;
use lie_runtime::system::MechanicalSystem;

/// The largest error at low precision.
pub const LOW: f64 = 1e-1;
/// The largest error at high precision.
pub const HIGH: f64 = 1e-3;
/// References under it are compared absolutely.
const THRESHOLD: f64 = 1e-3;
/// Maximum number of step halvings, and the run time in seconds after which no halving follows.
const HALVINGS: u32 = 14;
const LONG: f64 = 0.5;

/// One run.
#[derive(Clone, Copy, Debug)]
pub struct Point {
    /// The step.
    pub step: f64,
    /// The error by the measure of the problem; infinite of a run that has failed.
    pub error: f64,
    /// The shortest processor time, s.
    pub seconds: f64,
}

/// A run with one step in every `usize` recorded: its error and its processor time.
type Run = Box<dyn Fn(f64, usize) -> Option<(f64, f64)> + Send + Sync>;

/// A problem in one formulation with one method.
pub struct Case {
    /// The problem.
    pub problem: &'static str,
    /// The formulation.
    pub formulation: &'static str,
    /// The identifier of the method.
    pub method: &'static str,
    /// A published processor time for high precision, s.
    pub published: Option<f64>,
    /// The time between two output steps.
    output: f64,
    run: Run,
}

/// The problem to be solved, independent of the formulation.
#[derive(Clone, Copy, Debug)]
pub struct Task {
    /// The name.
    pub problem: &'static str,
    /// The end.
    pub end: f64,
    /// The time between two output steps.
    pub output: f64,
    /// A published processor time for high precision, s.
    pub published: Option<f64>,
}

/// The largest error relative to max(|reference|, 1e-3).
pub fn deviation<const N: usize>(found: [f64; N], reference: [f64; N]) -> f64 {
    let relative = |(found, reference): (f64, f64)| (found - reference).abs() / reference.abs().max(THRESHOLD);
    found.into_iter().zip(reference).map(relative).fold(0.0, |largest, error| {
        // A NaN is no error that a maximum would show.
        if error.is_finite() { f64::max(largest, error) } else { f64::INFINITY }
    })
}

impl Case {
    /// `start` is where it starts, `error` the error of the states at the output steps.
    pub fn new<M: MechanicalSystem<Scalar = f64> + Send + Sync + 'static>(
        task: Task,
        formulation: &'static str,
        system: M,
        start: (M::Configuration, M::Velocity),
        method: impl Integrator<M> + Copy + Send + Sync + 'static,
        error: impl Fn(&M, &[State<M>]) -> f64 + Send + Sync + 'static,
    ) -> Self
    where
        M::Configuration: Send + Sync,
        M::Velocity: Send + Sync,
    {
        let run = move |h: f64, every: usize| {
            let simulation = Simulation::of(&system).initial(start.0.clone(), start.1.clone()).method(method);
            let simulation =
                simulation.step(h).end_time(task.end).output_every(every).constraint_tolerance(f64::INFINITY);
            let clock = ThreadTime::now();
            let run = simulation.run().ok()?;
            let seconds = clock.elapsed().as_secs_f64();
            Some((error(&system, &run.states), seconds))
        };
        Case {
            problem: task.problem,
            formulation,
            method: method.id(),
            published: task.published,
            output: task.output,
            run: Box::new(run),
        }
    }

    /// Runs with steps that halve from the output step on, down to this error.
    pub fn measure(&self, error: f64, repetitions: usize) -> Vec<Point> {
        let mut points: Vec<Point> = Vec::new();
        for halving in 0..=HALVINGS {
            let every = 1_usize << halving;
            let step = self.output / every as f64;
            let point = match (self.run)(step, every) {
                Some((error, first)) => {
                    let repetitions = if first < LONG { repetitions } else { 1 };
                    let others = (1..repetitions).filter_map(|_| Some((self.run)(step, every)?.1));
                    Point { step, error, seconds: others.fold(first, f64::min) }
                }
                None => Point { step, error: f64::INFINITY, seconds: f64::NAN },
            };
            points.push(point);
            if point.error <= error || (point.seconds > LONG && point.error <= HIGH) || point.seconds > 20.0 * LONG {
                break;
            }
        }
        points
    }
}
