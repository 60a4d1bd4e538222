//! Local coordinates of vector spaces, scalars and angles: x is the vector or the angle, and T = I for every map.

use nalgebra::{SMatrix, SVector};

use super::{CoordinateMap, LocalCoordinates, LocalGradient, LocalMotion};
use crate::group::{LieGroup, SO2, TangentVector};
use crate::scalar::Scalar;

/// One line a space.
macro_rules! flat {
    ([$($parameters:tt)*] $group:ty, $n:expr, $extent:expr) => {
        impl<S: Scalar, $($parameters)*> LocalCoordinates<S, $n> for $group {
            const IS_FLAT: bool = true;

            fn origin() -> Self {
                LieGroup::exp(&SVector::from_element(S::zero()))
            }
            fn extent(&self) -> f64 {
                let extent: fn(&Self) -> f64 = $extent;
                extent(self)
            }
            #[inline]
            fn tangent_matrix(_: &SVector<S, $n>) -> SMatrix<S, $n, $n> {
                SMatrix::identity()
            }
            #[inline]
            fn tangent_inverse_matrix(_: &SVector<S, $n>) -> SMatrix<S, $n, $n> {
                SMatrix::identity()
            }
            #[inline]
            fn local_motion(
                _: &CoordinateMap,
                x: &SVector<S, $n>,
                rate: &SVector<S, $n>,
                second: &SVector<S, $n>,
            ) -> LocalMotion<SVector<S, $n>> {
                LocalMotion { theta: *x, velocity: *rate, acceleration: *second }
            }
            #[inline]
            fn local_gradient(
                _: &CoordinateMap,
                _: &SVector<S, $n>,
                _: &SVector<S, $n>,
                _: &SVector<S, $n>,
            ) -> LocalGradient<S, $n> {
                let zero = crate::scalar::zeros();
                LocalGradient {
                    tangent: SMatrix::identity(),
                    velocity_by_position: zero,
                    acceleration_by_position: zero,
                    acceleration_by_rate: zero,
                }
            }
            #[cfg_attr(not(debug_assertions), inline(always))]
            fn rate_pullback(_: [&SVector<S, $n>; 2], p: &SVector<S, $n>) -> [SVector<S, $n>; 2] {
                [crate::scalar::zeros(), *p]
            }
        }
    };
}

flat!([const N: usize] SVector<S, N>, N, |x| TangentVector::max_norm(x));
flat!([] SO2<S>, 1, |_| 1.0);
flat!([] S, 1, |x| x.magnitude());
