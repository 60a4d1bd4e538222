//! [`Linearised`]: the derivatives of the equations of motion that implicit methods need.

use core::fmt::Debug;

use super::{
    IterationCoefficients, IterationCorrection, IterationPoint, IterationResidual, KktError, MechanicalSystem,
};
use crate::group::TangentVector;
use crate::space::LocalSpace;

/// The exact linearisation of the equations of motion, for implicit methods.
///
/// With r = M(q) v' + g(t, q, v) + B(t, q)ᵀ λ (paper 2, eq. 33), directional derivatives are taken along q w~.
#[doc(alias = "tangent stiffness")]
#[doc(alias = "linearization")]
pub trait Linearised: MechanicalSystem<Space: LocalSpace> {
    /// A `dof` × `dof` matrix (rows: equations).
    type Matrix: Clone + Debug;
    /// The factorised linear system of an iteration, in the form that suits the structure of the system.
    type Factorisation: Clone + Debug;

    /// Allocates a matrix.
    fn zero_matrix(&self) -> Self::Matrix;
    /// Returns an entry of a matrix.
    fn matrix_entry(&self, matrix: &Self::Matrix, row: usize, column: usize) -> Self::Scalar;
    /// Computes A x. The default implementation reads all entries; systems with sparse matrices override it.
    #[doc(hidden)]
    fn matrix_times(&self, matrix: &Self::Matrix, x: &Self::Velocity, out: &mut Self::Velocity) {
        let dof = self.dof();
        for row in 0..dof {
            let terms = (0..dof).map(|column| self.matrix_entry(matrix, row, column) * x.component(column));
            let sum = terms.fold(<Self::Scalar as num_traits::Zero>::zero(), |sum, term| sum + term);
            out.set_component(row, sum);
        }
    }
    /// Computes Aᵀ x.
    #[doc(hidden)]
    fn matrix_transpose_times(&self, matrix: &Self::Matrix, x: &Self::Velocity, out: &mut Self::Velocity) {
        let dof = self.dof();
        for column in 0..dof {
            let terms = (0..dof).map(|row| self.matrix_entry(matrix, row, column) * x.component(row));
            let sum = terms.fold(<Self::Scalar as num_traits::Zero>::zero(), |sum, term| sum + term);
            out.set_component(column, sum);
        }
    }
    /// Computes the residual r.
    #[doc(alias = "inverse dynamics")]
    #[doc(alias = "RNEA")]
    fn residual(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &Self::Velocity,
        acceleration: &Self::Velocity,
        multipliers: &Self::Multipliers,
        out: &mut Self::Velocity,
    );
    /// Computes the residual r, and Φ(t, q) as [`constraint`](MechanicalSystem::constraint).
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[allow(clippy::too_many_arguments)] // r has five arguments.
    #[doc(hidden)]
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
    /// Computes M(q).
    #[doc(alias = "inertia matrix")]
    #[doc(alias = "CRBA")]
    fn mass_matrix(&self, t: Self::Scalar, q: &Self::Configuration, out: &mut Self::Matrix);
    /// Computes the tangent stiffness K_t = D_q r (paper 2, below eq. 34).
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
    /// Computes the tangent damping C_t = D_v r.
    fn tangent_damping(&self, t: Self::Scalar, q: &Self::Configuration, v: &Self::Velocity, out: &mut Self::Matrix);
    /// Allocates a factorisation.
    #[doc(hidden)]
    fn zero_factorisation(&self) -> Self::Factorisation;
    /// Factorises the linear system of an iteration (see [`IterationPoint`]); allocates nothing.
    ///
    /// With `projection`, the Jacobian B₀ at the start of the step, it is the system of the stabilised formulation.
    ///
    /// # Errors
    /// [`KktError`] if the matrix is singular or a number is not finite.
    #[doc(hidden)]
    fn factorise_iteration(
        &self,
        point: &IterationPoint<'_, Self>,
        coefficients: &IterationCoefficients<Self::Scalar>,
        projection: Option<&Self::Jacobian>,
        out: &mut Self::Factorisation,
    ) -> Result<(), KktError>;
    /// Solves the system that [`factorise_iteration`](Linearised::factorise_iteration) has factorised.
    #[doc(hidden)]
    fn solve_iteration(
        &self,
        factorisation: &mut Self::Factorisation,
        residual: &IterationResidual<Self>,
        correction: &mut IterationCorrection<Self>,
    );
    /// Solves the linear system of an iteration without stabilisation by a generated elimination with an order that is
    /// fixed at compile time; no factors are stored.
    ///
    /// Returns false if the system has no such elimination, or if one of its pivots is small. Then `correction` is
    /// undefined, and [`factorise_iteration`](Linearised::factorise_iteration) must be used, which pivots.
    #[cfg_attr(not(debug_assertions), inline(always))]
    #[doc(hidden)]
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
