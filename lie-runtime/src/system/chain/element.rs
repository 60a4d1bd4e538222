//! Elements: what generated code says of one term over the members of a chain.

use core::fmt::Debug;

use nalgebra::DVector;

use super::{ChainBlocks, ChainCoordinates, Dynamics, Place, Structure};
use crate::scalar::Scalar;
use crate::system::{DeclarationError, Description, MemberDefect, ModelError};

/// A local vector or matrix of an element: an array.
pub trait Block<S>: AsRef<[S]> + AsMut<[S]> + Copy + Debug {
    /// All zero.
    fn zeros() -> Self;
}

impl<S: Scalar, const N: usize> Block<S> for [S; N] {
    #[inline]
    fn zeros() -> Self {
        [S::zero(); N]
    }
}

/// Which terms an element contributes: loops skip what is never there.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[allow(clippy::struct_excessive_bools)] // Each says whether a kernel is called.
pub struct Terms {
    /// A kinetic energy or a mass matrix.
    pub inertia: bool,
    /// True if the inertia depends on parameters, index and length only.
    pub inertia_is_constant: bool,
    /// Anything in −g.
    pub force: bool,
    /// Anything in D_q r, that of the multipliers' forces included.
    pub stiffness: bool,
    /// Anything in D_v r.
    pub damping: bool,
}

/// The equations of one kind of element: a small system whose configuration is a few members of the chains, its *slots*.
///
/// n components of velocity (those of the slots in order), m constraint rows (holonomic ones first, the functions in the
/// order of declaration). Every kernel overwrites `out`; matrices are stored by rows.
pub trait Element<M: ElementSystem> {
    /// n numbers.
    type Vector: Block<M::Scalar>;
    /// m numbers.
    type Rows: Block<M::Scalar>;
    /// n × n numbers.
    type Matrix: Block<M::Scalar>;
    /// m × n numbers.
    type Jacobian: Block<M::Scalar>;

    /// The position among the kinds of elements of the system.
    const KIND: usize;
    /// The dimension of each slot.
    const SLOTS: &'static [usize];
    /// The rows of each constraint function.
    const SEGMENTS: &'static [usize];
    /// How many of the rows, the first ones, are holonomic.
    const HOLONOMIC_ROWS: usize;
    /// What is there.
    const TERMS: Terms;

