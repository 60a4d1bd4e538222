//! Arrays and iterators. The items of an iterator are known, so that adaptors are functions of lists.
//!
//! Invariant: the result of an adaptor's closure does not depend on the time of its call. A closure that writes to outer variables is an
//! error.

use quote::ToTokens;
use syn::ExprMethodCall;

use super::booleans::{both, either};
use super::integers::Integer;
use super::{Interpreted, SymbolicInterpreter, Value};

/// The methods of arrays and iterators, for "did you mean" suggestions.
pub(super) const ITERATOR_METHODS: &str = "iter into_iter copied cloned map filter enumerate zip rev skip take step_by chain windows sum \
     product fold reduce count last next nth all any position find flat_map collect len first swap fill to_vec as_slice is_empty contains \
     row_iter column_iter get";

/// Methods that remove items from an iterator in a variable.
pub(super) const ADVANCING: &[&str] = &["next", "nth", "any", "all", "position", "find"];

impl SymbolicInterpreter<'_> {
    /// Calls a method of an array; returns `None` if there is no such method.
    pub(super) fn array_method(
        &mut self,
        items: &[Value],
        name: &str,
        arguments: &[Value],
        call: &ExprMethodCall,
    ) -> Interpreted<Option<Value>> {
        let result = match (name, arguments) {
            ("iter" | "into_iter", []) => Value::Sequence(items.to_vec()),
            ("len", []) => Value::Integer(Integer::length(items.len())),
            ("is_empty", []) => Value::Known(items.is_empty()),
            ("first", []) => Value::Optional(items.first().cloned().map(Box::new)),
            ("last", []) => Value::Optional(items.last().cloned().map(Box::new)),
            ("get", [at @ Value::Integer(_)]) => {
                Value::Optional(at.size_known().and_then(|at| items.get(at)).cloned().map(Box::new))
            }
            ("as_slice" | "to_vec" | "as_ref" | "each_ref", []) => Value::Array(items.to_vec()),
            ("map", [function]) => {
                let function = self.callable(function, &call.args)?;
                // `map` of an array calls the closure immediately and in order.
                let mapped: Interpreted<Vec<Value>> =
                    items.iter().map(|item| self.apply(&function, vec![item.clone()], &call.method)).collect();
                Value::Array(mapped?)
            }
            ("windows", [width]) => match width.size_known() {
                Some(width) if width > 0 => {
                    Value::Sequence(items.windows(width).map(|part| Value::Array(part.to_vec())).collect())
                }
                _ => return self.known_number(call),
            },
            _ => return Ok(None),
        };
        Ok(Some(result))
    }

    fn known_number<T>(&mut self, call: &ExprMethodCall) -> Interpreted<T> {
        self.error_with_help(
            &call.args,
            format_args!("`{}` expects an integer that is known at compile time and in range", call.method),
            "write a literal or a `const` of this module",
        )
    }

    /// Calls a method of an iterator; returns `None` if there is no such method.
    #[allow(clippy::too_many_lines)] // One arm for each method.
    pub(super) fn sequence_method(
        &mut self,
        items: Vec<Value>,
        name: &str,
        arguments: &[Value],
        call: &ExprMethodCall,
    ) -> Interpreted<Option<Value>> {
        let at = &call.method;
        let result = match (name, arguments) {
            ("iter" | "into_iter" | "copied" | "cloned", []) => Value::Sequence(items),
            ("enumerate", []) => Value::Sequence(
                items
                    .into_iter()
                    .enumerate()
                    .map(|(at, item)| Value::Tuple(vec![Value::Integer(Integer::length(at)), item]))
                    .collect(),
            ),
            ("rev", []) => Value::Sequence(items.into_iter().rev().collect()),
            ("zip", [other]) => {
                let others = self.items(other.clone(), &call.args)?;
                Value::Sequence(items.into_iter().zip(others).map(|(a, b)| Value::Tuple(vec![a, b])).collect())
            }
            ("chain", [other]) => {
                let mut items = items;
                items.extend(self.items(other.clone(), &call.args)?);
                Value::Sequence(items)
            }
            ("next", []) => Value::Optional(items.into_iter().next().map(Box::new)),
            ("skip" | "take" | "step_by" | "nth", [number]) => {
                let Some(number) = number.size_known().filter(|number| *number > 0 || name != "step_by") else {
                    return self.known_number(call);
                };
                match name {
                    "skip" => Value::Sequence(items.into_iter().skip(number).collect()),
                    "take" => Value::Sequence(items.into_iter().take(number).collect()),
                    "step_by" => Value::Sequence(items.into_iter().step_by(number).collect()),
                    _ => Value::Optional(items.into_iter().nth(number).map(Box::new)),
                }
            }
            ("map", [function]) => Value::Sequence(self.mapped(items, function, call)?),
            ("flat_map", [function]) => {
                let mut all = Vec::new();
                for part in self.mapped(items, function, call)? {
                    all.extend(self.items(part, at)?);
                    self.spend(all.len() / 64, at)?;
                }
                Value::Sequence(all)
            }
            ("filter" | "position" | "find", [function]) => {
                let truths = self.mapped(items.clone(), function, call)?;
                let known: Option<Vec<bool>> = truths
                    .iter()
                    .map(|truth| if let Value::Known(truth) = truth { Some(*truth) } else { None })
                    .collect();
                let Some(known) = known else {
                    return self.error_with_help(
                        at,
                        format_args!("the items that `{name}` selects depend on the state"),
                        "map every item to a value, as in `.map(|x| x.max(0.0))`",
                    );
                };
                let mut pairs = items.into_iter().zip(known);
                match name {
                    "filter" => Value::Sequence(pairs.filter(|(_, keep)| *keep).map(|(item, _)| item).collect()),
                    "find" => Value::Optional(pairs.find(|(_, keep)| *keep).map(|(item, _)| Box::new(item))),
                    _ => {
                        let found = pairs.position(|(_, keep)| keep).map(Integer::length);
                        Value::Optional(found.map(|found| Box::new(Value::Integer(found))))
                    }
                }
            }
            ("all" | "any", [function]) => {
                let function = self.callable(function, &call.args)?;
                let mut result = Value::Known(name == "all");
                for item in items {
                    // Short circuit: later items are not evaluated once the result is known.
                    if result == Value::Known(name != "all") {
                        break;
                    }
                    let one = self.apply(&function, vec![item], at)?;
                    let combine = if name == "all" { both } else { either };
                    result = combine(&mut self.expressions, result, one);
                }
                result
            }
            ("sum" | "product", []) => self.total(&items, call)?,
            ("fold", [start, function]) => {
                let function = self.callable(function, &call.args)?;
                let mut sum = start.clone();
                for item in items {
                    sum = self.apply(&function, vec![sum, item], at)?;
                }
                sum
            }
            ("reduce", [function]) => {
                let function = self.callable(function, &call.args)?;
                let mut items = items.into_iter();
                let Some(mut sum) = items.next() else { return Ok(Some(Value::Optional(None))) };
                for item in items {
                    sum = self.apply(&function, vec![sum, item], at)?;
                }
                Value::Optional(Some(Box::new(sum)))
            }
            ("min" | "max" | "min_by" | "max_by" | "min_by_key" | "max_by_key", _) => {
                return self.error_with_help(
                    at,
                    format_args!("`{name}` of an iterator is not supported in a declaration"),
                    "use `.copied().fold(f64::INFINITY, f64::min)` or `.copied().fold(f64::NEG_INFINITY, f64::max)` for the extreme value, or a loop",
                );
            }
            ("count" | "len", []) => Value::Integer(Integer::length(items.len())),
            ("last", []) => Value::Optional(items.into_iter().last().map(Box::new)),
            ("collect", []) => {
                if let Some(ty) = &call.turbofish
                    && let Some(other) = super::types::foreign(ty.to_token_stream())
                {
                    return self.error_with_help(
                        &other,
                        format_args!("type `{other}` is not supported in a declaration"),
                        "collect into a `Vec<_>`, or use the iterator itself",
                    );
                }
                Value::Array(items)
            }
            _ => return Ok(None),
        };
        Ok(Some(result))
    }
}
