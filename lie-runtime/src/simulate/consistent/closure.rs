//! The minimal correction that closes a mechanism with fixed members.
//!
//! Let C contain the rows of B and a unit row for each fixed component. The correction is δ = M⁻¹ Cᵀ y with (C M⁻¹ Cᵀ) y = (r, 0). It
//! satisfies B δ = r, does not change fixed components, and is minimal in the metric of the mass matrix. Targets add further rows. Diagonal
//! pivoting detects dependent rows, which are skipped; their residuals show if they are satisfied.
//!
//! A target with a weight w adds the term w |J δ − s|² / (2 d) to the norm that is minimised. J is its row, s its required value, and d a
//! damping factor. Its row is in C as well, and the diagonal entry of C M⁻¹ Cᵀ becomes J M⁻¹ Jᵀ + d / w.

use core::ops::Range;

use num_traits::{One, Zero};

use crate::group::TangentVector;
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;
use crate::system::MechanicalSystem;

/// Squared relative limit of the part of a row outside the span of the others. A row below it is dependent.
const DEPENDENT: f64 = 1e-10;
/// A row is satisfied if its residual requires a correction below this limit, in the units of θ and v.
pub(super) const MET: f64 = 1e-9;

/// The row of a target.
pub(super) struct TargetRow<M: MechanicalSystem> {
    pub row: M::Velocity,
    /// The required value of the row times the correction.
    pub required: M::Scalar,
    /// The weight of a target that is approached, zero for a target that is reached.
    pub weight: f64,
}

/// The relative damping of the first step with weighted targets. C M⁻¹ Cᵀ without damping is singular if there are more rows than degrees
/// of freedom.
pub(super) const DAMPING: f64 = 1e-4;

/// Members with fixed values.
#[derive(Clone, Debug)]
pub(super) struct FixedMembers {
    pub names: Vec<String>,
    pub components: Vec<usize>,
}

impl FixedMembers {
    /// Finds the members with these names. Returns the first unknown name as an error.
    pub fn of<'n, M: MechanicalSystem>(names: &'n [String], system: &M) -> Result<Self, &'n str> {
        let mut held = FixedMembers { names: Vec::new(), components: Vec::new() };
        for name in names {
            // The name of a body selects all its fields; the name of an array of bodies selects all bodies.
            let is_part =
                |of: &str| of.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']));
            let members = system.description().members.iter().filter(|member| is_part(member.name));
            let mut all: Vec<(&str, Range<usize>)> =
                members.map(|member| (member.name, member.offset..member.offset + member.dof)).collect();
            if all.is_empty() {
                all.push((name, system.space().components_of(name).ok_or(name.as_str())?));
            }
            for (name, components) in all {
                if !held.names.iter().any(|known| known == name) {
                    held.names.push(name.to_owned());
                    held.components.extend(components);
                }
            }
        }
        held.components.sort_unstable();
        held.components.dedup();
        Ok(held)
    }
}

/// Fixed members and the buffers of a correction.
pub(super) struct Closure<M: MechanicalSystem> {
    pub held: FixedMembers,
    /// The relative damping of targets with a weight.
    pub damping: f64,
    /// The number of target rows.
    targets: usize,
    /// The rows of C.
    rows: Vec<M::Velocity>,
    /// The columns of M⁻¹ Cᵀ.
    columns: Vec<M::Velocity>,
}

impl<M: MechanicalSystem> Closure<M> {
    pub fn new(system: &M, held: FixedMembers) -> Self {
        Self::reaching(system, held, 0)
    }

    /// Creates the buffers for a number of target rows.
    pub fn reaching(system: &M, held: FixedMembers, targets: usize) -> Self {
        let mut closure = Closure { held, damping: DAMPING, targets, rows: Vec::new(), columns: Vec::new() };
        closure.resize(system);
        closure
    }

    /// Fixes further components.
    pub fn fix(&mut self, system: &M, components: &[usize]) {
        self.held.components.extend_from_slice(components);
        self.resize(system);
    }

    /// Restores the fixed members.
    pub fn release_to(&mut self, system: &M, held: FixedMembers) {
        if held.components.len() != self.held.components.len() {
            self.held = held;
            self.resize(system);
        }
    }

    fn resize(&mut self, system: &M) {
        let count = system.constraint_rows() + self.held.components.len() + self.targets;
        self.rows.resize_with(count, || system.zero_velocity());
        self.columns.resize_with(count, || system.zero_velocity());
    }

    /// True if a component is fixed.
    pub fn holds(&self, component: usize) -> bool {
        self.held.components.contains(&component)
    }

