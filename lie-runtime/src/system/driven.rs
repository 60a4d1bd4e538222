//! Systems with inputs.

use super::MechanicalSystem;
use crate::inputs::{DelayedInputs, InputError, InputSet};

/// A system with inputs: a declaration with `#[inputs]` generates it.
#[doc(hidden)]
pub trait Driven: MechanicalSystem + Clone {
    /// The struct of inputs.
    type Inputs: InputSet<Scalar = Self::Scalar>;
    /// The velocity with named members.
    type NamedVelocity;

    /// Converts a velocity to named members.
    #[doc(hidden)]
    fn named(&self, v: &Self::Velocity) -> Self::NamedVelocity;
    /// Sets the inputs that are not prescribed by a function of time; they are constant until the next call.
    #[doc(hidden)]
    fn hold(&mut self, inputs: Self::Inputs);
    /// Sets the inputs with dead time; they replace all other values.
    #[doc(hidden)]
    fn delay(&mut self, inputs: DelayedInputs);
    /// Sets all inputs for all times, prescribed inputs and inputs of constraints and potentials included.
    #[doc(hidden)]
    fn fix(&mut self, inputs: Self::Inputs);
}

/// A system whose inputs can be set by their scalars, in the order of the fields, matrices by rows.
#[doc(hidden)]
pub trait InputValues: MechanicalSystem + Clone {
    /// See [`Driven::fix`].
    fn fix_values(&mut self, next: &mut dyn FnMut() -> Self::Scalar);
}

impl<M: Driven> InputValues for M {
    fn fix_values(&mut self, next: &mut dyn FnMut() -> Self::Scalar) {
        self.fix(InputSet::of(next));
    }
}

/// A system whose inputs are known at run time only. A controller sets the inputs that are not functions of time.
#[doc(hidden)]
pub trait NamedInputs: MechanicalSystem<Scalar = f64> + Clone {
    /// Returns the scalars of all inputs at a time, with these outputs of a controller.
    ///
    /// # Errors
    /// [`InputError::ControllerOutput`], [`InputError::NotFinite`], and [`InputError::MissingByName`].
    fn with_outputs(
        &self,
        time: f64,
        outputs: &mut dyn Iterator<Item = (&str, &[f64])>,
    ) -> Result<Vec<f64>, InputError>;
    /// Holds the inputs that are not functions of time. `scalars` contains all inputs; missing scalars are zero.
    fn hold_scalars(&mut self, scalars: &[f64]);
}
