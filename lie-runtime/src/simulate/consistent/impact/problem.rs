//! Solution of the impact laws. Projected Gauss-Seidel sweeps determine the rows that push, stick and slip; Newton's method solves the
//! resulting equations (Alart and Curnier 1991) and propagates derivatives.

use core::ops::Range;

use super::error::ImpactError;
use super::law::{MET, ROUND_OFF};
use crate::scalar::Scalar;
use crate::solve::solve_dense;

/// Regularisation for a solution of least norm, as a part of the diagonal.
const SHIFT: f64 = 1e-6;
/// Maximum number of Gauss-Seidel sweeps. They only determine the active equations; Newton's method computes the values.
const SWEEPS: usize = 2000;
/// Maximum number of Newton iterations.
const ITERATIONS: usize = 60;

/// The law of a row.
#[derive(Clone, Copy)]
pub(super) enum Kind<S> {
    /// An equation, with an impulse of any sign.
    Met,
    /// The product of Λ and this sign is not negative.
    Pushes(f64),
    /// Coulomb friction with a coefficient, the index of the normal row, and the first row and the number of rows of the direction.
    Slides { coefficient: S, normal: usize, first: usize, count: usize },
}

/// The laws of the struck rows after elimination of the others: u⁺ = u − A Λ.
pub(super) struct ImpactProblem<S> {
    pub kinds: Vec<Kind<S>>,
    /// (1 + e) u.
    pub changes: Vec<S>,
    pub matrix: Vec<Vec<S>>,
    /// True for rows whose rate is determined by other constraints.
    pub is_fixed: Vec<bool>,
}

impl<S: Scalar> ImpactProblem<S> {
    /// Computes the impulses.
    ///
    /// # Errors
    /// [`ImpactError::NotConverged`].
    pub fn impulses(&self) -> Result<Vec<S>, ImpactError> {
        // The solution of all equations; impulses of least norm if rows are dependent.
        let mut impulses = vec![S::zero(); self.kinds.len()];
        let is_met =
            self.iterate(
                &mut impulses,
                |problem, at, _| if problem.is_fixed[at] { RowEquation::Zero } else { RowEquation::Met },
            );
        // Contradictory rows are satisfied approximately.
        let is_linear = self.kinds.iter().all(|kind| matches!(kind, Kind::Met));
        if is_linear || (is_met && self.is_admissible(&impulses)) {
            return Ok(impulses);
        }
        let mut impulses = self.sweep(&impulses);
        if self.iterate(&mut impulses, Self::branch) && self.is_admissible(&impulses) {
            Ok(impulses)
        } else {
            Err(ImpactError::NotConverged { iterations: ITERATIONS })
        }
    }

    fn value(&self, row: usize, impulses: &[f64]) -> f64 {
        self.matrix[row].iter().zip(impulses).map(|(entry, impulse)| entry.value() * impulse).sum()
    }

    /// Returns true if no row pulls and all friction impulses are within their bounds.
    fn is_admissible(&self, impulses: &[S]) -> bool {
        let impulse = |at: usize| impulses[at].value();
        let largest = (0..impulses.len()).map(|at| impulse(at).abs()).fold(0.0, f64::max);
        self.kinds.iter().enumerate().all(|(at, kind)| match *kind {
            Kind::Met => true,
            Kind::Pushes(sign) => sign * impulse(at) >= -ROUND_OFF * largest,
            Kind::Slides { coefficient, normal, first, count } => {
                let size = (first..first + count).map(|at| impulse(at) * impulse(at)).sum::<f64>().sqrt();
                size <= coefficient.value() * impulse(normal).abs() * (1.0 + MET) + ROUND_OFF * largest
            }
        })
    }

    /// Performs projected Gauss-Seidel sweeps.
    fn sweep(&self, start: &[S]) -> Vec<S> {
        let mut impulses: Vec<f64> = start.iter().map(|impulse| impulse.value()).collect();
        for _ in 0..SWEEPS {
            let mut moved = 0.0_f64;
            for at in 0..impulses.len() {
                if self.is_fixed[at] {
                    impulses[at] = 0.0;
                    continue;
                }
                let rest = |at: usize| self.changes[at].value() - self.value(at, &impulses);
                let before = impulses[at];
                match self.kinds[at] {
                    Kind::Met => impulses[at] += rest(at) / self.matrix[at][at].value(),
                    Kind::Pushes(sign) => {
                        let free = impulses[at] + rest(at) / self.matrix[at][at].value();
                        impulses[at] = if sign * free > 0.0 { free } else { 0.0 };
                    }
                    Kind::Slides { first, .. } if at != first => continue,
                    Kind::Slides { coefficient, normal, first, count } => {
                        let step = self.step(first, count);
                        let free: Vec<f64> = (first..first + count).map(|at| impulses[at] + step * rest(at)).collect();
                        let size = free.iter().map(|part| part * part).sum::<f64>().sqrt();
                        let bound = coefficient.value() * impulses[normal].abs();
                        let factor = if size > bound { bound / size } else { 1.0 };
                        for (at, free) in (first..).zip(free) {
                            moved = moved.max((impulses[at] - factor * free).abs());
                            impulses[at] = factor * free;
                        }
                    }
                }
                moved = moved.max((impulses[at] - before).abs());
            }
            if moved <= ROUND_OFF * impulses.iter().fold(0.0_f64, |most, impulse| most.max(impulse.abs())) {
                break;
            }
        }
        impulses.into_iter().map(S::from_f64).collect()
    }

