//! The state of unilateral contacts at an event: active, sticking, sliding or open, and the changes of this state.

use crate::group::TangentVector;
use crate::integrator::State;
use crate::simulate::consistent::{Collision, ConsistentValues, collide};
use crate::simulate::event::{Change, Impact};
use crate::system::{
    ContactFriction, Declared, MechanicalSystem, Parametrised, UnilateralContact, UnilateralContacts, row_of,
};

/// A reaction or an impulse pulls if it is above this part of the largest one, with the sign of λ. A contact slips if its friction exceeds
/// the limit by the same part.
const PULLING: f64 = 1e-12;

/// A contact separates in an impact if its rate exceeds this part of the largest rate before the impact. It slides above the same part.
const SEPARATING: f64 = 1e-9;

/// The friction of a contact, and its tangential row.
type TangentialContact<M> = (ContactFriction<<M as Parametrised>::Parameters, <M as MechanicalSystem>::Scalar>, usize);

/// A contact of a system with its rows.
pub(super) struct ContactState<M: MechanicalSystem + Parametrised> {
    pub contact: UnilateralContact<M::Parameters, M::Scalar>,
    pub row: usize,
    /// The friction with the tangential row.
    pub friction: Option<TangentialContact<M>>,
}

impl<M: MechanicalSystem + Parametrised> Clone for ContactState<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: MechanicalSystem + Parametrised> Copy for ContactState<M> {}

impl<M: Declared + UnilateralContacts> ContactState<M> {
    fn of(system: &M, contact: &UnilateralContact<M::Parameters, M::Scalar>) -> Option<Self> {
        let friction = match contact.friction {
            Some(friction) => Some((friction, row_of(system, friction.tangent)?)),
            None => None,
        };
        Some(ContactState { contact: *contact, row: row_of(system, contact.constraint)?, friction })
    }

    /// Returns true if the contact is active.
    pub fn is_active(&self, system: &M) -> bool {
        (self.contact.is_active)(system.parameters())
    }

    /// Returns the coefficient of friction; zero without friction.
    pub fn coefficient(&self, system: &M) -> f64 {
        self.friction.map_or(0.0, |(friction, _)| (friction.coefficient)(system.parameters()))
    }

    /// Returns the sign of the sliding velocity; zero for a contact that sticks or has no friction.
    pub fn slip(&self, system: &M) -> i32 {
        self.friction.map_or(0, |(friction, _)| (friction.slip)(system.parameters()))
    }

    /// Sets the sign of the sliding velocity to the sign of a number.
    pub fn set_slip(&self, at: &mut Change<'_, M>, direction: f64) {
        let Some((friction, _)) = self.friction else { return };
        let slip = if direction > 0.0 { 1 } else { -i32::from(direction < 0.0) };
        if (friction.slip)(at.system().parameters()) != slip {
            at.set(|parameters| (friction.set_slip)(parameters, slip));
        }
    }
}

/// Returns the contacts of a constraint, or the contact with this name.
pub(super) fn contacts_named<M: Declared + UnilateralContacts>(system: &M, name: &str) -> Vec<ContactState<M>> {
    let found = M::contacts().iter().filter(|contact| contact.constraint == name || contact.name == name);
    found.filter_map(|contact| ContactState::of(system, contact)).collect()
}

/// Returns the active contacts.
pub(super) fn active_contacts<M: Declared + UnilateralContacts>(at: &Change<'_, M>) -> Vec<ContactState<M>> {
    let contacts = M::contacts().iter().filter_map(|contact| ContactState::of(at.system(), contact));
    contacts.filter(|contact| contact.is_active(at.system())).collect()
}

/// Ends a contact.
pub(super) fn release<M: Declared + UnilateralContacts>(at: &mut Change<'_, M>, contact: &ContactState<M>) {
    at.set(|parameters| (contact.contact.set_active)(parameters, false));
    contact.set_slip(at, 0.0);
}

/// Applies the impact of a contact. An active contact whose impulse would pull is released before, the strongest first. Returns the largest
/// rate of the contacts before the impact. No contact slides afterwards; their sliding velocities can be nonzero.
pub(super) fn strike<M: Declared + UnilateralContacts>(at: &mut Change<'_, M>, row: usize, restitution: f64) -> f64 {
    for contact in active_contacts(at) {
        contact.set_slip(at, 0.0);
    }
    let active = active_contacts(at);
    let rows = active.iter().flat_map(|contact| [Some(contact.row), contact.friction.map(|(_, tangent)| tangent)]);
    let scale = rows.flatten().fold(0.0_f64, |scale, row| scale.max(rate(at, row).abs()));
    loop {
        let active = active_contacts(at);
        let coefficient = |contact: &ContactState<M>| if contact.row == row { restitution } else { 0.0 };
        let parts = active.iter().map(|contact| (contact.contact.constraint, coefficient(contact)));
        let impact = active.iter().fold(Impact::on_contacts(parts), |impact, contact| match contact.friction {
            Some((friction, _)) => {
                impact.friction_of(contact.contact.constraint, friction.tangent, contact.coefficient(at.system()))
            }
            None => impact,
        });
        let pulling = pulling_impulse(at, row, &impact, &active);
        let Some(contact) = pulling.and_then(|index| active.get(index)) else {
            at.collide(impact);
            return scale;
        };
        release(at, contact);
        if active_contacts(at).len() == active.len() {
            // The action has failed, and later changes have no effect.
            return scale;
        }
    }
}

