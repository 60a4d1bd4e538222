//! The traits of systems of elements: [`ElementSystem`], and [`Dynamics`] for the mass matrix and the frames.

use core::fmt::Debug;

use nalgebra::DVector;

use super::Structure;
use super::element_shape::ElementShape;
use super::mass_matrix::ChainMass;
use crate::space::ChainSpace;
use crate::system::{Assembled, KktError, Term};

/// The assembly of systems over chains and frames: sums over their elements, and the contributions of their
/// [`Dynamics`].
#[derive(Clone, Copy, Debug)]
pub struct ElementAssembly;

/// A visitor of all kinds of elements.
pub trait ElementVisitor<M: ElementSystem> {
    /// Visits the elements of kind `E`.
    fn element<E: Term<M>>(&mut self);
}

/// A system that is a sum of elements. The macro generates it for a declaration over chains.
///
/// The assembly [`ElementAssembly`] implements [`MechanicalSystem`](crate::system::MechanicalSystem) and
/// [`Linearised`](crate::system::Linearised).
pub trait ElementSystem: Assembled<Assembly = ElementAssembly> {
    /// The mass matrix and the frames: [`ElementDynamics`](super::ElementDynamics), or
    /// [`TreeDynamics`](super::TreeDynamics) with frames.
    type Dynamics: Dynamics<Self>;
    /// False for declarations without constraints. The code that solves for multipliers is not compiled then.
    #[doc(hidden)]
    const HAS_CONSTRAINTS: bool = true;

    /// Returns the positions of members, elements and rows.
    fn structure(&self) -> &Structure<Self::Scalar>;
    /// Returns the configuration space.
    #[doc(hidden)]
    fn chain_space(&self) -> &ChainSpace<Self::Configuration>;
    /// Calls `visitor` for every kind of elements, in order.
    #[doc(hidden)]
    fn visit<V: ElementVisitor<Self>>(&self, visitor: &mut V);

    /// Returns the system with the inputs at a state, because elements do not depend on the state; `None` if that is
    /// the system itself.
    #[doc(hidden)]
    fn in_state(&self, t: Self::Scalar, q: &Self::Configuration, v: &DVector<Self::Scalar>) -> Option<Self> {
        let _ = (t, q, v);
        None
    }
}

/// The contributions of frames to a system of elements, and the solution with its mass matrix.
///
/// Vectors have one component for every free velocity component.
pub trait Dynamics<M: ElementSystem> {
    /// The factorised mass matrix with the memory of its solvers.
    type Mass: Clone + Debug;
    /// The common subexpressions of B and M at one (t, q): the motions of frames, if elements run over them.
    type Kinematics: Clone + Debug;
    /// M, C_t and K_t of the frames, with scratch memory.
    type Linearisation: FrameMatrices<M::Scalar>;

    /// True if frames couple the members of a chain.
    const HAS_FRAMES: bool;

