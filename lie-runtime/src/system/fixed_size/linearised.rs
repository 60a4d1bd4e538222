//! Dense matrices, and the linear systems of implicit methods for systems of fixed size.

use nalgebra::SMatrix;
use num_traits::{Zero, zero};

use super::{FixedSizeAssembly, FixedSizeKernels, PLACE};
use crate::scalar::{Mask, Scalar, zeros};
use crate::space::FixedFields;
use crate::space::product_factor::tangent_inverse_matrix;
use crate::system::codegen_runtime::transposed;
use crate::system::local_coordinates::change_coordinates;
use crate::system::{
    Assembled, DenseIteration, IterationCoefficients, IterationCorrection, IterationMatrices, IterationPoint,
    IterationResidual, KktError, LinearisedAssembly,
};

/// Computes M, C and B at a point, and K and H if needed.
#[cfg_attr(not(debug_assertions), inline(always))]
fn matrices_at<M, E, const D: usize, const R: usize>(
    system: &M,
    point: &IterationPoint<'_, M>,
    needs_stiffness: bool,
    needs_gradient: bool,
) -> IterationMatrices<M::Scalar, D, R>
where
    M: Assembled<Assembly = FixedSizeAssembly<E, D, R>, Configuration: FixedFields>,
    E: FixedSizeKernels<M, D, R>,
{
    let IterationPoint { t, q, v, acceleration, multipliers, .. } = *point;
    let mut matrices = IterationMatrices {
        mass: zeros(),
        damping: zeros(),
        stiffness: zeros(),
        jacobian: zeros(),
        jacobian_rate: zeros(),
        jacobian_tangent: zeros(),
        rate_gradient: zeros(),
    };
    E::mass_matrix(system, PLACE, t, q, &mut matrices.mass);
    E::tangent_damping(system, PLACE, t, q, v, &mut matrices.damping);
    E::constraint_jacobian(system, PLACE, t, q, &mut matrices.jacobian);
    if needs_stiffness {
        E::tangent_stiffness(system, PLACE, t, q, v, acceleration, multipliers, &mut matrices.stiffness);
    }
    if needs_gradient {
        E::rate_gradient(system, PLACE, t, q, v, &mut matrices.rate_gradient);
    }
    matrices
}

impl<M, E, const D: usize, const R: usize> LinearisedAssembly<M> for FixedSizeAssembly<E, D, R>
where
    M: Assembled<Assembly = Self, Configuration: FixedFields>,
    E: FixedSizeKernels<M, D, R>,
{
    type Matrix = SMatrix<M::Scalar, D, D>;
    type Factorisation = DenseIteration<M::Scalar, D, R>;

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn zero_matrix(_: &M) -> E::Matrix {
        zeros()
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn matrix_entry(_: &M, matrix: &E::Matrix, row: usize, column: usize) -> M::Scalar {
        matrix[(row, column)]
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn matrix_times(_: &M, matrix: &E::Matrix, x: &E::Vector, out: &mut E::Vector) {
        *out = matrix * x;
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn matrix_transpose_times(_: &M, matrix: &E::Matrix, x: &E::Vector, out: &mut E::Vector) {
        *out = matrix.tr_mul(x);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn residual(
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
        v: &E::Vector,
        acceleration: &E::Vector,
        multipliers: &E::Rows,
        out: &mut E::Vector,
    ) {
        E::residual(system, PLACE, t, q, v, acceleration, multipliers, out);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn residual_and_constraint(
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
        v: &E::Vector,
        acceleration: &E::Vector,
        multipliers: &E::Rows,
        residual: &mut E::Vector,
        constraint: &mut E::Rows,
    ) {
        E::residual(system, PLACE, t, q, v, acceleration, multipliers, residual);
        E::constraint(system, PLACE, t, q, constraint);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn mass_matrix(system: &M, t: M::Scalar, q: &M::Configuration, out: &mut E::Matrix) {
        E::mass_matrix(system, PLACE, t, q, out);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tangent_stiffness(
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
        v: &E::Vector,
        acceleration: &E::Vector,
        multipliers: &E::Rows,
        out: &mut E::Matrix,
    ) {
        E::tangent_stiffness(system, PLACE, t, q, v, acceleration, multipliers, out);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn tangent_damping(system: &M, t: M::Scalar, q: &M::Configuration, v: &E::Vector, out: &mut E::Matrix) {
        E::tangent_damping(system, PLACE, t, q, v, out);
    }
    fn zero_factorisation(_: &M) -> Self::Factorisation {
        DenseIteration::zeros()
    }
    #[inline]
    fn factorise_iteration(
        system: &M,
        point: &IterationPoint<'_, M>,
        coefficients: &IterationCoefficients<M::Scalar>,
        projection: Option<&E::Stored>,
        out: &mut Self::Factorisation,
    ) -> Result<(), KktError> {
        let needs_gradient = projection.is_some() || E::HOLONOMIC_ROWS < R;
        // The coefficient is zero for RATTLie.
        let needs_stiffness = !coefficients.stiffness.is_zero();
        let mut matrices = matrices_at::<M, E, D, R>(system, point, needs_stiffness, needs_gradient);
        matrices.jacobian_tangent = matrices.jacobian;
        if needs_gradient {
            matrices.jacobian_rate = matrices.jacobian;
        }
        change_coordinates::<M::Configuration, M::Scalar, D, R>(
            &mut matrices,
            point.theta,
            point.local.as_ref(),
            coefficients,
            [needs_stiffness, needs_gradient],
        );
        if let Some(reactions) = point.reactions {
            matrices.jacobian = transposed::<M, M::Scalar, D, R>(system, reactions).transpose();
        }
        let projection = projection.map(|jacobian| transposed::<M, M::Scalar, D, R>(system, jacobian));
        if const { M::REDUNDANCY.is_minimum_norm() } {
            out.factorise_redundant(&matrices, coefficients, E::HOLONOMIC_ROWS, projection.as_ref())
        } else {
            out.factorise(&matrices, coefficients, E::HOLONOMIC_ROWS, projection.as_ref())
        }
    }
    #[inline]
    fn solve_iteration(
        _: &M,
        factorisation: &mut Self::Factorisation,
        residual: &IterationResidual<M>,
        correction: &mut IterationCorrection<M>,
    ) {
        factorisation.solve(residual, correction);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn correct_iteration(
        system: &M,
        point: &IterationPoint<'_, M>,
        coefficients: &IterationCoefficients<M::Scalar>,
        residual: &IterationResidual<M>,
        correction: &mut IterationCorrection<M>,
    ) -> bool {
        // The derivatives of the converged iterate do not depend on the solver, so the thousand operations of the other
        // one need not be compiled.
        if <M::Scalar as Scalar>::HAS_DERIVATIVES {
            return false;
        }
        if !E::CORRECTS || point.local.is_some() || point.reactions.is_some() {
            return false;
        }
        let c = coefficients;
        let mut constraint = residual.position;
        for row in E::HOLONOMIC_ROWS..R {
            constraint[row] = residual.velocity[row] / c.rate;
        }
        let is_safe = E::correction(
            system,
            &matrices_at::<M, E, D, R>(system, point, true, E::HOLONOMIC_ROWS < R),
            &tangent_inverse_matrix::<M::Configuration, D>(point.theta),
            &[c.mass, c.damping, c.stiffness, c.rate_gradient / c.rate],
            &residual.balance,
            &constraint,
            &mut correction.increment,
            &mut correction.multipliers,
        );
        correction.acceleration = correction.increment;
        correction.projection.fill(zero());
        is_safe.all()
    }
}
