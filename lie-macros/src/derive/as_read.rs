//! The declared functions as they were read: what the functions themselves are compared with before a run.

use super::{Declared, Derivation};
use crate::expr::{Node, Op};
use crate::graph::Scalar;

/// A function as it was read.
pub(crate) struct AsRead {
    /// The position among the functions.
    pub function: usize,
    /// The components of its value, by rows.
    pub entries: Vec<Scalar>,
    /// Their rates along the motion t' = 1, q' = q v~, v' = v, if the function calls an opaque one; of an element its
    /// velocity.
    pub rate: Option<Vec<Scalar>>,
}

impl Derivation<'_, '_> {
    /// All functions that were read.
    pub fn as_read(&mut self, declared: &Declared) -> Vec<AsRead> {
        let mut seeds = self.reader.motion();
        seeds.extend(self.reader.leaves.velocity_leaves().into_iter().map(|leaf| (leaf, leaf)));
        let functions = declared.functions.iter().map(|(function, parts)| {
            let rate = self.calls_opaque(parts).then(|| {
                let rate = self.rate_of(*function, parts, &seeds);
                self.lower(rate)
            });
            AsRead { function: *function, entries: self.flatten(parts), rate }
        });
        functions.collect()
    }

    fn calls_opaque(&self, parts: &[Node]) -> bool {
        let expressions = &self.reader.expressions;
        expressions.reachable(parts).into_iter().any(|node| matches!(expressions.op(node), Op::Opaque { .. }))
    }
}
