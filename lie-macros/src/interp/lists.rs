//! Lists whose length is known at run time, and tables: what `[index + 1]` reads of them.
//!
//! Invariant: every item that a term reads is a [`ListItem`], with the conditions on the number of the element under which it
//! is read. The system is not made if one of them is not there, so that no kernel ever reads beyond a list.

use syn::Expr;

use super::integers::Integer;
use super::{Interpreted, SymbolicInterpreter, Value};
use crate::diagnostics::source;
use crate::expr::{Function, Leaf, Node, Op, Subscript, Wrap};

/// More choices than this are a list, not a table.
const MAX_TABLE: usize = 64;

/// What is read of.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum Listing {
    /// A list of the parameters, by its number.
    Parameter(usize),
    /// An array of that many items, as written.
    Table(String, usize),
}

/// An item of a list that a function reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListItem {
    pub list: Listing,
    pub at: Subscript,
    /// Conditions on the number of the element and the length of its chain: all of them hold where it is read.
    pub conditions: Vec<Node>,
    /// The function with a role, and what it has written.
    pub function: String,
    pub text: String,
}

impl SymbolicInterpreter<'_> {
    /// `list[at]` of a list of the parameters.
    pub(super) fn item(&mut self, list: usize, at: &syn::ExprIndex) -> Interpreted {
        if matches!(*at.index, Expr::Range(_)) {
            return self.error_with_help(
                &at.index,
                "a slice of a list of parameters cannot be read",
                "read single items: `list[index]`, `list[index + 1]`",
            );
        }
        let value = self.expression(&at.index)?;
        let value = self.followed(value);
        let node = match &value {
            Value::Count(node, _) => *node,
            Value::Integer(_) => self.count_of(&value),
            Value::Unknown => return Err(super::Reported),
            _ => return self.no_subscript(&at.index),
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
        let Some(subscript) = self.subscript(node) else { return self.no_subscript(&at.index) };
        let sure = self.note(Listing::Parameter(list), subscript, source(at));
        Ok(self.leaves.item(&mut self.expressions, list, subscript, sure))
    }

    /// `table[index % 2]`: a choice between its items.
    pub(super) fn of_table(&mut self, items: &[Value], node: Node, at: &syn::ExprIndex) -> Interpreted {
        let Some(subscript) = self.subscript(node) else { return self.no_subscript(&at.index) };
        if items.len() > MAX_TABLE {
            let message = format!("a table of {} items is written out as so many choices", items.len());
            let help = "declare it as a list among the parameters, `table: Vec<f64>`, which is read in place";
            return self.error_with_help(&at.expr, message, help);
        }
        self.note(Listing::Table(source(&at.expr), items.len()), subscript, source(at));
        let Some((last, others)) = items.split_last() else {
            return self.error(&at.expr, "an empty table has no items");
        };
        let mut chosen = last.clone();
        for (number, item) in others.iter().enumerate().rev() {
            let number = self.expressions.number(Integer::length(number).real());
            let is_it = self.same_count(node, number);
            chosen = self.choose(&at.index, is_it, item.clone(), chosen)?;
        }
        Ok(chosen)
    }

    /// Keeps what is read; true if that is so at every element.
    fn note(&mut self, list: Listing, at: Subscript, text: String) -> bool {
        let mut conditions = self.path.clone();
        let gone: Vec<Node> = self.jumps.iter().filter_map(|jump| jump.condition).collect();
        for condition in gone {
            conditions.push(self.expressions.not(condition));
        }
        let mut numbers = Vec::new();
        while let Some(condition) = conditions.pop() {
            match *self.expressions.op(condition) {
                Op::And(a, b) => conditions.extend([a, b]),
                // What depends on more than numbers may hold at any element.
                _ if self.counts(condition) => numbers.push(condition),
                _ => {}
            }
        }
        numbers.sort_unstable();
        numbers.dedup();
        let sure = numbers.is_empty();
        let read = ListItem { list, at, conditions: numbers, function: self.role.clone(), text };
        if !self.reads.contains(&read) {
            self.reads.push(read);
        }
        sure
    }

    /// True if the number of the element and the length of its chain alone determine a condition.
    pub(super) fn counts(&self, condition: Node) -> bool {
        self.expressions.reachable(&[condition]).into_iter().all(
            |node| !matches!(self.expressions.op(node), Op::Leaf(leaf) if !matches!(leaf, Leaf::Index | Leaf::Length)),
        )
    }

    /// A whole number as one that items are counted by.
    fn subscript(&self, node: Node) -> Option<Subscript> {
        let e = &self.expressions;
        if let Some(number) = e.as_number(node) {
            return whole(number).map(Subscript::number);
        }
        // Without a division or a remainder: these stand outermost.
        let plain = |at: &Subscript| at.divisor == 1 && at.wrap == Wrap::Never;
        match e.op(node) {
            Op::Leaf(Leaf::Index) => Some(Subscript::INDEX),
            Op::Leaf(Leaf::Length) => Some(Subscript::LENGTH),
            Op::Neg(a) => self.subscript(*a).filter(plain)?.times(-1),
            Op::Add(a, b) => match (self.subscript(*a)?, self.subscript(*b)?) {
                (a, b) if plain(&a) && plain(&b) => a.plus(b),
                // a / d + k is (a + d k) / d.
                (a, b) if b.is_number() && a.wrap == Wrap::Never => a.plus(b.times(i32::try_from(a.divisor).ok()?)?),
                (a, b) if a.is_number() && b.wrap == Wrap::Never => b.plus(a.times(i32::try_from(b.divisor).ok()?)?),
                _ => None,
            },
            Op::Scale(a, b) => {
                let factor = whole(e.as_number(*a)?)?;
                self.subscript(*b).filter(plain)?.times(factor)
            }
            Op::Function(Function::Trunc, quotient) => {
                let Op::Divide(a, b) = e.op(*quotient) else { return None };
                let divisor = u32::try_from(whole(e.as_number(*b)?)?).ok().filter(|divisor| *divisor > 0)?;
                Some(Subscript { divisor, ..self.subscript(*a).filter(plain)? })
            }
            Op::Remainder(a, b) => {
                let wrap = match e.as_number(*b) {
                    Some(number) => Wrap::At(u32::try_from(whole(number)?).ok().filter(|modulus| *modulus > 0)?),
                    None if matches!(e.op(*b), Op::Leaf(Leaf::Length)) => Wrap::Around,
                    None => return None,
                };
                Some(Subscript { wrap, ..self.subscript(*a).filter(|at| at.wrap == Wrap::Never)? })
            }
            _ => None,
        }
    }

    /// Reports what asks for all items of a list at once.
    pub(super) fn list_as_a_whole<T>(&mut self, at: impl quote::ToTokens) -> Interpreted<T> {
        self.error_with_help(
            at,
            "a list of parameters can be read item by item only: its length is known at run time",
            "let the term run over members and read the item of each, `list[index]`, or declare an array, `[f64; 3]`",
        )
    }

    fn no_subscript(&mut self, at: &Expr) -> Interpreted {
        self.error_with_help(
            at,
            format_args!("`{}` is not the index of an item of a list", source(at)),
            "an item is read at `index`, `index + 1`, `length - 1 - index`, `2 * index`, `index / 2`, `index % 2`, \
             `(index + 1) % length`, or at an integer that is known at compile time",
        )
    }
}

/// A whole number that is not too large for the number of an item.
#[allow(clippy::cast_possible_truncation, clippy::float_cmp)] // It is whole, and its size is looked at.
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
