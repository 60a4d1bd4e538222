//! KKT systems with redundant constraints over chains, by the proximal-point method in O(N): see
//! [`solve_least_norm`](crate::solve::solve_least_norm).
//!
//! The regularised matrices S + ε D and [A B₁ᵀ; B₂ −ε D] have the same sparsity patterns, so that bands stay bands. All
//! proximal-point iterations use one factorisation.

use super::assembly::times;
use super::kkt;
use super::regularisation::{is_redundant, largest};
use super::{Dynamics, ElementSystem};
use crate::scalar::{Scalar, larger};
use crate::solve::{ProximalStopTest, SIGNS, Turn, relaxation};
use crate::system::KktError;

/// A factorised mass matrix, with the memory of the proximal-point iteration if constraints may be redundant.
#[derive(Clone, Debug)]
pub struct KktFactorisation<K, S> {
    pub(super) mass: K,
    proximal: Option<Box<ProximalBuffers<S>>>,
}

/// The memory of an iteration.
#[derive(Clone, Debug)]
struct ProximalBuffers<S> {
    /// The residuals of the rows and, if needed, of the forces.
    rest: Vec<S>,
    of_force: Vec<S>,
    has_force: bool,
    acceleration: Vec<S>,
    multipliers: Vec<S>,
}

impl<K, S: Scalar> KktFactorisation<K, S> {
    /// Returns the factorised mass matrix.
    pub fn eliminated(&self) -> &K {
        &self.mass
    }

    pub(super) fn of<M: ElementSystem<Scalar = S>>(system: &M, mass: K) -> Self {
        let zeros = |length| vec![S::zero(); length];
        let (dof, rows) = (system.structure().layout().dof, system.structure().layout().rows);
        let buffers = || ProximalBuffers {
            rest: zeros(rows),
            of_force: zeros(dof),
            has_force: false,
            acceleration: zeros(dof),
            multipliers: zeros(rows),
        };
        KktFactorisation { mass, proximal: (is_redundant::<M>() && rows > 0).then(|| Box::new(buffers())) }
    }
}

/// Solves the KKT system; with redundant constraints it iterates with the regularised matrix.
#[allow(clippy::too_many_arguments)] // The six blocks of one linear system.
#[inline]
pub(super) fn solve_kkt<M: ElementSystem>(
    system: &M,
    mass: &mut KktFactorisation<<M::Dynamics as Dynamics<M>>::Mass, M::Scalar>,
    first: &[M::Scalar],
    second: &[M::Scalar],
    force: &[M::Scalar],
    constraint: &[M::Scalar],
    acceleration: &mut [M::Scalar],
    multipliers: &mut [M::Scalar],
) -> Result<(), KktError> {
    let KktFactorisation { mass, proximal } = mass;
    // A constant first: the iterations are compiled for systems with redundant constraints only.
    let Some(buffers) = (if const { M::REDUNDANCY.is_minimum_norm() } { proximal.as_mut() } else { None }) else {
        return M::Dynamics::solve_kkt(system, mass, None, first, second, force, constraint, acceleration, multipliers);
    };
    let equations = KktSystem { system, jacobians: [first, second], force, constraint };
    for sign in SIGNS {
        let epsilon = Some(sign * relaxation::<M::Scalar>());
        M::Dynamics::solve_mass(system, mass, force, &mut buffers.acceleration);
        let [size, _] = row_residual::<M>(system, second, &buffers.acceleration, constraint, &mut buffers.rest);
        M::Dynamics::solve_kkt(system, mass, epsilon, first, second, force, constraint, acceleration, multipliers)?;
        let mut turns = ProximalStopTest::of::<M::Scalar>(size, sign);
        let end = loop {
            let [left, _] = equations.residuals([acceleration, multipliers], mass, size, buffers);
            match turns.next(left) {
                Turn::GoOn => equations.correct(mass, buffers, [acceleration, multipliers]),
                end => break end,
            }
        };
        if end == Turn::Stop {
            break;
        }
    }
    if M::Scalar::HAS_DERIVATIVES {
        equations.refine_derivatives(mass, buffers, [acceleration, multipliers]);
    }
    Ok(())
}

/// The KKT system M v' + B₁ᵀ λ = f, B₂ v' = c.
struct KktSystem<'a, M: ElementSystem> {
    system: &'a M,
    jacobians: [&'a [M::Scalar]; 2],
    force: &'a [M::Scalar],
    constraint: &'a [M::Scalar],
}

type DynamicsMass<M> = <<M as ElementSystem>::Dynamics as Dynamics<M>>::Mass;

