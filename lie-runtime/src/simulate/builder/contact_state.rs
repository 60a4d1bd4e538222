//! The state of unilateral contacts and of dry friction at an event: active or open, sticking or sliding, and the changes of this state.

use crate::group::TangentVector;
use crate::integrator::State;
use crate::simulate::consistent::{Collision, ConsistentValues, collide};
use crate::simulate::event::{Change, Impact};
use crate::system::{
    Declared, DryFriction, MechanicalSystem, Parametrised, UnilateralContact, UnilateralContacts, row_of,
};

/// A reaction or an impulse pulls if it is above this part of the largest one, with the sign of λ. A contact slips if its friction exceeds
/// the limit by the same part.
const PULLING: f64 = 1e-12;

/// A contact separates in an impact if its rate exceeds this part of the largest rate before the impact. It slides above the same part.
const SEPARATING: f64 = 1e-9;

/// A contact of a system with its row.
pub(super) struct ContactState<M: MechanicalSystem + Parametrised> {
    pub contact: UnilateralContact<M::Parameters, M::Scalar>,
    pub row: usize,
}

/// A friction of a system with its rows.
pub(super) struct FrictionState<M: MechanicalSystem + Parametrised> {
    pub friction: DryFriction<M::Parameters, M::Scalar>,
    /// The tangential row, which acts while the friction sticks.
    pub row: usize,
    /// The row with the normal force; `None` for a constant bound.
    pub normal: Option<usize>,
    /// The index of the event with the sliding velocity.
    speed: usize,
}

impl<M: MechanicalSystem + Parametrised> Clone for ContactState<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: MechanicalSystem + Parametrised> Copy for ContactState<M> {}

impl<M: MechanicalSystem + Parametrised> Clone for FrictionState<M> {
    fn clone(&self) -> Self {
        *self
    }
}

impl<M: MechanicalSystem + Parametrised> Copy for FrictionState<M> {}

impl<M: Declared + UnilateralContacts> ContactState<M> {
    fn of(system: &M, contact: &UnilateralContact<M::Parameters, M::Scalar>) -> Option<Self> {
        Some(ContactState { contact: *contact, row: row_of(system, contact.constraint)? })
    }

    /// Returns true if the contact is active.
    pub fn is_active(&self, system: &M) -> bool {
        (self.contact.is_active)(system.parameters(), self.contact.number)
    }

    /// Returns the largest pull of the contact: zero without the friction of a joint.
    pub fn hold(&self, system: &M) -> f64 {
        self.contact.hold.map_or(0.0, |hold| hold(system.parameters(), self.contact.number))
    }
}

impl<M: Declared + UnilateralContacts> FrictionState<M> {
    fn of(system: &M, friction: &DryFriction<M::Parameters, M::Scalar>) -> Option<Self> {
        let normal = match friction.normal {
            Some(normal) => Some(row_of(system, normal)?),
            None => None,
        };
        let mut events = system.description().events.iter();
        let speed = events.position(|event| *event == friction.speed)?;
        Some(FrictionState { friction: *friction, row: row_of(system, friction.tangent)?, normal, speed })
    }

    /// Returns true if the friction acts.
    pub fn acts(&self, system: &M) -> bool {
        (self.friction.acts)(system.parameters(), self.friction.number)
    }

    /// Returns the coefficient of friction, or the bound.
    pub fn coefficient(&self, system: &M) -> f64 {
        (self.friction.coefficient)(system.parameters(), self.friction.number)
    }

    /// Returns the force of fast sliding and the Stribeck velocity of the Stribeck law.
    pub fn stribeck(&self, system: &M) -> Option<[f64; 2]> {
        let value = |function: fn(&M::Parameters, usize) -> f64| function(system.parameters(), self.friction.number);
        self.friction.stribeck.map(|law| [law.sliding, law.velocity].map(value))
    }

    /// Returns the bound of the tangential reaction for these reactions.
    pub fn bound(&self, system: &M, reactions: &M::Multipliers) -> f64 {
        self.coefficient(system) * self.normal.map_or(1.0, |row| -reactions.component(row))
    }

    /// Returns the sign of the sliding velocity; zero if the friction sticks or does not act.
    pub fn slip(&self, system: &M) -> i32 {
        if self.acts(system) { (self.friction.slip)(system.parameters(), self.friction.number).signum() } else { 0 }
    }

    /// Returns true if the friction acts and sticks.
    pub fn sticks(&self, system: &M) -> bool {
        self.acts(system) && self.slip(system) == 0
    }

    /// Returns the sliding velocity.
    pub fn speed(&self, system: &M, state: &State<M>) -> f64 {
        let State { time, configuration, velocity, multipliers, .. } = state;
        system.declared_event(self.speed, *time, configuration, velocity, multipliers)
    }

