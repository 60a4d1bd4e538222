//! The complementarity problem of the impulses of a step, solved by projected Gauss-Seidel sweeps with subspace minimisation.
//!
//! The unknown impulses p and the rates w = r + W p, with the Delassus matrix W = G A Gᵀ, satisfy
//!
//! ```text
//! contact:   p ≥ 0,  w ≥ 0,  p w = 0,
//! friction:  |p| ≤ c,  w = 0 if |p| < c,  p w ≤ 0 if |p| = c,
//! ```
//!
//! where c is a constant or μ times the impulse of a contact. A sweep solves each row for its impulse and projects it to its interval. The
//! sweeps find the rows at their bounds; the impulses of the other rows then follow from a linear system (Silcowitz, Niebe and Erleben
//! 2010). The solution is accepted if it satisfies all rows, so that bodies at rest stay at rest up to round-off.

use crate::solve::solve_dense;

/// The bound of an impulse.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) enum Bound {
    /// p ≥ 0.
    Contact,
    /// |p| ≤ μ pₙ: the position of the contact, and μ.
    Friction(usize, f64),
    /// |p| ≤ c.
    Constant(f64),
}

/// Diagonal entries of W below this part of the largest one are zero: an impulse has no influence on its row.
const NO_INFLUENCE: f64 = 1e-14;
/// The relative change of the diagonal of W in the linear system, if the rows are dependent.
const REGULARISATION: f64 = 1e-12;

/// The problem of a step and its buffers.
#[derive(Clone, Debug, Default)]
pub(super) struct ImpulseProblem {
    /// W by rows.
    pub delassus: Vec<f64>,
    /// r, the rates without impulses.
    pub rates: Vec<f64>,
    pub bounds: Vec<Bound>,
    /// p.
    pub impulses: Vec<f64>,
    /// The impulses of the sweeps, while the linear system is solved.
    swept: Vec<f64>,
    matrix: Vec<f64>,
    right: Vec<f64>,
    /// The rows of the linear system.
    inner: Vec<usize>,
}

/// The row with the largest error of an iteration that has not converged, and the error in units of its rate.
#[derive(Clone, Copy, Debug, PartialEq)]
pub(super) struct NotSolved {
    pub row: usize,
    pub residual: f64,
    pub sweeps: usize,
}

impl ImpulseProblem {
    /// Solves the problem to errors of the rates of at most `tolerance`. Returns the number of sweeps.
    pub fn solve(&mut self, tolerance: f64, maximum_sweeps: usize) -> Result<usize, NotSolved> {
        let n = self.rates.len();
        self.impulses.clear();
        self.impulses.resize(n, 0.0);
        let diagonal = |row: usize| row * (n + 1);
        let largest = (0..n).fold(0.0_f64, |largest, row| largest.max(self.delassus[diagonal(row)]));
        let mut sweeps = 0;
        loop {
            let (row, residual) = self.residual();
            if residual <= tolerance {
                return Ok(sweeps);
            }
            if sweeps >= maximum_sweeps {
                return Err(NotSolved { row, residual, sweeps });
            }
            for row in 0..n {
                let own = self.delassus[diagonal(row)];
                if own > NO_INFLUENCE * largest {
                    let (low, high) = self.interval(row);
                    let impulse = self.impulses[row] - self.rate(row) / own;
                    self.impulses[row] = impulse.max(low).min(high);
                }
            }
            sweeps += 1;
            if sweeps.is_power_of_two() {
                self.polish(tolerance);
            }
        }
    }

    /// Returns w of a row.
    fn rate(&self, row: usize) -> f64 {
        let n = self.rates.len();
        let entries = self.delassus[row * n..(row + 1) * n].iter();
        entries.zip(&self.impulses).fold(self.rates[row], |rate, (entry, impulse)| rate + entry * impulse)
    }

    /// Returns the interval of an impulse.
    fn interval(&self, row: usize) -> (f64, f64) {
        let bound = match self.bounds[row] {
            Bound::Contact => return (0.0, f64::INFINITY),
            Bound::Friction(contact, coefficient) => coefficient * self.impulses[contact].max(0.0),
            Bound::Constant(bound) => bound,
        };
        (-bound, bound)
    }

    /// Returns the row with the largest error of its rate, and the error. It is infinite for an impulse outside of its interval or NaN.
    fn residual(&self) -> (usize, f64) {
        let error = |row: usize| {
            let ((low, high), impulse, rate) = (self.interval(row), self.impulses[row], self.rate(row));
            if !(low <= impulse && impulse <= high) || rate.is_nan() {
                return f64::INFINITY;
            }
            // At a bound, one sign of the rate is valid.
            let too_small = if impulse < high { (-rate).max(0.0) } else { 0.0 };
            let too_large = if impulse > low { rate.max(0.0) } else { 0.0 };
            too_small.max(too_large)
        };
        (0..self.rates.len())
            .map(|row| (row, error(row)))
            .fold((0, 0.0), |worst, row| if row.1 > worst.1 { row } else { worst })
    }

