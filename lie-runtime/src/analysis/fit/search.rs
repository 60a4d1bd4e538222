//! The search for the least sum of squares, and the statistics of the result.

use core::cell::Cell;

use levenberg_marquardt::{LeastSquaresProblem, LevenbergMarquardt, TerminationReason};
use nalgebra::{DMatrix, DVector};
// The solver uses another version of nalgebra than this crate.
use nalgebra_of_the_solver::storage::Owned;
use nalgebra_of_the_solver::{DMatrix as SolverMatrix, DVector as SolverVector, Dyn};

use super::error::FitError;
use super::estimates::{Estimate, Estimates};
use super::measurement::{Instant, Measurement, NoObserver, Predictor, lifted};
use super::student;
use crate::gradient::{Sensitivities, StateColumn, Variable};
use crate::group::TangentVector;
use crate::integrator::{Integrator, State};
use crate::simulate::{Columns, Trajectory};
use crate::space::ConfigurationSpace;
use crate::system::{ParameterSet, Report, TangentSystem, scalar_coordinates};

/// A relative singular value of the scaled Jacobian below this limit belongs to an undetermined combination.
const UNDETERMINED: f64 = 1e-8;
/// A part of a combination below this limit is round-off.
const NEGLIGIBLE: f64 = 1e-6;
/// The factor of the residuals in place of a motion that cannot be computed.
const REJECTED: f64 = 1e3;

type Failed<M> = Box<FitError<M>>;

/// The motion for values of the unknowns, with its residuals.
struct FitEvaluation<M: TangentSystem> {
    unknowns: Vec<f64>,
    system: M,
    trajectory: Trajectory<M>,
    /// (predicted − measured) / σ of all measurements.
    residuals: DVector<f64>,
    jacobian: DMatrix<f64>,
}

impl<M: TangentSystem> FitEvaluation<M> {
    /// The initial state, which is consistent with the constraints.
    fn initial(&self) -> &State<M> {
        &self.trajectory.states[0]
    }
}

pub(super) struct FitSearch<'a, M: TangentSystem, I> {
    run: Sensitivities<'a, M, I, NoObserver<M>>,
    measurements: Vec<Measurement<'a, M>>,
    names: Vec<String>,
    variables: Vec<Variable>,
    /// The evaluation that displacements of the configuration start from: the last one with a requested Jacobian.
    base: FitEvaluation<M>,
    /// The last evaluation, if it differs from the base.
    trial: Option<FitEvaluation<M>>,
    /// The error of the last evaluation.
    failure: Option<Failed<M>>,
    /// True if the Jacobian of the last evaluation was requested: the search has accepted it.
    is_accepted: Cell<bool>,
    values: SolverVector<f64>,
    evaluations: usize,
}