    /// Allocates a mass matrix.
    fn zero_mass(system: &M) -> Self::Mass;
    /// Allocates memory for [`set_jacobian`](Self::set_jacobian).
    fn zero_kinematics(system: &M) -> Self::Kinematics;
    /// Returns the inertia about its direction for each sphere joint; empty without frames.
    fn spin_inertia(system: &M, structure: &Structure<M::Scalar>) -> Vec<M::Scalar>;
    /// Factorises M(q).
    ///
    /// # Errors
    /// [`KktError::MassNotPositiveDefinite`].
    fn factorise(system: &M, t: M::Scalar, q: &M::Configuration, mass: &mut Self::Mass) -> Result<(), KktError>;
    /// Solves M v' = f.
    fn solve_mass(system: &M, mass: &mut Self::Mass, force: &[M::Scalar], acceleration: &mut [M::Scalar]);
    /// Factorises M(q), adds −g of the frames and optionally sets the curvature terms of elements over frames.
    ///
    /// The `kinematics` must come from [`set_jacobian`](Self::set_jacobian) at the same (t, q); M consumes them.
    ///
    /// # Errors
    /// [`KktError::MassNotPositiveDefinite`].
    fn factorise_and_add_force(
        system: &M,
        at: (M::Scalar, &M::Configuration, &[M::Scalar]),
        kinematics: &mut Self::Kinematics,
        mass: &mut Self::Mass,
        force: &mut [M::Scalar],
        curvature: Option<&mut [M::Scalar]>,
    ) -> Result<(), KktError>;
    /// Factorises M(q) and solves M v' = f − g without constraints; `force` contains f and −g except the contribution
    /// of the frames.
    ///
    /// # Errors
    /// [`KktError::MassNotPositiveDefinite`].
    fn accelerate(
        system: &M,
        at: (M::Scalar, &M::Configuration, &[M::Scalar]),
        mass: &mut Self::Mass,
        force: &mut [M::Scalar],
        acceleration: &mut [M::Scalar],
    ) -> Result<(), KktError>;
    /// Solves the KKT system M v' + B₁ᵀ λ = f, B₂ v' = c; with `epsilon` the block of the multipliers is regularised by
    /// `epsilon` D.
    ///
    /// # Errors
    /// [`KktError::SingularConstraints`].
    #[allow(clippy::too_many_arguments)] // The six blocks of one linear system.
    fn solve_kkt(
        system: &M,
        mass: &mut Self::Mass,
        epsilon: Option<f64>,
        force_jacobian: &[M::Scalar],
        constraint_jacobian: &[M::Scalar],
        force: &[M::Scalar],
        constraint: &[M::Scalar],
        acceleration: &mut [M::Scalar],
        multipliers: &mut [M::Scalar],
    ) -> Result<(), KktError>;
    /// Returns M, if it is the sum of the elements' mass matrices.
    fn of_members(_: &mut Self::Mass) -> Option<&mut ChainMass<M::Scalar>> {
        None
    }
    /// Solves the KKT system with the factors of the last [`solve_kkt`](Self::solve_kkt); f is zero unless
    /// [`residual_force`](Self::residual_force) has returned a force.
    fn solve_kkt_again(
        system: &M,
        mass: &mut Self::Mass,
        force_jacobian: &[M::Scalar],
        force: Option<&[M::Scalar]>,
        constraint: &[M::Scalar],
        acceleration: &mut [M::Scalar],
        multipliers: &mut [M::Scalar],
    );
    /// Computes f − M v' − B₁ᵀ λ, if the elimination does not satisfy this equation exactly, and returns the size of
    /// its terms.
    #[inline]
    fn residual_force(
        system: &M,
        mass: &Self::Mass,
        force_jacobian: &[M::Scalar],
        force: &[M::Scalar],
        solution: [&[M::Scalar]; 2],
        out: &mut [M::Scalar],
    ) -> Option<f64> {
        let _ = (system, mass, force_jacobian, force, solution, out);
        None
    }
    /// Adds −g of the frames.
    fn add_force(system: &M, t: M::Scalar, q: &M::Configuration, v: &[M::Scalar], out: &mut [M::Scalar]);
    /// Adds the momentum M v of the frames.
    fn add_momentum(system: &M, t: M::Scalar, q: &M::Configuration, v: &[M::Scalar], out: &mut [M::Scalar]);
    /// Adds r = M v' + g of the frames, and Bᵀ λ of elements over frames.
    fn add_residual(
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
        v: &[M::Scalar],
        acceleration: &[M::Scalar],
        multipliers: &[M::Scalar],
        out: &mut [M::Scalar],
    );
    /// Sets Φ of elements over frames.
    #[inline]
    fn set_constraint(system: &M, t: M::Scalar, q: &M::Configuration, out: &mut [M::Scalar]) {
        let _ = (system, t, q, out);
    }
    /// Sets B of elements over frames, in the list of Jacobians.
    #[inline]
    fn set_jacobian(
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
        kinematics: &mut Self::Kinematics,
        out: &mut [M::Scalar],
    ) {
        let _ = (system, t, q, kinematics, out);
    }
    /// Sets b of elements over frames.
    #[inline]
    fn set_drift(system: &M, t: M::Scalar, q: &M::Configuration, out: &mut [M::Scalar]) {
        let _ = (system, t, q, out);
    }
    /// Sets the curvature terms of elements over frames.
    #[inline]
    fn set_curvature(system: &M, t: M::Scalar, q: &M::Configuration, v: &[M::Scalar], out: &mut [M::Scalar]) {
        let _ = (system, t, q, v, out);
    }
    /// Appends the shapes of elements over frames.
    fn add_shapes(system: &M, shapes: &mut Vec<ElementShape>) {
        let _ = (system, shapes);
    }
    /// Allocates a linearisation.
    fn zero_linearisation(system: &M) -> Self::Linearisation;
    /// Computes M, C_t and K_t of the frames; an empty list of multipliers means zeros.
    fn linearise(
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
        v: &[M::Scalar],
        acceleration: &[M::Scalar],
        multipliers: &[M::Scalar],
        out: &mut Self::Linearisation,
    );
    /// Returns the kinetic energy of the frames.
    fn kinetic_energy(system: &M, t: M::Scalar, q: &M::Configuration, v: &[M::Scalar]) -> M::Scalar;
    /// Returns the potential energy of the frames.
    fn potential_energy(system: &M, t: M::Scalar, q: &M::Configuration) -> M::Scalar;
}

/// M, C_t and K_t as lists of blocks, by rows, in the order of [`KinematicTree::each_block`](super::KinematicTree).
pub trait FrameMatrices<S>: Clone + Debug {
    /// Returns the three lists.
    fn matrices(&self) -> [&[S]; 3];
    /// Returns B and the derivatives of B v + b along q of elements over frames, as lists of Jacobians.
    fn jacobians(&self) -> [&[S]; 2];
}

/// The linearisation of a system without frames.
#[derive(Clone, Copy, Debug)]
pub struct NoFrameMatrices;

impl<S> FrameMatrices<S> for NoFrameMatrices {
    fn matrices(&self) -> [&[S]; 3] {
        [&[], &[], &[]]
    }
    fn jacobians(&self) -> [&[S]; 2] {
        [&[], &[]]
    }
}
