//! Least-squares fits of parameters and initial values to measurements.

mod error;
mod estimates;
mod measurement;
mod search;
mod student;

pub use error::FitError;
pub use estimates::{Estimate, Estimates};
pub use measurement::MeasurementFault;
use nalgebra::DMatrix;

use crate::gradient::Sensitivities;
use crate::integrator::{Integrator, State};
use crate::scalar::Dual;
use crate::system::{Report, TangentSystem};
use measurement::{Measurement, NoObserver, Predictor};
use search::FitSearch;

/// The default confidence of the intervals.
const CONFIDENCE: f64 = 0.95;
/// The default tolerance of the search.
const TOLERANCE: f64 = 1e-10;

/// A weighted least-squares fit of parameters and initial values to measurements of a motion, with confidence intervals.
///
/// The fit minimises χ² = Σ ((y − y(t; p)) / σ)² over the unknowns p: the variables of
/// [`with_sensitivities`](crate::simulate::Simulation::with_sensitivities). The search is the Levenberg-Marquardt method of MINPACK in the
/// implementation of the crate `levenberg-marquardt`. Its Jacobian J = ∂y/∂p follows from the exact forward
/// [sensitivities](crate::gradient) of the run, including its events. The covariance of the estimates is (Jᵀ W J)⁻¹ with W = diag(1/σ²).
///
/// For example, the stiffness, the damping and the initial deflection of an oscillator from ten measured positions:
///
/// ```
/// use lie_runtime::analysis::Fit;
/// use lie_runtime::prelude::*;
///
/// #[mechanical_system]
/// pub mod oscillator {
///     #[configuration]
///     pub struct Position { pub x: f64 }
///     #[parameters]
///     pub struct Spring { pub stiffness: f64, pub damping: f64 }
///     #[kinetic_energy]
///     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
///     #[potential]
///     fn elastic(spring: &Spring, q: &Position) -> f64 { 0.5 * spring.stiffness * q.x * q.x }
///     #[dissipation]
///     fn damper(spring: &Spring, v: &Velocity) -> f64 { 0.5 * spring.damping * v.x * v.x }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let times = [0.5, 1.0, 1.5, 2.0, 2.5, 3.0, 3.5, 4.0, 4.5, 5.0];
/// let positions = [0.500, -0.294, -0.766, -0.507, 0.160, 0.628, 0.512, -0.051, -0.508, -0.473];
///
/// let guess = oscillator::System::new(oscillator::Spring { stiffness: 3.0, damping: 0.1 })?;
/// let run = Simulation::of(&guess).at_rest(oscillator::Position { x: 0.8 }).step(0.05);
/// let found = Fit::of(run.with_sensitivities(["stiffness", "damping", "q.x"]))
///     .measured("x", &times, &positions, &[0.005])
///     .solve()?;
///
/// println!("{found}"); // A table of estimates, standard errors and intervals.
/// let stiffness = found.get("stiffness").unwrap();
/// assert!(stiffness.interval[0] < 4.0 && 4.0 < stiffness.interval[1]);
/// assert!(found.reduced_chi_squared() < 2.0);
/// # Ok(())
/// # }
/// ```
///
/// # Confidence intervals
///
/// By default, the standard deviations are known. An interval is the estimate ± z times its standard error, with the quantile z of the
/// normal distribution (1.96 for 95 %). With [`noise_from_residuals`](Self::noise_from_residuals) the standard deviations are relative
/// weights. The standard errors are then multiplied by √(χ²/ν), with the degrees of freedom ν, and the quantile is the quantile of
/// Student's t distribution. The intervals are exact for linear models with normal noise, and approximate otherwise (G. A. F. Seber, C. J. Wild, Nonlinear Regression,
/// Wiley, 1989, section 2.1).
///
/// Unknowns that the measurements do not determine cause [`FitError::Undetermined`], with the combinations of unknowns that have no effect.
///
/// # Unknowns
///
/// A parameter has no bounds during the search. A step to parameters without a valid motion is shortened. Declare the logarithm of a
/// parameter that must be positive if the search leaves its range.
#[doc(alias("parameter identification", "parameter estimation", "curve_fit", "nonlinear regression", "calibration"))]
pub struct Fit<'a, M: TangentSystem, I> {
    run: Sensitivities<'a, M, I, NoObserver<M>>,
    measurements: Vec<Measurement<'a, M>>,
    confidence: f64,
    is_noise_known: bool,
    tolerance: f64,
}

