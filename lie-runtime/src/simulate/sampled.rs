//! Controllers: inputs that are held from one instant to the next.

use std::sync::Arc;

use super::builder::Simulation;
use super::error::Failure;
use super::motion::{Motion, Simulated};
use crate::field::Mechanical;
use crate::inputs::{InputError, InputSet};
use crate::integrator::{FieldState, Problem, Solution, State};
use crate::scalar::Scalar;
use crate::system::{Driven, MechanicalSystem};

/// A state of which a mechanical system's q and v are known.
pub trait StateOf<M: MechanicalSystem>: Solution<System = M> {
    /// q and v.
    fn state(&self) -> (&M::Configuration, &M::Velocity);
}

impl<M: MechanicalSystem> StateOf<M> for State<M> {
    fn state(&self) -> (&M::Configuration, &M::Velocity) {
        (&self.configuration, &self.velocity)
    }
}

impl<M: MechanicalSystem> StateOf<M> for FieldState<Mechanical<M>> {
    fn state(&self) -> (&M::Configuration, &M::Velocity) {
        (&self.point.0, &self.point.1)
    }
}

/// What a controller has said at a time.
#[derive(Clone, Debug, PartialEq)]
pub struct SampledInputs {
    /// The time from which on it was held.
    pub time: f64,
    /// The numbers of the inputs in the order of the fields, matrices by rows.
    pub numbers: Vec<f64>,
}

/// Asks a controller in a state, and makes the system hold what it says.
type Ask<'a, P> =
    dyn FnMut(&mut <P as Problem>::System, &<P as Problem>::State) -> Result<SampledInputs, InputError> + Send + 'a;

/// The system with these inputs held.
type Hold<P> = fn(&<P as Problem>::System, &[f64]) -> Box<<P as Problem>::System>;

/// A controller of a run, with the system that is its own.
pub(crate) struct Controller<'a, P: Problem> {
    pub system: Box<P::System>,
    pub period: f64,
    pub ask: Box<Ask<'a, P>>,
    pub hold: Hold<P>,
}

/// What a run's controller has said and what events have changed, and how to tell its states with that.
pub(super) struct Log<P: Problem> {
    pub samples: Vec<SampledInputs>,
    /// The systems that events have left, each with the first of the recorded states that is its.
    pub changes: Vec<(usize, Arc<P::System>)>,
    hold: Option<Hold<P>>,
}

impl<P: Problem> Log<P> {
    /// Nothing: of a run without a controller.
    pub fn none() -> Self {
        Log { samples: Vec::new(), changes: Vec::new(), hold: None }
    }

    pub fn of(controller: &Controller<'_, P>) -> Self {
        Log { samples: Vec::new(), changes: Vec::new(), hold: Some(controller.hold) }
    }

    /// Shows the system as it was in the step that led to this time and the recorded state of this number.
    pub fn with_system<R>(
        &self,
        system: &P::System,
        (number, time): (usize, f64),
        show: impl FnOnce(&P::System) -> R,
    ) -> R {
        let changed = self.changes.partition_point(|(first, _)| *first <= number);
        let system = changed.checked_sub(1).map_or(system, |last| &*self.changes[last].1);
        let after = self.samples.partition_point(|sample| sample.time < time);
        match (self.samples.get(after.saturating_sub(1)), self.hold) {
            (Some(sample), Some(hold)) => show(&hold(system, &sample.numbers)),
            _ => show(system),
        }
    }
}

impl<P: Problem> Clone for Log<P> {
    fn clone(&self) -> Self {
        Log { samples: self.samples.clone(), changes: self.changes.clone(), hold: self.hold }
    }
}

/// The system a run is of: as it was given, or with a controller.
pub(super) enum Given<'a, P: Problem> {
    Lent(&'a P::System),
    /// One of the run's own, which events may change.
    Owned(Box<P::System>),
    Controlled(Controller<'a, P>),
}

impl<P: Simulated> Given<'_, P> {
    pub fn system(&self) -> &P::System {
        match self {
            Given::Lent(system) => system,
            Given::Owned(system) => system,
            Given::Controlled(controller) => &controller.system,
        }
    }

    pub fn period(&self) -> Option<f64> {
        match self {
            Given::Lent(_) | Given::Owned(_) => None,
            Given::Controlled(controller) => Some(controller.period),
        }
    }

    /// The system, if it is the run's own.
    pub fn own(&mut self) -> Option<&mut P::System> {
        match self {
            Given::Lent(_) => None,
            Given::Owned(system) => Some(system),
            Given::Controlled(controller) => Some(&mut controller.system),
        }
    }

    /// Asks the controller, if there is one.
    pub fn ask(&mut self, state: &P::State) -> Result<Option<SampledInputs>, Failure> {
        let Given::Controlled(controller) = self else { return Ok(None) };
        (controller.ask)(&mut controller.system, state).map(Some).map_err(Failure::Inputs)
    }
}

