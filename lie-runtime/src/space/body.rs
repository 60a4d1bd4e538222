//! Structs of fields as factors: a product that is itself a member of a configuration, a body.
//!
//! The operations are the same as for the product space of a configuration: T and the derivatives of local coordinates are
//! block-diagonal, one block per field.

use nalgebra::{SMatrix, SVector};

use super::configuration::{LocalPoint, LocalSpace};
use super::members::{TangentTranspose, free, vector};
use super::{EachField, Field, FixedFields, FixedSpace, OnVectors};
use crate::group::{CoordinateMap, LocalCoordinates, LocalGradient, LocalMotion};
use crate::scalar::Scalar;

/// Writes the block of a field into the matrix of the product.
#[cfg_attr(not(debug_assertions), inline(always))]
fn set_block<S: Scalar, const D: usize, const N: usize>(
    matrix: &mut SMatrix<S, D, D>,
    offset: usize,
    block: &SMatrix<S, N, N>,
) {
    for row in 0..N {
        for column in 0..N {
            matrix[(offset + row, offset + column)] = block[(row, column)];
        }
    }
}

fn zero<S: Scalar, const R: usize, const C: usize>() -> SMatrix<S, R, C> {
    crate::scalar::zeros()
}

/// T(θ), or its inverse.
struct Tangent<'a, S, const D: usize, const INVERSE: bool> {
    theta: &'a SVector<S, D>,
    out: SMatrix<S, D, D>,
}

impl<Q: FixedFields<Scalar = S>, S: Scalar, const D: usize, const INVERSE: bool> EachField<Q>
    for Tangent<'_, S, D, INVERSE>
{
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn field<const I: usize, const N: usize>(&mut self)
    where
        Q: Field<I, N>,
    {
        let span = &Q::SPANS[I];
        for (member, theta) in free::<S, N>(span, self.theta.as_slice()) {
            let theta = vector(theta);
            let block = if INVERSE {
                <Q::Group as LocalCoordinates<S, N>>::tangent_inverse_matrix(&theta)
            } else {
                <Q::Group as LocalCoordinates<S, N>>::tangent_matrix(&theta)
            };
            set_block(&mut self.out, span.offset + member * N, &block);
        }
    }
}

/// An operation of the acting groups on two vectors in spatial components.
#[inline]
pub fn spatial<O: OnVectors, Q: FixedFields, const D: usize>(
    a: &SVector<Q::Scalar, D>,
    b: &SVector<Q::Scalar, D>,
) -> SVector<Q::Scalar, D> {
    let mut out = zero();
    FixedSpace::<Q, D>::NEW.spatial::<O>(a, b, None, &mut out);
    out
}

/// T(θ)ᵀ p.
#[inline]
pub fn tangent_transpose<Q: FixedFields, const D: usize>(
    theta: &SVector<Q::Scalar, D>,
    p: &SVector<Q::Scalar, D>,
) -> SVector<Q::Scalar, D> {
    let mut out = zero();
    FixedSpace::<Q, D>::NEW.operate::<TangentTranspose>(theta, p, &mut out);
    out
}

/// T(θ) as a matrix.
#[inline]
pub fn tangent_matrix<Q: FixedFields, const D: usize>(theta: &SVector<Q::Scalar, D>) -> SMatrix<Q::Scalar, D, D> {
    let mut tangent = Tangent::<_, D, false> { theta, out: zero() };
    Q::visit(&mut tangent);
    tangent.out
}

/// T(θ)⁻¹ as a matrix.
#[cfg_attr(not(debug_assertions), inline(always))]
pub fn tangent_inverse_matrix<Q: FixedFields, const D: usize>(
    theta: &SVector<Q::Scalar, D>,
) -> SMatrix<Q::Scalar, D, D> {
    let mut tangent = Tangent::<_, D, true> { theta, out: zero() };
    Q::visit(&mut tangent);
    tangent.out
}

/// The motion with coordinates x, x', x''.
#[inline]
pub fn local_motion<Q: FixedFields, const D: usize>(
    map: &CoordinateMap,
    [x, rate, second]: [&SVector<Q::Scalar, D>; 3],
) -> LocalMotion<SVector<Q::Scalar, D>> {
    let [mut theta, mut velocity, mut acceleration] = [zero(); 3];
    let out = [&mut theta, &mut velocity, &mut acceleration];
    FixedSpace::<Q, D>::NEW.local_motion(&LocalPoint { map, x, rate, second }, out);
    LocalMotion { theta, velocity, acceleration }
}

