//! Which member of a configuration is farthest from being an element of its group.

use crate::group::larger;

/// How far a member's numbers are from representing an element of its group.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct MemberDefect {
    /// The field of the configuration.
    pub member: &'static str,
    /// Which one, of an array or a chain.
    pub index: Option<usize>,
    /// The defect (see [`membership_defect`](crate::group::LieGroup::membership_defect)); NaN if a number is.
    pub defect: f64,
}

impl MemberDefect {
    /// The one of two that is farther off.
    #[must_use]
    pub fn worse(self, other: Self) -> Self {
        if larger(self.defect, other.defect).to_bits() == self.defect.to_bits() { self } else { other }
    }
}
