//! Check of constraint drift.
//!
//! Methods that enforce velocity constraints have a position drift of O(hᵖ). The drift is immediate if a constraint cannot be satisfied any
//! more or becomes singular. A residual Φᵢ has the unit of its constraint and no natural scale. It is compared with the change of the terms
//! of the constraint since the start,
//!
//! ```text
//! s = max Σⱼ |Bᵢⱼ θⱼ|,    θ = log(q₀⁻¹ q),
//! ```
//!
//! which is the maximum over the rows of the constraint and over the states so far. For example, a joint error of 1/100 of the displacement
//! of its members is 1 % in any unit.
//!
//! A recorded state stores its s, so that a restarted run continues with it. The restarted run therefore permits the same residuals as the
//! previous run. A state with a larger residual than recorded has been modified.

use core::ops::Range;

use num_traits::Zero;

use super::row_changes::RowChanges;
use crate::group::TangentVector;
use crate::integrator::{ObservedConstraint, State};
use crate::scalar::{Mask, Scalar, larger};
use crate::simulate::failure::Failure;
use crate::simulate::warning::Warning;
use crate::system::{ConstraintDescription, MechanicalSystem};

/// Between regular checks, a residual is compared again if it has grown by this factor.
const GROWTH: f64 = 1.5;
/// Position residuals of a run.
pub(in crate::simulate) struct ConstraintMonitor<M: MechanicalSystem> {
    tolerance: f64,
    origin: M::Configuration,
    constraints: Vec<Constraint<M::Scalar>>,
    /// The largest residual so far.
    pub largest: M::Scalar,
    /// The largest residual of the last compared state.
    compared: M::Scalar,
    /// The largest violation before an event changed the system.
    earlier: Option<Violation>,
    residual: M::Multipliers,
    changes: RowChanges<M>,
}

/// A holonomic constraint with its initial residual, its largest residual above the initial one, and s.
struct Constraint<S> {
    rows: Range<usize>,
    start: S,
    worst: S,
    scale: S,
}

/// A residual from this part of s is reported as a warning.
const REPORTED: f64 = 1e-3;

/// The residual of a constraint, for a warning.
#[derive(Clone)]
pub(in crate::simulate) struct Violation {
    constraint: &'static str,
    residual: f64,
    scale: f64,
}

impl Violation {
    fn part(&self) -> f64 {
        self.residual / self.scale
    }

    pub fn warning(self) -> Warning {
        let Violation { constraint, residual, scale } = self;
        Warning::ConstraintViolation { constraint, residual, scale }
    }
}

impl<S: Scalar> Constraint<S> {
    /// Returns the largest absolute residual of the constraint; NaN if any residual is NaN.
    fn largest<V: TangentVector<Scalar = S>>(&self, residual: &V) -> S {
        self.rows.clone().fold(S::zero(), |largest, row| larger(largest, residual.component(row).abs()))
    }

    /// Returns the row with the largest absolute residual.
    fn worst<V: TangentVector<Scalar = S>>(&self, residual: &V) -> usize {
        let size = |row: usize| residual.component(row).value().abs();
        self.rows
            .clone()
            .fold(self.rows.start, |worst, row| if size(row).total_cmp(&size(worst)).is_gt() { row } else { worst })
    }
}

impl<M: MechanicalSystem> ConstraintMonitor<M> {
    /// Starts at a state. Returns `None` without holonomic constraints.
    ///
    /// Residuals of the initial state are permitted, and so are residuals that a previous run has recorded.
    pub fn of(system: &M, state: &State<M>, tolerance: f64) -> Option<Self> {
        let holonomic = system.holonomic_rows();
        if holonomic == 0 {
            return None;
        }
        // A constraint over an empty list has no rows.
        let has_rows = |own: &&ConstraintDescription| own.rows > 0 && own.offset < holonomic;
        let named = system.description().constraints.iter().filter(has_rows);
        let rows = |constraint: &ConstraintDescription| constraint.offset..constraint.offset + constraint.rows;
        let mut residual = system.zero_multipliers();
        system.constraint(M::Scalar::from_f64(state.time), &state.configuration, &mut residual);
        let of_description = |own: &ConstraintDescription| {
            let zero = M::Scalar::zero();
            let constraint = Constraint { rows: rows(own), start: zero, worst: zero, scale: zero };
            Constraint { start: constraint.largest(&residual), ..constraint }
        };
        let mut constraints: Vec<_> = named.map(of_description).collect();
        if constraints.len() == state.memory.seen().len() {
            for (own, seen) in constraints.iter_mut().zip(state.memory.seen()) {
                let start = own.start.value();
                if is_at_most_recorded(start, seen) {
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
            earlier: None,
            residual,
            changes: RowChanges::of(system),
        })
    }

    /// Returns true for a recorded state whose residuals are at most the recorded ones and within the tolerance.
    pub fn is_recorded(&self, state: &State<M>) -> bool {
        let seen = state.memory.seen();
        let is_known = |own: &Constraint<M::Scalar>, seen: &ObservedConstraint| {
            let residual = own.largest(&self.residual).value();
            is_at_most_recorded(residual, seen) && residual <= GROWTH * (seen.start + self.tolerance * seen.scale)
        };
        seen.len() == self.constraints.len() && self.constraints.iter().zip(seen).all(|(own, seen)| is_known(own, seen))
    }

    /// Stores the constraint data of the last state in `state`.
    pub fn store_in(&self, state: &mut State<M>) {
        let seen = |own: &Constraint<M::Scalar>| {
            let [start, scale, residual] = [own.start, own.scale, own.largest(&self.residual)].map(Scalar::value);
            ObservedConstraint { start, scale, residual }
        };
        state.memory.note_seen(self.constraints.iter().map(seen));
    }

    /// Returns the largest violation so far, in units of s, if it is large enough for a warning. For several lanes it has the values of the
    /// first lane.
    pub fn violation(&self, system: &M) -> Option<Violation> {
        let is_reported = |own: &&Constraint<M::Scalar>| {
            let least = M::Scalar::from_f64(REPORTED) * own.scale;
            (least.lt(own.worst) & M::Scalar::zero().lt(own.scale)).any()
        };
        let violation = |own: &Constraint<M::Scalar>| Violation {
            constraint: system.description().row(own.rows.start).constraint,
            residual: own.worst.value(),
            scale: own.scale.value(),
        };
        let found = self.constraints.iter().filter(is_reported).map(violation).chain(self.earlier.clone());
        found.max_by(|a, b| a.part().total_cmp(&b.part()))
    }

    /// Takes over the results of the monitor before a change of the system.
    pub fn inherit(&mut self, before: &Self, system: &M) {
        self.largest = before.largest;
        self.earlier = before.violation(system);
    }

    /// Evaluates the residuals at time t. Compares them in each lane if the check `is_due` or they have grown.
    ///
    /// # Errors
    /// [`Failure::OffConstraints`]; for several lanes with the values of the first lane.
    pub fn check(&mut self, system: &M, time: f64, q: &M::Configuration, is_due: bool) -> Result<(), Failure> {
        let t = M::Scalar::from_f64(time);
        system.constraint(t, q, &mut self.residual);
        let residual = self.residual.lane_norm();
        self.largest = larger(self.largest, residual);
        for constraint in &mut self.constraints {
            constraint.worst = constraint.worst.max(constraint.largest(&self.residual) - constraint.start);
        }
        // NaN counts as growth.
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

/// Returns true if a residual is at most the recorded one, up to round-off.
fn is_at_most_recorded(residual: f64, seen: &ObservedConstraint) -> bool {
    residual <= seen.residual * (1.0 + 1e-6)
}
