//! The system that a run is of.

use crate::integrator::Problem;
use crate::simulate::controller::{Controller, SampledInputs};
use crate::simulate::failure::Failure;

/// The system a run is of: as it was given, or with a controller.
pub(in crate::simulate) enum Given<'a, P: Problem> {
    Lent(&'a P::System),
    /// One of the run's own, which events may change.
    Owned(Box<P::System>),
    Controlled(Controller<'a, P>),
}

impl<P: Problem> Given<'_, P> {
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
