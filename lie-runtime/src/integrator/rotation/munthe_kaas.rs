//! Munthe-Kaas Runge-Kutta methods of a rigid body for any tableau (paper 5, algorithm MKRK).
//!
//! They are the Runge-Kutta method for Ψ and the momentum P in the frame of the attitude at the start of the step,
//!
//! ```text
//! Ψ' = T(Ψ)⁻¹ J⁻¹ Π,    P' = exp(Ψ) T(t, q₀ exp(Ψ)),    Π = exp(−Ψ) P,
//! ```
//!
//! which conserves P, and therefore the spatial momentum, without a torque. (The torque in the stage sum belongs to stage j; the paper
//! prints k.)

use core::ops::Range;

use nalgebra::{Matrix3, SMatrix, SVector, Vector3};
use num_traits::Zero;

use super::algebra::{exponential, tangent, tangent_inverse, tangent_inverse_gradient};
use super::workspace::{MapStart, MapWorkspace};
use crate::group::skew;
use crate::integrator::implicit::{Corrections, Unsolved, angle};
use crate::integrator::tableau::ButcherTableau;
use crate::scalar::Scalar;
use crate::solve::LuFactors;
use crate::system::Linearised;

/// Makes one step and writes the attitude to `q`.
#[inline]
pub(super) fn step<M: Linearised>(
    tableau: &ButcherTableau,
    system: &M,
    from: &MapStart<'_, M>,
    h: f64,
    work: &mut MapWorkspace<M>,
    q: &mut M::Configuration,
) -> Result<Vector3<M::Scalar>, Unsolved> {
    let stages = tableau.stages();
    let start = work.body.inertia * from.velocity;
    let step = RotationStep { tableau, system, from, h, start };
    for stage in &mut work.stages[..stages] {
        stage.rate = from.velocity;
        stage.impulse = Vector3::from_element(M::Scalar::zero());
    }
    if tableau.is_diagonal() {
        for k in 0..stages {
            if tableau.entry(k, k) == 0.0 {
                step.explicit(work, k);
            } else {
                step.solve::<3>(work, k..k + 1)?;
            }
        }
    } else {
        match stages {
            2 => step.solve::<6>(work, 0..2)?,
            3 => step.solve::<9>(work, 0..3)?,
            _ => step.solve::<12>(work, 0..4)?,
        }
    }
    let mut psi = Vector3::from_element(M::Scalar::zero());
    let mut momentum = start;
    for (&b, stage) in tableau.b.iter().zip(&work.stages) {
        let weight = M::Scalar::from_f64(h * b);
        psi += stage.rate * weight;
        momentum += stage.impulse * weight;
    }
    work.rotate(system, from.configuration, &psi, q);
    Ok(from.velocity + work.body.inverse * (exponential(&psi).tr_mul(&momentum) - start))
}

/// The constant data of a step.
struct RotationStep<'a, M: Linearised> {
    tableau: &'a ButcherTableau,
    system: &'a M,
    from: &'a MapStart<'a, M>,
    h: f64,
    /// P₀.
    start: Vector3<M::Scalar>,
}

