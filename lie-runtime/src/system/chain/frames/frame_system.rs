//! [`Frames`]: the generated kernels of the frames along a tree of joints.

use core::fmt::Debug;

use crate::scalar::Scalar;
use crate::system::chain::{ElementSystem, Link};
use crate::system::{Block, Term};

/// Position, velocity and acceleration of a frame.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct FrameMotion<X, U> {
    /// x.
    pub frame: X,
    /// u, left-trivialised.
    pub velocity: U,
    /// u'.
    pub acceleration: U,
}

/// The motion of a frame of `F`.
pub type FrameMotionOf<M, F> = FrameMotion<<F as Frames<M>>::Frame, <F as Frames<M>>::Vector>;

/// The motions of all frames, in the order of the forward pass; the slots of an element over frames refer to it.
pub type FrameKinematics<M, F> = [FrameMotionOf<M, F>];

/// A visitor of all kinds of elements over frames.
pub trait FrameElementVisitor<M: ElementSystem, F: Frames<M>> {
    /// Visits the elements of kind `E`.
    fn element<E: Term<M, FrameKinematics<M, F>>>(&mut self);
}

/// The frames along a tree and the terms over them: generated, straight-line kernels.
///
/// A frame has n velocity components, a joint m. They are the maxima over all kinds of joints; vectors of other joints
/// end with zeros, and Jᵀ I J with ones on the diagonal. Matrices are stored by rows.
#[doc(alias = "forward kinematics")]
#[doc(alias = "kinematic tree")]
pub trait Frames<M: ElementSystem>: Debug + Clone {
    /// An element of the frames' group.
    type Frame: Copy + Debug;
    /// n scalars.
    type Vector: Block<M::Scalar>;
    /// n × n scalars.
    type Matrix: Block<M::Scalar>;
    /// m scalars.
    type Member: Block<M::Scalar>;
    /// m × m scalars.
    type MemberMatrix: Block<M::Scalar>;
    /// n × m scalars.
    type Mixed: Block<M::Scalar>;
    /// The entries of [A J] that are not known at compile time, for the kind of joints with the largest number of them.
    type Jacobian: Block<M::Scalar>;
    /// (4 n + (n + m)) × (n + m) scalars.
    type Tangents: Block<M::Scalar>;

    /// The fields of the joints, one for each kind of joints.
    const FIELDS: &'static [usize];
    /// n.
    const FRAME: usize;
    /// m.
    const MEMBER: usize;
    /// True if the terms of the frames have inertia.
    const HAS_INERTIA: bool;
    /// True if there are elements over several frames, or constraints on a frame.
    const HAS_FRAME_ELEMENTS: bool;
    /// False if these elements have b = 0.
    const HAS_DRIFT: bool;

    /// Calls `visitor` for every kind of elements over frames, in order.
    fn visit_frame_elements<V: FrameElementVisitor<M, Self>>(system: &M, visitor: &mut V);

    /// Returns the motion of the base, the start of the recursion.
    fn origin(system: &M, t: M::Scalar) -> FrameMotion<Self::Frame, Self::Vector>;
    /// Returns the direction of a sphere joint.
    fn direction(q: &M::Configuration, link: &Link) -> Option<[M::Scalar; 3]>;

