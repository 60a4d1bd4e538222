//! The method and its choices.

use super::coefficients::{BdfCoefficients, FORMULAS};
use crate::integrator::{HistoryOwner, ParameterError};
use crate::system::MechanicalSystem;

/// The k-step method.
///
/// ```
/// use lie_runtime::integrator::BLieDF;
/// use lie_runtime::integrator::blie_df::BLieDFOptions;
///
/// let options = BLieDFOptions::default().stabilised(true);
/// assert_eq!(BLieDF::new(2, options)?, BLieDF::bliedf2_stab2());
/// assert!(BLieDF::new(5, options).is_err());
/// # Ok::<(), lie_runtime::integrator::ParameterError>(())
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "BDF")]
#[doc(alias = "multistep")]
#[doc(alias = "ode15s")]
pub struct BLieDF {
    pub(super) coefficients: &'static BdfCoefficients,
    pub(super) options: BLieDFOptions,
}

/// The choices besides k.
#[derive(Clone, Copy, Debug, PartialEq)]
#[non_exhaustive]
pub struct BLieDFOptions {
    /// True for the stabilised index-2 formulation after Gear, Gupta and Leimkuhler, false for index 3.
    #[doc(hidden)]
    pub stabilised: bool,
    /// The relative tolerance of the iteration, 1e-12 by default. The residual r must fall to this multiple of the forces of the step, the
    /// constraints to this multiple of h² ‖v'‖. Corrections at the level of round-off end the iteration as well.
    pub(crate) tolerance: f64,
    /// The maximum number of iterations of a step, 20 by default.
    pub(crate) maximum_iterations: usize,
}

impl Default for BLieDFOptions {
    fn default() -> Self {
        BLieDFOptions { stabilised: false, tolerance: 1e-12, maximum_iterations: 20 }
    }
}

crate::setters::setters! {
    BLieDFOptions {
        /// Sets the formulation: true for the stabilised index-2 formulation after Gear, Gupta and Leimkuhler, false for index 3.
        stabilised: bool,
        /// Sets the relative tolerance of the iteration, 1e-12 by default. The residual r must fall to this multiple of the forces of the
        /// step, the constraints to this multiple of h² ‖v'‖. Corrections at the level of round-off end the iteration as well.
        tolerance: f64,
        /// Sets the maximum number of iterations of a step, 20 by default.
        maximum_iterations: usize,
    }
}

impl BLieDF {
    /// Creates the method of `steps` steps.
    ///
    /// # Errors
    /// [`ParameterError`] if `steps` is not 1, 2, 3 or 4, or a choice is out of its range.
    pub fn new(steps: usize, options: BLieDFOptions) -> Result<Self, ParameterError> {
        let Some(coefficients) = FORMULAS.iter().find(|formula| formula.steps == steps) else {
            let value = steps as f64;
            return Err(ParameterError { method: "BLieDF", name: "steps", value, expected: "1, 2, 3 or 4" });
        };
        BLieDF { coefficients, options }.with_options(options)
    }

    fn listed((coefficients, stabilised): &'static (BdfCoefficients, bool)) -> Self {
        BLieDF { coefficients, options: BLieDFOptions::default().stabilised(*stabilised) }
    }

    named! {
        /// k = 1, index 3.
        bliedf1: (FORMULAS[0], false);
        /// k = 1, stabilised index 2.
        bliedf1_stab2: (FORMULAS[0], true);
        /// k = 2, index 3.
        bliedf2: (FORMULAS[1], false);
        /// k = 2, stabilised index 2.
        bliedf2_stab2: (FORMULAS[1], true);
        /// k = 3, index 3.
        bliedf3: (FORMULAS[2], false);
        /// k = 3, stabilised index 2.
        bliedf3_stab2: (FORMULAS[2], true);
        /// k = 4, index 3.
        bliedf4: (FORMULAS[3], false);
        /// k = 4, stabilised index 2.
        bliedf4_stab2: (FORMULAS[3], true);
    }

    /// Returns the method with this identifier: `bliedf1` to `bliedf4` and `bliedf1_stab2` to `bliedf4_stab2`.
    #[doc(hidden)]
    pub fn by_id(id: &str) -> Option<Self> {
        Self::all().find(|method| method.id() == id)
    }

    /// All methods: index 3 and stabilised index 2 for each k.
    #[doc(hidden)]
    pub fn all() -> impl Iterator<Item = Self> {
        FORMULAS.iter().flat_map(|coefficients| {
            let with = |stabilised| BLieDF { coefficients, options: BLieDFOptions::default().stabilised(stabilised) };
            [with(false), with(true)]
        })
    }

    /// k, the number of steps and the order.
    #[doc(hidden)]
    pub fn steps(&self) -> usize {
        self.coefficients.steps
    }

    /// The method as data.
    #[doc(hidden)]
    pub fn formula(&self) -> &'static BdfCoefficients {
        self.coefficients
    }

    /// The choices.
    pub fn options(&self) -> &BLieDFOptions {
        &self.options
    }

    /// Returns the same method with other choices.
    ///
    /// # Errors
    /// [`ParameterError`] if one is out of its range.
    pub fn with_options(self, options: BLieDFOptions) -> Result<Self, ParameterError> {
        let method = BLieDF { options, ..self };
        ParameterError::check_iteration(method.id(), options.tolerance, options.maximum_iterations)?;
        Ok(method)
    }

    /// The identifier.
    #[doc(hidden)]
    pub fn id(&self) -> &'static str {
        self.coefficients.ids[usize::from(self.options.stabilised)]
    }

    /// The owner of the memory of the previous steps.
    pub(crate) fn owner(&self) -> HistoryOwner {
        HistoryOwner { method: self.id(), settings: [0.0; 4] }
    }

    /// True if η is among the unknowns.
    pub(crate) fn is_stabilised<M: MechanicalSystem>(&self, system: &M) -> bool {
        self.options.stabilised && system.holonomic_rows() > 0
    }
}
