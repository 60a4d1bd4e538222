//! Reverse-mode differentiation of systems of fixed size.

use super::{FixedSizeAssembly, FixedSizeKernels, FixedVector, PLACE};
use crate::space::FixedFields;
use crate::system::{
    Assembled, Cotangents, DenseIteration, IterationCorrection, IterationResidual, ReverseAssembly, ReverseTerm,
};

impl<M, E, const D: usize, const R: usize> ReverseAssembly<M> for FixedSizeAssembly<E, D, R>
where
    M: Assembled<Assembly = Self, Configuration: FixedFields>,
    E: FixedSizeKernels<M, D, R> + ReverseTerm<M>,
{
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn residual_pullback(
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
        v: &FixedVector<M, D>,
        acceleration: &FixedVector<M, D>,
        multipliers: &FixedVector<M, R>,
        weights: &FixedVector<M, D>,
        out: &mut Cotangents<'_, FixedVector<M, D>, M::Scalar>,
    ) {
        E::residual_pullback(system, PLACE, t, q, v, acceleration, multipliers, weights, out);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn constraint_pullback(
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
        weights: &FixedVector<M, R>,
        out: &mut Cotangents<'_, FixedVector<M, D>, M::Scalar>,
    ) {
        E::constraint_pullback(system, PLACE, t, q, weights, out);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn rate_pullback(
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
        v: &FixedVector<M, D>,
        weights: &FixedVector<M, R>,
        out: &mut Cotangents<'_, FixedVector<M, D>, M::Scalar>,
    ) {
        E::rate_pullback(system, PLACE, t, q, v, weights, out);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn curvature_pullback(
        system: &M,
        t: M::Scalar,
        q: &M::Configuration,
        v: &FixedVector<M, D>,
        weights: &FixedVector<M, R>,
        out: &mut Cotangents<'_, FixedVector<M, D>, M::Scalar>,
    ) {
        E::curvature_pullback(system, PLACE, t, q, v, weights, out);
    }
    #[cfg_attr(not(debug_assertions), inline(always))]
    fn solve_iteration_transposed(
        _: &M,
        factorisation: &mut DenseIteration<M::Scalar, D, R>,
        correction: &IterationCorrection<M>,
        residual: &mut IterationResidual<M>,
    ) {
        factorisation.solve_transposed(correction, residual);
    }
}
