//! Functions, loops and labelled blocks, and what leaves them: `return`, `break`, `continue`.
//!
//! Invariant: a way out that depends on the state is a choice. Its condition and its value are kept as an [`Jump`] until
//! what it leaves has been read; it keeps what it saw of the variables that are written in the meantime.

use std::collections::BTreeMap;

use proc_macro2::TokenStream;
use quote::ToTokens;
use syn::Lifetime;

use super::{Diverged, Interpreted, Reported, SymbolicInterpreter, Value};
use crate::expr::Node;

/// Functions and closures that call each other deeper than this are a recursion.
const MAX_DEPTH: usize = 64;

/// What can be left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Scope {
    Function,
    Loop,
    Block,
}

/// A function, loop or labelled block that is being read.
pub(crate) struct Frame {
    scope: Scope,
    label: Option<String>,
    /// Variables from here on end with it; in a loop, with one iteration.
    floor: usize,
    pub iteration: usize,
    /// How many conditions were open when it began.
    path: usize,
}

/// A way out that has been met.
pub(crate) struct Jump {
    pub frame: usize,
    /// True for `continue`.
    pub is_next: bool,
    /// Variables from here on are not seen where it leads.
    pub floor: usize,
    /// Where it is taken; `None`: always.
    pub condition: Option<Node>,
    pub value: Value,
    /// What variables held when it was met, of those that were written later.
    pub kept: BTreeMap<usize, Value>,
    pub at: TokenStream,
}

impl SymbolicInterpreter<'_> {
    pub(super) fn enter(&mut self, scope: Scope, label: Option<&syn::Label>) -> usize {
        let label = label.map(|label| label.name.ident.to_string());
        let floor = self.store.len();
        self.frames.push(Frame { scope, label, floor, iteration: floor, path: self.path.len() });
        self.frames.len() - 1
    }

    /// Ends the innermost frame: its value is that of the first way out that is taken, else what it ended with.
    pub(super) fn leave(&mut self, ended: Interpreted) -> Interpreted {
        let frame = self.frames.len() - 1;
        self.frames.pop();
        let jumps = self.drain(|jump| jump.frame == frame);
        match ended {
            Ok(value) => self.rejoin(&jumps, Some(value)),
            // Every path was left: the last way out is taken where no other one is.
            Err(Diverged) => self.rejoin(&jumps, None),
            Err(Reported) => Err(Reported),
        }
    }

    /// The ways out that lead where control is now.
    pub(super) fn drain(&mut self, lead_here: impl Fn(&Jump) -> bool) -> Vec<Jump> {
        let (here, others) = std::mem::take(&mut self.jumps).into_iter().partition(lead_here);
        self.jumps = others;
        here
    }

    /// The body of a function or closure.
    pub(super) fn function(&mut self, at: &dyn ToTokens, body: impl FnOnce(&mut Self) -> Interpreted) -> Interpreted {
        if self.frames.len() > MAX_DEPTH {
            return self.error_with_help(
                at,
                format_args!("functions and loops are nested more than {MAX_DEPTH} deep here"),
                "functions are inlined: write a recursion as a `for` loop",
            );
        }
        self.enter(Scope::Function, None);
        let ended = body(self);
        self.leave(ended)
    }

    /// `'name: { … }`.
    pub(super) fn labelled(&mut self, block: &syn::ExprBlock) -> Interpreted {
        self.enter(Scope::Block, block.label.as_ref());
        let ended = self.block(&block.block);
        self.leave(ended)
    }

    /// `return`, `break` or `continue`: the path is left.
    fn jump(&mut self, frame: usize, is_next: bool, value: Value, at: &dyn ToTokens) -> Interpreted {
        let Frame { floor, iteration, path, .. } = self.frames[frame];
        let mut conditions = self.path[path..].to_vec();
        // Who has left for somewhere nearer does not come here.
        let nearer = |jump: &&Jump| jump.frame > frame || (jump.frame == frame && jump.is_next && !is_next);
        let gone: Vec<Node> = self.jumps.iter().filter(nearer).filter_map(|jump| jump.condition).collect();
        for condition in gone {
            conditions.push(self.expressions.not(condition));
        }
        let condition = conditions.into_iter().reduce(|a, b| self.expressions.and(a, b));
        let floor = if is_next { iteration } else { floor };
        self.jumps.push(Jump {
            frame,
            is_next,
            floor,
            condition,
            value,
            kept: BTreeMap::new(),
            at: at.to_token_stream(),
        });
        Err(Diverged)
    }

    /// `return x`.
    pub(super) fn return_early(&mut self, expr: &syn::ExprReturn) -> Interpreted {
        let value = match &expr.expr {
            Some(value) => self.expression(value)?,
            None => Value::Unit,
        };
        match self.frames.iter().rposition(|frame| frame.scope == Scope::Function) {
            Some(frame) => self.jump(frame, false, value, &expr.return_token),
            None => self.error(expr, "`return` outside of a function"),
        }
    }

    /// `x?` of an `Option` of which it is known whether it is `Some`: who finds nothing leaves the function with that.
    pub(super) fn unless_none(&mut self, asked: &syn::ExprTry) -> Interpreted {
        let value = self.expression(&asked.expr)?;
        match self.followed(value) {
            Value::Optional(Some(value)) => Ok(*value),
            none @ Value::Optional(None) => {
                match self.frames.iter().rposition(|frame| frame.scope == Scope::Function) {
                    Some(frame) => self.jump(frame, false, none, &asked.question_token),
                    None => self.error(asked, "`?` outside of a function"),
                }
            }
            Value::Unknown => Err(Reported),
            other => {
                let found = other.describe(&self.expressions);
                let help = match other {
                    Value::Invertible(_) => "write `.unwrap()` in its place",
                    _ => "leave it out, or move what it is of into an `#[opaque]` function",
                };
                self.error_with_help(
                    asked,
                    format_args!("`?` of {found} cannot be read: whether there is a value has to be known"),
                    help,
                )
            }
        }
    }

    /// `break` and `break x`.
    pub(super) fn break_out(&mut self, expr: &syn::ExprBreak) -> Interpreted {
        let value = match &expr.expr {
            Some(value) => self.expression(value)?,
            None => Value::Unit,
        };
        match self.target(expr.label.as_ref()) {
            Some(frame) => self.jump(frame, false, value, &expr.break_token),
            None => self.error(expr, "`break` outside of a loop"),
        }
    }

    /// `continue`.
    pub(super) fn continue_on(&mut self, expr: &syn::ExprContinue) -> Interpreted {
        match self.target(expr.label.as_ref()) {
            Some(frame) => self.jump(frame, true, Value::Unit, expr),
            None => self.error(expr, "`continue` outside of a loop"),
        }
    }

    /// The frame that `break` and `continue` mean.
    fn target(&self, label: Option<&Lifetime>) -> Option<usize> {
        let label = label.map(|label| label.ident.to_string());
        let first = self.frames.iter().rposition(|frame| frame.scope == Scope::Function)?;
        (first..self.frames.len()).rev().find(|&at| match &label {
            Some(_) => self.frames[at].label == label,
            None => self.frames[at].scope == Scope::Loop,
        })
    }
}
