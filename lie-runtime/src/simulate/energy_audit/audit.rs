//! Energy audit of a run.

use super::balance::Balance;
use super::energy::{EnergyOnly, EnergyTracker, OpenTracker, WorkIntegrals, largest};
use crate::group::TangentVector;
use crate::integrator::{Solution, State};
use crate::scalar::Scalar;
use crate::simulate::setup::SetupError;
use crate::system::MechanicalSystem;
#[cfg(feature = "precompiled")]
use crate::system::erased::ErasedSystem;

/// The requested quantities of an energy audit.
pub struct AuditRequest<'a, S: Solution> {
    momenta: Vec<MonitoredMomentum<'a, S>>,
    open: OpenTracker<'a, S>,
}

/// Energy audit of a run. It does not influence the motion.
pub(in crate::simulate) struct EnergyAudit<'a, S: Solution> {
    energy: Box<dyn EnergyTracker<S> + 'a>,
    momenta: Vec<MonitoredMomentum<'a, S>>,
    /// The momenta at the start or after the last jump.
    start: Vec<f64>,
    /// The largest change of a momentum.
    drift: f64,
    /// The recorded balances.
    pub balances: Vec<Balance>,
}

impl<'a, S: Solution> EnergyAudit<'a, S> {
    /// Starts the audit at the initial state. `may_jump` is true if events or controllers may change the motion.
    ///
    /// # Errors
    /// [`SetupError::Symmetry`].
    pub fn open(audit: AuditRequest<'a, S>, system: &S::System, state: &S, may_jump: bool) -> Result<Self, SetupError> {
        let AuditRequest { momenta, open } = audit;
        let start = momenta.iter().map(|momentum| (momentum.of)(system, state)).collect::<Result<_, _>>()?;
        Ok(EnergyAudit { energy: open(system, state, may_jump), momenta, start, drift: 0.0, balances: Vec::new() })
    }

    /// Processes a step to a state.
    pub fn advance(&mut self, system: &S::System, to: &S) {
        self.energy.advance(system, to);
        for (momentum, start) in self.momenta.iter().zip(&self.start) {
            self.drift = largest(self.drift, (momentum.value(system, to) - start).abs());
        }
    }

    /// Processes a discontinuous change of the system and the state. The reference values of momenta are replaced.
    pub fn jump(&mut self, system: &S::System, state: &S) {
        self.energy.jump(system, state);
        self.start = self.momenta.iter().map(|momentum| momentum.value(system, state)).collect();
    }

    /// Records a state within or at the end of the last step.
    pub fn record(&mut self, system: &S::System, state: &S) {
        let (energy, work) = self.energy.at(system, state);
        let momenta = self.momenta.iter().map(|momentum| (momentum.name, momentum.value(system, state))).collect();
        self.balances.push(Balance { energy, work, momenta });
    }

    /// Returns the energy defect and the momentum drift, see [`Statistics`](crate::simulate::Statistics).
    pub fn drift(&self) -> (Option<f64>, Option<f64>) {
        (self.energy.defect(), (!self.momenta.is_empty()).then_some(self.drift))
    }
}

impl<'a, M: MechanicalSystem> AuditRequest<'a, State<M>> {
    /// Adds the energy balance to a request.
    pub(in crate::simulate) fn balance(asked: Option<Self>) -> Self
    where
        M: 'a,
    {
        AuditRequest { momenta: asked.map_or_else(Vec::new, |asked| asked.momenta), open: WorkIntegrals::open }
    }

    /// Adds the momentum along q ξ~ to a request.
    pub(in crate::simulate) fn and_momentum(
        mut self,
        name: &'static str,
        along: impl Fn(&M, &M::Configuration) -> M::Velocity + Send + 'a,
    ) -> Self {
        let of = move |system: &M, state: &State<M>| momentum(name, system, state, along(system, &state.configuration));
        self.momenta.push(MonitoredMomentum { name, of: Box::new(of) });
        self
    }

    /// Converts a request of the energy balance to a request for the system without its type.
    #[cfg(feature = "precompiled")]
    pub(in crate::simulate) fn erased(
        self,
        system: for<'s> fn(&'s ErasedSystem) -> &'s M,
        state: fn(&ErasedSystem, &State<ErasedSystem>) -> State<M>,
    ) -> AuditRequest<'a, State<ErasedSystem>>
    where
        M: 'a,
    {
        let momenta = self.momenta.into_iter().map(|MonitoredMomentum { name, of }| MonitoredMomentum {
            name,
            of: Box::new(move |erased: &ErasedSystem, at: &State<ErasedSystem>| of(system(erased), &state(erased, at))),
        });
        AuditRequest::of_erased(momenta.collect())
    }

    /// Adds the momenta of the declared symmetries to a request.
    pub fn with_symmetries(asked: Option<Self>, system: &M, state: &State<M>) -> Option<Self>
    where
        M: 'a,
    {
        let mut audit = asked;
        for (number, &name) in system.description().symmetries.iter().enumerate() {
            let along = move |system: &M, state: &State<M>| {
                system.symmetry(number, M::Scalar::from_f64(state.time), &state.configuration)
            };
            if along(system, state).is_none() {
                return audit;
            }
            let of = move |system: &M, state: &State<M>| match along(system, state) {
                Some(xi) => momentum(name, system, state, xi),
                None => Ok(f64::NAN),
            };
            let alone = || AuditRequest { momenta: Vec::new(), open: EnergyOnly::open };
            audit.get_or_insert_with(alone).momenta.push(MonitoredMomentum { name, of: Box::new(of) });
        }
        audit
    }
}

#[cfg(feature = "precompiled")]
impl<'a> AuditRequest<'a, State<ErasedSystem>> {
    /// Requests the energy balance. The function is not generic, so that this crate contains the code of the balance.
    #[inline(never)]
    fn of_erased(momenta: Vec<MonitoredMomentum<'a, State<ErasedSystem>>>) -> Self {
        AuditRequest { momenta, open: WorkIntegrals::open }
    }
}

/// A monitored momentum.
struct MonitoredMomentum<'a, S: Solution> {
    name: &'static str,
    #[allow(clippy::type_complexity)] // A function of a system and a state.
    of: Box<dyn Fn(&S::System, &S) -> Result<f64, SetupError> + Send + 'a>,
}

impl<S: Solution> MonitoredMomentum<'_, S> {
    /// Returns its value; NaN if ξ has become invalid.
    fn value(&self, system: &S::System, state: &S) -> f64 {
        (self.of)(system, state).unwrap_or(f64::NAN)
    }
}

/// (T(v + ξ) − T(v − ξ)) / 2.
fn momentum<M: MechanicalSystem>(
    name: &'static str,
    system: &M,
    state: &State<M>,
    along: M::Velocity,
) -> Result<f64, SetupError> {
    let mut v = along;
    let (expected, given) = (system.dof(), v.component_count());
    if given != expected || !v.all_finite() {
        return Err(SetupError::Symmetry { name, expected, given });
    }
    let number = M::Scalar::from_f64;
    let kinetic = |v: &M::Velocity| system.kinetic_energy(number(state.time), &state.configuration, v).value();
    v.axpy(number(1.0), &state.velocity);
    let ahead = kinetic(&v);
    v.scale(number(-1.0));
    v.axpy(number(2.0), &state.velocity);
    Ok(0.5 * (ahead - kinetic(&v)))
}
