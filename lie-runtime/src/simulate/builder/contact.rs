//! Unilateral contacts of a simulation: impact, contact and release of a declared constraint.
//!
//! An open contact (gap g > 0, reaction r = −λ = 0) has an impact when g becomes negative. An active contact (g = 0, r > 0) is released when
//! r becomes negative. Both signs are checked at the end of every step.

use super::simulation::Simulation;
use crate::group::TangentVector;
use crate::integrator::State;
use crate::simulate::consistent::{Collision, ConsistentValues, collide};
use crate::simulate::event::{Change, EventBuilder, Impact, OneSided};
use crate::simulate::failure::EventError;
use crate::simulate::setup::SetupError;
use crate::system::{Declared, MechanicalSystem, UnilateralContact, UnilateralContacts};

/// An impact is plastic if the rebound is slower than this part of the fastest approach so far.
const SLOW: f64 = 1e-3;
/// A contact separates in an impact if its rate exceeds this part of the rate of the impact.
const SEPARATING: f64 = 1e-9;
/// A reaction or an impulse pulls if it is above this part of the largest one, with the sign of λ.
const PULLING: f64 = 1e-12;

impl<'a, M: Declared + UnilateralContacts + Clone + 'a, I, O> Simulation<'a, M, I, O> {
    /// Adds the events of a declared contact: impact, contact and release. A contact is a constraint with the argument `active`.
    ///
    /// ```text
    /// #[constraint(active = p.on_floor)]
    /// fn floor(p: &Data, q: &Pose) -> f64 { q.position.z - RADIUS }
    ///
    /// Simulation::of(&system).at_rest(pose).contact("floor", 0.8).end_time(3.0).run()?
    /// ```
    ///
    /// * The constraint is the gap. It must be positive outside the surface.
    /// * The event `floor` is an impact with the coefficient of `restitution` between 0 and 1 (Newton's law of impact). Other active
    ///   contacts take part in the impact and can separate.
    /// * An impact is plastic if its rebound is slower than 10⁻³ of the fastest approach so far. The contact is then active, unless its
    ///   reaction would pull.
    /// * The event `floor release` ends the contact when the reaction changes from pushing to pulling.
    ///
    /// # Errors
    /// The run returns [`SetupError::UnknownContact`] or [`SetupError::Restitution`] for invalid arguments.
    /// [`EventError::Penetration`](crate::simulate::event::EventError::Penetration) reports an open contact with a negative gap, and
    /// [`EventError::Adhesion`](crate::simulate::event::EventError::Adhesion) an active contact with a pulling reaction, both at the start
    /// and after every step. At the start, set the parameter to `true` if the body rests on the surface.
    #[doc(alias = "restitution")]
    #[doc(alias = "unilateral constraint")]
    #[doc(alias = "collision")]
    #[must_use]
    pub fn contact(self, name: &str, restitution: f64) -> Self {
        let contacts = M::contacts();
        let known: Vec<_> = contacts.iter().map(|contact| contact.constraint).collect();
        let invalid = if !known.contains(&name) {
            Some(SetupError::UnknownContact { name: name.to_owned(), known })
        } else if !(0.0..=1.0).contains(&restitution) {
            Some(SetupError::Restitution { name: name.to_owned(), coefficient: restitution })
        } else {
            None
        };
        let row = |constraint: &str| row_of(self.system, constraint);
        let number = |gap: &str| self.system.description().events.iter().position(|event| *event == gap);
        let found = contacts.into_iter().find(|contact| contact.constraint == name);
        let found = found.and_then(|contact| Some((row(name)?, number(contact.gap)?, contact)));
        let (row, number, UnilateralContact { is_active, set_active, .. }) = match found {
            Some(found) if invalid.is_none() => found,
            _ => return self.event(name, |_, _| f64::NAN).one_sided(invalid, PENETRATION).record(),
        };
        // An event function of zero has no sign: the state of the contact excludes the event.
        let gap = move |system: &M, state: &State<M>| {
            let State { time, configuration, velocity, multipliers, .. } = state;
            if is_active(system.parameters()) {
                0.0
            } else {
                system.declared_event(number, *time, configuration, velocity, multipliers)
            }
        };
        let reaction = move |system: &M, state: &State<M>| {
            if is_active(system.parameters()) {
                reactions(system, state).map_or(f64::NAN, |reactions| -reactions.component(row))
            } else {
                0.0
            }
        };
        let mut fastest = (f64::NEG_INFINITY, 0.0_f64);
        let impact = move |at: &mut Change<'_, M>| {
            at.set(|parameters| set_active(parameters, true));
            let (time, speed) = (at.time(), rate(at, row).abs());
            // A simulation can run repeatedly, for example for a periodic orbit.
            fastest = (time, if time > fastest.0 { fastest.1.max(speed) } else { speed });
            let is_plastic = restitution * speed <= SLOW * fastest.1;
            strike(at, row, if is_plastic { 0.0 } else { restitution });
            let active = active_contacts(at);
            for (other, contact) in &active {
                if rate(at, *other) > SEPARATING * speed {
                    at.set(|parameters| (contact.set_active)(parameters, false));
                }
            }
            release_pulling(at);
        };
        let release = move |at: &mut Change<'_, M>| {
            at.set(|parameters| set_active(parameters, false));
            release_pulling(at);
        };
        let released = format!("{name} release");
        let run = EventBuilder::one_sided(self.event(name, gap), None, PENETRATION).falling().apply(impact);
        run.event(released, reaction).one_sided(None, ADHESION).falling().apply(release)
    }
}

