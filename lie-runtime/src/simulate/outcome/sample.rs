//! Samples: named values of a motion at one time, for tables, files and figures.

use std::borrow::Cow;

use super::interpolation::interpolate;
use super::trajectory::Trajectory;
use crate::field::legendre::velocity_or_nan;
use crate::field::{AlgebraVector, HamiltonianProblem, HamiltonianSystem, LegendreTransform, OnCotangent};
use crate::group::TangentVector;
use crate::integrator::{FieldState, Problem, Solution, State};
use crate::scalar::Scalar;
use crate::simulate::energy_audit::Balance;
use crate::simulate::motion::{Motion, Simulated};
use crate::system::{MechanicalSystem, ModelError, Report, Value};

/// Named values of a motion at one time.
#[derive(Clone, Debug, PartialEq)]
pub struct Sample {
    /// The time.
    pub t: f64,
    /// The members of q.
    pub configuration: Value,
    /// The members of v, or of a momentum.
    pub velocity: Value,
    /// The auxiliary states by name.
    pub states: Value,
    /// The Lagrange multipliers by constraint.
    pub multipliers: Value,
    /// The inputs by name.
    pub inputs: Value,
    /// The observables by name.
    pub observables: Value,
    /// The energies.
    pub energy: Energy,
    /// The constraint residuals.
    pub residual: Residual,
    /// The energy balance, if the run has an energy audit.
    pub balance: Option<Balance>,
}

/// The energies of a motion at one time.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Energy {
    /// The kinetic energy.
    pub kinetic: f64,
    /// The potential energy.
    pub potential: f64,
}

/// The largest absolute constraint residuals; zero without constraints. For a point of a space, the distance of its representation from the
/// space, which is round-off unless the method leaves the space.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Residual {
    /// Residual of Φ(t, q) = 0.
    pub position: f64,
    /// Residual of B v + b = 0.
    pub velocity: f64,
}

impl Energy {
    /// Returns the total energy, kinetic plus potential.
    pub fn total(self) -> f64 {
        self.kinetic + self.potential
    }

    fn record(self) -> Value {
        record([("kinetic", self.kinetic), ("potential", self.potential), ("total", self.total())])
    }
}

impl Residual {
    fn record(self) -> Value {
        record([("position", self.position), ("velocity", self.velocity)])
    }
}

