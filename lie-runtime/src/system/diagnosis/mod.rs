//! Diagnosis of constraints: rank and dependent rows of B at a configuration, and the remaining degrees of freedom.
//!
//! The inner product of the rows i and k is (B M⁻¹ Bᵀ)ᵢₖ, and each row is scaled to length one. Therefore neither the
//! units of a constraint nor the units of the velocities matter. The criterion is the sine of the angle between a row
//! and the span of the others, as in the solution for the multipliers
//! ([`SINGULAR_PIVOT`](crate::solve::SINGULAR_PIVOT)).

mod constraint_rows;
mod display;
mod free_directions;

use super::{Description, KktError, MechanicalSystem};
use crate::group::TangentVector;
use crate::scalar::Scalar;
use crate::solve::{dependent_rows, lost_pivot};
use constraint_rows::ConstraintRows;
pub use constraint_rows::smallest_singular_value;
pub(crate) use constraint_rows::smallest_singular_value_of_acting_rows;
pub(crate) use constraint_rows::{redundant_rows, singular_values};
pub use free_directions::FreeDirections;

/// A constraint row, in the names of the declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConstraintRow {
    /// The constraint's name.
    pub constraint: &'static str,
    /// The number of the element, if the constraint runs over members.
    pub element: Option<usize>,
    /// The row within the constraint or element, counted from 0.
    pub row: usize,
    /// The row of B.
    #[doc(hidden)]
    pub row_of_jacobian: usize,
}

/// A row of B that is a linear combination of others.
#[derive(Clone, Debug, PartialEq)]
pub struct Dependency {
    /// The row.
    pub row: ConstraintRow,
    /// The rows that it depends on, with their coefficients in the units of the declaration; empty for a row without a
    /// gradient.
    pub follows_from: Vec<(ConstraintRow, f64)>,
    /// Φ of the row minus the same combination of the Φ of the other rows, in the units of the constraint. Zero up to
    /// round-off if the constraints do not contradict each other.
    pub mismatch: f64,
    /// The mismatch of b, the part of B v + b that is free of v.
    pub rate_mismatch: f64,
    /// True if both mismatches are round-off: the row can be removed.
    pub is_consistent: bool,
}

/// The analysis of the constraints of a system at one configuration; `Display` prints it as a page.
///
/// Returned by [`Diagnose::diagnose`].
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnosis {
    /// The system's name.
    #[doc(hidden)]
    pub system: &'static str,
    /// The time.
    pub time: f64,
    /// Degrees of freedom before constraints.
    pub dof: usize,
    /// The rows of B, in order.
    pub rows: Vec<ConstraintRow>,
    /// The length of each row in the metric of M⁻¹: the acceleration due to a unit multiplier, in the norm of the
    /// kinetic energy. Rows whose lengths differ by many orders of magnitude have incompatible units.
    #[doc(hidden)]
    pub lengths: Vec<f64>,
    /// The number of independent rows.
    pub rank: usize,
    /// Rows that depend on others.
    pub dependencies: Vec<Dependency>,
    /// For each row, true if its multiplier is unique: the row does not depend on others, nor others on it.
    #[doc(hidden)]
    pub is_unique: Vec<bool>,
    /// The differentiation index of the equations of motion: 3 with constraints on the configuration, 2 with
    /// constraints on the velocity only, 0 without constraints. The index of multipliers that are not unique is undefined.
    #[doc(hidden)]
    pub index: usize,
    /// The smallest singular value of the rows scaled to length one, in the metric of M⁻¹. It is at most 1, and the
    /// sine of an angle for two rows. For redundant rows it is round-off, about 1e-8; without rows it is 1.
    pub smallest_singular_value: f64,
    /// The smallest singular value above round-off: the one with the position of the rank.
    #[doc(hidden)]
    pub smallest_kept: f64,
    /// The largest component of Φ(t, q), with its row; `None` without holonomic constraints.
    pub residual: Option<(ConstraintRow, f64)>,
    /// The free directions of each member; empty for systems of more than 512 degrees of freedom.
    pub free_directions: Vec<FreeDirections>,
}

impl Diagnosis {
    /// Returns the remaining degrees of freedom.
    pub fn degrees_of_freedom(&self) -> usize {
        self.dof - self.rank
    }

    /// Returns true if every row is independent of the others.
    #[doc(hidden)]
    pub fn is_regular(&self) -> bool {
        self.dependencies.is_empty()
    }

    /// Returns true if no dependent row contradicts the rows that it depends on.
    pub fn is_consistent(&self) -> bool {
        self.dependencies.iter().all(|dependency| dependency.is_consistent)
    }

    /// Returns the dependency of row `row` of B; for a row that others depend on, the first of these dependencies.
    #[doc(hidden)]
    pub fn dependency_of(&self, row: usize) -> Option<&Dependency> {
        let has_row = |dependency: &&Dependency| dependency.row.row_of_jacobian == row;
        let uses_row =
            |dependency: &&Dependency| dependency.follows_from.iter().any(|(other, _)| other.row_of_jacobian == row);
        self.dependencies.iter().find(has_row).or_else(|| self.dependencies.iter().find(uses_row))
    }

