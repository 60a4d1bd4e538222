//! The linear systems of the Newton iteration of implicit methods.
//!
//! A step of an implicit method with constraints solves for the change x of the scaled accelerations (x = β h² δa), the
//! change ζ of the increment θ of the step and the multipliers (paper 2, eq. 34). All equations have the units of θ:
//! the balance of forces and the multipliers are scaled by h², the velocity constraints by h. Therefore no entry of the
//! matrix depends on a power of h as h → 0 (Bottasso, Bauchau, Cardona 2007):
//!
//! ```text
//! (c_M M + c_C C) x + c_K K T ζ + Bᵀ λ̂ = −h² r,      λ̂ = h² δλ,    c_M = h² β',  c_C = h² γ',  c_K = h²,
//! B T ζ                                 = −Φ,
//! c_B B x + c_H H T ζ                   = −h (B v + b),              c_B = h γ' h = γ / β,     c_H = h,
//! ```
//!
//! with T = T(θ) and H = D_q (B v + b). Methods that apply the reactions at another point than the constraints
//! (RATTLie: at the start of the step) have the transpose of the Jacobian there in place of Bᵀ. Without stabilisation ζ
//! = x, holonomic rows have the second equation, and the rows of velocity constraints have the third equation. With
//! stabilisation ζ = x − B₀ᵀ η̂, where B₀ is the Jacobian at the start of the step, and holonomic rows have both
//! equations.

use nalgebra::{SMatrix, SVector};

use super::{KktError, LocalPoint, MechanicalSystem};
use crate::group::TangentVector;
use crate::scalar::{Scalar, larger};
use crate::solve::{LuFactors, relaxed};

/// The point of linearisation of a step.
#[derive(Debug)]
pub struct IterationPoint<'a, M: MechanicalSystem + ?Sized> {
    /// The time at the end of the step.
    pub t: M::Scalar,
    /// q at the end of the step.
    pub q: &'a M::Configuration,
    /// v.
    pub v: &'a M::Velocity,
    /// v'.
    pub acceleration: &'a M::Velocity,
    /// λ.
    pub multipliers: &'a M::Multipliers,
    /// θ of the step, q = q₀ ∘ exp(θ).
    pub theta: &'a M::Velocity,
    /// The local coordinates that ζ changes, if they are not θ: then every T is replaced by a block of `LocalPoint`.
    pub local: Option<LocalPoint<'a, M::Velocity>>,
    /// The Jacobian whose transpose multiplies the multipliers; `None` for B at q.
    pub reactions: Option<&'a M::Jacobian>,
}

/// The scaled coefficients of the method.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct IterationCoefficients<S> {
    /// c_M.
    pub mass: S,
    /// c_C.
    pub damping: S,
    /// c_K.
    pub stiffness: S,
    /// c_B.
    pub rate: S,
    /// c_H.
    pub rate_gradient: S,
}

/// The scaled residuals, the negative right-hand sides.
#[derive(Debug)]
pub struct IterationResidual<M: MechanicalSystem + ?Sized> {
    /// h² r.
    pub balance: M::Velocity,
    /// Φ.
    pub position: M::Multipliers,
    /// h (B v + b).
    pub velocity: M::Multipliers,
}

impl<M: MechanicalSystem + ?Sized> IterationResidual<M> {
    /// Allocates residuals.
    pub fn zero(system: &M) -> Self {
        let multipliers = || system.zero_multipliers();
        IterationResidual { balance: system.zero_velocity(), position: multipliers(), velocity: multipliers() }
    }

    /// Removes the values: the next solution gives the derivatives of a solution whose values are known.
    pub(crate) fn keep_derivatives(&mut self) {
        self.balance.keep_derivatives();
        self.position.keep_derivatives();
        self.velocity.keep_derivatives();
    }
}