impl<'a, M: TangentSystem + Report, I: Integrator<M::Lifted> + Clone> Fit<'a, M, I> {
    /// Creates a fit of the variables of this run. Their initial guess is in the system and in the initial values of the run.
    ///
    /// The run sets the method, the steps and the events. The fit sets its output times, and its end time unless the run ends later.
    pub fn of(run: Sensitivities<'a, M, I, NoObserver<M>>) -> Self {
        Fit { run, measurements: Vec::new(), confidence: CONFIDENCE, is_noise_known: true, tolerance: TOLERANCE }
    }

    /// Adds measured values of a named quantity at these times. It is a coordinate, a velocity, an observable or a multiplier. The name is a
    /// name of [`Run::column`](crate::simulate::Run::column), such as `position.z`. `deviations` contains the standard deviation of each
    /// value, or one for all values.
    ///
    /// The measurement has this name in [`Estimates::residuals`].
    #[must_use]
    pub fn measured(self, name: impl Into<String>, times: &[f64], values: &[f64], deviations: &[f64]) -> Self {
        self.with(Measurement::new(name.into(), [times, values, deviations], None))
    }

    /// Adds measured values of a function of the system and the state on [dual numbers](crate::scalar::Dual), which also contain the
    /// parameters. The last argument of the function is the index of the value.
    ///
    /// For example, the error of a measured rotation `r[k]` about the first axis of the body has the values zero and the function
    /// `|_, state, k| (lifted(k).inverse() * state.configuration.attitude).log().x`. The rotation on dual numbers is
    /// `SO3::from_matrix_unchecked(r[k].matrix().map(Scalar::from_f64))`.
    #[must_use]
    pub fn measured_function(
        self,
        name: impl Into<String>,
        times: &[f64],
        values: &[f64],
        deviations: &[f64],
        function: impl Fn(&M::Lifted, &State<M::Lifted>, usize) -> Dual<f64> + 'a,
    ) -> Self {
        let predictor = Some(Predictor::Function(Box::new(function)));
        self.with(Measurement::new(name.into(), [times, values, deviations], predictor))
    }

    /// Sets the confidence of the intervals. Default: 0.95.
    #[must_use]
    pub fn confidence(mut self, confidence: f64) -> Self {
        self.confidence = confidence;
        self
    }

    /// Sets the relative tolerance of χ² and of the unknowns in the search. Default: 1e-10.
    ///
    /// The estimates differ from the minimum by about the square root of the tolerance times χ², in standard errors.
    #[must_use]
    pub fn tolerance(mut self, tolerance: f64) -> Self {
        self.tolerance = tolerance;
        self
    }

    /// Estimates the size of the noise from the residuals. The standard deviations are relative weights, for example 1 for all values.
    #[must_use]
    #[doc(alias = "absolute_sigma")]
    pub fn noise_from_residuals(mut self) -> Self {
        self.is_noise_known = false;
        self
    }

    /// Runs the search.
    ///
    /// # Errors
    /// [`FitError`] if a setting is invalid, a motion cannot be computed, the search does not converge, or the measurements do not
    /// determine all unknowns.
    pub fn solve(self) -> Result<Estimates<M>, Box<FitError<M>>> {
        let Fit { run, measurements, confidence, is_noise_known, tolerance } = self;
        if !(confidence > 0.0 && confidence < 1.0) {
            return Err(Box::new(FitError::Confidence { value: confidence }));
        }
        if !(tolerance > 0.0 && tolerance < 1.0) {
            return Err(Box::new(FitError::Tolerance { value: tolerance }));
        }
        FitSearch::new(run, measurements)?.solve((confidence, is_noise_known), tolerance)
    }

    /// Returns the Jacobian of the predicted values at the guess, divided by the standard deviations: one row for each measured value, and
    /// one column for each unknown. The measured values have no influence.
    ///
    /// Its singular values show which combinations of the unknowns a planned experiment determines.
    ///
    /// # Errors
    /// [`FitError`] if a setting is invalid or the motion cannot be computed.
    #[doc(alias("design of experiments", "Fisher information", "identifiability"))]
    pub fn jacobian(self) -> Result<DMatrix<f64>, Box<FitError<M>>> {
        Ok(FitSearch::new(self.run, self.measurements)?.into_jacobian())
    }

    fn with(mut self, measurement: Measurement<'a, M>) -> Self {
        self.measurements.push(measurement);
        self
    }
}
