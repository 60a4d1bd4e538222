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

use super::error::Failure;
use super::row_changes::RowChanges;
use crate::group::TangentVector;
use crate::integrator::{Seen, State};
use crate::scalar::Scalar;
use crate::system::{ConstraintDescription, MechanicalSystem};

/// The part of s that a residual may reach, by default.
///
/// Honest half-explicit runs reach 0.026, at steps in which a fast top turns by a radian.
pub(super) const TOLERANCE: f64 = 0.05;
/// A residual that has grown by less than this since it was last compared is not compared again between checks that are due.
const GROWTH: f64 = 1.5;
/// Position residuals of a motion on its way.
pub(super) struct Watch<M: MechanicalSystem> {
    tolerance: f64,
    origin: M::Configuration,
    constraints: Vec<Constraint>,
    /// The largest residual looked at so far.
    pub largest: f64,
    /// The largest residual of the state that was last compared.
    compared: f64,
    residual: M::Multipliers,
    changes: RowChanges<M>,
}

/// A holonomic constraint: its residual where the motion started, and s.
struct Constraint {
    rows: Range<usize>,
    start: f64,
    scale: f64,
}

impl Constraint {
    /// The row with the largest one of some residuals, and that residual.
    fn worst<V: TangentVector>(&self, residual: &V) -> (usize, f64) {
        let size = |row: usize| residual.component(row).value().abs();
        let worst = self
            .rows
            .clone()
            .fold(self.rows.start, |worst, row| if size(row).total_cmp(&size(worst)).is_gt() { row } else { worst });
        (worst, size(worst))
    }
}

impl<M: MechanicalSystem> Watch<M> {
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
            let constraint = Constraint { rows: rows(own), start: 0.0, scale: 0.0 };
            Constraint { start: constraint.worst(&residual).1, ..constraint }
        };
        let mut constraints: Vec<_> = named.map(of_description).collect();
        if constraints.len() == state.memory.seen().len() {
            for (own, seen) in
                constraints.iter_mut().zip(state.memory.seen()).filter(|(own, seen)| is_as_seen(own.start, seen))
            {
                own.scale = seen.scale;
                own.start = seen.start.max(own.start - tolerance * seen.scale);
            }
        }
        Some(Watch {
            tolerance,
            origin: state.configuration.clone(),
            constraints,
            largest: residual.max_norm(),
            compared: residual.max_norm(),
            residual,
            changes: RowChanges::of(system),
        })
    }

    /// True of a state that a run has recorded, if it is no farther off than that run has seen it, and than a tolerance lets pass.
    pub fn knows(&self, state: &State<M>) -> bool {
        let seen = state.memory.seen();
        let is_known = |own: &Constraint, seen: &Seen| {
            let residual = own.worst(&self.residual).1;
            is_as_seen(residual, seen) && residual <= GROWTH * (seen.start + self.tolerance * seen.scale)
        };
        seen.len() == self.constraints.len() && self.constraints.iter().zip(seen).all(|(own, seen)| is_known(own, seen))
    }

    /// Lets the state that was looked at last carry what has been seen of its constraints.
    pub fn mark(&self, state: &mut State<M>) {
        let seen =
            |own: &Constraint| Seen { start: own.start, scale: own.scale, residual: own.worst(&self.residual).1 };
        state.memory.note_seen(self.constraints.iter().map(seen));
    }

    /// Looks at a state at time t; compares its residuals where that `is_due` or they have grown.
    ///
    /// # Errors
    /// [`Failure::OffConstraints`].
    pub fn look(&mut self, system: &M, time: f64, q: &M::Configuration, is_due: bool) -> Result<(), Failure> {
        let t = M::Scalar::from_f64(time);
        system.constraint(t, q, &mut self.residual);
        let residual = self.residual.max_norm();
        self.largest = if residual.is_nan() { residual } else { self.largest.max(residual) };
        if !is_due && residual <= GROWTH * self.compared {
            return Ok(());
        }
        self.compared = residual;
        let sums = self.changes.between(system, t, (&self.origin, q));
        for constraint in &mut self.constraints {
            let sums = constraint.rows.clone().map(|row| sums.component(row).value());
            constraint.scale = sums.fold(constraint.scale, f64::max);
        }
        for constraint in &self.constraints {
            let ((row, residual), scale) = (constraint.worst(&self.residual), constraint.scale);
            if residual.is_nan() || residual > constraint.start + self.tolerance * scale {
                let (row, tolerance) = (system.description().row(row), self.tolerance);
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

/// True of numbers of single precision.
pub(super) fn is_single<S: Scalar>() -> bool {
    S::epsilon() > 1e-10
}
