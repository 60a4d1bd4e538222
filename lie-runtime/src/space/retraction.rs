//! Retractions: coordinates of a group around the identity, used in place of exp (paper 3, section 2.3).

use nalgebra::{SVector, Vector3, Vector6};

use super::{AlgebraOf, HomogeneousSpace};
use crate::group::{
    self, LieGroup, Placement, S3, SO3, TwistParts, cross, direct_products_of_space, rigid_motions_of_space,
};
use crate::scalar::Scalar;

/// A retraction φ from the Lie algebra to the group, with φ(0) = e and dφ(0) = I, acting on points of the space `P`.
#[doc(hidden)]
pub trait Retraction<P: HomogeneousSpace> {
    /// φ(ξ)·y into `out`.
    fn move_along(y: &P, xi: &AlgebraOf<P>, out: &mut P);
    /// dφ⁻¹_σ(v) into `out`, such that σ' = dφ⁻¹_σ(f) where y = φ(σ)·y₀.
    fn rate(sigma: &AlgebraOf<P>, v: &AlgebraOf<P>, out: &mut AlgebraOf<P>);
}

/// The exponential map.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Exponential;

impl<P: HomogeneousSpace> Retraction<P> for Exponential {
    #[inline]
    fn move_along(y: &P, xi: &AlgebraOf<P>, out: &mut P) {
        y.moved_along(xi, out);
    }
    #[inline]
    fn rate(sigma: &AlgebraOf<P>, v: &AlgebraOf<P>, out: &mut AlgebraOf<P>) {
        P::dexp_inverse(sigma, v, out);
    }
}

/// The Cayley map cay(ξ) = (I − ξ~/2)⁻¹ (I + ξ~/2), a rational function.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Cayley;

impl<P: HomogeneousSpace> Retraction<P> for Cayley
where
    P::Group: CayleyMap,
{
    #[inline]
    fn move_along(y: &P, xi: &AlgebraOf<P>, out: &mut P) {
        *out = y.moved_by(&P::Group::cayley(xi));
    }
    #[inline]
    fn rate(sigma: &AlgebraOf<P>, v: &AlgebraOf<P>, out: &mut AlgebraOf<P>) {
        *out = P::Group::cayley_rate(sigma, v);
    }
}

/// A group with a Cayley map.
#[doc(hidden)]
pub trait CayleyMap: LieGroup {
    /// cay(ξ).
    fn cayley(xi: &Self::Tangent) -> Self;
    /// dcay⁻¹_σ(v), the vector of (I − σ~/2) v~ (I + σ~/2) = v~ − ½ [σ~, v~] − ¼ σ~ v~ σ~.
    fn cayley_rate(sigma: &Self::Tangent, v: &Self::Tangent) -> Self::Tangent;
}

/// (I − a~)⁻¹ u = (u + a × u + a (a · u)) / (1 + |a|²).
fn resolvent<S: Scalar>(a: &Vector3<S>, u: &Vector3<S>) -> Vector3<S> {
    (u + cross(a, u) + a * a.dot(u)) * (S::one() + a.dot(a)).recip()
}

/// v − ½ σ × v + ¼ σ (σ · v), for σ~ v~ σ~ = −(σ · v) σ~.
fn rotation_rate<S: Scalar>(sigma: &Vector3<S>, v: &Vector3<S>) -> Vector3<S> {
    v - cross(sigma, v) * S::from_f64(0.5) + sigma * (S::from_f64(0.25) * sigma.dot(v))
}

/// The unit quaternion (1, ξ/2) / |(1, ξ/2)|.
fn quaternion<S: Scalar>(xi: &Vector3<S>) -> S3<S> {
    let half = S::from_f64(0.5);
    let scale = (S::one() + S::from_f64(0.25) * xi.dot(xi)).sqrt().recip();
    S3::from_coordinates_unchecked([scale, half * scale * xi.x, half * scale * xi.y, half * scale * xi.z])
}

impl<S: Scalar> CayleyMap for S3<S> {
    fn cayley(xi: &Vector3<S>) -> Self {
        quaternion(xi)
    }
    fn cayley_rate(sigma: &Vector3<S>, v: &Vector3<S>) -> Vector3<S> {
        rotation_rate(sigma, v)
    }
}

impl<S: Scalar> CayleyMap for SO3<S> {
    fn cayley(xi: &Vector3<S>) -> Self {
        SO3::from_matrix_unchecked(quaternion(xi).rotation_matrix())
    }
    fn cayley_rate(sigma: &Vector3<S>, v: &Vector3<S>) -> Vector3<S> {
        rotation_rate(sigma, v)
    }
}

/// Rigid motions: cay(Ω) and (I − Ω~/2)⁻¹ U.
macro_rules! rigid_motions {
    ($($group:ident)*) => {
        $(
            impl<S: Scalar> CayleyMap for group::$group<S> {
                fn cayley(xi: &Vector6<S>) -> Self {
                    let (omega, u) = (xi.angular(), xi.linear());
                    let half = omega * S::from_f64(0.5);
                    let rotation = <Self as Placement>::Rotation::cayley(&omega);
                    Self::new(rotation, resolvent(&half, &u))
                }
                fn cayley_rate(sigma: &Vector6<S>, v: &Vector6<S>) -> Vector6<S> {
                    let (omega, u) = (sigma.angular(), sigma.linear());
                    let (w, x) = (v.angular(), v.linear());
                    let half = S::from_f64(0.5);
                    let angular = rotation_rate(&omega, &w);
                    let linear = x - (cross(&omega, &x) - cross(&w, &u)) * half
                        - cross(&omega, &cross(&w, &u)) * S::from_f64(0.25);
                    Vector6::new(angular.x, angular.y, angular.z, linear.x, linear.y, linear.z)
                }
            }
        )*
    };
}

rigid_motions_of_space!(rigid_motions);

/// Direct products: cay(Ω) and U.
macro_rules! direct_products {
    ($($group:ident)*) => {
        $(
            impl<S: Scalar> CayleyMap for group::$group<S> {
                fn cayley(xi: &Vector6<S>) -> Self {
                    Self::new(<Self as Placement>::Rotation::cayley(&xi.angular()), xi.linear())
                }
                fn cayley_rate(sigma: &Vector6<S>, v: &Vector6<S>) -> Vector6<S> {
                    let (angular, linear) = (rotation_rate(&sigma.angular(), &v.angular()), v.linear());
                    Vector6::new(angular.x, angular.y, angular.z, linear.x, linear.y, linear.z)
                }
            }
        )*
    };
}

direct_products_of_space!(direct_products);

impl<S: Scalar, const N: usize> CayleyMap for SVector<S, N> {
    fn cayley(xi: &Self) -> Self {
        *xi
    }
    fn cayley_rate(_: &Self, v: &Self) -> Self {
        *v
    }
}
