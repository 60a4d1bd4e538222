//! Conversions between the groups of rotations and between the groups of rigid-body poses.
//!
//! A conversion keeps the motion and therefore the body-fixed angular velocity. It keeps the linear part of a velocity if both groups
//! use body-fixed components, or both use spatial components.

use super::{Placement, S3, SO3};
use crate::scalar::Scalar;

impl<S: Scalar> From<S3<S>> for SO3<S> {
    #[inline]
    fn from(rotation: S3<S>) -> Self {
        Self::from_matrix_unchecked(rotation.rotation_matrix())
    }
}

/// Returns p or −p, whichever has w ≥ 0.
impl<S: Scalar> From<SO3<S>> for S3<S> {
    #[inline]
    fn from(rotation: SO3<S>) -> Self {
        Self::of_rotation(&rotation)
    }
}

/// Conversions between any two groups of poses; rotation and position stay the same.
macro_rules! conversions {
    (@ $group:ident from $other:ident) => {
        impl<S: Scalar> From<super::$other<S>> for super::$group<S> {
            #[inline]
            fn from(placement: super::$other<S>) -> Self {
                Self::new(Placement::rotation(&placement).into(), Placement::position(&placement))
            }
        }
    };
    () => {};
    ($group:ident $($other:ident)*) => {
        $(
            conversions! { @ $group from $other }
            conversions! { @ $other from $group }
        )*
        conversions! { $($other)* }
    };
}

placements_of_space!(conversions);

#[cfg(test)]
mod tests {
    use nalgebra::Vector3;

    use super::super::LieGroup;
    use super::super::elements::{DQ, S3R3, S3xR3, SE3, SO3xR3};
    use super::*;

    /// The image of the point (1, −2, 0.5).
    fn moved<P: Placement<Scalar = f64, Point = Vector3<f64>>>(
        placement: &P,
        matrix: impl Fn(P::Rotation) -> SO3,
    ) -> Vector3<f64> {
        matrix(placement.rotation()) * Vector3::new(1.0, -2.0, 0.5) + placement.position()
    }

    #[test]
    fn motions_stay_what_they_are() {
        for angle in [0.0, 0.3, 2.0, core::f64::consts::PI - 5e-8, 3.2, 6.0] {
            let axis = Vector3::new(0.48, -0.6, 0.64);
            let rotation = S3::exp(&(axis * angle));
            let place = S3R3::new(rotation, Vector3::new(0.3, 0.1, -2.0));
            let expected = moved(&place, SO3::from);
            let ways = [
                moved(&SE3::from(place), |r| r),
                moved(&DQ::from(SE3::from(place)), SO3::from),
                moved(&SO3xR3::from(DQ::from(place)), |r| r),
                moved(&S3xR3::from(SO3xR3::from(place)), SO3::from),
                moved(&S3R3::from(S3xR3::from(place)), SO3::from),
            ];
            for way in ways {
                assert!((way - expected).norm() < 1e-14, "{angle}: {way:?}");
            }
            let back = S3::from(SO3::from(rotation));
            assert!(back.coordinates()[0] >= 0.0);
            assert!((rotation.inverse().compose(&back).rotate(&axis.yzx()) - axis.yzx()).norm() < 1e-14);
        }
    }
}