impl<'a, M, I> FitSearch<'a, M, I>
where
    M: TangentSystem + Report,
    I: Integrator<M::Lifted> + Clone,
{
    /// Checks the measurements and computes the motion of the guess.
    pub fn new(
        mut run: Sensitivities<'a, M, I, NoObserver<M>>,
        mut measurements: Vec<Measurement<'a, M>>,
    ) -> Result<Self, Failed<M>> {
        let start = run.initial().time;
        for measurement in &measurements {
            let invalid = |fault| FitError::Measurement { name: measurement.name.clone(), fault };
            measurement.check(start).map_err(invalid)?;
        }
        let (names, variables): (Vec<_>, Vec<_>) =
            run.variables().map_err(|error| FitError::Run(Box::new(error)))?.into_iter().unzip();
        let count = measurements.iter().map(|measurement| measurement.values.len()).sum::<usize>();
        if count < variables.len() || count == 0 {
            return Err(Box::new(FitError::TooFew { values: count, unknowns: variables.len() }));
        }
        let mut times: Vec<f64> = measurements.iter().flat_map(|measurement| &measurement.times).copied().collect();
        times.push(start);
        times.sort_by(f64::total_cmp);
        times.dedup();
        run.record_at(times);
        let (system, initial) = (run.system(), run.initial().clone());
        let system = system.with_parameters(system.parameters().clone()).map_err(FitError::Model)?;
        let unknowns = variables.iter().map(|variable| initial_value(&system, &initial, variable)).collect();
        let base = evaluate(&mut run, &mut measurements, &variables, unknowns, system, initial)?;
        let values = SolverVector::from_column_slice(&base.unknowns);
        let (trial, failure, is_accepted) = (None, None, Cell::new(false));
        Ok(FitSearch { run, measurements, names, variables, base, trial, failure, is_accepted, values, evaluations: 1 })
    }

    /// The Jacobian of the weighted residuals at the guess.
    pub fn into_jacobian(self) -> DMatrix<f64> {
        self.base.jacobian
    }

    /// Runs the search and returns the estimates.
    pub fn solve(self, (confidence, is_noise_known): (f64, bool), tolerance: f64) -> Result<Estimates<M>, Failed<M>> {
        let solver = LevenbergMarquardt::new().with_ftol(tolerance).with_xtol(tolerance).with_gtol(tolerance);
        let (search, report) = solver.minimize(self);
        let is_found = report.termination.was_successful()
            // The tolerances are below the round-off of this problem.
            || matches!(report.termination, TerminationReason::NoImprovementPossible(_));
        let FitSearch { measurements, names, variables, base, trial, failure, evaluations, .. } = search;
        // The search ends with the values of the smallest χ², and has evaluated them.
        let found = trial.unwrap_or(base);
        if let (Some(failure), true) = (failure, is_found) {
            return Err(failure);
        }
        let chi_squared = found.residuals.norm_squared();
        if !is_found {
            let unknowns = names.into_iter().zip(found.unknowns).collect();
            let reason = format!("{:?}", report.termination);
            return Err(Box::new(FitError::NotConverged { evaluations, chi_squared, reason, unknowns }));
        }
        let count = found.residuals.len() - variables.len();
        let mut covariance = covariance(&found.jacobian, &names)?;
        let mut quantile = student::quantile(confidence, None);
        if !is_noise_known {
            if count == 0 {
                return Err(Box::new(FitError::TooFew { values: variables.len(), unknowns: variables.len() }));
            }
            covariance *= chi_squared / count as f64;
            quantile = student::quantile(confidence, Some(count));
        }
        let estimate = |(at, (name, variable)): (usize, (String, &Variable))| {
            let (value, standard_error) = (reported_value(&found, variable, at), covariance[(at, at)].sqrt());
            let interval = [value - quantile * standard_error, value + quantile * standard_error];
            Estimate { name, value, standard_error, interval }
        };
        let estimates = names.into_iter().zip(&variables).enumerate().map(estimate).collect();
        let mut rest = found.residuals.as_slice();
        let residuals = measurements.into_iter().map(|measurement| {
            let (own, others) = rest.split_at(measurement.values.len());
            rest = others;
            (measurement.name, own.iter().map(|residual| -residual).collect())
        });
        Ok(Estimates {
            estimates,
            residuals: residuals.collect(),
            covariance,
            confidence,
            chi_squared,
            degrees_of_freedom: count,
            evaluations,
            system: found.system,
            trajectory: found.trajectory,
        })
    }

    /// Computes the motion for these values of the unknowns.
    fn evaluate_at(&mut self, values: &[f64]) -> Result<FitEvaluation<M>, Failed<M>> {
        let (base, variables) = (&self.base, &self.variables);
        let mut parameters = self.run.system().parameters().clone();
        let mut initial = self.run.initial().clone();
        initial.configuration.clone_from(&base.initial().configuration);
        initial.velocity = base.initial().velocity.clone();
        let mut displacement = base.system.zero_velocity();
        for (at, variable) in variables.iter().enumerate() {
            match variable {
                Variable::Parameter { name, component } => {
                    let mut numbers = parameters.get(name).map(|value| value.numbers()).unwrap_or_default();
                    numbers[*component] = values[at];
                    parameters.set(name, &numbers).map_err(FitError::Model)?;
                }
                Variable::Configuration(component) => {
                    displacement.set_component(*component, values[at] - base.unknowns[at]);
                }
                Variable::Velocity(component) => {
                    let before = initial.velocity.component(*component);
                    initial.velocity.set_component(*component, before + values[at] - base.unknowns[at]);
                }
            }
        }
        let from = initial.configuration.clone();
        base.system.space().compose_exp(&from, &displacement, &mut initial.configuration);
        let system = base.system.with_parameters(parameters).map_err(FitError::Model)?;
        evaluate(&mut self.run, &mut self.measurements, &self.variables, values.to_vec(), system, initial)
    }
}

