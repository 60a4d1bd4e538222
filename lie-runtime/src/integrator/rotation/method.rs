//! The methods and their construction from data.

use super::methods::{self, METHODS, RotationMethod, Rule, Substep};
use super::workspace::{MOST_COUPLED, MOST_STAGES};
use crate::integrator::ParameterError;
use crate::integrator::tableau::{ButcherTableau, ButcherTableauError};

/// A method for the rotation of a rigid body.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Rotation {
    pub(super) id: &'static str,
    pub(super) order: usize,
    pub(super) rule: Rule,
    pub(super) tolerance: f64,
    pub(super) maximum_iterations: usize,
}

impl Rotation {
    fn listed(method: &RotationMethod) -> Self {
        Rotation { id: method.id, order: method.order, rule: method.rule, tolerance: 1e-16, maximum_iterations: 50 }
    }

    /// Creates the Munthe-Kaas method of a tableau.
    ///
    /// # Errors
    /// [`ButcherTableauError`] if the tableau has a fault or more than four coupled stages.
    #[doc(hidden)]
    pub fn munthe_kaas(tableau: &'static ButcherTableau) -> Result<Self, ButcherTableauError> {
        tableau.check(MOST_STAGES)?;
        let stages = tableau.stages();
        if !tableau.is_diagonal() && stages > MOST_COUPLED {
            return Err(ButcherTableauError::Coupled { stages, most: MOST_COUPLED });
        }
        let rule = Rule::MuntheKaas(tableau);
        Ok(Rotation { id: tableau.id, order: tableau.order, rule, ..Self::trap() })
    }

    /// Creates the composition of maps.
    ///
    /// # Errors
    /// [`ParameterError`] if the parts of the step do not add up to 1.
    #[doc(hidden)]
    pub fn composition(id: &'static str, order: usize, maps: &'static [Substep]) -> Result<Self, ParameterError> {
        let sum: f64 = maps.iter().map(|map| map.part).sum();
        ParameterError::unless((sum - 1.0).abs() < 1e-12, id, "sum of the parts", sum, "1")?;
        Ok(Rotation { id, order, rule: Rule::Composition(maps), ..Self::trap() })
    }

    /// Sets the tolerance of Newton's iteration as an angle in radians, 1e-16 by default, which is the level of round-off.
    ///
    /// # Errors
    /// [`ParameterError`] if it is not finite and positive.
    pub fn with_tolerance(self, tolerance: f64) -> Result<Self, ParameterError> {
        ParameterError::check_iteration(self.id, tolerance, self.maximum_iterations)?;
        Ok(Rotation { tolerance, ..self })
    }

    /// Returns the method with this identifier, or `None` if [`METHODS`] does not contain it.
    #[doc(hidden)]
    pub fn by_id(id: &str) -> Option<Self> {
        METHODS.iter().find(|method| method.id == id).map(Self::listed)
    }

    /// All methods.
    #[doc(hidden)]
    pub fn all() -> impl Iterator<Item = Self> {
        METHODS.iter().map(Self::listed)
    }

    named! {
        /// The trapezoidal rule in rates.
        trap: methods::TRAP;
        /// The midpoint rule in rates.
        imid: methods::IMID;
        /// The trapezoidal rule that conserves the spatial momentum.
        trapm: methods::TRAPM;
        /// The midpoint rule that conserves the spatial momentum.
        imidm: methods::IMIDM;
        /// Simo and Wong.
        swc1: methods::SWC1;
        /// Austin, Krishnaprasad and Wang.
        akw: methods::AKW;
        /// Bottasso and Borri.
        bbtrap: methods::BBTRAP;
        /// Bottasso and Borri, on the trapezoidal rule of Munthe-Kaas.
        bbtrapwd: methods::BBTRAPWD;
        /// Munthe-Kaas on the midpoint rule.
        mkrk_midpoint: methods::MKRK_MIDPOINT;
        /// Munthe-Kaas on Radau IIA with two stages.
        mkrk_radau3: methods::MKRK_RADAU3;
        /// Munthe-Kaas on the classical method of order 4.
        mkrk_rk4: methods::MKRK_RK4;
        /// Munthe-Kaas on Gauss with two stages.
        mkrk_gauss4: methods::MKRK_GAUSS4;
        /// Munthe-Kaas on Gauss with three stages.
        mkrk_gauss6: methods::MKRK_GAUSS6;
        /// Forward Euler in rates.
        euler_forward: methods::EULER_FORWARD;
        /// Backward Euler in rates.
        euler_backward: methods::EULER_BACKWARD;
        /// Forward Euler that conserves the spatial momentum.
        eulerm_forward: methods::EULERM_FORWARD;
        /// Backward Euler that conserves the spatial momentum.
        eulerm_backward: methods::EULERM_BACKWARD;
    }

    /// The identifier.
    #[doc(hidden)]
    pub fn id(&self) -> &'static str {
        self.id
    }

    /// The structure of a step.
    #[doc(hidden)]
    pub fn rule(&self) -> &Rule {
        &self.rule
    }
}
