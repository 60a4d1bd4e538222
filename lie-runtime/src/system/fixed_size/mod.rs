//! Systems of a size known at compile time: straight-line kernels, and linear algebra with a sparsity pattern known at
//! compile time.

mod linearised;
mod reverse;

use core::marker::PhantomData;

use nalgebra::{SMatrix, SVector};

use super::mechanical_system::end_velocity_right_hand_side;
use super::{Assembled, Assembly, Block, ElementLocation, IterationMatrices, KktError, Term};
use crate::scalar::{Mask, Scalar, zeros};
use crate::space::{FixedFields, FixedSpace};

/// The assembly of a system with a single term `E`, of dimension `D` with `R` constraint rows.
#[derive(Clone, Copy, Debug)]
pub struct FixedSizeAssembly<E, const D: usize, const R: usize>(PhantomData<E>);

/// The kernels of a system with a single term: the term itself, and the sparse linear algebra of B and M⁻¹.
pub trait FixedSizeKernels<M: Assembled, const D: usize, const R: usize>:
    Term<
        M,
        Vector = SVector<M::Scalar, D>,
        Rows = SVector<M::Scalar, R>,
        Matrix = SMatrix<M::Scalar, D, D>,
        Jacobian = SMatrix<M::Scalar, R, D>,
    >
{
    /// The entries of B that are not constant.
    type Stored: Block<M::Scalar>;
    /// The stored part of M⁻¹, if it is not constant.
    type Inverse: Block<M::Scalar>;

    /// Computes the entries of B(t, q) that are not constant.
    fn stored_jacobian(
        system: &M,
        place: &ElementLocation<'_>,
        t: M::Scalar,
        q: &M::Configuration,
        out: &mut Self::Stored,
    );
    /// Computes M(q)⁻¹, block by block; see [`mass`](super::MechanicalSystem::mass).
    ///
    /// # Errors
    /// [`KktError::MassNotPositiveDefinite`].
    fn mass(
        system: &M,
        place: &ElementLocation<'_>,
        t: M::Scalar,
        q: &M::Configuration,
        out: &mut Self::Inverse,
    ) -> Result<(), KktError>;
    /// M(q) v.
    fn momentum(
        system: &M,
        place: &ElementLocation<'_>,
        t: M::Scalar,
        q: &M::Configuration,
        v: &Self::Vector,
        out: &mut Self::Vector,
    );
    /// B f.
    fn jacobian_times(system: &M, constraint_jacobian: &Self::Stored, force: &Self::Vector, out: &mut Self::Rows);
    /// Bᵀ λ.
    fn jacobian_transpose_times(
        system: &M,
        force_jacobian: &Self::Stored,
        multipliers: &Self::Rows,
        out: &mut Self::Vector,
    );
    /// M⁻¹ f.
    fn solve_mass(system: &M, mass: &Self::Inverse, force: &Self::Vector, acceleration: &mut Self::Vector);
    /// Eliminates v' and λ, see [`solve_kkt`](super::MechanicalSystem::solve_kkt).
    ///
    /// # Errors
    /// [`KktError::SingularConstraints`].
    #[allow(clippy::too_many_arguments)] // The six blocks of one linear system.
    fn solve_kkt(
        system: &M,
        mass: &Self::Inverse,
        force_jacobian: &Self::Stored,
        constraint_jacobian: &Self::Stored,
        force: &Self::Vector,
        constraint: &Self::Rows,
        acceleration: &mut Self::Vector,
        multipliers: &mut Self::Rows,
    ) -> Result<(), KktError>;

    /// True if [`correction`](Self::correction) is implemented.
    const CORRECTS: bool = false;
    /// Solves an [iteration](super::IterationPoint) without stabilisation for ζ and λ̂, in an elimination order that is
    /// fixed at compile time by the sparsity patterns and the constants in B.
    ///
    /// Returns true if no pivot is small compared with the other entries of its column, or of its constraint row. The
    /// `matrices` are M, C, K, B and H, without T; missing and constant ones are not read. The `coefficients` are c_M,
    /// c_C, c_K and c_H / c_B. `force` is h² r, and `constraint` is Φ in holonomic rows and h (B v + b) / c_B in the
    /// other rows.
    #[allow(clippy::too_many_arguments)] // A matrix by its parts, right-hand sides and solutions.
    #[inline]
    fn correction(
        system: &M,
        matrices: &IterationMatrices<M::Scalar, D, R>,
        tangent_inverse: &Self::Matrix,
        coefficients: &[M::Scalar; 4],
        force: &Self::Vector,
        constraint: &Self::Rows,
        increment: &mut Self::Vector,
        reactions: &mut Self::Rows,
    ) -> <M::Scalar as Scalar>::Mask {
        let _ = (system, matrices, tangent_inverse, coefficients, force, constraint, increment, reactions);
        Mask::splat(false)
    }
}

/// A vector of a system.
type FixedVector<M, const N: usize> = SVector<<M as Assembled>::Scalar, N>;

/// The location of the single term.
const PLACE: &ElementLocation<'static> = &ElementLocation::EVERYTHING;