    /// Computes xᵢ.
    fn frame(system: &M, place: &Link, t: M::Scalar, q: &M::Configuration, above: &Self::Frame) -> Self::Frame;
    /// Computes xᵢ, uᵢ and uᵢ' for a joint with `v` and `acceleration`.
    fn motion(
        system: &M,
        place: &Link,
        t: M::Scalar,
        q: &M::Configuration,
        above: &FrameMotion<Self::Frame, Self::Vector>,
        v: &Self::Member,
        acceleration: &Self::Member,
    ) -> FrameMotion<Self::Frame, Self::Vector>;
    /// Computes A u + J v.
    fn push(
        system: &M,
        place: &Link,
        t: M::Scalar,
        q: &M::Configuration,
        above: &Self::Frame,
        u: &Self::Vector,
        v: &Self::Member,
    ) -> Self::Vector;
    /// Computes Aᵀ w and Jᵀ w.
    fn pull(
        system: &M,
        place: &Link,
        t: M::Scalar,
        q: &M::Configuration,
        above: &Self::Frame,
        w: &Self::Vector,
    ) -> (Self::Vector, Self::Member);
    /// Returns the number of components that a joint is eliminated with, the first ones in the basis of J's columns,
    /// and its number of components; the other components do not move the frame.
    fn size(place: &Link) -> [usize; 2];
    /// Returns true if the columns of J do not refer to the components of the joint's velocity.
    #[inline]
    fn has_tangent_basis(place: &Link) -> bool {
        let [width, components] = Self::size(place);
        width < components
    }
    /// Converts a covector of a joint to the basis of J's columns; for a sphere joint with
    /// [`to_tangent_basis`](super::to_tangent_basis).
    fn to_tangent_basis(
        place: &Link,
        q: &M::Configuration,
        jacobian: &Self::Jacobian,
        given: &Self::Member,
    ) -> Self::Member;
    /// Converts a velocity or covector of a joint from that orthonormal basis.
    fn from_tangent_basis(
        place: &Link,
        q: &M::Configuration,
        jacobian: &Self::Jacobian,
        given: &Self::Member,
    ) -> Self::Member;
    /// Computes Aᵀ I A, Aᵀ I J and Jᵀ I J of a symmetric matrix I, whose upper triangle is read, and the stored entries
    /// of [A J].
    fn transport(
        system: &M,
        place: &Link,
        t: M::Scalar,
        q: &M::Configuration,
        above: &Self::Frame,
        inertia: &Self::Matrix,
    ) -> (Self::Matrix, Self::Mixed, Self::MemberMatrix, Self::Jacobian);
    /// Computes A u + J v from the stored entries of [A J].
    fn push_along(
        system: &M,
        place: &Link,
        jacobian: &Self::Jacobian,
        u: &Self::Vector,
        v: &Self::Member,
    ) -> Self::Vector;
    /// Computes Aᵀ w and Jᵀ w from the stored entries of [A J].
    fn pull_along(
        system: &M,
        place: &Link,
        jacobian: &Self::Jacobian,
        w: &Self::Vector,
    ) -> (Self::Vector, Self::Member);
    /// Computes Aᵀ K A, Aᵀ K J and Jᵀ K J of a skew-symmetric matrix K; of K and of the square results the entries
    /// above the diagonal are stored.
    fn transport_skew(
        system: &M,
        place: &Link,
        jacobian: &Self::Jacobian,
        skew: &Self::Matrix,
    ) -> (Self::Matrix, Self::Mixed, Self::MemberMatrix);
    /// Computes the linearisation of the recursion, by rows: [A J], ∂u/∂(x₋, q), ∂u'/∂(u₋, v) and ∂u'/∂(x₋, q), n rows
    /// each, and n + m rows ∂(Aᵀ w, Jᵀ w)/∂(x₋, q); with respect to left-trivialised displacements of x₋ and q.
    #[allow(clippy::too_many_arguments)] // The recursion has four, and w.
    fn tangents(
        system: &M,
        place: &Link,
        t: M::Scalar,
        q: &M::Configuration,
        above: &FrameMotion<Self::Frame, Self::Vector>,
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
        at: &FrameMotion<Self::Frame, Self::Vector>,
        out: &mut Self::Vector,
    );
    /// Adds the derivative of M_x u' + g_x along x, of all terms of frame i.
    fn add_stiffness(
        system: &M,
        place: &Link,
        t: M::Scalar,
        at: &FrameMotion<Self::Frame, Self::Vector>,
        out: &mut Self::Matrix,
    );
    /// Adds the derivative of M_x u' + g_x with respect to u.
    fn add_damping(
        system: &M,
        place: &Link,
        t: M::Scalar,
        at: &FrameMotion<Self::Frame, Self::Vector>,
        out: &mut Self::Matrix,
    );
    /// Returns the kinetic energy of frame i.
    fn kinetic_energy(system: &M, place: &Link, t: M::Scalar, x: &Self::Frame, u: &Self::Vector) -> M::Scalar;
    /// Returns the potential energy of frame i.
    fn potential_energy(system: &M, place: &Link, t: M::Scalar, x: &Self::Frame) -> M::Scalar;
}

/// `sum += term`.
#[inline]
pub(super) fn add<S: Scalar, B: Block<S>>(sum: &mut B, term: &B) {
    for (sum, &term) in sum.as_mut_slice().iter_mut().zip(term.as_slice()) {
        *sum += term;
    }
}

/// `own = -own`.
#[inline]
pub(super) fn negate<S: Scalar, B: Block<S>>(own: &mut B) {
    own.as_mut_slice().iter_mut().for_each(|entry| *entry = -*entry);
}

/// `sum += term` of the upper triangle of a matrix of n rows.
#[inline]
pub(super) fn add_upper<S: Scalar, B: Block<S>>(sum: &mut B, term: &B, n: usize) {
    let (sums, terms) = (&mut sum.as_mut_slice()[..n * n], &term.as_slice()[..n * n]);
    for row in 0..n {
        for at in row * (n + 1)..(row + 1) * n {
            sums[at] += terms[at];
        }
    }
}
