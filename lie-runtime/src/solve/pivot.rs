//! Limits of pivots.

use crate::scalar::Scalar;

/// A pivot below this multiple of its scale is replaced by zero: the row depends on the rows before it. The value is for `f64`; for `f32`
/// it is larger by the ratio of the unit round-offs (about 5e-4).
///
/// The scale of the pivot in row i and column k is √|aᵢᵢ aₖₖ|; the test does therefore not depend on the units of the constraints. For
/// the symmetric matrix B M⁻¹ Bᵀ the ratio is 1 − cos² of an angle. The angle is between the gradient of the constraint and the span of
/// the others, in the metric of M⁻¹. Round-off leaves about 1e-16 to 1e-14 for redundant constraints. Independent constraints closer than
/// 1e-6 rad count as redundant.
pub const SINGULAR_PIVOT: f64 = 1e-12;

/// The unit round-off of a scalar type, `f64` or `f32`.
#[inline]
pub(super) fn round_off<S: Scalar>() -> f64 {
    let is_single = S::one() + S::from_f64(1e-10) == S::one();
    if is_single { f64::from(f32::EPSILON) } else { f64::EPSILON }
}

/// A pivot below this multiple of its scale is lost to cancellation (see [`SINGULAR_PIVOT`]).
#[inline]
pub(crate) fn lost_pivot<S: Scalar>() -> f64 {
    SINGULAR_PIVOT * (round_off::<S>() / f64::EPSILON)
}
