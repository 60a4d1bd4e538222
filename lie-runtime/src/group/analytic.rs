//! φ(ad) of an analytic function φ on so(3) and se(3) in closed form (paper 3, section 2.3).
//!
//! ```
//! use lie_runtime::group::analytic::{DexpInverseFunction, PowerSeries, on_se3};
//! use lie_runtime::prelude::*;
//!
//! let (xi, v) = (Vector6::new(0.1, 0.2, -0.1, 1.0, 0.0, 0.5), Vector6::new(1.0, 0.0, 0.3, -1.0, 2.0, 0.0));
//! // z / (eᶻ − 1) by its series, and in closed form.
//! let series = PowerSeries(&[1.0, -0.5, 1.0 / 12.0, 0.0, -1.0 / 720.0, 0.0, 1.0 / 30_240.0, 0.0, -1.0 / 1_209_600.0]);
//! assert!((on_se3(&DexpInverseFunction, &xi, &v) - on_se3(&series, &xi, &v)).norm() < 1e-10);
//! // dexp⁻¹ trivialises from the right, T from the left.
//! assert!((on_se3(&DexpInverseFunction, &xi, &v) - SE3::tangent_inverse(&-xi, &v)).norm() < 1e-15);
//! ```

use nalgebra::{Vector3, Vector6};

use super::se3_algebra::{join, split};
use super::so3_algebra::cross;
use crate::scalar::Scalar;
use crate::scalar::singular::{gamma, stumpff};

/// The coefficients of φ(ad) on se(3) at the rotation angle α.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(hidden)]
pub struct AdCoefficients<S> {
    /// φ(0).
    pub constant: S,
    /// g₁(α) with φ₋(α) = α g₁(α), φ₋ the odd part of φ(iα), divided by i.
    pub first: S,
    /// g₁'(α) / α.
    pub first_slope: S,
    /// g₂(α) with φ(0) − φ₊(α) = α² g₂(α), φ₊ the even part of φ(iα).
    pub second: S,
    /// g₂'(α) / α.
    pub second_slope: S,
}

/// A real analytic function φ, represented by the coefficients of φ(ad).
#[doc(hidden)]
pub trait AnalyticFunction {
    /// The coefficients at z = α².
    fn coefficients<S: Scalar>(&self, z: S) -> AdCoefficients<S>;
}

/// eᶻ: φ(ad_ξ) = Ad_{exp ξ}.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct ExpFunction;

/// (eᶻ − 1) / z: dexp_ξ (paper 3, eq. 7).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct DexpFunction;

/// z / (eᶻ − 1): dexp⁻¹_ξ (paper 3, eq. 8).
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct DexpInverseFunction;

/// The function Σ c_k zᵏ of a list of coefficients c₀, c₁, …: any φ whose series converges.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(hidden)]
pub struct PowerSeries<'a>(pub &'a [f64]);

fn twice<S: Scalar>(x: S) -> S {
    x + x
}

// d/dα of a function of α² is 2α times its derivative, so that g'(α)/α is twice the derivative with respect to α².
impl AnalyticFunction for ExpFunction {
    fn coefficients<S: Scalar>(&self, z: S) -> AdCoefficients<S> {
        AdCoefficients {
            constant: S::one(),
            first: stumpff(1, 0, z),
            first_slope: twice(stumpff(1, 1, z)),
            second: stumpff(2, 0, z),
            second_slope: twice(stumpff(2, 1, z)),
        }
    }
}

impl AnalyticFunction for DexpFunction {
    fn coefficients<S: Scalar>(&self, z: S) -> AdCoefficients<S> {
        AdCoefficients {
            constant: S::one(),
            first: stumpff(2, 0, z),
            first_slope: twice(stumpff(2, 1, z)),
            second: stumpff(3, 0, z),
            second_slope: twice(stumpff(3, 1, z)),
        }
    }
}

impl AnalyticFunction for DexpInverseFunction {
    fn coefficients<S: Scalar>(&self, z: S) -> AdCoefficients<S> {
        AdCoefficients {
            constant: S::one(),
            first: S::from_f64(-0.5),
            first_slope: S::zero(),
            second: gamma(0, z),
            second_slope: twice(gamma(1, z)),
        }
    }
}

/// i⁰, i¹, i² … alternate in sign on the odd and on the even powers: g₁ = Σ (−1)ʲ c_{2j+1} zʲ, g₂ = Σ (−1)ʲ c_{2j+2} zʲ.
impl AnalyticFunction for PowerSeries<'_> {
    fn coefficients<S: Scalar>(&self, z: S) -> AdCoefficients<S> {
        let part = |offset: usize| {
            let (mut value, mut slope) = (S::zero(), S::zero());
            // Horner's scheme, from the last non-zero term.
            let count = self.0.len().saturating_sub(offset).div_ceil(2);
            for j in (0..count).rev() {
                let c = self.0[offset + 2 * j];
                slope = slope * z + value;
                value = value * z + S::from_f64(if j % 2 == 0 { c } else { -c });
            }
            (value, twice(slope))
        };
        let ((first, first_slope), (second, second_slope)) = (part(1), part(2));
        let constant = S::from_f64(self.0.first().copied().unwrap_or(0.0));
        AdCoefficients { constant, first, first_slope, second, second_slope }
    }
}

