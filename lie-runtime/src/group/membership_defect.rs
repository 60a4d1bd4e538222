//! The member of a configuration with the largest distance from its group.

use crate::scalar::larger;

/// The distance of a member from its group.
#[derive(Clone, Debug, PartialEq)]
pub struct MemberDefect {
    /// The field of the configuration.
    pub member: &'static str,
    /// The index in an array or a chain.
    pub index: Option<usize>,
    /// The field of a body; a path if bodies are nested.
    pub part: Option<String>,
    /// The defect (see [`membership_defect`](crate::group::LieGroup::membership_defect)); NaN if a component is NaN.
    pub defect: f64,
}

impl MemberDefect {
    /// The member by its whole name: `attitude`, `nodes[3]`, `bodies[3].attitude`.
    #[doc(hidden)]
    pub fn name(&self) -> String {
        let index = self.index.map_or_else(String::new, |index| format!("[{index}]"));
        let part = self.part.as_ref().map_or_else(String::new, |part| format!(".{part}"));
        format!("{}{index}{part}", self.member)
    }

    /// Returns the larger of two defects.
    #[must_use]
    #[doc(hidden)]
    pub fn worse(self, other: Self) -> Self {
        if larger(self.defect, other.defect).to_bits() == self.defect.to_bits() { self } else { other }
    }
}
