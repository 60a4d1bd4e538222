//! The system of a run.

use crate::integrator::Problem;
use crate::simulate::controller::{Controller, SampledInputs};
use crate::simulate::delay::Delays;
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
            SystemSource::Controlled(controller) => controller.sampled.as_ref().map(|(period, _)| *period),
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

    /// Returns the dead times of the run with its system.
    pub fn delays(&mut self) -> Option<(&mut Delays<P>, &mut P::System)> {
        match self {
            SystemSource::Borrowed(_) | SystemSource::Owned(_) => None,
            SystemSource::Controlled(Controller { delays, system, .. }) => Some((delays.as_mut()?, system)),
        }
    }

    /// Evaluates the controller, if there is one.
    pub fn ask(&mut self, state: &P::State) -> Result<Option<SampledInputs>, Failure> {
        let SystemSource::Controlled(Controller { system, sampled: Some((_, ask)), .. }) = self else {
            return Ok(None);
        };
        ask(system, state).map(Some).map_err(Failure::Inputs)
    }
}
