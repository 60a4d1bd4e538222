//! Run-time lists and tables, and their items at indices such as `[index + 1]`.
//!
//! Invariant: every item that a term reads is a [`ListItem`], with the conditions on the element index under which it is read. The
//! construction of a system fails if such an item does not exist, so that no kernel reads out of bounds.

use syn::Expr;

use super::booleans::{count, same_count};
use super::integers::Integer;
use super::records::{ListItem, ListSource};
use super::{Interpreted, SymbolicInterpreter, Value};
use crate::diagnostics::source;
use crate::expr::{Expressions, Function, Leaf, Node, Op, Subscript, Wrap};

/// Limit of the length of a table, which is expanded into as many choices.
const MAX_TABLE: usize = 64;

impl SymbolicInterpreter<'_> {
    /// Evaluates `list[at]` of a list of the parameters.
    pub(super) fn item(&mut self, list: usize, at: &syn::ExprIndex) -> Interpreted {
        if matches!(*at.index, Expr::Range(_)) {
            return self.error_with_help(
                &at.index,
                "a slice of a parameter list is not supported",
                "use single items: `list[index]`, `list[index + 1]`",
            );
        }
        let value = self.expression(&at.index)?;
        let node = match &value {
            Value::Unknown => return Err(super::Reported),
            value => match count(&mut self.expressions, value) {
                Some(node) => node,
                None => return self.no_subscript(&at.index),
            },
        };
        self.item_at(list, node, at)
    }

    fn item_at(&mut self, list: usize, node: Node, at: &syn::ExprIndex) -> Interpreted {
        // `list[if index == 0 { 0 } else { index - 1 }]`.
        if let Op::Select(condition, a, b) = *self.expressions.op(node) {
            return self.branch(
                &at.index,
                condition,
                |this| this.item_at(list, a, at),
                |this| this.item_at(list, b, at),
            );
        }
        let Some(subscript) = subscript(&self.expressions, node) else { return self.no_subscript(&at.index) };
        let sure = self.note(ListSource::Parameter(list), subscript, source(at));
        Ok(self.leaves.item(&mut self.expressions, list, subscript, sure))
    }

    /// Evaluates `table[index % 2]`: a choice between the items of the table.
    pub(super) fn of_table(&mut self, items: &[Value], node: Node, at: &syn::ExprIndex) -> Interpreted {
        let Some(subscript) = subscript(&self.expressions, node) else { return self.no_subscript(&at.index) };
        if items.len() > MAX_TABLE {
            let message = format!(
                "this table of {} items would be expanded into as many choices; the limit is {MAX_TABLE}",
                items.len()
            );
            let help = "declare the table as a list in the parameters, `table: Vec<f64>`";
            return self.error_with_help(&at.expr, message, help);
        }
        self.note(ListSource::Table(source(&at.expr), items.len()), subscript, source(at));
        let Some((last, others)) = items.split_last() else {
            return self.error(&at.expr, "this table is empty");
        };
        let mut chosen = last.clone();
        for (number, item) in others.iter().enumerate().rev() {
            let number = self.expressions.number(Integer::length(number).real());
            let is_it = same_count(&mut self.expressions, node, number);
            chosen = self.choose(&at.index, is_it, item.clone(), chosen)?;
        }
        Ok(chosen)
    }

    /// Records a list item; returns true if it is read at every element.
    fn note(&mut self, list: ListSource, at: Subscript, text: String) -> bool {
        let mut conditions = self.environment.conditions(&mut self.expressions);
        let mut numbers = Vec::new();
        while let Some(condition) = conditions.pop() {
            match *self.expressions.op(condition) {
                Op::And(a, b) => conditions.extend([a, b]),
                // A condition on other values than indices may hold at any element.
                _ if counts(&self.expressions, condition) => numbers.push(condition),
                _ => {}
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        let sure = numbers.is_empty();
        let read = ListItem { list, at, conditions: numbers, function: self.environment.role.clone(), text };
        if !self.records.reads.contains(&read) {
            self.records.reads.push(read);
        }
        sure
    }

    /// Reports a use of a whole list.
    pub(super) fn list_as_a_whole<T>(&mut self, at: impl quote::ToTokens) -> Interpreted<T> {
        self.error_with_help(
            at,
            "a parameter list cannot be used as a whole: its length is known only at run time",
            super::help::LISTS,
        )
    }

    fn no_subscript(&mut self, at: &Expr) -> Interpreted {
        self.error_with_help(
            at,
            format_args!("unsupported index `{}` of a parameter list", source(at)),
            "use an index of the form `index`, `index + 1`, `length - 1 - index`, `2 * index`, `index / 2`, `index % 2`, \
             `(index + 1) % length`, or an integer that is known at compile time",
        )
    }
}

/// Returns true if a condition depends on the element index and the length of the chain only.
pub(super) fn counts(e: &Expressions, condition: Node) -> bool {
    let is_other = |node| matches!(e.op(node), Op::Leaf(leaf) if !matches!(leaf, Leaf::Index | Leaf::Length));
    !e.reachable(&[condition]).into_iter().any(is_other)
}

/// Returns an integer expression as an index of an item.
fn subscript(e: &Expressions, node: Node) -> Option<Subscript> {
    if let Some(number) = e.as_number(node) {
        return whole(number).map(Subscript::number);
    }
    // Divisions and remainders must be outermost.
    let plain = |at: &Subscript| at.divisor == 1 && at.wrap == Wrap::Never;
    match e.op(node) {
        Op::Leaf(Leaf::Index) => Some(Subscript::INDEX),
        Op::Leaf(Leaf::Length) => Some(Subscript::LENGTH),
        Op::Neg(a) => subscript(e, *a).filter(plain)?.times(-1),
        Op::Add(a, b) => match (subscript(e, *a)?, subscript(e, *b)?) {
            (a, b) if plain(&a) && plain(&b) => a.plus(b),
            // a / d + k is (a + d k) / d.
            (a, b) if b.is_number() && a.wrap == Wrap::Never => a.plus(b.times(i32::try_from(a.divisor).ok()?)?),
            (a, b) if a.is_number() && b.wrap == Wrap::Never => b.plus(a.times(i32::try_from(b.divisor).ok()?)?),
            _ => None,
        },
        Op::Scale(a, b) => {
            let factor = whole(e.as_number(*a)?)?;
            subscript(e, *b).filter(plain)?.times(factor)
        }
        Op::Function(Function::Trunc, quotient) => {
            let Op::Divide(a, b) = e.op(*quotient) else { return None };
            let divisor = u32::try_from(whole(e.as_number(*b)?)?).ok().filter(|divisor| *divisor > 0)?;
            Some(Subscript { divisor, ..subscript(e, *a).filter(plain)? })
        }
        Op::Remainder(a, b) => {
            let wrap = match e.as_number(*b) {
                Some(number) => Wrap::At(u32::try_from(whole(number)?).ok().filter(|modulus| *modulus > 0)?),
                None if matches!(e.op(*b), Op::Leaf(Leaf::Length)) => Wrap::Around,
                None => return None,
            };
            Some(Subscript { wrap, ..subscript(e, *a).filter(|at| at.wrap == Wrap::Never)? })
        }
        _ => None,
    }
}

/// Returns an integer within the limit of item indices.
#[allow(clippy::cast_possible_truncation, clippy::float_cmp)] // Checked: an integer within the limit.
fn whole(number: f64) -> Option<i32> {
    (number.trunc() == number && number.abs() < f64::from(i32::MAX)).then_some(number as i32)
}

impl Subscript {
    fn is_number(self) -> bool {
        self == Subscript::number(self.constant)
    }

    fn plus(self, other: Subscript) -> Option<Subscript> {
        Some(Subscript {
            index: self.index.checked_add(other.index)?,
            length: self.length.checked_add(other.length)?,
            constant: self.constant.checked_add(other.constant)?,
            ..self
        })
    }

    fn times(self, factor: i32) -> Option<Subscript> {
        Some(Subscript {
            index: self.index.checked_mul(factor)?,
            length: self.length.checked_mul(factor)?,
            constant: self.constant.checked_mul(factor)?,
            ..self
        })
    }
}