    /// Computes δ with B δ = `right` into `out`, with a factorised mass matrix. Returns the norm of the multipliers of all rows that are
    /// satisfied exactly, times the damping factor, which is `self.damping` times the largest weighted entry of J M⁻¹ Jᵀ.
    pub fn correct(
        &mut self,
        system: &M,
        mass: &mut M::Mass,
        jacobian: &M::Jacobian,
        right: &M::Multipliers,
        targets: &[TargetRow<M>],
        out: &mut M::Velocity,
    ) -> f64 {
        let of_constraints = system.constraint_rows();
        let before_targets = of_constraints + self.held.components.len();
        let mut unit = system.zero_multipliers();
        for (at, (row, column)) in self.rows.iter_mut().zip(&mut self.columns).enumerate() {
            if at < of_constraints {
                unit.fill(M::Scalar::zero());
                unit.set_component(at, M::Scalar::one());
                system.jacobian_transpose_times(jacobian, &unit, row);
            } else if let Some(target) = at.checked_sub(before_targets).and_then(|at| targets.get(at)) {
                row.clone_from(&target.row);
            } else {
                row.fill(M::Scalar::zero());
                row.set_component(self.held.components[at - of_constraints], M::Scalar::one());
            }
            system.solve_mass(mass, row, column);
        }
        let mut matrix: Vec<Vec<M::Scalar>> =
            self.rows.iter().map(|row| self.columns.iter().map(|column| row.dot(column)).collect()).collect();
        let approached = || (before_targets..).zip(targets).filter(|(_, target)| target.weight > 0.0);
        let scale = approached().map(|(at, target)| target.weight * matrix[at][at].value()).fold(0.0, f64::max);
        for (at, target) in approached() {
            matrix[at][at] += M::Scalar::from_f64(self.damping * scale / target.weight);
        }
        let right = (0..self.rows.len())
            .map(|at| match at.checked_sub(before_targets).and_then(|at| targets.get(at)) {
                Some(target) => target.required,
                None if at < of_constraints => right.component(at),
                None => M::Scalar::zero(),
            })
            .collect();
        out.fill(M::Scalar::zero());
        // Fixed components have priority.
        let held = of_constraints..before_targets;
        let factors = solve_semidefinite(matrix, right, held.clone());
        for (&factor, column) in factors.iter().zip(&self.columns) {
            out.axpy(factor, column);
        }
        for &component in &self.held.components {
            out.set_component(component, M::Scalar::zero());
        }
        let is_exact =
            |at: usize| at < of_constraints || (at >= before_targets && targets[at - before_targets].weight == 0.0);
        let exact = factors.iter().enumerate().filter(|&(at, _)| is_exact(at));
        self.damping * scale * exact.map(|(_, factor)| factor.value().powi(2)).sum::<f64>().sqrt()
    }

    /// Returns the constraint row with the largest violation, if there is one, for these residuals and values of this `size`.
    pub fn missed(&self, residual: &M::Multipliers, size: f64) -> Option<usize> {
        let rows = 0..residual.component_count();
        let missed = |row: &usize| {
            let length = self.rows[*row].dot(&self.rows[*row]).value().sqrt();
            let (residual, limit) = (residual.component(*row).value().abs(), MET * size * length);
            // A residual that is not finite violates the constraint.
            !(residual <= limit && limit.is_finite())
        };
        let residual = |row: usize| residual.component(row).value().abs();
        rows.filter(missed).max_by(|&one, &other| residual(one).total_cmp(&residual(other)))
    }
}

/// Solves A y = b for a positive semidefinite A. Dependent rows have zero components; rows of `first` are the last ones to be skipped. NaN
/// if a diagonal entry of A is not finite.
fn solve_semidefinite<S: Scalar>(mut a: Vec<Vec<S>>, mut b: Vec<S>, first: Range<usize>) -> Vec<S> {
    let n = b.len();
    let diagonal: Vec<f64> = (0..n).map(|at| a[at][at].value()).collect();
    // Rows without a finite norm would be treated as dependent.
    if !diagonal.iter().all(|entry| entry.is_finite()) {
        return vec![S::from_f64(f64::NAN); n];
    }
    let mut order: Vec<usize> = (0..n).collect();
    let mut rank = 0;
    while rank < n {
        let part = |at: &usize| if diagonal[*at] > 0.0 { a[*at][*at].value() / diagonal[*at] } else { 0.0 };
        let is_first = |at: usize| first.contains(&order[at]) && part(&order[at]) > DEPENDENT;
        let best = (rank..n).max_by(|&one, &other| {
            is_first(one).cmp(&is_first(other)).then(part(&order[one]).total_cmp(&part(&order[other])))
        });
        let Some(best) = best.filter(|&best| part(&order[best]) > DEPENDENT) else { break };
        order.swap(rank, best);
        let pivot = order[rank];
        rank += 1;
        for &row in &order[rank..] {
            let factor = a[row][pivot] / a[pivot][pivot];
            for &column in &order[rank..] {
                let above = a[pivot][column];
                a[row][column] -= factor * above;
            }
            let above = b[pivot];
            b[row] -= factor * above;
        }
    }
    let mut y = vec![S::zero(); n];
    for at in (0..rank).rev() {
        let row = order[at];
        let rest = order[at + 1..rank].iter().fold(b[row], |rest, &column| rest - a[row][column] * y[column]);
        y[row] = rest / a[row][row];
    }
    y
}

#[cfg(test)]
mod tests {
    use super::*;

    /// A = G Gᵀ of rank 2 with three rows; the third row is the sum of the others.
    #[test]
    fn dependent_rows_are_left_out() {
        let rows = [[1.0, 2.0, 0.5], [-1.0, 0.3, 4.0], [0.0, 2.3, 4.5]];
        let dot = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).map(|(a, b)| a * b).sum::<f64>();
        let a: Vec<Vec<f64>> = rows.iter().map(|&row| rows.iter().map(|&other| dot(row, other)).collect()).collect();
        let b = vec![1.0, -2.0, -1.0];
        let y = solve_semidefinite(a.clone(), b.clone(), 0..0);
        assert_eq!(y.iter().filter(|&&y| y == 0.0).count(), 1, "{y:?}");
        for (row, b) in a.iter().zip(b.clone()) {
            assert!((row.iter().zip(&y).map(|(a, y)| a * y).sum::<f64>() - b).abs() < 1e-12, "{y:?}");
        }
        assert_eq!(solve_semidefinite(vec![vec![0.0]], vec![3.0], 0..0), [0.0]);
        assert!(solve_semidefinite(vec![vec![f64::INFINITY]], vec![3.0], 0..0)[0].is_nan());
        // The skipped row can be selected, even if it has the largest pivot.
        for first in 0..2 {
            assert!(solve_semidefinite(a.clone(), b.clone(), first..first + 1)[first] != 0.0);
        }
    }
}
