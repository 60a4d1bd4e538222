//! Poses of a rigid body: the common interface of the groups SE(3), S³ ⋉ R³, DQ, SO(3) × R³, S³ × R³ and SE(2).

use nalgebra::{Vector2, Vector3};

use super::{LieGroup, SE2, SO2, TwistParts};
use crate::scalar::Scalar;

/// A rotation R, body to space, and the position x of the body's origin in space: `placement * point` is R p + x.
///
/// A declaration that uses these methods can change the group of a body by one word. SE(3), S³ ⋉ R³ and unit dual quaternions have
/// body-fixed components of the velocity of the origin; direct products such as SO(3) × R³ have spatial components.
///
/// ```
/// use lie_runtime::group::Placement;
/// use lie_runtime::prelude::*;
///
/// // A wheel of radius 0.3 m that rolls along x: its point of contact is at rest.
/// fn contact<P>(wheel: P) -> Vector3<f64>
/// where
///     P: Placement<Scalar = f64, Point = Vector3<f64>, Angular = Vector3<f64>, Tangent = Vector6<f64>>,
/// {
///     let velocity = wheel.twist(&Vector3::new(0.0, 2.0, 0.0), &Vector3::new(0.6, 0.0, 0.0));
///     wheel.point_velocity(&velocity, &Vector3::new(0.0, 0.0, -0.3))
/// }
/// assert!(contact(SE3::identity()).norm() < 1e-15);
/// assert!(contact(S3R3::identity()).norm() < 1e-15);
/// ```
pub trait Placement: LieGroup {
    /// The group of its rotations.
    type Rotation: LieGroup<Scalar = Self::Scalar>;
    /// Points, in the body or in space, and their velocities: vectors of space or of the plane.
    type Point;
    /// Angular velocities: a vector in space, a scalar in the plane.
    type Angular;

    /// R, body to space.
    fn rotation(&self) -> Self::Rotation;
    /// x, the position of the body's origin in space.
    fn position(&self) -> Self::Point;
    /// Returns the velocity of a body-fixed point in spatial components.
    fn point_velocity(&self, velocity: &Self::Tangent, point: &Self::Point) -> Self::Point;
    /// Returns the velocity of a body-fixed point in body-fixed components.
    fn body_point_velocity(&self, velocity: &Self::Tangent, point: &Self::Point) -> Self::Point;
    /// Returns the group velocity with the body-fixed angular velocity `angular` and the spatial velocity `linear` of the origin.
    fn twist(&self, angular: &Self::Angular, linear: &Self::Point) -> Self::Tangent;
}

/// R (U + Ω × p) for motions in space with body velocity (Ω, U).
macro_rules! placement_seen_from_body {
    ($group:ident over $rotation:ident) => {
        impl<S: Scalar> $crate::group::Placement for $group<S> {
            type Rotation = $rotation<S>;
            type Point = Vector3<S>;
            type Angular = Vector3<S>;

            #[inline]
            fn rotation(&self) -> $rotation<S> {
                $group::rotation(self)
            }
            #[inline]
            fn position(&self) -> Vector3<S> {
                $group::position(self)
            }
            #[inline]
            fn point_velocity(&self, velocity: &Vector6<S>, point: &Vector3<S>) -> Vector3<S> {
                $group::rotation(self).rotate(&self.body_point_velocity(velocity, point))
            }
            #[inline]
            fn body_point_velocity(&self, velocity: &Vector6<S>, point: &Vector3<S>) -> Vector3<S> {
                let (angular, linear) = split(velocity);
                linear + cross(&angular, point)
            }
            #[inline]
            fn twist(&self, angular: &Vector3<S>, linear: &Vector3<S>) -> Vector6<S> {
                join(angular, &$group::rotation(self).inverse().rotate(linear))
            }
        }
    };
}

pub(super) use placement_seen_from_body;

impl<S: Scalar> Placement for SE2<S> {
    type Rotation = SO2<S>;
    type Point = Vector2<S>;
    type Angular = S;

    #[inline]
    fn rotation(&self) -> SO2<S> {
        self.rotation
    }
    #[inline]
    fn position(&self) -> Vector2<S> {
        self.translation
    }
    #[inline]
    fn point_velocity(&self, velocity: &Vector3<S>, point: &Vector2<S>) -> Vector2<S> {
        self.rotation.rotate(&self.body_point_velocity(velocity, point))
    }
    /// U + ω J p.
    #[inline]
    fn body_point_velocity(&self, velocity: &Vector3<S>, point: &Vector2<S>) -> Vector2<S> {
        let (angular, linear) = (velocity.angular(), velocity.linear());
        linear + Vector2::new(-point.y, point.x) * angular
    }
    #[inline]
    fn twist(&self, angular: &S, linear: &Vector2<S>) -> Vector3<S> {
        let linear = self.rotation.inverse().rotate(linear);
        Vector3::new(*angular, linear.x, linear.y)
    }
}
