//! The period map of a motion and its derivatives.

use nalgebra::{DMatrix, DVector};

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
}

impl<M: TangentSystem> Round<M> {
    /// Creates the map from the states and derivatives at both ends; `None` if symmetries are not defined.
    pub fn new(
        (from, to): (State<M>, State<M>),
        [first, last]: [&[Variation<M>]; 2],
        symmetries: &Symmetries<'_, M>,
        (period, ways): (f64, Vec<f64>),
    ) -> Option<Self> {
        let (mut arrival, end) = (flow(&to), (to.configuration, to.velocity));
        let back: Vec<f64> = ways.iter().map(|way| -way).collect();
        let missed = missed(symmetries.system, &from, &symmetries.carried(&end, &back)?);
        let count = missed.len().min(first.len()).min(last.len());
        let (admitted, mut monodromy) = (matrix(&first[..count]), matrix(&last[..count]));
        let mut along = DMatrix::zeros(missed.len(), 0);
        let mut by = last.get(count).map(deviation);
        if !ways.is_empty() {
            // Derivatives of the defect, not of the end.
            let deviations = symmetries.of_deviations(&end, &back)?;
            along = symmetries.of_ways(&end, &back)?;
            (monodromy, arrival) = (&deviations * &monodromy, &deviations * &arrival);
            by = by.map(|by| &deviations * by);
        }
        let by = by.zip(first.get(count)).map(|(last, first)| last - deviation(first));
        Some(Round { from, period, ways, admitted, monodromy, arrival, along, by, missed })
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

    /// Returns the largest component of r, with velocities relative to 1 + the largest component of v₀; NaN if a component is NaN.
    pub fn defect(&self) -> f64 {
        let dof = self.missed.len() / 2;
        let speed = 1.0 + self.from.velocity.max_norm();
        let units = |at: usize| if at < dof { 1.0 } else { speed };
        self.missed.iter().enumerate().fold(0.0, |most, (at, missed)| larger(most, missed.abs() / units(at)))
    }
}

/// (log(q₀⁻¹ q), v − v₀).
fn missed<M: TangentSystem>(system: &M, from: &State<M>, (q, v): &(M::Configuration, M::Velocity)) -> DVector<f64> {
    let mut way = system.zero_velocity();
    system.space().log_difference(&from.configuration, q, &mut way);
    stacked(&components(&way), &(components(v) - components(&from.velocity)))
}

/// (v, v').
pub(in crate::analysis) fn flow<M: TangentSystem>(state: &State<M>) -> DVector<f64> {
    stacked(&components(&state.velocity), &components(&state.acceleration))
}

/// (θ, δv).
fn deviation<M: TangentSystem>(one: &Variation<M>) -> DVector<f64> {
    stacked(&components(&one.configuration), &components(&one.velocity))
}

/// The derivatives, one per column.
fn matrix<M: TangentSystem>(columns: &[Variation<M>]) -> DMatrix<f64> {
    let columns: Vec<DVector<f64>> = columns.iter().map(deviation).collect();
    if columns.is_empty() { DMatrix::zeros(0, 0) } else { DMatrix::from_columns(&columns) }
}
