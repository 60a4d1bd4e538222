//! Sums of products of vectors of fixed length, with fused multiply-add where the target has it.
//!
//! Otherwise they equal the operators of vectors bit for bit.

use nalgebra::{SVector, Vector3};

use super::Scalar;

/// a b − c d.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn difference_of_products<S: Scalar>(a: S, b: S, c: S, d: S) -> S {
    S::mul_add(a, b, -(c * d))
}

/// a · b in space.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn dot<S: Scalar>(a: &Vector3<S>, b: &Vector3<S>) -> S {
    S::mul_add(a.z, b.z, S::mul_add(a.y, b.y, a.x * b.x))
}

/// sum + factor · vector.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn plus_scaled<S: Scalar, const N: usize>(
    sum: &SVector<S, N>,
    factor: S,
    vector: &SVector<S, N>,
) -> SVector<S, N> {
    let mut result = *sum;
    for k in 0..N {
        result[k] = S::mul_add(factor, vector[k], result[k]);
    }
    result
}

#[cfg(test)]
mod tests {
    use super::*;

    /// The sum of products with the operators, and a bound for the difference due to the rounding of products.
    fn assert_is(value: f64, by_operators: f64, product: f64) {
        let allowed =
            if cfg!(any(target_feature = "fma", target_arch = "aarch64")) { product.abs() * f64::EPSILON } else { 0.0 };
        assert!((value - by_operators).abs() <= allowed, "{value:e} and {by_operators:e}");
    }

    #[test]
    fn only_the_rounding_of_products_differs() {
        let (a, b) = (Vector3::new(0.1, -1.7, 2.9), Vector3::new(-3.1, 0.7, 1.3));
        assert_is(difference_of_products(a.x, b.y, a.y, b.x), a.x * b.y - a.y * b.x, a.y * b.x);
        assert_is(dot(&a, &b), a.dot(&b), 3.0 * a.norm() * b.norm());
        let sum = plus_scaled(&a, 0.3, &b);
        (0..3).for_each(|k| assert_is(sum[k], (a + b * 0.3)[k], a[k].abs() + b[k].abs()));
    }
}
