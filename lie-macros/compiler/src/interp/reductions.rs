//! Reductions of sequences: map, sum, product, and conversion to scalars.

use quote::ToTokens;
use syn::ExprMethodCall;

use super::integers::Integer;
use super::loops::MAX_ITERATIONS;
use super::value::Callable;
use super::{Interpreted, SymbolicInterpreter, Value};
use crate::expr::Node;

impl SymbolicInterpreter<'_> {
    /// Returns the values of a closure for all items.
    pub(super) fn mapped(
        &mut self,
        items: Vec<Value>,
        function: &Value,
        call: &ExprMethodCall,
    ) -> Interpreted<Vec<Value>> {
        let function = self.callable(function, &call.args)?;
        items.into_iter().map(|item| self.apply(&function, vec![item], &call.method)).collect()
    }

    /// Returns the sum or product of all items, from the left.
    pub(super) fn total(&mut self, items: &[Value], call: &ExprMethodCall) -> Interpreted {
        let is_sum = call.method == "sum";
        let Some((first, rest)) = items.split_first() else {
            let of = call.turbofish.as_ref().map(|ty| ty.to_token_stream().to_string().replace(' ', ""));
            let start = if is_sum { 0.0 } else { 1.0 };
            if of.as_deref() == Some("::<f64>") {
                return Ok(Value::Scalar(self.expressions.number(start)));
            }
            return self.error_with_help(
                &call.method,
                "type annotation needed: this sum has no items",
                format_args!("write `.{}::<f64>()`", call.method),
            );
        };
        let mut total = first.clone();
        for item in rest {
            total = self.arithmetic(&call.method, if is_sum { "+" } else { "*" }, &total, item)?;
        }
        Ok(total)
    }

    /// Evaluates `from_fn(|i| …)`: one value for each index.
    pub(super) fn at_indices(
        &mut self,
        count: usize,
        function: &Callable,
        at: &dyn ToTokens,
    ) -> Interpreted<Vec<Value>> {
        if i64::try_from(count).is_ok_and(|count| count > MAX_ITERATIONS) {
            return self.error(at, format_args!("this array has more than {MAX_ITERATIONS} elements"));
        }
        (0..count).map(|index| self.apply(function, vec![Value::Integer(Integer::length(index))], at)).collect()
    }

    /// Converts values to scalars.
    pub(super) fn all_scalars(&mut self, items: &[Value], at: &dyn ToTokens) -> Interpreted<Vec<Node>> {
        items.iter().map(|item| self.scalar_of(item, &at.to_token_stream())).collect()
    }
}
