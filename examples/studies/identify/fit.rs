//! The data that fit measurements best, and how well they are known.

use core::fmt;

use harness::study::in_parallel;
use levenberg_marquardt::{LeastSquaresProblem, LevenbergMarquardt, TerminationReason};
use lie_runtime::gradient::Sensitive;
use lie_runtime::system::{Liftable, Parametrised, TangentSystem};
// What the solver takes, which is of another version than the runtime's.
use nalgebra_of_the_solver::{DMatrix, DVector, Dyn, storage::Owned};

use super::device::{Device, Experiment};
use super::unknowns::Unknowns;

/// The search has ended where its next step would better the sum of squares by a smaller part.
const ENOUGH: f64 = 1e-6;

/// The reason for a missing fit.
#[derive(Debug, thiserror::Error)]
pub enum FitError {
    /// The motion of a device could not be computed.
    #[error("{0}")]
    Run(String),
    /// The search did not converge.
    #[error("the search for the data ended with {0:?}; start closer to the data")]
    Search(TerminationReason),
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
    /// How often the motion was computed.
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

/// Finds the data that fit an experiment best; the search starts from the data of `guess`.
///
/// # Errors
/// [`FitError`].
pub fn fit<D: Device>(experiment: &Experiment<D>, guess: &D::System) -> Result<Fit<D>, FitError> {
    let unknowns = Unknowns::named(guess, &D::unknowns()).map_err(told)?;
    let values = DVector::from_vec(unknowns.of(guess.parameters()));
    let moved = moved_to(guess, &unknowns, &values);
    let search = Search { experiment, guess, unknowns, values, moved };
    let (search, report) = LevenbergMarquardt::new().with_ftol(ENOUGH).minimize(search);
    let Search { unknowns, moved, .. } = search;
    let moved = moved?;
    if !report.termination.was_successful() {
        return Err(FitError::Search(report.termination));
    }
    let jacobian = moved.slopes(experiment);
    let of_unknowns = (jacobian.transpose() * &jacobian).try_inverse().ok_or(FitError::Undetermined)?;
    let (names, values) = D::determined(&moved.system.lift()).into_iter().map(|(name, value)| (name, value.re)).unzip();
    let by_unknowns = determined_by::<D>(&moved.system, &unknowns)?;
    Ok(Fit {
        names,
        values,
        covariances: &by_unknowns * of_unknowns * by_unknowns.transpose(),
        left: 2.0 * report.objective_function / (experiment.count() - unknowns.count()) as f64,
        evaluations: report.number_of_evaluations,
        readings: moved.readings().map(|(at, reading)| (moved.motion.trajectory.states[at].time, reading)).collect(),
        system: moved.system,
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
    system: D::System,
    names: &[String],
) -> Result<DMatrix<f64>, FitError> {
    Ok(Moved::<D>::of(system, names)?.slopes(experiment))
}

/// A device and its motion.
struct Moved<D: Device> {
    system: D::System,
    motion: Sensitive<D::System>,
}

impl<D: Device> Moved<D> {
    /// Runs with the derivatives of the motion with respect to the named data.
    fn of(system: D::System, names: &[String]) -> Result<Self, FitError> {
        let run = D::begun(&system).without_declaration_check().step(D::STEP).end_time(D::END);
        let motion = run.with_sensitivities(names).run().map_err(told)?;
        Ok(Moved { system, motion })
    }

    /// The indices of the measured states, and their readings without noise.
    fn readings(&self) -> impl Iterator<Item = (usize, D::Reading)> + '_ {
        let noise = vec![0.0; D::NUMBERS];
        let states = self.motion.trajectory.states.iter().enumerate().step_by(D::EVERY).skip(1);
        states.map(move |(at, state)| (at, D::read(&self.system, state, &noise)))
    }

    fn left(&self, experiment: &Experiment<D>) -> DVector<f64> {
        let readings = self.readings().zip(&experiment.readings);
        let left = readings.flat_map(|((_, computed), (_, measured))| D::left(&computed, measured));
        DVector::from_iterator(experiment.count(), left)
    }

    fn slopes(&self, experiment: &Experiment<D>) -> DMatrix<f64> {
        let mut slopes = DMatrix::zeros(experiment.count(), self.motion.names.len());
        for (number, ((at, computed), (_, measured))) in self.readings().zip(&experiment.readings).enumerate() {
            for (column, variation) in self.motion.variations[at].iter().enumerate() {
                let slope = D::slope(&self.system, [&computed, measured], variation);
                slopes.column_mut(column).rows_mut(number * D::NUMBERS, D::NUMBERS).copy_from_slice(&slope);
            }
        }
        slopes
    }
}

/// The device with these data, and its motion.
fn moved_to<D: Device>(guess: &D::System, unknowns: &Unknowns, values: &DVector<f64>) -> Result<Moved<D>, FitError> {
    let parameters = unknowns.put(guess.parameters(), values.as_slice()).map_err(told)?;
    Moved::of(guess.with_parameters(parameters).map_err(told)?, &D::unknowns())
}

/// A place in the search, with the motion of the device that has these data, or why there is none.
struct Search<'a, D: Device> {
    experiment: &'a Experiment<D>,
    guess: &'a D::System,
    unknowns: Unknowns,
    values: DVector<f64>,
    moved: Result<Moved<D>, FitError>,
}

impl<D: Device> LeastSquaresProblem<f64, Dyn, Dyn> for Search<'_, D> {
    type ResidualStorage = Owned<f64, Dyn>;
    type JacobianStorage = Owned<f64, Dyn, Dyn>;
    type ParameterStorage = Owned<f64, Dyn>;

    fn set_params(&mut self, values: &DVector<f64>) {
        self.values.copy_from(values);
        self.moved = moved_to(self.guess, &self.unknowns, values);
    }

    fn params(&self) -> DVector<f64> {
        self.values.clone()
    }

    fn residuals(&self) -> Option<DVector<f64>> {
        Some(self.moved.as_ref().ok()?.left(self.experiment))
    }

    fn jacobian(&self) -> Option<DMatrix<f64>> {
        Some(self.moved.as_ref().ok()?.slopes(self.experiment))
    }
}

/// The true values of the determined data.
///
/// # Errors
/// [`FitError::Run`].
pub fn truth<D: Device>() -> Result<Vec<f64>, FitError> {
    let system = D::truth().map_err(told)?;
    Ok(D::determined(&system.lift()).iter().map(|(_, value)| value.re).collect())
}

/// How far from the truth an experiment has ended.
pub struct Errors {
    /// The error of each determined value, in its standard deviation.
    pub in_deviations: Vec<f64>,
    /// The same number of independent combinations by the covariance C = L Lᵀ: L⁻¹ times the errors.
    pub independent: Vec<f64>,
}

/// The errors of the results of a number of experiments; their searches start at `begin`.
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