    /// Sets the sign of the sliding velocity to the sign of a number.
    pub fn set_slip(&self, at: &mut Change<'_, M>, direction: f64) {
        let slip = if direction > 0.0 { 1 } else { -i32::from(direction < 0.0) };
        if (self.friction.slip)(at.system().parameters(), self.friction.number) != slip {
            at.set(|parameters| (self.friction.set_slip)(parameters, self.friction.number, slip));
        }
    }
}

/// Returns the contacts of a constraint, or the contact with this name.
pub(super) fn contacts_named<M: Declared + UnilateralContacts>(system: &M, name: &str) -> Vec<ContactState<M>> {
    let found = system.contacts().iter().filter(|contact| contact.constraint == name || contact.name == name);
    found.filter_map(|contact| ContactState::of(system, contact)).collect()
}

/// Returns the frictions of a system.
pub(super) fn frictions<M: Declared + UnilateralContacts>(system: &M) -> Vec<FrictionState<M>> {
    system.frictions().iter().filter_map(|friction| FrictionState::of(system, friction)).collect()
}

/// Returns the active contacts.
fn active_contacts<M: Declared + UnilateralContacts>(at: &Change<'_, M>) -> Vec<ContactState<M>> {
    let contacts = at.system().contacts().iter().filter_map(|contact| ContactState::of(at.system(), contact));
    contacts.filter(|contact| contact.is_active(at.system())).collect()
}

/// Returns the frictions that act.
fn acting_frictions<M: Declared + UnilateralContacts>(at: &Change<'_, M>) -> Vec<FrictionState<M>> {
    frictions(at.system()).into_iter().filter(|friction| friction.acts(at.system())).collect()
}

/// Ends a contact. Friction that begins or ceases to act sticks.
fn release<M: Declared + UnilateralContacts>(
    at: &mut Change<'_, M>,
    contact: &ContactState<M>,
) -> Vec<FrictionState<M>> {
    let all = frictions(at.system()).into_iter().map(|friction| (friction, friction.acts(at.system())));
    let all: Vec<_> = all.collect();
    at.set(|parameters| (contact.contact.set_active)(parameters, contact.contact.number, false));
    let changed = all.into_iter().filter(|(friction, acted)| friction.acts(at.system()) != *acted);
    let changed: Vec<_> = changed.map(|(friction, _)| friction).collect();
    for friction in &changed {
        friction.set_slip(at, 0.0);
    }
    changed
}

/// Ends a contact that pulls. At a stop, the friction of the joint then slides away from the stop.
pub(super) fn let_go<M: Declared + UnilateralContacts>(at: &mut Change<'_, M>, contact: &ContactState<M>) {
    let away = gradient(at, contact.row);
    for friction in release(at, contact) {
        if friction.acts(at.system()) {
            friction.set_slip(at, gradient(at, friction.row).dot(&away));
        }
    }
}

/// Returns the gradient Bᵀ of a row.
fn gradient<M: Declared>(at: &Change<'_, M>, row: usize) -> M::Velocity {
    let (system, state) = (at.system(), at.state_there());
    let (mut jacobian, mut rows) = (system.zero_jacobian(), system.zero_multipliers());
    system.constraint_jacobian(state.time, &state.configuration, &mut jacobian);
    rows.set_component(row, 1.0);
    let mut gradient = system.zero_velocity();
    system.jacobian_transpose_times(&jacobian, &rows, &mut gradient);
    gradient
}