struct Gradient<'a, S, const D: usize> {
    map: &'a CoordinateMap,
    at: [&'a SVector<S, D>; 3],
    out: LocalGradient<S, D>,
}

impl<Q: FixedFields<Scalar = S>, S: Scalar, const D: usize> EachField<Q> for Gradient<'_, S, D> {
    #[inline]
    fn field<const I: usize, const N: usize>(&mut self)
    where
        Q: Field<I, N>,
    {
        let span = &Q::SPANS[I];
        for member in 0..span.length {
            let offset = span.offset + member * N;
            let [x, rate, second] = self.at.map(|all| SVector::<S, N>::from_fn(|row, _| all[offset + row]));
            let own = <Q::Group as LocalCoordinates<S, N>>::local_gradient(self.map, &x, &rate, &second);
            let out = &mut self.out;
            for (all, block) in [
                (&mut out.tangent, &own.tangent),
                (&mut out.velocity_by_position, &own.velocity_by_position),
                (&mut out.acceleration_by_position, &own.acceleration_by_position),
                (&mut out.acceleration_by_rate, &own.acceleration_by_rate),
            ] {
                set_block(all, offset, block);
            }
        }
    }
}

/// The derivatives of the motion with respect to its coordinates.
#[inline]
pub fn local_gradient<Q: FixedFields, const D: usize>(
    map: &CoordinateMap,
    at: [&SVector<Q::Scalar, D>; 3],
) -> LocalGradient<Q::Scalar, D> {
    let out = LocalGradient {
        tangent: zero(),
        velocity_by_position: zero(),
        acceleration_by_position: zero(),
        acceleration_by_rate: zero(),
    };
    let mut gradient = Gradient { map, at, out };
    Q::visit(&mut gradient);
    gradient.out
}

/// Returns the cotangents of θ and v from the cotangent p of T(θ)⁻¹ v.
#[inline]
pub fn rate_pullback<Q: FixedFields, const D: usize>(
    at: [&SVector<Q::Scalar, D>; 2],
    p: &SVector<Q::Scalar, D>,
) -> [SVector<Q::Scalar, D>; 2] {
    let [mut of_theta, mut of_v] = [zero(); 2];
    FixedSpace::<Q, D>::NEW.coordinate_rate_pullback(at, p, &mut of_theta, &mut of_v);
    [of_theta, of_v]
}

