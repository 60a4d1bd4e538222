//! A period of a motion, with its derivatives.

use nalgebra::{DMatrix, DVector};

use crate::analysis::matrices::dense::{components, stacked};
use crate::analysis::periodic::shooting::Guess;
use crate::analysis::periodic::symmetries::Symmetries;
use crate::gradient::Variation;
use crate::group::TangentVector;
use crate::integrator::State;
use crate::scalar::larger;
use crate::space::ConfigurationSpace;
use crate::system::TangentSystem;

/// A period of a motion: where it leads, and what it makes of deviations (θ, δv), moved back along symmetries.
pub(in crate::analysis) struct Round<M: TangentSystem> {
    pub from: State<M>,
    /// T.
    pub period: f64,
    /// How far it moves along symmetries.
    pub ways: Vec<f64>,
    /// What the initial projection makes of deviations.
    pub admitted: DMatrix<f64>,
    /// What the whole period makes of them.
    pub monodromy: DMatrix<f64>,
    /// The flow at the end.
    pub arrival: DVector<f64>,
    /// What longer ways along symmetries make of the end, a column each.
    pub along: DMatrix<f64>,
    /// What a parameter makes of r, where there is one.
    pub by: Option<DVector<f64>>,
    /// r.
    pub missed: DVector<f64>,
}

impl<M: TangentSystem> Round<M> {
    /// Of the states at both ends and the derivatives there. `None` where symmetries are not defined.
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
            // Derivatives of what is missed, not of the end.
            let deviations = symmetries.of_deviations(&end, &back)?;
            along = symmetries.of_ways(&end, &back)?;
            (monodromy, arrival) = (&deviations * &monodromy, &deviations * &arrival);
            by = by.map(|by| &deviations * by);
        }
        let by = by.zip(first.get(count)).map(|(last, first)| last - deviation(first));
        Some(Round { from, period, ways, admitted, monodromy, arrival, along, by, missed })
    }

    /// The motion of this round, to be begun elsewhere.
    pub fn guess(&self) -> Guess<M> {
        Guess {
            configuration: self.from.configuration.clone(),
            velocity: self.from.velocity.clone(),
            period: self.period,
            ways: self.ways.clone(),
        }
    }

    /// The largest component of r, of velocities over 1 + the largest of v₀; NaN if one is.
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

/// Derivatives, one a column.
fn matrix<M: TangentSystem>(columns: &[Variation<M>]) -> DMatrix<f64> {
    let columns: Vec<DVector<f64>> = columns.iter().map(deviation).collect();
    if columns.is_empty() { DMatrix::zeros(0, 0) } else { DMatrix::from_columns(&columns) }
}
