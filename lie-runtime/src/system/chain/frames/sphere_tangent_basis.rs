//! An orthonormal basis of the tangent plane of the sphere, for the columns of J of sphere joints.
//!
//! Frames depend on the ω of a point q through q' = ω × q. With orthonormal vectors t₁ and t₂ in the tangent plane, q =
//! t₁ × t₂, ω = a₁ q × t₁ + a₂ q × t₂ + s q results in q' = a₁ t₁ + a₂ t₂. Then D consists of a 2 × 2 matrix and the
//! inertia of the spin s, so that a joint waits for one division instead of three.

use crate::scalar::Scalar;

/// Returns t₁ and t₂ of the point q; they are smooth except where q₃ changes sign.
///
/// Source: T. Duff et al., "Building an Orthonormal Basis, Revisited", JCGT 6 (2017) 1–8.
#[inline]
pub fn tangent_basis<S: Scalar>(&[x, y, z]: &[S; 3]) -> [[S; 3]; 2] {
    let (sign, one) = (z.signum(), S::one());
    let a = -one / (sign + z);
    let (along, b) = (x * a, x * y * a);
    [[one + sign * x * along, sign * b, -sign * x], [b, sign + y * y * a, -y]]
}

/// Returns (p · (q × t₁), p · (q × t₂), p · q) of a covector p.
#[inline]
pub fn to_tangent_basis<S: Scalar>(q: &[S; 3], [first, second]: &[[S; 3]; 2], p: &[S; 3]) -> [S; 3] {
    let dot = |a: &[S; 3]| a[0] * p[0] + a[1] * p[1] + a[2] * p[2];
    [dot(second), -dot(first), dot(q)]
}

/// Returns ω of (a₁, a₂, s).
#[inline]
pub fn from_tangent_basis<S: Scalar>(q: &[S; 3], [first, second]: &[[S; 3]; 2], &[a, b, spin]: &[S; 3]) -> [S; 3] {
    core::array::from_fn(|at| a * second[at] - b * first[at] + spin * q[at])
}

#[cfg(test)]
mod tests {
    use super::{from_tangent_basis, tangent_basis, to_tangent_basis};

    #[test]
    fn vectors_across_a_point_are_orthonormal() {
        let tilted = [0.36, -0.48, -0.8];
        for q in [[0.0, 0.0, 1.0], [0.0, 0.0, -1.0], [0.6, 0.8, 0.0], [-0.6, 0.0, -0.8], [1e-9, 0.0, -1.0], tilted] {
            let all @ [first, second] = tangent_basis(&q);
            let dot = |a: &[f64; 3], b: &[f64; 3]| a[0] * b[0] + a[1] * b[1] + a[2] * b[2];
            for (a, b, expected) in [(&first, &first, 1.0), (&second, &second, 1.0), (&first, &second, 0.0)] {
                assert!((dot(a, b) - expected).abs() < 1e-15);
            }
            let normal = [
                first[1] * second[2] - first[2] * second[1],
                first[2] * second[0] - first[0] * second[2],
                first[0] * second[1] - first[1] * second[0],
            ];
            let near = |a: [f64; 3], b: [f64; 3]| a.iter().zip(b).all(|(a, b)| (a - b).abs() < 1e-15);
            assert!(near(normal, q), "{q:?}: {normal:?}");
            let omega = [0.3, -0.7, 0.2];
            assert!(near(from_tangent_basis(&q, &all, &to_tangent_basis(&q, &all, &omega)), omega));
        }
    }
}
