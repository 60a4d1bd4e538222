//! Unilateral contacts, stops and dry friction of a declaration.

use syn::{Expr, ExprField, Ident, Member};

/// The unilateral contacts, stops and frictions of a declaration.
#[derive(Clone, Default)]
pub(crate) struct Contacts {
    pub contacts: Vec<Contact>,
    pub frictions: Vec<Friction>,
}

impl Contacts {
    /// True without contacts and frictions.
    pub fn is_empty(&self) -> bool {
        self.contacts.is_empty() && self.frictions.is_empty()
    }
}

/// A contact: its name, its constraint, the event with its gap, and its state. A stop has one or two of them.
#[derive(Clone)]
pub(crate) struct Contact {
    pub name: String,
    pub constraint: Ident,
    pub gap: Ident,
    pub state: ContactFlag,
    /// The bound of the dry friction at a stop.
    pub hold: Option<FrictionCoefficient>,
}

/// The parameter that activates a contact.
#[derive(Clone)]
pub(crate) enum ContactFlag {
    /// A `bool`.
    Active(Member),
    /// An `i32` that has this sign at the stop, and is zero between the stops.
    Stop(Member, i32),
}

/// Friction: its velocity constraint, its event, its parameters, and the constraint of its contact or of its stop.
#[derive(Clone)]
pub(crate) struct Friction {
    pub tangent: String,
    pub speed: String,
    /// The coefficient of friction, or the bound.
    pub coefficient: FrictionCoefficient,
    pub stribeck: Option<Stribeck>,
    pub slip: ExprField,
    pub place: FrictionPlace,
}

/// The Stribeck law of a joint: the force of fast sliding, and the Stribeck velocity. The bound is the force at the velocity zero.
#[derive(Clone)]
pub(crate) struct Stribeck {
    pub sliding: FrictionCoefficient,
    pub velocity: FrictionCoefficient,
}

/// The constraint on which friction depends, with its parameter.
#[derive(Clone)]
pub(crate) enum FrictionPlace {
    /// The friction of a contact acts while the contact is active.
    Contact(Ident, Member),
    /// The friction of a joint acts while the joint is not at its stop.
    Stop(Member),
    /// The friction of a joint without stops always acts.
    Joint,
}

/// A coefficient of friction, or the bound of a dry friction.
#[derive(Clone)]
pub(crate) enum FrictionCoefficient {
    /// A literal, or the path of a constant.
    Constant(Box<Expr>),
    /// A parameter.
    Parameter(Member),
}
