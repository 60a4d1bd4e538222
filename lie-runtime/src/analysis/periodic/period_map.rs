//! The period map of a motion and its derivatives.

use nalgebra::{DMatrix, DVector};

use crate::analysis::first_order::{clear_states, mechanical_speed, state_components};
use crate::analysis::matrices::dense::{components, set_components, stacked};
use crate::analysis::periodic::orbit::Orbit;
use crate::analysis::periodic::symmetries::Symmetries;
use crate::gradient::Variation;
use crate::group::TangentVector;
use crate::integrator::State;
use crate::scalar::larger;
use crate::space::ConfigurationSpace;
use crate::system::TangentSystem;

/// A guess of the motion.
pub(in crate::analysis) struct Guess<M: TangentSystem> {
    pub configuration: M::Configuration,
    pub velocity: M::Velocity,
    pub period: f64,
    /// The displacement along each symmetry.
    pub ways: Vec<f64>,
}

impl<M: TangentSystem> Guess<M> {
    /// Returns a guess of several periods of an orbit.
    pub fn of(orbit: &Orbit<M>, rounds: u8) -> Self {
        let rounds = f64::from(rounds);
        Guess {
            configuration: orbit.state.configuration.clone(),
            velocity: orbit.state.velocity.clone(),
            period: rounds * orbit.period,
            ways: orbit.ways.iter().map(|(_, way)| rounds * way).collect(),
        }
    }

    /// Adds a fraction of a correction (x, τ, ways), without τ if a drive determines the period.
    pub fn moved(&self, system: &M, correction: &DVector<f64>, part: f64) -> Self {
        let dof = system.dof();
        let (mut turn, mut velocity) = (system.zero_velocity(), system.zero_velocity());
        set_components(&mut turn, &(correction.rows(0, dof) * part));
        set_components(&mut velocity, &(correction.rows(dof, dof) * part));
        velocity.axpy(1.0, &self.velocity);
        let mut configuration = self.configuration.clone();
        system.space().compose_exp(&self.configuration, &turn, &mut configuration);
        let first = correction.len() - self.ways.len();
        let period = if first > 2 * dof { self.period + part * correction[2 * dof] } else { self.period };
        let ways = self.ways.iter().zip(correction.iter().skip(first)).map(|(way, more)| way + part * more).collect();
        Guess { configuration, velocity, period, ways }
    }
}

/// One period of a motion: its end and its effect on deviations (θ, δv), moved back along symmetries.
pub(in crate::analysis) struct Round<M: TangentSystem> {
    pub from: State<M>,
    /// T.
    pub period: f64,
    /// The displacements along symmetries.
    pub ways: Vec<f64>,
    /// The derivative of the initial projection.
    pub admitted: DMatrix<f64>,
    /// The derivative of the whole period.
    pub monodromy: DMatrix<f64>,
    /// The flow at the end.
    pub arrival: DVector<f64>,
    /// The derivatives of the end with respect to the displacements along symmetries, one column each.
    pub along: DMatrix<f64>,
    /// The derivative of r with respect to a parameter, if any.
    pub by: Option<DVector<f64>>,
    /// r.
    pub missed: DVector<f64>,
    /// The units of r.
    units: DVector<f64>,
}

impl<M: TangentSystem> Round<M> {
    /// Creates the map from the states and derivatives at both ends; `None` if symmetries are not defined.
    pub fn new(
        (from, to): (State<M>, State<M>),
        [first, last]: [&[Variation<M>]; 2],
        symmetries: &Symmetries<'_, M>,
        (period, ways): (f64, Vec<f64>),
    ) -> Option<Self> {
        let system = symmetries.system;
        let (mut arrival, end) = (flow(system, &to), (to.configuration, to.velocity));
        let back: Vec<f64> = ways.iter().map(|way| -way).collect();
        let missed = missed(system, &from, &symmetries.carried(&end, &back)?);
        let count = missed.len().min(first.len()).min(last.len());
        let (admitted, mut monodromy) = (matrix(system, &first[..count]), matrix(system, &last[..count]));
        let mut along = DMatrix::zeros(missed.len(), 0);
        let mut by = last.get(count).map(|last| deviation(system, last));
        if !ways.is_empty() {
            // Derivatives of the defect, not of the end.
            let deviations = symmetries.of_deviations(&end, &back)?;
            along = symmetries.of_ways(&end, &back)?;
            (monodromy, arrival) = (&deviations * &monodromy, &deviations * &arrival);
            by = by.map(|by| &deviations * by);
        }
        let by = by.zip(first.get(count)).map(|(last, first)| last - deviation(system, first));
        let units = units(system, &from);
        Some(Round { from, period, ways, admitted, monodromy, arrival, along, by, missed, units })
    }

    /// Returns the guess of this motion.
    pub fn guess(&self) -> Guess<M> {
        Guess {
            configuration: self.from.configuration.clone(),
            velocity: self.from.velocity.clone(),
            period: self.period,
            ways: self.ways.clone(),
        }
    }

    /// Returns the largest component of r, with velocities relative to 1 + the largest component of v₀ and an auxiliary state relative to
    /// 1 + |z₀|; NaN if a component is NaN.
    pub fn defect(&self) -> f64 {
        self.missed.iter().zip(&self.units).fold(0.0, |most, (missed, unit)| larger(most, missed.abs() / unit))
    }
}

/// Returns the units of r.
fn units<M: TangentSystem>(system: &M, from: &State<M>) -> DVector<f64> {
    let (dof, states) = (system.dof(), state_components(system));
    let speed = 1.0 + mechanical_speed(system, &from.velocity);
    DVector::from_fn(2 * dof, |at, _| match at.checked_sub(dof) {
        None => 1.0,
        Some(component) if states.contains(&component) => 1.0 + from.velocity.component(component).abs(),
        Some(_) => speed,
    })
}

/// Stacks (θ, δv). The coordinates of auxiliary states have no meaning: their components of θ are zero.
fn phase<M: TangentSystem>(system: &M, theta: &M::Velocity, velocity: &M::Velocity) -> DVector<f64> {
    let mut theta = theta.clone();
    clear_states(system, &mut theta);
    stacked(&components(&theta), &components(velocity))
}

/// (log(q₀⁻¹ q), v − v₀).
fn missed<M: TangentSystem>(system: &M, from: &State<M>, (q, v): &(M::Configuration, M::Velocity)) -> DVector<f64> {
    let (mut way, mut change) = (system.zero_velocity(), v.clone());
    system.space().log_difference(&from.configuration, q, &mut way);
    change.axpy(-1.0, &from.velocity);
    phase(system, &way, &change)
}

/// (v, v').
pub(in crate::analysis) fn flow<M: TangentSystem>(system: &M, state: &State<M>) -> DVector<f64> {
    phase(system, &state.velocity, &state.acceleration)
}

/// (θ, δv).
fn deviation<M: TangentSystem>(system: &M, one: &Variation<M>) -> DVector<f64> {
    phase(system, &one.configuration, &one.velocity)
}

/// The derivatives, one per column; zero with respect to the coordinates of auxiliary states.
fn matrix<M: TangentSystem>(system: &M, columns: &[Variation<M>]) -> DMatrix<f64> {
    let columns: Vec<DVector<f64>> = columns.iter().map(|one| deviation(system, one)).collect();
    if columns.is_empty() {
        return DMatrix::zeros(0, 0);
    }
    let mut matrix = DMatrix::from_columns(&columns);
    state_components(system).for_each(|column| matrix.column_mut(column).fill(0.0));
    matrix
}