    /// Returns the step size of the projection of a tangential direction.
    fn step(&self, first: usize, count: usize) -> f64 {
        1.0 / (first..first + count).map(|at| self.matrix[at][at].value()).fold(f64::MIN_POSITIVE, f64::max)
    }

    /// Returns the active equation of a row for these impulses.
    fn branch(&self, at: usize, impulses: &[f64]) -> RowEquation<S> {
        if self.is_fixed[at] {
            return RowEquation::Zero;
        }
        let rest = |at: usize| self.changes[at].value() - self.value(at, impulses);
        match self.kinds[at] {
            Kind::Met => RowEquation::Met,
            Kind::Pushes(sign) => {
                let free = impulses[at] + rest(at) / self.matrix[at][at].value();
                if sign * free > 0.0 { RowEquation::Met } else { RowEquation::Zero }
            }
            Kind::Slides { coefficient, normal, first, count } => {
                let step = self.step(first, count);
                let size =
                    (first..first + count).map(|at| (impulses[at] + step * rest(at)).powi(2)).sum::<f64>().sqrt();
                if size <= coefficient.value() * impulses[normal].abs() {
                    RowEquation::Met
                } else {
                    RowEquation::Slips { coefficient, normal, first, count }
                }
            }
        }
    }

    /// Applies Newton's method to the active equations. Returns true if it has converged.
    fn iterate(&self, impulses: &mut [S], branch: impl Fn(&Self, usize, &[f64]) -> RowEquation<S>) -> bool {
        let n = impulses.len();
        let mut last = f64::INFINITY;
        let mut is_small = false;
        for iteration in 0..ITERATIONS {
            let values: Vec<f64> = impulses.iter().map(|impulse| impulse.value()).collect();
            let (mut matrix, mut rest) = (vec![S::zero(); n * n], vec![S::zero(); n]);
            let (mut size, mut scale) = (0.0_f64, 0.0_f64);
            for at in 0..n {
                let row = &mut matrix[at * n..(at + 1) * n];
                rest[at] = match branch(self, at, &values) {
                    RowEquation::Met => {
                        row.clone_from_slice(&self.matrix[at]);
                        self.rest(at, impulses)
                    }
                    RowEquation::Zero => {
                        row[at] = if self.is_fixed[at] { S::one() } else { self.matrix[at][at] };
                        impulses[at] * row[at]
                    }
                    RowEquation::Slips { coefficient, normal, first, count } => {
                        self.slip(at, impulses, (coefficient, normal), first..first + count, row)
                    }
                };
                row[at] += row[at].abs() * S::from_f64(SHIFT);
                let reach = |number: S| number.value().abs().max(number.variation());
                size = size.max(reach(rest[at]));
                scale = scale.max(reach(self.changes[at]));
            }
            is_small = size <= MET * scale;
            // Round-off does not decrease any more.
            if size == 0.0 || (iteration > 3 && is_small && size > 0.5 * last) {
                return true;
            }
            last = size;
            if solve_dense(&mut matrix, &mut rest).is_err() {
                return false;
            }
            for (impulse, change) in impulses.iter_mut().zip(rest) {
                *impulse -= change;
            }
        }
        is_small
    }

    /// Returns A Λ − (1 + e) u of a row.
    fn rest(&self, at: usize, impulses: &[S]) -> S {
        let product = self.matrix[at].iter().zip(impulses);
        product.fold(-self.changes[at], |rest, (entry, impulse)| rest + *entry * *impulse)
    }

    /// Returns (Λ_t − μ |Λ_n| y / |y|) / s of a row with y = Λ_t − s (A Λ − u)_t, and its derivatives.
    fn slip(
        &self,
        at: usize,
        impulses: &[S],
        (coefficient, normal): (S, usize),
        direction: Range<usize>,
        row: &mut [S],
    ) -> S {
        let step = S::from_f64(self.step(direction.start, direction.len()));
        let free: Vec<S> = direction.clone().map(|at| impulses[at] - step * self.rest(at, impulses)).collect();
        let size = free.iter().fold(S::zero(), |sum, part| sum + *part * *part).sqrt();
        let unit: Vec<S> = free.iter().map(|part| *part / size).collect();
        let (own, bound) = (at - direction.start, coefficient * impulses[normal].abs());
        let sign = S::from_f64(if impulses[normal].value() < 0.0 { -1.0 } else { 1.0 });
        row[at] += S::one();
        row[normal] -= coefficient * sign * unit[own];
        for (other, part) in direction.clone().zip(&unit) {
            let own_part = S::from_f64(if other == at { 1.0 } else { 0.0 });
            let turns = (own_part - unit[own] * *part) * bound / size;
            row[other] -= turns;
            for (entry, derivative) in row.iter_mut().zip(&self.matrix[other]) {
                *entry += turns * step * *derivative;
            }
        }
        for entry in row.iter_mut() {
            *entry /= step;
        }
        (impulses[at] - bound * unit[own]) / step
    }
}

/// The active equation of a row.
enum RowEquation<S> {
    /// A Λ = (1 + e) u.
    Met,
    /// Λ = 0.
    Zero,
    /// Λ_t is at its bound in the direction of sliding.
    Slips { coefficient: S, normal: usize, first: usize, count: usize },
}
