//! The results of role functions, checked against the declared types.

use quote::ToTokens;

use super::{Interpreted, Reported, SymbolicInterpreter, Value};
use crate::expr::Node;
use crate::model::{OutputShape, is_of_states};

impl SymbolicInterpreter<'_> {
    /// Checks a returned value against the declared type, and returns its parts.
    pub(super) fn output(&mut self, value: Value, output: OutputShape, at: &impl ToTokens) -> Interpreted<Vec<Node>> {
        let expected = match output {
            OutputShape::Scalar => (1, 1),
            OutputShape::Vector(rows) => (rows, 1),
            OutputShape::Matrix(rows, columns) => (rows, columns),
            OutputShape::Element(group) => (group.dimension(), 1),
            OutputShape::Other => return Err(Reported),
        };
        let found = value.describe(&self.expressions);
        match (value, output) {
            (Value::Scalar(node), OutputShape::Scalar) => Ok(vec![node]),
            (Value::Matrix(node), OutputShape::Vector(_) | OutputShape::Matrix(..))
                if self.expressions.shape(node) == expected =>
            {
                Ok(vec![node])
            }
            (Value::Element(element), OutputShape::Element(group)) if element.group == group => Ok(element.parts),
            (Value::Matrix(node), OutputShape::Element(group))
                if group.is_vector_space() && self.expressions.shape(node) == expected =>
            {
                Ok(vec![node])
            }
            (Value::Struct(name, fields), OutputShape::Vector(_)) if self.is_states(&name) => {
                self.state_rates(&fields, at)
            }
            (Value::Unknown, _) => Err(Reported),
            (value, _) => {
                let wanted = match (output, expected) {
                    (OutputShape::Element(group), _) => format!("an element of {}", group.notation),
                    (_, (1, 1)) => "a scalar".to_owned(),
                    (_, (rows, 1)) => format!("a {rows}-vector"),
                    (_, (rows, columns)) => format!("a {rows}×{columns} matrix"),
                };
                let help = match (value, output) {
                    (Value::Integer(value), OutputShape::Scalar) => format!("write `{}.0`", value.value),
                    (Value::Matrix(node), OutputShape::Scalar) if self.expressions.shape(node) == (1, 1) => {
                        "write `(…)[0]` around the last expression".to_owned()
                    }
                    (Value::Unit, _) => format!("let the last expression be {wanted}, without a semicolon"),
                    // Groups that act on rigid bodies in the same way convert into each other.
                    (Value::Element(element), OutputShape::Element(group)) if group.converts(&element.group) => {
                        format!("write `{}::from(…)` around the last expression", group.name)
                    }
                    _ => format!("let the last expression be {wanted}, or change the type"),
                };
                let declared = crate::diagnostics::source(at);
                self.error_with_help(
                    at,
                    format_args!("mismatched types: the function must return `{declared}`, found {found}"),
                    help,
                )
            }
        }
    }

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
