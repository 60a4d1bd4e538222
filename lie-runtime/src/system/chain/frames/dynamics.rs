//! How the equations of motion of a system of elements are put together and solved.

use core::fmt::Debug;
use core::marker::PhantomData;

use super::articulated::{self, ArticulatedMass};
use super::linearised::{FrameLinearisation, Linearisation};
use super::sweep::{self, Covector};
use super::{Frames, MotionOf, axial, joined, joined_jacobian, loops, outwards};
use crate::system::SaddleError;
use crate::system::chain::mass::ChainMass;
use crate::system::chain::structure::Shape;
use crate::system::chain::{ElementSystem, Structure};

/// What a system adds to the terms of its elements, and what solves with its mass matrix.
///
/// Vectors have a component for every free component of the velocity.
pub trait Dynamics<M: ElementSystem> {
    /// The factorised mass matrix and the scratch space of solving with it.
    type Mass: Clone + Debug;
    /// What B and M have in common at one (t, q): the frames, if there are elements that see them.
    type Seen: Clone + Debug;
    /// M, C_t and K_t of the frames, and the scratch space of computing them.
    type Linearisation: Linearisation<M::Scalar>;

    /// True if frames couple the members of a chain.
    const HAS_FRAMES: bool;

    /// A mass matrix to be filled.
    fn zero_mass(system: &M) -> Self::Mass;
    /// To be filled by [`set_jacobian`](Self::set_jacobian).
    fn zero_seen(system: &M) -> Self::Seen;
    /// The inertia about its direction that each member of a chain of spheres is given; none without frames.
    fn axial_inertia(system: &M, structure: &Structure<M::Scalar>) -> Vec<M::Scalar>;
    /// Factorises M(q).
    ///
    /// # Errors
    /// [`SaddleError::MassNotPositiveDefinite`].
    fn factorise(system: &M, t: M::Scalar, q: &M::Configuration, mass: &mut Self::Mass) -> Result<(), SaddleError>;
    /// Solves M v' = f.
    fn solve_mass(system: &M, mass: &mut Self::Mass, force: &[M::Scalar], acceleration: &mut [M::Scalar]);
    /// Factorises M(q), adds −g of the frames and sets the curvature terms of what sees them, where these are asked for: of frames that
    /// [`set_jacobian`](Self::set_jacobian) has seen at the same (t, q), and that M has taken over afterwards.
    ///
    /// # Errors
    /// [`SaddleError::MassNotPositiveDefinite`].
    fn factorise_and_add_force(
        system: &M,
        at: (M::Scalar, &M::Configuration, &[M::Scalar]),
        seen: &mut Self::Seen,
        mass: &mut Self::Mass,
        force: &mut [M::Scalar],
        curvature: Option<&mut [M::Scalar]>,
    ) -> Result<(), SaddleError>;
    /// Factorises M(q) and solves M v' = f − g, with f and all of −g but that of the frames in `force`; the constraints are left out.
    ///
    /// # Errors
    /// [`SaddleError::MassNotPositiveDefinite`].
    fn accelerate(
        system: &M,
        at: (M::Scalar, &M::Configuration, &[M::Scalar]),
        mass: &mut Self::Mass,
        force: &mut [M::Scalar],
        acceleration: &mut [M::Scalar],
    ) -> Result<(), SaddleError>;
    /// Solves M v' + B₁ᵀ λ = f, B₂ v' = c, relaxed by `epsilon` D beside the multipliers if there is one.
    ///
    /// # Errors
    /// [`SaddleError::SingularConstraints`].
    #[allow(clippy::too_many_arguments)] // The six blocks of one linear system.
    fn solve_saddle(
        system: &M,
        mass: &mut Self::Mass,
        epsilon: Option<f64>,
        force_jacobian: &[M::Scalar],
        constraint_jacobian: &[M::Scalar],
        force: &[M::Scalar],
        constraint: &[M::Scalar],
        acceleration: &mut [M::Scalar],
        multipliers: &mut [M::Scalar],
    ) -> Result<(), SaddleError>;
    /// M, if it is that of members one by one.
    fn of_members(_: &mut Self::Mass) -> Option<&mut ChainMass<M::Scalar>> {
        None
    }
    /// Solves M v' + B₁ᵀ λ = f, B₂ v' = c with the factors of the last [`solve_saddle`](Self::solve_saddle); f is zero but where
    /// [`missing_force`](Self::missing_force) tells one.
    fn solve_saddle_again(
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
    fn set_jacobian(system: &M, t: M::Scalar, q: &M::Configuration, seen: &mut Self::Seen, out: &mut [M::Scalar]) {
        let _ = (system, t, q, seen, out);
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
    fn add_shapes(system: &M, shapes: &mut Vec<Shape>) {
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

/// Frames `F` along a tree of joints.
#[derive(Clone, Copy, Debug)]
pub struct AlongTree<F>(PhantomData<F>);

impl<M: ElementSystem, F: Frames<M>> Dynamics<M> for AlongTree<F> {
    type Mass = ArticulatedMass<M, F>;
    type Seen = Vec<MotionOf<M, F>>;
    type Linearisation = FrameLinearisation<M, F>;

    const HAS_FRAMES: bool = true;

    fn zero_mass(system: &M) -> Self::Mass {
        ArticulatedMass::zeros(system)
    }
    fn zero_seen(system: &M) -> Self::Seen {
        joined::seen::<M, F>(system)
    }
    fn axial_inertia(system: &M, structure: &Structure<M::Scalar>) -> Vec<M::Scalar> {
        axial::inertia::<M, F>(system, structure)
    }
    fn factorise(system: &M, t: M::Scalar, q: &M::Configuration, mass: &mut Self::Mass) -> Result<(), SaddleError> {
        articulated::factorise(system, t, q, mass)
    }
    fn solve_mass(system: &M, mass: &mut Self::Mass, force: &[M::Scalar], acceleration: &mut [M::Scalar]) {
        articulated::solve(system, mass, force, acceleration);
    }
    fn factorise_and_add_force(
        system: &M,
        at: (M::Scalar, &M::Configuration, &[M::Scalar]),
        seen: &mut Self::Seen,
        mass: &mut Self::Mass,
        force: &mut [M::Scalar],
        curvature: Option<&mut [M::Scalar]>,
    ) -> Result<(), SaddleError> {
        articulated::factorise_and_add_force(system, at, Some(seen), mass, force)?;
        if let Some(curvature) = curvature {
            joined::curvature_of::<M, F>(system, at.0, &mass.motions, curvature);
        }
        Ok(())
    }
    fn accelerate(
        system: &M,
        at: (M::Scalar, &M::Configuration, &[M::Scalar]),
        mass: &mut Self::Mass,
        force: &mut [M::Scalar],
        acceleration: &mut [M::Scalar],
    ) -> Result<(), SaddleError> {
        if system.structure().layout().rows == 0 {
            return articulated::accelerate(system, at, mass, force, acceleration);
        }
        // Joints that wait are eliminated with their loops.
        articulated::factorise_and_add_force(system, at, None, mass, force)?;
        articulated::solve(system, mass, force, acceleration);
        Ok(())
    }
    fn solve_saddle(
        system: &M,
        mass: &mut Self::Mass,
        epsilon: Option<f64>,
        force_jacobian: &[M::Scalar],
        constraint_jacobian: &[M::Scalar],
        force: &[M::Scalar],
        constraint: &[M::Scalar],
        acceleration: &mut [M::Scalar],
        multipliers: &mut [M::Scalar],
    ) -> Result<(), SaddleError> {
        let jacobians = [force_jacobian, constraint_jacobian];
        loops::solve_saddle(system, mass, epsilon, jacobians, force, constraint, acceleration, multipliers)
    }
    fn solve_saddle_again(
        system: &M,
        mass: &mut Self::Mass,
        _: &[M::Scalar],
        _: Option<&[M::Scalar]>,
        constraint: &[M::Scalar],
        acceleration: &mut [M::Scalar],
        multipliers: &mut [M::Scalar],
    ) {
        loops::solve_saddle_again(system, mass, constraint, acceleration, multipliers);
    }
    fn add_force(system: &M, t: M::Scalar, q: &M::Configuration, v: &[M::Scalar], out: &mut [M::Scalar]) {
        sweep::pull_back::<M, F>(system, t, q, v, Covector::Force, &[], out);
        axial::add_force::<M, F>(system, q, v, out);
    }
    fn add_residual(
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
        v: &[M::Scalar],
        acceleration: &[M::Scalar],
        multipliers: &[M::Scalar],
        out: &mut [M::Scalar],
    ) {
        sweep::pull_back::<M, F>(system, t, q, v, Covector::Residual(acceleration), multipliers, out);
        axial::add_residual::<M, F>(system, q, v, acceleration, out);
    }
    fn zero_linearisation(system: &M) -> FrameLinearisation<M, F> {
        FrameLinearisation::zeros(system)
    }
    fn linearise(
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
        v: &[M::Scalar],
        acceleration: &[M::Scalar],
        multipliers: &[M::Scalar],
        out: &mut FrameLinearisation<M, F>,
    ) {
        out.evaluate(system, t, q, v, acceleration, multipliers);
    }
    fn add_momentum(system: &M, t: M::Scalar, q: &M::Configuration, v: &[M::Scalar], out: &mut [M::Scalar]) {
        sweep::pull_back::<M, F>(system, t, q, v, Covector::Momentum, &[], out);
        axial::add_momentum::<M, F>(system, q, v, out);
    }
    fn kinetic_energy(system: &M, t: M::Scalar, q: &M::Configuration, v: &[M::Scalar]) -> M::Scalar {
        outwards::kinetic_energy::<M, F>(system, t, q, v) + axial::energy::<M, F>(system, q, v)
    }
    fn potential_energy(system: &M, t: M::Scalar, q: &M::Configuration) -> M::Scalar {
        outwards::potential_energy::<M, F>(system, t, q) + joined::potential_energy::<M, F>(system, t, q)
    }
    fn set_constraint(system: &M, t: M::Scalar, q: &M::Configuration, out: &mut [M::Scalar]) {
        joined::constraint::<M, F>(system, t, q, out);
    }
    fn set_jacobian(system: &M, t: M::Scalar, q: &M::Configuration, seen: &mut Self::Seen, out: &mut [M::Scalar]) {
        joined_jacobian::jacobian::<M, F>(system, t, q, seen, out);
    }
    fn set_drift(system: &M, t: M::Scalar, q: &M::Configuration, out: &mut [M::Scalar]) {
        joined::drift::<M, F>(system, t, q, out);
    }
    fn set_curvature(system: &M, t: M::Scalar, q: &M::Configuration, v: &[M::Scalar], out: &mut [M::Scalar]) {
        joined::curvature::<M, F>(system, t, q, v, out);
    }
    fn add_shapes(system: &M, shapes: &mut Vec<Shape>) {
        F::visit_joined(system, &mut joined::Shapes(shapes));
    }
}
