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

/// What the slots of an element are looked up in: the motions of all frames, in the order of sweeps.
pub type FrameKinematics<M, F> = [FrameMotionOf<M, F>];

/// Something to be done with every kind of elements that see frames.
pub trait FrameElementVisitor<M: ElementSystem, F: Frames<M>> {
    /// Does it with the elements of kind `E`.
    fn element<E: Term<M, FrameKinematics<M, F>>>(&mut self);
}

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
    const HAS_FRAME_ELEMENTS: bool;
    /// False if what these elements constrain is at rest where no joint moves: b = 0.
    const HAS_DRIFT: bool;

    /// Shows every kind of these elements to `visitor`, in the order of their numbers.
    fn visit_frame_elements<V: FrameElementVisitor<M, Self>>(system: &M, visitor: &mut V);

    /// The base, where the recursion starts.
    fn origin(system: &M, t: M::Scalar) -> FrameMotion<Self::Frame, Self::Vector>;
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
        above: &FrameMotion<Self::Frame, Self::Vector>,
        v: &Self::Member,
        acceleration: &Self::Member,
    ) -> FrameMotion<Self::Frame, Self::Vector>;
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
    fn has_tangent_basis(place: &Link) -> bool {
        let [width, components] = Self::size(place);
        width < components
    }
    /// A covector of a joint in the coordinates that J has its columns in: of a point of the sphere those of [`to_tangent_basis`].
    fn to_tangent_basis(
        place: &Link,
        q: &M::Configuration,
        jacobian: &Self::Jacobian,
        given: &Self::Member,
    ) -> Self::Member;
    /// A velocity or a covector of a joint from these: the basis is orthonormal.
    fn from_tangent_basis(
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
    fn transport_skew(
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
    /// Adds the derivative of that along x, of all terms of frame i.
    fn add_stiffness(
        system: &M,
        place: &Link,
        t: M::Scalar,
        at: &FrameMotion<Self::Frame, Self::Vector>,
        out: &mut Self::Matrix,
    );
    /// Adds the derivative of that with respect to u.
    fn add_damping(
        system: &M,
        place: &Link,
        t: M::Scalar,
        at: &FrameMotion<Self::Frame, Self::Vector>,
        out: &mut Self::Matrix,
    );
    /// The kinetic energy of frame i.
    fn kinetic_energy(system: &M, place: &Link, t: M::Scalar, x: &Self::Frame, u: &Self::Vector) -> M::Scalar;
    /// The potential energy of frame i.
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
