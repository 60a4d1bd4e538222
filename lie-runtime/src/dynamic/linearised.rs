//! The linearisation of a system from text, and the linear systems of implicit methods.

use nalgebra::{DMatrix, DVector, SMatrix, SVector};

use super::DynamicSystem;
use super::configuration::DynamicConfiguration;
use super::dense::{product, times, transpose_times};
use super::model::KernelName;
use super::tape::Arguments;
use crate::group::LocalCoordinates;
use crate::scalar::Scalar;
use crate::solve::{PivotedLu, relaxation};
use crate::space::{EachField, Field, Fields, LocalPoint, Span};
use crate::system::{
    IterationCoefficients, IterationCorrection, IterationPoint, IterationResidual, KktError, Linearised,
    MechanicalSystem,
};

/// A factorised system of an iteration, with the unknowns x, λ̂ and, with stabilisation, η̂ of the holonomic rows (see
/// [`IterationPoint`]). All matrices are kept, so that a step allocates nothing without stabilisation.
#[derive(Clone, Debug)]
pub struct DynamicIteration<S: Scalar> {
    pub(super) lu: PivotedLu<S>,
    /// B₀ of the holonomic rows, with stabilisation.
    pub(super) projection: Option<DMatrix<S>>,
    matrices: CoordinateMatrices<S>,
    /// The right-hand sides and the solution.
    vectors: [Vec<S>; 2],
}

/// The matrices of an iteration, for the change of the coordinates of the step.
#[derive(Clone, Debug)]
struct CoordinateMatrices<S: Scalar> {
    /// M, C and K.
    mass: DMatrix<S>,
    damping: DMatrix<S>,
    stiffness: DMatrix<S>,
    /// B for δv and for δq.
    rates: DMatrix<S>,
    positions: DMatrix<S>,
    /// H.
    gradient: DMatrix<S>,
}

fn segment<S: Scalar, const N: usize>(vector: &DVector<S>, offset: usize) -> SVector<S, N> {
    SVector::from_fn(|row, _| vector[offset + row])
}

/// Multiplies the columns of one element by its block.
fn times_block<S: Scalar, const N: usize>(matrix: &mut DMatrix<S>, offset: usize, block: &SMatrix<S, N, N>) {
    let rows = matrix.nrows();
    let columns = &mut matrix.as_mut_slice()[offset * rows..(offset + N) * rows];
    for row in 0..rows {
        let entries: [S; N] = core::array::from_fn(|k| columns[k * rows + row]);
        for column in 0..N {
            let terms = entries.iter().enumerate();
            columns[column * rows + row] = terms.fold(S::zero(), |sum, (k, &entry)| sum + entry * block[(k, column)]);
        }
    }
}

/// Changes the columns of the matrices to the coordinates of the step: T(θ) for δq of a step on the group; the blocks of the coordinates
/// for δq, δv and δv' of a step in local coordinates.
struct ChangeOfCoordinates<'a, S: Scalar> {
    spans: &'a [Span],
    theta: &'a DVector<S>,
    local: Option<&'a LocalPoint<'a, DVector<S>>>,
    coefficients: &'a IterationCoefficients<S>,
    needs_gradient: bool,
    matrices: &'a mut CoordinateMatrices<S>,
}

impl<S: Scalar, Q: Fields<Scalar = S>> EachField<Q> for ChangeOfCoordinates<'_, S> {
    fn field<const I: usize, const N: usize>(&mut self)
    where
        Q: Field<I, N>,
    {
        if <Q::Group as LocalCoordinates<S, N>>::IS_FLAT {
            return;
        }
        let (span, c) = (&self.spans[I], self.coefficients);
        let CoordinateMatrices { mass, damping, stiffness, rates, positions, gradient } = &mut *self.matrices;
        for offset in (span.offset..span.end()).step_by(N) {
            let position = match self.local {
                None => <Q::Group as LocalCoordinates<S, N>>::tangent_matrix(&segment(self.theta, offset)),
                Some(local) => {
                    // 1/γ', γ' and 1/β'.
                    let (by_rate, rate, by_second) =
                        (c.rate_gradient / c.rate, c.rate / c.rate_gradient, c.stiffness / c.mass);
                    let [x, x_rate, second] =
                        [local.x, local.rate, local.second].map(|vector| segment::<S, N>(vector, offset));
                    let blocks = <Q::Group as LocalCoordinates<S, N>>::local_gradient(local.map, &x, &x_rate, &second);
                    let position = blocks.tangent;
                    let velocity = position + blocks.velocity_by_position * by_rate;
                    let by_motion = blocks.acceleration_by_position + blocks.acceleration_by_rate * rate;
                    times_block(mass, offset, &(position + by_motion * by_second));
                    times_block(damping, offset, &velocity);
                    times_block(rates, offset, &velocity);
                    position
                }
            };
            times_block(stiffness, offset, &position);
            times_block(positions, offset, &position);
            if self.needs_gradient {
                times_block(gradient, offset, &position);
            }
        }
    }
}