    /// Solves w = 0 for the impulses within their intervals; the others remain at their bounds. A result with a larger error than the
    /// `tolerance` is discarded.
    fn polish(&mut self, tolerance: f64) {
        let n = self.rates.len();
        let mut inner = core::mem::take(&mut self.inner);
        inner.clear();
        inner.extend((0..n).filter(|&row| {
            let ((low, high), impulse) = (self.interval(row), self.impulses[row]);
            low < impulse && impulse < high
        }));
        self.swept.clone_from(&self.impulses);
        for regularisation in [0.0, REGULARISATION] {
            self.impulses.clone_from(&self.swept);
            self.fill(&inner, regularisation);
            if solve_dense(&mut self.matrix, &mut self.right).is_err() {
                continue;
            }
            for (row, impulse) in inner.iter().zip(&self.right) {
                self.impulses[*row] = *impulse;
            }
            for row in (0..n).filter(|row| !inner.contains(row)) {
                let (low, high) = self.interval(row);
                self.impulses[row] = if self.swept[row] > 0.0 { high } else { low };
                if self.bounds[row] == Bound::Contact {
                    self.impulses[row] = 0.0;
                }
            }
            if self.residual().1 <= tolerance {
                break;
            }
            self.impulses.clone_from(&self.swept);
        }
        self.inner = inner;
    }

    /// Fills the linear system for the impulses of the `inner` rows.
    fn fill(&mut self, inner: &[usize], regularisation: f64) {
        let n = self.rates.len();
        self.matrix.clear();
        self.right.clear();
        for &row in inner {
            let entry = |column: usize| self.delassus[row * n + column];
            let mut right = -self.rates[row];
            self.matrix.extend(inner.iter().map(|&column| entry(column)));
            let own = self.matrix.len() - inner.len();
            for outer in (0..n).filter(|outer| !inner.contains(outer)) {
                let sign = if self.swept[outer] > 0.0 { 1.0 } else { -1.0 };
                match self.bounds[outer] {
                    Bound::Contact => {}
                    Bound::Constant(bound) => right -= entry(outer) * sign * bound,
                    // Sliding friction follows the impulse of its contact.
                    Bound::Friction(contact, coefficient) => {
                        if let Some(column) = inner.iter().position(|known| *known == contact) {
                            self.matrix[own + column] += entry(outer) * sign * coefficient;
                        }
                    }
                }
            }
            if let Some(column) = inner.iter().position(|known| *known == row) {
                self.matrix[own + column] += regularisation * entry(row);
            }
            self.right.push(right);
        }
    }
}

#[cfg(test)]
mod tests {
    use super::{Bound, ImpulseProblem};

    fn solved(delassus: &[f64], rates: &[f64], bounds: &[Bound]) -> Result<Vec<f64>, usize> {
        let mut problem = ImpulseProblem {
            delassus: delassus.to_vec(),
            rates: rates.to_vec(),
            bounds: bounds.to_vec(),
            ..ImpulseProblem::default()
        };
        problem.solve(1e-12, 1000).map(|_| problem.impulses).map_err(|error| error.row)
    }

    #[test]
    fn contacts_push_and_friction_has_a_bound() {
        let contacts = [Bound::Contact; 2];
        // W p = -r has a negative component, and the other contact alone has the solution.
        assert_eq!(solved(&[2.0, 1.0, 1.0, 2.0], &[-2.0, 0.5], &contacts), Ok(vec![1.0, 0.0]));
        assert_eq!(solved(&[2.0, 1.0, 1.0, 2.0], &[-3.0, -3.0], &contacts), Ok(vec![1.0, 1.0]));
        assert_eq!(solved(&[2.0, 1.0, 1.0, 2.0], &[1.0, 2.0], &contacts), Ok(vec![0.0, 0.0]));
        let block = [Bound::Contact, Bound::Friction(0, 0.5)];
        assert_eq!(solved(&[1.0, 0.0, 0.0, 1.0], &[-2.0, -0.75], &block), Ok(vec![2.0, 0.75]));
        assert_eq!(solved(&[1.0, 0.0, 0.0, 1.0], &[-2.0, 3.0], &block), Ok(vec![2.0, -1.0]));
        assert_eq!(solved(&[1.0], &[3.0], &[Bound::Constant(2.0)]), Ok(vec![-2.0]));
    }

    #[test]
    fn dependent_contacts_have_a_solution_and_a_wall_that_no_impulse_moves_is_an_error() {
        let impulses = solved(&[1.0, 1.0, 1.0, 1.0], &[-2.0, -2.0], &[Bound::Contact; 2]).unwrap();
        assert!((impulses.iter().sum::<f64>() - 2.0).abs() < 1e-11);
        assert_eq!(solved(&[1.0, 0.0, 0.0, 0.0], &[-1.0, -1.0], &[Bound::Contact; 2]), Err(1));
        // A contact that jams: friction increases the normal impulse.
        let jammed =
            solved(&[1.0, -2.0, -2.0, 5.0], &[-1.0, -9.0], &[Bound::Contact, Bound::Friction(0, 3.0)]).unwrap();
        assert!((jammed[0] - 23.0).abs() < 1e-12 && (jammed[1] - 11.0).abs() < 1e-12);
    }
}
