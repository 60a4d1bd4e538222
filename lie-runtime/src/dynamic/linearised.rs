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
/// [`IterationPoint`]).
#[derive(Clone, Debug)]
pub struct DynamicIteration<S: Scalar> {
    pub(super) lu: PivotedLu<S>,
    /// B₀ of the holonomic rows, with stabilisation.
    pub(super) projection: Option<DMatrix<S>>,
}

/// The blocks of the coordinates of a step: of δq, and of δv and δv' in local coordinates (I otherwise).
struct CoordinateBlocks<S: Scalar> {
    position: DMatrix<S>,
    local: Option<[DMatrix<S>; 2]>,
}

impl<S: Scalar> CoordinateBlocks<S> {
    /// T, I and I for a step on the group; the blocks of the coordinates for a step in local coordinates.
    fn new(
        system: &DynamicSystem<S>,
        point: &IterationPoint<'_, DynamicSystem<S>>,
        coefficients: &IterationCoefficients<S>,
    ) -> Self {
        let identity =
            || DMatrix::from_fn(system.dof(), system.dof(), |row, column| S::from_f64(f64::from(row == column)));
        let mut position = identity();
        let spans = &system.data().spans;
        let local = match &point.local {
            None => {
                DynamicConfiguration::<S>::visit(&mut Tangents { spans, theta: point.theta, out: &mut position });
                None
            }
            Some(local) => {
                let [mut velocity, mut acceleration] = [identity(), identity()];
                let out = [&mut position, &mut velocity, &mut acceleration];
                DynamicConfiguration::<S>::visit(&mut LocalCoordinateBlocks { spans, local, coefficients, out });
                Some([velocity, acceleration])
            }
        };
        CoordinateBlocks { position, local }
    }

    /// The columns of M, C and B in the coordinates of the step.
    fn apply(&self, [mass, damping, rates]: [DMatrix<S>; 3]) -> [DMatrix<S>; 3] {
        match &self.local {
            None => [mass, damping, rates],
            Some([velocity, acceleration]) => {
                [product(&mass, acceleration), product(&damping, velocity), product(&rates, velocity)]
            }
        }
    }
}

fn segment<S: Scalar, const N: usize>(vector: &DVector<S>, offset: usize) -> SVector<S, N> {
    SVector::from_fn(|row, _| vector[offset + row])
}

fn set_block<S: Scalar, const N: usize>(out: &mut DMatrix<S>, offset: usize, block: &SMatrix<S, N, N>) {
    for row in 0..N {
        for column in 0..N {
            out[(offset + row, offset + column)] = block[(row, column)];
        }
    }
}

/// Writes T(θ).
struct Tangents<'a, S: Scalar> {
    spans: &'a [Span],
    theta: &'a DVector<S>,
    out: &'a mut DMatrix<S>,
}

impl<S: Scalar, Q: Fields<Scalar = S>> EachField<Q> for Tangents<'_, S> {
    fn field<const I: usize, const N: usize>(&mut self)
    where
        Q: Field<I, N>,
    {
        let span = &self.spans[I];
        for offset in (span.offset..span.end()).step_by(N) {
            let theta = segment::<S, N>(self.theta, offset);
            let block = <Q::Group as LocalCoordinates<S, N>>::tangent_matrix(&theta);
            set_block(self.out, offset, &block);
        }
    }
}

/// Writes the blocks of local coordinates.
struct LocalCoordinateBlocks<'a, S: Scalar> {
    spans: &'a [Span],
    local: &'a LocalPoint<'a, DVector<S>>,
    coefficients: &'a IterationCoefficients<S>,
    /// The blocks of δq, δv and δv'.
    out: [&'a mut DMatrix<S>; 3],
}