impl<S: Scalar> Linearised for DynamicSystem<S> {
    type Matrix = DMatrix<S>;
    type Factorisation = DynamicIteration<S>;

    fn zero_matrix(&self) -> DMatrix<S> {
        DMatrix::from_element(self.dof(), self.dof(), S::zero())
    }
    fn matrix_entry(&self, matrix: &DMatrix<S>, row: usize, column: usize) -> S {
        matrix[(row, column)]
    }
    fn matrix_times(&self, matrix: &DMatrix<S>, x: &DVector<S>, out: &mut DVector<S>) {
        times(matrix, x, out);
    }
    fn matrix_transpose_times(&self, matrix: &DMatrix<S>, x: &DVector<S>, out: &mut DVector<S>) {
        transpose_times(matrix, x, out);
    }
    fn residual(
        &self,
        t: S,
        q: &DynamicConfiguration<S>,
        v: &DVector<S>,
        acceleration: &DVector<S>,
        multipliers: &DVector<S>,
        out: &mut DVector<S>,
    ) {
        self.vector(KernelName::Residual, state(t, q, v, acceleration, multipliers), out);
        self.subtract_friction((t, q, v), out);
    }
    fn mass_matrix(&self, t: S, q: &DynamicConfiguration<S>, out: &mut DMatrix<S>) {
        self.matrix(KernelName::MassMatrix, Arguments::at(t, q), out);
    }
    fn tangent_stiffness(
        &self,
        t: S,
        q: &DynamicConfiguration<S>,
        v: &DVector<S>,
        acceleration: &DVector<S>,
        multipliers: &DVector<S>,
        out: &mut DMatrix<S>,
    ) {
        self.matrix(KernelName::TangentStiffness, state(t, q, v, acceleration, multipliers), out);
    }
    fn tangent_damping(&self, t: S, q: &DynamicConfiguration<S>, v: &DVector<S>, out: &mut DMatrix<S>) {
        self.matrix(KernelName::TangentDamping, Arguments::moving(t, q, v), out);
    }
    fn zero_factorisation(&self) -> DynamicIteration<S> {
        let [mass, damping, stiffness] = core::array::from_fn(|_| self.zero_matrix());
        let [rates, positions, gradient] = core::array::from_fn(|_| self.zero_jacobian());
        DynamicIteration {
            lu: PivotedLu::zeros(self.dof() + self.constraint_rows()),
            projection: None,
            matrices: CoordinateMatrices { mass, damping, stiffness, rates, positions, gradient },
            vectors: [vec![], vec![]],
        }
    }
    fn factorise_iteration(
        &self,
        point: &IterationPoint<'_, Self>,
        coefficients: &IterationCoefficients<S>,
        projection: Option<&DMatrix<S>>,
        out: &mut DynamicIteration<S>,
    ) -> Result<(), KktError> {
        let IterationPoint { t, q, v, acceleration, multipliers, .. } = *point;
        let (c, n) = (coefficients, self.dof());
        let (rows, holonomic) = (self.constraint_rows(), self.holonomic_rows());
        let projected = projection.map(|jacobian| jacobian.rows(0, holonomic).into_owned());
        let extra = projected.as_ref().map_or(0, DMatrix::nrows);
        let size = n + rows + extra;
        if out.lu.size() != size {
            out.lu = PivotedLu::zeros(size);
        }
        let (system, matrices) = (&mut out.lu, &mut out.matrices);
        let at = Arguments::at(t, q);
        self.matrix(KernelName::MassMatrix, at, &mut matrices.mass);
        self.matrix(KernelName::TangentDamping, Arguments::moving(t, q, v), &mut matrices.damping);
        let state = state(t, q, v, acceleration, multipliers);
        self.matrix(KernelName::TangentStiffness, state, &mut matrices.stiffness);
        self.jacobian(KernelName::ConstraintJacobian, at, &mut matrices.rates);
        matrices.positions.copy_from(&matrices.rates);
        // Rows of positions without stabilisation do not need it.
        let needs_gradient = projection.is_some() || holonomic < rows;
        if needs_gradient {
            self.jacobian(KernelName::RateGradient, Arguments::moving(t, q, v), &mut matrices.gradient);
        }
        let entries = system.entries_mut();
        entries.fill(S::zero());
        // The columns of B are the rows of Bᵀ.
        let reactions = point.reactions.unwrap_or(&matrices.rates).as_slice();
        for (row, reactions) in reactions.chunks_exact(rows.max(1)).enumerate() {
            entries[row * size + n..][..rows].copy_from_slice(reactions);
        }
        DynamicConfiguration::<S>::visit(&mut ChangeOfCoordinates {
            spans: &self.data().spans,
            theta: point.theta,
            local: point.local.as_ref(),
            coefficients,
            needs_gradient,
            matrices,
        });
        let CoordinateMatrices { mass, damping, stiffness, rates, positions, gradient } = &*matrices;
        for column in 0..n {
            let own = column * n..(column + 1) * n;
            let [mass, damping, stiffness] = [mass, damping, stiffness].map(|matrix| &matrix.as_slice()[own.clone()]);
            for (row, ((&mass, &damping), &stiffness)) in mass.iter().zip(damping).zip(stiffness).enumerate() {
                entries[row * size + column] = mass * c.mass + damping * c.damping + stiffness * c.stiffness;
            }
            let own = column * rows..(column + 1) * rows;
            let [rates, positions, gradient] =
                [rates, positions, gradient].map(|matrix| &matrix.as_slice()[own.clone()]);
            for row in 0..rows {
                let is_of_position = row < holonomic && extra == 0;
                entries[(n + row) * size + column] =
                    if is_of_position { positions[row] } else { rates[row] * c.rate + gradient[row] * c.rate_gradient };
            }
        }
        if let Some(start) = &projected {
            // ζ = x − B₀ᵀ η̂ moves the configuration.
            let transposed = start.transpose();
            let of_balance = product(stiffness, &transposed);
            let of_rates = product(gradient, &transposed);
            let of_positions = product(positions, &transposed);
            for column in 0..extra {
                for row in 0..n {
                    system[(row, n + rows + column)] = -(of_balance[(row, column)] * c.stiffness);
                }
                for row in 0..rows {
                    system[(n + row, n + rows + column)] = -(of_rates[(row, column)] * c.rate_gradient);
                }
                for row in 0..extra {
                    system[(n + rows + row, n + rows + column)] = -of_positions[(row, column)];
                }
            }
            for row in 0..extra {
                for column in 0..n {
                    system[(n + rows + row, column)] = positions[(row, column)];
                }
            }
        }
        if self.has_least_norm() {
            relax(system, [n, rows, extra]);
        }
        if !S::all_finite(system.entries_mut().iter().copied()) {
            return Err(KktError::NotFinite);
        }
        out.projection = projected;
        out.lu.factorise().map_err(|column| match column.checked_sub(n) {
            None => KktError::NotFinite,
            Some(row) => KktError::SingularConstraints { row: row % rows.max(1) },
        })
    }
    fn solve_iteration(
        &self,
        factorisation: &mut DynamicIteration<S>,
        residual: &IterationResidual<Self>,
        correction: &mut IterationCorrection<Self>,
    ) {
        let (n, rows, holonomic) = (self.dof(), self.constraint_rows(), self.holonomic_rows());
        let extra = factorisation.projection.as_ref().map_or(0, DMatrix::nrows);
        let [right, solution] = &mut factorisation.vectors;
        right.clear();
        right.extend(residual.balance.iter().map(|&entry| -entry));
        right.extend((0..rows).map(|row| {
            let is_of_position = row < holonomic && extra == 0;
            -(if is_of_position { residual.position[row] } else { residual.velocity[row] })
        }));
        right.extend((0..extra).map(|row| -residual.position[row]));
        solution.resize(right.len(), S::zero());
        factorisation.lu.solve(right, solution);
        correction.acceleration.copy_from_slice(&solution[..n]);
        correction.increment.copy_from_slice(&solution[..n]);
        for row in 0..rows {
            correction.multipliers[row] = solution[n + row];
            correction.projection[row] = if row < extra { solution[n + rows + row] } else { S::zero() };
        }
        if let Some(start) = &factorisation.projection {
            for at in 0..n {
                for row in 0..extra {
                    correction.increment[at] -= start[(row, at)] * correction.projection[row];
                }
            }
        }
    }
}