fn record<const N: usize>(entries: [(&'static str, f64); N]) -> Value {
    Value::Record(entries.map(|(name, value)| (name, Value::Scalar(value))).to_vec())
}

/// A system whose states have samples as states of the problem `P`. A system may implement it for several problems.
///
/// Declared systems implement it, also for their Hamiltonians. You can implement it for your own vector fields:
///
/// ```
/// use lie_runtime::field::VectorFieldProblem;
/// use lie_runtime::integrator::{FieldState, StepFailure};
/// use lie_runtime::prelude::*;
/// use lie_runtime::simulate::{Energy, Sample, Sampled};
/// use lie_runtime::system::Value;
///
/// /// x' = −x, told as the speed of what falls in honey.
/// struct Decay;
///
/// impl VectorField for Decay {
///     type Point = Vector1<f64>;
///     type Workspace = ();
///
///     fn zero(&self) -> Vector1<f64> { Vector1::zeros() }
///     fn workspace(&self) {}
///     fn evaluate(&self, _: f64, x: &Vector1<f64>, _: &mut (), out: &mut Vector1<f64>) -> Result<(), StepFailure> {
///         *out = -x;
///         Ok(())
///     }
/// }
///
/// impl Sampled<VectorFieldProblem<Decay>> for Decay {
///     fn notation(&self) -> String { "R".into() }
///     fn dimension(&self) -> usize { 1 }
///     fn sample(&self, state: &FieldState<VectorFieldProblem<Decay>>) -> Sample {
///         let x = state.point.x;
///         Sample {
///             velocity: Value::Record(vec![("speed", Value::Scalar(x))]),
///             energy: Energy { kinetic: 0.5 * x * x, potential: 0.0 },
///             ..Sample::at(state.time)
///         }
///     }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let run = Simulation::of_field(&Decay).initial(Vector1::new(1.0)).step(0.5).end_time(1.0).run()?;
/// let mut table = Vec::new();
/// run.write_csv(&mut table)?;
/// let table = String::from_utf8(table)?;
/// assert!(table.starts_with("t,velocity.speed,energy.kinetic,energy.potential,energy.total,residual.position,residual.velocity\n0.0,1.0,"));
/// # Ok(())
/// # }
/// ```
#[diagnostic::on_unimplemented(
    message = "`{Self}` does not name the states of `{P}`",
    label = "implement `Sampled<…>` for `{Self}`",
    note = "declared systems implement it for themselves and for their Hamiltonians"
)]
pub trait Sampled<P: Problem<System = Self>> {
    /// Returns the symbol of the state space.
    fn notation(&self) -> String;
    /// Returns the dimension of the state space; the degrees of freedom of a mechanical system.
    fn dimension(&self) -> usize;
    /// Returns the number of constraint rows.
    fn rows(&self) -> usize {
        0
    }
    /// Returns the sample of a state.
    fn sample(&self, state: &P::State) -> Sample;
    /// Returns the state at a time between two states, for figures and animations; `None` if states are not interpolated.
    #[doc(hidden)]
    fn between(&self, from: &P::State, to: &P::State, time: f64) -> Option<P::State> {
        let _ = (from, to, time);
        None
    }
    /// Returns one entry of the record of a sample, for example `configuration` or `energy`; `None` if there is no such entry. Implement it
    /// if entries can be evaluated separately.
    #[doc(hidden)]
    fn part(&self, state: &P::State, name: &str) -> Option<Value> {
        self.sample(state).into_record().into_entry(name)
    }
    /// Visits the values of an entry in order. Implement it if they are available without the entry, because ensembles call it for every
    /// recorded state.
    #[doc(hidden)]
    fn visit_part(&self, state: &P::State, name: &str, visit: &mut dyn FnMut(f64)) {
        if let Some(part) = self.part(state, name) {
            part.for_each_number(visit);
        }
    }
}

impl Sample {
    /// Creates a sample without values.
    pub fn at(t: f64) -> Self {
        let nothing = || Value::Record(Vec::new());
        Sample {
            t,
            configuration: nothing(),
            velocity: nothing(),
            states: nothing(),
            multipliers: nothing(),
            inputs: nothing(),
            observables: nothing(),
            energy: Energy::default(),
            residual: Residual::default(),
            balance: None,
        }
    }

    /// Returns the sample as a record, in the order of exported columns. Exported names omit `configuration` and `observables`.
    pub fn record(&self) -> Value {
        self.clone().into_record()
    }

    /// Converts the sample into a record, in the order of exported columns.
    #[doc(hidden)]
    pub fn into_record(self) -> Value {
        let mut entries = vec![
            ("t", Value::Scalar(self.t)),
            ("configuration", self.configuration),
            ("velocity", self.velocity),
            ("states", self.states),
            ("multipliers", self.multipliers),
            ("inputs", self.inputs),
            ("observables", self.observables),
            ("energy", self.energy.record()),
            ("residual", self.residual.record()),
        ];
        entries.extend(self.balance.map(|balance| ("balance", balance.record())));
        Value::Record(entries)
    }

    /// Returns the values of an observable; empty if there is no such observable.
    pub fn observable(&self, name: &str) -> Vec<f64> {
        self.observables.get(name).map(Value::numbers).unwrap_or_default()
    }
}

