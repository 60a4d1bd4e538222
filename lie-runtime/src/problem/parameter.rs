//! Parameters and options of methods that no step can be made with.

use core::fmt;

/// A parameter or an option of a method that is out of its range or NaN.
#[derive(Clone, Debug, PartialEq)]
pub struct ParameterError {
    /// The method or the family.
    pub method: &'static str,
    /// The parameter.
    pub name: &'static str,
    /// Its value.
    pub value: f64,
    /// What it has to be.
    pub expected: &'static str,
}

impl fmt::Display for ParameterError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let ParameterError { method, name, value, expected } = self;
        write!(f, "the parameter {name} of {method} is {value}; it has to be {expected}")
    }
}

impl std::error::Error for ParameterError {}

impl ParameterError {
    /// An error unless the condition `holds`, which is false of NaN.
    pub(crate) fn unless(
        holds: bool,
        method: &'static str,
        name: &'static str,
        value: f64,
        expected: &'static str,
    ) -> Result<(), Self> {
        if holds { Ok(()) } else { Err(ParameterError { method, name, value, expected }) }
    }

    /// Checks when an iteration ends.
    pub(crate) fn check_iteration(method: &'static str, tolerance: f64, maximum_iterations: usize) -> Result<(), Self> {
        let is_good = tolerance.is_finite() && tolerance > 0.0;
        Self::unless(is_good, method, "tolerance", tolerance, "finite and positive")?;
        Self::unless(maximum_iterations > 0, method, "maximum_iterations", 0.0, "positive")
    }
}