/// Adds −ε D to the blocks of the multipliers and of the projection: D is the diagonal of G A⁻¹ Bᵀ with the diagonal of A, and of the
/// second block itself. The next iteration removes the remaining residual, see [`solve_least_norm`](crate::solve::solve_least_norm).
fn relax<S: Scalar>(system: &mut PivotedLu<S>, [n, rows, extra]: [usize; 3]) {
    let epsilon = S::from_f64(-relaxation::<S>());
    for row in n..n + rows + extra {
        let size = if row < n + rows {
            (0..n).fold(S::zero(), |sum, at| {
                let (product, weight) = ((system[(row, at)] * system[(at, row)]).abs(), system[(at, at)].abs());
                sum + if weight.value() > 0.0 { product / weight } else { product }
            })
        } else {
            system[(row, row)].abs()
        };
        system[(row, row)] += epsilon * if size.value() > 0.0 { size } else { S::one() };
    }
}

/// The arguments of a kernel of the residual.
pub(super) fn state<'a, S: Scalar>(
    t: S,
    q: &'a DynamicConfiguration<S>,
    v: &'a DVector<S>,
    acceleration: &'a DVector<S>,
    multipliers: &'a DVector<S>,
) -> Arguments<'a, S> {
    Arguments { acceleration: Some(acceleration), multipliers: Some(multipliers), ..Arguments::moving(t, q, v) }
}
