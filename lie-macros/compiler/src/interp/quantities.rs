//! Calls of role functions, and of the rates of quantities.

use quote::ToTokens;
use syn::ExprCall;

use super::records::MotionRate;
use super::{Interpreted, Reported, SymbolicInterpreter, Value};
use crate::diagnostics::source;
use crate::group::Element;
use crate::model::{ArgumentKind, OutputShape, RoleFunction};

impl SymbolicInterpreter<'_> {
    /// Calls a role function: evaluates its body with these arguments.
    pub(super) fn quantity(&mut self, call: &ExprCall, function: &RoleFunction, arguments: Vec<Value>) -> Interpreted {
        if function.arguments.len() != arguments.len() {
            let names: Vec<String> = function.arguments.iter().map(|argument| argument.name.to_string()).collect();
            return self.wrong_argument_count(call, &function.name, names.len(), &names.join(", "));
        }
        self.ensure_arguments(call, &function.signature, &arguments)?;
        let result = self.inlined(&call.func, &function.name.to_string(), |this| {
            for (argument, value) in function.arguments.iter().zip(arguments) {
                this.bind(&argument.pattern, value)?;
            }
            if this.records.checked.insert(function.name.to_string()) {
                this.ensure_unconditional(function.body.to_token_stream())?;
            }
            this.block(&function.body)
        });
        let value = result?;
        if matches!(function.output, OutputShape::Other) {
            return Ok(value);
        }
        let parts = self.output(value, function.output, &function.output_type)?;
        Ok(match (function.output, parts.as_slice()) {
            (OutputShape::Scalar, &[node]) => Value::Scalar(node),
            (OutputShape::Element(group), _) => group.operand(parts).into(),
            (_, nodes) => Value::Matrix(self.expressions.concat(nodes.to_vec())),
        })
    }

    /// Returns the rate of a quantity over members: `strain_rate(beam, [a, b], [va, vb])`.
    fn element_rate(&mut self, call: &ExprCall, function: &RoleFunction, arguments: &[Value]) -> Interpreted {
        let own = function.arguments.len();
        let members: Vec<Value> = function
            .arguments
            .iter()
            .zip(arguments)
            .filter(|(argument, _)| matches!(argument.kind, ArgumentKind::Members(_)))
            .map(|(_, value)| value.clone())
            .collect();
        let velocities = arguments.get(own..).unwrap_or_default();
        let fits = arguments.len() == own + members.len()
            && members
                .iter()
                .zip(velocities)
                .all(|(member, velocity)| self.velocity_at(member).as_ref() == Some(velocity));
        if !fits {
            return self.error_with_help(
                call,
                format_args!(
                    "the rate of `{}` expects the quantity's arguments and the velocities of its members",
                    function.name
                ),
                rate_call(function),
            );
        }
        self.ensure_as_is(call, function, &arguments[..own])?;
        let value = self.quantity(call, function, arguments[..own].to_vec())?;
        self.rate_of(&value)
    }

    /// Checks the arguments of a generated rate function. The interpreter knows the rate only at the state itself.
    fn ensure_as_is(&mut self, call: &ExprCall, function: &RoleFunction, arguments: &[Value]) -> Interpreted<()> {
        for (argument, value) in function.arguments.iter().zip(arguments) {
            let own = match argument.kind {
                ArgumentKind::Members(_) | ArgumentKind::Velocities(_) => continue,
                kind => self.argument(kind),
            };
            let same = match (&own, value) {
                (Value::Count(a, _), Value::Count(b, _)) => a == b,
                (own, value) => own == value,
            };
            if !same {
                return self.error_with_help(
                    call,
                    format_args!(
                        "the rate of `{}` is available only for the arguments of this function, not for another `{}`",
                        function.name, argument.name
                    ),
                    format_args!("pass the arguments of this function unchanged: {}", rate_call(function)),
                );
            }
        }
        Ok(())
    }

    fn rate_of(&mut self, value: &Value) -> Interpreted {
        let seeds = self.motion();
        match value {
            Value::Scalar(node) | Value::Matrix(node) => {
                let rate = self.expressions.tangent(*node, &seeds);
                self.records.rates.push(MotionRate { group: None, blocks: vec![rate] });
                Ok(if matches!(value, Value::Scalar(_)) { Value::Scalar(rate) } else { Value::Matrix(rate) })
            }
            Value::Element(Element { group, parts }) => {
                let twist = self.velocity_of(*group, parts, &seeds);
                self.records.rates.push(MotionRate { group: Some(*group), blocks: twist.clone() });
                let twist = self.expressions.concat(twist);
                Ok(if group.has_scalar_velocity() { Value::Scalar(twist) } else { Value::Matrix(twist) })
            }
            _ => Err(Reported),
        }
    }

    /// Returns the rate of a quantity: `tip_rate(arm, q, v)`.
    pub(super) fn quantity_rate(
        &mut self,
        call: &ExprCall,
        function: &RoleFunction,
        arguments: &[Value],
    ) -> Interpreted {
        if function.over.is_some() {
            return self.element_rate(call, function, arguments);
        }
        let Some((Value::Velocity, rest)) = arguments.split_last() else {
            return self.error_with_help(
                call,
                format_args!("the rate of `{}` expects the quantity's arguments and the velocity", function.name),
                rate_call(function),
            );
        };
        self.ensure_as_is(call, function, rest)?;
        let value = self.quantity(call, function, rest.to_vec())?;
        self.rate_of(&value)
    }
}

/// Returns the call of the rate of a quantity, for help texts.
fn rate_call(function: &RoleFunction) -> String {
    let mut arguments: Vec<String> = function.arguments.iter().map(|argument| source(&argument.pattern)).collect();
    let members = function.arguments.iter().filter(|argument| matches!(argument.kind, ArgumentKind::Members(_)));
    // `[va, vb]` for the members `[a, b]`.
    let velocities: Vec<String> = members
        .map(|argument| match &argument.pattern {
            syn::Pat::Slice(slice) => {
                let names: Vec<String> = slice.elems.iter().map(|member| format!("v{}", source(member))).collect();
                format!("[{}]", names.join(", "))
            }
            _ => "v".to_owned(),
        })
        .collect();
    if velocities.is_empty() {
        arguments.push("v".to_owned());
    }
    arguments.extend(velocities);
    format!("write `{}_rate({})`", function.name, arguments.join(", "))
}
