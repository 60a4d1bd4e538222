//! Whether a motion stays on its constraints.
//!
//! Methods that keep constraints on the level of velocities drift off that of positions, as O(hᵖ); off a constraint that
//! has become impossible, or singular on the way, they drift at once. A residual Φᵢ has the units of its constraint and
//! says nothing by itself. It is compared with how much the terms of the constraint have changed since the start,
//!
//! ```text
//! s = max Σⱼ |Bᵢⱼ θⱼ|,    θ = log(q₀⁻¹ q),
//! ```
//!
//! the maximum over the rows of the constraint and the states looked at so far: a joint off by a hundredth of how far its
//! members have moved is off, in whatever units.
//!
//! A run that goes on from a state that another one has recorded goes on with its s: the state carries it. So what a run has
//! let pass is let pass again, and no more: a state that is farther off than it was recorded has been changed since.

use core::ops::Range;

use num_traits::Zero;

use super::row_changes::RowChanges;
use crate::group::TangentVector;
use crate::integrator::{Seen, State};
use crate::scalar::{Mask, Scalar, larger};
use crate::simulate::failure::Failure;
use crate::system::{ConstraintDescription, MechanicalSystem};

/// A residual that has grown by less than this since it was last compared is not compared again between checks that are due.
const GROWTH: f64 = 1.5;
/// Position residuals of a motion on its way.
pub(in crate::simulate) struct ConstraintMonitor<M: MechanicalSystem> {
    tolerance: f64,
    origin: M::Configuration,
    constraints: Vec<Constraint<M::Scalar>>,
    /// The largest residual looked at so far.
    pub largest: M::Scalar,
    /// The largest residual of the state that was last compared.
    compared: M::Scalar,
    residual: M::Multipliers,
    changes: RowChanges<M>,
}

/// A holonomic constraint: its residual where the motion started, and s.
struct Constraint<S> {
    rows: Range<usize>,
    start: S,
    scale: S,
}

impl<S: Scalar> Constraint<S> {
    /// The largest one of some residuals; NaN if one is.
    fn largest<V: TangentVector<Scalar = S>>(&self, residual: &V) -> S {
        self.rows.clone().fold(S::zero(), |largest, row| larger(largest, residual.component(row).abs()))
    }

    /// The row with the largest one of some residuals.
    fn worst<V: TangentVector<Scalar = S>>(&self, residual: &V) -> usize {
        let size = |row: usize| residual.component(row).value().abs();
        self.rows
            .clone()
            .fold(self.rows.start, |worst, row| if size(row).total_cmp(&size(worst)).is_gt() { row } else { worst })
    }
}

impl<M: MechanicalSystem> ConstraintMonitor<M> {
    /// A watch of a motion from a state on; `None` without holonomic constraints.
    ///
    /// What is off already where the motion starts is not held against it; nor is, where it goes on from a recorded state, what
    /// was let pass until then.
    pub fn of(system: &M, state: &State<M>, tolerance: f64) -> Option<Self> {
        let holonomic = system.holonomic_rows();
        if holonomic == 0 {
            return None;
        }
        // One over an empty list has no rows.
        let has_rows = |own: &&ConstraintDescription| own.rows > 0 && own.offset < holonomic;
        let named = system.description().constraints.iter().filter(has_rows);
        let rows = |constraint: &ConstraintDescription| constraint.offset..constraint.offset + constraint.rows;
        let mut residual = system.zero_multipliers();
        system.constraint(M::Scalar::from_f64(state.time), &state.configuration, &mut residual);
        let of_description = |own: &ConstraintDescription| {
            let constraint = Constraint { rows: rows(own), start: M::Scalar::zero(), scale: M::Scalar::zero() };
            Constraint { start: constraint.largest(&residual), ..constraint }
        };
        let mut constraints: Vec<_> = named.map(of_description).collect();
        if constraints.len() == state.memory.seen().len() {
            for (own, seen) in constraints.iter_mut().zip(state.memory.seen()) {
                let start = own.start.value();
                if is_as_seen(start, seen) {
                    own.scale = M::Scalar::from_f64(seen.scale);
                    own.start = M::Scalar::from_f64(seen.start.max(start - tolerance * seen.scale));
                }
            }
        }
        Some(ConstraintMonitor {
            tolerance,
            origin: state.configuration.clone(),
            constraints,
            largest: residual.lane_norm(),
            compared: residual.lane_norm(),
            residual,
            changes: RowChanges::of(system),
        })
    }

    /// True of a state that a run has recorded, if it is no farther off than that run has seen it, and than a tolerance lets pass.
    pub fn knows(&self, state: &State<M>) -> bool {
        let seen = state.memory.seen();
        let is_known = |own: &Constraint<M::Scalar>, seen: &Seen| {
            let residual = own.largest(&self.residual).value();
            is_as_seen(residual, seen) && residual <= GROWTH * (seen.start + self.tolerance * seen.scale)
        };
        seen.len() == self.constraints.len() && self.constraints.iter().zip(seen).all(|(own, seen)| is_known(own, seen))
    }

    /// Lets the state that was looked at last carry what has been seen of its constraints.
    pub fn mark(&self, state: &mut State<M>) {
        let seen = |own: &Constraint<M::Scalar>| {
            let [start, scale, residual] = [own.start, own.scale, own.largest(&self.residual)].map(Scalar::value);
            Seen { start, scale, residual }
        };
        state.memory.note_seen(self.constraints.iter().map(seen));
    }

    /// Looks at a state at time t; compares its residuals where that `is_due` or they have grown, in each lane by itself.
    ///
    /// # Errors
    /// [`Failure::OffConstraints`], of several lanes with the numbers of the first one.
    pub fn look(&mut self, system: &M, time: f64, q: &M::Configuration, is_due: bool) -> Result<(), Failure> {
        let t = M::Scalar::from_f64(time);
        system.constraint(t, q, &mut self.residual);
        let residual = self.residual.lane_norm();
        self.largest = larger(self.largest, residual);
        // What is NaN has grown.
        let has_grown = !residual.le(M::Scalar::from_f64(GROWTH) * self.compared);
        let compares = has_grown | Mask::splat(is_due);
        if !compares.any() {
            return Ok(());
        }
        self.compared = M::Scalar::select(compares, residual, self.compared);
        let sums = self.changes.between(system, t, (&self.origin, q));
        for constraint in &mut self.constraints {
            let sums = constraint.rows.clone().map(|row| sums.component(row));
            let scale = sums.fold(constraint.scale, M::Scalar::max);
            constraint.scale = M::Scalar::select(compares, scale, constraint.scale);
        }
        let tolerance = self.tolerance;
        for constraint in &self.constraints {
            let (residual, scale) = (constraint.largest(&self.residual), constraint.scale);
            let bound = constraint.start + M::Scalar::from_f64(tolerance) * scale;
            let is_off = bound.lt(residual) | !residual.le(residual);
            if (compares & is_off).any() {
                let row = system.description().row(constraint.worst(&self.residual));
                let (residual, scale) = (residual.value(), scale.value());
                return Err(Failure::OffConstraints { time, row, residual, scale, tolerance });
            }
        }
        Ok(())
    }
}

/// True of a residual that is not larger than it was, but for round-off.
fn is_as_seen(residual: f64, seen: &Seen) -> bool {
    residual <= seen.residual * (1.0 + 1e-6)
}
