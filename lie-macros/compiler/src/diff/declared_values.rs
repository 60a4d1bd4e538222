//! The values of the declared functions as the compiler derives them, for the comparison with the functions before a run.

use super::{DeclaredExpressions, Derivation};
use crate::expr::{Node, Op};
use crate::model::Role;
use crate::scalar::Scalar;

/// The derived values of a declared function.
pub(crate) struct DeclaredFunction {
    /// The index of the function.
    pub function: usize,
    /// The components of its value, by rows.
    pub entries: Vec<Scalar>,
    /// The rates of the components along the motion t' = 1, q' = q v~, v' = v, if the function calls an opaque function; for an element,
    /// its velocity.
    pub rate: Option<Vec<Scalar>>,
    /// The force or the dissipation as a covector, whose product with the velocity is its power: F, −∂R/∂v.
    pub power: Option<Vec<Scalar>>,
}

impl Derivation<'_, '_> {
    /// Returns the values of all functions.
    pub fn declared_functions(&mut self, declared: &DeclaredExpressions) -> Vec<DeclaredFunction> {
        let mut seeds = self.interpreter.motion();
        seeds.extend(self.interpreter.leaves.velocity_leaves().into_iter().map(|leaf| (leaf, leaf)));
        let functions = declared.functions.iter().map(|(function, parts)| {
            let rate = self.calls_opaque(parts).then(|| {
                let rate = self.rate_of(*function, parts, &seeds);
                self.lower(rate)
            });
            let power = self.power(declared, *function, parts);
            DeclaredFunction { function: *function, entries: self.flatten(parts), rate, power }
        });
        functions.collect()
    }

    /// The covector of a force or a dissipation; `None` for other roles.
    fn power(&mut self, declared: &DeclaredExpressions, function: usize, parts: &[Node]) -> Option<Vec<Scalar>> {
        let &[node] = parts else { return None };
        let covector = match &self.interpreter.model.functions[function].role {
            Role::Force(_) => self.generalised(declared, function, node),
            Role::Dissipation => {
                let slopes = self.dissipation_gradient(node);
                slopes.into_iter().map(|slope| self.interpreter.expressions.neg(slope)).collect()
            }
            _ => return None,
        };
        Some(self.flatten(&covector))
    }

    fn calls_opaque(&self, parts: &[Node]) -> bool {
        let expressions = &self.interpreter.expressions;
        expressions.reachable(parts).into_iter().any(|node| matches!(expressions.op(node), Op::Opaque { .. }))
    }
}
