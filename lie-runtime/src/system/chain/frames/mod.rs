//! Frames along a tree of joints: what terms run over that are written in positions, not in the coordinates of the joints.
//!
//! The frames are a recursion xᵢ = k(x₋, qᵢ), with x₋ the frame that frame i hangs on, or the base. Their left-trivialised velocities are
//! uᵢ = A u₋ + J vᵢ (+ b, if k depends on time), and by d'Alembert's principle the terms of the frames, a small system
//! M_x u' + g_x each, act on the members through the transposes of A and J. So nothing larger than the matrices of one
//! member and one frame is ever formed:
//!
//! * forces: positions, velocities and accelerations outwards (`outwards`), covectors wᵢ = M_x u' + g_x + Aᵀ wᵢ₊₁ inwards (`sweep`);
//! * M⁻¹: articulated inertias inwards, accelerations outwards (`articulated`), an exact elimination in O(N);
//! * v' at one point: the frames move once, and what they need goes inwards with their inertia, in the same elimination; with constraints
//!   B sees where they are before it is known how they move, and M, −g and the curvature go on from there;
//! * constraint rows: the same way inwards, and no further than to the frame where a loop closes (`loops`), in O(N + m);
//! * K_t, C_t and M: what hangs on a frame as one matrix of its own, inwards, and from each joint on to the root (`linearised`);
//! * what acts between frames, or constrains them: as covectors that go inwards from each (`joined`), along ways that are known before (`ways`);
//! * gradients: cotangents of what frames are and do, inwards (`reverse`).
//!
//! [`Dynamics`] is where a system says whether it has frames.

mod across;
mod articulated;
mod axial;
mod blocks;
mod declared;
mod dynamics;
mod factor;
mod joined;
mod joined_jacobian;
mod joined_linearised;
mod joint;
mod linearised;
mod link;
mod loops;
mod member_by_member;
mod outwards;
mod own;
mod reverse;
mod sweep;
mod tangents;
mod tree;
mod ways;

use core::fmt::Debug;

use super::ElementSystem;
use crate::space::ConfigurationSpace;
use crate::system::Block;
use crate::system::ModelError;

pub use across::{across, from_columns, in_columns};
pub use articulated::ArticulatedMass;
pub use declared::{DeclaredFrame, beyond_elements, declared_frame, displacement, frame_terms, spin_energy};
pub use dynamics::{AlongTree, Dynamics};
pub use joined::{JoinedVisitor, Seen};
pub use joined_linearised::joined_rate_gradient;
pub use linearised::{FrameLinearisation, Linearisation, NoLinearisation};
pub use link::{Link, ROOT};
pub(in crate::system::chain) use loops::closing;
pub use member_by_member::MemberByMember;
pub use reverse::{FrameCotangents, ReverseDynamics, ReverseFrames, WeightedMotion};
pub use tree::Tree;

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

/// The motion of a frame of `F`.
pub type MotionOf<M, F> = Motion<<F as Frames<M>>::Frame, <F as Frames<M>>::Vector>;

/// The frames along a tree and the terms that run over them; generated, straight-line kernels.
///
/// n components of the velocity of a frame, m of that of a joint: of the kind that has most, for those of the others are followed by
/// zeros (and ones on the diagonal of Jᵀ I J). Matrices are stored by rows.
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
    /// The numbers that [A J] is made of, of the kind of joints that has most: those that are not known at compile time.
    type Jacobian: Block<M::Scalar>;
    /// (4 n + (n + m)) × (n + m) numbers.
    type Tangents: Block<M::Scalar>;

    /// The positions of the fields that frames follow, one for each kind of joints.
    const FIELDS: &'static [usize];
    /// n.
    const FRAME: usize;
    /// m.
    const MEMBER: usize;
    /// True if the terms of the frames have inertia.
    const HAS_INERTIA: bool;
    /// True if there are elements that see several frames, or constrain one.
    const JOINS: bool;
    /// False if what these elements constrain is at rest where no joint moves: b = 0.
    const DRIFTS: bool;

    /// Shows every kind of these elements to `visitor`, in the order of their numbers.
    fn visit_joined<V: JoinedVisitor<M, Self>>(system: &M, visitor: &mut V);

    /// The base, where the recursion starts.
    fn origin(system: &M, t: M::Scalar) -> Motion<Self::Frame, Self::Vector>;
    /// The direction of a joint that is a point of the sphere.
    fn direction(q: &M::Configuration, link: &Link) -> Option<[M::Scalar; 3]>;

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
    /// How many components a joint is eliminated with, the first ones in the coordinates of J, and how many it has: any others move no frame.
    fn size(place: &Link) -> [usize; 2];
    /// True if the coordinates of J are not those of the joint's velocity.
    #[inline]
    fn turns(place: &Link) -> bool {
        let [width, components] = Self::size(place);
        width < components
    }
    /// A covector of a joint in the coordinates that J has its columns in: of a point of the sphere those of [`in_columns`].
    fn in_columns(place: &Link, q: &M::Configuration, jacobian: &Self::Jacobian, given: &Self::Member) -> Self::Member;
    /// A velocity or a covector of a joint from these: the basis is orthonormal.
    fn from_columns(
        place: &Link,
        q: &M::Configuration,
        jacobian: &Self::Jacobian,
        given: &Self::Member,
    ) -> Self::Member;
    /// Aᵀ I A, Aᵀ I J and Jᵀ I J of a symmetric matrix I, of which the upper triangle is read, and what is kept of [A J].
    fn transport(
        system: &M,
        place: &Link,
        t: M::Scalar,
        q: &M::Configuration,
        above: &Self::Frame,
        inertia: &Self::Matrix,
    ) -> (Self::Matrix, Self::Mixed, Self::MemberMatrix, Self::Jacobian);
    /// A u + J v, by what is kept of [A J].
    fn push_along(
        system: &M,
        place: &Link,
        jacobian: &Self::Jacobian,
        u: &Self::Vector,
        v: &Self::Member,
    ) -> Self::Vector;
    /// Aᵀ w and Jᵀ w, by that.
    fn pull_along(
        system: &M,
        place: &Link,
        jacobian: &Self::Jacobian,
        w: &Self::Vector,
    ) -> (Self::Vector, Self::Member);
    /// Aᵀ K A, Aᵀ K J and Jᵀ K J of a skew-symmetric matrix K, of which and of the first and last of which there is what is above the diagonal.
    fn turn_along(
        system: &M,
        place: &Link,
        jacobian: &Self::Jacobian,
        skew: &Self::Matrix,
    ) -> (Self::Matrix, Self::Mixed, Self::MemberMatrix);
    /// The linearisation of the recursion, by rows: [A J], ∂u/∂(x₋, q), ∂u'/∂(u₋, v) and ∂u'/∂(x₋, q), n rows each, and n + m rows
    /// ∂(Aᵀ w, Jᵀ w)/∂(x₋, q); along x₋ and q in left-trivialised displacements.
    #[allow(clippy::too_many_arguments)] // The recursion has four, and w.
    fn tangents(
        system: &M,
        place: &Link,
        t: M::Scalar,
        q: &M::Configuration,
        above: &Motion<Self::Frame, Self::Vector>,
        v: &Self::Member,
        acceleration: &Self::Member,
        w: &Self::Vector,
    ) -> Self::Tangents;

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
    /// Adds the derivative of that along x, of all terms of frame i.
    fn add_stiffness(
        system: &M,
        place: &Link,
        t: M::Scalar,
        at: &Motion<Self::Frame, Self::Vector>,
        out: &mut Self::Matrix,
    );
    /// Adds the derivative of that with respect to u.
    fn add_damping(
        system: &M,
        place: &Link,
        t: M::Scalar,
        at: &Motion<Self::Frame, Self::Vector>,
        out: &mut Self::Matrix,
    );
    /// The kinetic energy of frame i.
    fn kinetic_energy(system: &M, place: &Link, t: M::Scalar, x: &Self::Frame, u: &Self::Vector) -> M::Scalar;
    /// The potential energy of frame i.
    fn potential_energy(system: &M, place: &Link, t: M::Scalar, x: &Self::Frame) -> M::Scalar;
}