    /// The element's part of M(q).
    fn mass(system: &M, place: &Place<'_>, t: M::Scalar, q: &M::Configuration, out: &mut Self::Matrix);
    /// The element's part of −g(t, q, v).
    fn force(
        system: &M,
        place: &Place<'_>,
        t: M::Scalar,
        q: &M::Configuration,
        v: &Self::Vector,
        out: &mut Self::Vector,
    );
    /// Φ(t, q); zero in the rows of velocity constraints.
    fn constraint(system: &M, place: &Place<'_>, t: M::Scalar, q: &M::Configuration, out: &mut Self::Rows);
    /// B(t, q).
    fn constraint_jacobian(system: &M, place: &Place<'_>, t: M::Scalar, q: &M::Configuration, out: &mut Self::Jacobian);
    /// b(t, q).
    fn constraint_drift(system: &M, place: &Place<'_>, t: M::Scalar, q: &M::Configuration, out: &mut Self::Rows);
    /// The terms of d/dt (B v + b) that are free of v'.
    fn constraint_curvature(
        system: &M,
        place: &Place<'_>,
        t: M::Scalar,
        q: &M::Configuration,
        v: &Self::Vector,
        out: &mut Self::Rows,
    );
    /// The kinetic energy.
    fn kinetic_energy(system: &M, place: &Place<'_>, t: M::Scalar, q: &M::Configuration, v: &Self::Vector)
    -> M::Scalar;
    /// The potential energy.
    fn potential_energy(system: &M, place: &Place<'_>, t: M::Scalar, q: &M::Configuration) -> M::Scalar;
    /// The element's part of r = M v' + g + Bᵀ λ.
    #[allow(clippy::too_many_arguments)] // r has five arguments.
    fn residual(
        system: &M,
        place: &Place<'_>,
        t: M::Scalar,
        q: &M::Configuration,
        v: &Self::Vector,
        acceleration: &Self::Vector,
        multipliers: &Self::Rows,
        out: &mut Self::Vector,
    );
    /// D_q r along q w~.
    #[allow(clippy::too_many_arguments)] // r has five arguments.
    fn stiffness(
        system: &M,
        place: &Place<'_>,
        t: M::Scalar,
        q: &M::Configuration,
        v: &Self::Vector,
        acceleration: &Self::Vector,
        multipliers: &Self::Rows,
        out: &mut Self::Matrix,
    );
    /// D_v r.
    fn damping(
        system: &M,
        place: &Place<'_>,
        t: M::Scalar,
        q: &M::Configuration,
        v: &Self::Vector,
        out: &mut Self::Matrix,
    );
    /// D_q (B v + b) along q w~.
    fn rate_gradient(
        system: &M,
        place: &Place<'_>,
        t: M::Scalar,
        q: &M::Configuration,
        v: &Self::Vector,
        out: &mut Self::Jacobian,
    );
}

/// Something to be done with every kind of element.
pub trait Visitor<M: ElementSystem> {
    /// Does it with the elements of kind `E`.
    fn element<E: Element<M>>(&mut self);
}

/// A system that is the sum of its elements: what the macro generates for a declaration over chains.
///
/// It is a [`MechanicalSystem`](crate::system::MechanicalSystem) and, without frames, [`Linearised`](crate::system::Linearised):
/// assembly and linear algebra are those of this module.
pub trait ElementSystem: Sized {
    /// The number type.
    type Scalar: Scalar;
    /// An element q of the configuration group.
    type Configuration: Clone + Debug;
    /// What is added to the elements and solves with the mass matrix: [`MemberByMember`](super::MemberByMember), or
    /// frames [`AlongChain`](super::AlongChain).
    type Dynamics: Dynamics<Self>;

    /// Where members, elements and rows stand.
    fn structure(&self) -> &Structure<Self::Scalar>;
    /// Names, group, dimensions, counts.
    fn description(&self) -> &Description;
    /// Shows every kind of element to `visitor`, in the order of their numbers.
    fn visit<V: Visitor<Self>>(&self, visitor: &mut V);

    /// The configuration of identities, clamped members included: every chain has the length the system was made for.
    fn identity(&self) -> Self::Configuration;
    /// Checks that every chain of q has the length that the system was made for.
    ///
    /// # Errors
    /// [`ModelError::ChainLength`].
    fn check_lengths(&self, q: &Self::Configuration) -> Result<(), ModelError>;
    /// q ∘ exp(θ) into `out`; clamped members stay.
    fn compose_exp(&self, q: &Self::Configuration, theta: &[Self::Scalar], out: &mut Self::Configuration);
    /// log(from⁻¹ ∘ to) of the free members into `out`.
    fn log_difference(&self, from: &Self::Configuration, to: &Self::Configuration, out: &mut [Self::Scalar]);
    /// T(θ)⁻¹ v into `out`.
    fn tangent_inverse(&self, theta: &[Self::Scalar], v: &[Self::Scalar], out: &mut [Self::Scalar]);
    /// T(θ) v into `out`.
    fn tangent(&self, theta: &[Self::Scalar], v: &[Self::Scalar], out: &mut [Self::Scalar]);
    /// ad_vᵀ p into `out`.
    fn coadjoint(&self, v: &[Self::Scalar], p: &[Self::Scalar], out: &mut [Self::Scalar]);
    /// T(θ)⁻ᵀ p into `out`.
    fn tangent_inverse_transpose(&self, theta: &[Self::Scalar], p: &[Self::Scalar], out: &mut [Self::Scalar]);
    /// The matrices T(θ)⁻¹ of the free members, by rows, one after the other.
    fn tangent_inverse_blocks(&self, theta: &[Self::Scalar], out: &mut [Self::Scalar]);
    /// θ, v and v' of the free members in local coordinates, into `out`.
    fn local_motion(&self, at: &ChainCoordinates<'_, Self::Scalar>, out: [&mut [Self::Scalar]; 3]);
    /// The blocks of the free members in local coordinates; `scales` are 1/γ', γ' and 1/β' of the method.
    fn local_blocks(
        &self,
        at: &ChainCoordinates<'_, Self::Scalar>,
        scales: [Self::Scalar; 3],
        out: &mut ChainBlocks<Self::Scalar>,
    );
    /// True if every number that represents q is finite.
    fn configuration_is_finite(&self, q: &Self::Configuration) -> bool;
    /// The member of q that is farthest from being an element of its group.
    fn worst_member(&self, q: &Self::Configuration) -> Option<MemberDefect> {
        let _ = q;
        None
    }
    /// Brings every member of q back to its group, from which round-off has moved it away.
    fn renormalize(&self, q: &mut Self::Configuration) {
        let _ = q;
    }

    /// [`check_against_declaration`](crate::system::MechanicalSystem::check_against_declaration).
    ///
    /// # Errors
    /// [`DeclarationError`].
    fn check_declaration(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &DVector<Self::Scalar>,
    ) -> Result<(), DeclarationError> {
        let _ = (t, q, v);
        Ok(())
    }

    /// q ∘ exp(θ) of members that are no spheres, into `out`.
    fn compose_exp_of_groups(&self, q: &Self::Configuration, theta: &[Self::Scalar], out: &mut Self::Configuration) {
        self.compose_exp(q, theta, out);
    }
    /// T(θ)⁻¹ v of members that are no spheres, into `out`.
    fn tangent_inverse_of_groups(&self, theta: &[Self::Scalar], v: &[Self::Scalar], out: &mut [Self::Scalar]) {
        self.tangent_inverse(theta, v, out);
    }
    /// Takes from the velocities of spheres what turns about their directions; the square of what was taken.
    fn remove_spins(&self, q: &Self::Configuration, v: &mut [Self::Scalar]) -> f64 {
        let _ = (q, v);
        0.0
    }
    /// The spheres among the free members moved with their velocities by exp(ξ) of SE(3), into `out`.
    fn move_bundles(
        &self,
        (q, v): (&Self::Configuration, &[Self::Scalar]),
        xi: [&[Self::Scalar]; 2],
        out: (&mut Self::Configuration, &mut [Self::Scalar]),
    ) {
        let _ = (q, v, xi, out);
    }
    /// dexp⁻¹_σ of `direction` for the spheres among the free members, into `out`.
    fn bundle_rates(
        &self,
        sigma: [&[Self::Scalar]; 2],
        direction: [&[Self::Scalar]; 2],
        out: [&mut [Self::Scalar]; 2],
    ) {
        let _ = (sigma, direction, out);
    }
    /// q × ω' of the spheres among the free members into `out`.
    fn bundle_directions(&self, q: &Self::Configuration, acceleration: &[Self::Scalar], out: &mut [Self::Scalar]) {
        let _ = (q, acceleration, out);
    }
}
