//! Vector-Jacobian products of the equations of motion, by reverse-mode differentiation of the tapes.

use lie_compiler::tape::{TapeDatum, TapeParameter, TapeParameterKind};
use nalgebra::{DMatrix, DVector};

use super::DynamicSystem;
use super::configuration::DynamicConfiguration;
use super::linearised::{DynamicIteration, state};
use super::model::KernelName;
use super::tape::{Arguments, Input};
use crate::scalar::Scalar;
use crate::system::{Cotangents, IterationCorrection, IterationResidual, MechanicalSystem, Reverse};

type Out<'o, S> = Cotangents<'o, DVector<S>, S>;

impl<S: Scalar> DynamicSystem<S> {
    /// Adds the derivatives of the sum of all outputs of a kernel with these weights.
    fn pull_back(
        &self,
        kernel: KernelName,
        arguments: Arguments<'_, S>,
        weight: impl Fn(usize) -> S,
        out: &mut Out<'_, S>,
    ) {
        let (kernel, data) = (self.kernel_at(kernel as usize), &self.data[kernel as usize].values);
        let arguments = Arguments { inputs: Some(&self.inputs), ..arguments };
        let bar = kernel.pullback(data, Some(arguments), weight);
        let (of_data, of_inputs) = bar.split_at(data.len());
        self.pull_back_data(&kernel.tape.data, of_data, out.of_parameters);
        let q = arguments.q;
        let mut scalars = vec![S::zero(); q.scalar_count()];
        for (input, &derivative) in kernel.inputs.iter().zip(of_inputs) {
            match *input {
                Input::Configuration(location) => scalars[q.position(location)] += derivative,
                Input::Velocity(at) => out.of_velocity[at] += derivative,
                Input::Driven(at, 0) => out.of_parameters[self.parameter_count() + at] += derivative,
                // Acceleration and multipliers are factors of M and Bᵀ, see `Reverse`.
                Input::Driven(..) | Input::Time | Input::Acceleration(_) | Input::Multiplier(_) => {}
            }
        }
        q.pull_back(&self.data().spans, &scalars, out.of_configuration.as_mut_slice());
    }

    /// Adds the derivatives with respect to the parameters, from the derivatives with respect to the data of a kernel.
    fn pull_back_data(&self, data: &[TapeDatum], of_data: &[S], out: &mut [S]) {
        let prepare = &self.data().kernels.prepare;
        let mut of_hoisted = vec![S::zero(); prepare.output_count()];
        let mut of_values = vec![S::zero(); self.parameters.values.len()];
        let mut add = |data: &[TapeDatum], of_data: &[S], of_hoisted: &mut [S]| {
            for (datum, &derivative) in data.iter().zip(of_data) {
                match *datum {
                    TapeDatum::Parameter(at) => of_values[at as usize] += derivative,
                    TapeDatum::Hoisted(at) => of_hoisted[at as usize] += derivative,
                    TapeDatum::Number(_) => {}
                }
            }
        };
        add(data, of_data, &mut of_hoisted);
        if of_hoisted.iter().any(|derivative| !derivative.is_zero()) {
            let of_data =
                prepare.pullback(&prepare.data(&self.parameters.values, &[]).values, None, |at| of_hoisted[at]);
            add(&prepare.tape.data, &of_data, &mut []);
        }
        let derivatives = self.real_parameters().flat_map(|(first, size)| &of_values[first..first + size]);
        out.iter_mut().zip(derivatives).for_each(|(out, &derivative)| *out += derivative);
    }

    /// The first scalar and the number of scalars of each real parameter.
    fn real_parameters(&self) -> impl Iterator<Item = (usize, usize)> {
        let size = |parameter: &TapeParameter| match parameter.kind {
            TapeParameterKind::Real(shape) => Some((parameter.first, shape.size())),
            _ => None,
        };
        self.data().parameters.iter().filter_map(size)
    }
}

