//! A momentum that is watched.

use crate::group::TangentVector;
use crate::integrator::{Solution, State};
use crate::scalar::Scalar;
use crate::simulate::setup::SetupError;
use crate::system::MechanicalSystem;

/// A momentum that is watched.
pub(super) struct Momentum<'a, S: Solution> {
    pub name: &'static str,
    #[allow(clippy::type_complexity)] // Of a system and a state.
    pub of: Box<dyn Fn(&S::System, &S) -> Result<f64, SetupError> + Send + 'a>,
}

impl<S: Solution> Momentum<'_, S> {
    /// Its value; NaN where ξ is no longer what it was where the motion started.
    pub fn value(&self, system: &S::System, state: &S) -> f64 {
        (self.of)(system, state).unwrap_or(f64::NAN)
    }
}

/// (T(v + ξ) − T(v − ξ)) / 2.
pub(super) fn momentum<M: MechanicalSystem>(
    name: &'static str,
    system: &M,
    state: &State<M>,
    along: M::Velocity,
) -> Result<f64, SetupError> {
    let mut v = along;
    let (expected, given) = (system.dof(), v.component_count());
    if given != expected || !v.all_finite() {
        return Err(SetupError::Symmetry { name, expected, given });
    }
    let number = M::Scalar::from_f64;
    let kinetic = |v: &M::Velocity| system.kinetic_energy(number(state.time), &state.configuration, v).value();
    v.axpy(number(1.0), &state.velocity);
    let ahead = kinetic(&v);
    v.scale(number(-1.0));
    v.axpy(number(2.0), &state.velocity);
    Ok(0.5 * (ahead - kinetic(&v)))
}
