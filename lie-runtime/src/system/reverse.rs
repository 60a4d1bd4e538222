//! Reverse differentiation: cotangents handed back through the equations.

use super::{IterationCorrection, IterationResidual, Linearised};

/// Where cotangents are added up.
#[derive(Debug)]
pub struct Cotangents<'a, V, S> {
    /// Of q, in the algebra: n components.
    pub of_configuration: &'a mut V,
    /// Of v: n components.
    pub of_velocity: &'a mut V,
    /// Of the numbers of the parameters, in the order of their names, matrices by rows, and then of those of the inputs at the time
    /// of the call.
    pub of_parameters: &'a mut [S],
}

/// A system whose equations can be differentiated in reverse: declared with `#[mechanical_system(gradients)]`.
///
/// Every method *adds* the cotangents of what a function depends on, given weights, the cotangents of its values: one
/// straight-line kernel for all of q, v and the parameters. With respect to v' and λ the derivatives of
/// r = M v' + g + Bᵀ λ are M and Bᵀ, with respect to v that of B v + b is B.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no kernels of reverse differentiation",
    label = "a way back asks for them",
    note = "declare the system with `#[mechanical_system(gradients)]`; `.with_sensitivities([…])` needs none of them"
)]
pub trait Reverse: Linearised {
    /// How many numbers the parameters have that they are set by.
    fn parameter_count(&self) -> usize;
    /// How many numbers the inputs have.
    fn input_count(&self) -> usize;
    /// True if rates of inputs are read, by constraints: what these make of the inputs is not part of the cotangents.
    fn reads_rates_of_inputs(&self) -> bool;

    /// Adds the gradient of w · r.
    #[allow(clippy::too_many_arguments)] // r has five arguments.
    fn residual_pullback(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &Self::Velocity,
        acceleration: &Self::Velocity,
        multipliers: &Self::Multipliers,
        weights: &Self::Velocity,
        out: &mut Cotangents<'_, Self::Velocity, Self::Scalar>,
    );
    /// Adds the gradient of μ · Φ.
    fn constraint_pullback(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        weights: &Self::Multipliers,
        out: &mut Cotangents<'_, Self::Velocity, Self::Scalar>,
    );
    /// Adds the gradient of μ · (B v + b).
    fn rate_pullback(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &Self::Velocity,
        weights: &Self::Multipliers,
        out: &mut Cotangents<'_, Self::Velocity, Self::Scalar>,
    );
    /// Adds the gradient of μ · curvature, see
    /// [`constraint_curvature`](super::MechanicalSystem::constraint_curvature).
    fn curvature_pullback(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &Self::Velocity,
        weights: &Self::Multipliers,
        out: &mut Cotangents<'_, Self::Velocity, Self::Scalar>,
    );

    /// The cotangents of the residuals of an iteration, given those of the changes that
    /// [`solve_iteration`](Linearised::solve_iteration) makes of them.
    fn solve_iteration_transposed(
        &self,
        factorisation: &mut Self::Factorisation,
        correction: &IterationCorrection<Self>,
        residual: &mut IterationResidual<Self>,
    );
}
