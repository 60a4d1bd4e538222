//! Linear systems of redundant constraints: symmetric or nearly symmetric, positive semidefinite, and consistent.
//!
//! S λ = r with S = B₂ M⁻¹ B₁ᵀ has many solutions if rows of B are linearly dependent. The solution of least norm, ‖λ‖² = λᵀ D λ with the
//! diagonal D of S, is the limit of
//!
//! ```text
//! (S + ε D) δ = r − S λ,    λ ← λ + δ,
//! ```
//!
//! from λ = 0 on (the proximal-point method). The component along an eigenvector of D⁻¹ S with eigenvalue σ has the error (ε / (ε + σ))ᵏ
//! after k iterations. The component with σ = 0 stays zero. This norm weights every row by the acceleration that its multiplier causes,
//! in any units. The factorised matrices have the pattern of S, are regular, and are smooth functions of S. Therefore λ and its
//! derivatives are smooth functions while the rank is constant. ε is the square root of the unit round-off. The equations along
//! directions with σ ≫ ε hold to round-off. A direction with σ ≪ ε is nearly lost: it is left free, with bounded multipliers, and there
//! is no division by σ.
//!
//! σ is negative if B₁ and B₂ belong to points on either side of a singular configuration. The method diverges for σ ≈ −ε. Then ε is
//! replaced by −ε: both signs work for the other directions.

use nalgebra::{SMatrix, SVector};

use super::KktError;
use super::lu::lane_by_lane;
use super::{LuFactors, round_off};
use crate::scalar::{Scalar, larger};

/// The regularisation parameter ε.
#[inline]
pub(crate) fn relaxation<S: Scalar>() -> f64 {
    round_off::<S>().sqrt()
}

/// The action after an iteration of the proximal-point method.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Turn {
    /// Iterate again.
    GoOn,
    /// Stop: the residual is round-off, or the equations are inconsistent.
    Stop,
    /// Restart with the other sign of ε.
    Restart,
}

/// The stopping test of the proximal-point method.
#[derive(Clone, Copy, Debug)]
pub(crate) struct ProximalStopTest {
    done: usize,
    /// Residuals below it may be round-off, and their growth is ignored.
    floor: f64,
    previous: f64,
    is_last_sign: bool,
}

impl ProximalStopTest {
    /// After this number of iterations directions with σ ≥ 1e-3 hold to round-off.
    const LEAST: usize = 4;
    /// Directions with σ ≪ ε contract by less than one half in an iteration and are given up earlier.
    pub(crate) const MOST: usize = 16;

    /// A residual that has grown by this factor is not inconsistent: it belongs to a direction with σ ≈ −ε.
    const GROWTH: f64 = 1.05;
    /// The floor, in units of ε times the first residual.
    const ROUND_OFF: f64 = 100.0;

    /// Before the first iteration, for a right-hand side of size `first`, derivatives included.
    pub(crate) fn of<S: Scalar>(first: f64, sign: f64) -> Self {
        let floor = Self::ROUND_OFF * relaxation::<S>() * first;
        ProximalStopTest { done: 0, floor, previous: first, is_last_sign: sign < 0.0 }
    }

    /// After an iteration with a `residual` of that size, derivatives included.
    pub(crate) fn next(&mut self, residual: f64) -> Turn {
        let grows = residual > Self::GROWTH * self.previous && residual > self.floor;
        let shrinks = residual < 0.5 * self.previous;
        (self.done, self.previous) = (self.done + 1, residual);
        if grows {
            return if self.is_last_sign { Turn::Stop } else { Turn::Restart };
        }
        // NaN is not greater than zero.
        if residual > 0.0 && (self.done < Self::LEAST || shrinks) && self.done < Self::MOST {
            Turn::GoOn
        } else {
            Turn::Stop
        }
    }
}

/// The signs of ε, in order.
pub(crate) const SIGNS: [f64; 2] = [1.0, -1.0];

/// S + ε D with an ε of the given sign. Zero rows get the diagonal entry of the largest row, which makes their multipliers zero.
#[inline]
pub(crate) fn relaxed<S: Scalar, const M: usize>(matrix: &SMatrix<S, M, M>, sign: f64) -> SMatrix<S, M, M> {
    let epsilon = S::from_f64(sign * relaxation::<S>());
    let largest = (0..M).fold(S::zero(), |largest, row| largest.max(matrix[(row, row)].abs()));
    let blank = unless_zero(largest, S::one());
    let mut relaxed = *matrix;
    for row in 0..M {
        relaxed[(row, row)] += epsilon * unless_zero(matrix[(row, row)].abs(), blank);
    }
    relaxed
}