/// The scaled corrections.
#[derive(Debug)]
pub struct IterationCorrection<M: MechanicalSystem + ?Sized> {
    /// x.
    pub acceleration: M::Velocity,
    /// ζ.
    pub increment: M::Velocity,
    /// λ̂.
    pub multipliers: M::Multipliers,
    /// η̂; zero without stabilisation.
    pub projection: M::Multipliers,
}

impl<M: MechanicalSystem + ?Sized> IterationCorrection<M> {
    /// Allocates corrections.
    pub fn zero(system: &M) -> Self {
        IterationCorrection {
            acceleration: system.zero_velocity(),
            increment: system.zero_velocity(),
            multipliers: system.zero_multipliers(),
            projection: system.zero_multipliers(),
        }
    }

    /// Returns the largest derivative of the corrections. For redundant rows the derivative of the `reaction` Bᵀ λ
    /// replaces the derivative of λ: the distribution of λ is determined after the iteration, and within it is
    /// round-off.
    pub(crate) fn variation(&self, system: &M, jacobian: &M::Jacobian, reaction: &mut M::Velocity) -> f64 {
        let multipliers = if system.has_least_norm() && system.constraint_rows() > 0 {
            system.jacobian_transpose_times(jacobian, &self.multipliers, reaction);
            reaction.variation()
        } else {
            self.multipliers.variation()
        };
        larger(self.increment.variation(), larger(self.acceleration.variation(), multipliers))
    }
}

/// The dense matrices of an iteration; matrices that are followed by T in the equations are multiplied by it.
#[derive(Clone, Debug)]
pub struct IterationMatrices<S, const D: usize, const R: usize> {
    /// M.
    pub mass: SMatrix<S, D, D>,
    /// C.
    pub damping: SMatrix<S, D, D>,
    /// K T.
    pub stiffness: SMatrix<S, D, D>,
    /// B of the reactions.
    pub jacobian: SMatrix<S, R, D>,
    /// B of the rates; undefined if no row needs it.
    pub jacobian_rate: SMatrix<S, R, D>,
    /// B T.
    pub jacobian_tangent: SMatrix<S, R, D>,
    /// H T; undefined if no row needs it.
    pub rate_gradient: SMatrix<S, R, D>,
}

/// The factorised system of an iteration: triangular factors of A = c_M M + c_C C + c_K K T, then Schur complements.
///
/// Let Y = A⁻¹ Bᵀ, x₀ = −A⁻¹ h² r and x = x₀ − Y λ̂. Without stabilisation the rows G x = −ρ give (G Y) λ̂ = G x₀ + ρ.
/// With stabilisation x = x₀ + P η̂ − Y λ̂, P = A⁻¹ c_K K T B₀ᵀ. The rows of the velocities, G₂ = c_B B + c_H H T, give
/// λ̂ as a function of η̂,
///
/// ```text
/// (G₂ Y) λ̂ = G₂ x₀ + ρ₂ + (G₂ P − c_H H T B₀ᵀ) η̂,
/// ```
///
/// and the rows of the positions, G₁ = B T, then give (G₁ B₀ᵀ − G₁ P + G₁ Y Z) η̂ = G₁ x₀ + ρ₁ − G₁ Y λ̂₀. Z is the
/// matrix and λ̂₀ the constant part of λ̂. The η̂ of velocity constraints are zero.
#[derive(Clone, Debug)]
pub struct DenseIteration<S, const D: usize, const R: usize> {
    forces: LuFactors<S, D>,
    /// Y.
    reactions: SMatrix<S, D, R>,
    /// G without stabilisation, G₂ with stabilisation.
    rows: SMatrix<S, R, D>,
    /// G Y or G₂ Y.
    schur: LuFactors<S, R>,
    /// G₁.
    positions: SMatrix<S, R, D>,
    /// G₁ Y.
    positions_by_reactions: SMatrix<S, R, R>,
    /// P − Y Z, the derivative of x with respect to η̂.
    accelerations_by_projection: SMatrix<S, D, R>,
    /// Z.
    multipliers_by_projection: SMatrix<S, R, R>,
    /// B₀ᵀ, zero in the columns of velocity constraints.
    projection: SMatrix<S, D, R>,
    projection_schur: LuFactors<S, R>,
    is_stabilised: bool,
    holonomic: usize,
}