impl<M: ElementSystem> KktSystem<'_, M> {
    /// Computes the residuals of the equations. Returns their size and the size of their derivatives; residual forces
    /// are relative to all forces, times `size`.
    fn residuals(
        &self,
        [acceleration, multipliers]: [&[M::Scalar]; 2],
        mass: &DynamicsMass<M>,
        size: f64,
        buffers: &mut ProximalBuffers<M::Scalar>,
    ) -> [f64; 2] {
        let ProximalBuffers { rest, of_force, has_force, .. } = buffers;
        let [first, second] = self.jacobians;
        let of_rows = row_residual::<M>(self.system, second, acceleration, self.constraint, rest);
        let solution = [acceleration, multipliers];
        let all = M::Dynamics::residual_force(self.system, mass, first, self.force, solution, of_force);
        *has_force = all.is_some();
        match all.filter(|all| *all > 0.0) {
            Some(all) => {
                let of_force = largest(of_force);
                [0, 1].map(|which| larger(of_rows[which], of_force[which] / all * size))
            }
            None => of_rows,
        }
    }

    /// Adds the correction for the residuals.
    fn correct(
        &self,
        mass: &mut DynamicsMass<M>,
        buffers: &mut ProximalBuffers<M::Scalar>,
        solution: [&mut [M::Scalar]; 2],
    ) {
        let ProximalBuffers { rest, of_force, has_force, acceleration, multipliers } = buffers;
        let of_force = has_force.then_some(&of_force[..]);
        let first = self.jacobians[0];
        M::Dynamics::solve_kkt_again(self.system, mass, first, of_force, rest, acceleration, multipliers);
        for (sum, terms) in solution.into_iter().zip([acceleration, multipliers]) {
            sum.iter_mut().zip(terms).for_each(|(sum, &mut term)| *sum += term);
        }
    }

    /// Iterates for the derivatives only, after the values have reached round-off: pivots of size ε leave no digits in
    /// the derivatives of the factors, so the residuals that multiply them must have zero values.
    fn refine_derivatives(
        &self,
        mass: &mut DynamicsMass<M>,
        buffers: &mut ProximalBuffers<M::Scalar>,
        [acceleration, multipliers]: [&mut [M::Scalar]; 2],
    ) {
        let mut previous = f64::INFINITY;
        for _ in 0..ProximalStopTest::MOST {
            let [_, left] = self.residuals([acceleration, multipliers], mass, 1.0, buffers);
            // A comparison with NaN is false.
            if !(left > 0.0 && left < 0.5 * previous) {
                return;
            }
            previous = left;
            buffers.rest.iter_mut().chain(&mut buffers.of_force).for_each(|rest| *rest = rest.derivatives());
            self.correct(mass, buffers, [acceleration, multipliers]);
        }
    }
}

/// Solves M v' + B₁ᵀ λ = f, B₂ (w + h v') + b = 0 with the block-tridiagonal elimination, which reads B₂ once. Returns
/// false, with undefined results, for other systems.
#[allow(clippy::too_many_arguments)] // The blocks of one linear system.
#[inline]
pub(super) fn solve_block_tridiagonal<M: ElementSystem>(
    system: &M,
    mass: &mut KktFactorisation<<M::Dynamics as Dynamics<M>>::Mass, M::Scalar>,
    jacobians: [&[M::Scalar]; 2],
    force: &[M::Scalar],
    ahead: (&[M::Scalar], f64),
    drift: &[M::Scalar],
    acceleration: &mut [M::Scalar],
    multipliers: &mut [M::Scalar],
) -> bool {
    let KktFactorisation { mass, proximal: None } = mass else { return false };
    M::Dynamics::of_members(mass).is_some_and(|mass| {
        kkt::solve_block_tridiagonal(system, mass, jacobians, [force, drift], Some(ahead), acceleration, multipliers)
    })
}

/// Solves M v' + Bᵀ λ = 0, B v' = c with the factors of the last solution. Redundant rows and loops need a full
/// solution with iterations.
pub(super) fn solve_kkt_again<M: ElementSystem>(
    system: &M,
    mass: &mut KktFactorisation<<M::Dynamics as Dynamics<M>>::Mass, M::Scalar>,
    jacobian: &[M::Scalar],
    zero: &[M::Scalar],
    constraint: &[M::Scalar],
    acceleration: &mut [M::Scalar],
    multipliers: &mut [M::Scalar],
) -> Result<(), KktError> {
    if M::Dynamics::HAS_FRAMES || mass.proximal.is_some() {
        return solve_kkt(system, mass, jacobian, jacobian, zero, constraint, acceleration, multipliers);
    }
    M::Dynamics::solve_kkt_again(system, &mut mass.mass, jacobian, None, constraint, acceleration, multipliers);
    let is_finite = multipliers.iter().all(|multiplier| multiplier.is_finite());
    if is_finite { Ok(()) } else { Err(KktError::NotFinite) }
}

/// Computes c − B v'; returns its largest component, and its largest derivative.
fn row_residual<M: ElementSystem>(
    system: &M,
    jacobian: &[M::Scalar],
    acceleration: &[M::Scalar],
    constraint: &[M::Scalar],
    out: &mut [M::Scalar],
) -> [f64; 2] {
    times(system, jacobian, acceleration, out);
    for (rest, &wanted) in out.iter_mut().zip(constraint) {
        *rest = wanted - *rest;
    }
    largest(out)
}
