//! Conversions of vectors between scalar types.

use crate::group::TangentVector;
use crate::scalar::Scalar;

/// The conversion of each component.
pub(super) fn part<V, W>(from: &V, to: &mut W, part: impl Fn(V::Scalar) -> W::Scalar)
where
    V: TangentVector<Scalar: Scalar>,
    W: TangentVector<Scalar: Scalar>,
{
    for at in 0..to.component_count() {
        to.set_component(at, part(from.component(at)));
    }
}
