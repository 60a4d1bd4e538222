//! Change of the terms of constraints between two configurations.

use num_traits::Zero;

use crate::group::TangentVector;
use crate::scalar::{Scalar, is_single};
use crate::space::ConfigurationSpace;
use crate::system::MechanicalSystem;

/// Number of classes of components for the sums of a row. The sums are exact for systems with at most this number of components, and
/// otherwise exact up to cancellations between distant components.
const CLASSES: usize = 17;

/// Buffers for the sums Σⱼ |Bᵢⱼ θⱼ| of the rows i, with θ = log(a⁻¹ b) and B at b.
pub(in crate::simulate) struct RowChanges<M: MechanicalSystem> {
    changes: M::Multipliers,
    sums: M::Multipliers,
    moved: M::Velocity,
    class: M::Velocity,
    jacobian: M::Jacobian,
}

impl<M: MechanicalSystem> RowChanges<M> {
    /// Allocates the buffers.
    pub fn of(system: &M) -> Self {
        RowChanges {
            changes: system.zero_multipliers(),
            sums: system.zero_multipliers(),
            moved: system.zero_velocity(),
            class: system.zero_velocity(),
            jacobian: system.zero_jacobian(),
        }
    }

    /// Returns the sums of the holonomic rows between two configurations at the time t.
    pub fn between(
        &mut self,
        system: &M,
        t: M::Scalar,
        (a, b): (&M::Configuration, &M::Configuration),
    ) -> &M::Multipliers {
        system.space().log_difference(a, b, &mut self.moved);
        system.constraint_jacobian(t, b, &mut self.jacobian);
        let count = self.moved.component_count();
        let least = least_motion::<M::Scalar>();
        self.sums.fill(M::Scalar::zero());
        for class in 0..CLASSES.min(count) {
            self.class.fill(M::Scalar::zero());
            for component in (class..count).step_by(CLASSES) {
                let moved = self.moved.component(component).abs() + least;
                // The signs differ between members because equal signs of a relative motion would cancel.
                let sign = if (component / CLASSES).count_ones().is_multiple_of(2) { 1.0 } else { -1.0 };
                self.class.set_component(component, M::Scalar::from_f64(sign) * moved);
            }
            system.jacobian_times(&self.jacobian, &self.class, &mut self.changes);
            for row in 0..system.holonomic_rows() {
                let sum = self.sums.component(row) + self.changes.component(row).abs();
                self.sums.set_component(row, sum);
            }
        }
        &self.sums
    }
}

/// Returns the smallest displacement of a member in the sums. Residuals of a system at rest are round-off.
fn least_motion<S: Scalar>() -> S {
    S::from_f64(if is_single::<S>() { 3e-2 } else { 1e-6 })
}
