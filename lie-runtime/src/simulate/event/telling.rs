//! What a run has left, told as that of another problem: of a run on dual numbers as that of one on plain ones.

use std::sync::Arc;

use crate::integrator::Problem;

/// What a system is as that of another problem; `None` where a run has no events that change systems.
pub(crate) type Systems<'t, P, Q> = dyn Fn(&<P as Problem>::System) -> Option<Arc<<Q as Problem>::System>> + 't;

/// How what a run has left is told as that of another problem.
pub(crate) struct Telling<'t, P: Problem, Q: Problem> {
    pub states: &'t mut dyn FnMut(P::State) -> Q::State,
    pub systems: &'t Systems<'t, P, Q>,
}
