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

/// The contacts and frictions that a time-stepping method imposes in every step, instead of their events.
#[doc(hidden)]
#[derive(Clone, Debug, Default, PartialEq)]
pub struct ImposedLaws {
    /// The contacts by name, with their coefficients of restitution.
    pub restitution: Vec<(String, f64)>,
    /// True for the dry friction of joints.
    pub dry_friction: bool,
}

/// The law of a row. The rate of the row is u = B v + b, and its impulse is p.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(hidden)]
pub enum RowLaw {
    /// A contact with this coefficient of restitution e: 0 ≤ p ⟂ u⁺ + e u⁻ ≥ 0.
    Contact {
        /// e.
        restitution: f64,
    },
    /// Friction of a contact: |p| is at most μ times the impulse of the contact.
    ContactFriction {
        /// The position of the contact in the list of rows.
        contact: usize,
        /// μ.
        coefficient: f64,
    },
    /// Friction of a joint: |p| is at most the bound times the step size.
    JointFriction {
        /// The bound, a force or a moment.
        bound: f64,
        /// The force of fast sliding and the Stribeck velocity, with which the bound decreases; `None` for a constant bound.
        stribeck: Option<[f64; 2]>,
    },
}

/// A row with its law.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct LawRow {
    /// The name of its events.
    pub name: &'static str,
    /// The position in [`LawRows::acting`] of the system in which the row acts.
    pub acting: usize,
    /// The row in this system.
    pub row: usize,
    /// The law.
    pub law: RowLaw,
}

/// The rows of a system with imposed laws.
#[derive(Debug)]
#[doc(hidden)]
pub struct LawRows<M> {
    /// The system without these contacts and frictions: the other constraints act.
    pub free: M,
    /// Systems in which the rows act. The first one has open contacts and no sliding friction of joints: its forces are the forces of `free`
    /// without friction. The lower and the upper stop of a joint are one row in two systems.
    pub acting: Vec<M>,
    /// The rows; a contact precedes its friction.
    pub rows: Vec<LawRow>,
}

impl<M> LawRows<M> {
    /// Returns the number of constraint rows with a law. Both stops of a joint have one row.
    pub fn constraint_rows(&self) -> usize {
        let mut own: Vec<usize> = self.rows.iter().map(|row| row.row).collect();
        own.sort_unstable();
        own.dedup();
        own.len()
    }
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
