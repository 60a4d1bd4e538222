//! What implicit methods ask of a system beside its equations.

use core::fmt::Debug;

use super::{
    IterationCoefficients, IterationCorrection, IterationPoint, IterationResidual, KktError, MechanicalSystem,
};
use crate::group::TangentVector;
use crate::space::LocalSpace;

/// The exact linearisation of the equations of motion, for implicit methods.
///
/// With r = M(q) v' + g(t, q, v) + B(t, q)ᵀ λ (paper 2, eq. 33), directional derivatives are taken along q w~.
pub trait Linearised: MechanicalSystem<Space: LocalSpace> {
    /// A dense `dof` × `dof` matrix (rows: equations).
    type Matrix: Clone + Debug;
    /// The eliminated linear system of an iteration, in whatever form suits the structure of the system.
    type Factorisation: Clone + Debug;

    /// A matrix to be filled.
    fn zero_matrix(&self) -> Self::Matrix;
    /// An entry of a matrix.
    fn matrix_entry(&self, matrix: &Self::Matrix, row: usize, column: usize) -> Self::Scalar;
    /// A x of a matrix of this system, into `out`: provided entry by entry, to be replaced where most of them are zero.
    fn matrix_times(&self, matrix: &Self::Matrix, x: &Self::Velocity, out: &mut Self::Velocity) {
        let dof = self.dof();
        for row in 0..dof {
            let terms = (0..dof).map(|column| self.matrix_entry(matrix, row, column) * x.component(column));
            let sum = terms.fold(<Self::Scalar as num_traits::Zero>::zero(), |sum, term| sum + term);
            out.set_component(row, sum);
        }
    }
    /// The same of Aᵀ x.
    fn matrix_transpose_times(&self, matrix: &Self::Matrix, x: &Self::Velocity, out: &mut Self::Velocity) {
        let dof = self.dof();
        for column in 0..dof {
            let terms = (0..dof).map(|row| self.matrix_entry(matrix, row, column) * x.component(row));
            let sum = terms.fold(<Self::Scalar as num_traits::Zero>::zero(), |sum, term| sum + term);
            out.set_component(column, sum);
        }
    }
    /// The residual r.
    fn residual(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &Self::Velocity,
        acceleration: &Self::Velocity,
        multipliers: &Self::Multipliers,
        out: &mut Self::Velocity,
    );
    /// The residual r, and Φ(t, q) as [`constraint`](MechanicalSystem::constraint) gives it.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[allow(clippy::too_many_arguments)] // r has five arguments.
    fn residual_and_constraint(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &Self::Velocity,
        acceleration: &Self::Velocity,
        multipliers: &Self::Multipliers,
        residual: &mut Self::Velocity,
        constraint: &mut Self::Multipliers,
    ) {
        self.residual(t, q, v, acceleration, multipliers, residual);
        if self.constraint_rows() > 0 {
            self.constraint(t, q, constraint);
        }
    }
    /// M(q).
    fn mass_matrix(&self, t: Self::Scalar, q: &Self::Configuration, out: &mut Self::Matrix);
    /// The tangent stiffness K_t = D_q r (paper 2, below eq. 34).
    #[allow(clippy::too_many_arguments)] // r has five arguments.
    fn tangent_stiffness(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &Self::Velocity,
        acceleration: &Self::Velocity,
        multipliers: &Self::Multipliers,
        out: &mut Self::Matrix,
    );
    /// The tangent damping C_t = D_v r.
    fn tangent_damping(&self, t: Self::Scalar, q: &Self::Configuration, v: &Self::Velocity, out: &mut Self::Matrix);
    /// A factorisation to be filled.
    fn zero_factorisation(&self) -> Self::Factorisation;
    /// Eliminates the linear system of an iteration (see [`IterationPoint`]); allocates nothing.
    ///
    /// With `projection`, the Jacobian B₀ where the step starts, that of the stabilised formulation.
    ///
    /// # Errors
    /// [`KktError`] if the matrix is singular or a number is not finite.
    fn factorise_iteration(
        &self,
        point: &IterationPoint<'_, Self>,
        coefficients: &IterationCoefficients<Self::Scalar>,
        projection: Option<&Self::Jacobian>,
        out: &mut Self::Factorisation,
    ) -> Result<(), KktError>;
    /// Solves the system that [`factorise_iteration`](Linearised::factorise_iteration) has eliminated.
    fn solve_iteration(
        &self,
        factorisation: &mut Self::Factorisation,
        residual: &IterationResidual<Self>,
        correction: &mut IterationCorrection<Self>,
    );
    /// Solves the linear system of an iteration without stabilisation at once, keeping nothing of it, by what is written out for this one
    /// system: an elimination whose order is fixed at compile time.
    ///
    /// False where there is no such thing, or where a pivot of it is small here: then nothing of `correction` has a meaning, and
    /// [`factorise_iteration`](Linearised::factorise_iteration) chooses its pivots.
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn correct_iteration(
        &self,
        point: &IterationPoint<'_, Self>,
        coefficients: &IterationCoefficients<Self::Scalar>,
        residual: &IterationResidual<Self>,
        correction: &mut IterationCorrection<Self>,
    ) -> bool {
        let _ = (point, coefficients, residual, correction);
        false
    }
}
