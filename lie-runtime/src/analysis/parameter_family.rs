//! Systems that depend on one scalar parameter: a load, a length, an input.

use crate::system::{Driven, MechanicalSystem, ModelError, ParameterSet, Parametrised};

/// A system for every value of a parameter. Closures implement this trait.
pub trait ParameterFamily {
    /// The type of the system.
    type System: MechanicalSystem;

    /// Returns the system at a value of the parameter.
    ///
    /// # Errors
    /// A [`ModelError`] for a value without a system.
    fn at(&self, value: f64) -> Result<Self::System, ModelError>;
}

impl<M: MechanicalSystem, F: Fn(f64) -> Result<M, ModelError>> ParameterFamily for F {
    type System = M;

    fn at(&self, value: f64) -> Result<M, ModelError> {
        self(value)
    }
}

/// Returns the family of a system over the declared scalar parameter of this name.
///
/// For several parameters or one component of a vector, use a closure: `|load| system.with_parameters(…)`.
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

/// Returns the family of a system with the constant inputs `inputs(value)`.
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
