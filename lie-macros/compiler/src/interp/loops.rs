//! Loops, which are unrolled, and their items.

use quote::ToTokens;

use super::environment::FrameKind;
use super::integers::Integer;
use super::{Interpreted, Reported, SymbolicInterpreter, Value};

/// Limit of iterations of a loop.
pub(super) const MAX_ITERATIONS: i64 = 10_000;

/// Limit of pending jumps out of one `loop`; with more, its end depends on the state.
const MAX_BREAKS: usize = 200;

impl SymbolicInterpreter<'_> {
    /// Unrolls `for`.
    pub(super) fn for_loop(&mut self, expr: &syn::ExprForLoop) -> Interpreted {
        let value = self.expression(&expr.expr)?;
        let items = self.items(value, &expr.expr)?;
        let mut items = items.into_iter();
        self.iterate(expr.label.as_ref(), |this| {
            let Some(item) = items.next() else { return Ok(false) };
            this.spend(1, &expr.pat)?;
            this.scoped(|this| this.bind(&expr.pat, item).and_then(|()| this.block(&expr.body))).map(|_| true)
        })
        .map(|_| Value::Unit)
    }

    /// Unrolls `while` as long as its condition is known at compile time.
    pub(super) fn while_loop(&mut self, expr: &syn::ExprWhile) -> Interpreted {
        if let syn::Expr::Let(condition) = &*expr.cond {
            return self.outside(condition.let_token, "`while let`");
        }
        let mut iterations = 0;
        self.iterate(expr.label.as_ref(), |this| {
            iterations += 1;
            if iterations > MAX_ITERATIONS {
                return this.too_long(&expr.while_token);
            }
            match this.expression(&expr.cond)? {
                Value::Known(false) => Ok(false),
                Value::Known(true) => this.block(&expr.body).map(|_| true),
                Value::Unknown => Err(Reported),
                _ => this.error_with_help(
                    &expr.cond,
                    "the number of iterations of this loop depends on the state",
                    "write `for _ in 0..20 { if … { break; } … }` with the largest number of iterations",
                ),
            }
        })
        .map(|_| Value::Unit)
    }

    /// Unrolls `loop` up to a `break` that is known at compile time.
    pub(super) fn loop_expression(&mut self, expr: &syn::ExprLoop) -> Interpreted {
        let mut iterations = 0;
        self.iterate(expr.label.as_ref(), |this| {
            iterations += 1;
            // A `loop` whose end depends on the state only would not end here.
            if iterations > MAX_ITERATIONS || this.environment.pending() > MAX_BREAKS {
                return this.too_long(&expr.loop_token);
            }
            this.spend(1, &expr.loop_token)?;
            this.block(&expr.body).map(|_| true)
        })
    }

    fn too_long(&mut self, at: &dyn ToTokens) -> Interpreted<bool> {
        self.error_with_help(
            at,
            format_args!("this loop does not end within {MAX_ITERATIONS} iterations"),
            "write `for _ in 0..20 { if … { break; } … }` with the largest number of iterations",
        )
    }

    /// Unrolls a loop; `iteration` returns true if another iteration follows. The value is the value of its `break`s.
    fn iterate(
        &mut self,
        label: Option<&syn::Label>,
        mut iteration: impl FnMut(&mut Self) -> Interpreted<bool>,
    ) -> Interpreted {
        if let Some(label) = label {
            return self.outside(label, "a label");
        }
        let frame = self.environment.enter(FrameKind::Loop);
        let ended = loop {
            self.environment.begin_iteration();
            match iteration(self) {
                Ok(false) => break Ok(Value::Unit),
                Err(Reported) => break Err(Reported),
                turned => {
                    let next = self.environment.drain(|jump| jump.frame == frame && jump.is_next);
                    let ended = turned.is_ok().then_some(Value::Unit);
                    if let Err(stop) = self.rejoin(&next, ended) {
                        break Err(stop);
                    }
                }
            }
        };
        self.leave(ended)
    }

    /// Returns the items of a `for` loop.
    pub(super) fn items(&mut self, value: Value, at: &dyn ToTokens) -> Interpreted<Vec<Value>> {
        match value {
            Value::Array(items) | Value::Sequence(items) => Ok(items),
            Value::Range(start, end) => {
                let count = end.value.saturating_sub(start.value).max(0);
                if count > MAX_ITERATIONS {
                    return self.error_with_help(
                        at,
                        format_args!("this loop has {count} iterations; at most {MAX_ITERATIONS} are unrolled"),
                        "write the sum in closed form, or move it into an `#[opaque]` function",
                    );
                }
                let is_signed = start.is_signed || end.is_signed;
                Ok((start.value..end.value).map(|value| Value::Integer(Integer { value, is_signed })).collect())
            }
            Value::List(_) => self.list_as_a_whole(at),
            // Columns first, as in nalgebra.
            Value::Matrix(matrix) => {
                let (rows, columns) = self.expressions.shape(matrix);
                Ok((0..rows * columns)
                    .map(|at| Value::Scalar(self.expressions.entry(matrix, at % rows, at / rows)))
                    .collect())
            }
            Value::Unknown => Err(Reported),
            _ => self.bound_error(at),
        }
    }
}
