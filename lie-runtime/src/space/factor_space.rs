//! The space of a single factor, for hand-written systems on a group of the library.

use core::marker::PhantomData;

use nalgebra::SVector;

use super::configuration::{ConfigurationSpace, LocalPoint, LocalSpace};
use super::{Factor, MemberDefect, members};
use crate::group::LocalCoordinates;
use crate::scalar::Scalar;

/// The space of a single group or sphere `G` of dimension `N`; of size zero.
#[derive(Debug)]
pub struct FactorSpace<G, const N: usize>(PhantomData<fn() -> G>);

impl<G, const N: usize> FactorSpace<G, N> {
    /// The space.
    pub const fn new() -> Self {
        FactorSpace(PhantomData)
    }
}

impl<G, const N: usize> Default for FactorSpace<G, N> {
    fn default() -> Self {
        Self::new()
    }
}

impl<G, const N: usize> Clone for FactorSpace<G, N> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<G, const N: usize> Copy for FactorSpace<G, N> {}

impl<S: Scalar, G, const N: usize> ConfigurationSpace for FactorSpace<G, N>
where
    G: Factor<Scalar = S, Tangent = SVector<S, N>> + LocalCoordinates<S, N>,
{
    type Scalar = S;
    type Configuration = G;
    type Velocity = SVector<S, N>;

    #[inline]
    fn dof(&self) -> usize {
        N
    }
    #[inline]
    fn zero_velocity(&self) -> SVector<S, N> {
        crate::scalar::zeros()
    }
    #[inline]
    fn compose_exp(&self, q: &G, theta: &SVector<S, N>, out: &mut G) {
        q.compose_exp_into(theta, out);
    }
    #[inline]
    fn log_difference(&self, from: &G, to: &G, out: &mut SVector<S, N>) {
        *out = G::log_difference(from, to);
    }
    #[inline]
    fn tangent(&self, theta: &SVector<S, N>, v: &SVector<S, N>, out: &mut SVector<S, N>) {
        *out = G::tangent(theta, v);
    }
    #[inline]
    fn tangent_inverse(&self, theta: &SVector<S, N>, v: &SVector<S, N>, out: &mut SVector<S, N>) {
        *out = G::tangent_inverse(theta, v);
    }
    #[inline]
    fn tangent_inverse_transpose(&self, theta: &SVector<S, N>, p: &SVector<S, N>, out: &mut SVector<S, N>) {
        *out = G::tangent_inverse_transpose(theta, p);
    }
    #[inline]
    fn coadjoint(&self, v: &SVector<S, N>, p: &SVector<S, N>, out: &mut SVector<S, N>) {
        *out = G::coadjoint(v, p);
    }
    fn extent(&self, q: &G) -> f64 {
        q.extent()
    }
    fn is_finite(&self, q: &G) -> bool {
        q.is_finite()
    }
    #[inline]
    fn move_state(
        &self,
        (q, v): (&G, &Self::Velocity),
        xi: (&Self::Velocity, &Self::Velocity),
        out: (&mut G, &mut Self::Velocity),
    ) {
        *out.1 = q.move_with_velocity(v, [xi.0, xi.1], out.0);
    }
    #[inline]
    fn state_rate(
        &self,
        sigma: (&Self::Velocity, &Self::Velocity),
        direction: (&Self::Velocity, &Self::Velocity),
        out: (&mut Self::Velocity, &mut Self::Velocity),
    ) {
        [*out.0, *out.1] = G::rate_with_velocity([sigma.0, sigma.1], [direction.0, direction.1]);
    }
    #[inline]
    fn state_direction(&self, q: &G, acceleration: &Self::Velocity, out: &mut Self::Velocity) {
        *out = q.direction_of(acceleration);
    }
    fn remove_spins(&self, q: &G, v: &mut Self::Velocity) -> f64 {
        q.remove_spin(v).sqrt()
    }
    fn spin_pullback(
        &self,
        q: &G,
        v: &Self::Velocity,
        of_configuration: &mut Self::Velocity,
        of_velocity: &mut Self::Velocity,
    ) {
        let [from_point, from_velocity] = q.spin_pullback(v, of_velocity);
        *of_configuration += from_point;
        *of_velocity = from_velocity;
    }
    fn moves_velocities(&self) -> bool {
        G::MOVES_VELOCITIES
    }
    fn worst_member(&self, q: &G) -> Option<MemberDefect> {
        Some(MemberDefect { member: "configuration", index: None, part: None, defect: q.membership_defect() })
    }
    fn renormalize(&self, q: &mut G) {
        q.renormalize();
    }
}

impl<S: Scalar, G, const N: usize> LocalSpace for FactorSpace<G, N>
where
    G: Factor<Scalar = S, Tangent = SVector<S, N>> + LocalCoordinates<S, N>,
{
    fn local_motion(
        &self,
        point: &LocalPoint<'_, SVector<S, N>>,
        [theta, velocity, acceleration]: [&mut SVector<S, N>; 3],
    ) {
        let motion = G::local_motion(point.map, point.x, point.rate, point.second);
        (*theta, *velocity, *acceleration) = (motion.theta, motion.velocity, motion.acceleration);
    }
    fn local_motion_pullback(
        &self,
        point: &LocalPoint<'_, SVector<S, N>>,
        cotangents: [&SVector<S, N>; 3],
        [x, rate, second]: [&mut SVector<S, N>; 3],
    ) {
        let gradient = G::local_gradient(point.map, point.x, point.rate, point.second);
        let [of_x, of_rate, of_second] = gradient.transposed_times(cotangents);
        *x += of_x;
        *rate += of_rate;
        *second += of_second;
    }
    #[inline]
    fn bracket(&self, v: &SVector<S, N>, w: &SVector<S, N>, out: &mut SVector<S, N>) {
        *out = G::bracket(v, w);
    }
    #[inline]
    fn motion_pullback(
        &self,
        theta: &Self::Velocity,
        cotangent: &Self::Velocity,
        of_start: &mut Self::Velocity,
        of_theta: &mut Self::Velocity,
    ) {
        let [from_start, from_theta] = members::motion_pullback_of::<G, S, N>(theta, cotangent);
        *of_start += from_start;
        *of_theta += from_theta;
    }
    #[inline]
    fn coordinate_rate_pullback(
        &self,
        at: [&Self::Velocity; 2],
        cotangent: &Self::Velocity,
        of_theta: &mut Self::Velocity,
        of_velocity: &mut Self::Velocity,
    ) {
        let [from_theta, from_velocity] = G::rate_pullback(at, cotangent);
        *of_theta += from_theta;
        *of_velocity += from_velocity;
    }
}
