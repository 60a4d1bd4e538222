//! Systems of elements: terms over the members of chains.

use core::fmt::Debug;

use nalgebra::DVector;

use super::Structure;
use super::element_shape::ElementShape;
use super::mass_matrix::ChainMass;
use crate::space::ChainSpace;
use crate::system::{Assembled, KktError, Term};

/// The assembly of systems over chains and frames: sums over their elements, and what their [`Dynamics`] add.
#[derive(Clone, Copy, Debug)]
pub struct ElementAssembly;

/// Something to be done with every kind of element.
pub trait ElementVisitor<M: ElementSystem> {
    /// Does it with the elements of kind `E`.
    fn element<E: Term<M>>(&mut self);
}

/// A system that is the sum of its elements: what the macro generates for a declaration over chains.
///
/// It is a [`MechanicalSystem`](crate::system::MechanicalSystem) and [`Linearised`](crate::system::Linearised) by the assembly
/// [`ElementAssembly`].
pub trait ElementSystem: Assembled<Assembly = ElementAssembly> {
    /// What is added to the elements and solves with the mass matrix: [`ElementDynamics`](super::ElementDynamics), or
    /// frames [`TreeDynamics`](super::TreeDynamics).
    type Dynamics: Dynamics<Self>;

    /// Where members, elements and rows stand.
    fn structure(&self) -> &Structure<Self::Scalar>;
    /// The configuration space.
    fn chain_space(&self) -> &ChainSpace<Self::Configuration>;
    /// Shows every kind of element to `visitor`, in the order of their numbers.
    fn visit<V: ElementVisitor<Self>>(&self, visitor: &mut V);

    /// The system with the inputs that it has in a state, for elements do not see the state; `None` if that is the system
    /// itself.
    fn in_state(&self, t: Self::Scalar, q: &Self::Configuration, v: &DVector<Self::Scalar>) -> Option<Self> {
        let _ = (t, q, v);
        None
    }
}

/// What a system adds to the terms of its elements, and what solves with its mass matrix.
///
/// Vectors have a component for every free component of the velocity.
pub trait Dynamics<M: ElementSystem> {
    /// The factorised mass matrix and the scratch space of solving with it.
    type Mass: Clone + Debug;
    /// What B and M have in common at one (t, q): the frames, if there are elements that see them.
    type Kinematics: Clone + Debug;
    /// M, C_t and K_t of the frames, and the scratch space of computing them.
    type Linearisation: Linearisation<M::Scalar>;

    /// True if frames couple the members of a chain.
    const HAS_FRAMES: bool;

    /// A mass matrix to be filled.
    fn zero_mass(system: &M) -> Self::Mass;
    /// To be filled by [`set_jacobian`](Self::set_jacobian).
    fn zero_kinematics(system: &M) -> Self::Kinematics;
    /// The inertia about its direction that each member of a chain of spheres is given; none without frames.
    fn axial_inertia(system: &M, structure: &Structure<M::Scalar>) -> Vec<M::Scalar>;
    /// Factorises M(q).
    ///
    /// # Errors
    /// [`KktError::MassNotPositiveDefinite`].
    fn factorise(system: &M, t: M::Scalar, q: &M::Configuration, mass: &mut Self::Mass) -> Result<(), KktError>;
    /// Solves M v' = f.
    fn solve_mass(system: &M, mass: &mut Self::Mass, force: &[M::Scalar], acceleration: &mut [M::Scalar]);
    /// Factorises M(q), adds −g of the frames and sets the curvature terms of what sees them, where these are asked for: of frames that
    /// [`set_jacobian`](Self::set_jacobian) has seen at the same (t, q), and that M has taken over afterwards.
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
    /// Factorises M(q) and solves M v' = f − g, with f and all of −g but that of the frames in `force`; the constraints are left out.
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
    /// Solves M v' + B₁ᵀ λ = f, B₂ v' = c, relaxed by `epsilon` D beside the multipliers if there is one.
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
    /// M, if it is that of members one by one.
    fn of_members(_: &mut Self::Mass) -> Option<&mut ChainMass<M::Scalar>> {
        None
    }
    /// Solves M v' + B₁ᵀ λ = f, B₂ v' = c with the factors of the last [`solve_kkt`](Self::solve_kkt); f is zero but where
    /// [`missing_force`](Self::missing_force) tells one.
    fn solve_kkt_again(
        system: &M,
        mass: &mut Self::Mass,
        force_jacobian: &[M::Scalar],
        force: Option<&[M::Scalar]>,
        constraint: &[M::Scalar],
        acceleration: &mut [M::Scalar],
        multipliers: &mut [M::Scalar],
    );
    /// Sets f − M v' − B₁ᵀ λ where an elimination does not meet that by itself, and returns how large the terms are.
    #[inline]
    fn missing_force(
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
    /// Adds r = M v' + g of the frames, and Bᵀ λ of what sees them.
    fn add_residual(
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
        v: &[M::Scalar],
        acceleration: &[M::Scalar],
        multipliers: &[M::Scalar],
        out: &mut [M::Scalar],
    );
    /// Sets Φ of what sees frames.
    #[inline]
    fn set_constraint(system: &M, t: M::Scalar, q: &M::Configuration, out: &mut [M::Scalar]) {
        let _ = (system, t, q, out);
    }
    /// Sets B of what sees frames, in the list of Jacobians.
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
    /// Sets b of what sees frames.
    #[inline]
    fn set_drift(system: &M, t: M::Scalar, q: &M::Configuration, out: &mut [M::Scalar]) {
        let _ = (system, t, q, out);
    }
    /// Sets the curvature terms of what sees frames.
    #[inline]
    fn set_curvature(system: &M, t: M::Scalar, q: &M::Configuration, v: &[M::Scalar], out: &mut [M::Scalar]) {
        let _ = (system, t, q, v, out);
    }
    /// Appends the shapes of what sees frames.
    fn add_shapes(system: &M, shapes: &mut Vec<ElementShape>) {
        let _ = (system, shapes);
    }
    /// A linearisation to be filled.
    fn zero_linearisation(system: &M) -> Self::Linearisation;
    /// M, C_t and K_t of the frames; without multipliers these are zero.
    fn linearise(
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
        v: &[M::Scalar],
        acceleration: &[M::Scalar],
        multipliers: &[M::Scalar],
        out: &mut Self::Linearisation,
    );
    /// The kinetic energy of the frames.
    fn kinetic_energy(system: &M, t: M::Scalar, q: &M::Configuration, v: &[M::Scalar]) -> M::Scalar;
    /// The potential energy of the frames.
    fn potential_energy(system: &M, t: M::Scalar, q: &M::Configuration) -> M::Scalar;
}

/// M, C_t and K_t: a list of blocks each, by rows, in the order of [`KinematicTree::each_block`](super::KinematicTree).
pub trait Linearisation<S>: Clone + Debug {
    /// The three lists.
    fn matrices(&self) -> [&[S]; 3];
    /// B and the derivatives of B v + b along q of what sees frames, as lists of Jacobians.
    fn jacobians(&self) -> [&[S]; 2];
}

/// That of a system without frames.
#[derive(Clone, Copy, Debug)]
pub struct NoLinearisation;

impl<S> Linearisation<S> for NoLinearisation {
    fn matrices(&self) -> [&[S]; 3] {
        [&[], &[], &[]]
    }
    fn jacobians(&self) -> [&[S]; 2] {
        [&[], &[]]
    }
}
