//! The methods, their parameters and choices, and the data that they store with a state.

use super::options::{Formulation, GeneralizedAlphaMethod, GeneralizedAlphaOptions, METHODS};
use super::parameters::Parameters;
use crate::group::TangentVector;
use crate::integrator::{HistoryOwner, ParameterError, State};
use crate::scalar::Scalar;
use crate::system::MechanicalSystem;

/// The number of vectors that a state stores: (a − v') / h and, for steps with an estimate, the normal part of v.
pub(super) const VECTORS: usize = 2;

/// The limit of `maximum_halvings`: more than 2¹⁶ parts of a step do not help.
const MOST_HALVINGS: u32 = 16;

/// The generalized-α Lie group method.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "HHT")]
#[doc(alias = "Newmark")]
#[doc(alias = "generalized-alpha")]
pub struct GeneralizedAlpha {
    pub(super) parameters: Parameters,
    pub(super) options: GeneralizedAlphaOptions,
}

impl GeneralizedAlpha {
    fn listed(method: &GeneralizedAlphaMethod) -> Self {
        let options = GeneralizedAlphaOptions::default().formulation(method.formulation);
        GeneralizedAlpha { parameters: Parameters::default(), options }
    }

    named! {
        /// The index-3 formulation on the group, with the default parameters; [`chung_hulbert`](Self::chung_hulbert) and
        /// [`index3`](Self::index3) accept others.
        lie_alpha: METHODS[0];
        /// The stabilised index-2 formulation on the group; [`stabilised`](Self::stabilised) accepts other parameters.
        lie_alpha_stab2: METHODS[1];
        /// Updated Lagrangian in the conformal rotation vector; [`by_id`](Self::by_id) accepts other parameters.
        ul_crv: METHODS[2];
        /// Updated Lagrangian in the rotation vector.
        ul_rotation_vector: METHODS[3];
        /// Updated Lagrangian in the Cayley transform.
        ul_cayley: METHODS[4];
    }

    /// Newmark's method after Simo and Vu-Quoc.
    pub fn simo_vu_quoc() -> Self {
        Self::index3(Parameters::simo_vu_quoc())
    }

    /// Creates the method with these parameters and choices.
    ///
    /// # Errors
    /// [`ParameterError`] for an invalid value.
    pub fn new(parameters: Parameters, options: GeneralizedAlphaOptions) -> Result<Self, ParameterError> {
        let method = GeneralizedAlpha { parameters, options };
        method.check()?;
        Ok(method)
    }

    /// Creates `lie_alpha` with the parameters of Chung and Hulbert for the spectral radius ρ∞ at infinite frequency.
    ///
    /// ```
    /// use lie_runtime::prelude::*;
    ///
    /// assert_eq!(GeneralizedAlpha::chung_hulbert(0.9)?.id(), "lie_alpha");
    /// assert!(GeneralizedAlpha::chung_hulbert(1.1).is_err());
    /// # Ok::<(), lie_runtime::integrator::ParameterError>(())
    /// ```
    ///
    /// # Errors
    /// [`ParameterError`] if ρ∞ is not in [0, 1].
    pub fn chung_hulbert(spectral_radius: f64) -> Result<Self, ParameterError> {
        Parameters::chung_hulbert(spectral_radius).map(Self::index3)
    }

    /// Creates `lie_alpha`, the index-3 formulation.
    pub fn index3(parameters: Parameters) -> Self {
        GeneralizedAlpha { parameters, options: GeneralizedAlphaOptions::default() }
    }

    /// Creates `lie_alpha_stab2`, the stabilised index-2 formulation.
    pub fn stabilised(parameters: Parameters) -> Self {
        let options = GeneralizedAlphaOptions::default().formulation(Formulation::StabilisedIndex2);
        GeneralizedAlpha { parameters, options }
    }

    /// Returns the listed method with this identifier, or `None` if [`METHODS`] does not contain it.
    ///
    /// ```
    /// use lie_runtime::integrator::GeneralizedAlpha;
    /// use lie_runtime::integrator::generalized_alpha::Parameters;
    ///
    /// let parameters = Parameters::chung_hulbert(0.9)?;
    /// assert!(GeneralizedAlpha::by_id("ul_crv", parameters).is_some());
    /// assert!(GeneralizedAlpha::by_id("ul", parameters).is_none());
    /// # Ok::<(), lie_runtime::integrator::ParameterError>(())
    /// ```
    pub fn by_id(id: &str, parameters: Parameters) -> Option<Self> {
        let method = METHODS.iter().find(|method| method.id == id)?;
        Some(GeneralizedAlpha { parameters, ..Self::listed(method) })
    }

    /// The parameters.
    pub fn parameters(&self) -> &Parameters {
        &self.parameters
    }

    /// The choices.
    pub fn options(&self) -> &GeneralizedAlphaOptions {
        &self.options
    }

    /// The identifier; all unlisted coordinate maps share one.
    #[doc(hidden)]
    pub fn id(&self) -> &'static str {
        let listed = METHODS.iter().find(|method| method.formulation == self.options.formulation);
        listed.map_or("updated_lagrangian", |method| method.id)
    }

    /// Checks all parameters and choices.
    pub(super) fn check(&self) -> Result<(), ParameterError> {
        let GeneralizedAlpha { parameters, options } = self;
        parameters.check()?;
        ParameterError::check_iteration(self.id(), options.tolerance, options.maximum_iterations)?;
        let (halvings, most) = (options.maximum_halvings, MOST_HALVINGS);
        ParameterError::unless(halvings <= most, self.id(), "maximum_halvings", halvings.into(), "at most 16")
    }

    /// The owner of the memory (a − v') / h, whose size depends on the parameters.
    #[inline]
    pub(crate) fn owner(&self) -> HistoryOwner {
        let Parameters { alpha_m, alpha_f, beta, gamma } = self.parameters;
        HistoryOwner { method: self.id(), settings: [alpha_m, alpha_f, beta, gamma] }
    }

    /// Returns a_n, the acceleration-like variable of a state that this method has computed; `None` for any other state.
    #[doc(hidden)]
    pub fn auxiliary_acceleration<M: MechanicalSystem>(&self, system: &M, state: &State<M>) -> Option<M::Velocity> {
        let mut sum = system.zero_velocity();
        let memory = state.remembered(&self.owner(), system, &mut sum)?;
        sum.assign(&state.acceleration);
        sum.axpy(M::Scalar::from_f64(memory.step()), memory.vector(0));
        Some(sum)
    }

    /// Sets a_n of an otherwise complete state to `a`, as after a step of size `step`.
    #[doc(hidden)]
    pub fn set_auxiliary_acceleration<M: MechanicalSystem>(
        &self,
        system: &M,
        state: &mut State<M>,
        step: f64,
        a: &M::Velocity,
    ) {
        let State { memory, configuration, acceleration, .. } = state;
        memory.make_room(system, configuration, VECTORS, 0);
        let lag = memory.vector_mut(0);
        lag.assign(a);
        lag.axpy(-<M::Scalar as num_traits::One>::one(), acceleration);
        lag.scale(M::Scalar::from_f64(1.0 / step));
        state.remember(self.owner(), step, 1);
    }
}
