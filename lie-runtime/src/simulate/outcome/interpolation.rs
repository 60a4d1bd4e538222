//! States between two states of a run.

use crate::integrator::State;
use crate::simulate::consistent::{ConsistencyError, ConsistentValues};
use crate::space::cubic::Cubic;
use crate::system::MechanicalSystem;

/// Returns the state at a time between two states.
///
/// # Errors
/// [`ConsistencyError`] if the interpolated state cannot be projected onto the constraint manifold.
pub(super) fn interpolate<M: MechanicalSystem>(
    system: &M,
    from: &State<M>,
    to: &State<M>,
    time: f64,
) -> Result<State<M>, ConsistencyError> {
    let (space, h) = (system.space(), to.time - from.time);
    let (mut q, mut v) = (from.configuration.clone(), from.velocity.clone());
    let mut cubic = Cubic::of(space);
    cubic.join(space, h, (&from.configuration, &from.velocity), (&to.configuration, &to.velocity));
    cubic.at(space, &from.configuration, (time - from.time) / h, &mut q, &mut v);
    let (state, _) = ConsistentValues::of(system).state(system, time, q, v)?;
    Ok(state)
}