/// The size of a value and of its derivatives; derivatives, which may converge later, are tested together with the value.
#[inline]
fn reach<S: Scalar>(x: S) -> f64 {
    larger(x.magnitude(), x.variation())
}

/// A size, or its replacement if it is zero.
fn unless_zero<S: Scalar>(size: S, instead: S) -> S {
    S::select(size.le(S::zero()), instead, size)
}

/// Computes the λ of least norm λᵀ D λ with S λ = r, where D is the diagonal of S, by the proximal-point method; never allocates.
///
/// An inconsistent right-hand side is met as closely as the contradictory rows allow.
///
/// # Errors
/// [`KktError::NotFinite`] if a value is NaN or infinite.
#[inline(never)]
pub fn solve_least_norm<S: Scalar, const M: usize>(
    matrix: &SMatrix<S, M, M>,
    rhs: &SVector<S, M>,
) -> Result<SVector<S, M>, KktError> {
    if const { S::LANES > 1 && !S::HAS_DERIVATIVES } {
        // The values of one lane determine the number of iterations and the sign of ε.
        return lane_by_lane(matrix, rhs, solve_least_norm::<f64, M>);
    }
    // In the units of λ √D, in which D is 1: rows with large entries hide no others, and none of their pivots is lost. The norm depends
    // on D. These units depend on D as well if the entries are dual numbers.
    let scale = SVector::<S, M>::from_fn(|row, _| S::one() / unless_zero(matrix[(row, row)].abs(), S::one()).sqrt());
    let matrix = SMatrix::<S, M, M>::from_fn(|i, k| matrix[(i, k)] * scale[i] * scale[k]);
    let rhs = rhs.component_mul(&scale);
    let size = |rest: &SVector<S, M>| rest.iter().fold(0.0_f64, |largest, x| larger(largest, reach(*x)));
    let mut factors = LuFactors::<S, M>::zeros();
    let mut solution = crate::scalar::zeros::<S, M, 1>();
    for sign in SIGNS {
        factors.factorise(&relaxed(&matrix, sign)).map_err(|_| KktError::NotFinite)?;
        solution.fill(S::zero());
        let (mut turns, mut rest) = (ProximalStopTest::of::<S>(size(&rhs), sign), rhs);
        let end = loop {
            let mut change = rest;
            factors.solve(&mut change);
            solution += change;
            rest = rhs - matrix * solution;
            match turns.next(size(&rest)) {
                Turn::GoOn => {}
                end => break end,
            }
        };
        if end == Turn::Stop {
            break;
        }
    }
    let solution = solution.component_mul(&scale);
    if solution.iter().all(|x| x.is_finite()) { Ok(solution) } else { Err(KktError::NotFinite) }
}

/// Computes the same for a size that is known at run time. `factors` and `solution` are overwritten.
///
/// # Errors
/// [`KktError::NotFinite`] if a value is NaN or infinite.
#[cfg(feature = "dynamic")]
pub(crate) fn solve_least_norm_of_size<S: Scalar>(
    matrix: &nalgebra::DMatrix<S>,
    rhs: &nalgebra::DVector<S>,
    factors: &mut super::PivotedLu<S>,
    solution: &mut nalgebra::DVector<S>,
) -> Result<(), KktError> {
    let n = rhs.len();
    let size = |rest: &[S]| rest.iter().fold(0.0_f64, |largest, x| larger(largest, reach(*x)));
    let scale: Vec<S> = (0..n).map(|row| S::one() / unless_zero(matrix[(row, row)].abs(), S::one()).sqrt()).collect();
    let scaled = |row: usize, column: usize| matrix[(row, column)] * scale[row] * scale[column];
    let rhs: Vec<S> = (0..n).map(|row| rhs[row] * scale[row]).collect();
    let mut change = vec![S::zero(); n];
    for sign in SIGNS {
        for row in 0..n {
            for column in 0..n {
                factors[(row, column)] = scaled(row, column);
            }
            // The diagonal of all rows is 1; rows of zeros have multipliers of zero.
            factors[(row, row)] += S::from_f64(sign * relaxation::<S>());
        }
        factors.factorise().map_err(|_| KktError::NotFinite)?;
        solution.fill(S::zero());
        let (mut turns, mut rest) = (ProximalStopTest::of::<S>(size(&rhs), sign), rhs.clone());
        let end = loop {
            factors.solve(&rest, &mut change);
            for row in 0..n {
                solution[row] += change[row];
            }
            for row in 0..n {
                rest[row] = (0..n).fold(rhs[row], |rest, column| rest - scaled(row, column) * solution[column]);
            }
            match turns.next(size(&rest)) {
                Turn::GoOn => {}
                end => break end,
            }
        };
        if end == Turn::Stop {
            break;
        }
    }
    for row in 0..n {
        solution[row] *= scale[row];
    }
    if solution.iter().all(|x| x.is_finite()) { Ok(()) } else { Err(KktError::NotFinite) }
}