const PENETRATION: OneSided = OneSided { error: |gap| EventError::Penetration { gap }, may_recover: true };
const ADHESION: OneSided = OneSided { error: |reaction| EventError::Adhesion { reaction }, may_recover: false };

/// The active contacts of a system with parameters `P`, each with its row.
type Active<P> = Vec<(usize, UnilateralContact<P>)>;

/// Returns the row of a constraint.
fn row_of<M: MechanicalSystem>(system: &M, constraint: &str) -> Option<usize> {
    let mut constraints = system.description().constraints.iter();
    constraints.find(|known| known.name == constraint).map(|known| known.offset)
}

/// Returns the active contacts.
fn active_contacts<M: Declared + UnilateralContacts>(at: &Change<'_, M>) -> Active<M::Parameters> {
    let system = at.system();
    let active = M::contacts().into_iter().filter(|contact| (contact.is_active)(system.parameters()));
    active.filter_map(|contact| Some((row_of(system, contact.constraint)?, contact))).collect()
}

/// Applies the impact of a contact. An active contact whose impulse would pull is released before, the strongest first.
fn strike<M: Declared + UnilateralContacts>(at: &mut Change<'_, M>, row: usize, restitution: f64) {
    loop {
        let active = active_contacts(at);
        let coefficient = |other: usize| if other == row { restitution } else { 0.0 };
        let parts = active.iter().map(|(other, contact)| (contact.constraint, coefficient(*other)));
        let impact = Impact::on_contacts(parts);
        let pulling = pulling_impulse(at, row, &impact, &active);
        let Some((_, contact)) = pulling.and_then(|index| active.get(index)) else {
            at.collide(impact);
            return;
        };
        at.set(|parameters| (contact.set_active)(parameters, false));
        if active_contacts(at).len() == active.len() {
            // The action has failed, and later changes have no effect.
            return;
        }
    }
}

/// Returns the index of the contact with the strongest pulling impulse, except the contact in this row. `None` also for an impact with an
/// error, which `collide` reports.
fn pulling_impulse<M: Declared + UnilateralContacts>(
    at: &Change<'_, M>,
    row: usize,
    impact: &Impact<f64>,
    active: &Active<M::Parameters>,
) -> Option<usize> {
    let (system, state) = (at.system(), at.state_there());
    let struck = impact.rows_in(system).ok()?;
    let collision = Collision { system, configuration: &state.configuration, struck: &struck };
    let impulses = collide(&[collision], state.time, &mut state.velocity.clone()).ok()?.pop()?;
    let impulses: Vec<f64> = impulses.iter().map(|rows| rows.iter().sum()).collect();
    let largest = impulses.iter().fold(0.0_f64, |largest, impulse| largest.max(impulse.abs()));
    let others = (0..active.len()).filter(|index| active[*index].0 != row && impulses[*index] > PULLING * largest);
    others.max_by(|one, other| impulses[*one].total_cmp(&impulses[*other]))
}

/// Returns the rate B v + b of a row.
fn rate<M: Declared>(at: &Change<'_, M>, row: usize) -> f64 {
    let (system, State { time, configuration, velocity, .. }) = (at.system(), at.state_there());
    let (mut jacobian, mut drift) = (system.zero_jacobian(), system.zero_multipliers());
    let mut rates = system.zero_multipliers();
    system.constraint_jacobian(*time, configuration, &mut jacobian);
    system.jacobian_times(&jacobian, velocity, &mut rates);
    system.constraint_drift(*time, configuration, &mut drift);
    rates.component(row) + drift.component(row)
}

/// Returns λ of the index-1 system; the multipliers of a method can have a lower order.
fn reactions<M: Declared>(system: &M, state: &State<M>) -> Option<M::Multipliers> {
    let mut here = state.clone();
    ConsistentValues::of(system).accelerations(system, &mut here).ok()?;
    Some(here.multipliers)
}

/// Releases contacts with a pulling reaction, the strongest first.
fn release_pulling<M: Declared + UnilateralContacts>(at: &mut Change<'_, M>) {
    loop {
        let active = active_contacts(at);
        // An error of the evaluation is an error of the next step.
        let Some(reactions) = reactions(at.system(), at.state_there()) else { return };
        let largest = active.iter().fold(0.0_f64, |largest, (row, _)| largest.max(reactions.component(*row).abs()));
        let pulling = active.iter().max_by(|one, other| {
            let [one, other] = [one, other].map(|(row, _)| reactions.component(*row));
            one.total_cmp(&other)
        });
        match pulling {
            Some((row, contact)) if reactions.component(*row) > PULLING * largest => {
                let before = active.len();
                at.set(|parameters| (contact.set_active)(parameters, false));
                if active_contacts(at).len() == before {
                    // The action has failed, and later changes have no effect.
                    return;
                }
            }
            _ => return,
        }
    }
}
