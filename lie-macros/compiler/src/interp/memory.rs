//! Places: variables and parts of them, and assignments.
//!
//! A shared reference is a copy of the referenced value: nothing can change the value during the lifetime of the reference. Mutable
//! references are not supported.

use quote::ToTokens;
use syn::{Expr, Member};

use super::inverses::with_entries;
use super::projections::entry_named;
use super::{Interpreted, Reported, SymbolicInterpreter, Value};

/// A projection from a value to a part of it.
#[derive(Clone, Copy)]
enum Step {
    /// An element of an array or tuple, or a field of a struct.
    Item(usize),
    /// An entry of a matrix: row and column.
    Entry(usize, usize),
}

/// A variable or a part of one.
pub(super) struct MemoryPlace {
    slot: usize,
    path: Vec<Step>,
}

impl MemoryPlace {
    fn part(mut self, step: Step) -> MemoryPlace {
        self.path.push(step);
        self
    }
}

impl SymbolicInterpreter<'_> {
    /// Returns the value at a place.
    pub(super) fn at(&mut self, place: &MemoryPlace) -> Value {
        let mut value = self.environment.value(place.slot).clone();
        for step in &place.path {
            value = match (value, *step) {
                (Value::Array(mut items) | Value::Tuple(mut items), Step::Item(at)) if at < items.len() => {
                    items.swap_remove(at)
                }
                (Value::Struct(_, mut fields), Step::Item(at)) if at < fields.len() => fields.swap_remove(at).1,
                (Value::Matrix(matrix), Step::Entry(row, column)) => {
                    Value::Scalar(self.expressions.entry(matrix, row, column))
                }
                _ => Value::Unknown,
            };
        }
        value
    }

    /// Writes to a place.
    pub(super) fn put(&mut self, place: &MemoryPlace, value: Value, at: &dyn ToTokens) -> Interpreted<()> {
        if self.environment.is_sealed(place.slot) {
            return self.error_with_help(
                at,
                "a variable outside of a closure or of an operand cannot be changed in it",
                "write the assignment as a statement of its own, for example in a `for` loop, or use `fold`",
            );
        }
        let whole = self.environment.value(place.slot).clone();
        let changed = self.replaced(whole, &place.path, value);
        self.environment.assign(place.slot, changed);
        Ok(())
    }

    fn replaced(&mut self, whole: Value, path: &[Step], value: Value) -> Value {
        let Some((step, rest)) = path.split_first() else { return value };
        match (whole, *step) {
            (whole @ (Value::Array(_) | Value::Tuple(_) | Value::Struct(..)), Step::Item(at)) => {
                let mut whole = whole;
                let part = match &mut whole {
                    Value::Array(items) | Value::Tuple(items) => items.get_mut(at),
                    Value::Struct(_, fields) => fields.get_mut(at).map(|(_, value)| value),
                    _ => None,
                };
                if let Some(part) = part {
                    let before = std::mem::replace(part, Value::Unset);
                    *part = self.replaced(before, rest, value);
                }
                whole
            }
            (Value::Matrix(matrix), Step::Entry(row, column)) => match value {
                Value::Scalar(entry) => Value::Matrix(with_entries(&mut self.expressions, matrix, |at| {
                    (at == (row, column)).then_some(entry)
                })),
                _ => Value::Unknown,
            },
            _ => Value::Unknown,
        }
    }

    /// Returns the place of an expression.
    pub(super) fn place(&mut self, expr: &Expr) -> Interpreted<MemoryPlace> {
        match expr {
            Expr::Path(path) => {
                let name = path.path.get_ident().map(ToString::to_string);
                match name.as_deref().and_then(|name| self.environment.slot(name)) {
                    Some(slot) => Ok(MemoryPlace { slot, path: Vec::new() }),
                    None => self.not_assignable(expr),
                }
            }
            Expr::Paren(inner) => self.place(&inner.expr),
            Expr::Group(inner) => self.place(&inner.expr),
            Expr::Index(index) => {
                let base = self.place(&index.expr)?;
                match self.at(&base) {
                    Value::Array(items) => {
                        let at = self.array_index(&index.index, items.len())?;
                        Ok(base.part(Step::Item(at)))
                    }
                    Value::Matrix(matrix) => {
                        let (row, column) = self.matrix_index(&index.index, matrix)?;
                        Ok(base.part(Step::Entry(row, column)))
                    }
                    Value::Unknown => Err(Reported),
                    _ => self.not_assignable(expr),
                }
            }
            Expr::Field(field) => {
                let base = self.place(&field.base)?;
                match (self.at(&base), &field.member) {
                    (Value::Tuple(items), Member::Unnamed(at)) if (at.index as usize) < items.len() => {
                        Ok(base.part(Step::Item(at.index as usize)))
                    }
                    (Value::Struct(_, fields), member) => {
                        let name = member.to_token_stream().to_string();
                        match fields.iter().position(|(known, _)| *known == name) {
                            Some(at) => Ok(base.part(Step::Item(at))),
                            None => self.error(member, format_args!("no field `{name}`")),
                        }
                    }
                    (Value::Matrix(matrix), Member::Named(name)) => {
                        match entry_named(&name.to_string(), self.expressions.shape(matrix)) {
                            Some((row, column)) => Ok(base.part(Step::Entry(row, column))),
                            None => self.not_assignable(expr),
                        }
                    }
                    (Value::Unknown, _) => Err(Reported),
                    _ => self.not_assignable(expr),
                }
            }
            _ => self.not_assignable(expr),
        }
    }

    fn not_assignable<T>(&mut self, at: &Expr) -> Interpreted<T> {
        self.error_with_help(
            at,
            "cannot assign to this expression",
            "assign to a local `let mut` variable, or to an entry of one: `v.x`, `v[0]`, `m[(0, 0)]`",
        )
    }

    /// Assigns to the left-hand side of `=`.
    pub(super) fn assign(&mut self, left: &Expr, value: Value) -> Interpreted {
        match (left, value) {
            (Expr::Paren(inner), value) => self.assign(&inner.expr, value),
            (Expr::Infer(_), _) => Ok(Value::Unit),
            (Expr::Tuple(syn::ExprTuple { elems, .. }), Value::Tuple(values))
            | (Expr::Array(syn::ExprArray { elems, .. }), Value::Array(values))
                if elems.len() == values.len() && !elems.iter().any(|part| matches!(part, Expr::Range(_))) =>
            {
                for (part, value) in elems.iter().zip(values) {
                    self.assign(part, value)?;
                }
                Ok(Value::Unit)
            }
            (Expr::Path(path), value) => {
                let name = path.path.get_ident().map(ToString::to_string).unwrap_or_default();
                match self.environment.slot(&name) {
                    Some(slot) => self.put(&MemoryPlace { slot, path: Vec::new() }, value, left).map(|()| Value::Unit),
                    None => self.error(left, format_args!("cannot find variable `{name}` in this scope")),
                }
            }
            (Expr::Index(_) | Expr::Field(_), value) => {
                let place = self.place(left)?;
                let before = self.at(&place);
                if value == Value::Unknown || before == Value::Unknown {
                    return Err(Reported);
                }
                if place.path.last().is_some_and(|step| matches!(step, Step::Entry(..)))
                    && !matches!(value, Value::Scalar(_))
                {
                    let found = value.describe(&self.expressions);
                    return self.error(
                        left,
                        format_args!("mismatched types: expected a scalar for this entry, found {found}"),
                    );
                }
                self.put(&place, value, left).map(|()| Value::Unit)
            }
            _ => self.not_assignable(left),
        }
    }
}
