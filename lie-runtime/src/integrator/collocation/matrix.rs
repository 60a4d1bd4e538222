//! The matrix of all stages.
//!
//! M, C, K and B are generated. T' and H T, the derivatives of T(Θ) h Y and of B V + b with respect to Θ, are central differences. Their
//! ten digits are sufficient for an iteration matrix.

use num_traits::{One, Zero};

use super::methods::Level;
use super::workspace::{CollocationBuffers, CollocationStep, StagePoint};
use crate::group::TangentVector;
use crate::scalar::Scalar;
use crate::solve::solve_dense;
use crate::space::ConfigurationSpace;
use crate::system::Linearised;

/// Forms the matrix at the current iterate.
#[inline]
pub(crate) fn form<M: Linearised>(step: &mut CollocationStep<'_, M>) {
    let rows = step.system.constraint_rows();
    for i in 0..step.work.stages.len() {
        step.tangents(i);
    }
    step.work.equations.fill(M::Scalar::zero());
    for i in 0..step.work.stages.len() {
        step.balance(i);
        step.reactions(i);
        if rows > 0 && !step.is_position(rows - 1) {
            step.rate_gradients(i);
        }
    }
}

/// Solves the equations of all stages, or the transposed equations, in place. Each stage has `n` force equations and its constraint rows.
///
/// Forces M Δv' and rows B Δθ have different units. If one is 1e15 times the other, elimination treats the small ones as round-off. Rows
/// and multipliers are therefore scaled by a power of two, D A D y = D b, x = D y. The scaled entries of B are as large as the entries of
/// M.
///
/// # Errors
/// The column without a pivot or with a value that is not finite.
pub(crate) fn solve<S: Scalar>(equations: &mut [S], unknowns: &mut [S], [n, rows]: [usize; 2]) -> Result<(), usize> {
    let (size, block) = (unknowns.len(), n + rows);
    let is_row = |at: usize| at % block >= n;
    let factor = S::from_f64(if rows == 0 { 1.0 } else { unit_of_rows(equations, size, is_row) });
    if rows > 0 {
        for (row, entries) in equations.chunks_exact_mut(size).enumerate() {
            for (column, entry) in entries.iter_mut().enumerate() {
                for _ in 0..usize::from(is_row(row)) + usize::from(is_row(column)) {
                    *entry *= factor;
                }
            }
        }
        unknowns.iter_mut().enumerate().filter(|(at, _)| is_row(*at)).for_each(|(_, entry)| *entry *= factor);
    }
    solve_dense(equations, unknowns)?;
    if rows > 0 {
        unknowns.iter_mut().enumerate().filter(|(at, _)| is_row(*at)).for_each(|(_, entry)| *entry *= factor);
    }
    Ok(())
}

/// The ratio of the entries of M to the entries of B and Bᵀ, as a power of two.
fn unit_of_rows<S: Scalar>(equations: &[S], size: usize, is_row: impl Fn(usize) -> bool) -> f64 {
    let (mut of_forces, mut of_rows) = (0.0_f64, 0.0_f64);
    for (row, entries) in equations.chunks_exact(size).enumerate() {
        for (column, entry) in entries.iter().enumerate() {
            match (is_row(row), is_row(column)) {
                (false, false) => of_forces = of_forces.max(entry.magnitude()),
                (true, true) => {}
                _ => of_rows = of_rows.max(entry.magnitude()),
            }
        }
    }
    let ratio = (of_forces / of_rows).log2().round().exp2();
    if ratio.is_normal() { ratio } else { 1.0 }
}

/// The increment of differences, which balances truncation error and round-off.
fn distance<S: Scalar>() -> f64 {
    S::epsilon().cbrt()
}

