//! Methods that change their receiver or return mutable references to parts of it.

use syn::{Expr, ExprMethodCall};

use super::value::MemoryPlace;
use super::{Interpreted, Reported, SymbolicInterpreter, Value};
use crate::expr::Function;

/// Methods that change their receiver, or return mutable references to parts of it.
pub(super) const CHANGING: &[&str] = &[
    "as_mut",
    "iter_mut",
    "first_mut",
    "last_mut",
    "get_mut",
    "fill",
    "swap",
    "push",
    "pop",
    "remove",
    "swap_remove",
    "truncate",
    "clear",
    "insert",
    "extend",
    "extend_from_slice",
    "copy_from",
    "set_column",
    "set_row",
    "reverse",
    "normalize_mut",
    "axpy",
];

/// Returns a number of elements that is known at compile time.
fn size(value: &Value) -> Option<usize> {
    match value {
        Value::Integer(integer) => usize::try_from(integer.value).ok(),
        _ => None,
    }
}

impl SymbolicInterpreter<'_> {
    /// Calls a method that changes its receiver, or returns mutable references to parts of it.
    pub(super) fn changing_method(&mut self, call: &ExprMethodCall, name: &str) -> Interpreted {
        let is_own = self.model.helpers.iter().any(|helper| helper.owner.is_some() && helper.item.sig.ident == *name);
        // An immutable value has no mutating method; `push` of a vector returns a longer vector.
        if (is_own || name == "push") && self.is_of_state(&call.receiver) {
            let receiver = self.expression(&call.receiver)?;
            let arguments = self.expressions_of(&call.args)?;
            return self.invoke(call, receiver, arguments);
        }
        let place = self.receiver(&call.receiver)?;
        let arguments = self.expressions_of(&call.args)?;
        self.ensure_not_borrowed(call, &Value::Unit, &arguments)?;
        let arguments: Vec<Value> = arguments.into_iter().map(|argument| self.followed(argument)).collect();
        let before = self.at(&place);
        if before == Value::Unknown {
            return Err(Reported);
        }
        if is_own
            && matches!(before, Value::Struct(..))
            && let Some(value) = self.user_method(call, &before, &arguments)
        {
            return value;
        }
        if let Some(extracted) = self.extracted(call, &place, name, &before, &arguments)? {
            return Ok(extracted);
        }
        if super::user_types::COPYING.contains(&name) {
            arguments.iter().try_for_each(|value| self.ensure_copied(value, &call.method))?;
        }
        let after = match (name, before.clone(), arguments.as_slice()) {
            ("fill", Value::Array(items), [value]) => Value::Array(vec![value.clone(); items.len()]),
            ("fill", Value::Matrix(matrix), [Value::Scalar(value)]) => {
                let (rows, columns) = self.expressions.shape(matrix);
                Value::Matrix(self.expressions.stack(vec![*value; rows * columns], rows, columns))
            }
            ("reverse", Value::Array(mut items), []) => {
                items.reverse();
                Value::Array(items)
            }
            ("swap", Value::Array(mut items), [a, b]) => match (size(a), size(b)) {
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
            ("insert", Value::Array(mut items), [at, value]) => match size(at).filter(|at| *at <= items.len()) {
                Some(at) => {
                    items.insert(at, value.clone());
                    Value::Array(items)
                }
                None => {
                    return self.error(&call.args, format_args!("index out of range: the length is {}", items.len()));
                }
            },
            ("truncate", Value::Array(mut items), [count]) => match size(count) {
                Some(count) => {
                    items.truncate(count);
                    Value::Array(items)
                }
                None => return self.no_method(call, &before, name, &arguments),
            },
            ("clear", Value::Array(_), []) => Value::Array(vec![]),
            ("normalize_mut", Value::Matrix(matrix), []) => {
                let square = self.expressions.dot(matrix, matrix);
                self.remember_root(square, &call.method);
                let norm = self.expressions.function(Function::Sqrt, square);
                let one = self.expressions.number(1.0);
                let factor = self.expressions.divide(one, norm);
                let unit = self.expressions.scale(factor, matrix);
                self.put(&place, Value::Matrix(unit), &call.receiver)?;
                return Ok(Value::Scalar(norm));
            }
            ("axpy", Value::Matrix(y), [Value::Scalar(a), Value::Matrix(x), Value::Scalar(b)])
                if self.expressions.shape(y) == self.expressions.shape(*x) =>
            {
                let (ax, by) = (self.expressions.scale(*a, *x), self.expressions.scale(*b, y));
                Value::Matrix(self.expressions.add(ax, by))
            }
            ("push", vector @ Value::Matrix(_), _) => return self.invoke(call, vector, arguments),
            ("copy_from", Value::Matrix(a), [Value::Matrix(b)])
                if self.expressions.shape(a) == self.expressions.shape(*b) =>
            {
                Value::Matrix(*b)
            }
            ("set_column" | "set_row", Value::Matrix(matrix), [at, Value::Matrix(part)]) => {
                match size(at).and_then(|at| self.with_line(matrix, at, *part, name == "set_column")) {
                    Some(matrix) => Value::Matrix(matrix),
                    None => return self.no_method(call, &before, name, &arguments),
                }
            }
            _ => return self.no_method(call, &before, name, &arguments),
        };
        self.put(&place, after, &call.receiver)?;
        Ok(Value::Unit)
    }

    /// Returns true for the state, the parameters, elements of groups, and their parts.
    fn is_of_state(&mut self, expr: &Expr) -> bool {
        match expr {
            Expr::Paren(inner) => self.is_of_state(&inner.expr),
            Expr::Group(inner) => self.is_of_state(&inner.expr),
            Expr::Field(field) => self.is_of_state(&field.base),
            Expr::Index(index) => self.is_of_state(&index.expr),
            Expr::Path(path) => {
                let variable = path.path.get_ident().and_then(|name| self.variable(&name.to_string()).cloned());
                let whole = variable.map(|value| self.followed(value));
                matches!(
                    whole,
                    Some(
                        Value::Parameters | Value::Inputs | Value::Configuration | Value::Velocity | Value::Element(_)
                    )
                )
            }
            _ => false,
        }
    }

    /// Calls a method that returns mutable references to parts of its receiver, or that removes parts from it.
    fn extracted(
        &mut self,
        call: &ExprMethodCall,
        place: &MemoryPlace,
        name: &str,
        before: &Value,
        arguments: &[Value],
    ) -> Interpreted<Option<Value>> {
        let part = |at: usize| Some(Box::new(Value::Reference(place.item(at))));
        Ok(Some(match (name, before, arguments) {
            ("as_mut", Value::Optional(known), []) => Value::Optional(known.as_ref().and_then(|_| part(0))),
            ("iter_mut", Value::Array(_) | Value::Matrix(_), []) => {
                Value::Sequence(self.items(Value::Reference(place.clone()), &call.receiver)?)
            }
            ("first_mut", Value::Array(items), []) => Value::Optional(if items.is_empty() { None } else { part(0) }),
            ("last_mut", Value::Array(items), []) => Value::Optional(items.len().checked_sub(1).and_then(part)),
            ("get_mut", Value::Array(items), [at]) => {
                let Some(at) = size(at) else { return Ok(None) };
                Value::Optional(if at < items.len() { part(at) } else { None })
            }
            ("pop", Value::Array(items), []) => {
                let mut items = items.clone();
                let last = items.pop().map(Box::new);
                self.put(place, Value::Array(items), &call.receiver)?;
                Value::Optional(last)
            }
            ("remove" | "swap_remove", Value::Array(items), [at]) => {
                let Some(at) = size(at).filter(|at| *at < items.len()) else {
                    return self.error(&call.args, format_args!("index out of range: the length is {}", items.len()));
                };
                let mut items = items.clone();
                let taken = if name == "remove" { items.remove(at) } else { items.swap_remove(at) };
                self.put(place, Value::Array(items), &call.receiver)?;
                taken
            }
            _ => return Ok(None),
        }))
    }
}