    /// Returns the rows whose multipliers are unique.
    pub fn unique_rows(&self) -> impl Iterator<Item = ConstraintRow> + '_ {
        self.rows.iter().zip(&self.is_unique).filter(|(_, unique)| **unique).map(|(row, _)| *row)
    }
}

impl Description {
    /// Returns row `row` of B in the names of the declaration.
    #[doc(hidden)]
    pub fn row(&self, row: usize) -> ConstraintRow {
        let within = |offset: usize, rows: usize| (offset..offset + rows).contains(&row);
        let found = self.constraints.iter().find(|constraint| within(constraint.offset, constraint.rows));
        let (constraint, offset) = found.map_or(("constraint", 0), |constraint| (constraint.name, constraint.offset));
        let of_element = found.and_then(|constraint| constraint.rows_of_element).filter(|rows| *rows > 0);
        let (element, row_of_one) = match of_element {
            Some(rows) => (Some((row - offset) / rows), (row - offset) % rows),
            None => (None, row - offset),
        };
        ConstraintRow { constraint, element, row: row_of_one, row_of_jacobian: row }
    }
}

/// A mismatch is round-off below this multiple of its terms, or of the change due to a unit motion.
const CONSISTENT: f64 = 1e-8;

/// Diagnosis of the constraints of any mechanical system.
#[doc(alias = "rank")]
#[doc(alias = "redundant constraints")]
#[doc(alias = "null space")]
pub trait Diagnose: MechanicalSystem {
    /// Analyses the constraints at (t, q): which rows depend on which others, the degrees of freedom that are left,
    /// whether residuals contradict each other, and which multipliers are unique. `Display` prints the result as a
    /// page.
    ///
    /// The memory is quadratic in the number of rows, the time cubic.
    ///
    /// # Errors
    /// [`KktError`] if the mass matrix is not positive definite or a number is not finite, for example because the
    /// configuration is one of another system.
    fn diagnose(&self, t: Self::Scalar, q: &Self::Configuration) -> Result<Diagnosis, KktError> {
        diagnosis_of(self, t, q)
    }
}

impl<M: MechanicalSystem + ?Sized> Diagnose for M {}

fn diagnosis_of<M: MechanicalSystem + ?Sized>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
) -> Result<Diagnosis, KktError> {
    let description = system.description();
    let rows = ConstraintRows::of(system, t, q)?;
    let named: Vec<ConstraintRow> = (0..rows.lengths.len()).map(|row| description.row(row)).collect();
    let dependent = dependent_rows(&rows.gram, lost_pivot::<M::Scalar>());
    let (mut position, mut drift) = (system.zero_multipliers(), system.zero_multipliers());
    system.constraint(t, q, &mut position);
    system.constraint_drift(t, q, &mut drift);
    let mut is_unique = vec![true; named.len()];
    let mut dependencies = Vec::with_capacity(dependent.len());
    for found in &dependent {
        is_unique[found.row] = false;
        let mut follows_from = Vec::with_capacity(found.combination.len());
        for &(row, scaled) in &found.combination {
            is_unique[row] = false;
            follows_from.push((named[row], scaled * rows.lengths[found.row] / rows.lengths[row]));
        }
        let length = rows.gradients[found.row].dot(&rows.gradients[found.row]).value().sqrt();
        // The mismatch with respect to the other rows, and the size of its terms.
        let mismatch = |residual: &M::Multipliers| {
            let own = residual.component(found.row).value();
            let terms =
                follows_from.iter().map(|(row, factor)| factor * residual.component(row.row_of_jacobian).value());
            terms.fold((own, own.abs()), |(sum, size), term| (sum - term, size + term.abs()))
        };
        let ((mismatch, _), (rate_mismatch, rate)) = (mismatch(&position), mismatch(&drift));
        dependencies.push(Dependency {
            row: named[found.row],
            follows_from,
            mismatch,
            rate_mismatch,
            // Residuals are compared with the motion that would remove them, rates of constraints with their terms.
            is_consistent: mismatch.abs() <= CONSISTENT * length && rate_mismatch.abs() <= CONSISTENT * rate,
        });
    }
    let rank = named.len() - dependencies.len();
    let values = rows.singular_values();
    let holonomic = system.holonomic_rows();
    let size = |row: &usize| position.component(*row).value().abs();
    let worst = (0..holonomic).max_by(|one, other| size(one).total_cmp(&size(other)));
    Ok(Diagnosis {
        system: description.name,
        time: t.value(),
        dof: system.dof(),
        index: if holonomic > 0 { 3 } else { 2 * usize::from(!named.is_empty()) },
        smallest_singular_value: values.first().copied().unwrap_or(1.0),
        smallest_kept: values.get(named.len() - rank).copied().unwrap_or(1.0),
        residual: worst.map(|row| (named[row], position.component(row).value())),
        rank,
        dependencies,
        is_unique,
        lengths: rows.lengths.clone(),
        rows: named,
        free_directions: free_directions::of_members(system, rows),
    })
}