/// The first value of an unknown: displacements of the configuration start at its coordinate, or at zero.
fn initial_value<M: TangentSystem + Report>(system: &M, initial: &State<M>, variable: &Variable) -> f64 {
    match variable {
        Variable::Parameter { name, component } => {
            let value = system.parameters().get(name);
            value.and_then(|value| value.numbers().get(*component).copied()).unwrap_or(f64::NAN)
        }
        Variable::Configuration(component) => {
            scalar_coordinates(system, &initial.configuration)[*component].unwrap_or(0.0)
        }
        Variable::Velocity(component) => initial.velocity.component(*component),
    }
}

/// The estimate of an unknown: the projection onto the constraints may have changed initial values.
fn reported_value<M: TangentSystem + Report>(found: &FitEvaluation<M>, variable: &Variable, at: usize) -> f64 {
    match variable {
        Variable::Configuration(component) => {
            let coordinates = scalar_coordinates(&found.system, &found.initial().configuration);
            coordinates[*component].unwrap_or(found.unknowns[at])
        }
        Variable::Velocity(component) => found.initial().velocity.component(*component),
        Variable::Parameter { .. } => found.unknowns[at],
    }
}

/// Runs a system from an initial state and compares it with the measurements.
fn evaluate<M, I>(
    run: &mut Sensitivities<'_, M, I, NoObserver<M>>,
    measurements: &mut [Measurement<'_, M>],
    variables: &[Variable],
    unknowns: Vec<f64>,
    system: M,
    initial: State<M>,
) -> Result<FitEvaluation<M>, Failed<M>>
where
    M: TangentSystem + Report,
    I: Integrator<M::Lifted> + Clone,
{
    let motion = run.run_from(&system, initial).map_err(FitError::Run)?;
    let trajectory = motion.trajectory;
    for measurement in &mut *measurements {
        if measurement.predictor.is_none() {
            let columns = Columns::of(&trajectory, &system).map_err(FitError::Column)?;
            let column = StateColumn::of(&columns, &measurement.name).map_err(FitError::Column)?;
            measurement.predictor = Some(Predictor::Column(column));
        }
    }
    let is_function = |measurement: &Measurement<'_, M>| matches!(measurement.predictor, Some(Predictor::Function(_)));
    let functions = if measurements.iter().any(is_function) { variables } else { &[] };
    let all_lifted: Result<Vec<M::Lifted>, _> = functions.iter().map(|variable| lifted(&system, variable)).collect();
    let all_lifted = all_lifted.map_err(FitError::Model)?;
    let count = measurements.iter().map(|measurement| measurement.values.len()).sum();
    let (mut residuals, mut jacobian) = (DVector::zeros(count), DMatrix::zeros(count, variables.len()));
    let mut row = 0;
    for measurement in measurements.iter() {
        let Some(predictor) = &measurement.predictor else { continue };
        for (index, (&time, &value)) in measurement.times.iter().zip(&measurement.values).enumerate() {
            let state = trajectory.states.partition_point(|state| state.time < time);
            if trajectory.states.get(state).is_none_or(|state| state.time != time) {
                return Err(Box::new(FitError::Ended { time }));
            }
            let variations = &motion.variations[state];
            let (predicted, slopes) = trajectory.with_system_at(&system, state, |own, state| {
                let lifted = if core::ptr::eq(own, &raw const system) { &*all_lifted } else { &[] };
                Instant { system: own, state, unknowns: variables, lifted, variations }.predicted(predictor, index)
            });
            let deviation = measurement.deviations[index];
            residuals[row] = (predicted - value) / deviation;
            for (column, slope) in slopes.iter().enumerate() {
                jacobian[(row, column)] = slope / deviation;
            }
            if !(residuals[row].is_finite() && slopes.iter().all(|slope| slope.is_finite())) {
                return Err(Box::new(FitError::NotFinite { name: measurement.name.clone(), time }));
            }
            row += 1;
        }
    }
    Ok(FitEvaluation { unknowns, system, trajectory, residuals, jacobian })
}

/// Returns (Jᵀ J)⁻¹ from the singular values of J with columns of length one.
fn covariance<M: TangentSystem>(jacobian: &DMatrix<f64>, names: &[String]) -> Result<DMatrix<f64>, Failed<M>> {
    let lengths: Vec<f64> = jacobian.column_iter().map(|column| column.norm()).collect();
    let mut scaled = jacobian.clone();
    for (mut column, length) in scaled.column_iter_mut().zip(&lengths) {
        if *length > 0.0 {
            column /= *length;
        }
    }
    let count = names.len();
    // The triangular factor has the same singular values and vectors.
    let triangle = if scaled.nrows() > count { scaled.qr().r() } else { scaled };
    let svd = triangle.svd(false, true);
    let largest = svd.singular_values.max();
    let Some(rows) = &svd.v_t else { return Ok(DMatrix::zeros(count, count)) };
    let is_undetermined = |at: usize| svd.singular_values[at] <= UNDETERMINED * largest;
    let combinations: Vec<Vec<(String, f64)>> = (0..count)
        .filter(|&at| is_undetermined(at))
        .map(|at| {
            let changes: Vec<f64> = rows.row(at).iter().copied().collect();
            combination(&changes, &lengths, names)
        })
        .collect();
    if !combinations.is_empty() {
        return Err(Box::new(FitError::Undetermined { combinations }));
    }
    let mut factor = rows.transpose();
    for (mut column, value) in factor.column_iter_mut().zip(svd.singular_values.iter()) {
        column /= *value;
    }
    for (mut row, length) in factor.row_iter_mut().zip(&lengths) {
        row /= *length;
    }
    Ok(&factor * factor.transpose())
}

/// The changes of the unknowns along a combination, from its part in each scaled unknown. The largest change is 1.
fn combination(parts: &[f64], lengths: &[f64], names: &[String]) -> Vec<(String, f64)> {
    // An unknown without any effect has no scale.
    let change = |at: usize| if lengths[at] > 0.0 { parts[at] / lengths[at] } else { parts[at] };
    let largest_part = parts.iter().fold(0.0_f64, |largest, part| largest.max(part.abs()));
    let found: Vec<usize> = (0..parts.len()).filter(|&at| parts[at].abs() > NEGLIGIBLE * largest_part).collect();
    let largest = found.iter().map(|&at| change(at)).max_by(|one, other| one.abs().total_cmp(&other.abs()));
    let largest = largest.unwrap_or(1.0);
    found.into_iter().map(|at| (names[at].clone(), change(at) / largest)).collect()
}

impl<M, I> LeastSquaresProblem<f64, Dyn, Dyn> for FitSearch<'_, M, I>
where
    M: TangentSystem + Report,
    I: Integrator<M::Lifted> + Clone,
{
    type ResidualStorage = Owned<f64, Dyn>;
    type JacobianStorage = Owned<f64, Dyn, Dyn>;
    type ParameterStorage = Owned<f64, Dyn>;

    fn set_params(&mut self, values: &SolverVector<f64>) {
        if self.is_accepted.replace(false)
            && let Some(trial) = self.trial.take()
        {
            self.base = trial;
        }
        self.values.copy_from(values);
        (self.trial, self.failure) = (None, None);
        if values.as_slice() != self.base.unknowns {
            self.evaluations += 1;
            match self.evaluate_at(values.as_slice()) {
                Ok(trial) => self.trial = Some(trial),
                Err(error) => self.failure = Some(error),
            }
        }
    }

    fn params(&self) -> SolverVector<f64> {
        self.values.clone()
    }

    fn residuals(&self) -> Option<SolverVector<f64>> {
        if self.failure.is_some() {
            // The search rejects the step and makes a shorter one.
            return Some(
                SolverVector::from_column_slice((&self.base.residuals * REJECTED).as_slice()).map(|x| x.abs() + 1.0),
            );
        }
        let here = self.trial.as_ref().unwrap_or(&self.base);
        Some(SolverVector::from_column_slice(here.residuals.as_slice()))
    }

    fn jacobian(&self) -> Option<SolverMatrix<f64>> {
        self.is_accepted.set(true);
        let jacobian = &self.trial.as_ref().unwrap_or(&self.base).jacobian;
        Some(SolverMatrix::from_column_slice(jacobian.nrows(), jacobian.ncols(), jacobian.as_slice()))
    }
}
