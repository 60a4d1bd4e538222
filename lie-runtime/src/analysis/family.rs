//! Systems that depend on one number: a load, a length, an input.

use crate::system::{Driven, MechanicalSystem, ModelError, ParameterSet, Parametrised};

/// A system for every value of a parameter; closures are.
pub trait Family {
    /// The system.
    type System: MechanicalSystem;

    /// The system at a value of the parameter.
    ///
    /// # Errors
    /// A [`ModelError`] where there is none.
    fn at(&self, value: f64) -> Result<Self::System, ModelError>;
}

impl<M: MechanicalSystem, F: Fn(f64) -> Result<M, ModelError>> Family for F {
    type System = M;

    fn at(&self, value: f64) -> Result<M, ModelError> {
        self(value)
    }
}

/// The same system with other values of the declared parameter of that name, which is one number.
///
/// Several parameters at once, or one component of a vector, are a closure: `|load| system.with_parameters(…)`.
pub fn parameter<'a, M: MechanicalSystem + Parametrised<Parameters: ParameterSet>>(
    system: &'a M,
    name: &'a str,
) -> impl Fn(f64) -> Result<M, ModelError> + 'a {
    move |value| {
        let mut parameters = system.parameters().clone();
        parameters.set(name, &[value])?;
        system.with_parameters(parameters)
    }
}

/// The same system whose inputs are what `inputs` makes of the value, at all times.
pub fn input<'a, M: Driven>(
    system: &'a M,
    inputs: impl Fn(f64) -> M::Inputs + 'a,
) -> impl Fn(f64) -> Result<M, ModelError> + 'a {
    move |value| {
        let mut fixed = system.clone();
        fixed.fix(inputs(value));
        Ok(fixed)
    }
}
