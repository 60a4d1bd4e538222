//! Invalid parameters and options of methods.

use crate::messages::see;

/// A parameter or an option of a method that is NaN or outside its range.
#[derive(Clone, PartialEq, thiserror::Error)]
#[error(
    "the parameter {name} of {method} is {value}; it must be {expected}. Set a value in this range {}",
    see("choice-of-a-method")
)]
pub struct ParameterError {
    /// The method or the family of methods.
    pub method: &'static str,
    /// The name of the parameter.
    pub name: &'static str,
    /// The value of the parameter.
    pub value: f64,
    /// The valid range.
    pub expected: &'static str,
}

crate::messages::debug_is_the_message!(ParameterError);

impl ParameterError {
    /// Returns an error unless the condition `holds`, which is false for NaN.
    pub(crate) fn unless(
        holds: bool,
        method: &'static str,
        name: &'static str,
        value: f64,
        expected: &'static str,
    ) -> Result<(), Self> {
        if holds { Ok(()) } else { Err(ParameterError { method, name, value, expected }) }
    }

    /// Checks the stopping criteria of an iteration.
    pub(crate) fn check_iteration(method: &'static str, tolerance: f64, maximum_iterations: usize) -> Result<(), Self> {
        let is_good = tolerance.is_finite() && tolerance > 0.0;
        Self::unless(is_good, method, "tolerance", tolerance, "finite and positive")?;
        Self::unless(maximum_iterations > 0, method, "maximum_iterations", 0.0, "positive")
    }
}
