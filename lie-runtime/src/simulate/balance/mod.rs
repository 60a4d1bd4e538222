//! Where the energy of a motion has come from and gone to, and which momenta it keeps.
//!
//! With the Lagrangian L = T − V the energy E = v·∂L/∂v − L changes along M v' = −g − Bᵀ λ by
//!
//! ```text
//! E' = Σ v·F − Σ v·∂R/∂v + λᵀ b − ∂L/∂t,    B v + b = 0,
//! ```
//!
//! the powers of the declared forces, of the dissipations, of constraints that move, and of what depends on time by itself. A one-parameter
//! group that moves q along q ξ(q)~ and leaves L as it is has the momentum of Noether,
//!
//! ```text
//! J = ⟨∂L/∂v, ξ(q)⟩ = (T(v + ξ) − T(v − ξ)) / 2,
//! ```
//!
//! which is kept where forces and constraints do nothing along ξ. Both are kept account of beside a run, which they do not touch:
//!
//! ```
//! use lie_runtime::prelude::*;
//!
//! #[mechanical_system]
//! pub mod puck {
//!     use lie_runtime::prelude::*;
//!
//!     #[configuration]
//!     pub struct Table { pub position: R2 }
//!
//!     #[kinetic_energy]
//!     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.position.norm_squared() }
//!
//!     #[potential]
//!     fn spring(q: &Table) -> f64 { 0.5 * q.position.norm_squared() }
//!
//!     #[dissipation]
//!     fn felt(v: &Velocity) -> f64 { 0.05 * v.position.norm_squared() }
//! }
//!
//! # fn main() -> Result<(), Box<dyn std::error::Error>> {
//! let system = puck::System::new()?;
//! let run = Simulation::of(&system)
//!     .starting_at(puck::Table { position: Vector2::x() }, Vector2::y())
//!     .watching_balance()
//!     .watching_momentum("about the middle", |_, q| Vector2::new(-q.position.y, q.position.x))
//!     .step(0.01).until(5.0).run()?;
//! let [first, .., last] = run.balances.as_slice() else { unreachable!() };
//! // What is missing of the energy is what the felt has taken.
//! assert!((last.energy - first.energy - last.work_of("felt").unwrap()).abs() < 1e-9);
//! assert!(run.statistics.energy_defect.unwrap() < 1e-9);
//! // The felt takes angular momentum as well: J' = −0.1 J.
//! assert!((last.momentum("about the middle").unwrap() - (-0.5_f64).exp()).abs() < 1e-8);
//! println!("{}", run.summary());
//! # Ok(())
//! # }
//! ```

mod accounts;

use accounts::Accounts;

use super::energy::total;
use super::error::SetupError;
use crate::group::TangentVector;
use crate::integrator::{Solution, State};
use crate::scalar::Scalar;
use crate::system::{MechanicalSystem, Value};

/// The accounts of a motion at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct Balance {
    /// E = v·∂L/∂v − L: T + V, where T is quadratic in v.
    pub energy: f64,
    /// What has been given to it since the start, by declared forces and, mostly negative, dissipations under their names; by
    /// constraints that move, by time, and by the jumps of events and controllers under [`CONSTRAINTS`](Self::CONSTRAINTS),
    /// [`TIME`](Self::TIME) and [`JUMPS`](Self::JUMPS), if the declaration does not exclude them. Integrated over the steps with an
    /// error of O(h⁴). Empty of runs that were not asked for the balance, and of systems that cannot tell: those written by hand and those
    /// on other numbers than `f64`.
    pub work: Vec<(&'static str, f64)>,
    /// The momenta that are watched, those of declared symmetries last, under their names.
    pub momenta: Vec<(&'static str, f64)>,
}

impl Balance {
    /// What constraints that move have given.
    pub const CONSTRAINTS: &'static str = "moving constraints";
    /// What kinetic and potential energies that depend on time by themselves have given.
    pub const TIME: &'static str = "passing time";
    /// What events and controllers have given at once.
    pub const JUMPS: &'static str = "jumps";

    /// What a force or dissipation of this name has given since the start.
    pub fn work_of(&self, name: &str) -> Option<f64> {
        find(&self.work, name)
    }

    /// The momentum of this name.
    pub fn momentum(&self, name: &str) -> Option<f64> {
        find(&self.momenta, name)
    }

    /// What all together have given since the start.
    pub fn supplied(&self) -> f64 {
        self.work.iter().map(|(_, work)| work).sum()
    }

    /// The numbers under their names.
    pub(super) fn record(&self) -> Value {
        let record = |entries: &[(&'static str, f64)]| {
            Value::Record(entries.iter().map(|&(name, value)| (name, Value::Scalar(value))).collect())
        };
        Value::Record(vec![
            ("energy", Value::Scalar(self.energy)),
            ("work", record(&self.work)),
            ("momenta", record(&self.momenta)),
        ])
    }
}

fn find(entries: &[(&'static str, f64)], name: &str) -> Option<f64> {
    entries.iter().find(|(own, _)| *own == name).map(|(_, value)| *value)
}

/// What keeps the accounts of the energy of a motion on its way.
trait Accountant<S: Solution> {
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
type Open<'a, S> = fn(&<S as Solution>::System, &S, bool) -> Box<dyn Accountant<S> + 'a>;

/// What is to be kept account of.
pub struct Watched<'a, S: Solution> {
    momenta: Vec<Momentum<'a, S>>,
    open: Open<'a, S>,
}

/// The accounts of a motion on its way: they look on, and change nothing.
pub(super) struct Ledger<'a, S: Solution> {
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

    /// See [`Statistics`](super::Statistics).
    pub fn drift(&self) -> (Option<f64>, Option<f64>) {
        (self.energy.defect(), (!self.momenta.is_empty()).then_some(self.drift))
    }
}

/// The larger one; NaN if one of them is.
fn largest(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

/// A momentum that is watched.
struct Momentum<'a, S: Solution> {
    name: &'static str,
    #[allow(clippy::type_complexity)] // Of a system and a state.
    of: Box<dyn Fn(&S::System, &S) -> Result<f64, SetupError> + Send + 'a>,
}

impl<S: Solution> Momentum<'_, S> {
    /// Its value; NaN where ξ is no longer what it was where the motion started.
    fn value(&self, system: &S::System, state: &S) -> f64 {
        (self.of)(system, state).unwrap_or(f64::NAN)
    }
}

impl<'a, M: MechanicalSystem> Watched<'a, State<M>> {
    /// The balance, and what else was asked for.
    pub(super) fn balance(asked: Option<Self>) -> Self
    where
        M: 'a,
    {
        Watched { momenta: asked.map_or_else(Vec::new, |asked| asked.momenta), open: Accounts::open }
    }

    /// The same, and the momentum along q ξ~.
    pub(super) fn and_momentum(
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

/// Accounts of the energy that nobody has asked for: what it is where a state is recorded.
struct MomentaAlone<M: MechanicalSystem> {
    room: M::Velocity,
}

impl<M: MechanicalSystem> MomentaAlone<M> {
    fn open<'a>(system: &M, _: &State<M>, _: bool) -> Box<dyn Accountant<State<M>> + 'a>
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
