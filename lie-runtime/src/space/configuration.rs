//! The configuration space as the integrators use it.

use core::fmt::Debug;

use super::{MemberDefect, length};
use crate::group::{CoordinateMap, TangentVector};
use crate::messages::see;
use crate::scalar::Scalar;

/// The configuration manifold with its group operations.
///
/// A value stores the lengths of chains and the clamped members; for a fixed configuration its size is zero. Generated systems use a
/// [`ProductSpace`](super::ProductSpace), systems on a single group or sphere use the product with one field. Every method writes into
/// buffers of the caller and allocates nothing. Velocities, accelerations, forces and coordinates θ have [`dof`](Self::dof) components.
///
/// ```
/// use lie_runtime::prelude::*;
/// use lie_runtime::space::FixedSpace;
///
/// let space: FixedSpace<SO3, 3> = FixedSpace::NEW;
/// let (start, rotation) = (SO3::identity(), Vector3::new(0.0, 0.0, 0.5));
/// let (mut end, mut back) = (start, space.zero_velocity());
/// space.compose_exp(&start, &rotation, &mut end);
/// space.log_difference(&start, &end, &mut back);
/// assert!((back - rotation).norm() < 1e-15);
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
    /// Writes T(θ)⁻ᵀ p into `out`, for covectors. The default evaluates column by column; implementations with a formula override it.
    #[doc(hidden)]
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
    #[doc(hidden)]
    fn coadjoint(&self, v: &Self::Velocity, p: &Self::Velocity, out: &mut Self::Velocity);
    /// Writes q ∘ exp(θ) into `out` for the member that owns a component of θ; other members may keep their values.
    #[doc(hidden)]
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
    /// True if every component of q is finite.
    #[doc(hidden)]
    fn is_finite(&self, q: &Self::Configuration) -> bool;

    /// The scale of changes of a configuration: 1 if there are angles, otherwise the largest coordinate.
    ///
    /// Lengths in nanometres and in metres therefore have the same number of digits.
    #[doc(hidden)]
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
    /// Moves (q, v) by exp(ξ) of the group that acts on states and writes (q ∘ exp(θ), v + w) into `out`, with ξ = (θ, w).
    ///
    /// For spheres SE(3) acts on (q, ω), see [`TS2`](crate::space::TS2), so that ω stays orthogonal to q.
    // Inlined: a call would pass the state in memory, in pieces of other sizes than the loads.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[doc(hidden)]
    fn move_state(
        &self,
        (q, v): (&Self::Configuration, &Self::Velocity),
        xi: (&Self::Velocity, &Self::Velocity),
        out: (&mut Self::Configuration, &mut Self::Velocity),
    ) {
        self.compose_exp(q, xi.0, out.0);
        out.1.assign_sum(v, num_traits::One::one(), xi.1);
    }
    /// Writes the rate σ' of the coordinates of (q, v) = exp(σ)·(q₀, v₀) for motion along `direction` into `out`: (T(θ)⁻¹ v, w).
    #[inline]
    #[doc(hidden)]
    fn state_rate(
        &self,
        sigma: (&Self::Velocity, &Self::Velocity),
        direction: (&Self::Velocity, &Self::Velocity),
        out: (&mut Self::Velocity, &mut Self::Velocity),
    ) {
        self.tangent_inverse(sigma.0, direction.0, out.0);
        out.1.assign(direction.1);
    }
    /// Writes w such that (v, w) moves the state along (v, v') into `out`: v' for groups, q × ω' for spheres.
    #[inline]
    #[doc(hidden)]
    fn state_direction(&self, q: &Self::Configuration, acceleration: &Self::Velocity, out: &mut Self::Velocity) {
        let _ = q;
        out.assign(acceleration);
    }
    /// Removes the components of v that do not move q, such as the rotation about q for a [sphere](crate::space::S2).
    ///
    /// Returns the norm of the removed part, or 0 if it is round-off.
    #[doc(hidden)]
    fn remove_spins(&self, q: &Self::Configuration, v: &mut Self::Velocity) -> f64 {
        let _ = (q, v);
        0.0
    }
    /// True if the velocities of some member are not simply added, see [`move_state`](Self::move_state).
    #[doc(hidden)]
    fn moves_velocities(&self) -> bool {
        false
    }
    /// Checks that the chains of q have the lengths of this space.
    ///
    /// For configurations or vectors of other lengths, results are NaN, and methods that move configurations may panic.
    ///
    /// # Errors
    /// [`ForeignLength`].
    #[doc(hidden)]
    fn check(&self, q: &Self::Configuration) -> Result<(), ForeignLength> {
        let _ = q;
        Ok(())
    }
    /// The member of q with the largest distance from its group; `None` if there is none.
    #[doc(hidden)]
    fn worst_member(&self, q: &Self::Configuration) -> Option<MemberDefect> {
        let _ = q;
        None
    }
    /// The velocity components of a member by name, such as `links[2]` or `bodies[1].attitude`; an empty range if it is clamped.
    ///
    /// `None` if there is no such member.
    #[doc(hidden)]
    fn components_of(&self, name: &str) -> Option<core::ops::Range<usize>> {
        let _ = name;
        None
    }
    /// Removes the drift of every member from its group due to round-off. The remaining defect is the square of the previous defect.
    #[doc(hidden)]
    fn renormalize(&self, q: &mut Self::Configuration) {
        let _ = q;
    }
}

