//! Frames along a chain: what terms run over that are written in positions, not in the coordinates of the members.
//!
//! The frames are a recursion xᵢ = k(xᵢ₋₁, qᵢ) that starts at the identity. Their left-trivialised velocities are
//! uᵢ = A uᵢ₋₁ + J vᵢ (+ b, if k depends on time), and by d'Alembert's principle the terms of the frames, a small system
//! M_x u' + g_x each, act on the members through the transposes of A and J. So nothing larger than the matrices of one
//! member and one frame is ever formed:
//!
//! * forces: positions, velocities and accelerations outwards, covectors wᵢ = M_x u' + g_x + Aᵀ wᵢ₊₁ inwards (`sweep`);
//! * M⁻¹: articulated inertias inwards, accelerations outwards (`articulated`), an exact elimination in O(N).
//!
//! [`Dynamics`] is where a system says whether it has frames.

mod articulated;
mod axial;
mod declared;
mod dynamics;
mod factor;
mod sweep;

use core::fmt::Debug;

use super::{Block, ElementSystem, Span};
use crate::space::ConfigurationSpace;
use crate::system::ModelError;

pub use articulated::ArticulatedMass;
pub use declared::{DeclaredFrame, beyond_elements, declared_frame, displacement, frame_terms, spin_energy};
pub use dynamics::{AlongChain, Dynamics, Linearisable, MemberByMember};

/// A member of the chain and its frame.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Link {
    /// The number of the member.
    pub index: usize,
    /// How many members the chain has.
    pub length: usize,
}

/// Position, velocity and acceleration of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Motion<X, U> {
    /// x.
    pub frame: X,
    /// u, left-trivialised.
    pub velocity: U,
    /// u'.
    pub acceleration: U,
}

/// The frames along a chain and the terms that run over them; generated, straight-line kernels.
///
/// n components of the velocity of a frame, m of that of a member. Matrices are stored by rows.
pub trait Frames<M: ElementSystem>: Debug + Clone {
    /// An element of the frames' group.
    type Frame: Copy + Debug;
    /// n numbers.
    type Vector: Block<M::Scalar>;
    /// n × n numbers.
    type Matrix: Block<M::Scalar>;
    /// m numbers.
    type Member: Block<M::Scalar>;
    /// m × m numbers.
    type MemberMatrix: Block<M::Scalar>;
    /// n × m numbers.
    type Mixed: Block<M::Scalar>;

    /// The position of the chain among the fields.
    const FIELD: usize;
    /// n.
    const FRAME: usize;
    /// m.
    const MEMBER: usize;
    /// True if the terms of the frames have inertia.
    const HAS_INERTIA: bool;

    /// Where the recursion starts: the identity.
    fn origin() -> Self::Frame;
    /// The direction of a member of spheres.
    fn direction(q: &M::Configuration, index: usize) -> Option<[M::Scalar; 3]>;

    /// xᵢ.
    fn frame(system: &M, place: &Link, t: M::Scalar, q: &M::Configuration, above: &Self::Frame) -> Self::Frame;
    /// xᵢ, uᵢ and uᵢ' for a member that moves with `v` and `acceleration`.
    fn motion(
        system: &M,
        place: &Link,
        t: M::Scalar,
        q: &M::Configuration,
        above: &Motion<Self::Frame, Self::Vector>,
        v: &Self::Member,
        acceleration: &Self::Member,
    ) -> Motion<Self::Frame, Self::Vector>;
    /// A u + J v.
    fn push(
        system: &M,
        place: &Link,
        t: M::Scalar,
        q: &M::Configuration,
        above: &Self::Frame,
        u: &Self::Vector,
        v: &Self::Member,
    ) -> Self::Vector;
    /// Aᵀ w and Jᵀ w.
    fn pull(
        system: &M,
        place: &Link,
        t: M::Scalar,
        q: &M::Configuration,
        above: &Self::Frame,
        w: &Self::Vector,
    ) -> (Self::Vector, Self::Member);
    /// Aᵀ I A, Aᵀ I J and Jᵀ I J of a symmetric matrix I, of which the upper triangle is read.
    fn transport(
        system: &M,
        place: &Link,
        t: M::Scalar,
        q: &M::Configuration,
        above: &Self::Frame,
        inertia: &Self::Matrix,
    ) -> (Self::Matrix, Self::Mixed, Self::MemberMatrix);

    /// Adds M_x of all terms of frame i.
    fn add_inertia(system: &M, place: &Link, t: M::Scalar, x: &Self::Frame, out: &mut Self::Matrix);
    /// Adds M_x u' + g_x of all terms of frame i.
    fn add_residual(
        system: &M,
        place: &Link,
        t: M::Scalar,
        at: &Motion<Self::Frame, Self::Vector>,
        out: &mut Self::Vector,
    );
    /// The kinetic energy of frame i.
    fn kinetic_energy(system: &M, place: &Link, t: M::Scalar, x: &Self::Frame, u: &Self::Vector) -> M::Scalar;
    /// The potential energy of frame i.
    fn potential_energy(system: &M, place: &Link, t: M::Scalar, x: &Self::Frame) -> M::Scalar;
}

/// The positions of all frames of a configuration, from the first member on.
pub fn frames_of<M: ElementSystem, F: Frames<M>>(system: &M, t: M::Scalar, q: &M::Configuration) -> Vec<F::Frame> {
    if system.chain_space().check(q).is_err() {
        return Vec::new();
    }
    let length = system.structure().layout().spans[F::FIELD].length;
    let mut above = F::origin();
    (0..length)
        .map(|index| {
            above = F::frame(system, &Link { index, length }, t, q, &above);
            above
        })
        .collect()
}

/// `sum += term`.
#[inline]
fn add<S: crate::scalar::Scalar, B: Block<S>>(sum: &mut B, term: &B) {
    for (sum, &term) in sum.as_mut().iter_mut().zip(term.as_ref()) {
        *sum += term;
    }
}

/// Positions and velocities of all frames, from the first member on; accelerations where v' = 0.
pub fn motions_of<M: ElementSystem, F: Frames<M>>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    v: &[M::Scalar],
) -> Vec<Motion<F::Frame, F::Vector>> {
    if system.chain_space().check(q).is_err() || v.len() != system.structure().layout().dof {
        return Vec::new();
    }
    sweep::motions::<M, F>(system, t, q, v).collect()
}

/// Checks that a chain has as many frames as these functions need.
///
/// # Errors
/// [`ModelError::ChainTooShort`].
pub fn ensure_frames(span: &Span, needed: usize, functions: &'static [&'static str]) -> Result<(), ModelError> {
    if span.length >= needed {
        Ok(())
    } else {
        Err(ModelError::ChainTooShort { member: span.name, length: span.length, needed, functions })
    }
}