#[cfg(test)]
mod tests {
    use nalgebra::{Matrix2, Matrix3, Vector2, Vector3};

    use super::*;
    use crate::scalar::Dual;
    use crate::solve::random::numbers;

    /// The reference: the pseudo-inverse of D^(-1/2) S D^(-1/2), computed from its eigenvalues.
    #[test]
    fn least_norms_are_those_of_the_pseudo_inverse() {
        for seed in 1..300 {
            let mut next = numbers(seed);
            // Six rows of rank four, in four dimensions and with different units.
            let mut b = SMatrix::<f64, 6, 4>::from_fn(|_, _| next());
            for (row, unit) in [1.0, 1e4, 1e-3, 1.0, 30.0, 1e-5].into_iter().enumerate() {
                b.set_row(row, &(b.row(row) * unit));
            }
            let s = b * b.transpose();
            let smallest = {
                let scaled = SMatrix::<f64, 6, 6>::from_fn(|i, k| s[(i, k)] / (s[(i, i)] * s[(k, k)]).sqrt());
                let mut values: Vec<f64> = scaled.symmetric_eigenvalues().iter().copied().collect();
                values.sort_by(f64::total_cmp);
                values[2]
            };
            if smallest < 1e-3 {
                continue;
            }
            let rhs = b * SVector::<f64, 4>::from_fn(|_, _| next());
            let found = solve_least_norm(&s, &rhs).unwrap();
            let scale = |row: usize| s[(row, row)].sqrt();
            let scaled = SMatrix::<f64, 6, 6>::from_fn(|i, k| s[(i, k)] / (scale(i) * scale(k)));
            let right = SVector::<f64, 6>::from_fn(|i, _| rhs[i] / scale(i));
            let eigen = scaled.symmetric_eigen();
            let mut expected = SVector::<f64, 6>::zeros();
            for (vector, &value) in eigen.eigenvectors.column_iter().zip(&eigen.eigenvalues) {
                if value > 1e-9 {
                    expected += vector * (vector.dot(&right) / value);
                }
            }
            for row in 0..6 {
                let (found, expected) = (found[row] * scale(row), expected[row]);
                assert!(
                    (found - expected).abs() < 1e-7 * right.norm() / smallest,
                    "seed {seed} {row}: {found} {expected}"
                );
            }
            // The equations hold to round-off, although the individual multipliers are uncertain.
            let moved = b.transpose() * found;
            let left = b * moved - rhs;
            for row in 0..6 {
                assert!(left[row].abs() < 1e-13 * scale(row) * right.norm() / smallest, "seed {seed}: {left}");
            }
        }
    }

    #[test]
    fn regular_systems_are_solved_as_they_are() {
        let matrix = Matrix3::new(2.0, 0.3, -0.1, 0.3, 1.5, 0.4, -0.1, 0.4, 3.0);
        let x = Vector3::new(1.0, -2.0, 0.5);
        assert!((solve_least_norm(&matrix, &(matrix * x)).unwrap() - x).norm() < 1e-15);
    }

    #[test]
    fn equal_rows_share_and_blank_rows_have_none() {
        let matrix = Matrix3::new(2.0, 2.0, 0.0, 2.0, 2.0, 0.0, 0.0, 0.0, 0.0);
        let x = solve_least_norm(&matrix, &Vector3::new(4.0, 4.0, 0.0)).unwrap();
        assert!((x - Vector3::new(1.0, 1.0, 0.0)).norm() < 1e-7, "{x}");
        assert!((x[0] + x[1] - 2.0).abs() < 1e-15, "{x}");
        let blank = solve_least_norm(&Matrix2::<f64>::zeros(), &Vector2::zeros()).unwrap();
        assert_eq!(blank, Vector2::zeros());
        let error = solve_least_norm(&Matrix2::new(1.0, 0.0, 0.0, f64::NAN), &Vector2::zeros());
        assert_eq!(error, Err(KktError::NotFinite));
    }

