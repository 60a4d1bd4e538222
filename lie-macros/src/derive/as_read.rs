//! The declared functions as they were read: what the functions themselves are compared with before a run.

use super::{Declared, Derivation};
use crate::expr::{Node, Op};
use crate::graph::Scalar;
use crate::model::Role;

/// A function as it was read.
pub(crate) struct AsRead {
    /// The position among the functions.
    pub function: usize,
    /// The components of its value, by rows.
    pub entries: Vec<Scalar>,
    /// Their rates along the motion t' = 1, q' = q v~, v' = v, if the function calls an opaque one; of an element its
    /// velocity.
    pub rate: Option<Vec<Scalar>>,
    /// Of a force and of a dissipation what it gives to the energy in a unit of time: v·F, −v·∂R/∂v.
    pub power: Option<Scalar>,
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
            let power = self.power(declared, *function, parts);
            AsRead { function: *function, entries: self.flatten(parts), rate, power }
        });
        functions.collect()
    }

    /// What a function gives to the energy of a motion in a unit of time, if it is one that does.
    fn power(&mut self, declared: &Declared, function: usize, parts: &[Node]) -> Option<Scalar> {
        let &[node] = parts else { return None };
        let power = match &self.reader.model.functions[function].role {
            Role::Force(_) => {
                let (force, velocity) = (self.generalised(declared, function, node), self.velocity());
                let e = &mut self.reader.expressions;
                let none = e.number(0.0);
                force.into_iter().zip(velocity).fold(none, |sum, (force, velocity)| {
                    let product = e.dot(force, velocity);
                    e.add(sum, product)
                })
            }
            Role::Dissipation => {
                let faster = self.reader.leaves.velocity_leaves().into_iter().map(|leaf| (leaf, leaf)).collect();
                let taken = self.reader.expressions.tangents(parts, &faster)[0];
                self.reader.expressions.neg(taken)
            }
            _ => return None,
        };
        Some(self.scalar(power))
    }

    fn calls_opaque(&self, parts: &[Node]) -> bool {
        let expressions = &self.reader.expressions;
        expressions.reachable(parts).into_iter().any(|node| matches!(expressions.op(node), Op::Opaque { .. }))
    }
}