impl<M: Linearised> RotationStep<'_, M> {
    /// h Σ a_{kj} of the rates.
    #[inline]
    fn increment(&self, work: &MapWorkspace<M>, k: usize) -> Vector3<M::Scalar> {
        let row = self.tableau.a[k].iter().zip(&work.stages);
        row.filter(|(a, _)| **a != 0.0).fold(Vector3::from_element(M::Scalar::zero()), |sum, (&a, stage)| {
            sum + stage.rate * M::Scalar::from_f64(self.h * a)
        })
    }

    /// P of stage k.
    #[inline]
    fn momentum(&self, work: &MapWorkspace<M>, k: usize) -> Vector3<M::Scalar> {
        let row = self.tableau.a[k].iter().zip(&work.stages);
        row.filter(|(a, _)| **a != 0.0)
            .fold(self.start, |sum, (&a, stage)| sum + stage.impulse * M::Scalar::from_f64(self.h * a))
    }

    /// Computes a stage that depends on earlier stages only.
    #[inline]
    fn explicit(&self, work: &mut MapWorkspace<M>, k: usize) {
        work.stages[k].psi = self.increment(work, k);
        self.turn(work, k);
        self.rate(work, k);
    }

    /// Computes exp(Ψ) and the torque of stage k from its Ψ.
    #[inline]
    fn turn(&self, work: &mut MapWorkspace<M>, k: usize) {
        let psi = work.stages[k].psi;
        let (torque, gradient) = work.torque_after(self.system, self.from, self.h * self.tableau.c[k], &psi);
        let stage = &mut work.stages[k];
        stage.rotation = exponential(&psi);
        stage.impulse = stage.rotation * torque;
        stage.impulse_gradient = stage.rotation * (gradient - skew(&torque)) * tangent(&psi);
    }

    /// Computes Ψ' of stage k from the torques of all stages that it depends on.
    #[inline]
    fn rate(&self, work: &mut MapWorkspace<M>, k: usize) {
        let held = self.momentum(work, k);
        let inverse = work.body.inverse;
        let stage = &mut work.stages[k];
        let momentum = stage.rotation.tr_mul(&held);
        let velocity = inverse * momentum;
        let by_velocity = tangent_inverse(&stage.psi);
        stage.rate = by_velocity * velocity;
        stage.rate_by_momentum = by_velocity * inverse * stage.rotation.transpose();
        stage.rate_gradient = tangent_inverse_gradient(&stage.psi, &velocity)
            + by_velocity * inverse * skew(&momentum) * tangent(&stage.psi);
    }

    /// Runs Newton's iteration for coupled stages, N = 3 times their number. The unknowns are u = Ψ / h, u_k = Σ a_{kj} Ψ'_j.
    #[inline]
    fn solve<const N: usize>(&self, work: &mut MapWorkspace<M>, stages: Range<usize>) -> Result<(), Unsolved> {
        let real = M::Scalar::from_f64;
        let RotationStep { tableau, h, .. } = *self;
        let first = stages.start;
        let mut unknown: SVector<M::Scalar, N> = SMatrix::from_element(M::Scalar::zero());
        for k in stages.clone() {
            // The first iterates assume the initial velocity in every stage.
            for row in 0..3 {
                unknown[3 * (k - first) + row] = self.from.velocity[row] * real(tableau.c[k]);
            }
        }
        let mut factors = LuFactors::<M::Scalar, N>::zeros();
        let mut newton = work.newton;
        let outcome = newton.solve(
            h,
            &mut Corrections::<M::Scalar, _>::of(|| {
                for k in stages.clone() {
                    work.stages[k].psi = unknown.fixed_rows::<3>(3 * (k - first)) * real(h);
                    self.turn(work, k);
                }
                for k in stages.clone() {
                    self.rate(work, k);
                }
                let mut residual: SVector<M::Scalar, N> = SMatrix::from_element(M::Scalar::zero());
                let mut jacobian: SMatrix<M::Scalar, N, N> = SMatrix::identity();
                for k in stages.clone() {
                    let row = 3 * (k - first);
                    let sum = (self.increment(work, k) - work.stages[k].psi) * real(1.0 / h);
                    for i in 0..3 {
                        residual[row + i] = sum[i];
                    }
                    for m in stages.clone() {
                        let block = self.block(work, stages.clone(), k, m);
                        let column = 3 * (m - first);
                        for i in 0..3 {
                            for j in 0..3 {
                                jacobian[(row + i, column + j)] -= block[(i, j)];
                            }
                        }
                    }
                }
                let first_stage = work.body.inertia * residual.fixed_rows::<3>(0);
                work.residual = first_stage.dot(&first_stage).magnitude().sqrt() / h.abs();
                factors.factorise(&jacobian).ok()?;
                factors.solve(&mut residual);
                unknown += residual;
                Some(angle(h, residual.iter().copied()))
            }),
        );
        work.newton = newton;
        outcome?;
        for k in stages.clone() {
            work.stages[k].psi = unknown.fixed_rows::<3>(3 * (k - first)) * real(h);
            self.turn(work, k);
        }
        for k in stages {
            self.rate(work, k);
        }
        Ok(())
    }

    /// The derivative of Σ a_{kj} Ψ'_j with respect to u_m: P_j contains a_{jm} times the impulse of stage m.
    #[inline]
    fn block(&self, work: &MapWorkspace<M>, stages: Range<usize>, k: usize, m: usize) -> Matrix3<M::Scalar> {
        let real = M::Scalar::from_f64;
        let (tableau, h) = (self.tableau, self.h);
        let mut block = work.stages[m].rate_gradient * real(h * tableau.entry(k, m));
        let mut by_momentum = Matrix3::from_element(M::Scalar::zero());
        for j in stages {
            by_momentum += work.stages[j].rate_by_momentum * real(h * h * tableau.entry(k, j) * tableau.entry(j, m));
        }
        block += by_momentum * work.stages[m].impulse_gradient;
        block
    }
}