impl<'a, P, I, O> Simulation<'a, P, I, O>
where
    P: Simulated<System: Driven>,
    P::State: StateOf<P::System> + Motion,
{
    /// Asks a controller for the inputs at the start and after every `period`, and holds them in between.
    ///
    /// Steps end at these instants, start + k `period`, and methods begin anew after them, so that their order is kept. A
    /// controller may remember: it is asked once at every instant, in order, and not at the end. A run that
    /// [continues](super::Start::continuing_from) another that has ended at an instant asks the next one, and makes the same steps
    /// as a run without the break. Recorded states, λ and v' among them, are those of the step that led to them.
    ///
    /// What constraints and potentials take is not held where the system has it as a function of time
    /// (see [`inputs`](crate::inputs)).
    ///
    /// ```
    /// # use lie_runtime::prelude::*;
    /// #[mechanical_system]
    /// pub mod cart {
    ///     use lie_runtime::prelude::*;
    ///
    ///     #[configuration]
    ///     pub struct Rail { pub x: f64 }
    ///
    ///     #[inputs]
    ///     pub struct Inputs { pub push: f64 }
    ///
    ///     #[kinetic_energy]
    ///     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
    ///
    ///     #[force(on = x)]
    ///     fn motor(u: &Inputs) -> f64 { u.push }
    /// }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let system = cart::System::new()?;
    /// let (mut sum, period) = (0.0, 0.02);
    /// let pid = |_: f64, q: &cart::Rail, v: &cart::Velocity| {
    ///     let error = 1.0 - q.x;
    ///     sum += error * period;
    ///     cart::Inputs { push: 6.0 * error + 2.0 * sum - 4.0 * v.x }
    /// };
    /// let run = Simulation::of(&system)
    ///     .starting_at(cart::Rail { x: 0.0 }, system.zero_velocity())
    ///     .sampled_every(period, pid).step(0.01).until(20.0).run()?;
    /// assert!((run.last().unwrap().configuration.x - 1.0).abs() < 1e-3);
    /// assert_eq!(run.sampled_inputs().len(), 1000);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn sampled_every(
        self,
        period: f64,
        mut controller: impl FnMut(
            f64,
            &<P::System as MechanicalSystem>::Configuration,
            &<P::System as Driven>::NamedVelocity,
        ) -> <P::System as Driven>::Inputs
        + Send
        + 'a,
    ) -> Self {
        let mut system = Box::new(self.system.clone());
        // Declared functions are compared before the controller is asked.
        system.hold(number_of_times(1.0));
        let ask = move |system: &mut P::System, state: &P::State| {
            let (q, v) = state.state();
            let time = state.time();
            let inputs = controller(time, q, &system.named(v));
            crate::inputs::ensure_finite(&inputs, time)?;
            system.hold(inputs);
            let numbers = inputs.numbers().into_iter().map(Scalar::value).collect();
            Ok(SampledInputs { time, numbers })
        };
        Simulation {
            controller: Some(Controller { system, period, ask: Box::new(ask), hold: holding::<P::System> }),
            ..self
        }
    }
}

fn number_of_times<U: InputSet>(number: f64) -> U {
    U::all(U::Scalar::from_f64(number))
}

/// The system with these inputs held.
#[allow(clippy::unnecessary_box_returns)] // The system of a problem may be of no size.
fn holding<M: Driven>(system: &M, numbers: &[f64]) -> Box<M> {
    let mut numbers = numbers.iter();
    let mut next = || <M as MechanicalSystem>::Scalar::from_f64(numbers.next().copied().unwrap_or(f64::NAN));
    let mut system = Box::new(system.clone());
    system.hold(M::Inputs::of(&mut next));
    system
}
