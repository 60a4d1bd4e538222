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
    ) -> Result<(), &'static str> {
        let _ = (own, before, changed);
        Err("parameters")
    }
}

/// Sets a parameter to its `changed` value if that differs from the value `before`.
///
/// # Errors
/// The name, if `own` differs from both.
pub fn merge_parameter<T: PartialEq + Clone>(
    name: &'static str,
    own: &mut T,
    before: &T,
    changed: &T,
) -> Result<(), &'static str> {
    if changed == before || changed == own {
        return Ok(());
    }
    if own != before {
        return Err(name);
    }
    own.clone_from(changed);
    Ok(())
}

/// The same of a value that is compared by what `Debug` prints of it: parameters that no kernel reads can have any type.
///
/// # Errors
/// Those of [`merge_parameter`].
pub fn merge_opaque_parameter<T: core::fmt::Debug + Clone>(
    name: &'static str,
    own: &mut T,
    before: &T,
    changed: &T,
) -> Result<(), &'static str> {
    let [mut text, text_before, text_changed] = [&*own, before, changed].map(|value| format!("{value:?}"));
    merge_parameter(name, &mut text, &text_before, &text_changed)?;
    if text_changed != text_before {
        own.clone_from(changed);
    }
    Ok(())
}

/// The same item by item, of lists of one length.
///
/// # Errors
/// Those of `merge`, and the name of lists of different lengths.
pub fn merge_parameter_list<T>(
    name: &'static str,
    own: &mut [T],
    (before, changed): (&[T], &[T]),
    merge: impl Fn(&mut T, &T, &T) -> Result<(), &'static str>,
) -> Result<(), &'static str> {
    if own.len() != before.len() || own.len() != changed.len() {
        return Err(name);
    }
    own.iter_mut().zip(before).zip(changed).try_for_each(|((own, before), changed)| merge(own, before, changed))
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn changes_of_the_same_parameters_are_merged() {
        let merge = |own: i32, before, changed| {
            let mut own = own;
            merge_parameter("n", &mut own, &before, &changed).map(|()| own)
        };
        assert_eq!(merge(1, 1, 2), Ok(2));
        assert_eq!(merge(2, 1, 1), Ok(2));
        assert_eq!(merge(2, 1, 2), Ok(2));
        assert_eq!(merge(2, 1, 3), Err("n"));
        // Of any type, and item by item.
        let (mut own, before) = (vec![Some(1.5), None], vec![None, None]);
        assert_eq!(merge_opaque_parameter("list", &mut own, &before, &vec![None, Some(2.0)]), Err("list"));
        let merged = merge_parameter_list("list", &mut own, (&before, &[None, Some(2.0)]), |own, before, changed| {
            merge_opaque_parameter("list", own, before, changed)
        });
        assert_eq!((merged, own), (Ok(()), vec![Some(1.5), Some(2.0)]));
        assert_eq!(merge_parameter_list("list", &mut [1], (&[1], &[]), |_, _, _| Ok(())), Err("list"));
    }
}
