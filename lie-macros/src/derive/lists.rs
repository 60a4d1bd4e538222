//! The items of lists that a term reads: what has to be there when the system is made.

use super::Derivation;
use crate::expr::Subscript;
use crate::graph::Scalar;
use crate::read::{Listing, Read};

/// An item that is read wherever its condition on the number of the element and the length of its chain holds.
pub(crate) struct ListRead {
    pub list: Listing,
    pub at: Subscript,
    pub condition: Option<Scalar>,
    /// The function, and what it has written.
    pub function: String,
    pub text: String,
}

impl Derivation<'_, '_> {
    /// Everything that the functions read.
    pub fn list_reads(&mut self) -> Vec<ListRead> {
        let reads = self.reader.reads().into_iter().map(|Read { list, at, conditions, function, text }| {
            let conditions: Vec<Scalar> = conditions.into_iter().map(|condition| self.scalar(condition)).collect();
            let condition = conditions.into_iter().reduce(|a, b| self.graph.and(a, b));
            ListRead { list, at, condition, function, text }
        });
        reads.collect()
    }
}
