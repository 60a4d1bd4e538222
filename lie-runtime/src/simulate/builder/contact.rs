//! Unilateral contacts of a simulation: impact, contact, friction and release of a declared constraint.
//!
//! An open contact (gap g > 0, reaction r = −λ = 0) has an impact when g becomes negative. An active contact (g = 0, r > 0) is released when
//! r becomes negative. With friction, an active contact sticks while |λ_t| ≤ μ r, and slides with the speed u and the sign s while s u > 0.
//! The friction of a joint has a constant bound instead of μ r. All signs are checked at the end of every step.

use super::contact_state::{
    ContactState, FrictionState, complete, contacts_named, frictions, let_go, rate, reactions, start, strike,
};
use super::simulation::Simulation;
use crate::group::TangentVector;
use crate::integrator::State;
use crate::simulate::event::{Change, EventBuilder, EventLaw, Impact, OneSided};
use crate::simulate::failure::EventError;
use crate::simulate::setup::SetupError;
use crate::system::{Declared, UnilateralContacts, smallest_pivot};

/// An impact is plastic if the rebound is slower than this part of the fastest approach so far.
const SLOW: f64 = 1e-3;

impl<'a, M: Declared + UnilateralContacts + Clone + 'a, I, O> Simulation<'a, M, I, O> {
    /// Adds the events of a declared contact: impact, contact, friction and release. A contact is a constraint with the argument `active`.
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
    /// A contact has Coulomb friction if the declaration contains its sliding velocity:
    ///
    /// ```text
    /// #[velocity_constraint(contact = floor, friction = p.mu, slip = p.slip)]
    /// fn sliding(p: &Data, v: &Velocity) -> f64 { v.position.x }
    /// ```
    ///
    /// * `slip` is 0 while the contact sticks. Otherwise it is the sign of the sliding velocity, 1 or −1.
    /// * The event `floor slip` starts sliding when the tangential reaction reaches μ times the normal reaction.
    /// * The event `floor stick` ends sliding when the sliding velocity becomes zero. The contact sticks, or slides in the other direction.
    /// * The tangential impulse of an impact is at most μ times the normal impulse.
    ///
    /// A constraint with stops has two contacts, one for each stop:
    ///
    /// ```text
    /// #[constraint(lower = p.min, upper = p.max, stop = p.stop)]
    /// fn elbow(p: &Data, q: &Position) -> f64 { q.elbow }
    /// ```
    ///
    /// * `stop` is 0 between the stops, -1 at the lower stop and 1 at the upper stop.
    /// * `.contact("elbow", 0.5)` adds the events `elbow lower` and `elbow upper`, both with `release`. These names add one stop, with its own
    ///   coefficient of restitution.
    ///
    /// # Errors
    /// The run returns [`SetupError::UnknownContact`] or [`SetupError::Restitution`] for invalid arguments.
    /// [`EventError::Penetration`](crate::simulate::event::EventError::Penetration) reports an open contact with a negative gap, and
    /// [`EventError::Adhesion`](crate::simulate::event::EventError::Adhesion) an active contact with a pulling reaction, both at the start
    /// and after every step. At the start, set the parameter to `true`, ±1 for a stop, if the body rests on the surface.
    /// [`EventError::Slip`](crate::simulate::event::EventError::Slip) and
    /// [`EventError::SlidingDirection`](crate::simulate::event::EventError::SlidingDirection) report a contradictory value of `slip`, and
    /// [`EventError::Painleve`](crate::simulate::event::EventError::Painleve) a contact force without a unique solution.
    #[doc(alias = "restitution")]
    #[doc(alias = "unilateral constraint")]
    #[doc(alias = "collision")]
    #[doc(alias = "joint limit")]
    #[doc(alias = "joint stop")]
    #[doc(alias = "Coulomb friction")]
    #[must_use]
    pub fn contact(self, name: &str, restitution: f64) -> Self {
        let contacts = contacts_named(self.system, name);
        let invalid = if contacts.is_empty() {
            let mut known: Vec<_> = self.system.contacts().iter().map(|contact| contact.constraint).collect();
            known.dedup();
            Some(SetupError::UnknownContact { name: name.to_owned(), known })
        } else if !(0.0..=1.0).contains(&restitution) {
            Some(SetupError::Restitution { name: name.to_owned(), coefficient: restitution })
        } else {
            None
        };
        if invalid.is_some() {
            return self.event(name, |_, _| f64::NAN).one_sided(invalid, PENETRATION).record();
        }
        contacts.into_iter().fold(self, |run, contact| run.events_of(contact, restitution))
    }

    /// Adds the events of a contact.
    fn events_of(self, contact: ContactState<M>, restitution: f64) -> Self {
        let (name, events) = (contact.contact.name, &self.system.description().events);
        let Some(number) = events.iter().position(|event| *event == contact.contact.gap) else { return self };
        // An event function of zero has no sign: the state of the contact excludes the event.
        let gap = move |system: &M, state: &State<M>| {
            let State { time, configuration, velocity, multipliers, .. } = state;
            if contact.is_active(system) {
                0.0
            } else {
                system.declared_event(number, *time, configuration, velocity, multipliers)
            }
        };
        let reaction = move |system: &M, state: &State<M>| {
            if contact.is_active(system) {
                let hold = contact.hold(system);
                reactions(system, state).map_or(f64::NAN, |reactions| hold - reactions.component(contact.row))
            } else {
                0.0
            }
        };
        let mut fastest = (f64::NEG_INFINITY, 0.0_f64);
        let impact = move |at: &mut Change<'_, M>| {
            at.set(|parameters| (contact.contact.set_active)(parameters, contact.contact.number, true));
            let (time, speed) = (at.time(), rate(at, contact.row).abs());
            // A simulation can run repeatedly, for example for a periodic orbit.
            fastest = (time, if time > fastest.0 { fastest.1.max(speed) } else { speed });
            let is_plastic = restitution * speed <= SLOW * fastest.1;
            let scale = strike(at, contact.row, if is_plastic { 0.0 } else { restitution });
            at.complete_with(complete, scale);
        };
        let released = move |at: &mut Change<'_, M>| {
            let_go(at, &contact);
            at.complete_with(complete, 0.0);
        };
        let friction = frictions(self.system).into_iter().find(|friction| friction.normal == Some(contact.row));
        let run = if friction.is_some() { self.with_unique_forces_of(name) } else { self };
        let struck = run.event(name, gap).law(EventLaw::Contact(restitution));
        let run = EventBuilder::one_sided(struck, None, PENETRATION).falling().apply(impact);
        let run = run.event(format!("{name} release"), reaction).one_sided(None, ADHESION).falling().apply(released);
        friction.into_iter().fold(run, Self::friction_of)
    }

    /// Adds the check of the contact forces of a contact with friction. It precedes the other checks: without a unique solution, reactions
    /// have no meaning.
    fn with_unique_forces_of(self, name: &str) -> Self {
        let pivot = move |system: &M, state: &State<M>| {
            let State { time, configuration, velocity, .. } = state;
            smallest_pivot(system, (*time, configuration, velocity)).min(1.0)
        };
        self.event(format!("{name} friction"), pivot).one_sided(None, PAINLEVE).falling().record()
    }

    /// Adds the events of the dry friction of all joints: a velocity constraint with the argument `bound`.
    ///
    /// ```text
    /// #[velocity_constraint(bound = p.torque, slip = p.slip)]
    /// fn elbow_friction(p: &Data, v: &Velocity) -> f64 { v.elbow }
    ///
    /// Simulation::of(&system).at_rest(position).dry_friction().end_time(3.0).run()?
    /// ```
    ///
    /// * The friction sticks while its reaction is at most `bound`: the sliding velocity is exactly zero. Otherwise its force is `bound`
    ///   against the sliding velocity. `bound` is a force in N or a moment in N m.
    /// * `slip` is 0 while the friction sticks. Otherwise it is the sign of the sliding velocity, 1 or −1. At the start of the run, it is
    ///   determined from the initial state. A friction without a sliding velocity keeps a `slip` of ±1.
    /// * The arguments `sliding = p.sliding, stribeck = p.speed` let the friction decrease from `bound` to `sliding` with the sliding
    ///   velocity u (Stribeck law): F = sliding + (bound − sliding) exp(−(u/stribeck)²).
    /// * The event `elbow_friction slip` starts sliding, and `elbow_friction stick` ends it. The friction sticks then, or slides in the other
    ///   direction.
    /// * The friction has no effect in an impact, because its force is bounded.
    /// * A joint with stops needs `stop = elbow`, the name of the constraint with the stops. At a stop, the friction holds a pull of at most
    ///   `bound`.
    ///
    /// # Errors
    /// The run returns [`SetupError::Friction`] for a bound that is negative or not finite, and [`SetupError::Stribeck`] for an invalid
    /// Stribeck law.
    /// [`EventError::Slip`](crate::simulate::event::EventError::Slip) and
    /// [`EventError::SlidingDirection`](crate::simulate::event::EventError::SlidingDirection) report a contradictory value of `slip`.
    #[doc(alias = "Coulomb friction")]
    #[doc(alias = "joint friction")]
    #[doc(alias = "frictionloss")]
    #[doc(alias = "stiction")]
    #[doc(alias = "Stribeck")]
    #[must_use]
    pub fn dry_friction(self) -> Self {
        let joints = frictions(self.system).into_iter().filter(|friction| friction.normal.is_none());
        let run = joints.fold(self, Self::friction_of);
        run.event("dry friction", |_, _| 1.0).law(EventLaw::DryFriction).at_start().apply(start)
    }

    /// Adds the events of a friction.
    fn friction_of(self, friction: FrictionState<M>) -> Self {
        let name = friction.friction.name;
        let coefficient = friction.coefficient(self.system);
        // The negation covers NaN.
        let invalid = if coefficient >= 0.0 && coefficient.is_finite() {
            let law = friction.stribeck(self.system);
            let valid = |&[sliding, velocity]: &[f64; 2]| {
                (0.0..=coefficient).contains(&sliding) && velocity > 0.0 && velocity.is_finite()
            };
            law.filter(|law| !valid(law)).map(|[sliding, velocity]| SetupError::Stribeck {
                name: name.to_owned(),
                bound: coefficient,
                sliding,
                velocity,
            })
        } else {
            Some(SetupError::Friction { name: name.to_owned(), coefficient })
        };
        let margin = move |system: &M, state: &State<M>| {
            if !friction.sticks(system) {
                return 0.0;
            }
            reactions(system, state).map_or(f64::NAN, |reactions| {
                friction.bound(system, &reactions) - reactions.component(friction.row).abs()
            })
        };
        let slips = move |at: &mut Change<'_, M>| {
            let Some(reactions) = reactions(at.system(), at.state_there()) else { return };
            friction.set_slip(at, reactions.component(friction.row));
            at.complete_with(complete, 0.0);
        };
        let speed = move |system: &M, state: &State<M>| match friction.slip(system) {
            0 => 0.0,
            slip => f64::from(slip) * friction.speed(system, state),
        };
        let sticks = move |at: &mut Change<'_, M>| {
            friction.set_slip(at, 0.0);
            at.collide(Impact::on(friction.friction.tangent, 0.0));
            at.complete_with(complete, 0.0);
        };
        let run = self.event(format!("{name} slip"), margin).one_sided(invalid, SLIP).falling().apply(slips);
        run.event(format!("{name} stick"), speed).one_sided(None, DIRECTION).falling().apply(sticks)
    }
}

const PENETRATION: OneSided = OneSided::new(|gap| EventError::Penetration { gap }).that_recovers();
const ADHESION: OneSided = OneSided::new(|reaction| EventError::Adhesion { reaction });
const SLIP: OneSided = OneSided::new(|margin| EventError::Slip { excess: -margin }).that_starts_positive();
const DIRECTION: OneSided = OneSided::new(|speed| EventError::SlidingDirection { speed }).that_starts_positive();
const PAINLEVE: OneSided = OneSided::new(|pivot| EventError::Painleve { pivot }).that_starts_positive();
