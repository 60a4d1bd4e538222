//! Event groups: events within round-off of one instant, whose actions are applied together.
//!
//! All actions see the state and the system before the group. Their changes of the state and of parameters are merged,
//! and all their impacts are solved as one problem.

use super::change::{ChangeBy, SecondPart};
use super::impact::Impulse;
use crate::integrator::Solution;
use crate::scalar::Scalar;
use crate::simulate::failure::{EventError, Failure};
use crate::simulate::motion::{Motion, ScalarOf, Simulated};
use crate::simulate::setup::Options;

/// An event of a group with a change: its name, and the change.
pub(in crate::simulate) type GroupMember<'c, 'a, P> = (String, &'c mut ChangeBy<'a, P>);

/// The outcome of an event group, in addition to the system and the state.
pub(in crate::simulate) struct GroupOutcome<P: Simulated> {
    /// The impulses of each event of the group.
    pub impulses: Vec<Vec<Impulse>>,
    /// True if the run ends there.
    pub ends: bool,
    /// The changed state with the λ and v' after the event, before its projection onto the constraint manifold. The projection removes the
    /// error of the step and is not a part of the motion.
    pub as_changed: P::State,
}

/// Changes the system and the state at the event. The dual number `by` is the derivative part of the event time. Afterwards the state is
/// consistent and carried back to its plain time; if the run ends, it remains at the event.
///
/// # Errors
/// The failure of an action, contradictory actions, and a changed state from which no motion starts.
pub(in crate::simulate) fn apply_group<P: Simulated>(
    group: &mut [GroupMember<'_, '_, P>],
    (system, state): (&mut P::System, &mut P::State),
    by: ScalarOf<P>,
    options: &Options,
) -> Result<GroupOutcome<P>, Failure> {
    let (time, names) = (state.time(), group.iter().map(|(name, _)| name.as_str()).collect::<Vec<_>>().join("`, `"));
    let moment = ScalarOf::<P>::from_f64(time) + by;
    let failed = |error| Failure::Event { event: names.clone(), time, error: Box::new(error) };
    let (impulses, ends) = match group {
        [(name, change)] => {
            let outcome = change.apply(name, moment, (system, state))?;
            outcome.check(moment).map_err(failed)?;
            if let Some(completion) = outcome.completion {
                change.complete(completion, moment, (system, state)).map_err(failed)?;
            }
            (vec![outcome.impacts.impulses], outcome.ends)
        }
        _ => apply_together(group, (system, state), moment, failed)?,
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
            return Ok(GroupOutcome { impulses, ends, as_changed });
        }
        state.carry(system, moment, -by)?;
        next = consistent(state)?;
    }
    *state = next;
    as_changed.take_reactions_of(state);
    Ok(GroupOutcome { impulses, ends, as_changed })
}

/// Applies several actions, each to the system and the state before the group. Returns the impulses and true if the run ends.
fn apply_together<P: Simulated>(
    group: &mut [GroupMember<'_, '_, P>],
    (system, state): (&mut P::System, &mut P::State),
    time: ScalarOf<P>,
    failed: impl Fn(EventError) -> Failure,
) -> Result<(Vec<Vec<Impulse>>, bool), Failure> {
    let before = state.clone();
    let mut system_before: Option<Box<P::System>> = None;
    let (mut all, mut ends) = (Vec::with_capacity(group.len()), false);
    let mut completion: Option<SecondPart<P>> = None;
    for (name, change) in group.iter_mut() {
        let mut own = match &system_before {
            Some(system) => change.own(system),
            None => change.own(system_before.insert(change.own(system))),
        };
        let mut changed = before.clone();
        let outcome = change.apply(name, time, (&mut own, &mut changed))?;
        if let Some(states) = &outcome.impacts.states {
            changed.take_velocity_of(&states[0]);
        }
        if let (Some(merge), Some(before)) = (outcome.merge, &system_before) {
            merge(system, before, &own).map_err(&failed)?;
        }
        state.merge(system, &before, &changed).map_err(|quantity| failed(EventError::Conflict { quantity }))?;
        ends |= outcome.ends;
        if let Some((own, argument)) = outcome.completion {
            let largest = completion.as_ref().map_or(argument, |(_, largest)| largest.max(argument));
            completion = Some((own, largest));
        }
        all.push(outcome.impacts);
    }
    let counts: Vec<usize> = all.iter().map(|impacts| impacts.requests.len()).collect();
    let requests: Vec<_> = all.iter().flat_map(|impacts| &impacts.requests).collect();
    let solved = all.iter().find_map(|impacts| impacts.solve).filter(|_| !requests.is_empty());
    let impulses = match solved {
        None => all.iter().map(|impacts| impacts.impulses.clone()).collect(),
        Some((solve, check)) => {
            check(&requests, time, state).map_err(&failed)?;
            let mut solved = solve(&requests, time, state).map_err(&failed)?.into_iter();
            let mut impulses = Vec::with_capacity(all.len());
            for (impacts, count) in all.iter().zip(counts) {
                let mut own = impacts.settled.clone();
                own.extend(solved.by_ref().take(count).flatten());
                impulses.push(own);
            }
            impulses
        }
    };
    if let (Some(completion), Some((_, change))) = (completion, group.first()) {
        change.complete(completion, time, (system, state)).map_err(&failed)?;
    }
    Ok((impulses, ends))
}