    /// x = λ₁ + λ₂ = r / s, λ₁ = λ₂ = x / 2, where s and r depend on a parameter.
    #[test]
    fn derivatives_go_through_where_the_rank_is_constant() {
        let dual = |re, eps| Dual { re, eps };
        let (s, r) = (dual(2.0_f64, 0.7), dual(3.0, -1.1));
        let x = solve_least_norm(&Matrix2::new(s, s, s, s), &Vector2::new(r, r)).unwrap();
        let expected = r / s * dual(0.5, 0.0);
        for x in [x[0], x[1]] {
            assert!((x.re - expected.re).abs() < 1e-7 && (x.eps - expected.eps).abs() < 1e-7, "{x:?} {expected:?}");
        }
        let sum = x[0] + x[1];
        assert!((sum.re - 2.0 * expected.re).abs() < 1e-14 && (sum.eps - 2.0 * expected.eps).abs() < 1e-13, "{sum:?}");
    }

    /// A row repeated with the factor k: λ₁ = x / 2 and λ₂ = x / 2k. The norm depends on k, and x does not.
    #[test]
    fn derivatives_are_those_of_a_norm_that_moves() {
        let dual = |re, eps| Dual { re, eps };
        for (k, r) in [(dual(3.0_f64, 1.0), dual(5.0, 0.0)), (dual(0.2, -0.3), dual(-1.0, 0.4))] {
            let s = dual(2.0, 0.7);
            let x = solve_least_norm(&Matrix2::new(s, k * s, k * s, k * k * s), &Vector2::new(r, k * r)).unwrap();
            let half = r / s * dual(0.5, 0.0);
            for (x, expected) in [(x[0], half), (x[1], half / k)] {
                assert!((x.re - expected.re).abs() < 1e-7 && (x.eps - expected.eps).abs() < 1e-6, "{x:?} {expected:?}");
            }
            let sum = x[0] + k * x[1] - r / s;
            assert!(sum.re.abs() < 1e-14 && sum.eps.abs() < 1e-13, "{sum:?}");
        }
    }

    /// The iteration must not stop after the first iteration if only the values, without the derivatives, have converged.
    #[test]
    fn derivatives_of_what_is_zero_have_their_turns() {
        let dual = |re, eps| Dual { re, eps };
        let (s, r) = (dual(2.0_f64, 0.0), dual(0.0, 1.0));
        let x = solve_least_norm(&Matrix2::new(s, s, s, s), &Vector2::new(r, r)).unwrap();
        assert!((x[0].eps + x[1].eps - 0.5).abs() < 1e-15, "{x:?}");
    }

    #[test]
    fn single_precision_shares_too() {
        let matrix = Matrix2::<f32>::new(2.0, 2.0, 2.0, 2.0);
        let x = solve_least_norm(&matrix, &Vector2::new(4.0, 4.0)).unwrap();
        assert!((x - Vector2::new(1.0, 1.0)).norm() < 1e-3 && (x[0] + x[1] - 2.0).abs() < 1e-6, "{x}");
    }

    /// The reactions act on one side of a singular configuration, and the constraints on the other: σ is negative.
    #[test]
    fn a_direction_that_has_changed_sides_is_bounded_too() {
        for exponent in 20..100 {
            let size = 10.0_f64.powf(-0.1 * f64::from(exponent));
            for ratio in [0.3, 1.0, 1.03, 7.0] {
                let first = Matrix2::new(1.0, 0.0, 1.0, size);
                let second = Matrix2::new(1.0, 0.0, 1.0, -ratio * size);
                // The equations of the second point differ along its own weak direction.
                let x =
                    solve_least_norm(&(second * first.transpose()), &Vector2::new(1.0, 1.0 - ratio * size)).unwrap();
                let moved = first.transpose() * x;
                // If y is left free, the rows contradict each other in x by this amount.
                let torn = 1.1 * (1.0 + ratio) * size;
                assert!((moved.x - 1.0).abs() < torn && moved.y.abs() < 8.0, "{size} {ratio} {x} {moved}");
            }
        }
    }

    /// The equation along the weaker direction holds while σ ≫ ε. The direction is left free for σ ≪ ε, and there is no division by σ.
    #[test]
    fn a_direction_that_is_nearly_lost_is_bounded() {
        for exponent in 2..16 {
            let angle = 10.0_f64.powi(-exponent);
            let b = Matrix2::new(1.0, 0.0, angle.cos(), angle.sin());
            let x = solve_least_norm(&(b * b.transpose()), &Vector2::new(1.0, 1.0 + angle)).unwrap();
            // Exact: λ₂ = 1 / sin²(angle) (1 + angle − cos(angle)) ≈ 1 / angle.
            let bound = 4.0 / relaxation::<f64>().sqrt();
            assert!(x.amax() < bound, "{angle} {x}");
            let left = b * (b.transpose() * x) - Vector2::new(1.0, 1.0 + angle);
            let met = if exponent < 4 { 1e-10 } else { 1.1 * angle };
            assert!(left.amax() < met, "{angle} {left}");
        }
    }
}