impl<M, E, const D: usize, const R: usize> Assembly<M> for FixedSizeAssembly<E, D, R>
where
    M: Assembled<Assembly = Self, Configuration: FixedFields>,
    E: FixedSizeKernels<M, D, R>,
{
    type Velocity = SVector<M::Scalar, D>;
    type Space = FixedSpace<M::Configuration, D>;
    type Multipliers = SVector<M::Scalar, R>;
    type Jacobian = E::Stored;
    type Mass = E::Inverse;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn space(_: &M) -> &FixedSpace<M::Configuration, D> {
        const { &FixedSpace::<M::Configuration, D>::NEW }
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn dof(_: &M) -> usize {
        D
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn constraint_rows(_: &M) -> usize {
        R
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn holonomic_rows(_: &M) -> usize {
        E::HOLONOMIC_ROWS
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn zero_multipliers(_: &M) -> SVector<M::Scalar, R> {
        zeros()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn zero_jacobian(_: &M) -> E::Stored {
        Block::zeros()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn zero_mass(_: &M) -> E::Inverse {
        Block::zeros()
    }

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn mass(system: &M, t: M::Scalar, q: &M::Configuration, out: &mut E::Inverse) -> Result<(), KktError> {
        E::mass(system, PLACE, t, q, out)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn momentum(system: &M, t: M::Scalar, q: &M::Configuration, v: &E::Vector, out: &mut E::Vector) {
        E::momentum(system, PLACE, t, q, v, out);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn solve_mass(system: &M, mass: &mut E::Inverse, force: &E::Vector, acceleration: &mut E::Vector) {
        E::solve_mass(system, mass, force, acceleration);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn accelerate(
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
        v: &E::Vector,
        mass: &mut E::Inverse,
        force: &mut E::Vector,
        acceleration: &mut E::Vector,
    ) -> Result<(), KktError> {
        E::mass(system, PLACE, t, q, mass)?;
        E::force(system, PLACE, t, q, v, force);
        E::solve_mass(system, mass, force, acceleration);
        Ok(())
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn mass_and_force(
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
        v: &E::Vector,
        _: &mut E::Stored,
        mass: &mut E::Inverse,
        force: &mut E::Vector,
        curvature: Option<&mut E::Rows>,
    ) -> Result<(), KktError> {
        E::force(system, PLACE, t, q, v, force);
        if let Some(curvature) = curvature {
            E::constraint_curvature(system, PLACE, t, q, v, curvature);
        }
        E::mass(system, PLACE, t, q, mass)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn force(system: &M, t: M::Scalar, q: &M::Configuration, v: &E::Vector, out: &mut E::Vector) {
        E::force(system, PLACE, t, q, v, out);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn constraint(system: &M, t: M::Scalar, q: &M::Configuration, out: &mut E::Rows) {
        E::constraint(system, PLACE, t, q, out);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn constraint_jacobian(system: &M, t: M::Scalar, q: &M::Configuration, out: &mut E::Stored) {
        E::stored_jacobian(system, PLACE, t, q, out);
    }
    // B and −g share no subexpressions that would justify a common kernel.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn jacobian_and_force(
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
        jacobian: &mut E::Stored,
        _: Option<&mut E::Vector>,
    ) {
        E::stored_jacobian(system, PLACE, t, q, jacobian);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn complete_force(system: &M, t: M::Scalar, q: &M::Configuration, v: &E::Vector, out: &mut E::Vector) {
        E::force(system, PLACE, t, q, v, out);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn constraint_drift(system: &M, t: M::Scalar, q: &M::Configuration, out: &mut E::Rows) {
        E::constraint_drift(system, PLACE, t, q, out);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn constraint_curvature(system: &M, t: M::Scalar, q: &M::Configuration, v: &E::Vector, out: &mut E::Rows) {
        E::constraint_curvature(system, PLACE, t, q, v, out);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn jacobian_times(system: &M, jacobian: &E::Stored, v: &E::Vector, out: &mut E::Rows) {
        E::jacobian_times(system, jacobian, v, out);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn jacobian_transpose_times(system: &M, jacobian: &E::Stored, multipliers: &E::Rows, out: &mut E::Vector) {
        E::jacobian_transpose_times(system, jacobian, multipliers, out);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn solve_kkt(
        system: &M,
        mass: &mut E::Inverse,
        force_jacobian: &E::Stored,
        constraint_jacobian: &E::Stored,
        force: &E::Vector,
        constraint: &E::Rows,
        acceleration: &mut E::Vector,
        multipliers: &mut E::Rows,
    ) -> Result<(), KktError> {
        E::solve_kkt(system, mass, force_jacobian, constraint_jacobian, force, constraint, acceleration, multipliers)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn solve_kkt_end_velocity(
        system: &M,
        mass: &mut E::Inverse,
        force_jacobian: &E::Stored,
        constraint_jacobian: &E::Stored,
        force: &E::Vector,
        ahead: (&E::Vector, f64),
        drift: &mut E::Rows,
        acceleration: &mut E::Vector,
        multipliers: &mut E::Rows,
    ) -> Result<(), KktError> {
        end_velocity_right_hand_side(system, constraint_jacobian, ahead, drift, multipliers);
        E::solve_kkt(system, mass, force_jacobian, constraint_jacobian, force, drift, acceleration, multipliers)
    }
    // The elimination is straight-line code that stores no factors.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn solve_kkt_again(
        system: &M,
        mass: &mut E::Inverse,
        jacobian: &E::Stored,
        zero: &E::Vector,
        constraint: &E::Rows,
        acceleration: &mut E::Vector,
        multipliers: &mut E::Rows,
    ) -> Result<(), KktError> {
        E::solve_kkt(system, mass, jacobian, jacobian, zero, constraint, acceleration, multipliers)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn kinetic_energy(system: &M, t: M::Scalar, q: &M::Configuration, v: &E::Vector) -> M::Scalar {
        E::kinetic_energy(system, PLACE, t, q, v)
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn potential_energy(system: &M, t: M::Scalar, q: &M::Configuration) -> M::Scalar {
        E::potential_energy(system, PLACE, t, q)
    }
}