/// Position, velocity and acceleration (at v' = 0) of every frame, in the order of sweeps.
pub fn motions_in_order<M: ElementSystem, F: Frames<M>>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    v: &[M::Scalar],
) -> Vec<MotionOf<M, F>> {
    outwards::motions::<M, F>(system, t, q, v)
}

/// The positions of all frames of a configuration, by their numbers.
pub fn frames_of<M: ElementSystem, F: Frames<M>>(system: &M, t: M::Scalar, q: &M::Configuration) -> Vec<F::Frame> {
    if system.chain_space().check(q).is_err() {
        return Vec::new();
    }
    system.structure().tree().numbered(&outwards::positions::<M, F>(system, t, q))
}

/// `sum += term`.
#[inline]
fn add<S: crate::scalar::Scalar, B: Block<S>>(sum: &mut B, term: &B) {
    for (sum, &term) in sum.as_mut_slice().iter_mut().zip(term.as_slice()) {
        *sum += term;
    }
}

/// `own = -own`.
#[inline]
fn negate<S: crate::scalar::Scalar, B: Block<S>>(own: &mut B) {
    own.as_mut_slice().iter_mut().for_each(|entry| *entry = -*entry);
}

/// `sum += term` of the upper triangle of a matrix of n rows.
#[inline]
fn add_upper<S: crate::scalar::Scalar, B: Block<S>>(sum: &mut B, term: &B, n: usize) {
    let (sums, terms) = (&mut sum.as_mut_slice()[..n * n], &term.as_slice()[..n * n]);
    for row in 0..n {
        for at in row * (n + 1)..(row + 1) * n {
            sums[at] += terms[at];
        }
    }
}

/// Positions and velocities of all frames, by their numbers; accelerations where v' = 0.
pub fn motions_of<M: ElementSystem, F: Frames<M>>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    v: &[M::Scalar],
) -> Vec<Motion<F::Frame, F::Vector>> {
    if system.chain_space().check(q).is_err() || v.len() != system.structure().layout().dof {
        return Vec::new();
    }
    system.structure().tree().numbered(&outwards::motions::<M, F>(system, t, q, v))
}

/// A frame's place and its motion.
pub type Placed<M, F> = (Link, Motion<<F as Frames<M>>::Frame, <F as Frames<M>>::Vector>);

/// Every frame with its place and motion, in an order in which each comes after the one it hangs on.
pub fn placed_motions<M: ElementSystem, F: Frames<M>>(
    system: &M,
    t: M::Scalar,
    q: &M::Configuration,
    v: &[M::Scalar],
) -> Vec<Placed<M, F>> {
    if system.chain_space().check(q).is_err() || v.len() != system.structure().layout().dof {
        return Vec::new();
    }
    system.structure().tree().links().iter().copied().zip(outwards::motions::<M, F>(system, t, q, v)).collect()
}

/// Checks that there are as many frames as these functions need; `member` is the field that they follow.
///
/// # Errors
/// [`ModelError::ChainTooShort`].
pub fn ensure_frames(
    tree: &Tree,
    member: &'static str,
    needed: usize,
    functions: &'static [&'static str],
) -> Result<(), ModelError> {
    match tree.links().len() {
        length if length >= needed => Ok(()),
        length => Err(ModelError::ChainTooShort { member, length, needed, functions }),
    }
}
