//! One-sided laws of a system: a contact only pushes and has no penetration, and dry friction has a bound and opposes the motion.

use crate::messages::see;

/// A law that needs the events of a run, by its name.
#[doc(hidden)]
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum OneSidedLaw {
    /// A contact only pushes, and has no penetration.
    Contact {
        /// The name of its events.
        name: &'static str,
        /// True if its constraint acts.
        is_active: bool,
    },
    /// The friction of a joint has a bound and opposes the motion.
    Friction(&'static str),
}

/// A state violates the law of a unilateral contact, of a joint stop or of dry friction.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LawViolation {
    /// The gap of an open contact is negative.
    #[error(
        "contact `{contact}` is open, and its gap is {gap:.3e}. Set `{remedy}` in the parameters to activate the contact {}",
        see("contacts")
    )]
    Penetration {
        /// The constraint of the contact, with `lower` or `upper` for a stop.
        contact: &'static str,
        /// The gap.
        gap: f64,
        /// The assignment of the parameter that activates the contact.
        remedy: &'static str,
    },
    /// The reaction of an active contact pulls.
    #[error(
        "contact `{contact}` is active, and its reaction is {reaction:.3e}: it pulls. Set `{remedy}` in the parameters to open the contact {}",
        see("contacts")
    )]
    Adhesion {
        /// The constraint of the contact, with `lower` or `upper` for a stop.
        contact: &'static str,
        /// The reaction, positive if it pushes.
        reaction: f64,
        /// The assignment of the parameter that opens the contact.
        remedy: &'static str,
    },
    /// The reaction of a friction that sticks exceeds its bound.
    #[error(
        "the friction of `{friction}` sticks, and its reaction {reaction:.3e} exceeds its bound {bound:.3e}. Increase the bound or reduce the \
         load, or set `{flag} = {}` and simulate the sliding motion {}",
        sign(*.reaction),
        see("dry-friction-at-rest")
    )]
    Slip {
        /// The constraint of the contact, or the velocity constraint of a joint.
        friction: &'static str,
        /// The reaction of the velocity constraint, with the sign of the sliding velocity that starts.
        reaction: f64,
        /// The coefficient of friction times the normal reaction, or the bound of the joint.
        bound: f64,
        /// The parameter with the sign of the sliding velocity.
        flag: &'static str,
    },
    /// The velocity of a sliding friction does not have the declared sign.
    #[error(
        "the friction of `{friction}` slides with the velocity {speed:.3e} against the sign of `{flag}`. Set `{flag}` to the sign of the sliding \
         velocity, or to 0 for a friction that sticks {}",
        see("dry-friction-at-rest")
    )]
    SlidingDirection {
        /// The constraint of the contact, or the velocity constraint of a joint.
        friction: &'static str,
        /// The sliding velocity in the declared direction.
        speed: f64,
        /// The parameter with the sign of the sliding velocity.
        flag: &'static str,
    },
}

crate::messages::debug_is_the_message!(LawViolation);

/// The value of a sign in the parameters.
fn sign(value: f64) -> i32 {
    if value < 0.0 { -1 } else { 1 }
}