impl<M: Report> Sampled<M> for M {
    fn notation(&self) -> String {
        self.description().group.into()
    }
    fn dimension(&self) -> usize {
        self.dof()
    }
    fn rows(&self) -> usize {
        self.constraint_rows()
    }
    fn sample(&self, state: &State<M>) -> Sample {
        let (time, q, v) = (state.time, &state.configuration, &state.velocity);
        let t = M::Scalar::from_f64(time);
        Sample {
            t: time,
            configuration: self.report_configuration(q),
            velocity: self.report_velocity(v),
            states: self.report_states(v),
            multipliers: self.report_multipliers(&state.multipliers),
            inputs: self.report_inputs(t, q, v),
            observables: self.report_observables(t, q, v),
            energy: energy(self, state),
            residual: residual(self, state),
            balance: None,
        }
    }
    fn between(&self, from: &State<M>, to: &State<M>, time: f64) -> Option<State<M>> {
        interpolate(self, from, to, time).ok()
    }
    fn part(&self, state: &State<M>, name: &str) -> Option<Value> {
        let (q, v) = (&state.configuration, &state.velocity);
        let t = M::Scalar::from_f64(state.time);
        Some(match name {
            "t" => Value::Scalar(state.time),
            "configuration" => self.report_configuration(q),
            "velocity" => self.report_velocity(v),
            "states" => self.report_states(v),
            "multipliers" => self.report_multipliers(&state.multipliers),
            "inputs" => self.report_inputs(t, q, v),
            "observables" => self.report_observables(t, q, v),
            "energy" => energy(self, state).record(),
            "residual" => residual(self, state).record(),
            _ => return None,
        })
    }
    fn visit_part(&self, state: &State<M>, name: &str, visit: &mut dyn FnMut(f64)) {
        let (q, v) = (&state.configuration, &state.velocity);
        match name {
            "t" => visit(state.time),
            "configuration" => self.visit_configuration(q, visit),
            "velocity" => self.visit_velocity(v, visit),
            "states" => self.report_states(v).for_each_number(visit),
            "multipliers" => self.visit_multipliers(&state.multipliers, visit),
            "observables" => self.visit_observables(M::Scalar::from_f64(state.time), q, v, visit),
            "energy" => {
                let energy = energy(self, state);
                [energy.kinetic, energy.potential, energy.total()].into_iter().for_each(visit);
            }
            "residual" => {
                let Residual { position, velocity } = residual(self, state);
                [position, velocity].into_iter().for_each(visit);
            }
            _ => {
                if let Some(part) = self.part(state, name) {
                    part.for_each_number(visit);
                }
            }
        }
    }
}

fn energy<M: MechanicalSystem>(system: &M, state: &State<M>) -> Energy {
    let t = M::Scalar::from_f64(state.time);
    Energy {
        kinetic: system.kinetic_energy(t, &state.configuration, &state.velocity).value(),
        potential: system.potential_energy(t, &state.configuration).value(),
    }
}

fn residual<M: MechanicalSystem>(system: &M, state: &State<M>) -> Residual {
    let (q, v) = (&state.configuration, &state.velocity);
    let t = M::Scalar::from_f64(state.time);
    let mut position = system.zero_multipliers();
    system.constraint(t, q, &mut position);
    let (mut jacobian, mut velocity) = (system.zero_jacobian(), system.zero_multipliers());
    system.constraint_jacobian(t, q, &mut jacobian);
    system.jacobian_times(&jacobian, v, &mut velocity);
    let mut drift = system.zero_multipliers();
    system.constraint_drift(t, q, &mut drift);
    velocity.axpy(num_traits::One::one(), &drift);
    Residual { position: position.max_norm(), velocity: velocity.max_norm() }
}