impl<M: Linearised> CollocationStep<'_, M> {
    /// Computes T(Θ) and P of stage i.
    fn tangents(&mut self, i: usize) {
        let (system, n) = (self.system, self.system.dof());
        let (one, step) = (M::Scalar::one(), M::Scalar::from_f64(distance::<M::Scalar>()));
        let half = M::Scalar::from_f64(0.5 / distance::<M::Scalar>());
        let CollocationBuffers { stages, vector, image, other, .. } = &mut *self.work;
        let StagePoint { theta, rate, tangent, bend, .. } = &mut stages[i];
        for column in 0..n {
            vector.fill(M::Scalar::zero());
            vector.set_component(column, one);
            system.space().tangent(theta, vector, image);
            for row in 0..n {
                tangent[row * n + column] = image.component(row);
            }
            vector.assign(theta);
            vector.set_component(column, theta.component(column) + step);
            system.space().tangent(vector, rate, image);
            vector.set_component(column, theta.component(column) - step);
            system.space().tangent(vector, rate, other);
            for row in 0..n {
                bend[row * n + column] = (image.component(row) - other.component(row)) * half;
            }
        }
    }

    /// Adds M D + h C G + h² K T to the rows of stage i.
    fn balance(&mut self, i: usize) {
        let real = M::Scalar::from_f64;
        let (system, h, t) = (self.system, self.h, self.time(i));
        let stages = self.work.stages.len();
        system.mass_matrix(t, &self.work.stages[i].configuration, &mut self.work.matrix);
        for j in 0..stages {
            let CollocationBuffers { coefficients, stages, dense, .. } = &mut *self.work;
            let bends = real(coefficients.entry(i, j));
            for (out, &bend) in dense.iter_mut().zip(&stages[j].bend) {
                *out = bends * bend;
            }
            for (k, stage) in stages.iter().enumerate() {
                let weight = real(coefficients.entry(i, k) * coefficients.entry(k, j));
                for (out, &tangent) in dense.iter_mut().zip(&stage.tangent) {
                    *out += weight * tangent;
                }
            }
            self.add_product(M::Scalar::one(), [i, j]);
        }
        let StagePoint { configuration: q, velocity: v, .. } = &self.work.stages[i];
        system.tangent_damping(t, q, v, &mut self.work.matrix);
        for j in 0..stages {
            let CollocationBuffers { coefficients, stages, dense, .. } = &mut *self.work;
            rates(real(coefficients.entry(i, j)), i == j, &stages[i], dense);
            self.add_product(real(h), [i, j]);
        }
        let StagePoint { configuration: q, velocity: v, acceleration, multipliers, .. } = &self.work.stages[i];
        system.tangent_stiffness(t, q, v, acceleration, multipliers, &mut self.work.matrix);
        let CollocationBuffers { stages, dense, .. } = &mut *self.work;
        dense.copy_from_slice(&stages[i].tangent);
        self.add_product(real(h * h), [i, i]);
    }

    /// Adds `factor` times the current generated matrix times the dense matrix to block (i, j).
    fn add_product(&mut self, factor: M::Scalar, [i, j]: [usize; 2]) {
        let (system, n) = (self.system, self.system.dof());
        let (size, block) = (self.work.unknowns.len(), n + system.constraint_rows());
        let CollocationBuffers { matrix, dense, equations, .. } = &mut *self.work;
        for row in 0..n {
            let start = (i * block + row) * size + j * block;
            let out = &mut equations[start..start + n];
            for (column, by) in dense.chunks_exact(n).enumerate() {
                let entry = system.matrix_entry(matrix, row, column);
                if entry == M::Scalar::zero() {
                    continue;
                }
                for (out, &by) in out.iter_mut().zip(by) {
                    *out += factor * entry * by;
                }
            }
        }
    }

    /// Adds Bᵀ, and B T or B G, of stage i.
    fn reactions(&mut self, i: usize) {
        let (system, n, rows) = (self.system, self.system.dof(), self.system.constraint_rows());
        let (size, block) = (self.work.unknowns.len(), n + rows);
        for row in 0..rows {
            let is_position = self.is_position(row);
            let CollocationBuffers { stages, coefficients, multipliers, image, dense, equations, .. } = &mut *self.work;
            multipliers.fill(M::Scalar::zero());
            multipliers.set_component(row, M::Scalar::one());
            system.jacobian_transpose_times(&stages[i].jacobian, multipliers, image);
            for component in 0..n {
                equations[(i * block + component) * size + i * block + n + row] = image.component(component);
            }
            if system.has_least_norm() {
                // The multiplier of a row without a gradient is zero.
                let (idle, reactions) = (image.lane_norm().le(M::Scalar::zero()), &mut stages[i].multipliers);
                equations[(i * block + n + row) * (size + 1)] =
                    M::Scalar::select(idle, M::Scalar::one(), M::Scalar::zero());
                reactions.set_component(row, M::Scalar::select(idle, M::Scalar::zero(), reactions.component(row)));
            }
            for j in 0..stages.len() {
                if !is_position {
                    rates(M::Scalar::from_f64(coefficients.entry(i, j)), i == j, &stages[i], dense);
                } else if i == j {
                    dense.copy_from_slice(&stages[i].tangent);
                } else {
                    continue;
                }
                let start = (i * block + n + row) * size + j * block;
                let out = &mut equations[start..start + n];
                for (component, by) in dense.chunks_exact(n).enumerate() {
                    let entry = image.component(component);
                    for (out, &by) in out.iter_mut().zip(by) {
                        *out += entry * by;
                    }
                }
            }
        }
    }

    /// Adds h H T of stage i to the rows at velocity level.
    fn rate_gradients(&mut self, i: usize) {
        let (system, n, rows, t) = (self.system, self.system.dof(), self.system.constraint_rows(), self.time(i));
        let (size, block) = (self.work.unknowns.len(), n + rows);
        let first = if self.method.method().level == Level::Positions { system.holonomic_rows() } else { 0 };
        let distance = distance::<M::Scalar>();
        for column in 0..n {
            for sign in [1.0, -1.0] {
                let CollocationBuffers {
                    stages, vector, configuration, jacobian, multipliers, drift, equations, ..
                } = &mut *self.work;
                let StagePoint { theta, velocity, .. } = &stages[i];
                vector.assign(theta);
                vector.set_component(column, theta.component(column) + M::Scalar::from_f64(sign * distance));
                system.space().compose_exp(&self.from.configuration, vector, configuration);
                system.constraint_jacobian(t, configuration, jacobian);
                system.jacobian_times(jacobian, velocity, multipliers);
                system.constraint_drift(t, configuration, drift);
                let weight = M::Scalar::from_f64(sign * 0.5 * self.h / distance);
                for row in first..rows {
                    equations[(i * block + n + row) * size + i * block + column] +=
                        weight * (multipliers.component(row) + drift.component(row));
                }
            }
        }
    }
}

/// G = ω T + P on the diagonal, ω T elsewhere.
fn rates<M: Linearised>(weight: M::Scalar, is_diagonal: bool, stage: &StagePoint<M>, out: &mut [M::Scalar]) {
    for ((out, &tangent), &bend) in out.iter_mut().zip(&stage.tangent).zip(&stage.bend) {
        *out = weight * tangent;
        if is_diagonal {
            *out += bend;
        }
    }
}
