//! Functions, loops and labelled blocks, and the jumps out of them: `return`, `break`, `continue`.
//!
//! Invariant: a jump on the state is a choice. Its condition and its value are stored as a [`Jump`] until the frame that it leaves has been
//! evaluated, with the values at the jump of all variables that are written later.

use std::collections::BTreeMap;

use quote::ToTokens;
use syn::Lifetime;

use super::frames::{Frame, FrameKind, Jump};
use super::{Diverged, Interpreted, Reported, SymbolicInterpreter, Value};
use crate::expr::Node;

/// Limit of the call depth; deeper calls are a recursion.
const MAX_DEPTH: usize = 64;

impl SymbolicInterpreter<'_> {
    pub(super) fn enter(&mut self, scope: FrameKind, label: Option<&syn::Label>) -> usize {
        let label = label.map(|label| label.name.ident.to_string());
        let floor = self.store.len();
        self.frames.push(Frame { scope, label, floor, iteration: floor, path: self.path.len() });
        self.frames.len() - 1
    }

    /// Ends the innermost frame. Its value is the value of the first jump that is taken, else `ended`.
    pub(super) fn leave(&mut self, ended: Interpreted) -> Interpreted {
        let frame = self.frames.len() - 1;
        self.frames.pop();
        let jumps = self.drain(|jump| jump.frame == frame);
        match ended {
            Ok(value) => self.rejoin(&jumps, Some(value)),
            // Every path diverged: the last jump is taken if no other one is.
            Err(Diverged) => self.rejoin(&jumps, None),
            Err(Reported) => Err(Reported),
        }
    }

    /// Removes and returns the jumps that satisfy `lead_here`.
    pub(super) fn drain(&mut self, lead_here: impl Fn(&Jump) -> bool) -> Vec<Jump> {
        let (here, others) = std::mem::take(&mut self.jumps).into_iter().partition(lead_here);
        self.jumps = others;
        here
    }

    /// Evaluates the body of a function or closure.
    pub(super) fn function(&mut self, at: &dyn ToTokens, body: impl FnOnce(&mut Self) -> Interpreted) -> Interpreted {
        if self.frames.len() > MAX_DEPTH {
            return self.error_with_help(
                at,
                format_args!("calls and loops are nested more than {MAX_DEPTH} deep"),
                "replace the recursion by a `for` loop: functions are inlined",
            );
        }
        self.enter(FrameKind::Function, None);
        let ended = body(self);
        self.leave(ended)
    }

    /// Evaluates `'name: { … }`.
    pub(super) fn labelled(&mut self, block: &syn::ExprBlock) -> Interpreted {
        self.enter(FrameKind::Block, block.label.as_ref());
        let ended = self.block(&block.block);
        self.leave(ended)
    }

    /// Records a jump by `return`, `break` or `continue`.
    fn jump(&mut self, frame: usize, is_next: bool, value: Value, at: &dyn ToTokens) -> Interpreted {
        let Frame { floor, iteration, path, .. } = self.frames[frame];
        let mut conditions = self.path[path..].to_vec();
        // A path that has jumped to an inner frame does not reach this jump.
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
            saved: BTreeMap::new(),
            at: at.to_token_stream(),
        });
        Err(Diverged)
    }

    /// Evaluates `return x`.
    pub(super) fn return_early(&mut self, expr: &syn::ExprReturn) -> Interpreted {
        let value = match &expr.expr {
            Some(value) => self.expression(value)?,
            None => Value::Unit,
        };
        match self.frames.iter().rposition(|frame| frame.scope == FrameKind::Function) {
            Some(frame) => self.jump(frame, false, value, &expr.return_token),
            None => self.error(expr, "`return` outside of a function"),
        }
    }

    /// Evaluates `x?` of an `Option` known to be `Some` or `None`; `None` is a `return`.
    pub(super) fn question_mark(&mut self, asked: &syn::ExprTry) -> Interpreted {
        let value = self.expression(&asked.expr)?;
        match self.followed(value) {
            Value::Optional(Some(value)) => Ok(*value),
            none @ Value::Optional(None) => {
                match self.frames.iter().rposition(|frame| frame.scope == FrameKind::Function) {
                    Some(frame) => self.jump(frame, false, none, &asked.question_token),
                    None => self.error(asked, "`?` outside of a function"),
                }
            }
            Value::Unknown => Err(Reported),
            other => {
                let found = other.describe(&self.expressions);
                let help = match other {
                    Value::Invertible(_) => "write `.unwrap()` in place of `?`",
                    _ => "remove `?`, or move the expression into an `#[opaque]` function",
                };
                self.error_with_help(
                    asked,
                    format_args!("`?` on {found}: an `Option` must be known to be `Some` or `None` at compile time"),
                    help,
                )
            }
        }
    }

    /// Evaluates `break` and `break x`.
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

    /// Evaluates `continue`.
    pub(super) fn continue_on(&mut self, expr: &syn::ExprContinue) -> Interpreted {
        match self.target(expr.label.as_ref()) {
            Some(frame) => self.jump(frame, true, Value::Unit, expr),
            None => self.error(expr, "`continue` outside of a loop"),
        }
    }

    /// Returns the target frame of `break` and `continue`.
    fn target(&self, label: Option<&Lifetime>) -> Option<usize> {
        let label = label.map(|label| label.ident.to_string());
        let first = self.frames.iter().rposition(|frame| frame.scope == FrameKind::Function)?;
        (first..self.frames.len()).rev().find(|&at| match &label {
            Some(_) => self.frames[at].label == label,
            None => self.frames[at].scope == FrameKind::Loop,
        })
    }
}
