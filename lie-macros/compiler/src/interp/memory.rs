//! Variables and places in them.
//!
//! A shared reference is a copy of the referenced value: nothing can change the value during the lifetime of the reference. Mutable
//! references are not supported.

use std::collections::{BTreeMap, HashMap};

use quote::ToTokens;
use syn::{Expr, Member};

use super::integers::Integer;
use super::projections::entry_named;
use super::{Interpreted, Reported, SymbolicInterpreter, Value};
use crate::expr::Node;

/// Help for expressions that cannot be assigned to.
const ASSIGNABLE: &str = "assign to a local `let mut` variable, or to an entry of one: `v.x`, `v[0]`, `m[(0, 0)]`";

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
    /// Allocates a variable without a name.
    pub(super) fn allocate(&mut self, value: Value) -> usize {
        self.store.slots.push(value);
        self.store.len() - 1
    }

    /// Declares a variable in the innermost scope.
    pub(super) fn declare(&mut self, name: &syn::Ident, value: Value) {
        let slot = self.allocate(value);
        if let Some(scope) = self.scopes.last_mut() {
            scope.insert(name.to_string(), slot);
        }
    }

    /// Captures copies of the variables in scope whose names satisfy `names`.
    pub(super) fn capture(&mut self, names: impl Fn(&str) -> bool) -> HashMap<String, usize> {
        let mut seen: BTreeMap<String, usize> = BTreeMap::new();
        for scope in &self.scopes {
            seen.extend(scope.iter().filter(|(name, _)| names(name)).map(|(name, slot)| (name.clone(), *slot)));
        }
        seen.into_iter().map(|(name, slot)| (name, self.allocate(self.store.slots[slot].clone()))).collect()
    }

    /// Evaluates `part` of an expression, in which no outer variable can change.
    pub(super) fn sealed<T>(&mut self, part: impl FnOnce(&mut Self) -> Interpreted<T>) -> Interpreted<T> {
        let outer = self.store.sealed.replace(self.store.len());
        let result = part(self);
        self.store.sealed = outer;
        result
    }

    /// Returns a variable in scope.
    pub(super) fn variable(&self, name: &str) -> Option<&Value> {
        self.slot(name).map(|slot| &self.store.slots[slot])
    }

    fn slot(&self, name: &str) -> Option<usize> {
        self.scopes.iter().rev().find_map(|scope| scope.get(name)).copied()
    }

    /// Returns the name of a variable in scope that holds a value.
    pub(super) fn name_of(&self, value: &Value) -> Option<String> {
        let names = self.scopes.iter().flatten().filter(|(_, slot)| self.store.slots[**slot] == *value);
        names.map(|(name, _)| name).min().cloned()
    }

    /// Returns the value at a place.
    pub(super) fn at(&mut self, place: &MemoryPlace) -> Value {
        let mut value = self.store.slots[place.slot].clone();
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
        if self.store.sealed.is_some_and(|floor| place.slot < floor) {
            return self.changed_inside(at);
        }
        let value = match value {
            Value::Integer(_) | Value::Array(_) | Value::Tuple(_) => alike(value, &self.at(place)),
            value => value,
        };
        self.store.first_write = self.store.first_write.min(place.slot);
        self.keep(place.slot);
        let whole = std::mem::replace(&mut self.store.slots[place.slot], Value::Unset);
        self.store.slots[place.slot] = whole.clone();
        let changed = self.replaced(whole, &place.path, value);
        self.store.write(place.slot, changed);
        Ok(())
    }

    /// Reports an assignment inside of a closure or an operand.
    pub(super) fn changed_inside<T>(&mut self, at: &dyn ToTokens) -> Interpreted<T> {
        self.error_with_help(
            at,
            "a variable outside of a closure or of an operand cannot be changed in it",
            "write the assignment as a statement of its own, for example in a `for` loop, or use `fold`",
        )
    }

    fn replaced(&mut self, whole: Value, path: &[Step], value: Value) -> Value {
        let Some((step, rest)) = path.split_first() else { return value };
        match (whole, *step) {
            (Value::Array(mut items), Step::Item(at)) if at < items.len() => {
                let part = std::mem::replace(&mut items[at], Value::Unset);
                items[at] = self.replaced(part, rest, value);
                Value::Array(items)
            }
            (Value::Tuple(mut items), Step::Item(at)) if at < items.len() => {
                let part = std::mem::replace(&mut items[at], Value::Unset);
                items[at] = self.replaced(part, rest, value);
                Value::Tuple(items)
            }
            (Value::Struct(name, mut fields), Step::Item(at)) if at < fields.len() => {
                let part = std::mem::replace(&mut fields[at].1, Value::Unset);
                fields[at].1 = self.replaced(part, rest, value);
                Value::Struct(name, fields)
            }
            (Value::Matrix(matrix), Step::Entry(row, column)) => match value {
                Value::Scalar(entry) => Value::Matrix(self.with_entry(matrix, row, column, entry)),
                _ => Value::Unknown,
            },
            _ => Value::Unknown,
        }
    }

    /// Returns the matrix with one entry replaced.
    fn with_entry(&mut self, matrix: Node, row: usize, column: usize, entry: Node) -> Node {
        let (rows, columns) = self.expressions.shape(matrix);
        let entries = (0..rows * columns)
            .map(|at| {
                if at == row * columns + column {
                    entry
                } else {
                    self.expressions.entry(matrix, at / columns, at % columns)
                }
            })
            .collect();
        self.expressions.stack(entries, rows, columns)
    }

    /// Returns the place of an expression.
    pub(super) fn place(&mut self, expr: &Expr) -> Interpreted<MemoryPlace> {
        match expr {
            Expr::Path(path) => {
                let name = path.path.get_ident().map(ToString::to_string);
                match name.as_deref().and_then(|name| self.slot(name)) {
                    Some(slot) => Ok(MemoryPlace { slot, path: Vec::new() }),
                    None => self.error_with_help(expr, "cannot assign to this expression", ASSIGNABLE),
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
                    _ => self.error(expr, "only entries of vectors, matrices and arrays can be assigned"),
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
                            None => self.error_with_help(expr, "cannot assign to this expression", ASSIGNABLE),
                        }
                    }
                    (Value::Unknown, _) => Err(Reported),
                    _ => self.error_with_help(expr, "cannot assign to this expression", ASSIGNABLE),
                }
            }
            _ => self.error_with_help(expr, "cannot assign to this expression", ASSIGNABLE),
        }
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
                match self.slot(&name) {
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
            _ => self.error_with_help(left, "cannot assign to this expression", ASSIGNABLE),
        }
    }
}

/// Returns `value` with the type of the value it replaces: integers without an inferred type get the integer type of `other`.
fn alike(value: Value, other: &Value) -> Value {
    let each = |items: Vec<Value>, others: &[Value]| {
        items.into_iter().zip(others).map(|(item, other)| alike(item, other)).collect::<Vec<_>>()
    };
    match (value, other) {
        (Value::Integer(integer), Value::Integer(Integer { kind: Some(kind), .. }) | Value::Count(_, kind)) => {
            Value::Integer(integer.of(*kind))
        }
        (Value::Array(items), Value::Array(others)) if items.len() == others.len() => Value::Array(each(items, others)),
        (Value::Tuple(items), Value::Tuple(others)) if items.len() == others.len() => Value::Tuple(each(items, others)),
        (value, _) => value,
    }
}

/// Returns the items of a list with one common type.
pub(super) fn alike_all(items: Vec<Value>) -> Vec<Value> {
    let told = items.iter().find(|item| matches!(item, Value::Integer(Integer { kind: Some(_), .. })));
    match told.cloned() {
        Some(told) => items.into_iter().map(|item| alike(item, &told)).collect(),
        None => items,
    }
}
