//! Inputs that a run determines: sampled controllers, whose output is constant between two sampling instants, and dead time.

use crate::field::MechanicalField;
use crate::inputs::{InputError, InputSet};
use crate::integrator::{FieldState, Problem, Solution, State};
use crate::scalar::Scalar;
use crate::simulate::delay::Delays;
#[cfg(feature = "dynamic")]
use crate::system::NamedInputs;
use crate::system::{Driven, MechanicalSystem};

/// A state that contains q and v of a mechanical system.
#[doc(hidden)]
pub trait StateOf<M: MechanicalSystem>: Solution<System = M> {
    /// Returns q and v.
    fn state(&self) -> (&M::Configuration, &M::Velocity);
}

impl<M: MechanicalSystem> StateOf<M> for State<M> {
    fn state(&self) -> (&M::Configuration, &M::Velocity) {
        (&self.configuration, &self.velocity)
    }
}

impl<M: MechanicalSystem> StateOf<M> for FieldState<MechanicalField<M>> {
    fn state(&self) -> (&M::Configuration, &M::Velocity) {
        (&self.point.0, &self.point.1)
    }
}

/// The output of a controller at a sampling instant.
#[derive(Clone, Debug, PartialEq)]
pub struct SampledInputs {
    /// The sampling instant.
    pub time: f64,
    /// The values of the inputs in the order of the fields, matrices in row-major order.
    pub numbers: Vec<f64>,
}

/// Evaluates a controller in a state and holds its output in the system.
pub(super) type Ask<'a, P> =
    dyn FnMut(&mut <P as Problem>::System, &<P as Problem>::State) -> Result<SampledInputs, InputError> + Send + 'a;

/// Returns a copy of the system with these inputs held.
pub(super) type Hold<P> = fn(&<P as Problem>::System, &[f64]) -> Box<<P as Problem>::System>;

/// The inputs that a run determines, and its copy of the system.
pub(crate) struct Controller<'a, P: Problem> {
    pub system: Box<P::System>,
    /// The sampling period and the controller.
    pub sampled: Option<(f64, Box<Ask<'a, P>>)>,
    pub delays: Option<Delays<P>>,
    pub hold: Hold<P>,
}

impl<'a, P> Controller<'a, P>
where
    P: Problem<System: Driven>,
    P::State: StateOf<P::System>,
{
    /// Prepares a run of this system, without a controller and without dead time.
    pub fn of(system: &P::System) -> Self {
        Controller { system: Box::new(system.clone()), sampled: None, delays: None, hold: holding::<P::System> }
    }

    /// Sets the controller and its sampling period.
    pub fn sampled(
        mut self,
        period: f64,
        mut controller: impl FnMut(
            f64,
            &<P::System as MechanicalSystem>::Configuration,
            &<P::System as Driven>::NamedVelocity,
        ) -> <P::System as Driven>::Inputs
        + Send
        + 'a,
    ) -> Self {
        // Declared functions are compared before the first evaluation of the controller.
        self.system.hold(InputSet::all(Scalar::from_f64(1.0)));
        let ask = move |system: &mut P::System, state: &P::State| {
            let (q, v) = state.state();
            let time = state.time();
            let inputs = controller(time, q, &system.named(v));
            crate::inputs::ensure_finite(&inputs, time)?;
            system.hold(inputs);
            let numbers = inputs.numbers().into_iter().map(Scalar::value).collect();
            Ok(SampledInputs { time, numbers })
        };
        Controller { sampled: Some((period, Box::new(ask))), ..self }
    }
}

/// Returns a copy of the system with these inputs held.
#[allow(clippy::unnecessary_box_returns)] // The system of a problem may be unsized.
fn holding<M: Driven>(system: &M, numbers: &[f64]) -> Box<M> {
    let mut numbers = numbers.iter();
    let mut next = || <M as MechanicalSystem>::Scalar::from_f64(numbers.next().copied().unwrap_or(f64::NAN));
    let mut system = Box::new(system.clone());
    system.hold(M::Inputs::of(&mut next));
    system
}

#[cfg(feature = "dynamic")]
impl<'a, M: NamedInputs> Controller<'a, M> {
    /// Prepares a run with a controller that returns inputs by name.
    pub fn by_name<N: AsRef<str>, V: AsRef<[f64]>, R: IntoIterator<Item = (N, V)>>(
        system: &M,
        period: f64,
        mut controller: impl FnMut(&M, &State<M>) -> R + Send + 'a,
    ) -> Self {
        let mut system = Box::new(system.clone());
        system.hold_scalars(&[]);
        let ask = move |system: &mut M, state: &State<M>| {
            let outputs: Vec<(N, V)> = controller(system, state).into_iter().collect();
            let mut named = outputs.iter().map(|(name, values)| (name.as_ref(), values.as_ref()));
            let numbers = system.with_outputs(state.time, &mut named)?;
            system.hold_scalars(&numbers);
            Ok(SampledInputs { time: state.time, numbers })
        };
        let hold: Hold<M> = |system, numbers| {
            let mut system = Box::new(system.clone());
            system.hold_scalars(numbers);
            system
        };
        Controller { system, sampled: Some((period, Box::new(ask))), delays: None, hold }
    }
}
