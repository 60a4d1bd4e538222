//! The parameters of generalized-α as data.

use crate::integrator::ParameterError;

/// α_m, α_f, β and γ of paper 2, eqs. (30)-(32).
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Parameters {
    /// α_m, the weight of a_n in eq. (32).
    pub alpha_m: f64,
    /// α_f, the weight of v'_n in eq. (32).
    pub alpha_f: f64,
    /// β of eq. (30).
    pub beta: f64,
    /// γ of eq. (31).
    pub gamma: f64,
}

/// The parameters of Chung and Hulbert for ρ∞ = 0.9, as in the examples of paper 2.
impl Default for Parameters {
    fn default() -> Self {
        Self::of_spectral_radius(0.9)
    }
}

fn require(holds: bool, name: &'static str, value: f64, expected: &'static str) -> Result<(), ParameterError> {
    ParameterError::unless(holds, "generalized-alpha", name, value, expected)
}

impl Parameters {
    /// Returns the parameters of Chung and Hulbert, α_m = (2 ρ∞ − 1) / (ρ∞ + 1), α_f = ρ∞ / (ρ∞ + 1). They have the least damping of low
    /// frequencies for a spectral radius ρ∞ at infinite frequency. ρ∞ = 1 gives no damping; ρ∞ = 0 annihilates infinite frequencies in one
    /// step.
    ///
    /// ```
    /// use lie_runtime::integrator::generalized_alpha::Parameters;
    ///
    /// let parameters = Parameters::chung_hulbert(0.0)?;
    /// assert_eq!((parameters.alpha_m, parameters.gamma, parameters.beta), (-1.0, 1.5, 1.0));
    /// assert!(Parameters::chung_hulbert(1.5).is_err());
    /// # Ok::<(), lie_runtime::integrator::ParameterError>(())
    /// ```
    ///
    /// # Errors
    /// [`ParameterError`] unless 0 ≤ ρ∞ ≤ 1.
    pub fn chung_hulbert(rho_inf: f64) -> Result<Self, ParameterError> {
        require((0.0..=1.0).contains(&rho_inf), "rho_inf", rho_inf, "between 0 and 1")?;
        Ok(Self::of_spectral_radius(rho_inf))
    }

    fn of_spectral_radius(rho_inf: f64) -> Self {
        let sum = rho_inf + 1.0;
        Self::second_order((2.0 * rho_inf - 1.0) / sum, rho_inf / sum)
    }

    /// Returns the parameters of Hilber, Hughes and Taylor: α_m = 0, α_f = α; α = 0 is the trapezoidal rule.
    ///
    /// # Errors
    /// [`ParameterError`] unless 0 ≤ α ≤ 1/3.
    pub fn hht(alpha: f64) -> Result<Self, ParameterError> {
        require((0.0..=1.0 / 3.0).contains(&alpha), "alpha", alpha, "between 0 and 1/3")?;
        Ok(Self::second_order(0.0, alpha))
    }

    /// Returns the parameters of Newmark: α_m = α_f = 0, so that a = v'.
    ///
    /// # Errors
    /// [`ParameterError`] unless β and γ are positive.
    pub fn newmark(beta: f64, gamma: f64) -> Result<Self, ParameterError> {
        let parameters = Parameters { alpha_m: 0.0, alpha_f: 0.0, beta, gamma };
        parameters.check()?;
        Ok(parameters)
    }

    /// Returns the parameters of Simo and Vu-Quoc: Newmark's trapezoidal rule, β = 1/4, γ = 1/2, for angular velocities and rotation
    /// increments in the body (paper 2, section 4 with α_m = α_f = 0).
    pub fn simo_vu_quoc() -> Self {
        Parameters { alpha_m: 0.0, alpha_f: 0.0, beta: 0.25, gamma: 0.5 }
    }

    /// γ = 1/2 + α_f − α_m for order 2 and β = (γ + 1/2)² / 4 for the greatest damping of high frequencies.
    #[doc(hidden)]
    pub fn second_order(alpha_m: f64, alpha_f: f64) -> Self {
        let gamma = 0.5 + alpha_f - alpha_m;
        Parameters { alpha_m, alpha_f, beta: 0.25 * (gamma + 0.5) * (gamma + 0.5), gamma }
    }

    /// α_m − α_f: a_n approximates v'(t_n + (α_m − α_f) h) (paper 2, eq. 48).
    #[doc(hidden)]
    pub fn shift(&self) -> f64 {
        self.alpha_m - self.alpha_f
    }

    /// 6 β + 3 (α_m − α_f) − 1, the coefficient of v'' in the local error of the increments (paper 2, eq. 47).
    pub(crate) fn defect(&self) -> f64 {
        6.0 * self.beta + 3.0 * self.shift() - 1.0
    }

    /// The order of q and v: 2 if γ = 1/2 + α_f − α_m (paper 2, eq. 42), else 1.
    #[doc(hidden)]
    pub fn order(&self) -> usize {
        if (self.gamma - 0.5 + self.shift()).abs() < 1e-12 { 2 } else { 1 }
    }

    /// h² β' of paper 2, eq. (34).
    #[doc(hidden)]
    pub fn mass_weight(&self) -> f64 {
        (1.0 - self.alpha_m) / (self.beta * (1.0 - self.alpha_f))
    }

    /// h γ' of paper 2, eq. (34).
    #[doc(hidden)]
    pub fn damping_weight(&self) -> f64 {
        self.gamma / self.beta
    }

    /// Checks the ranges of the parameters.
    ///
    /// # Errors
    /// [`ParameterError`] with the first parameter that is out of its range.
    #[doc(hidden)]
    pub fn check(&self) -> Result<(), ParameterError> {
        require(self.beta.is_finite() && self.beta > 0.0, "beta", self.beta, "positive")?;
        require(self.gamma.is_finite() && self.gamma > 0.0, "gamma", self.gamma, "positive")?;
        require(self.alpha_m.is_finite() && self.alpha_m < 1.0, "alpha_m", self.alpha_m, "under 1")?;
        require(self.alpha_f.is_finite() && self.alpha_f < 1.0, "alpha_f", self.alpha_f, "under 1")
    }
}
