//! Arrays and iterators. The items of an iterator are known, so that adaptors are functions of lists.
//!
//! Invariant: the result of an adaptor's closure does not depend on the time of its call. A closure that writes to outer variables is an
//! error.

use quote::ToTokens;
use syn::ExprMethodCall;

use super::integers::Integer;
use super::{Interpreted, Reported, SymbolicInterpreter, Value};
use crate::diagnostics::source;

/// The methods of arrays and iterators, for "did you mean" suggestions.
pub(super) const ITERATOR_METHODS: &[&str] = &[
    "iter",
    "into_iter",
    "iter_mut",
    "copied",
    "cloned",
    "map",
    "filter",
    "enumerate",
    "zip",
    "rev",
    "skip",
    "take",
    "step_by",
    "chain",
    "windows",
    "chunks",
    "chunks_exact",
    "sum",
    "product",
    "fold",
    "reduce",
    "for_each",
    "count",
    "last",
    "next",
    "nth",
    "all",
    "any",
    "position",
    "filter_map",
    "find",
    "find_map",
    "split_first",
    "split_last",
    "take_while",
    "skip_while",
    "flat_map",
    "flatten",
    "collect",
    "cycle",
    "len",
    "first",
    "swap",
    "fill",
    "to_vec",
    "as_slice",
    "concat",
    "is_empty",
    "contains",
    "split_at",
    "row_iter",
    "column_iter",
];

