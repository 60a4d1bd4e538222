//! Reverse differentiation: cotangents handed back through the equations and through the group.

use super::{IterationCorrection, IterationResidual, Linearised};
use crate::group::{LieGroup, TangentVector};
use crate::scalar::{Dual, Scalar};

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

    /// Adds the cotangents of q and θ, given that of q ∘ exp(θ).
    fn motion_pullback(
        &self,
        theta: &Self::Velocity,
        cotangent: &Self::Velocity,
        of_start: &mut Self::Velocity,
        of_theta: &mut Self::Velocity,
    );
    /// Adds the cotangents of θ and v, given that of θ' = T(θ)⁻¹ v; `at` is \[θ, v, θ'\].
    fn coordinate_rate_pullback(
        &self,
        at: [&Self::Velocity; 3],
        cotangent: &Self::Velocity,
        of_theta: &mut Self::Velocity,
        of_velocity: &mut Self::Velocity,
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

/// δ(q exp(θ)) = Ad(exp(−θ)) δq + T(θ) δθ, transposed.
#[inline]
pub fn motion_pullback<G: LieGroup>(
    theta: &G::Tangent,
    cotangent: &G::Tangent,
    of_start: &mut G::Tangent,
    of_theta: &mut G::Tangent,
) {
    let one = <G::Scalar as num_traits::One>::one();
    of_theta.axpy(one, &G::tangent_transpose(theta, cotangent));
    let mut back = theta.clone();
    back.scale(-one);
    of_start.axpy(one, &G::exp(&back).adjoint_transpose(cotangent));
}

/// θ' = T(θ)⁻¹ v, transposed; G on dual numbers is D.
///
/// Along δθ with v held the body velocity η = T δθ of exp(θ) obeys η' = −[v, η], so that T δθ' = −ad_v T δθ − T' δθ with the
/// derivative T' of T along θ'. With z = T⁻ᵀ y, y · δθ' = −(Tᵀ ad_vᵀ z + T'ᵀ z) · δθ: the derivative of T(θ + ε θ')ᵀ (z + ε ad_vᵀ z).
#[inline]
pub fn coordinate_rate_pullback<G, D>(
    [theta, velocity, rate]: [&G::Tangent; 3],
    cotangent: &G::Tangent,
    of_theta: &mut G::Tangent,
    of_velocity: &mut G::Tangent,
) where
    G: LieGroup,
    D: LieGroup<Scalar = Dual<G::Scalar>>,
    D::Tangent: FromParts<G::Tangent>,
{
    let one = <G::Scalar as num_traits::One>::one();
    let weight = G::tangent_inverse_transpose(theta, cotangent);
    of_velocity.axpy(one, &weight);
    let turned = G::coadjoint(velocity, &weight);
    let along = D::tangent_transpose(&D::Tangent::from_parts(theta, rate), &D::Tangent::from_parts(&weight, &turned));
    along.subtract_derivatives(of_theta);
}

/// Vectors of dual numbers from those of their parts.
pub trait FromParts<V> {
    /// value + ε slope.
    fn from_parts(value: &V, slope: &V) -> Self;
    /// Takes the derivatives from `out`.
    fn subtract_derivatives(&self, out: &mut V);
}

impl<S: Scalar, const N: usize> FromParts<nalgebra::SVector<S, N>> for nalgebra::SVector<Dual<S>, N> {
    #[inline]
    fn from_parts(value: &nalgebra::SVector<S, N>, slope: &nalgebra::SVector<S, N>) -> Self {
        Self::from_fn(|row, _| Dual { re: value[row], eps: slope[row] })
    }
    #[inline]
    fn subtract_derivatives(&self, out: &mut nalgebra::SVector<S, N>) {
        for row in 0..N {
            out[row] -= self[row].eps;
        }
    }
}
