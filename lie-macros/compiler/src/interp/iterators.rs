//! Iterators stored in variables: a call such as `next` removes items from the variable.
//!
//! Invariant: the remaining items of an iterator are known at compile time. A borrowed iterator, `&mut it`, may be advanced by any of its
//! users; only calls that take single items are supported, and it cannot be passed on.

use quote::ToTokens;
use syn::{Expr, ExprMethodCall};

use super::integers::Integer;
use super::projections::member_name;
use super::value::MemoryPlace;
use super::{Interpreted, Reported, SymbolicInterpreter, Value};
use crate::diagnostics::source;

/// Methods that remove items from an iterator and leave the remaining items.
const ADVANCING: &[&str] = &["next", "nth", "any", "all", "position", "find", "find_map", "by_ref"];

/// Methods without an effect on an iterator.
const LOOKING: &[&str] = &["clone", "len"];

/// Returns true for iterators and ranges.
fn is_iterator(value: &Value) -> bool {
    matches!(value, Value::Sequence(_) | Value::Range(..) | Value::From(_))
}

impl SymbolicInterpreter<'_> {
    /// Returns the place of the iterator from which a method removes items; `None` for other methods, and for a temporary
    /// receiver.
    pub(super) fn advanced_iterator(&mut self, call: &ExprMethodCall) -> Option<MemoryPlace> {
        if !ADVANCING.iter().any(|name| call.method == name) {
            return None;
        }
        let place = self.variable_place(&call.receiver)?;
        is_iterator(&self.at(&place)).then_some(place)
    }

    /// Returns the place of a variable or of a part of it, with references followed.
    fn variable_place(&mut self, expr: &Expr) -> Option<MemoryPlace> {
        let place = match expr {
            Expr::Path(path) => self.place_named(&path.path.get_ident()?.to_string())?,
            Expr::Paren(inner) => self.variable_place(&inner.expr)?,
            Expr::Group(inner) => self.variable_place(&inner.expr)?,
            Expr::Reference(inner) if inner.mutability.is_some() => self.variable_place(&inner.expr)?,
            Expr::Unary(unary) if matches!(unary.op, syn::UnOp::Deref(_)) => self.variable_place(&unary.expr)?,
            Expr::Field(field) => {
                let (base, name) = (self.variable_place(&field.base)?, member_name(&field.member));
                let at = match self.at(&base) {
                    Value::Tuple(items) => name.parse().ok().filter(|at| *at < items.len()),
                    Value::Struct(_, fields) => fields.iter().position(|(known, _)| *known == name),
                    _ => None,
                };
                base.item(at?)
            }
            Expr::Index(index) => {
                let base = self.variable_place(&index.expr)?;
                let base = self.last_place(base);
                let Value::Array(items) = self.at(&base) else { return None };
                // Other values evaluate the index themselves.
                if !items.iter().all(is_iterator) {
                    return None;
                }
                base.item(self.array_index(&index.index, items.len()).ok()?)
            }
            _ => return None,
        };
        Some(self.last_place(place))
    }

    /// Returns true for a call that removes items from an iterator in a variable.
    pub(super) fn advances(&mut self, call: &ExprMethodCall) -> bool {
        self.advanced_iterator(call).is_some()
    }

    /// Calls a method that removes items from the iterator at `place`.
    pub(super) fn advance(&mut self, call: &ExprMethodCall, place: &MemoryPlace) -> Interpreted {
        let name = call.method.to_string();
        let arguments = self.expressions_of(&call.args)?;
        if name == "by_ref" {
            return self.report_borrowed(&call.method, &call.receiver);
        }
        let iterator = self.at(place);
        let number = match (name.as_str(), arguments.as_slice()) {
            ("next", []) => Some(0),
            ("nth", [Value::Integer(number)]) => usize::try_from(number.value).ok(),
            _ => None,
        };
        if let (Value::From(start), Some(number)) = (&iterator, number) {
            let first = start.value.saturating_add(Integer::length(number).value);
            self.put(place, Value::From(Integer { value: first.saturating_add(1), ..*start }), &call.receiver)?;
            return Ok(Value::Optional(Some(Box::new(Value::Integer(Integer { value: first, ..*start })))));
        }
        let items = self.items(iterator.clone(), &call.receiver)?;
        let (value, taken) = match (number, arguments.as_slice()) {
            (Some(number), _) => (Value::Optional(items.get(number).cloned().map(Box::new)), number.saturating_add(1)),
            (None, [function]) => self.searched(call, &items, function)?,
            (None, _) => return self.no_method(call, &iterator, &name, &arguments),
        };
        let taken = taken.min(items.len());
        let rest = match iterator {
            Value::Range(start, end) => {
                Value::Range(Integer { value: start.value + Integer::length(taken).value, ..start }, end)
            }
            _ => Value::Sequence(items[taken..].to_vec()),
        };
        self.put(place, rest, &call.receiver)?;
        Ok(value)
    }

    /// Returns the result of a search in `items`, and the number of items that it consumes.
    fn searched(&mut self, call: &ExprMethodCall, items: &[Value], function: &Value) -> Interpreted<(Value, usize)> {
        let name = call.method.to_string();
        let function = self.callable(function, &call.args)?;
        for (at, item) in items.iter().enumerate() {
            let found = match (name.as_str(), self.apply_purely(&function, vec![item.clone()], &call.method)?) {
                ("find_map", Value::Optional(found)) => found.map(|found| Value::Optional(Some(found))),
                ("all", Value::Known(truth)) => (!truth).then_some(Value::Known(false)),
                ("any", Value::Known(truth)) => truth.then_some(Value::Known(true)),
                ("find", Value::Known(truth)) => truth.then(|| Value::Optional(Some(Box::new(item.clone())))),
                ("position", Value::Known(truth)) => {
                    truth.then(|| Value::Optional(Some(Box::new(Value::Integer(Integer::length(at))))))
                }
                (_, Value::Unknown) => return Err(Reported),
                _ => {
                    let (whole, receiver) = (source(call), source(&call.receiver));
                    let rest = whole.strip_prefix(&receiver).unwrap_or_default();
                    return self.error_with_help(
                        &call.method,
                        format_args!("the number of items that `{name}` consumes depends on the state"),
                        format_args!("write `{receiver}.clone(){rest}`, which leaves the iterator unchanged"),
                    );
                }
            };
            if let Some(found) = found {
                return Ok((found, at + 1));
            }
        }
        let nothing = match name.as_str() {
            "all" | "any" => Value::Known(name == "all"),
            _ => Value::Optional(None),
        };
        Ok((nothing, items.len()))
    }

    /// Reports a method of a borrowed iterator `&mut it`, and a method with a borrowed iterator as an argument.
    pub(super) fn ensure_not_borrowed(
        &mut self,
        call: &ExprMethodCall,
        receiver: &Value,
        arguments: &[Value],
    ) -> Interpreted<()> {
        let looks = LOOKING.iter().any(|name| call.method == name);
        let mut borrowed =
            |value: &Value| matches!(value, Value::Reference(_)) && is_iterator(&self.followed(value.clone()));
        if !looks && borrowed(receiver) {
            return self.report_borrowed(&call.method, &call.receiver);
        }
        match arguments.iter().position(borrowed) {
            Some(at) => match call.args.iter().nth(at) {
                Some(given) => self.report_borrowed(given, given),
                None => self.report_borrowed(&call.method, &call.method),
            },
            None => Ok(()),
        }
    }

    /// Reports a borrowed iterator that is used elsewhere.
    pub(super) fn report_borrowed<T>(&mut self, at: &dyn ToTokens, iterator: &dyn ToTokens) -> Interpreted<T> {
        let name = source(iterator);
        let name = name.trim_start_matches("&mut ");
        self.error_with_help(
            at,
            "a borrowed iterator is not supported here",
            format_args!(
                "collect the items, `let all: Vec<_> = {name}.collect();`, and use slices, `all[..2].iter()` and `all[2..].iter()`"
            ),
        )
    }
}