impl<S: Scalar, const D: usize, const R: usize> DenseIteration<S, D, R> {
    /// Allocates a factorisation.
    pub fn zeros() -> Self {
        let zero = S::zero();
        DenseIteration {
            forces: LuFactors::zeros(),
            reactions: SMatrix::from_element(zero),
            rows: SMatrix::from_element(zero),
            schur: LuFactors::zeros(),
            positions: SMatrix::from_element(zero),
            positions_by_reactions: SMatrix::from_element(zero),
            accelerations_by_projection: SMatrix::from_element(zero),
            multipliers_by_projection: SMatrix::from_element(zero),
            projection: SMatrix::from_element(zero),
            projection_schur: LuFactors::zeros(),
            is_stabilised: false,
            holonomic: R,
        }
    }

    /// Factorises the system; the first `holonomic` rows belong to holonomic constraints, `projection` is B₀ᵀ.
    ///
    /// # Errors
    /// [`KktError`] if a pivot is zero or not finite.
    #[inline]
    pub fn factorise(
        &mut self,
        matrices: &IterationMatrices<S, D, R>,
        coefficients: &IterationCoefficients<S>,
        holonomic: usize,
        projection: Option<&SMatrix<S, D, R>>,
    ) -> Result<(), KktError> {
        self.eliminate::<false>(matrices, coefficients, holonomic, projection)
    }

    /// Factorises the system of redundant constraints with −ε D in the block of the multipliers, see
    /// [`solve_least_norm`](crate::solve::solve_least_norm). The next iteration removes the remaining residual.
    ///
    /// # Errors
    /// [`KktError`] if a number is not finite.
    #[inline]
    pub fn factorise_redundant(
        &mut self,
        matrices: &IterationMatrices<S, D, R>,
        coefficients: &IterationCoefficients<S>,
        holonomic: usize,
        projection: Option<&SMatrix<S, D, R>>,
    ) -> Result<(), KktError> {
        self.eliminate::<true>(matrices, coefficients, holonomic, projection)
    }

    #[inline]
    fn eliminate<const RELAXED: bool>(
        &mut self,
        matrices: &IterationMatrices<S, D, R>,
        coefficients: &IterationCoefficients<S>,
        holonomic: usize,
        projection: Option<&SMatrix<S, D, R>>,
    ) -> Result<(), KktError> {
        let schur_of = |matrix: SMatrix<S, R, R>| if RELAXED { relaxed(&matrix, 1.0) } else { matrix };
        let c = coefficients;
        let IterationMatrices { mass, damping, stiffness, .. } = matrices;
        self.forces
            .factorise_entries(|row, column| {
                let at = (row, column);
                mass[at] * c.mass + damping[at] * c.damping + stiffness[at] * c.stiffness
            })
            .map_err(|_| KktError::NotFinite)?;
        self.reactions = matrices.jacobian.transpose();
        self.forces.solve(&mut self.reactions);
        self.is_stabilised = projection.is_some();
        self.holonomic = holonomic;
        let rates = |row: usize, column: usize| {
            matrices.jacobian_rate[(row, column)] * c.rate + matrices.rate_gradient[(row, column)] * c.rate_gradient
        };
        let singular = |row| KktError::SingularConstraints { row };
        let Some(start) = projection else {
            self.rows = matrices.jacobian_tangent;
            for row in holonomic..R {
                for column in 0..D {
                    self.rows[(row, column)] = rates(row, column);
                }
            }
            return self.schur.factorise(&schur_of(self.rows * self.reactions)).map_err(singular);
        };
        self.rows = SMatrix::from_fn(rates);
        self.schur.factorise(&schur_of(self.rows * self.reactions)).map_err(singular)?;
        self.projection = *start;
        for row in holonomic..R {
            self.projection.column_mut(row).fill(S::zero());
        }
        let mut moved = *stiffness * c.stiffness * self.projection;
        self.forces.solve(&mut moved);
        let mut by_projection = self.rows * moved - matrices.rate_gradient * self.projection * c.rate_gradient;
        self.schur.solve(&mut by_projection);
        self.multipliers_by_projection = by_projection;
        self.accelerations_by_projection = moved - self.reactions * by_projection;
        self.positions = matrices.jacobian_tangent;
        self.positions_by_reactions = self.positions * self.reactions;
        let mut schur = self.positions * (self.projection - self.accelerations_by_projection);
        for row in holonomic..R {
            schur.row_mut(row).fill(S::zero());
            schur[(row, row)] = S::one();
        }
        self.projection_schur.factorise(&schur_of(schur)).map_err(singular)
    }

