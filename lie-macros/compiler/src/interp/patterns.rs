//! Patterns: bindings, and tests of values.

use quote::ToTokens;
use syn::{Expr, Pat};

use super::projections::member_name;
use super::{Interpreted, Reported, SymbolicInterpreter, Value};
use crate::expr::Relation;

impl SymbolicInterpreter<'_> {
    /// Binds the variables of a pattern.
    pub(super) fn bind(&mut self, pattern: &Pat, value: Value) -> Interpreted<()> {
        match pattern {
            // A constant is a path, not a binding.
            Pat::Ident(binding) if binding.subpat.is_none() && binding.ident == "None" => Ok(()),
            Pat::Ident(binding) if binding.by_ref.is_some() && binding.mutability.is_some() => self.error_with_help(
                pattern,
                "`ref mut` is not supported",
                format_args!("bind a reference: `let {} = &mut …;`", binding.ident),
            ),
            Pat::Ident(binding) if binding.subpat.is_none() && self.variant_named(&binding.ident).is_some() => {
                let variant = self.variant_named(&binding.ident).unwrap_or_default();
                self.error_with_help(
                    pattern,
                    "a variant without its enum is not supported",
                    format_args!("write `{variant}`"),
                )
            }
            Pat::Ident(binding) => {
                self.declare(&binding.ident, value.clone());
                match &binding.subpat {
                    Some((_, inner)) => self.bind(inner, value),
                    None => Ok(()),
                }
            }
            Pat::Type(typed) => match self.typed(value, &typed.ty) {
                Ok(value) => self.bind(&typed.pat, value),
                // Uses of the variable report no further error.
                Err(stop) => self.bind(&typed.pat, Value::Unknown).and(Err(stop)),
            },
            Pat::Paren(inner) => self.bind(&inner.pat, value),
            Pat::Reference(inner) => {
                let value = self.followed(value);
                self.bind(&inner.pat, value)
            }
            Pat::Wild(_) | Pat::Lit(_) | Pat::Range(_) | Pat::Path(_) | Pat::Rest(_) => Ok(()),
            Pat::Or(or) => self.bind_one_of(or, &value),
            Pat::Tuple(_) | Pat::Slice(_) | Pat::Struct(_) | Pat::TupleStruct(_) => {
                for (part, value) in self.parts(pattern, value)? {
                    self.bind(part, value)?;
                }
                Ok(())
            }
            _ => self.report_unsupported(pattern),
        }
    }

    /// Binds alternatives, which bind the same names. On the state, each name gets the value from the first alternative that matches.
    fn bind_one_of(&mut self, or: &syn::PatOr, value: &Value) -> Interpreted<()> {
        let mut open = Vec::new();
        for case in or.cases.iter().filter(|case| binds(case)) {
            let holds = self.test(case, value)?;
            let is_last = holds == Value::Known(true);
            if holds != Value::Known(false) {
                open.push((holds, case));
            }
            if is_last {
                break;
            }
        }
        let mut names: Vec<(syn::Ident, Value)> = Vec::new();
        // The last alternative matches if no other one does.
        for (holds, case) in open.into_iter().rev() {
            self.scopes.push(std::collections::HashMap::new());
            let bound = self.bind(case, value.clone());
            let own = bound_names(case).into_iter().map(|name| (self.variable(&name.to_string()).cloned(), name));
            let own: Vec<_> = own.filter_map(|(value, name)| Some((name, value?))).collect();
            self.scopes.pop();
            bound?;
            let mut chosen = Vec::new();
            for (name, value) in own {
                let other = names.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone());
                chosen.push(match (&holds, other) {
                    (Value::Bool(condition), Some(other)) => (name, self.choose(or, *condition, value, other)?),
                    _ => (name, value),
                });
            }
            names = chosen;
        }
        for (name, value) in names {
            self.declare(&name, value);
        }
        Ok(())
    }

    /// Returns the path of a variant with this name.
    fn variant_named(&self, name: &syn::Ident) -> Option<String> {
        self.model.items.iter().find_map(|item| match item {
            syn::Item::Enum(item) if item.variants.iter().any(|variant| variant.ident == *name) => {
                Some(format!("{}::{name}", item.ident))
            }
            _ => None,
        })
    }

    fn report_unsupported<T>(&mut self, pattern: &Pat) -> Interpreted<T> {
        self.error_with_help(pattern, "this pattern is not supported", "bind names, tuples `(a, b)` or arrays `[a, b]`")
    }

    /// Returns the subpatterns of a pattern with the corresponding parts of a value.
    fn parts<'p>(&mut self, pattern: &'p Pat, value: Value) -> Interpreted<Vec<(&'p Pat, Value)>> {
        // Through a mutable reference, parts are bound as mutable references.
        if let Value::Reference(place) = &value {
            let (whole, place) = (self.followed(value.clone()), self.last_place(place.clone()));
            let inner = self.parts_of(pattern, whole)?;
            return Ok(inner.into_iter().map(|(part, at, _)| (part, Value::Reference(place.item(at)))).collect());
        }
        Ok(self.parts_of(pattern, value)?.into_iter().map(|(part, _, value)| (part, value)).collect())
    }

    fn parts_of<'p>(&mut self, pattern: &'p Pat, value: Value) -> Interpreted<Vec<(&'p Pat, usize, Value)>> {
        if value == Value::Unknown {
            return Ok(subpatterns(pattern).into_iter().map(|part| (part, 0, Value::Unknown)).collect());
        }
        let found = value.describe(&self.expressions);
        match (pattern, value) {
            (Pat::Struct(fields), Value::Struct(_, values)) => {
                let mut parts = Vec::new();
                for field in &fields.fields {
                    let name = member_name(&field.member);
                    let Some(at) = values.iter().position(|(known, _)| *known == name) else {
                        return self.error(&field.member, format_args!("no field `{name}`"));
                    };
                    parts.push((&*field.pat, at, values[at].1.clone()));
                }
                Ok(parts)
            }
            (
                Pat::Struct(fields),
                whole
                @ (Value::Parameters | Value::Inputs | Value::Configuration | Value::Velocity | Value::Element(_)),
            ) => {
                let mut parts = Vec::new();
                for field in &fields.fields {
                    let value = self.field_of(whole.clone(), &field.member)?;
                    parts.push((&*field.pat, 0, value));
                }
                Ok(parts)
            }
            (Pat::TupleStruct(tuple), Value::Struct(_, values)) => {
                let values: Vec<Value> = values.into_iter().map(|(_, value)| value).collect();
                self.listed(pattern, &tuple.elems.iter().collect::<Vec<_>>(), &values)
            }
            (Pat::TupleStruct(tuple), Value::Optional(Some(value))) => {
                self.listed(pattern, &tuple.elems.iter().collect::<Vec<_>>(), &[*value])
            }
            (Pat::Tuple(tuple), Value::Tuple(values)) => {
                self.listed(pattern, &tuple.elems.iter().collect::<Vec<_>>(), &values)
            }
            // `let [x, y, z]: [f64; 3] = v.into();`
            (Pat::Slice(slice), value @ Value::Matrix(_)) => {
                let values = self.items(value, pattern)?;
                self.listed(pattern, &slice.elems.iter().collect::<Vec<_>>(), &values)
            }
            // A window of members is a tuple of members.
            (Pat::Slice(slice), Value::Array(values) | Value::Tuple(values)) => {
                self.listed(pattern, &slice.elems.iter().collect::<Vec<_>>(), &values)
            }
            _ => self.error(pattern, format_args!("mismatched types: this pattern does not match {found}")),
        }
    }

    /// Returns the parts for a slice pattern `[first, .., last]`.
    fn listed<'p>(
        &mut self,
        pattern: &'p Pat,
        parts: &[&'p Pat],
        values: &[Value],
    ) -> Interpreted<Vec<(&'p Pat, usize, Value)>> {
        let is_rest = |part: &Pat| match part {
            Pat::Rest(_) => true,
            Pat::Ident(binding) => binding.subpat.as_ref().is_some_and(|(_, inner)| matches!(**inner, Pat::Rest(_))),
            _ => false,
        };
        let rest = parts.iter().position(|part| is_rest(part));
        let fits = match rest {
            Some(_) => values.len() + 1 >= parts.len(),
            None => values.len() == parts.len(),
        };
        if !fits {
            let message = format!("the pattern has {} parts, but the value has {}", parts.len(), values.len());
            return self.error(pattern, message);
        }
        let skipped = values.len() + 1 - parts.len().min(values.len() + 1);
        let mut result = Vec::new();
        for (at, part) in parts.iter().enumerate() {
            match rest {
                Some(rest) if at == rest => {
                    if let Pat::Ident(_) = part {
                        // `rest @ ..` is a slice of the array.
                        result.push((*part, at, Value::Array(values[at..at + skipped].to_vec())));
                    }
                }
                Some(rest) if at > rest => {
                    let at = at + skipped - 1;
                    result.push((*part, at, values[at].clone()));
                }
                _ => result.push((*part, at, values[at].clone())),
            }
        }
        Ok(result)
    }

    /// Tests whether a pattern matches a value.
    pub(super) fn test(&mut self, pattern: &Pat, value: &Value) -> Interpreted {
        let value = self.followed(value.clone());
        match (pattern, &value) {
            (_, Value::Unknown) => Err(Reported),
            (Pat::Ident(binding), _) if binding.subpat.is_none() && binding.ident == "None" => {
                Ok(Value::Known(value == Value::Optional(None)))
            }
            (Pat::Ident(binding), _) => match &binding.subpat {
                Some((_, inner)) => self.test(inner, &value),
                None => Ok(Value::Known(true)),
            },
            (Pat::Wild(_) | Pat::Rest(_), _) => Ok(Value::Known(true)),
            (Pat::Type(typed), _) => self.test(&typed.pat, &value),
            (Pat::Paren(inner), _) => self.test(&inner.pat, &value),
            (Pat::Reference(inner), _) => self.test(&inner.pat, &value),
            (Pat::Lit(literal), _) => {
                let wanted = self.expression(&Expr::Lit(literal.clone()))?;
                self.equal_to(pattern, &value, &wanted)
            }
            (Pat::Path(path), _) => {
                let owner = path.path.segments.iter().rev().nth(1);
                if path.path.segments.last().is_some_and(|last| last.ident == "None")
                    && owner.is_none_or(|owner| owner.ident == "Option")
                {
                    return Ok(Value::Known(value == Value::Optional(None)));
                }
                let wanted = self.expression(&Expr::Path(path.clone()))?;
                self.equal_to(pattern, &value, &wanted)
            }
            (Pat::Range(range), _) => self.in_range_pattern(range, &value),
            (Pat::Or(or), _) => {
                let mut any = Value::Known(false);
                for case in &or.cases {
                    let one = self.test(case, &value)?;
                    any = self.either(any, one);
                }
                Ok(any)
            }
            (Pat::TupleStruct(tuple), Value::Optional(None)) => {
                // `Some(…)` against `None`.
                Ok(Value::Known(tuple.path.segments.last().is_some_and(|last| last.ident == "None")))
            }
            (Pat::Slice(slice), Value::Array(values)) if !slice_fits(slice, values.len()) => Ok(Value::Known(false)),
            (Pat::Tuple(_) | Pat::Slice(_) | Pat::Struct(_) | Pat::TupleStruct(_), _) => {
                let mut all = Value::Known(true);
                for (part, value) in self.parts(pattern, value)? {
                    let one = self.test(part, &value)?;
                    all = self.both(all, one);
                }
                Ok(all)
            }
            _ => self.report_unsupported(pattern),
        }
    }

    fn equal_to(&mut self, at: &Pat, value: &Value, wanted: &Value) -> Interpreted {
        match (value, wanted) {
            (Value::Integer(a), Value::Integer(b)) => Ok(Value::Known(a.value == b.value)),
            (Value::Known(a), Value::Known(b)) => Ok(Value::Known(a == b)),
            // Variants without data.
            (Value::Struct(a, one), Value::Struct(b, other)) if one.is_empty() && other.is_empty() => {
                Ok(Value::Known(a == b))
            }
            (Value::Bool(a), Value::Known(true)) => Ok(Value::Bool(*a)),
            (Value::Bool(a), Value::Known(false)) => Ok(Value::Bool(self.expressions.not(*a))),
            (Value::Count(..), Value::Integer(_)) => {
                let (a, b) = (self.count_of(value), self.count_of(wanted));
                Ok(Value::Bool(self.same_count(a, b)))
            }
            (Value::Scalar(_), Value::Scalar(_)) => self.error_with_help(
                at,
                "equality of run-time scalars is not supported",
                "use a guard, as in `x if x < 1.0 => …`",
            ),
            (value, wanted) => {
                let (a, b) = (value.describe(&self.expressions), wanted.describe(&self.expressions));
                self.error(at, format_args!("mismatched types: this compares {a} with {b}"))
            }
        }
    }

    /// Tests a range pattern `1..=3`, also for scalars.
    fn in_range_pattern(&mut self, range: &syn::ExprRange, value: &Value) -> Interpreted {
        let mut inside = Value::Known(true);
        if let Some(start) = &range.start {
            let start = self.expression(start)?;
            let above = self.order(range, start, value.clone(), Relation::LessOrEqual, false)?;
            inside = self.both(inside, above);
        }
        if let Some(end) = &range.end {
            let end = self.expression(end)?;
            let relation = match range.limits {
                syn::RangeLimits::Closed(_) => Relation::LessOrEqual,
                syn::RangeLimits::HalfOpen(_) => Relation::Less,
            };
            let below = self.order(range, value.clone(), end, relation, false)?;
            inside = self.both(inside, below);
        }
        Ok(inside)
    }
}

