//! Changes of a motion in runs without the type of their system.

use std::rc::Rc;

use super::change::{Change, ChangeBy, Merge, Own, merge_parameters};
use crate::integrator::State;
use crate::simulate::failure::EventError;
use crate::system::erased::{Erasable, ErasedSystem, ErasedValue, ErasedVector};

/// Returns a state with the type of its system.
#[inline(never)]
pub(in crate::simulate) fn typed_state<M: Erasable>(erased: &ErasedSystem, state: &State<ErasedSystem>) -> State<M> {
    let system = erased.typed::<M>();
    state.converted(
        |q| q.get::<M::Configuration>().clone(),
        |vector| vector.typed(|| system.zero_velocity()),
        |rows| rows.typed(|| system.zero_multipliers()),
    )
}

/// Hides the type of a state, whose vectors may have wrong lengths.
#[inline(never)]
pub(in crate::simulate) fn erased_state<M: Erasable>(state: &State<M>) -> State<ErasedSystem> {
    state.converted(|q| ErasedValue::of(q.clone()), ErasedVector::of, ErasedVector::of)
}

impl<'a, M: Erasable> ChangeBy<'a, M> {
    /// Hides the type of the system.
    pub(in crate::simulate) fn erased(self) -> ChangeBy<'a, ErasedSystem> {
        let ChangeBy { mut change, own } = self;
        ChangeBy { change: Box::new(move |at| apply(at, own, &mut *change)), own: |system| Box::new(system.clone()) }
    }
}

/// Applies an action to the system and the state with their types.
#[cold]
fn apply<M: Erasable>(at: &mut Change<'_, ErasedSystem>, own: Own<M>, action: &mut dyn FnMut(&mut Change<'_, M>)) {
    let (mut state, mut system) = (typed_state::<M>(at.system, at.state), at.system.typed::<M>().clone());
    let mut change = Change::of(at.event, at.time, (&mut system, &mut state), own);
    action(&mut change);
    let Change { impacts, merge, failure, ends, completion, .. } = change;
    at.impacts = impacts.erased(ErasedSystem::of, erased_state);
    at.merge = merge.map(|_| merge_erased::<M> as Merge<ErasedSystem>);
    at.failure = failure;
    at.ends |= ends;
    at.completion = completion.map(|(completion, argument)| {
        let completion = move |at: &mut Change<'_, ErasedSystem>, argument: f64| {
            apply(at, own, &mut |change| completion(change, argument));
        };
        (Rc::new(completion) as _, argument)
    });
    *at.system.typed_mut() = system;
    *at.state = erased_state(&state);
}

fn merge_erased<M: Erasable>(
    own: &mut ErasedSystem,
    before: &ErasedSystem,
    changed: &ErasedSystem,
) -> Result<(), EventError> {
    merge_parameters::<M>(own.typed_mut(), before.typed(), changed.typed())
}
