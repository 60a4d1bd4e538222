//! The constraint doctor: which rows of B depend on others at a configuration, and what that leaves.
//!
//! Rows are compared in the metric in which they act: the inner product of the rows i and k is (B M⁻¹ Bᵀ)ᵢₖ, and each is scaled to
//! length one, so that neither the units of a constraint nor those of the velocities matter. The sine of the angle between a
//! row and the span of the others is then what decides, as it does in the solution for the multipliers
//! ([`SINGULAR_PIVOT`](crate::solve::SINGULAR_PIVOT)).

mod constraint_rows;
mod display;
mod free_directions;

use super::{Description, KktError, MechanicalSystem};
use crate::group::TangentVector;
use crate::scalar::Scalar;
use crate::solve::{dependent_rows, lost_pivot};
use constraint_rows::ConstraintRows;
pub(crate) use constraint_rows::singular_values;
pub use constraint_rows::smallest_singular_value;
pub use free_directions::FreeDirections;

/// A row of a constraint, in the names of the declaration.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ConstraintRow {
    /// The constraint's name.
    pub constraint: &'static str,
    /// The number of the element, of a constraint that runs over members.
    pub element: Option<usize>,
    /// The row among those of the constraint, or of the element, counted from 0.
    pub row: usize,
    /// The row of B.
    pub row_of_jacobian: usize,
}

/// A row of B that is a combination of others.
#[derive(Clone, Debug, PartialEq)]
pub struct Dependency {
    /// The row.
    pub row: ConstraintRow,
    /// The rows it follows from, with their coefficients in the units of the declaration; none of a row without a gradient.
    pub follows_from: Vec<(ConstraintRow, f64)>,
    /// What the row asks for beyond those that it follows from: Φ of the row minus the same combination of their Φ, in the units of
    /// the constraint. Zero up to round-off where the constraints do not contradict each other.
    pub mismatch: f64,
    /// The same of b, the part of B v + b that is free of v.
    pub rate_mismatch: f64,
    /// True if both mismatches are round-off: the row can be left out.
    pub is_consistent: bool,
}

/// What is known of the constraints of a system at one configuration; printed as a page.
///
/// Returned by [`Diagnose::diagnose`].
#[derive(Clone, Debug, PartialEq)]
pub struct Diagnosis {
    /// The system's name.
    pub system: &'static str,
    /// The time.
    pub time: f64,
    /// Degrees of freedom before constraints.
    pub dof: usize,
    /// The rows of B, in order.
    pub rows: Vec<ConstraintRow>,
    /// The length of each row in the metric of M⁻¹: the acceleration that a multiplier of one causes, measured by its energy. Rows
    /// whose lengths differ by many powers of ten are in unlike units.
    pub lengths: Vec<f64>,
    /// How many rows are independent.
    pub rank: usize,
    /// Rows that depend on others.
    pub dependencies: Vec<Dependency>,
    /// Of each row, whether its multiplier is unique: true unless the row depends on others or others on it.
    pub is_unique: Vec<bool>,
    /// The differentiation index of the equations of motion: 3 with constraints on the configuration, 2 with constraints on the
    /// velocity alone, 0 without any. Multipliers that are not unique have none.
    pub index: usize,
    /// The smallest singular value of the rows scaled to length one, in the metric of M⁻¹: at most 1, and the sine of an angle if there
    /// are two rows; round-off, some 1e-8, where rows are redundant. Without rows it is 1.
    pub smallest_singular_value: f64,
    /// The smallest one of those that are not lost, of as many as the rank.
    pub smallest_kept: f64,
    /// The largest component of Φ(t, q), with its row; `None` without holonomic constraints.
    pub residual: Option<(ConstraintRow, f64)>,
    /// The directions in which each member can move at all; empty of systems of more than 512 degrees of freedom.
    pub free_directions: Vec<FreeDirections>,
}

impl Diagnosis {
    /// Degrees of freedom left.
    pub fn degrees_of_freedom(&self) -> usize {
        self.dof - self.rank
    }

    /// True if every row is independent of the others.
    pub fn is_regular(&self) -> bool {
        self.dependencies.is_empty()
    }

    /// True if no row asks for something else than those that it follows from.
    pub fn is_consistent(&self) -> bool {
        self.dependencies.iter().all(|dependency| dependency.is_consistent)
    }

    /// What row `row` of B follows from; if it is one that others follow from, the first of these.
    pub fn dependency_of(&self, row: usize) -> Option<&Dependency> {
        let has_row = |dependency: &&Dependency| dependency.row.row_of_jacobian == row;
        let uses_row =
            |dependency: &&Dependency| dependency.follows_from.iter().any(|(other, _)| other.row_of_jacobian == row);
        self.dependencies.iter().find(has_row).or_else(|| self.dependencies.iter().find(uses_row))
    }

    /// The rows whose multipliers are unique.
    pub fn unique_rows(&self) -> impl Iterator<Item = ConstraintRow> + '_ {
        self.rows.iter().zip(&self.is_unique).filter(|(_, unique)| **unique).map(|(row, _)| *row)
    }
}

impl Description {
    /// Row `row` of B in the names of the declaration.
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

/// A mismatch under this multiple of what it is the sum of, or of what a motion by one changes, is round-off.
const CONSISTENT: f64 = 1e-8;

/// Diagnosis of the constraints of any mechanical system.
pub trait Diagnose: MechanicalSystem {
    /// Analyses the constraints at (t, q): which rows depend on which others, the degrees of freedom that are left, whether residuals
    /// contradict each other, and which multipliers are unique. `Display` prints the result as a page.
    ///
    /// The memory is quadratic in the number of rows, the time cubic.
    ///
    /// # Errors
    /// [`KktError`] if the mass matrix is not positive definite or a number is not finite, for example because the configuration is
    /// one of another system.
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
        // What is asked for beyond the others, and the size of the terms of that.
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
            // Residuals are compared with the motion that would mend them, rates of constraints with one another.
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