impl<S: Scalar> Reverse for DynamicSystem<S> {
    fn parameter_count(&self) -> usize {
        self.real_parameters().map(|(_, size)| size).sum()
    }
    fn input_count(&self) -> usize {
        self.data().inputs.as_ref().map_or(0, |inputs| inputs.size)
    }
    fn reads_rates_of_inputs(&self) -> bool {
        let is_rate = |input: &Input| matches!(input, Input::Driven(_, 1..));
        self.data().kernels.all.iter().any(|kernel| kernel.inputs.iter().any(is_rate))
    }

    /// The friction of sliding contacts has no reverse pass: the builder returns an error.
    fn residual_pullback(
        &self,
        t: S,
        q: &DynamicConfiguration<S>,
        v: &DVector<S>,
        acceleration: &DVector<S>,
        multipliers: &DVector<S>,
        weights: &DVector<S>,
        out: &mut Out<'_, S>,
    ) {
        let components = &self.data().components;
        let arguments = state(t, q, v, acceleration, multipliers);
        self.pull_back(KernelName::Residual, arguments, |at| weights[components[at]], out);
    }
    fn constraint_pullback(&self, t: S, q: &DynamicConfiguration<S>, weights: &DVector<S>, out: &mut Out<'_, S>) {
        self.pull_back(KernelName::Constraint, Arguments::at(t, q), |row| weights[row], out);
    }
    fn rate_pullback(
        &self,
        t: S,
        q: &DynamicConfiguration<S>,
        v: &DVector<S>,
        weights: &DVector<S>,
        out: &mut Out<'_, S>,
    ) {
        let (entries, rows) = (&self.data().jacobian_entries, self.constraint_rows().max(1));
        // `DMatrix` stores columns.
        let of_entry = |at: usize| weights[entries[at] % rows] * v[entries[at] / rows];
        self.pull_back(KernelName::ConstraintJacobian, Arguments::at(t, q), of_entry, out);
        self.pull_back(KernelName::ConstraintDrift, Arguments::at(t, q), |row| weights[row], out);
        let mut jacobian = self.zero_jacobian();
        self.constraint_jacobian(t, q, &mut jacobian);
        out.of_velocity.gemv_tr(S::one(), &jacobian, weights, S::one());
    }
    fn curvature_pullback(
        &self,
        t: S,
        q: &DynamicConfiguration<S>,
        v: &DVector<S>,
        weights: &DVector<S>,
        out: &mut Out<'_, S>,
    ) {
        self.pull_back(KernelName::ConstraintCurvature, Arguments::moving(t, q, v), |row| weights[row], out);
    }
    /// Transposes `solve_iteration` line by line, last line first.
    fn solve_iteration_transposed(
        &self,
        factorisation: &mut DynamicIteration<S>,
        correction: &IterationCorrection<Self>,
        residual: &mut IterationResidual<Self>,
    ) {
        let (n, rows, holonomic) = (self.dof(), self.constraint_rows(), self.holonomic_rows());
        let start = factorisation.projection.as_ref();
        let extra = start.map_or(0, DMatrix::nrows);
        let mut right: Vec<S> = Vec::with_capacity(n + rows + extra);
        right.extend((0..n).map(|at| correction.acceleration[at] + correction.increment[at]));
        right.extend(correction.multipliers.iter());
        if let Some(start) = start {
            right.extend((0..extra).map(|row| {
                let moved = (0..n).fold(S::zero(), |sum, at| sum + start[(row, at)] * correction.increment[at]);
                correction.projection[row] - moved
            }));
        }
        let mut unknowns = vec![S::zero(); right.len()];
        factorisation.lu.solve_transposed(right, &mut unknowns);
        residual.balance.copy_from_slice(&unknowns[..n]);
        residual.balance.neg_mut();
        for row in 0..rows {
            let is_of_position = row < holonomic && extra == 0;
            let own = -unknowns[n + row];
            let of_projection = if row < extra { -unknowns[n + rows + row] } else { S::zero() };
            residual.position[row] = if is_of_position { own } else { of_projection };
            residual.velocity[row] = if is_of_position { S::zero() } else { own };
        }
    }
}
