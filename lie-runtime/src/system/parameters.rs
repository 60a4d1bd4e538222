//! Systems by their parameters: listed by name, exchanged, and differentiated by.

use super::{Liftable, MechanicalSystem, ModelError, Value, codegen_runtime};
use crate::inputs::{InputError, Slopes};

/// Parameters that can be listed, read and set by name.
pub trait ParameterSet {
    /// The names of the parameters that have a numerical value, in the order of declaration.
    fn names() -> &'static [&'static str];
    /// The value of a parameter; `None` if there is none of that name.
    fn get(&self, name: &str) -> Option<Value>;
    /// Sets a parameter from its components (matrices by rows; of a square matrix the diagonal will do).
    ///
    /// # Errors
    /// [`ModelError::UnknownParameter`] or [`ModelError::ParameterShape`].
    fn set(&mut self, name: &str, components: &[f64]) -> Result<(), ModelError>;
}

/// No parameters.
impl ParameterSet for () {
    fn names() -> &'static [&'static str] {
        &[]
    }
    fn get(&self, _: &str) -> Option<Value> {
        None
    }
    fn set(&mut self, name: &str, _: &[f64]) -> Result<(), ModelError> {
        Err(codegen_runtime::unknown_parameter(name, &[]))
    }
}

/// A system that can be made anew with other parameters: every declared one, on numbers of any type.
pub trait Parametrised: Sized {
    /// Its parameters; `()` of a system without. Those on `f64` are a [`ParameterSet`].
    type Parameters: Clone;

    /// The parameters that it has.
    fn parameters(&self) -> &Self::Parameters;
    /// The same system with these parameters; chains keep their lengths.
    ///
    /// # Errors
    /// A [`ModelError`] that names the parameter, the chain or the member that no simulation can start from.
    fn with_parameters(&self, parameters: Self::Parameters) -> Result<Self, ModelError>;
}

/// A system whose motions have derivatives with respect to its parameters: every declared one.
pub trait TangentSystem: Liftable + Parametrised<Parameters: ParameterSet> + MechanicalSystem<Scalar = f64> {
    /// The same system on dual numbers, the derivatives of its parameters those of `direction`.
    ///
    /// Elements of groups among the parameters, and what is counted, have no derivatives. Inputs are functions of time, which
    /// no parameter changes.
    ///
    /// # Errors
    /// That of [`with_parameters`](Parametrised::with_parameters).
    fn varied(&self, direction: &Self::Parameters) -> Result<Self::Lifted, ModelError>;
    /// The parameters of a system on dual numbers: their values and their derivatives, by the dual part. What has no derivatives is in
    /// both.
    fn lowered_parameters(lifted: &Self::Lifted) -> [Self::Parameters; 2];
    /// The system that [`varied`](Self::varied) has made, its inputs with these derivatives; of a system without inputs itself.
    fn with_input_slopes(&self, lifted: Self::Lifted, slopes: &Slopes) -> Self::Lifted {
        let _ = slopes;
        lifted
    }

    /// Checks that inputs, if there are any, are functions of time alone.
    ///
    /// # Errors
    /// [`InputError::OfState`]: what a function of the state is differentiated by, only dual numbers know.
    fn ensure_inputs_over_time(&self) -> Result<(), InputError> {
        Ok(())
    }
}
