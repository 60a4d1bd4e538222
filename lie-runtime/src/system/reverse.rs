//! Reverse-mode (adjoint) differentiation of the equations of motion: vector-Jacobian products (VJP).

use super::{IterationCorrection, IterationResidual, Linearised};
use crate::space::ReverseSpace;

/// The sums of cotangents.
#[derive(Debug)]
pub struct Cotangents<'a, V, S> {
    /// The derivative with respect to q, in the Lie algebra: n components.
    pub of_configuration: &'a mut V,
    /// The derivative with respect to v: n components.
    pub of_velocity: &'a mut V,
    /// The derivative with respect to the components of the parameters in the order of their names, matrices by rows, and then with
    /// respect to the inputs at the time of the call.
    pub of_parameters: &'a mut [S],
}

/// A system with vector-Jacobian products of its equations: declared with `#[mechanical_system(gradients)]`.
///
/// Every method *adds* cotangents to `out`, given weights, the cotangents of the function's values. One straight-line
/// kernel computes the products with respect to q, v and the parameters. The derivatives of r = M v' + g + Bᵀ λ with
/// respect to v' and λ are M and Bᵀ; the derivative of B v + b with respect to v is B.
#[diagnostic::on_unimplemented(
    message = "`{Self}` has no reverse-mode derivatives",
    label = "required by the reverse (adjoint) pass",
    note = "declare the system with `#[mechanical_system(gradients)]`; `.with_sensitivities([…])` needs no reverse mode"
)]
#[doc(alias = "VJP")]
#[doc(alias = "adjoint")]
#[doc(alias = "reverse mode")]
#[doc(alias = "backpropagation")]
pub trait Reverse: Linearised<Space: ReverseSpace> {
    /// Returns the number of components of the parameters.
    #[doc(hidden)]
    fn parameter_count(&self) -> usize;
    /// Returns the number of components of the inputs.
    #[doc(hidden)]
    fn input_count(&self) -> usize;
    /// Returns true if constraints read rates of inputs: the cotangents do not contain their contribution.
    #[doc(hidden)]
    fn reads_rates_of_inputs(&self) -> bool;

    /// Adds the gradient of w · r.
    #[allow(clippy::too_many_arguments)] // r has five arguments.
    #[doc(hidden)]
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
    #[doc(hidden)]
    fn constraint_pullback(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        weights: &Self::Multipliers,
        out: &mut Cotangents<'_, Self::Velocity, Self::Scalar>,
    );
    /// Adds the gradient of μ · (B v + b).
    #[doc(hidden)]
    fn rate_pullback(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &Self::Velocity,
        weights: &Self::Multipliers,
        out: &mut Cotangents<'_, Self::Velocity, Self::Scalar>,
    );
    /// Adds the gradient of μ · curvature, see [`constraint_curvature`](super::MechanicalSystem::constraint_curvature).
    #[doc(hidden)]
    fn curvature_pullback(
        &self,
        t: Self::Scalar,
        q: &Self::Configuration,
        v: &Self::Velocity,
        weights: &Self::Multipliers,
        out: &mut Cotangents<'_, Self::Velocity, Self::Scalar>,
    );

    /// Computes the cotangents of the residuals of an iteration from the cotangents of the corrections that
    /// [`solve_iteration`](Linearised::solve_iteration) returns.
    #[doc(hidden)]
    fn solve_iteration_transposed(
        &self,
        factorisation: &mut Self::Factorisation,
        correction: &IterationCorrection<Self>,
        residual: &mut IterationResidual<Self>,
    );
}
