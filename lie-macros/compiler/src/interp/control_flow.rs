//! Functions, and the jumps out of functions and loops: `return`, `break`, `continue`.
//!
//! A jump on the state is a choice: its condition and its value are kept until the frame that it leaves has been evaluated.

use quote::ToTokens;
use syn::{Expr, Lifetime};

use super::environment::FrameKind;
use super::{Diverged, Interpreted, Reported, SymbolicInterpreter, Value};

/// Limit of the call depth; deeper calls are a recursion.
const MAX_DEPTH: usize = 64;

impl SymbolicInterpreter<'_> {
    /// Ends the innermost frame. Its value is the value of the first jump that is taken, else `ended`.
    pub(super) fn leave(&mut self, ended: Interpreted) -> Interpreted {
        let jumps = self.environment.leave();
        match ended {
            Ok(value) => self.rejoin(&jumps, Some(value)),
            // Every path diverged: the last jump is taken if no other one is.
            Err(Diverged) => self.rejoin(&jumps, None),
            Err(Reported) => Err(Reported),
        }
    }

    /// Evaluates the body of a function or closure.
    pub(super) fn function(&mut self, at: &dyn ToTokens, body: impl FnOnce(&mut Self) -> Interpreted) -> Interpreted {
        if self.environment.frames.len() > MAX_DEPTH {
            return self.error_with_help(
                at,
                format_args!("calls and loops are nested more than {MAX_DEPTH} deep"),
                "replace the recursion by a `for` loop: functions are inlined",
            );
        }
        self.environment.enter(FrameKind::Function);
        let ended = body(self);
        self.leave(ended)
    }

    /// Inlines the function `name` with its own variables.
    pub(super) fn inlined(
        &mut self,
        at: &dyn ToTokens,
        name: &str,
        body: impl FnOnce(&mut Self) -> Interpreted,
    ) -> Interpreted {
        if self.environment.inlining.iter().any(|caller| caller == name) {
            return self.error_with_help(
                at,
                format_args!("recursive call of `{name}`"),
                "replace the recursion by a `for` loop: functions are inlined",
            );
        }
        let outer = self.environment.enter_scopes(std::collections::HashMap::new());
        self.environment.inlining.push(name.to_owned());
        let result = self.function(at, body);
        self.environment.inlining.pop();
        self.environment.restore_scopes(outer);
        result
    }

    /// Evaluates `body` in a scope of its own.
    pub(super) fn scoped<T>(&mut self, body: impl FnOnce(&mut Self) -> T) -> T {
        self.environment.push_scope();
        let result = body(self);
        self.environment.pop_scope();
        result
    }

    /// Evaluates `part` of an expression, in which no outer variable can change.
    pub(super) fn sealed<T>(&mut self, part: impl FnOnce(&mut Self) -> Interpreted<T>) -> Interpreted<T> {
        let outer = self.environment.seal();
        let result = part(self);
        self.environment.unseal(outer);
        result
    }

    /// Evaluates `return x`.
    pub(super) fn return_early(&mut self, expr: &syn::ExprReturn) -> Interpreted {
        let value = self.optional(expr.expr.as_deref())?;
        match self.environment.frames.iter().rposition(|frame| frame.kind == FrameKind::Function) {
            Some(frame) => self.jump(frame, false, value, &expr.return_token),
            None => self.error(expr, "`return` outside of a function"),
        }
    }

    /// Evaluates `break` and `break x`.
    pub(super) fn break_out(&mut self, expr: &syn::ExprBreak) -> Interpreted {
        let value = self.optional(expr.expr.as_deref())?;
        let frame = self.innermost_loop(expr.label.as_ref(), expr)?;
        self.jump(frame, false, value, &expr.break_token)
    }

    /// Evaluates `continue`.
    pub(super) fn continue_on(&mut self, expr: &syn::ExprContinue) -> Interpreted {
        let frame = self.innermost_loop(expr.label.as_ref(), expr)?;
        self.jump(frame, true, Value::Unit, expr)
    }

    fn optional(&mut self, value: Option<&Expr>) -> Interpreted {
        value.map_or(Ok(Value::Unit), |value| self.expression(value))
    }

    fn jump(&mut self, frame: usize, is_next: bool, value: Value, at: &dyn ToTokens) -> Interpreted {
        self.environment.jump(&mut self.expressions, frame, is_next, value, at.to_token_stream());
        Err(Diverged)
    }

    /// Returns the target frame of `break` and `continue`.
    fn innermost_loop(&mut self, label: Option<&Lifetime>, at: &dyn ToTokens) -> Interpreted<usize> {
        if let Some(label) = label {
            return self.outside(label, "a label");
        }
        match self.environment.frames.len().checked_sub(1) {
            Some(frame) if self.environment.frames[frame].kind == FrameKind::Loop => Ok(frame),
            _ => self.error(at, "this statement is outside of a loop"),
        }
    }
}
