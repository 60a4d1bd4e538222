//! The space of a system's configurations: what integrators know of it.

use core::fmt::Debug;

use super::{MemberDefect, length};
use crate::group::{CoordinateMap, TangentVector};
use crate::scalar::Scalar;

/// The manifold that configurations are points of, with the group operations that move them.
///
/// A value of it knows the lengths of chains and which members are clamped; of a fixed configuration it is of size zero.
/// Generated systems have a [`ProductSpace`](super::ProductSpace), one group alone makes a
/// [`FactorSpace`](super::FactorSpace). Every method writes into buffers of the caller and allocates nothing;
/// velocities, accelerations, forces and coordinates θ have [`dof`](Self::dof) components.
///
/// ```
/// use lie_runtime::prelude::*;
/// use lie_runtime::space::FactorSpace;
///
/// let space: FactorSpace<SO3, 3> = FactorSpace::new();
/// let (start, turn) = (SO3::identity(), Vector3::new(0.0, 0.0, 0.5));
/// let (mut end, mut back) = (start, space.zero_velocity());
/// space.compose_exp(&start, &turn, &mut end);
/// space.log_difference(&start, &end, &mut back);
/// assert!((back - turn).norm() < 1e-15);
/// assert!((space.distance(&start, &end) - 0.5).abs() < 1e-15);
/// ```
pub trait ConfigurationSpace: Clone + Debug {
    /// The scalar type.
    type Scalar: Scalar;
    /// A point q.
    type Configuration: Clone + Debug;
    /// Velocities, covectors and the local coordinates θ.
    type Velocity: TangentVector<Scalar = Self::Scalar>;

    /// The dimension: degrees of freedom before constraints.
    fn dof(&self) -> usize;
    /// A velocity of zeros.
    fn zero_velocity(&self) -> Self::Velocity;
    /// q ∘ exp(θ) into `out` (paper 1, eq. 6); clamped members stay.
    fn compose_exp(&self, q: &Self::Configuration, theta: &Self::Velocity, out: &mut Self::Configuration);
    /// log(from⁻¹ ∘ to) into `out`.
    fn log_difference(&self, from: &Self::Configuration, to: &Self::Configuration, out: &mut Self::Velocity);
    /// T(θ) v into `out` (paper 1, eq. 11).
    fn tangent(&self, theta: &Self::Velocity, v: &Self::Velocity, out: &mut Self::Velocity);
    /// T(θ)⁻¹ v into `out` (paper 1, eq. 13a).
    fn tangent_inverse(&self, theta: &Self::Velocity, v: &Self::Velocity, out: &mut Self::Velocity);
    /// T(θ)⁻ᵀ p into `out`, for covectors: provided column by column, to be replaced where there is a formula.
    fn tangent_inverse_transpose(&self, theta: &Self::Velocity, p: &Self::Velocity, out: &mut Self::Velocity) {
        let (mut unit, mut column) = (self.zero_velocity(), self.zero_velocity());
        for component in 0..self.dof() {
            unit.set_component(component, num_traits::One::one());
            self.tangent_inverse(theta, &unit, &mut column);
            out.set_component(component, column.dot(p));
            unit.set_component(component, num_traits::Zero::zero());
        }
    }
    /// ad_vᵀ p into `out`, the right-hand side of the Euler-Poincaré equations p' = ad_vᵀ p.
    fn coadjoint(&self, v: &Self::Velocity, p: &Self::Velocity, out: &mut Self::Velocity);
    /// q ∘ exp(θ) of one member alone, the one that a component of θ moves, into `out`; the others may be left as they are.
    fn compose_exp_at(
        &self,
        component: usize,
        q: &Self::Configuration,
        theta: &Self::Velocity,
        out: &mut Self::Configuration,
    ) {
        let _ = component;
        self.compose_exp(q, theta, out);
    }
    /// True if every number that represents q is finite.
    fn is_finite(&self, q: &Self::Configuration) -> bool;

    /// What a change of a configuration is compared with where it is called small: 1 where angles are among the coordinates, of
    /// vectors and numbers alone the largest of them, so that lengths of nanometres have as many digits as those of metres.
    fn extent(&self, q: &Self::Configuration) -> f64 {
        let _ = q;
        1.0
    }

