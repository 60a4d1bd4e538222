//! A period of a motion, with its derivatives.

use nalgebra::{DMatrix, DVector};

use super::dense::{components, stacked};
use super::symmetries::Symmetries;
use crate::gradient::Variation;
use crate::integrator::State;
use crate::space::ConfigurationSpace;
use crate::system::Varied;

/// A period of a motion: where it leads, and what it makes of deviations (θ, δv).
pub(super) struct Round<M: Varied> {
    pub from: State<M>,
    /// Where it ends, (q, v).
    to: (M::Configuration, M::Velocity),
    /// What the initial projection makes of deviations.
    pub admitted: DMatrix<f64>,
    /// What the whole period makes of them.
    pub monodromy: DMatrix<f64>,
    /// The flow at the end.
    pub arrival: DVector<f64>,
    /// What longer ways along symmetries make of the end, a column each.
    pub along: DMatrix<f64>,
    /// r.
    pub missed: DVector<f64>,
}

impl<M: Varied> Round<M> {
    /// Of the states at both ends and the derivatives there; the end is compared as it is where symmetries have moved it. `None` where
    /// these are not defined.
    pub fn new(
        (from, to): (State<M>, State<M>),
        [first, last]: [&[Variation<M>]; 2],
        symmetries: &Symmetries<'_, M>,
        ways: &[f64],
    ) -> Option<Self> {
        let arrival = flow(&to);
        let to = (to.configuration, to.velocity);
        let missed = missed(symmetries.system, &from, &symmetries.carried(&to, ways)?);
        let along = DMatrix::zeros(missed.len(), 0);
        Some(Round { from, to, admitted: matrix(first), monodromy: matrix(last), arrival, along, missed })
    }

    /// The derivatives of what is missed instead of those of the end.
    pub fn moved(self, symmetries: &Symmetries<'_, M>, ways: &[f64]) -> Option<Self> {
        if ways.is_empty() {
            return Some(self);
        }
        let deviations = symmetries.of_deviations(&self.to, ways)?;
        let along = symmetries.of_ways(&self.to, ways)?;
        let (monodromy, arrival) = (&deviations * &self.monodromy, &deviations * &self.arrival);
        Some(Round { monodromy, arrival, along, ..self })
    }

    /// The largest component of r, of velocities over 1 + the largest of v₀.
    pub fn defect(&self) -> f64 {
        use crate::group::TangentVector;
        let dof = self.missed.len() / 2;
        let speed = 1.0 + self.from.velocity.max_norm();
        self.missed.rows(0, dof).amax().max(self.missed.rows(dof, dof).amax() / speed)
    }
}

/// (log(q₀⁻¹ q), v − v₀).
fn missed<M: Varied>(system: &M, from: &State<M>, (q, v): &(M::Configuration, M::Velocity)) -> DVector<f64> {
    let mut way = system.zero_velocity();
    system.space().log_difference(&from.configuration, q, &mut way);
    stacked(&components(&way), &(components(v) - components(&from.velocity)))
}

/// (v, v').
pub(super) fn flow<M: Varied>(state: &State<M>) -> DVector<f64> {
    stacked(&components(&state.velocity), &components(&state.acceleration))
}

/// Derivatives, one a column.
fn matrix<M: Varied>(columns: &[Variation<M>]) -> DMatrix<f64> {
    let columns: Vec<DVector<f64>> =
        columns.iter().map(|one| stacked(&components(&one.configuration), &components(&one.velocity))).collect();
    if columns.is_empty() { DMatrix::zeros(0, 0) } else { DMatrix::from_columns(&columns) }
}