/// A space with coordinate maps in addition to exp, for methods in local coordinates.
#[doc(hidden)]
pub trait LocalSpace: ConfigurationSpace {
    /// Writes θ with exp(θ) = μ(x), v = T(x) x' and v' = T(x) x'' + T'(x, x') x' of a motion in local coordinates into `out`
    /// (paper 2, eqs. 66 and 67).
    #[doc(hidden)]
    fn local_motion(&self, point: &LocalPoint<'_, Self::Velocity>, out: [&mut Self::Velocity; 3]);
}

/// A configuration space with the reverse (adjoint) passes of its operations.
#[doc(hidden)]
pub trait ReverseSpace: LocalSpace {
    /// Adds the cotangents of x, x' and x'' from the cotangents of q₀ ∘ μ(x), v and v'.
    fn local_motion_pullback(
        &self,
        point: &LocalPoint<'_, Self::Velocity>,
        cotangents: [&Self::Velocity; 3],
        out: [&mut Self::Velocity; 3],
    );
    /// ad_v w into `out`.
    fn bracket(&self, v: &Self::Velocity, w: &Self::Velocity, out: &mut Self::Velocity);
    /// Adds the cotangents of q and θ from the cotangent of q ∘ exp(θ).
    ///
    /// δ(q ∘ exp(θ)) = Ad(exp(−θ)) δq + T(θ) δθ, and Ad(exp(−θ)) = I − T(θ) ad_θ: with t = T(θ)ᵀ c the
    /// cotangents are c − ad_θᵀ t and t.
    fn motion_pullback(
        &self,
        theta: &Self::Velocity,
        cotangent: &Self::Velocity,
        of_start: &mut Self::Velocity,
        of_theta: &mut Self::Velocity,
    );
    /// Adds the cotangents of θ and v from the cotangent of θ' = T(θ)⁻¹ v; `at` is \[θ, v\].
    fn coordinate_rate_pullback(
        &self,
        at: [&Self::Velocity; 2],
        cotangent: &Self::Velocity,
        of_theta: &mut Self::Velocity,
        of_velocity: &mut Self::Velocity,
    );
    /// The reverse pass of [`remove_spins`](ConfigurationSpace::remove_spins): adds the cotangents of q, and replaces the cotangent of v after by the
    /// cotangent of v before.
    fn spin_pullback(
        &self,
        q: &Self::Configuration,
        v: &Self::Velocity,
        of_configuration: &mut Self::Velocity,
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

/// A chain with another length than in the space.
#[derive(Clone, Copy, PartialEq, Eq, thiserror::Error)]
#[error(
    "chain `{member}` has {given} members, and the space has {expected}; pass a chain of {expected} members {}",
    see("chain-lengths")
)]
pub struct ForeignLength {
    /// The field of the configuration.
    pub member: &'static str,
    /// The expected number of members.
    pub expected: usize,
    /// The actual number of members.
    pub given: usize,
}

crate::messages::debug_is_the_message!(ForeignLength);
