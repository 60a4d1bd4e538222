//! Event groups: events within round-off of one instant, whose actions take place together.
//!
//! All actions see the state and the system before the group. The state and the parameters that each of them changes are merged, and all
//! their impacts are solved as one problem.

use super::change::ChangeBy;
use super::impact::Impulse;
use crate::integrator::Solution;
use crate::scalar::Scalar;
use crate::simulate::failure::{EventError, Failure};
use crate::simulate::motion::{Motion, ScalarOf, Simulated};
use crate::simulate::setup::Options;

/// An event of a group that changes something: its name, and the change.
pub(in crate::simulate) type Acting<'c, 'a, P> = (String, &'c mut ChangeBy<'a, P>);

/// What a group has made of a motion.
pub(in crate::simulate) struct Made<P: Simulated> {
    /// The impulses of each event of the group.
    pub impulses: Vec<Vec<Impulse>>,
    /// True if the run ends there.
    pub ends: bool,
    /// The state as it was changed, with the λ and v' after the event, before it was projected onto the constraint manifold: a step may have
    /// left that by its error, and the projection is not a part of the motion.
    pub as_changed: P::State,
}

/// Changes the system and the state at the event, `by` derivatives of the time after the time it has. The state is then the one after the
/// group, consistent and carried back to that time, or the state at the event where the run ends there.
///
/// # Errors
/// The failure of an action, actions that contradict one another, and a state from which no motion starts.
pub(in crate::simulate) fn take_place<P: Simulated>(
    group: &mut [Acting<'_, '_, P>],
    (system, state): (&mut P::System, &mut P::State),
    by: ScalarOf<P>,
    options: &Options,
) -> Result<Made<P>, Failure> {
    let (time, names) = (state.time(), group.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join("`, `"));
    let moment = ScalarOf::<P>::from_f64(time) + by;
    let failed = |error| Failure::Event { event: names.clone(), time, error: Box::new(error) };
    let (impulses, ends) = match group {
        [(name, change)] => {
            let acted = change.act(name, moment, (system, state))?;
            acted.check(moment).map_err(failed)?;
            (vec![acted.impacts.impulses], acted.ends)
        }
        _ => act_together(group, (system, state), moment, failed)?,
    };
    let mut as_changed = state.clone();
    let options = Options { project: true, held: Vec::new(), ..options.clone() };
    state.check(system, &options).map_err(|error| failed(EventError::State(Box::new(error))))?;
    let consistent = |state: &P::State| match state.clone().consistent(system, &options) {
        Ok((consistent, _)) => Ok(consistent),
        Err(Failure::InitialValues(error)) => Err(failed(EventError::Inconsistent(error))),
        Err(failure) => Err(failure),
    };
    let mut next = consistent(state)?;
    if ScalarOf::<P>::HAS_DERIVATIVES {
        if ends {
            state.carry(system, moment, ScalarOf::<P>::from_f64(0.0))?;
            return Ok(Made { impulses, ends, as_changed });
        }
        state.carry(system, moment, -by)?;
        next = consistent(state)?;
    }
    *state = next;
    as_changed.take_reactions_of(state);
    Ok(Made { impulses, ends, as_changed })
}

/// Lets several actions take place, each in the system and the state before; their impulses, and whether the run ends.
fn act_together<P: Simulated>(
    group: &mut [Acting<'_, '_, P>],
    (system, state): (&mut P::System, &mut P::State),
    time: ScalarOf<P>,
    failed: impl Fn(EventError) -> Failure,
) -> Result<(Vec<Vec<Impulse>>, bool), Failure> {
    let before = state.clone();
    let mut system_before: Option<Box<P::System>> = None;
    let (mut all, mut ends) = (Vec::with_capacity(group.len()), false);
    for (name, change) in group.iter_mut() {
        let mut own = match &system_before {
            Some(system) => change.own(system),
            None => change.own(system_before.insert(change.own(system))),
        };
        let mut changed = before.clone();
        let acted = change.act(name, time, (&mut own, &mut changed))?;
        if let Some(states) = &acted.impacts.states {
            changed.take_velocity_of(&states[0]);
        }
        if let (Some(merge), Some(before)) = (acted.merge, &system_before) {
            merge(system, before, &own).map_err(&failed)?;
        }
        state.merge(system, &before, &changed).map_err(|quantity| failed(EventError::Conflict { quantity }))?;
        ends |= acted.ends;
        all.push(acted.impacts);
    }
    let counts: Vec<usize> = all.iter().map(|impacts| impacts.requests.len()).collect();
    let requests: Vec<_> = all.iter().flat_map(|impacts| &impacts.requests).collect();
    let Some((solve, check)) = all.iter().find_map(|impacts| impacts.solve).filter(|_| !requests.is_empty()) else {
        return Ok((all.into_iter().map(|impacts| impacts.impulses).collect(), ends));
    };
    check(&requests, time, state).map_err(&failed)?;
    let mut solved = solve(&requests, time, state).map_err(&failed)?.into_iter();
    let mut impulses = Vec::with_capacity(all.len());
    for (impacts, count) in all.iter().zip(counts) {
        let mut own = impacts.settled.clone();
        own.extend(solved.by_ref().take(count).flatten());
        impulses.push(own);
    }
    Ok((impulses, ends))
}
