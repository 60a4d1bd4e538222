//! The accounts of a motion on its way.

use super::accountant::{Accountant, MomentaAlone, Open, largest};
use super::accounts::Accounts;
use super::entry::Balance;
use super::momentum::{Momentum, momentum};
use crate::integrator::{Solution, State};
use crate::scalar::Scalar;
use crate::simulate::setup::SetupError;
use crate::system::MechanicalSystem;

/// What is to be kept account of.
pub struct Watched<'a, S: Solution> {
    momenta: Vec<Momentum<'a, S>>,
    open: Open<'a, S>,
}

/// The accounts of a motion on its way: they look on, and change nothing.
pub(in crate::simulate) struct Ledger<'a, S: Solution> {
    energy: Box<dyn Accountant<S> + 'a>,
    momenta: Vec<Momentum<'a, S>>,
    /// The momenta at the start or after the last jump.
    start: Vec<f64>,
    /// The largest change of one.
    drift: f64,
    /// What has been recorded.
    pub balances: Vec<Balance>,
}

impl<'a, S: Solution> Ledger<'a, S> {
    /// Opens the accounts where a run starts, in which something may jump.
    ///
    /// # Errors
    /// [`SetupError::Symmetry`].
    pub fn open(watched: Watched<'a, S>, system: &S::System, state: &S, may_jump: bool) -> Result<Self, SetupError> {
        let Watched { momenta, open } = watched;
        let start = momenta.iter().map(|momentum| (momentum.of)(system, state)).collect::<Result<_, _>>()?;
        Ok(Ledger { energy: open(system, state, may_jump), momenta, start, drift: 0.0, balances: Vec::new() })
    }

    /// A step has led to a state.
    pub fn advance(&mut self, system: &S::System, to: &S) {
        self.energy.advance(system, to);
        for (momentum, start) in self.momenta.iter().zip(&self.start) {
            self.drift = largest(self.drift, (momentum.value(system, to) - start).abs());
        }
    }

    /// The system and the state have changed at once: momenta begin anew.
    pub fn jump(&mut self, system: &S::System, state: &S) {
        self.energy.jump(system, state);
        self.start = self.momenta.iter().map(|momentum| momentum.value(system, state)).collect();
    }

    /// A state is recorded, the last one or one on the way from it to the next.
    pub fn record(&mut self, system: &S::System, state: &S) {
        let (energy, work) = self.energy.at(system, state);
        let momenta = self.momenta.iter().map(|momentum| (momentum.name, momentum.value(system, state))).collect();
        self.balances.push(Balance { energy, work, momenta });
    }

    /// See [`Statistics`](crate::simulate::Statistics).
    pub fn drift(&self) -> (Option<f64>, Option<f64>) {
        (self.energy.defect(), (!self.momenta.is_empty()).then_some(self.drift))
    }
}

impl<'a, M: MechanicalSystem> Watched<'a, State<M>> {
    /// The balance, and what else was asked for.
    pub(in crate::simulate) fn balance(asked: Option<Self>) -> Self
    where
        M: 'a,
    {
        Watched { momenta: asked.map_or_else(Vec::new, |asked| asked.momenta), open: Accounts::open }
    }

    /// The same, and the momentum along q ξ~.
    pub(in crate::simulate) fn and_momentum(
        mut self,
        name: &'static str,
        along: impl Fn(&M, &M::Configuration) -> M::Velocity + Send + 'a,
    ) -> Self {
        let of = move |system: &M, state: &State<M>| momentum(name, system, state, along(system, &state.configuration));
        self.momenta.push(Momentum { name, of: Box::new(of) });
        self
    }

    /// What was asked for, and the momenta of the symmetries that are declared.
    pub fn with_symmetries(asked: Option<Self>, system: &M, state: &State<M>) -> Option<Self>
    where
        M: 'a,
    {
        let mut watched = asked;
        for (number, &name) in system.description().symmetries.iter().enumerate() {
            let along = move |system: &M, state: &State<M>| {
                system.symmetry(number, M::Scalar::from_f64(state.time), &state.configuration)
            };
            if along(system, state).is_none() {
                return watched;
            }
            let of = move |system: &M, state: &State<M>| match along(system, state) {
                Some(xi) => momentum(name, system, state, xi),
                None => Ok(f64::NAN),
            };
            let alone = || Watched { momenta: Vec::new(), open: MomentaAlone::open };
            watched.get_or_insert_with(alone).momenta.push(Momentum { name, of: Box::new(of) });
        }
        watched
    }
}
