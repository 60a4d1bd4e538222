//! Conversion of the results of a run on dual numbers to the results of a run on plain numbers.

use std::sync::Arc;

use crate::integrator::Problem;

/// Converts a system to a system of another problem; returns `None` if the run has no events that change systems.
pub(crate) type SystemMap<'t, P, Q> = dyn Fn(&<P as Problem>::System) -> Option<Arc<<Q as Problem>::System>> + 't;

/// The conversion of states and systems to another problem.
pub(crate) struct DualToPlain<'t, P: Problem, Q: Problem> {
    pub states: &'t mut dyn FnMut(P::State) -> Q::State,
    pub systems: &'t SystemMap<'t, P, Q>,
}