    /// The distance of two configurations: the Euclidean length of log(from⁻¹ ∘ to).
    fn distance(&self, from: &Self::Configuration, to: &Self::Configuration) -> f64 {
        let mut difference = self.zero_velocity();
        self.log_difference(from, to, &mut difference);
        length(&difference)
    }
    /// (q, v) moved by exp(ξ) of the group that acts on velocities as well, into `out`: (q ∘ exp(θ), v + w) with ξ = (θ, w).
    ///
    /// On spheres SE(3) acts on (q, ω), see [`TS2`](crate::space::TS2): what is orthogonal remains so.
    // A call would hand the state over in memory, in other pieces than it is read.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn move_state(
        &self,
        (q, v): (&Self::Configuration, &Self::Velocity),
        xi: (&Self::Velocity, &Self::Velocity),
        out: (&mut Self::Configuration, &mut Self::Velocity),
    ) {
        self.compose_exp(q, xi.0, out.0);
        out.1.assign_sum(v, num_traits::One::one(), xi.1);
    }
    /// The rate σ' of (q, v) = (q₀, v₀) moved by exp(σ) where the state moves along `direction`, into `out`: (T(θ)⁻¹ v, w).
    #[inline]
    fn state_rate(
        &self,
        sigma: (&Self::Velocity, &Self::Velocity),
        direction: (&Self::Velocity, &Self::Velocity),
        out: (&mut Self::Velocity, &mut Self::Velocity),
    ) {
        self.tangent_inverse(sigma.0, direction.0, out.0);
        out.1.assign(direction.1);
    }
    /// w such that (v, w) moves the state along (v, v'), into `out`: v' itself, q × ω' on spheres.
    #[inline]
    fn state_direction(&self, q: &Self::Configuration, acceleration: &Self::Velocity, out: &mut Self::Velocity) {
        let _ = q;
        out.assign(acceleration);
    }
    /// Takes from v what moves nothing: of the ω of a [sphere](crate::space::S2) what turns about q. The norm of what was
    /// taken, 0 if it was round-off.
    fn remove_spins(&self, q: &Self::Configuration, v: &mut Self::Velocity) -> f64 {
        let _ = (q, v);
        0.0
    }
    /// Back through [`remove_spins`](Self::remove_spins) of a v without them: adds the cotangents of q, along q ∘ exp, and gives that of v
    /// before in the place of that after it.
    fn spin_pullback(
        &self,
        q: &Self::Configuration,
        v: &Self::Velocity,
        of_configuration: &mut Self::Velocity,
        of_velocity: &mut Self::Velocity,
    ) {
        let _ = (q, v, of_configuration, of_velocity);
    }
    /// True if some velocities do not simply add up, see [`move_state`](Self::move_state).
    fn moves_velocities(&self) -> bool {
        false
    }
    /// Checks that q is of this space: that its chains have the lengths that the space was made for.
    ///
    /// Of a configuration that is not, or of vectors of other lengths, what is computed is NaN; the methods that move
    /// configurations may panic.
    ///
    /// # Errors
    /// [`ForeignLength`].
    fn check(&self, q: &Self::Configuration) -> Result<(), ForeignLength> {
        let _ = q;
        Ok(())
    }
    /// The member of q that is farthest from being an element of its group; `None` if there are no members to speak of.
    fn worst_member(&self, q: &Self::Configuration) -> Option<MemberDefect> {
        let _ = q;
        None
    }
    /// The components in a velocity of one member of a chain or a power by its name, `links[2]`, or of a field of a body there,
    /// `bodies[1].attitude`, none of a clamped one; `None` if there is no such member.
    fn components_of(&self, name: &str) -> Option<core::ops::Range<usize>> {
        let _ = name;
        None
    }
    /// Brings every member of q back to its group, from which round-off has moved it away: defects become their squares.
    fn renormalize(&self, q: &mut Self::Configuration) {
        let _ = q;
    }
}

/// A space with coordinate maps besides exp: for methods that step in local coordinates.
pub trait LocalSpace: ConfigurationSpace {
    /// θ with exp(θ) = μ(x), v = T(x) x' and v' = T(x) x'' + T'(x, x') x' of a motion in local coordinates, into `out`
    /// (paper 2, eqs. 66 and 67).
    fn local_motion(&self, point: &LocalPoint<'_, Self::Velocity>, out: [&mut Self::Velocity; 3]);
    /// Adds the cotangents of x, x' and x'', given those of q₀ ∘ μ(x) in the algebra there, of v and of v'.
    fn local_motion_pullback(
        &self,
        point: &LocalPoint<'_, Self::Velocity>,
        cotangents: [&Self::Velocity; 3],
        out: [&mut Self::Velocity; 3],
    );
    /// ad_v w into `out`.
    fn bracket(&self, v: &Self::Velocity, w: &Self::Velocity, out: &mut Self::Velocity);
    /// Adds the cotangents of q and θ, given that of q ∘ exp(θ).
    ///
    /// δ(q ∘ exp(θ)) = Ad(exp(−θ)) δq + T(θ) δθ, and Ad(exp(−θ)) = I − T(θ) ad_θ: with t = T(θ)ᵀ c they are c − ad_θᵀ t and t.
    fn motion_pullback(
        &self,
        theta: &Self::Velocity,
        cotangent: &Self::Velocity,
        of_start: &mut Self::Velocity,
        of_theta: &mut Self::Velocity,
    );
    /// Adds the cotangents of θ and v, given that of θ' = T(θ)⁻¹ v; `at` is \[θ, v\].
    fn coordinate_rate_pullback(
        &self,
        at: [&Self::Velocity; 2],
        cotangent: &Self::Velocity,
        of_theta: &mut Self::Velocity,
        of_velocity: &mut Self::Velocity,
    );
}

/// A motion in local coordinates, q = q₀ ∘ μ(x).
#[derive(Debug)]
pub struct LocalPoint<'a, V: ?Sized> {
    /// μ.
    pub map: &'a CoordinateMap,
    /// x.
    pub x: &'a V,
    /// x'.
    pub rate: &'a V,
    /// x''.
    pub second: &'a V,
}

impl<V: ?Sized> Clone for LocalPoint<'_, V> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<V: ?Sized> Copy for LocalPoint<'_, V> {}

/// A chain of another length than the space was made for.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ForeignLength {
    /// The field of the configuration.
    pub member: &'static str,
    /// How many members it should have.
    pub expected: usize,
    /// How many it has.
    pub given: usize,
}

impl core::fmt::Display for ForeignLength {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        let ForeignLength { member, expected, given } = self;
        write!(f, "chain `{member}` has {given} members where the space was made for {expected}")
    }
}

impl core::error::Error for ForeignLength {}
