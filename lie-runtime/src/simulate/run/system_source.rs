//! The system of a run.

use crate::integrator::Problem;
use crate::simulate::controller::{Controller, SampledInputs};
use crate::simulate::failure::Failure;

/// The system of a run.
pub(in crate::simulate) enum SystemSource<'a, P: Problem> {
    Borrowed(&'a P::System),
    /// Owned by the run; events may change it.
    Owned(Box<P::System>),
    Controlled(Controller<'a, P>),
}

impl<P: Problem> SystemSource<'_, P> {
    pub fn system(&self) -> &P::System {
        match self {
            SystemSource::Borrowed(system) => system,
            SystemSource::Owned(system) => system,
            SystemSource::Controlled(controller) => &controller.system,
        }
    }

    pub fn period(&self) -> Option<f64> {
        match self {
            SystemSource::Borrowed(_) | SystemSource::Owned(_) => None,
            SystemSource::Controlled(controller) => Some(controller.period),
        }
    }

    /// Returns the system if the run owns it.
    pub fn own(&mut self) -> Option<&mut P::System> {
        match self {
            SystemSource::Borrowed(_) => None,
            SystemSource::Owned(system) => Some(system),
            SystemSource::Controlled(controller) => Some(&mut controller.system),
        }
    }

    /// Evaluates the controller, if there is one.
    pub fn ask(&mut self, state: &P::State) -> Result<Option<SampledInputs>, Failure> {
        let SystemSource::Controlled(controller) = self else { return Ok(None) };
        (controller.ask)(&mut controller.system, state).map(Some).map_err(Failure::Inputs)
    }
}
