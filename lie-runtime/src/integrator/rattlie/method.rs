//! The method and its choices.

use super::options::RattlieOptions;
use crate::integrator::ParameterError;
use crate::system::Linearised;

/// The RATTLie method.
///
/// ```
/// use lie_runtime::integrator::Rattlie;
/// use lie_runtime::integrator::rattlie::RattlieOptions;
///
/// let options = RattlieOptions::default().tolerance(1e-10);
/// let method = Rattlie::with_options(options)?;
/// assert_eq!(*method.options(), options);
/// assert!(Rattlie::with_options(RattlieOptions::default().tolerance(f64::NAN)).is_err());
/// # Ok::<(), lie_runtime::integrator::ParameterError>(())
/// ```
#[derive(Clone, Copy, Debug, Default, PartialEq)]
#[doc(alias = "RATTLE")]
#[doc(alias = "SHAKE")]
#[doc(alias = "variational integrator")]
pub struct Rattlie {
    pub(super) options: RattlieOptions,
}

impl Rattlie {
    /// The identifier.
    pub const ID: &'static str = "rattlie";

    /// Creates the method with its default choices.
    pub fn new() -> Self {
        Self::default()
    }

    /// Creates the method with these choices.
    ///
    /// # Errors
    /// [`ParameterError`] if one is out of its range.
    pub fn with_options(options: RattlieOptions) -> Result<Self, ParameterError> {
        ParameterError::check_iteration(Self::ID, options.tolerance, options.maximum_iterations)?;
        Ok(Rattlie { options })
    }

    /// The choices.
    pub fn options(&self) -> &RattlieOptions {
        &self.options
    }
}

/// Returns true if the iteration matrix is formed at the start of the step: for a variable M without constraints.
pub(crate) fn matrix_is_of_start<M: Linearised>(system: &M) -> bool {
    !system.description().mass_is_constant && system.constraint_rows() == 0
}
