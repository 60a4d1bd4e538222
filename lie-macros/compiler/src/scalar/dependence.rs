//! The quantities that a node depends on.

use crate::expr::Leaf;

/// The quantities that a node depends on, as a set.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub(crate) struct Dependence(u8);

impl Dependence {
    /// Constants.
    pub const NONE: Dependence = Dependence(0);
    /// Parameters, and values that depend only on parameters.
    pub const PARAMETERS: Dependence = Dependence(1);
    /// The time, and functions of time.
    pub const TIME: Dependence = Dependence(2);
    /// The configuration.
    pub const CONFIGURATION: Dependence = Dependence(4);
    /// The velocity.
    pub const VELOCITY: Dependence = Dependence(8);
    /// The index of an element.
    pub const INDEX: Dependence = Dependence(32);
    /// Any other argument of a kernel.
    pub const OTHER: Dependence = Dependence(16);

    /// The union.
    pub fn with(self, other: Dependence) -> Dependence {
        Dependence(self.0 | other.0)
    }

    /// True if nothing outside of `other` is in the set.
    pub fn within(self, other: Dependence) -> bool {
        self.0 & !other.0 == 0
    }

    /// True if the two sets have a common member.
    pub fn meets(self, other: Dependence) -> bool {
        self.0 & other.0 != 0
    }

    /// Returns the dependence of a leaf.
    pub fn of(leaf: Leaf) -> Dependence {
        match leaf {
            // The length of a chain is fixed when the system is created, as parameters are.
            Leaf::Parameter { .. } | Leaf::Mass(..) | Leaf::Length => Dependence::PARAMETERS,
            Leaf::Item { at, .. } if at.is_constant() => Dependence::PARAMETERS,
            Leaf::Item { .. } => Dependence::PARAMETERS.with(Dependence::INDEX),
            Leaf::Index => Dependence::INDEX,
            Leaf::Time | Leaf::Input { .. } => Dependence::TIME,
            Leaf::Configuration(..) => Dependence::CONFIGURATION,
            Leaf::Velocity(..) => Dependence::VELOCITY,
            _ => Dependence::OTHER,
        }
    }
}