/// Ends the contacts that separate in an impact, and starts sliding where the sliding velocity is not zero. `scale` is the largest rate of the
/// contacts before the impact. All simultaneous impacts have been applied.
pub(super) fn separate<M: Declared + UnilateralContacts>(at: &mut Change<'_, M>, scale: f64) {
    for contact in active_contacts(at) {
        if rate(at, contact.row) > SEPARATING * scale {
            release(at, &contact);
        } else if let Some((_, tangent)) = contact.friction {
            let speed = rate(at, tangent);
            if speed.abs() > SEPARATING * scale {
                contact.set_slip(at, speed);
            }
        }
    }
    settle(at);
}

/// Returns the index of the contact with the strongest pulling impulse, except the contact in this row. `None` also for an impact with an
/// error, which `collide` reports.
fn pulling_impulse<M: Declared + UnilateralContacts>(
    at: &Change<'_, M>,
    row: usize,
    impact: &Impact<f64>,
    active: &[ContactState<M>],
) -> Option<usize> {
    let (system, state) = (at.system(), at.state_there());
    let struck = impact.rows_in(system).ok()?;
    let collision = Collision { system, configuration: &state.configuration, struck: &struck };
    let impulses = collide(&[collision], state.time, &mut state.velocity.clone()).ok()?.pop()?;
    let impulses: Vec<f64> = impulses.iter().map(|rows| rows.iter().sum()).collect();
    let largest = impulses.iter().fold(0.0_f64, |largest, impulse| largest.max(impulse.abs()));
    let others = (0..active.len()).filter(|index| active[*index].row != row && impulses[*index] > PULLING * largest);
    others.max_by(|one, other| impulses[*one].total_cmp(&impulses[*other]))
}

/// Returns the rate B v + b of a row.
pub(super) fn rate<M: Declared>(at: &Change<'_, M>, row: usize) -> f64 {
    let (system, State { time, configuration, velocity, .. }) = (at.system(), at.state_there());
    let (mut jacobian, mut drift) = (system.zero_jacobian(), system.zero_multipliers());
    let mut rates = system.zero_multipliers();
    system.constraint_jacobian(*time, configuration, &mut jacobian);
    system.jacobian_times(&jacobian, velocity, &mut rates);
    system.constraint_drift(*time, configuration, &mut drift);
    rates.component(row) + drift.component(row)
}

/// Returns λ of the index-1 system; the multipliers of a method can have a lower order.
pub(super) fn reactions<M: Declared>(system: &M, state: &State<M>) -> Option<M::Multipliers> {
    let mut here = state.clone();
    ConsistentValues::of(system).accelerations(system, &mut here).ok()?;
    Some(here.multipliers)
}

/// Releases contacts with a pulling reaction, the strongest first, and starts sliding where a sticking contact exceeds its friction limit,
/// the largest excess first.
pub(super) fn settle<M: Declared + UnilateralContacts>(at: &mut Change<'_, M>) {
    // Each iteration releases a contact or starts sliding.
    for _ in 0..2 * M::contacts().len() {
        let active = active_contacts(at);
        // An error of the evaluation is an error of the next step.
        let Some(reactions) = reactions(at.system(), at.state_there()) else { return };
        let reaction = |row: usize| reactions.component(row);
        let largest = active.iter().fold(0.0_f64, |largest, contact| largest.max(reaction(contact.row).abs()));
        let pulling = active.iter().max_by(|one, other| reaction(one.row).total_cmp(&reaction(other.row)));
        if let Some(contact) = pulling.filter(|contact| reaction(contact.row) > PULLING * largest) {
            release(at, contact);
            continue;
        }
        let excess = |contact: &&ContactState<M>| {
            let (_, tangent) = contact.friction.filter(|_| contact.slip(at.system()) == 0)?;
            Some((
                reaction(tangent).abs() + contact.coefficient(at.system()) * reaction(contact.row),
                **contact,
                reaction(tangent),
            ))
        };
        let worst = active.iter().filter_map(|contact| excess(&contact));
        let worst = worst.max_by(|one, other| one.0.total_cmp(&other.0));
        match worst {
            Some((excess, contact, direction)) if excess > PULLING * largest.max(direction.abs()) => {
                contact.set_slip(at, direction);
            }
            _ => return,
        }
    }
}
