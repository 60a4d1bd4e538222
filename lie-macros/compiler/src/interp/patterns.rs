//! Patterns: bindings, and tests of values.

use quote::ToTokens;
use syn::{Expr, Pat};

use super::booleans::{both, either};
use super::projections::member_name;
use super::{Interpreted, Reported, SymbolicInterpreter, Value};
use crate::expr::Relation;

impl SymbolicInterpreter<'_> {
    /// Binds the variables of a pattern.
    pub(super) fn bind(&mut self, pattern: &Pat, value: Value) -> Interpreted<()> {
        match pattern {
            // A constant is a path, not a binding.
            Pat::Ident(binding) if binding.subpat.is_none() && binding.ident == "None" => Ok(()),
            Pat::Ident(binding) if binding.by_ref.is_some() && binding.mutability.is_some() => {
                self.report_unsupported(pattern)
            }
            // A variant without its enum is a path, not a binding.
            Pat::Ident(binding) if binding.subpat.is_none() && self.is_variant(&binding.ident) => {
                self.report_unsupported(pattern)
            }
            Pat::Ident(binding) => {
                self.environment.declare(&binding.ident, value.clone());
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
            Pat::Reference(inner) => self.bind(&inner.pat, value),
            // Alternatives that bind names would be choices between their values.
            Pat::Or(or) if or.cases.iter().any(binds) => self.report_unsupported(pattern),
            Pat::Wild(_) | Pat::Lit(_) | Pat::Range(_) | Pat::Path(_) | Pat::Rest(_) | Pat::Or(_) => Ok(()),
            Pat::Tuple(_) | Pat::Slice(_) | Pat::Struct(_) | Pat::TupleStruct(_) => {
                for (part, value) in self.parts(pattern, value)? {
                    self.bind(part, value)?;
                }
                Ok(())
            }
            _ => self.report_unsupported(pattern),
        }
    }

    /// Returns true for the name of a variant.
    fn is_variant(&self, name: &syn::Ident) -> bool {
        self.model.items.iter().any(|item| match item {
            syn::Item::Enum(item) => item.variants.iter().any(|variant| variant.ident == *name),
            _ => false,
        })
    }

    fn report_unsupported<T>(&mut self, pattern: &Pat) -> Interpreted<T> {
        self.error_with_help(
            pattern,
            "this pattern is not supported in a declaration",
            "bind names, tuples `(a, b)` or arrays `[a, b]`, write variants with their enum, `Shape::Round`, or move the expression into an `#[opaque]` function",
        )
    }

    /// Returns the subpatterns of a pattern with the corresponding parts of a value.
    fn parts<'p>(&mut self, pattern: &'p Pat, value: Value) -> Interpreted<Vec<(&'p Pat, Value)>> {
        if value == Value::Unknown {
            return Ok(subpatterns(pattern).into_iter().map(|part| (part, Value::Unknown)).collect());
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
                    parts.push((&*field.pat, values[at].1.clone()));
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
                    let value = self.field_of(&whole, &field.member)?;
                    parts.push((&*field.pat, value));
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
    ) -> Interpreted<Vec<(&'p Pat, Value)>> {
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
                        result.push((*part, Value::Array(values[at..at + skipped].to_vec())));
                    }
                }
                Some(rest) if at > rest => {
                    let at = at + skipped - 1;
                    result.push((*part, values[at].clone()));
                }
                _ => result.push((*part, values[at].clone())),
            }
        }
        Ok(result)
    }

    /// Tests whether a pattern matches a value.
    pub(super) fn test(&mut self, pattern: &Pat, value: &Value) -> Interpreted {
        match (pattern, value) {
            (_, Value::Unknown) => Err(Reported),
            (Pat::Ident(binding), _) if binding.subpat.is_none() && binding.ident == "None" => {
                Ok(Value::Known(*value == Value::Optional(None)))
            }
            (Pat::Ident(binding), _) => match &binding.subpat {
                Some((_, inner)) => self.test(inner, value),
                None => Ok(Value::Known(true)),
            },
            (Pat::Wild(_) | Pat::Rest(_), _) => Ok(Value::Known(true)),
            (Pat::Type(typed), _) => self.test(&typed.pat, value),
            (Pat::Paren(inner), _) => self.test(&inner.pat, value),
            (Pat::Reference(inner), _) => self.test(&inner.pat, value),
            (Pat::Lit(literal), _) => {
                let wanted = self.expression(&Expr::Lit(literal.clone()))?;
                self.equal(pattern, value, &wanted)
            }
            (Pat::Path(path), _) => {
                let owner = path.path.segments.iter().rev().nth(1);
                if path.path.segments.last().is_some_and(|last| last.ident == "None")
                    && owner.is_none_or(|owner| owner.ident == "Option")
                {
                    return Ok(Value::Known(*value == Value::Optional(None)));
                }
                let wanted = self.expression(&Expr::Path(path.clone()))?;
                self.equal(pattern, value, &wanted)
            }
            (Pat::Range(range), _) => self.in_range_pattern(range, value),
            (Pat::Or(or), _) => {
                let mut any = Value::Known(false);
                for case in &or.cases {
                    let one = self.test(case, value)?;
                    any = either(&mut self.expressions, any, one);
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
                for (part, value) in self.parts(pattern, value.clone())? {
                    let one = self.test(part, &value)?;
                    all = both(&mut self.expressions, all, one);
                }
                Ok(all)
            }
            _ => self.report_unsupported(pattern),
        }
    }

    /// Tests a range pattern `1..=3`, also for scalars.
    fn in_range_pattern(&mut self, range: &syn::ExprRange, value: &Value) -> Interpreted {
        let mut inside = Value::Known(true);
        if let Some(start) = &range.start {
            let start = self.expression(start)?;
            let above = self.compare(range, Relation::LessOrEqual, &start, value)?;
            inside = both(&mut self.expressions, inside, above);
        }
        if let Some(end) = &range.end {
            let end = self.expression(end)?;
            let relation = match range.limits {
                syn::RangeLimits::Closed(_) => Relation::LessOrEqual,
                syn::RangeLimits::HalfOpen(_) => Relation::Less,
            };
            let below = self.compare(range, relation, value, &end)?;
            inside = both(&mut self.expressions, inside, below);
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