impl SymbolicInterpreter<'_> {
    /// Calls a method of an array; returns `None` if there is no such method.
    pub(super) fn array_method(
        &mut self,
        items: &[Value],
        name: &str,
        arguments: &[Value],
        call: &ExprMethodCall,
    ) -> Interpreted<Option<Value>> {
        let size = |value: &Value| match value {
            Value::Integer(integer) => usize::try_from(integer.value).ok(),
            _ => None,
        };
        let result = match (name, arguments) {
            ("iter" | "into_iter", []) => Value::Sequence(items.to_vec()),
            ("len", []) => Value::Integer(Integer::length(items.len())),
            ("is_empty", []) => Value::Known(items.is_empty()),
            ("first", []) => Value::Optional(items.first().cloned().map(Box::new)),
            ("last", []) => Value::Optional(items.last().cloned().map(Box::new)),
            ("get", [at @ Value::Integer(_)]) => {
                Value::Optional(size(at).and_then(|at| items.get(at)).cloned().map(Box::new))
            }
            ("as_slice" | "to_vec" | "as_ref" | "each_ref", []) => Value::Array(items.to_vec()),
            ("concat", []) => {
                let mut all = Vec::new();
                for item in items {
                    all.extend(self.items(item.clone(), &call.method)?);
                }
                Value::Array(all)
            }
            ("split_first" | "split_last", []) => {
                let parts = if name == "split_first" { items.split_first() } else { items.split_last() };
                let pair = parts.map(|(one, rest)| vec![one.clone(), Value::Array(rest.to_vec())]);
                Value::Optional(pair.map(|pair| Box::new(Value::Tuple(pair))))
            }
            ("map", [function]) => {
                let function = self.callable(function, &call.args)?;
                // `map` of an array calls the closure immediately and in order.
                let mapped: Interpreted<Vec<Value>> =
                    items.iter().map(|item| self.apply(&function, vec![item.clone()], &call.method)).collect();
                Value::Array(mapped?)
            }
            ("windows", [width]) => match size(width) {
                Some(width) if width > 0 => {
                    Value::Sequence(items.windows(width).map(|part| Value::Array(part.to_vec())).collect())
                }
                _ => return self.known_number(call),
            },
            ("chunks" | "chunks_exact", [width]) => match size(width) {
                Some(width) if width > 0 => {
                    let exact = name == "chunks_exact";
                    let parts = items.chunks(width).filter(|part| !exact || part.len() == width);
                    Value::Sequence(parts.map(|part| Value::Array(part.to_vec())).collect())
                }
                _ => return self.known_number(call),
            },
            ("split_at", [at]) => match size(at) {
                Some(at) if at <= items.len() => {
                    Value::Tuple(vec![Value::Array(items[..at].to_vec()), Value::Array(items[at..].to_vec())])
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
        let size = |value: &Value| match value {
            Value::Integer(integer) => usize::try_from(integer.value).ok(),
            _ => None,
        };
        let result = match (name, arguments) {
            ("iter" | "into_iter" | "copied" | "cloned" | "by_ref" | "fuse", []) => {
                // Mutable references are kept as references; rustc rejects `copied` for them.
                Value::Sequence(items)
            }
            ("enumerate", []) => Value::Sequence(
                items
                    .into_iter()
                    .enumerate()
                    .map(|(at, item)| Value::Tuple(vec![Value::Integer(Integer::length(at)), item]))
                    .collect(),
            ),
            ("rev", []) => Value::Sequence(items.into_iter().rev().collect()),
            ("zip", [Value::From(start)]) => {
                let kind = start.kind;
                let numbers = (start.value..).map(|value| Value::Integer(Integer { value, kind }));
                Value::Sequence(items.into_iter().zip(numbers).map(|(a, b)| Value::Tuple(vec![a, b])).collect())
            }
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
                let Some(number) = size(number).filter(|number| *number > 0 || name != "step_by") else {
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
            ("filter_map" | "find_map", [function]) => {
                let mut all = Vec::new();
                for part in self.mapped(items, function, call)? {
                    let Value::Optional(part) = part else { return Ok(None) };
                    all.extend(part.map(|part| *part));
                }
                if name == "filter_map" {
                    Value::Sequence(all)
                } else {
                    Value::Optional(all.into_iter().next().map(Box::new))
                }
            }
            ("flatten", []) => {
                let mut all = Vec::new();
                for part in items {
                    if let Value::Optional(part) = part {
                        all.extend(part.map(|part| *part));
                        continue;
                    }
                    all.extend(self.items(part, at)?);
                    self.spend(all.len() / 64, at)?;
                }
                Value::Sequence(all)
            }
            ("filter" | "take_while" | "skip_while" | "position" | "find", [function]) => {
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
                    "take_while" => {
                        Value::Sequence(pairs.take_while(|(_, keep)| *keep).map(|(item, _)| item).collect())
                    }
                    "skip_while" => {
                        Value::Sequence(pairs.skip_while(|(_, keep)| *keep).map(|(item, _)| item).collect())
                    }
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
                    let one = self.apply_purely(&function, vec![item], at)?;
                    result = if name == "all" { self.both(result, one) } else { self.either(result, one) };
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
            ("for_each", [function]) => {
                let function = self.callable(function, &call.args)?;
                for item in items {
                    self.apply(&function, vec![item], at)?;
                }
                Value::Unit
            }
            ("min" | "max", []) => {
                let numbers: Option<Vec<Integer>> =
                    items.iter().map(|item| if let Value::Integer(n) = item { Some(*n) } else { None }).collect();
                match numbers {
                    Some(numbers) => {
                        let best = if name == "min" {
                            numbers.into_iter().min_by_key(|n| n.value)
                        } else {
                            numbers.into_iter().max_by_key(|n| n.value)
                        };
                        Value::Optional(best.map(|best| Box::new(Value::Integer(best))))
                    }
                    None => return self.report_unordered(&items, name, at),
                }
            }
            ("min_by" | "max_by" | "min_by_key" | "max_by_key", _) => {
                let (start, function) = if name.starts_with("min") {
                    ("f64::INFINITY", "f64::min")
                } else {
                    ("f64::NEG_INFINITY", "f64::max")
                };
                let is_number = |item: &Value| matches!(self.followed(item.clone()), Value::Scalar(_));
                let help = if !name.ends_with("key") && items.iter().all(is_number) {
                    let by_value = if source(&call.receiver).ends_with(".iter()") { ".copied()" } else { "" };
                    format!("write `{by_value}.fold({start}, {function})` for the extreme value")
                } else {
                    let order = if name.starts_with("min") { "<" } else { ">" };
                    format!(
                        "write a loop: `let mut best = {start}; for x in … {{ if x {order} best {{ best = x; }} }}`"
                    )
                };
                return self.error_with_help(at, format_args!("the order of `{name}` depends on the state"), help);
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
            ("unzip", []) => {
                let mut parts = (Vec::new(), Vec::new());
                for item in items {
                    let Value::Tuple(pair) = item else { return Ok(None) };
                    let [a, b] = <[Value; 2]>::try_from(pair).map_err(|_| Reported)?;
                    parts.0.push(a);
                    parts.1.push(b);
                }
                Value::Tuple(vec![Value::Array(parts.0), Value::Array(parts.1)])
            }
            _ => return Ok(None),
        };
        Ok(Some(result))
    }

    /// Reports `min` and `max` of values that are not integers.
    fn report_unordered(&mut self, items: &[Value], name: &str, at: &syn::Ident) -> Interpreted<Option<Value>> {
        let of_enum = items.iter().find_map(|item| match item {
            Value::Struct(variant, fields) if fields.is_empty() => variant.split_once("::").map(|(owner, _)| owner),
            _ => None,
        });
        let variants = of_enum.and_then(|owner| {
            self.model.items.iter().find_map(|item| match item {
                syn::Item::Enum(item) if item.ident == owner => Some((&item.ident, &item.variants)),
                _ => None,
            })
        });
        let help = match variants {
            Some((owner, variants)) => {
                let arms: Vec<String> = variants
                    .iter()
                    .enumerate()
                    .map(|(rank, variant)| format!("{owner}::{} => {rank}", variant.ident))
                    .collect();
                format!(
                    "write `.map(rank).{name}()`, with `fn rank(it: {owner}) -> i32 {{ match it {{ {} }} }}` in this module",
                    arms.join(", ")
                )
            }
            None if name == "min" => "write `.fold(f64::INFINITY, f64::min)`".to_owned(),
            None => "write `.fold(f64::NEG_INFINITY, f64::max)`".to_owned(),
        };
        self.error_with_help(at, format_args!("`{name}` of an iterator is supported for integers only"), help)
    }
}
