//! Functions and loops, and the jumps out of them: `return`, `break`, `continue`.
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
    pub(super) fn enter(&mut self, scope: FrameKind) -> usize {
        let floor = self.store.len();
        self.frames.push(Frame { scope, floor, iteration: floor, path: self.path.len() });
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
        self.enter(FrameKind::Function);
        let ended = body(self);
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

    /// Evaluates `break` and `break x`.
    pub(super) fn break_out(&mut self, expr: &syn::ExprBreak) -> Interpreted {
        let value = match &expr.expr {
            Some(value) => self.expression(value)?,
            None => Value::Unit,
        };
        let frame = self.innermost_loop(expr.label.as_ref(), expr)?;
        self.jump(frame, false, value, &expr.break_token)
    }

    /// Evaluates `continue`.
    pub(super) fn continue_on(&mut self, expr: &syn::ExprContinue) -> Interpreted {
        let frame = self.innermost_loop(expr.label.as_ref(), expr)?;
        self.jump(frame, true, Value::Unit, expr)
    }

    /// Returns the target frame of `break` and `continue`.
    fn innermost_loop(&mut self, label: Option<&Lifetime>, at: &dyn ToTokens) -> Interpreted<usize> {
        if let Some(label) = label {
            return self.outside(label, "a label");
        }
        match self.frames.len().checked_sub(1) {
            Some(frame) if self.frames[frame].scope == FrameKind::Loop => Ok(frame),
            _ => self.error(at, "this statement is outside of a loop"),
        }
    }
}