    /// Solves for the corrections.
    #[inline]
    pub fn solve<M>(&self, residual: &IterationResidual<M>, correction: &mut IterationCorrection<M>)
    where
        M: MechanicalSystem<Scalar = S, Velocity = SVector<S, D>, Multipliers = SVector<S, R>> + ?Sized,
    {
        let mut x = -residual.balance;
        self.forces.solve(&mut x);
        let mut multipliers = self.rows * x;
        for row in 0..R {
            let of_velocity = self.is_stabilised || row >= self.holonomic;
            multipliers[row] += if of_velocity { residual.velocity[row] } else { residual.position[row] };
        }
        self.schur.solve(&mut multipliers);
        if self.is_stabilised {
            let mut projection = self.positions * x + residual.position - self.positions_by_reactions * multipliers;
            for row in self.holonomic..R {
                projection[row] = S::zero();
            }
            self.projection_schur.solve(&mut projection);
            x = x - self.reactions * multipliers + self.accelerations_by_projection * projection;
            multipliers += self.multipliers_by_projection * projection;
            correction.increment = x - self.projection * projection;
            correction.projection = projection;
        } else {
            x -= self.reactions * multipliers;
            correction.increment = x;
            correction.projection.fill(S::zero());
        }
        correction.acceleration = x;
        correction.multipliers = multipliers;
    }

    /// Computes the cotangents of the residuals from the cotangents of the corrections: the transpose of
    /// [`solve`](Self::solve), line by line.
    #[inline]
    pub fn solve_transposed<M>(&self, correction: &IterationCorrection<M>, residual: &mut IterationResidual<M>)
    where
        M: MechanicalSystem<Scalar = S, Velocity = SVector<S, D>, Multipliers = SVector<S, R>> + ?Sized,
    {
        let mut x = correction.acceleration + correction.increment;
        let mut multipliers = correction.multipliers - self.reactions.tr_mul(&x);
        residual.position.fill(S::zero());
        residual.velocity.fill(S::zero());
        if self.is_stabilised {
            let mut projection = correction.projection - self.projection.tr_mul(&correction.increment)
                + self.accelerations_by_projection.tr_mul(&x)
                + self.multipliers_by_projection.tr_mul(&correction.multipliers);
            self.projection_schur.solve_transposed(&mut projection);
            for row in self.holonomic..R {
                projection[row] = S::zero();
            }
            multipliers -= self.positions_by_reactions.tr_mul(&projection);
            x += self.positions.tr_mul(&projection);
            residual.position = projection;
        }
        self.schur.solve_transposed(&mut multipliers);
        for row in 0..R {
            let of_velocity = self.is_stabilised || row >= self.holonomic;
            if of_velocity {
                residual.velocity[row] = multipliers[row];
            } else {
                residual.position[row] = multipliers[row];
            }
        }
        x += self.rows.tr_mul(&multipliers);
        self.forces.solve_transposed(&mut x);
        residual.balance = -x;
    }
}
