//! The derivatives of auxiliary states, which a `#[rate]` returns as a struct.

use quote::ToTokens;

use super::{Interpreted, Reported, SymbolicInterpreter, Value};
use crate::expr::Node;
use crate::model::is_of_states;

impl SymbolicInterpreter<'_> {
    /// Returns true for the name of the struct of auxiliary states.
    pub(super) fn is_states(&self, name: &str) -> bool {
        self.model.states.as_ref().is_some_and(|states| states.ident == name)
    }

    /// Returns the derivatives of all states as one vector, in the order of the declaration.
    pub(super) fn state_rates(&mut self, rates: &[(String, Value)], at: &impl ToTokens) -> Interpreted<Vec<Node>> {
        let member = self.model.configuration.members.iter().find(|member| is_of_states(member));
        let structure = member.and_then(|member| member.group.structure()).ok_or(Reported)?;
        let mut parts = Vec::new();
        for (name, group) in &structure.fields {
            let value =
                rates.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone()).ok_or(Reported)?;
            let dimension = group.dimension();
            match value {
                Value::Scalar(node) if group.has_scalar_velocity() => parts.push(node),
                Value::Matrix(node)
                    if !group.has_scalar_velocity() && self.expressions.shape(node) == (dimension, 1) =>
                {
                    parts.push(node);
                }
                Value::Unknown => return Err(Reported),
                value => {
                    let found = value.describe(&self.expressions);
                    let (wanted, help) = if group.has_scalar_velocity() {
                        ("a scalar".to_owned(), "write a floating-point number, such as `0.0`".to_owned())
                    } else {
                        (format!("a {dimension}-vector"), "return a vector of this length".to_owned())
                    };
                    let message = format!("mismatched types: the derivative of `{name}` is {wanted}, found {found}");
                    return self.error_with_help(at, message, help);
                }
            }
        }
        Ok(vec![self.expressions.concat(parts)])
    }
}
