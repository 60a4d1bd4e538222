//! The methods and their options.

use super::methods::{self, CollocationMethod, METHODS};
use crate::integrator::ParameterError;

/// A collocation method.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "Radau IIA")]
#[doc(alias = "Gauss-Legendre")]
#[doc(alias = "implicit Runge-Kutta")]
pub struct Collocation {
    pub(super) method: &'static CollocationMethod,
    pub(super) options: CollocationOptions,
}

/// The limits of Newton's iteration.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct CollocationOptions {
    /// The relative tolerance of the iteration, 1e-12 by default. The residuals must fall to this multiple of the forces of the step, the
    /// constraints to this multiple of h² ‖v'‖. Corrections at the level of round-off end the iteration as well.
    pub(crate) tolerance: f64,
    /// The maximum number of iterations of a step, 20 by default.
    pub(crate) maximum_iterations: usize,
}

impl Default for CollocationOptions {
    fn default() -> Self {
        CollocationOptions { tolerance: 1e-12, maximum_iterations: 20 }
    }
}

crate::setters::setters! {
    CollocationOptions {
        /// Sets the relative tolerance of the iteration, 1e-12 by default. The residuals must fall to this multiple of the forces of the
        /// step, the constraints to this multiple of h² ‖v'‖. Corrections at the level of round-off end the iteration as well.
        tolerance: f64,
        /// Sets the maximum number of iterations of a step, 20 by default.
        maximum_iterations: usize,
    }
}

impl Collocation {
    fn listed(method: &'static CollocationMethod) -> Self {
        Collocation { method, options: CollocationOptions::default() }
    }

    named! {
        /// Gauss, one stage: the implicit midpoint rule.
        gauss2: methods::GAUSS_ONE;
        /// Gauss, two stages, of order 4.
        gauss4: methods::GAUSS_TWO;
        /// Gauss, three stages, of order 6.
        gauss6: methods::GAUSS_THREE;
        /// Radau IIA, one stage: backward Euler.
        radau_iia1: methods::RADAU_ONE;
        /// Radau IIA, two stages, of order 3.
        radau_iia3: methods::RADAU_TWO;
        /// Radau IIA, three stages, of order 5.
        radau_iia5: methods::RADAU_THREE;
        /// Radau IIA, one stage, of index 3.
        radau_iia1_index3: methods::RADAU_ONE_INDEX_3;
        /// Radau IIA, two stages, of index 3.
        radau_iia3_index3: methods::RADAU_TWO_INDEX_3;
        /// Radau IIA, three stages, of index 3.
        radau_iia5_index3: methods::RADAU_THREE_INDEX_3;
    }

    /// All methods.
    #[doc(hidden)]
    pub fn all() -> impl Iterator<Item = Self> {
        METHODS.iter().map(Self::listed)
    }

    /// Returns the method with this identifier, or `None` if [`METHODS`] does not contain it.
    #[doc(hidden)]
    pub fn by_id(id: &str) -> Option<Self> {
        METHODS.iter().find(|method| method.id == id).map(Self::listed)
    }

    /// Returns the same method with other choices.
    ///
    /// # Errors
    /// [`ParameterError`] if one is out of its range.
    pub fn with_options(self, options: CollocationOptions) -> Result<Self, ParameterError> {
        ParameterError::check_iteration(self.method.id, options.tolerance, options.maximum_iterations)?;
        Ok(Collocation { options, ..self })
    }

    /// The method as data.
    #[doc(hidden)]
    pub fn method(&self) -> &'static CollocationMethod {
        self.method
    }

    /// The choices.
    pub fn options(&self) -> &CollocationOptions {
        &self.options
    }
}