/// Applies the impact of a contact. An active contact whose impulse would pull is released before, the strongest first. Returns the largest
/// rate of the contacts and frictions before the impact. No contact slides afterwards; their sliding velocities can be nonzero.
pub(super) fn strike<M: Declared + UnilateralContacts>(at: &mut Change<'_, M>, row: usize, restitution: f64) -> f64 {
    let speeds = acting_frictions(at).into_iter().map(|friction| friction.speed(at.system(), at.state_there()).abs());
    let rates = active_contacts(at).into_iter().map(|contact| rate(at, contact.row).abs());
    let scale = speeds.chain(rates).fold(f64::MIN_POSITIVE, f64::max);
    for friction in acting_frictions(at) {
        match friction.normal {
            Some(_) => friction.set_slip(at, 0.0),
            // A bounded force has no impulse: the row must be inactive.
            None if friction.sticks(at.system()) => friction.set_slip(at, 1.0),
            None => {}
        }
    }
    loop {
        let active = active_contacts(at);
        let coefficient = |contact: &ContactState<M>| if contact.row == row { restitution } else { 0.0 };
        let parts = active.iter().map(|contact| (contact.contact.constraint, coefficient(contact)));
        let impact = acting_frictions(at).iter().fold(Impact::on_contacts(parts), |impact, friction| {
            let coefficient = friction.coefficient(at.system());
            match friction.friction.normal {
                Some(normal) => impact.friction_of(normal, friction.friction.tangent, coefficient),
                None => impact,
            }
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

/// Determines which frictions stick and slide in the first state of a run, from the sliding velocities. A friction without a velocity keeps
/// a declared direction.
pub(super) fn start<M: Declared + UnilateralContacts>(at: &mut Change<'_, M>) {
    let joints = acting_frictions(at).into_iter().filter(|friction| friction.normal.is_none());
    let joints: Vec<_> = joints.map(|friction| (friction, friction.speed(at.system(), at.state_there()))).collect();
    let scale = joints.iter().fold(at.state_there().velocity.max_norm(), |scale, (_, speed)| scale.max(speed.abs()));
    for (friction, speed) in joints {
        if speed.abs() > SEPARATING * scale {
            friction.set_slip(at, speed);
        }
    }
    settle(at);
}

/// Completes the action of an event, after all simultaneous changes and impacts. After an impact, it ends the contacts that separate, and
/// starts sliding where the sliding velocity is not zero; `scale` is the largest rate before the impact, or zero without an impact.
pub(super) fn complete<M: Declared + UnilateralContacts>(at: &mut Change<'_, M>, scale: f64) {
    if scale > 0.0 {
        for contact in active_contacts(at) {
            if rate(at, contact.row) > SEPARATING * scale {
                release(at, &contact);
            }
        }
        for friction in acting_frictions(at) {
            let speed = friction.speed(at.system(), at.state_there());
            friction.set_slip(at, if speed.abs() > SEPARATING * scale { speed } else { 0.0 });
        }
    }
    settle(at);
}

/// Releases contacts with a pulling reaction, the strongest first, and starts sliding where the reaction of a friction exceeds its bound:
/// contacts with the largest excess first, and joints in their order.
///
/// The frictions of joints are the complementarity problem of a positive definite matrix. Principal pivoting with the least index ends for
/// it (Murty 1974): a friction that has started to slide here sticks again if its reaction is within the bound later.
fn settle<M: Declared + UnilateralContacts>(at: &mut Change<'_, M>) {
    let sticking = acting_frictions(at).into_iter().filter(|friction| friction.sticks(at.system()));
    let undecided: Vec<_> = sticking.filter(|friction| friction.normal.is_none()).collect();
    for _ in 0..PIVOTS {
        let active = active_contacts(at);
        // An error of the evaluation is an error of the next step.
        let Some(reactions) = reactions(at.system(), at.state_there()) else { return };
        let reaction = |row: usize| reactions.component(row);
        let largest = active.iter().fold(0.0_f64, |largest, contact| largest.max(reaction(contact.row).abs()));
        let pull = |contact: &ContactState<M>| reaction(contact.row) - contact.hold(at.system());
        let pulling = active.iter().max_by(|one, other| pull(one).total_cmp(&pull(other)));
        if let Some(contact) = pulling.filter(|contact| pull(contact) > PULLING * largest) {
            let_go(at, contact);
            continue;
        }
        let excess = |friction: FrictionState<M>| {
            (reaction(friction.row).abs() - friction.bound(at.system(), &reactions), friction, reaction(friction.row))
        };
        let contacts = acting_frictions(at).into_iter().filter(|friction| friction.normal.is_some());
        let contacts = contacts.filter(|friction| friction.sticks(at.system())).map(excess);
        match contacts.max_by(|one, other| one.0.total_cmp(&other.0)) {
            Some((excess, friction, direction)) if excess > PULLING * largest.max(direction.abs()) => {
                friction.set_slip(at, direction);
            }
            _ if undecided.iter().any(|friction| pivot(at, friction, &reactions)) => {}
            _ => return,
        }
    }
}

/// The largest number of changes at an event.
const PIVOTS: usize = 1000;

/// Changes a friction with a constant bound and without a sliding velocity, if its state contradicts its reaction. Returns true after a
/// change.
fn pivot<M: Declared + UnilateralContacts>(
    at: &mut Change<'_, M>,
    friction: &FrictionState<M>,
    with_slip: &M::Multipliers,
) -> bool {
    if !friction.acts(at.system()) {
        return false;
    }
    let before = friction.slip(at.system());
    let sticking = if before == 0 {
        with_slip.component(friction.row)
    } else {
        friction.set_slip(at, 0.0);
        let Some(reactions) = reactions(at.system(), at.state_there()) else { return false };
        reactions.component(friction.row)
    };
    let slides = sticking.abs() > friction.coefficient(at.system()) * (1.0 + PULLING);
    friction.set_slip(at, if slides { sticking } else { 0.0 });
    friction.slip(at.system()) != before
}
