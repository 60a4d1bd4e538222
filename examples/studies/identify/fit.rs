//! The data that fit measurements best, and how well they are known.

use core::fmt;

use harness::study::in_parallel;
use lie_runtime::analysis;
use lie_runtime::integrator::State;
use lie_runtime::nalgebra::{DMatrix, DVector};
use lie_runtime::system::{Liftable, Parametrised, TangentSystem};

use super::device::{Device, Experiment};
use super::unknowns::Unknowns;

/// The search ends where its next step would better the sum of squares by a smaller part.
const ENOUGH: f64 = 1e-6;

/// The reason for a missing fit.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// The motion of a device, or the fit of its data, could not be computed.
    #[error("{0}")]
    Run(String),
    /// The measurements do not determine the data.
    #[error("the measurements do not determine the unknown data; add measurements, or fix some of the data")]
    Undetermined,
}

/// The error of a run.
pub fn told(error: impl fmt::Display) -> FitError {
    FitError::Run(error.to_string())
}

/// The best fit of the measurements.
pub struct Fit<D: Device> {
    /// The device with the data that were found.
    pub system: D::System,
    /// The names of the numbers that are determined.
    pub names: Vec<String>,
    /// The numbers.
    pub values: Vec<f64>,
    /// Their covariances.
    pub covariances: DMatrix<f64>,
    /// The mean square of the residuals, in standard deviations, per degree of freedom: about 1.
    pub left: f64,
    /// The number of computed motions.
    pub evaluations: usize,
    /// The measured values without noise.
    pub readings: Vec<(f64, D::Reading)>,
}

impl<D: Device> Fit<D> {
    /// The standard deviation of a number.
    pub fn deviation(&self, at: usize) -> f64 {
        self.covariances[(at, at)].sqrt()
    }
}

/// The least-squares fit of these data of a device to an experiment.
fn least_squares<'a, D: Device>(
    experiment: &'a Experiment<D>,
    system: &'a D::System,
    names: &[String],
) -> analysis::Fit<'a, D::System, D::Method> {
    let run = D::begun(system).without_declaration_check().step(D::STEP);
    let times: Vec<f64> = experiment.readings.iter().map(|(time, _)| *time).collect();
    let zeros = vec![0.0; times.len()];
    (0..D::NUMBERS).fold(analysis::Fit::of(run.with_sensitivities(names)).tolerance(ENOUGH), |fit, component| {
        let residual =
            move |system: &_, state: &_, at: usize| D::left(system, state, &experiment.readings[at].1)[component];
        fit.measured_function(format!("reading {component}"), &times, &zeros, &[1.0], residual)
    })
}

/// Finds the data that fit an experiment best; the search starts from the data of `guess`.
///
/// # Errors
/// [`FitError`].
pub fn fit<D: Device>(experiment: &Experiment<D>, guess: &D::System) -> Result<Fit<D>, FitError> {
    let found = least_squares(experiment, guess, &D::unknowns()).solve().map_err(told)?;
    let (names, values) = D::determined(&found.system.lift()).into_iter().map(|(name, value)| (name, value.re)).unzip();
    let unknowns = Unknowns::named(&found.system, &D::unknowns()).map_err(told)?;
    let by_unknowns = determined_by::<D>(&found.system, &unknowns)?;
    let noise = vec![0.0; D::NUMBERS];
    let read = |state: &State<D::System>| (state.time, D::read(&found.system, state, &noise));
    Ok(Fit {
        names,
        values,
        covariances: &by_unknowns * &found.covariance * by_unknowns.transpose(),
        left: found.reduced_chi_squared(),
        evaluations: found.evaluations,
        // The first state is not measured.
        readings: found.trajectory.states.iter().skip(1).map(read).collect(),
        system: found.system,
    })
}

/// The derivatives of the determined data with respect to these values, one column each.
///
/// # Errors
/// [`FitError::Run`].
pub fn determined_by<D: Device>(system: &D::System, unknowns: &Unknowns) -> Result<DMatrix<f64>, FitError> {
    let column = |number| {
        let direction = unknowns.direction(system.parameters(), number).map_err(told)?;
        let determined = D::determined(&system.varied(&direction).map_err(told)?);
        Ok(DVector::from_iterator(determined.len(), determined.iter().map(|(_, value)| value.eps)))
    };
    Ok(DMatrix::from_columns(&(0..unknowns.count()).map(column).collect::<Result<Vec<_>, FitError>>()?))
}

/// The derivatives of everything that is measured, in deviations, by the data of these names, at those that a device has.
///
/// # Errors
/// [`FitError`].
pub fn slopes_at<D: Device>(
    experiment: &Experiment<D>,
    system: &D::System,
    names: &[String],
) -> Result<DMatrix<f64>, FitError> {
    least_squares(experiment, system, names).jacobian().map_err(told)
}

/// The true values of the determined data.
///
/// # Errors
/// [`FitError::Run`].
pub fn truth<D: Device>() -> Result<Vec<f64>, FitError> {
    let system = D::truth().map_err(told)?;
    Ok(D::determined(&system.lift()).iter().map(|(_, value)| value.re).collect())
}

/// The errors of the result of an experiment.
pub struct Errors {
    /// The error of each determined value, in its standard deviation.
    pub in_deviations: Vec<f64>,
    /// The same number of independent combinations by the covariance C = L Lᵀ: L⁻¹ times the errors.
    pub independent: Vec<f64>,
}

/// Returns the errors of a number of experiments. Their searches start at `begin`.
///
/// # Errors
/// [`FitError`] of the first failed experiment.
pub fn errors_of<D: Device>(experiments: usize, begin: &D::System) -> Result<Vec<Errors>, FitError> {
    let truth = DVector::from_vec(truth::<D>()?);
    in_parallel(experiments, |seed| {
        let found = fit::<D>(&Experiment::made(seed as u64)?, begin)?;
        let errors = DVector::from_column_slice(&found.values) - &truth;
        let in_deviations = errors.iter().enumerate().map(|(at, error)| error / found.deviation(at)).collect();
        let root = found.covariances.cholesky().ok_or(FitError::Undetermined)?.l();
        let independent = root.solve_lower_triangular(&errors).ok_or(FitError::Undetermined)?;
        Ok(Errors { in_deviations, independent: independent.iter().copied().collect() })
    })
}
