//! Measurements of the motion, and the data that fit them best.

use core::fmt;

use levenberg_marquardt::{LeastSquaresProblem, LevenbergMarquardt, TerminationReason};
use lie_runtime::ensemble::{Distribution, Samples};
use lie_runtime::gradient::{Sensitive, SensitivityError};
use lie_runtime::prelude::*;
// What the solver takes, which is of another version than the runtime's.
use nalgebra_of_the_solver::{DVector, Dyn, OMatrix, OVector, U6, storage::Owned};

use super::{start, top, truth};

/// How many numbers are to be found.
pub const UNKNOWNS: usize = 6;
/// Their names.
const NAMES: [&str; 4] = ["mass", "radii", "length", "drag"];
/// Steps between two measurements.
const EVERY: usize = 4;
const STEP: f64 = 5e-3;
const END: f64 = 1.0;
/// The deviations of an angle [rad] and of a force [N] that are measured.
const DEVIATIONS: [f64; 2] = [2e-3, 0.2];

/// Why nothing was found out.
#[derive(Debug)]
pub enum FitError {
    /// The motion of a top could not be computed.
    Run(String),
    /// The search has ended nowhere.
    Search(TerminationReason),
    /// The measurements do not determine the data.
    Undetermined,
}

impl fmt::Display for FitError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            FitError::Run(error) => f.write_str(error),
            FitError::Search(reason) => write!(f, "the search for the data of the top has ended with {reason:?}"),
            FitError::Undetermined => f.write_str("the measurements do not determine the data of the top"),
        }
    }
}

impl core::error::Error for FitError {}

/// An attitude and a force at one time.
#[derive(Clone, Debug)]
struct Measurement {
    time: f64,
    attitude: SO3,
    force: Vector3<f64>,
}

/// What was measured.
#[derive(Clone, Debug)]
pub struct Experiment {
    measurements: Vec<Measurement>,
}

impl Experiment {
    /// The motion of the true top in steps of a quarter of those that it is fitted with, and noise: attitudes are turned by small vectors
    /// of the body.
    ///
    /// # Errors
    /// [`FitError::Run`].
    pub fn made(seed: u64) -> Result<Self, FitError> {
        let system = top::System::new(truth()).map_err(told)?;
        let (q0, v0) = start(&truth());
        let run = Simulation::of(&system).starting_at(q0, v0).step(STEP / 4.0).until(END).run().map_err(told)?;
        let states: Vec<_> = run.states.iter().skip(4 * EVERY).step_by(4 * EVERY).collect();
        let normal = Distribution::Normal { mean: 0.0, deviation: 1.0 };
        let noise = Samples::random(6 * states.len(), seed).variable("noise", normal).rows().map_err(told)?;
        let noise: Vec<f64> = noise.into_iter().flatten().collect();
        let [angle, force] = DEVIATIONS;
        let measured = states.iter().zip(noise.chunks_exact(6)).map(|(state, noise)| Measurement {
            time: state.time,
            attitude: state.configuration.attitude * SO3::exp(&(Vector3::from_column_slice(&noise[..3]) * angle)),
            force: state.multipliers + Vector3::from_column_slice(&noise[3..]) * force,
        });
        Ok(Experiment { measurements: measured.collect() })
    }

    /// How many numbers were measured.
    pub fn count(&self) -> usize {
        6 * self.measurements.len()
    }

    /// A component of the forces over time.
    pub fn forces(&self, axis: usize) -> Vec<(f64, f64)> {
        self.measurements.iter().map(|measurement| (measurement.time, measurement.force[axis])).collect()
    }
}

/// What fits the measurements best.
#[derive(Clone, Debug)]
pub struct Fit {
    /// The names of the numbers.
    pub names: Vec<String>,
    /// The numbers.
    pub values: [f64; UNKNOWNS],
    /// Their covariances.
    pub covariances: [[f64; UNKNOWNS]; UNKNOWNS],
    /// The mean square of what is left, in deviations, for each measurement that is not used up by an unknown: about 1.
    pub left: f64,
    /// How often the motion was computed.
    pub evaluations: usize,
    forces: Vec<(f64, Vector3<f64>)>,
}

impl Fit {
    /// The standard deviation of a number.
    pub fn deviation(&self, at: usize) -> f64 {
        self.covariances[at][at].sqrt()
    }

    /// A component of the fitted forces over time.
    pub fn forces(&self, axis: usize) -> Vec<(f64, f64)> {
        self.forces.iter().map(|(time, force)| (*time, force[axis])).collect()
    }
}

/// The guess that a search begins with: everything wrong by a tenth or more.
fn guess() -> OVector<f64, U6> {
    OVector::<f64, U6>::from([1.7, 0.11, 0.07, 0.11, 0.17, 1e-3])
}

