//! Conversion of the results of a run on dual numbers to the results of a run on plain numbers.

use std::sync::Arc;

use crate::integrator::Problem;

/// Converts a system to a system of another problem; returns `None` if the run has no events that change systems.
pub(crate) type SystemMap<'t, P, Q> = dyn Fn(&<P as Problem>::System) -> Option<Arc<<Q as Problem>::System>> + 't;

/// Converts the items of a list.
///
/// `collect` reuses the allocation and is several times as long, for each pair of types in each crate with a system.
pub(crate) fn converted<A, B>(items: Vec<A>, mut convert: impl FnMut(A) -> B) -> Vec<B> {
    let mut all = Vec::with_capacity(items.len());
    for item in items {
        all.push(convert(item));
    }
    all
}

/// The conversion of states and systems to another problem.
pub(crate) struct DualToPlain<'t, P: Problem, Q: Problem> {
    pub states: &'t mut dyn FnMut(P::State) -> Q::State,
    pub systems: &'t SystemMap<'t, P, Q>,
}