/// Implements [`Factor`] for the struct `$body` of dimension `$dof`, generic over `S`, with its fields by index and dimension.
///
/// `of points` marks structs with a field that is not a group, so that velocities move with points.
#[doc(hidden)]
#[macro_export]
macro_rules! __factor_of_fields {
    (of points $body:ty, $dof:literal, $($at:literal $n:literal),*) => {
        impl<S: $crate::scalar::Scalar> $crate::__private::Factor for $body {
            type Scalar = S;
            type Tangent = $crate::nalgebra::SVector<S, $dof>;

            #[inline]
            fn compose_exp_into(&self, theta: &Self::Tangent, out: &mut Self) {
                $crate::__private::ConfigurationSpace::compose_exp(&$crate::__private::FixedSpace::<Self, $dof>::NEW, self, theta, out);
            }
            fn log_difference(from: &Self, to: &Self) -> Self::Tangent {
                let mut out = $crate::__private::zeros();
                $crate::__private::ConfigurationSpace::log_difference(
                    &$crate::__private::FixedSpace::<Self, $dof>::NEW, from, to, &mut out,
                );
                out
            }
            #[inline]
            fn tangent(theta: &Self::Tangent, v: &Self::Tangent) -> Self::Tangent {
                let mut out = $crate::__private::zeros();
                $crate::__private::ConfigurationSpace::tangent(&$crate::__private::FixedSpace::<Self, $dof>::NEW, theta, v, &mut out);
                out
            }
            #[inline]
            fn tangent_transpose(theta: &Self::Tangent, p: &Self::Tangent) -> Self::Tangent {
                $crate::__private::body::tangent_transpose::<Self, $dof>(theta, p)
            }
            #[inline]
            fn tangent_inverse(theta: &Self::Tangent, v: &Self::Tangent) -> Self::Tangent {
                let mut out = $crate::__private::zeros();
                $crate::__private::ConfigurationSpace::tangent_inverse(
                    &$crate::__private::FixedSpace::<Self, $dof>::NEW, theta, v, &mut out,
                );
                out
            }
            #[inline]
            fn tangent_inverse_transpose(theta: &Self::Tangent, p: &Self::Tangent) -> Self::Tangent {
                let mut out = $crate::__private::zeros();
                $crate::__private::ConfigurationSpace::tangent_inverse_transpose(
                    &$crate::__private::FixedSpace::<Self, $dof>::NEW, theta, p, &mut out,
                );
                out
            }
            #[inline]
            fn bracket(v: &Self::Tangent, w: &Self::Tangent) -> Self::Tangent {
                let mut out = $crate::__private::zeros();
                $crate::__private::LocalSpace::bracket(&$crate::__private::FixedSpace::<Self, $dof>::NEW, v, w, &mut out);
                out
            }
            #[inline]
            fn coadjoint(v: &Self::Tangent, p: &Self::Tangent) -> Self::Tangent {
                let mut out = $crate::__private::zeros();
                $crate::__private::ConfigurationSpace::coadjoint(&$crate::__private::FixedSpace::<Self, $dof>::NEW, v, p, &mut out);
                out
            }
            #[inline]
            fn moved_from_left(&self, xi: &Self::Tangent) -> Self {
                let mut out = ::core::clone::Clone::clone(self);
                $crate::__private::LeftSpace::move_along(&$crate::__private::FixedSpace::<Self, $dof>::NEW, self, xi, &mut out);
                out
            }
            #[inline]
            fn spatial<O: $crate::__private::OnVectors>(a: &Self::Tangent, b: &Self::Tangent) -> Self::Tangent {
                $crate::__private::body::spatial::<O, Self, $dof>(a, b)
            }
            #[inline]
            fn framed<O: $crate::__private::OnElement>(&self, vector: &Self::Tangent) -> Self::Tangent {
                let mut out = $crate::__private::zeros();
                $crate::__private::FramedSpace::framed::<O>(&$crate::__private::FixedSpace::<Self, $dof>::NEW, self, vector, &mut out);
                out
            }
            #[inline]
            fn frame_velocity(w: &Self::Tangent) -> Self::Tangent {
                let mut out = $crate::__private::zeros();
                $crate::__private::FramedSpace::frame_velocity(&$crate::__private::FixedSpace::<Self, $dof>::NEW, w, &mut out);
                out
            }
            #[inline]
            fn is_finite(&self) -> bool {
                $crate::__private::ConfigurationSpace::is_finite(&$crate::__private::FixedSpace::<Self, $dof>::NEW, self)
            }
            fn membership_defect(&self) -> f64 {
                <Self as $crate::__private::LocalCoordinates<S, $dof>>::worst_field(self).map_or(0.0, |worst| worst.defect)
            }
            fn renormalize(&mut self) {
                $crate::__private::ConfigurationSpace::renormalize(&$crate::__private::FixedSpace::<Self, $dof>::NEW, self);
            }

            const MOVES_VELOCITIES: bool = true;

            #[inline]
            fn move_with_velocity(&self, v: &Self::Tangent, xi: [&Self::Tangent; 2], out: &mut Self) -> Self::Tangent {
                let mut moved = $crate::__private::zeros();
                $crate::__private::ConfigurationSpace::move_state(
                    &$crate::__private::FixedSpace::<Self, $dof>::NEW, (self, v), (xi[0], xi[1]), (out, &mut moved),
                );
                moved
            }
            #[inline]
            fn rate_with_velocity(sigma: [&Self::Tangent; 2], direction: [&Self::Tangent; 2]) -> [Self::Tangent; 2] {
                let (mut theta, mut w) = ($crate::__private::zeros(), $crate::__private::zeros());
                $crate::__private::ConfigurationSpace::state_rate(
                    &$crate::__private::FixedSpace::<Self, $dof>::NEW,
                    (sigma[0], sigma[1]),
                    (direction[0], direction[1]),
                    (&mut theta, &mut w),
                );
                [theta, w]
            }
            #[inline]
            fn direction_of(&self, acceleration: &Self::Tangent) -> Self::Tangent {
                let mut out = $crate::__private::zeros();
                $crate::__private::ConfigurationSpace::state_direction(
                    &$crate::__private::FixedSpace::<Self, $dof>::NEW, self, acceleration, &mut out,
                );
                out
            }
            fn remove_spin(&self, v: &mut Self::Tangent) -> f64 {
                let norm = $crate::__private::ConfigurationSpace::remove_spins(
                    &$crate::__private::FixedSpace::<Self, $dof>::NEW, self, v,
                );
                norm * norm
            }
            fn spin_pullback(&self, v: &Self::Tangent, of_v: &Self::Tangent) -> [Self::Tangent; 2] {
                let (mut of_configuration, mut of_velocity) = ($crate::__private::zeros(), *of_v);
                $crate::__private::ConfigurationSpace::spin_pullback(
                    &$crate::__private::FixedSpace::<Self, $dof>::NEW, self, v, &mut of_configuration, &mut of_velocity,
                );
                [of_configuration, of_velocity]
            }
        }
        $crate::__factor_of_fields!($body, $dof, $($at $n),*);
    };
    ($body:ty, $dof:literal, $($at:literal $n:literal),*) => {
        impl<S: $crate::scalar::Scalar> $crate::__private::LocalCoordinates<S, $dof> for $body {
            const IS_FLAT: bool = true $(&&
                <<Self as $crate::__private::Field<$at, $n>>::Group as $crate::__private::LocalCoordinates<S, $n>>::IS_FLAT)*;

            fn origin() -> Self {
                <Self as $crate::__private::Fields>::origins(<Self as $crate::__private::FixedFields>::SPANS)
            }
            fn extent(&self) -> f64 {
                $crate::__private::ConfigurationSpace::extent(&$crate::__private::FixedSpace::<Self, $dof>::NEW, self)
            }
            #[inline]
            fn tangent_matrix(
                theta: &$crate::nalgebra::SVector<S, $dof>,
            ) -> $crate::nalgebra::SMatrix<S, $dof, $dof> {
                $crate::__private::body::tangent_matrix::<Self, $dof>(theta)
            }
            #[inline]
            fn tangent_inverse_matrix(
                theta: &$crate::nalgebra::SVector<S, $dof>,
            ) -> $crate::nalgebra::SMatrix<S, $dof, $dof> {
                $crate::__private::body::tangent_inverse_matrix::<Self, $dof>(theta)
            }
            #[inline]
            fn local_motion(
                map: &$crate::__private::CoordinateMap,
                x: &$crate::nalgebra::SVector<S, $dof>,
                rate: &$crate::nalgebra::SVector<S, $dof>,
                second: &$crate::nalgebra::SVector<S, $dof>,
            ) -> $crate::group::LocalMotion<$crate::nalgebra::SVector<S, $dof>> {
                $crate::__private::body::local_motion::<Self, $dof>(map, [x, rate, second])
            }
            #[inline]
            fn local_gradient(
                map: &$crate::__private::CoordinateMap,
                x: &$crate::nalgebra::SVector<S, $dof>,
                rate: &$crate::nalgebra::SVector<S, $dof>,
                second: &$crate::nalgebra::SVector<S, $dof>,
            ) -> $crate::group::LocalGradient<S, $dof> {
                $crate::__private::body::local_gradient::<Self, $dof>(map, [x, rate, second])
            }
            #[inline]
            fn rate_pullback(
                at: [&$crate::nalgebra::SVector<S, $dof>; 2],
                p: &$crate::nalgebra::SVector<S, $dof>,
            ) -> [$crate::nalgebra::SVector<S, $dof>; 2] {
                $crate::__private::body::rate_pullback::<Self, $dof>(at, p)
            }
            fn worst_field(&self) -> ::core::option::Option<$crate::space::MemberDefect> {
                $crate::__private::ConfigurationSpace::worst_member(&$crate::__private::FixedSpace::<Self, $dof>::NEW, self)
            }
        }
    };
}