/// Finds the data of the top that fit an experiment best.
///
/// # Errors
/// [`FitError`].
pub fn fit(experiment: &Experiment) -> Result<Fit, FitError> {
    let mut search = Search { experiment, values: guess(), motion: None };
    search.move_to();
    let (search, report) = LevenbergMarquardt::new().minimize(search);
    if !report.termination.was_successful() {
        return Err(FitError::Search(report.termination));
    }
    let jacobian = search.jacobian().ok_or(FitError::Undetermined)?;
    let covariances = (jacobian.transpose() * &jacobian).try_inverse().ok_or(FitError::Undetermined)?;
    let motion = search.motion.as_ref().ok_or(FitError::Undetermined)?;
    let free = experiment.count() - UNKNOWNS;
    Ok(Fit {
        names: motion.names.clone(),
        values: search.values.into(),
        covariances: core::array::from_fn(|row| core::array::from_fn(|column| covariances[(row, column)])),
        left: 2.0 * report.objective_function / free as f64,
        evaluations: report.number_of_evaluations,
        forces: motion.trajectory.states.iter().map(|state| (state.time, state.multipliers)).collect(),
    })
}

fn told(error: impl fmt::Display) -> FitError {
    FitError::Run(error.to_string())
}

/// A place in the search, with the motion of the top that has these data; none where there is no such top.
struct Search<'a> {
    experiment: &'a Experiment,
    values: OVector<f64, U6>,
    motion: Option<Sensitive<top::System>>,
}

impl Search<'_> {
    /// Computes the motion and its derivatives.
    fn move_to(&mut self) {
        let [mass, rx, ry, rz, length, drag] = self.values.into();
        let top = top::Top { mass, radii: Vector3::new(rx, ry, rz), length, drag };
        self.motion = moved(top).ok();
    }

    /// What the motion leaves of every measurement, in deviations: the vector that turns the measured attitude into the computed one, and the
    /// difference of the forces.
    fn left<'s>(
        &'s self,
        motion: &'s Sensitive<top::System>,
    ) -> impl Iterator<Item = (usize, Vector3<f64>, Vector3<f64>)> + 's {
        self.experiment.measurements.iter().enumerate().map(|(number, measured)| {
            let at = EVERY * (number + 1);
            let state = &motion.trajectory.states[at];
            let turn = (measured.attitude.inverse() * state.configuration.attitude).log();
            (at, turn, state.multipliers - measured.force)
        })
    }
}

/// The motion of a top, with its derivatives by all of its data. The attitude is held where the position follows from the length.
fn moved(top: top::Top) -> Result<Sensitive<top::System>, Box<SensitivityError<top::System>>> {
    let (q0, v0) = start(&top);
    let system = top::System::new(top).map_err(|error| Box::new(SensitivityError::Model(error)))?;
    let run = Simulation::of(&system).starting_at(q0, v0).holding(["attitude"]).without_declaration_check();
    run.step(STEP).until(END).with_sensitivities(NAMES).run()
}

impl LeastSquaresProblem<f64, Dyn, U6> for Search<'_> {
    type ResidualStorage = Owned<f64, Dyn>;
    type JacobianStorage = Owned<f64, Dyn, U6>;
    type ParameterStorage = Owned<f64, U6>;

    fn set_params(&mut self, values: &OVector<f64, U6>) {
        self.values = *values;
        self.move_to();
    }

    fn params(&self) -> OVector<f64, U6> {
        self.values
    }

    fn residuals(&self) -> Option<DVector<f64>> {
        let motion = self.motion.as_ref()?;
        let [angle, force] = DEVIATIONS;
        let numbers = self.left(motion).flat_map(|(_, turn, rest)| {
            let (turn, rest) = (turn / angle, rest / force);
            [turn.x, turn.y, turn.z, rest.x, rest.y, rest.z]
        });
        Some(DVector::from_iterator(self.experiment.count(), numbers))
    }

    /// The derivative of the log is T⁻¹.
    fn jacobian(&self) -> Option<OMatrix<f64, Dyn, U6>> {
        let motion = self.motion.as_ref()?;
        let [angle, force] = DEVIATIONS;
        let mut jacobian = OMatrix::<f64, Dyn, U6>::zeros(self.experiment.count());
        for (number, (at, turn, _)) in self.left(motion).enumerate() {
            for (column, variation) in motion.variations[at].iter().enumerate() {
                let change = variation.configuration.fixed_rows::<3>(0).into_owned();
                let turned = SO3::tangent_inverse(&turn, &change) / angle;
                let pulled = variation.multipliers / force;
                for axis in 0..3 {
                    jacobian[(6 * number + axis, column)] = turned[axis];
                    jacobian[(6 * number + 3 + axis, column)] = pulled[axis];
                }
            }
        }
        Some(jacobian)
    }
}
