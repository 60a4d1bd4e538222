//! The result of a fit: estimates, standard errors and correlations.

use core::fmt;

use nalgebra::DMatrix;

use crate::simulate::Trajectory;
use crate::system::MechanicalSystem;

/// The estimate of one unknown.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct Estimate {
    /// The name of the unknown.
    pub name: String,
    /// The estimate. For a component of an initial configuration without a scalar coordinate, such as a rotation, it is the component of
    /// log(q₀⁻¹ q) from the guess q₀.
    pub value: f64,
    /// The standard error of the estimate.
    #[doc(alias = "standard deviation")]
    pub standard_error: f64,
    /// The confidence interval.
    pub interval: [f64; 2],
}

/// The result of a [`Fit`](super::Fit).
#[non_exhaustive]
#[doc(alias("parameter estimation", "confidence interval"))]
pub struct Estimates<M: MechanicalSystem> {
    /// The estimates in the order of the unknowns.
    pub estimates: Vec<Estimate>,
    /// The covariance matrix of the estimates, σ² (Jᵀ W J)⁻¹.
    pub covariance: DMatrix<f64>,
    /// The confidence of the intervals.
    pub confidence: f64,
    /// χ², the sum of the squares of the residuals divided by their standard deviations.
    pub chi_squared: f64,
    /// The number of measured values minus the number of unknowns.
    pub degrees_of_freedom: usize,
    /// The residuals of each measurement by name, measured minus predicted, divided by their standard deviations.
    pub residuals: Vec<(String, Vec<f64>)>,
    /// The number of computed motions.
    pub evaluations: usize,
    /// The system with the estimated parameters.
    pub system: M,
    /// The motion of this system, with states at the measured times. Its first state contains the estimated initial values.
    pub trajectory: Trajectory<M>,
}

impl<M: MechanicalSystem> Estimates<M> {
    /// Returns the estimate of the unknown with this name.
    pub fn get(&self, name: &str) -> Option<&Estimate> {
        self.estimates.iter().find(|estimate| estimate.name == name)
    }

    /// Returns χ² divided by the degrees of freedom. It is about 1 if the model fits and the standard deviations are right; NaN without
    /// degrees of freedom.
    pub fn reduced_chi_squared(&self) -> f64 {
        if self.degrees_of_freedom == 0 { f64::NAN } else { self.chi_squared / self.degrees_of_freedom as f64 }
    }

    /// Returns the correlation matrix of the estimates.
    pub fn correlation(&self) -> DMatrix<f64> {
        let deviation = |at: usize| self.covariance[(at, at)].sqrt();
        let (rows, columns) = self.covariance.shape();
        DMatrix::from_fn(rows, columns, |i, k| self.covariance[(i, k)] / (deviation(i) * deviation(k)))
    }
}

impl<M: MechanicalSystem> fmt::Display for Estimates<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widest = self.estimates.iter().map(|estimate| estimate.name.chars().count()).max().unwrap_or(0).max(8);
        let percent = 100.0 * self.confidence;
        writeln!(f, "{:<widest$}  {:>14}  {:>14}  {percent} % interval", "unknown", "estimate", "standard error")?;
        for Estimate { name, value, standard_error, interval: [low, high] } in &self.estimates {
            writeln!(f, "{name:<widest$}  {value:>14.6e}  {standard_error:>14.2e}  [{low:.6e}, {high:.6e}]")?;
        }
        let (chi, count) = (self.chi_squared, self.degrees_of_freedom);
        write!(f, "chi-squared {chi:.4} with {count} degrees of freedom, {} evaluations", self.evaluations)
    }
}

impl<M: MechanicalSystem> fmt::Debug for Estimates<M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Estimates")
            .field("estimates", &self.estimates)
            .field("chi_squared", &self.chi_squared)
            .field("degrees_of_freedom", &self.degrees_of_freedom)
            .finish_non_exhaustive()
    }
}