/// Vectors of the Lie algebra of G and its dual.
/// Points of T*G have the names of the declaration; μ has the names of the velocities.
///
/// The potential energy is the difference of the Hamiltonian and T. It is V unless T has terms of first or zeroth degree.
impl<H> Sampled<HamiltonianProblem<H>> for H
where
    H: LegendreTransform + OnCotangent + Report,
    H: HamiltonianSystem<Scalar = <H as MechanicalSystem>::Scalar>,
    H: MechanicalSystem<Configuration = <H as HamiltonianSystem>::Point, Velocity = AlgebraVector<H>>,
{
    fn notation(&self) -> String {
        let group = self.description().group;
        if group.contains(' ') { format!("T*({group})") } else { format!("T*{group}") }
    }
    fn dimension(&self) -> usize {
        2 * self.dof()
    }
    fn sample(&self, state: &FieldState<HamiltonianProblem<H>>) -> Sample {
        let (q, mu) = (&state.point.configuration, &state.point.momentum);
        let t = <H as MechanicalSystem>::Scalar::from_f64(state.time);
        let v = velocity_or_nan(self, q, mu);
        let kinetic = MechanicalSystem::kinetic_energy(self, t, q, &v).value();
        Sample {
            configuration: self.report_configuration(q),
            velocity: Value::Record(vec![("momentum", self.report_velocity(mu))]),
            observables: self.report_observables(t, q, &v),
            energy: Energy { kinetic, potential: self.hamiltonian(q, mu).value() - kinetic },
            ..Sample::at(state.time)
        }
    }
}

/// A state of a figure, with the number of the recorded state before it.
pub(crate) type Shown<'a, P> = (usize, Cow<'a, <P as Problem>::State>);

/// The number of intervals between states in figures and animations.
const SHOWN: f64 = 200.0;

impl<P: Simulated<System: Sampled<P>>> Trajectory<P> {
    /// Returns the recorded states as samples.
    ///
    /// # Errors
    /// [`ModelError`] if the states belong to another system.
    pub(crate) fn samples<'a>(
        &'a self,
        system: &'a P::System,
    ) -> Result<impl Iterator<Item = Sample> + 'a, ModelError> {
        self.states.iter().try_for_each(|state| state.belongs_to(system))?;
        Ok(self.samples_of(system))
    }

    /// Returns the states of figures and animations, each with the number of the recorded state before it: the recorded states, and states
    /// between them where these are far apart. A balance of energy is recorded in its own states only.
    ///
    /// # Errors
    /// [`ModelError`] if the states belong to another system.
    pub(crate) fn shown(&self, system: &P::System) -> Result<Vec<Shown<'_, P>>, ModelError> {
        self.states.iter().try_for_each(|state| state.belongs_to(system))?;
        let times = || self.states.iter().map(Solution::time);
        let longest = (times().fold(f64::MIN, f64::max) - times().fold(f64::MAX, f64::min)) / SHOWN;
        let mut shown = Vec::new();
        for (number, from) in self.states.iter().enumerate() {
            shown.push((number, Cow::Borrowed(from)));
            let Some(to) = self.states.get(number + 1).filter(|_| self.balances.is_empty()) else { continue };
            let (start, h) = (from.time(), to.time() - from.time());
            // The margin ignores round-off errors of equal steps.
            let parts = if h > longest { (h / longest - 1e-6).ceil() } else { 1.0 };
            for part in (1..).map(f64::from).take_while(|part| *part < parts) {
                let time = start + h * part / parts;
                let state = self.log.with_system(system, (number, time), |system| system.between(from, to, time));
                shown.extend(state.map(|state| (number, Cow::Owned(state))));
            }
        }
        Ok(shown)
    }

    /// The samples of these states.
    pub(crate) fn samples_at<'a>(
        &'a self,
        system: &'a P::System,
        shown: &'a [Shown<'_, P>],
    ) -> impl Iterator<Item = Sample> + 'a {
        shown.iter().map(|(number, state)| {
            let sample = self.log.with_system(system, (*number, state.time()), |system| system.sample(state));
            Sample { balance: self.balances.get(*number).cloned(), ..sample }
        })
    }

    /// The samples of states that belong to the system.
    pub(crate) fn samples_of<'a>(&'a self, system: &'a P::System) -> impl Iterator<Item = Sample> + 'a {
        self.states.iter().enumerate().map(|(number, state)| {
            let sample = self.log.with_system(system, (number, state.time()), |system| system.sample(state));
            Sample { balance: self.balances.get(number).cloned(), ..sample }
        })
    }
}