/// φ(ad_A) B on so(3).
pub fn on_so3<S: Scalar>(phi: &impl AnalyticFunction, a: &Vector3<S>, b: &Vector3<S>) -> Vector3<S> {
    let g = phi.coefficients(a.dot(a));
    let once = cross(a, b);
    b * g.constant + once * g.first + cross(a, &once) * g.second
}

/// φ(ad_ξ) v on se(3), the angular parts first (paper 3, section 2.3).
pub fn on_se3<S: Scalar>(phi: &impl AnalyticFunction, xi: &Vector6<S>, v: &Vector6<S>) -> Vector6<S> {
    let ((big_a, a), (big_b, b)) = (split(xi), split(v));
    let g = phi.coefficients(big_a.dot(&big_a));
    let rho = big_a.dot(&a);
    let once = cross(&big_a, &big_b);
    let twice = cross(&big_a, &once);
    let once_rate = cross(&a, &big_b) + cross(&big_a, &b);
    let twice_rate = cross(&a, &once) + cross(&big_a, &once_rate);
    let angular = big_b * g.constant + once * g.first + twice * g.second;
    let linear = b * g.constant
        + once_rate * g.first
        + once * (rho * g.first_slope)
        + twice * (rho * g.second_slope)
        + twice_rate * g.second;
    join(&angular, &linear)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::group::{LieGroup, SE3, SO3};

    const XI: [f64; 6] = [0.9, -0.7, 1.1, 0.4, 2.0, -0.3];
    const V: [f64; 6] = [-0.2, 1.3, 0.5, 1.7, -0.8, 0.6];

    /// Σ c_k ad_ξᵏ v, brackets one by one.
    fn nested(coefficients: &[f64], xi: &Vector6<f64>, v: &Vector6<f64>) -> Vector6<f64> {
        let mut power = *v;
        let mut sum = Vector6::zeros();
        for c in coefficients {
            sum += power * *c;
            power = SE3::bracket(xi, &power);
        }
        sum
    }

    fn inverse_factorials(shift: usize) -> Vec<f64> {
        (0..40).map(|k| 1.0 / (1..=k + shift).map(|i| i as f64).product::<f64>()).collect()
    }

    /// B_k / k! by Σ_{j ≤ k} (B_j / j!) / (k − j + 1)! = [k = 0].
    fn bernoulli() -> Vec<f64> {
        let inverse = inverse_factorials(1);
        let mut list: Vec<f64> = Vec::new();
        for k in 0..60 {
            let known: f64 = (0..k).map(|j| list[j] * inverse.get(k - j).copied().unwrap_or(0.0)).sum();
            list.push(if k == 0 { 1.0 } else { -known });
        }
        list
    }

    #[test]
    fn closed_forms_are_the_series() {
        let (xi, v) = (Vector6::from(XI), Vector6::from(V));
        let cases: [(Vec<f64>, Vector6<f64>); 3] = [
            (inverse_factorials(0), on_se3(&ExpFunction, &xi, &v)),
            (inverse_factorials(1), on_se3(&DexpFunction, &xi, &v)),
            (bernoulli(), on_se3(&DexpInverseFunction, &xi, &v)),
        ];
        for (series, closed) in cases {
            assert!((nested(&series, &xi, &v) - closed).norm() < 1e-13);
            assert!((on_se3(&PowerSeries(&series), &xi, &v) - closed).norm() < 1e-13);
        }
        // Any other function: ln(1 + z) inside its circle of convergence, |z| < 1.
        let logarithm: Vec<f64> =
            (0..200_i32).map(|k| if k == 0 { 0.0 } else { -(-1.0_f64).powi(k) / f64::from(k) }).collect();
        let small = xi * 0.4;
        let difference = on_se3(&PowerSeries(&logarithm), &small, &v) - nested(&logarithm, &small, &v);
        assert!(difference.norm() < 1e-13);
    }

    #[test]
    fn functions_of_ad_are_what_the_groups_have() {
        let (xi, v) = (Vector6::from(XI), Vector6::from(V));
        assert!((on_se3(&ExpFunction, &xi, &v) - SE3::exp(&xi).adjoint(&v)).norm() < 1e-14);
        assert!((on_se3(&DexpFunction, &xi, &v) - SE3::tangent(&-xi, &v)).norm() < 1e-14);
        assert!((on_se3(&DexpInverseFunction, &xi, &v) - SE3::tangent_inverse(&-xi, &v)).norm() < 1e-14);
        assert!((on_se3(&DexpFunction, &xi, &on_se3(&DexpInverseFunction, &xi, &v)) - v).norm() < 1e-14);
        let (a, b) = (split(&xi).0, split(&v).0);
        assert!((on_so3(&ExpFunction, &a, &b) - SO3::exp(&a).rotate(&b)).norm() < 1e-15);
        assert!((on_so3(&DexpFunction, &a, &on_so3(&DexpInverseFunction, &a, &b)) - b).norm() < 1e-15);
    }
}
