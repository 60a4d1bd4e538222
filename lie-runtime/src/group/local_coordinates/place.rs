//! The derivatives of a motion on SO(3) with respect to its coordinates at a point x.

use nalgebra::{Matrix3, Vector3};

use super::map::{CoordinateMap, LocalGradient, LocalMotion};
use crate::group::so3_algebra::{cross, skew};
use crate::scalar::Scalar;

/// A point x with its coefficients.
pub(super) struct CoefficientPoint<'a, S> {
    x: &'a Vector3<S>,
    c: [[S; 3]; 3],
    scale: S,
}

/// a bᵀ.
#[inline]
pub(super) fn outer<S: Scalar>(a: &Vector3<S>, b: &Vector3<S>) -> Matrix3<S> {
    Matrix3::from_fn(|row, column| a[row] * b[column])
}

/// `matrix` + `value` I.
#[inline]
pub(super) fn shifted<S: Scalar>(mut matrix: Matrix3<S>, value: S) -> Matrix3<S> {
    for i in 0..3 {
        matrix[(i, i)] += value;
    }
    matrix
}

impl<'a, S: Scalar> CoefficientPoint<'a, S> {
    #[inline]
    pub fn of(map: &CoordinateMap, x: &'a Vector3<S>) -> Self {
        let z = x.dot(x);
        CoefficientPoint { x, c: map.coefficients(z), scale: map.scale(z) }
    }

    /// c₀ u + c₁ x × u + c₂ x (x · u) with derivative n of the coefficients.
    #[inline]
    fn apply(&self, n: usize, u: &Vector3<S>) -> Vector3<S> {
        let [c0, c1, c2] = self.c[n];
        u * c0 + cross(self.x, u) * c1 + self.x * (c2 * self.x.dot(u))
    }

    /// The matrix of `apply`.
    #[inline]
    fn matrix(&self, n: usize) -> Matrix3<S> {
        let [c0, c1, c2] = self.c[n];
        shifted(skew(self.x) * c1 + outer(self.x, self.x) * c2, c0)
    }

    /// D_x (T(x) u).
    #[inline]
    fn gradient(&self, u: &Vector3<S>) -> Matrix3<S> {
        let [_, c1, c2] = self.c[0];
        let slope = self.apply(1, u);
        let matrix = outer(&(slope + slope), self.x) - skew(u) * c1 + outer(self.x, u) * c2;
        shifted(matrix, c2 * self.x.dot(u))
    }

    /// T'(x, w) w; the term of c₁ vanishes.
    #[inline]
    fn convective(&self, w: &Vector3<S>) -> Vector3<S> {
        let (along, c2) = (self.x.dot(w), self.c[0][2]);
        self.apply(1, w) * (along + along) + (w * along + self.x * w.dot(w)) * c2
    }

    /// D_x (T'(x, w) w).
    #[inline]
    fn convective_by_position(&self, w: &Vector3<S>) -> Matrix3<S> {
        let ([_, _, c2], [_, d1, d2]) = (self.c[0], self.c[1]);
        let (along, square) = (self.x.dot(w), w.dot(w));
        let twice = along + along;
        let (first, second) = (self.apply(1, w), self.apply(2, w));
        let by_x = second * (twice + twice) + (w * along + self.x * square) * (d2 + d2);
        let by_w = first + first + w * c2 + self.x * (twice * d2);
        let matrix = outer(&by_x, self.x) + outer(&by_w, w) - skew(w) * (twice * d1);
        shifted(matrix, twice * d2 * along + c2 * square)
    }

    /// D_w (T'(x, w) w).
    #[inline]
    fn convective_by_rate(&self, w: &Vector3<S>) -> Matrix3<S> {
        let [_, c1, c2] = self.c[0];
        let along = self.x.dot(w);
        let rate = self.matrix(1) * (along + along) + skew(w) * c1 + (outer(w, self.x) + outer(self.x, w)) * c2;
        rate + self.gradient(w)
    }

    #[inline]
    pub fn motion(&self, rate: &Vector3<S>, second: &Vector3<S>) -> LocalMotion<Vector3<S>> {
        LocalMotion {
            theta: self.x * self.scale,
            velocity: self.apply(0, rate),
            acceleration: self.apply(0, second) + self.convective(rate),
        }
    }

    #[inline]
    pub fn derivatives(&self, rate: &Vector3<S>, second: &Vector3<S>) -> LocalGradient<S, 3> {
        LocalGradient {
            tangent: self.matrix(0),
            velocity_by_position: self.gradient(rate),
            acceleration_by_position: self.gradient(second) + self.convective_by_position(rate),
            acceleration_by_rate: self.convective_by_rate(rate),
        }
    }
}
