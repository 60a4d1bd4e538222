//! Who keeps the accounts of the energy.

use crate::integrator::{Solution, State};
use crate::simulate::checks::total;
use crate::system::MechanicalSystem;

/// What keeps the accounts of the energy of a motion on its way.
pub(super) trait Accountant<S: Solution> {
    /// A step has led to a state.
    fn advance(&mut self, system: &S::System, to: &S);
    /// The system and the state have changed at once.
    fn jump(&mut self, system: &S::System, state: &S);
    /// The energy and all work at a state, the last one or one on the way from it to the next.
    fn at(&mut self, system: &S::System, state: &S) -> (f64, Vec<(&'static str, f64)>);
    /// The largest |E − E₀ − work| after any step, if it can be told.
    fn defect(&self) -> Option<f64>;
}

/// Opens accounts where a run starts; true if something may jump.
pub(super) type Open<'a, S> = fn(&<S as Solution>::System, &S, bool) -> Box<dyn Accountant<S> + 'a>;

/// The larger one; NaN if one of them is.
pub(super) fn largest(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

/// Accounts of the energy that nobody has asked for: what it is where a state is recorded.
pub(super) struct MomentaAlone<M: MechanicalSystem> {
    room: M::Velocity,
}

impl<M: MechanicalSystem> MomentaAlone<M> {
    pub fn open<'a>(system: &M, _: &State<M>, _: bool) -> Box<dyn Accountant<State<M>> + 'a>
    where
        M: 'a,
    {
        Box::new(MomentaAlone::<M> { room: system.zero_velocity() })
    }
}

impl<M: MechanicalSystem> Accountant<State<M>> for MomentaAlone<M> {
    fn advance(&mut self, _: &M, _: &State<M>) {}
    fn jump(&mut self, _: &M, _: &State<M>) {}
    fn at(&mut self, system: &M, state: &State<M>) -> (f64, Vec<(&'static str, f64)>) {
        (total(system, state, &mut self.room), Vec::new())
    }
    fn defect(&self) -> Option<f64> {
        None
    }
}
