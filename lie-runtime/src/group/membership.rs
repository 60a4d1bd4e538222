//! Which member of a configuration is farthest from being an element of its group.

use crate::scalar::larger;

/// How far a member's numbers are from representing an element of its group.
#[derive(Clone, Debug, PartialEq)]
pub struct MemberDefect {
    /// The field of the configuration.
    pub member: &'static str,
    /// Which one, of an array or a chain.
    pub index: Option<usize>,
    /// The field of it, of a body: the path to it, if bodies are fields of others.
    pub part: Option<String>,
    /// The defect (see [`membership_defect`](crate::group::LieGroup::membership_defect)); NaN if a number is.
    pub defect: f64,
}

impl MemberDefect {
    /// The member by its whole name: `attitude`, `nodes[3]`, `bodies[3].attitude`.
    pub fn name(&self) -> String {
        let index = self.index.map_or_else(String::new, |index| format!("[{index}]"));
        let part = self.part.as_ref().map_or_else(String::new, |part| format!(".{part}"));
        format!("{}{index}{part}", self.member)
    }

    /// The one of two that is farther off.
    #[must_use]
    pub fn worse(self, other: Self) -> Self {
        if larger(self.defect, other.defect).to_bits() == self.defect.to_bits() { self } else { other }
    }
}
