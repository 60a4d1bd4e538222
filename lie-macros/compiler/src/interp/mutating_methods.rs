//! Methods that change the variable before the dot.

use syn::ExprMethodCall;

use super::inverses::with_line;
use super::{Interpreted, Reported, SymbolicInterpreter, Value};

/// Methods that change their receiver.
pub(super) const CHANGING: &[&str] =
    &["fill", "swap", "push", "extend", "extend_from_slice", "copy_from", "set_column", "set_row", "reverse"];

impl SymbolicInterpreter<'_> {
    /// Calls a method that changes its receiver. `push` of a vector returns a longer vector.
    pub(super) fn changing_method(&mut self, call: &ExprMethodCall, name: &str) -> Interpreted {
        let (receiver, arguments) = self.sealed(|this| {
            let receiver = this.expression(&call.receiver)?;
            Ok((receiver, this.expressions_of(&call.args)?))
        })?;
        if receiver == Value::Unknown || arguments.contains(&Value::Unknown) {
            return Err(Reported);
        }
        let after = match (name, receiver, arguments.as_slice()) {
            ("fill", Value::Array(items), [value]) => Value::Array(vec![value.clone(); items.len()]),
            ("fill", Value::Matrix(matrix), [Value::Scalar(value)]) => {
                let (rows, columns) = self.expressions.shape(matrix);
                Value::Matrix(self.expressions.stack(vec![*value; rows * columns], rows, columns))
            }
            ("reverse", Value::Array(mut items), []) => {
                items.reverse();
                Value::Array(items)
            }
            ("swap", Value::Array(mut items), [a, b]) => match (a.size_known(), b.size_known()) {
                (Some(a), Some(b)) if a < items.len() && b < items.len() => {
                    items.swap(a, b);
                    Value::Array(items)
                }
                _ => return self.error(&call.args, format_args!("index out of range: the length is {}", items.len())),
            },
            ("push", Value::Array(mut items), [value]) => {
                items.push(value.clone());
                Value::Array(items)
            }
            ("extend" | "extend_from_slice", Value::Array(mut items), [others]) => {
                items.extend(self.items(others.clone(), &call.args)?);
                Value::Array(items)
            }
            ("copy_from", Value::Matrix(a), [Value::Matrix(b)])
                if self.expressions.shape(a) == self.expressions.shape(*b) =>
            {
                Value::Matrix(*b)
            }
            ("set_column" | "set_row", Value::Matrix(matrix), [at, Value::Matrix(part)]) => {
                match at
                    .size_known()
                    .and_then(|at| with_line(&mut self.expressions, matrix, at, *part, name == "set_column"))
                {
                    Some(matrix) => Value::Matrix(matrix),
                    None => return self.no_method(call, &Value::Matrix(matrix), name, &arguments),
                }
            }
            (_, receiver, _) => return self.invoke(call, receiver, &arguments),
        };
        let place = self.sealed(|this| this.place(&call.receiver))?;
        self.put(&place, after, &call.receiver)?;
        Ok(Value::Unit)
    }
}
