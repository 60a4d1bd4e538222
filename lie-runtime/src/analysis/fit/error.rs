//! Errors of a fit.

use core::fmt;

use super::measurement::MeasurementFault;
use crate::gradient::SensitivityError;
use crate::messages::see;
use crate::simulate::ColumnError;
use crate::system::{MechanicalSystem, ModelError};

/// The error of a fit without a result.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum FitError<M: MechanicalSystem> {
    /// The confidence of the intervals is not a valid value.
    #[error("the confidence is {value}; it must be between 0 and 1 {}", see("fits"))]
    Confidence {
        /// The value.
        value: f64,
    },
    /// The tolerance of the search is not a valid value.
    #[error("the tolerance is {value}; it must be between 0 and 1 {}", see("fits"))]
    Tolerance {
        /// The value.
        value: f64,
    },
    /// A measurement is invalid.
    #[error("measurement `{name}`: {fault}")]
    Measurement {
        /// The name of the measurement.
        name: String,
        /// The reason.
        fault: MeasurementFault,
    },
    /// A measured quantity is not a value of the system.
    #[error(transparent)]
    Column(ColumnError),
    /// The number of measured values is smaller than the number of unknowns.
    #[error(
        "{values} measured values cannot determine {unknowns} unknowns; add measurements, or name fewer unknowns {}",
        see("fits")
    )]
    TooFew {
        /// The number of measured values.
        values: usize,
        /// The number of unknowns.
        unknowns: usize,
    },
    /// A set of parameters is not valid.
    #[error(transparent)]
    Model(ModelError),
    /// The motion could not be computed.
    #[error("{0}")]
    Run(Box<SensitivityError<M>>),
    /// The run ended before a measurement.
    #[error(
        "the run ended before the measurement at t = {time:?}; remove the event that stops it, or the later measurements {}",
        see("fits")
    )]
    Ended {
        /// The time of the measurement.
        time: f64,
    },
    /// A predicted value or its derivative is not finite.
    #[error("the predicted value of `{name}` at t = {time:?}, or its derivative, is not finite {}", see("fits"))]
    NotFinite {
        /// The name of the measurement.
        name: String,
        /// The time.
        time: f64,
    },
    /// The search did not converge.
    #[error("{}", not_converged(*.evaluations, *.chi_squared, .reason))]
    NotConverged {
        /// The number of computed motions.
        evaluations: usize,
        /// The sum of the squares of the weighted residuals at the end.
        chi_squared: f64,
        /// The reason: the termination of the search, or the error of the last motion that could not be computed.
        reason: String,
        /// The unknowns at the end, in the order of their names.
        unknowns: Vec<(String, f64)>,
    },
    /// The measurements do not determine some combinations of the unknowns.
    #[error("{}", undetermined(.combinations))]
    Undetermined {
        /// Changes of the unknowns without an effect on the predicted values. The largest change of each is 1.
        combinations: Vec<Vec<(String, f64)>>,
    },
}

crate::messages::debug_is_the_message!([M: MechanicalSystem] FitError<M>);

/// The message of a search without convergence.
fn not_converged(evaluations: usize, chi_squared: f64, reason: &str) -> String {
    format!(
        "the fit did not converge in {evaluations} evaluations (chi-squared {chi_squared:.3e}): {reason}. Start closer to the solution, or fit \
         the first part of the measurements first {}",
        see("fits")
    )
}

/// The message of undetermined combinations.
fn undetermined(combinations: &[Vec<(String, f64)>]) -> String {
    let listed: Vec<String> = combinations.iter().map(|changes| Combination(changes).to_string()).collect();
    format!(
        "the measurements do not determine all unknowns. These changes have no effect on the predicted values: {}. Remove one unknown of each \
         from the list, or add a measurement that depends on it {}",
        listed.join("; "),
        see("fits")
    )
}

/// A linear combination of changes.
struct Combination<'c>(&'c [(String, f64)]);

impl fmt::Display for Combination<'_> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (at, (name, size)) in self.0.iter().enumerate() {
            let separator = if at == 0 { "" } else { ", " };
            write!(f, "{separator}`{name}` by {size:.4}")?;
        }
        Ok(())
    }
}
