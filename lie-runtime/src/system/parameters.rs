//! Parameters of systems: access by name, replacement, and derivatives with respect to parameters.

use super::{Liftable, MechanicalSystem, ModelError, Value, codegen_runtime};
use crate::inputs::{InputDerivatives, InputError, InputSignal, TableError};

/// Parameters that can be listed, read and set by name.
#[doc(alias = "parameters by name")]
pub trait ParameterSet {
    /// Returns the names of the numerical parameters, in the order of declaration.
    fn names(&self) -> &'static [&'static str];
    /// Returns the value of a parameter; `None` for an unknown name.
    fn get(&self, name: &str) -> Option<Value>;
    /// Sets a parameter from its components: a matrix by rows, a square matrix optionally by its diagonal.
    ///
    /// # Errors
    /// [`ModelError::UnknownParameter`] or [`ModelError::ParameterShape`].
    fn set(&mut self, name: &str, components: &[f64]) -> Result<(), ModelError>;
}

/// The parameters of a system without parameters.
impl ParameterSet for () {
    fn names(&self) -> &'static [&'static str] {
        &[]
    }
    fn get(&self, _: &str) -> Option<Value> {
        None
    }
    fn set(&mut self, name: &str, _: &[f64]) -> Result<(), ModelError> {
        Err(codegen_runtime::unknown_parameter(name, &[]))
    }
}

/// A system whose parameters can be replaced. All declared systems implement it.
pub trait Parametrised: Sized {
    /// The parameters; `()` for a system without parameters. Parameters on `f64` are a [`ParameterSet`].
    type Parameters: Clone;

    /// Returns the parameters.
    fn parameters(&self) -> &Self::Parameters;
    /// Returns the system with these parameters; the lengths of chains do not change.
    ///
    /// # Errors
    /// [`ModelError`] with the invalid parameter, chain or member.
    fn with_parameters(&self, parameters: Self::Parameters) -> Result<Self, ModelError>;
    /// Sets in `own` the parameters that differ between `before` and `changed`: two changes of the same parameters become one.
    ///
    /// # Errors
    /// The name of a parameter that differs in all three: both have changed it, to different values. The default implementation does not
    /// distinguish parameters, and always returns an error.
    #[doc(hidden)]
    fn merge_parameters(
        own: &mut Self::Parameters,
        before: &Self::Parameters,
        changed: &Self::Parameters,
    ) -> Result<(), String> {
        let _ = (own, before, changed);
        Err("parameters".to_owned())
    }
}

/// A system whose motions have derivatives with respect to its parameters. All declared systems implement it.
#[doc(alias = "parameter sensitivity")]
#[doc(hidden)]
pub trait TangentSystem: Liftable + Parametrised<Parameters: ParameterSet> + MechanicalSystem<Scalar = f64> {
    /// Returns the system on dual numbers; `direction` contains the derivatives of its parameters.
    ///
    /// Group elements and integers among the parameters have zero derivatives. Inputs are functions of time and do not
    /// depend on parameters.
    ///
    /// # Errors
    /// The errors of [`with_parameters`](Parametrised::with_parameters).
    fn varied(&self, direction: &Self::Parameters) -> Result<Self::Lifted, ModelError>;
    /// Returns the values and the derivatives of the parameters of a system on dual numbers. Parameters without
    /// derivatives are in both.
    #[doc(hidden)]
    fn lowered_parameters(lifted: &Self::Lifted) -> [Self::Parameters; 2];
    /// Adds the derivatives of inputs to a system that [`varied`](Self::varied) has returned; without inputs it returns
    /// the system unchanged.
    #[doc(hidden)]
    fn with_input_slopes(&self, lifted: Self::Lifted, slopes: &InputDerivatives) -> Self::Lifted {
        let _ = slopes;
        lifted
    }

    /// Returns the system with a signal of the input with this name. The input exists, and the signal has its number of components.
    ///
    /// # Errors
    /// [`TableError`] for an invalid table.
    #[doc(hidden)]
    fn with_signal(&self, name: &str, signal: &InputSignal) -> Result<Self, TableError>
    where
        Self: Clone,
    {
        let _ = (name, signal);
        Ok(self.clone())
    }

    /// Checks that all inputs are functions of time only.
    ///
    /// # Errors
    /// [`InputError::OfState`] for an input that is a function of the state: its derivatives are known on dual numbers
    /// only.
    #[doc(hidden)]
    fn ensure_inputs_over_time(&self) -> Result<(), InputError> {
        Ok(())
    }
}
