//! Evaluation of events on dual numbers in a run on plain numbers.

use crate::gradient::lifting::{lifted, lowered};
use crate::integrator::State;
use crate::scalar::Dual;
use crate::simulate::Motion;
use crate::simulate::event::{Change, ChangeBy, Event};
use crate::system::{Liftable, TangentSystem};

/// The value of a function on dual numbers.
type Valued<'v, M> = dyn FnMut(&<M as Liftable>::Lifted, &State<<M as Liftable>::Lifted>) -> f64 + 'v;

/// The event for a run on plain numbers: the values of its function and of its changes.
pub(super) fn on_values<'e, M: TangentSystem + Clone + 'e>(event: &'e mut Event<'_, M::Lifted>) -> Event<'e, M> {
    let value = |value: &mut Valued<M>, system: &M, state: &State<M>| {
        let still = system.lift();
        let state = lifted(system, &still, state);
        value(&still, &state)
    };
    event.adapt(value, change::<M>, |system| Box::new(system.clone()))
}

fn change<M: TangentSystem>(by: &mut ChangeBy<'_, M::Lifted>, at: &mut Change<'_, M>) {
    let system = at.system();
    let (mut own, time) = (system.lift(), Dual::lift(at.time()));
    let mut state = lifted(system, &own, at.state_there());
    // As for the derivatives, with λ and v' of the index-1 system. The error of these is reported.
    let _ = state.carry(&own, time, Dual::lift(0.0));
    at.apply_as(by, time, (&mut own, &mut state));
    let (state, [parameters, _]) = (lowered(at.system(), &state), M::lowered_parameters(&own));
    *at.state() = state;
    at.set(|p| *p = parameters);
}
