//! The list items that a term reads, which must exist when the system is created.

use super::Derivation;
use crate::expr::Subscript;
use crate::interp::{ListItem, ListSource};
use crate::scalar::Scalar;

/// An item that is read if its condition on the index of the element and the length of the chain holds.
pub(crate) struct ListRead {
    pub list: ListSource,
    pub at: Subscript,
    pub condition: Option<Scalar>,
    /// The function, and the expression in it.
    pub function: String,
    pub text: String,
}

impl Derivation<'_, '_> {
    /// All items that the functions read.
    pub fn list_reads(&mut self) -> Vec<ListRead> {
        let reads = self.interpreter.reads().into_iter().map(|ListItem { list, at, conditions, function, text }| {
            let conditions: Vec<Scalar> = conditions.into_iter().map(|condition| self.scalar(condition)).collect();
            let condition = conditions.into_iter().reduce(|a, b| self.graph.and(a, b));
            ListRead { list, at, condition, function, text }
        });
        reads.collect()
    }
}
