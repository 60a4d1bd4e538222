//! The residuals of the force balance and of the constraints, with the names of members and constraints.

use crate::analysis::equilibrium::error::EquilibriumError;
use crate::analysis::equilibrium::tangent::Unsolvable;
use crate::analysis::pencil::StaticPoint;
use crate::group::TangentVector;
use crate::integrator::{Quantity, State, StepFailure};
use crate::space::ConfigurationSpace;
use crate::system::{KktError, Linearised, MechanicalSystem};

/// g + Bᵀ λ and Φ.
pub(in crate::analysis) struct StaticResidual<M: MechanicalSystem> {
    pub balance: M::Velocity,
    pub position: M::Multipliers,
    rest: M::Velocity,
}

impl<M: Linearised<Scalar = f64>> StaticResidual<M> {
    pub fn of(system: &M) -> Self {
        StaticResidual {
            balance: system.zero_velocity(),
            position: system.zero_multipliers(),
            rest: system.zero_velocity(),
        }
    }

    /// Evaluates the residuals; returns true if all values are finite.
    pub fn evaluate(&mut self, &StaticPoint { system, t, q, v, multipliers }: &StaticPoint<'_, M>) -> bool {
        system.residual(t, q, v, &self.rest, multipliers, &mut self.balance);
        system.space().remove_spins(q, &mut self.balance);
        if system.holonomic_rows() > 0 {
            system.constraint(t, q, &mut self.position);
        }
        self.balance.all_finite() && self.position.all_finite()
    }

    /// Returns the member with the largest force and this force.
    pub fn worst_member(&self, system: &M) -> (&'static str, f64) {
        let count = self.balance.component_count();
        let size = |at: usize| self.balance.component(at).abs();
        let worst = (0..count).fold(0, |worst, at| if size(at) > size(worst) { at } else { worst });
        (system.description().member_of_component(worst), if count == 0 { 0.0 } else { size(worst) })
    }

    /// Returns the largest component of each name, in descending order.
    pub fn by_name(
        count: usize,
        name: impl Fn(usize) -> &'static str,
        size: impl Fn(usize) -> f64,
    ) -> Vec<(&'static str, f64)> {
        let mut named: Vec<(&'static str, f64)> = Vec::new();
        for at in 0..count {
            let (own, value) = (name(at), size(at).abs());
            match named.iter_mut().find(|(known, _)| *known == own) {
                Some((_, largest)) => *largest = if value > *largest || value.is_nan() { value } else { *largest },
                None => named.push((own, value)),
            }
        }
        named.sort_by(|(_, one), (_, other)| other.total_cmp(one));
        named
    }
}

/// Returns the error of a failed elimination with the names of the declaration.
pub(in crate::analysis) fn explain<M: Linearised<Scalar = f64>>(
    error: Unsolvable,
    system: &M,
    state: &State<M>,
    residual: &StaticResidual<M>,
    iterations: usize,
) -> EquilibriumError {
    match error {
        Unsolvable::Loose(directions) => {
            let (member, force) = residual.worst_member(system);
            EquilibriumError::Loose { iterations, force, member, directions }
        }
        Unsolvable::Kkt(KktError::NotFinite) => {
            EquilibriumError::NotFinite { iterations, quantity: not_finite(system, state) }
        }
        Unsolvable::Kkt(error) => {
            let failure = StepFailure::of_kkt_at(error, system, state.time, &state.configuration);
            EquilibriumError::Iteration { iterations, failure }
        }
    }
}

/// Returns the quantity of a state that is not finite.
pub(in crate::analysis) fn not_finite<M: Linearised<Scalar = f64>>(system: &M, state: &State<M>) -> Quantity {
    match Quantity::find(system, state) {
        Quantity::Stage => Quantity::find_derivative(system, state).unwrap_or(Quantity::Stage),
        found => found,
    }
}