fn slice_fits(slice: &syn::PatSlice, length: usize) -> bool {
    let is_rest = |part: &Pat| part.to_token_stream().to_string().ends_with("..");
    if slice.elems.iter().any(is_rest) { length + 1 >= slice.elems.len() } else { length == slice.elems.len() }
}

/// Returns the direct subpatterns of a pattern.
fn subpatterns(pattern: &Pat) -> Vec<&Pat> {
    match pattern {
        Pat::Tuple(tuple) => tuple.elems.iter().collect(),
        Pat::Slice(slice) => slice.elems.iter().collect(),
        Pat::TupleStruct(tuple) => tuple.elems.iter().collect(),
        Pat::Struct(fields) => fields.fields.iter().map(|field| &*field.pat).collect(),
        _ => Vec::new(),
    }
}

/// Returns the names that a pattern binds.
fn bound_names(pattern: &Pat) -> Vec<syn::Ident> {
    struct Names(Vec<syn::Ident>);
    impl<'ast> syn::visit::Visit<'ast> for Names {
        fn visit_pat_ident(&mut self, pattern: &'ast syn::PatIdent) {
            self.0.push(pattern.ident.clone());
            syn::visit::visit_pat_ident(self, pattern);
        }
    }
    let mut names = Names(Vec::new());
    syn::visit::Visit::visit_pat(&mut names, pattern);
    names.0
}

/// Returns true if a pattern binds names.
fn binds(pattern: &Pat) -> bool {
    match pattern {
        Pat::Ident(_) => true,
        Pat::Paren(inner) => binds(&inner.pat),
        Pat::Reference(inner) => binds(&inner.pat),
        Pat::Or(or) => or.cases.iter().any(binds),
        other => subpatterns(other).into_iter().any(binds),
    }
}