impl<S: Scalar, Q: Fields<Scalar = S>> EachField<Q> for LocalCoordinateBlocks<'_, S> {
    fn field<const I: usize, const N: usize>(&mut self)
    where
        Q: Field<I, N>,
    {
        let (span, c) = (&self.spans[I], self.coefficients);
        // 1/γ', γ' and 1/β'.
        let (by_rate, rate, by_second) = (c.rate_gradient / c.rate, c.rate / c.rate_gradient, c.stiffness / c.mass);
        for offset in (span.offset..span.end()).step_by(N) {
            let at = [self.local.x, self.local.rate, self.local.second].map(|vector| segment::<S, N>(vector, offset));
            let gradient = <Q::Group as LocalCoordinates<S, N>>::local_gradient(self.local.map, &at[0], &at[1], &at[2]);
            let position = gradient.tangent;
            let velocity = position + gradient.velocity_by_position * by_rate;
            let acceleration =
                position + (gradient.acceleration_by_position + gradient.acceleration_by_rate * rate) * by_second;
            for (out, block) in self.out.iter_mut().zip([position, velocity, acceleration]) {
                set_block(out, offset, &block);
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
        DynamicIteration { lu: PivotedLu::zeros(0), projection: None }
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
        let blocks = CoordinateBlocks::new(self, point, coefficients);
        let square = |kernel, arguments| {
            let mut matrix = self.zero_matrix();
            self.matrix(kernel, arguments, &mut matrix);
            matrix
        };
        let at = Arguments::at(t, q);
        let mass = square(KernelName::MassMatrix, at);
        let damping = square(KernelName::TangentDamping, Arguments::moving(t, q, v));
        let stiffness = square(KernelName::TangentStiffness, state(t, q, v, acceleration, multipliers));
        let stiffness = product(&stiffness, &blocks.position);
        let mut jacobian = self.zero_jacobian();
        self.jacobian(KernelName::ConstraintJacobian, at, &mut jacobian);
        let positions = product(&jacobian, &blocks.position);
        let mut gradient = self.zero_jacobian();
        // Rows of positions without stabilisation do not need it.
        if projection.is_some() || holonomic < rows {
            self.jacobian(KernelName::RateGradient, Arguments::moving(t, q, v), &mut gradient);
            gradient = product(&gradient, &blocks.position);
        }
        let reactions = point.reactions.unwrap_or(&jacobian).clone();
        let [mass, damping, rates] = blocks.apply([mass, damping, jacobian]);
        let projected = projection.map(|jacobian| jacobian.rows(0, holonomic).into_owned());
        let extra = projected.as_ref().map_or(0, DMatrix::nrows);
        let size = n + rows + extra;
        if out.lu.size() != size {
            out.lu = PivotedLu::zeros(size);
        }
        let system = &mut out.lu;
        system.entries_mut().fill(S::zero());
        let of_rows = [&rates, &gradient, &positions].map(DMatrix::as_slice);
        let of_motion = [&mass, &damping, &stiffness].map(DMatrix::as_slice);
        for row in 0..n {
            for column in 0..n {
                let [mass, damping, stiffness] = of_motion.map(|entries| entries[column * n + row]);
                system[(row, column)] = mass * c.mass + damping * c.damping + stiffness * c.stiffness;
            }
            for column in 0..rows {
                system[(row, n + column)] = reactions[(column, row)];
            }
        }
        for row in 0..rows {
            let is_of_position = row < holonomic && extra == 0;
            for column in 0..n {
                let [rate, gradient, position] = of_rows.map(|entries| entries[column * rows + row]);
                let rate = rate * c.rate + gradient * c.rate_gradient;
                system[(n + row, column)] = if is_of_position { position } else { rate };
            }
        }
        if let Some(start) = &projected {
            // ζ = x − B₀ᵀ η̂ moves the configuration.
            let transposed = start.transpose();
            let of_balance = product(&stiffness, &transposed);
            let of_rates = product(&gradient, &transposed);
            let of_positions = product(&positions, &transposed);
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
        let mut right: Vec<S> = Vec::with_capacity(n + rows + extra);
        right.extend(residual.balance.iter().map(|&entry| -entry));
        right.extend((0..rows).map(|row| {
            let is_of_position = row < holonomic && extra == 0;
            -(if is_of_position { residual.position[row] } else { residual.velocity[row] })
        }));
        right.extend((0..extra).map(|row| -residual.position[row]));
        let mut solution = vec![S::zero(); right.len()];
        factorisation.lu.solve(&right, &mut solution);
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
