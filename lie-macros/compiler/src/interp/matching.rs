//! `match`: selection of the arm, with guards.

use syn::{Expr, Pat};

use super::{Interpreted, Reported, SymbolicInterpreter, Value};

impl SymbolicInterpreter<'_> {
    /// Evaluates `match`: the first arm whose pattern and guard hold. On the state, it is a choice between the arms.
    pub(super) fn matching(&mut self, expr: &syn::ExprMatch) -> Interpreted {
        let value = self.expression(&expr.expr)?;
        self.arms(expr, &expr.arms, &value)
    }

    fn arms(&mut self, expr: &syn::ExprMatch, arms: &[syn::Arm], value: &Value) -> Interpreted {
        let Some((arm, rest)) = arms.split_first() else {
            return self.error(expr.match_token, "no arm of this `match` holds");
        };
        let (pattern, guard) = (&arm.pat, arm.guard.as_ref().map(|(_, guard)| &**guard));
        // rustc checks exhaustiveness: the last arm applies if no other one does.
        let holds = match (rest, guard) {
            ([], None) => Value::Known(true),
            _ => self.test(pattern, value)?,
        };
        let taken = match (&holds, guard) {
            (Value::Known(false), _) | (_, None) => holds,
            (_, Some(guard)) => self.guarded(holds, (pattern, value), guard)?,
        };
        let body = |this: &mut Self| {
            this.scoped(|this| this.bind(pattern, value.clone()).and_then(|()| this.expression(&arm.body)))
        };
        match taken {
            Value::Known(true) => body(self),
            Value::Bool(condition) => {
                self.branch(&expr.match_token, condition, body, |this| this.arms(expr, rest, value))
            }
            _ => self.arms(expr, rest, value),
        }
    }

    /// Evaluates `holds` and the guard of a pattern; the guard is evaluated only if the pattern matches.
    pub(super) fn guarded(&mut self, holds: Value, (pattern, value): (&Pat, &Value), guard: &Expr) -> Interpreted {
        let mut asked = Value::Known(false);
        let mut ask = |this: &mut Self| {
            asked = this.scoped(|this| this.bind(pattern, value.clone()).and_then(|()| this.expression(guard)))?;
            Ok(Value::Unit)
        };
        match holds {
            Value::Known(false) => return Ok(holds),
            Value::Bool(condition) => self.branch(&guard, condition, ask, |_| Ok(Value::Unit))?,
            _ => ask(self)?,
        };
        match asked {
            Value::Known(_) | Value::Bool(_) => Ok(super::booleans::both(&mut self.expressions, holds, asked)),
            Value::Unknown => Err(Reported),
            other => self.no_condition(guard, &other),
        }
    }
}
