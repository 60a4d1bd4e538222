//! Calls: constructors, helpers (inlined), quantities and their rates, opaque functions.

use std::collections::HashMap;

use quote::ToTokens;
use syn::{Expr, ExprCall, FnArg, ItemFn};

use super::{Reader, Reading, Reported, Value};
use crate::diagnostics::source;
use crate::expr::Type;
use crate::model::{ArgumentKind, Opaque, Output, Role, RoleFunction, path_within};

impl Reader<'_> {
    pub(super) fn call(&mut self, call: &ExprCall) -> Reading {
        let Expr::Path(path) = &*call.func else {
            return self.outside(&call.func, "calling a computed function");
        };
        let segments: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        let arguments: Vec<Reading> = call.args.iter().map(|argument| self.expression(argument)).collect();
        let arguments = arguments.into_iter().collect::<Reading<Vec<Value>>>()?;
        let Some(name) = path_within(&path.path).filter(|_| path.qself.is_none()) else {
            return self.unseen(path, "function");
        };
        let model = self.model;
        if let Some(helper) = model.helpers.iter().find(|helper| helper.path == name) {
            if let [name] = segments.as_slice()
                && let Some(value) = self.variable(name)
            {
                let found = value.describe(&self.expressions);
                return self.error_with_help(
                    &call.func,
                    format_args!("`{name}` is {found}, not a function"),
                    "give the variable another name than the function",
                );
            }
            return self.inline(call, &helper.item, arguments);
        }
        if let [ty, name] = segments.as_slice()
            && ty != "self"
        {
            return self.associated(call, ty, name, path, &arguments);
        }
        if let [name] = segments.as_slice()
            && let Some(value) = self.variable(name)
        {
            return match value {
                // What it should have been is reported.
                Value::Unknown => Err(Reported),
                other => {
                    let found = other.describe(&self.expressions);
                    self.error_with_help(
                        &call.func,
                        format_args!("`{name}` is {found}, not a function"),
                        "define functions in this module",
                    )
                }
            };
        }
        if let Some(index) = model.opaques.iter().position(|opaque| opaque.name == name) {
            return self.opaque_call(call, index, &arguments);
        }
        let quantity = |wanted: &str| {
            model.callable().find(|function| matches!(function.role, Role::Quantity) && function.name == wanted)
        };
        if let Some(function) = quantity(&name) {
            return self.quantity(call, function, arguments);
        }
        if let Some(function) = name.strip_suffix("_rate").and_then(quantity) {
            return self.quantity_rate(call, function, &arguments);
        }
        if let Some(function) = model.callable().find(|function| function.name == name) {
            // Any other role function is an ordinary function of the state.
            return self.quantity(call, function, arguments);
        }
        let known = model
            .helpers
            .iter()
            .map(|helper| helper.path.clone())
            .chain(model.opaques.iter().map(|opaque| opaque.name.to_string()))
            .chain(model.callable().map(|function| function.name.to_string()))
            .collect::<Vec<_>>();
        let help = match crate::parse::closest(&name, known.iter().map(String::as_str)) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "define it as a function of this module; if it cannot be read symbolically, as an `#[opaque]` one \
                     (differentiated by dual numbers, or by `#[opaque(derivative = …)]`)"
                .to_owned(),
        };
        self.error_with_help(&call.func, format_args!("the function `{name}` is not known here"), help)
    }

    /// A helper of the module: its body with these arguments.
    fn inline(&mut self, call: &ExprCall, helper: &ItemFn, arguments: Vec<Value>) -> Reading {
        let name = helper.sig.ident.clone();
        if let Some(first) = self.inlining.iter().position(|caller| *caller == name) {
            let mut cycle: Vec<String> = self.inlining[first..].iter().map(ToString::to_string).collect();
            cycle.push(name.to_string());
            let cycle = cycle.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(" → ");
            return self.error_with_help(
                &call.func,
                format_args!("helpers call each other in a circle: {cycle}"),
                "helpers are inlined: write the repetition as a `for` loop",
            );
        }
        if helper.sig.inputs.len() != arguments.len() {
            let inputs: Vec<String> = helper.sig.inputs.iter().map(source).collect();
            return self.wrong_number(call, &name, inputs.len(), &inputs.join(", "));
        }
        let outer = std::mem::replace(&mut self.scopes, vec![HashMap::new()]);
        self.inlining.push(name);
        let result = self.inlined(helper, arguments);
        self.inlining.pop();
        self.scopes = outer;
        result
    }

    fn inlined(&mut self, helper: &ItemFn, arguments: Vec<Value>) -> Reading {
        for (input, value) in helper.sig.inputs.iter().zip(arguments) {
            match input {
                FnArg::Typed(typed) => self.bind_pattern(&typed.pat, value)?,
                FnArg::Receiver(receiver) => return self.error(receiver, "helpers have no `self`"),
            }
        }
        self.block(&helper.block)
    }

    /// A role function as a function: its body with these arguments.
    fn quantity(&mut self, call: &ExprCall, function: &RoleFunction, arguments: Vec<Value>) -> Reading {
        if function.arguments.len() != arguments.len() {
            let names: Vec<String> = function.arguments.iter().map(|argument| argument.name.to_string()).collect();
            return self.wrong_number(call, &function.name, names.len(), &names.join(", "));
        }
        if self.inlining.contains(&function.name) {
            return self.error_with_help(
                &call.func,
                format_args!("`{}` calls itself", function.name),
                "functions are inlined: write the repetition as a `for` loop",
            );
        }
        let outer = std::mem::replace(&mut self.scopes, vec![HashMap::new()]);
        self.inlining.push(function.name.clone());
        let result = self.evaluated(function, arguments);
        self.inlining.pop();
        self.scopes = outer;
        let value = result?;
        if matches!(function.output, Output::Other) {
            return Ok(value);
        }
        let node = self.output(value, function.output, &function.output_type)?;
        Ok(match function.output {
            Output::Scalar => Value::Scalar(node),
            _ => Value::Matrix(node),
        })
    }

    fn evaluated(&mut self, function: &RoleFunction, arguments: Vec<Value>) -> Reading {
        for (argument, value) in function.arguments.iter().zip(arguments) {
            self.bind_pattern(&argument.pattern, value)?;
        }
        self.block(&function.body)
    }

    /// The rate of a quantity over members: `strain_rate(beam, [a, b], [va, vb])`.
    fn element_rate(&mut self, call: &ExprCall, function: &RoleFunction, arguments: &[Value]) -> Reading {
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
            && members.iter().zip(velocities).all(|(member, velocity)| {
                self.leaves.velocity_of(member, &mut self.expressions).as_ref() == Some(velocity)
            });
        if !fits {
            return self.error_with_help(
                call,
                format_args!(
                    "the rate of `{}` takes the quantity's arguments and the velocities of its members",
                    function.name
                ),
                rate_call(function),
            );
        }
        let value = self.quantity(call, function, arguments[..own].to_vec())?;
        self.rate_of(&value)
    }

    fn rate_of(&mut self, value: &Value) -> Reading {
        match *value {
            Value::Scalar(node) => Ok(Value::Scalar(self.rate(node))),
            Value::Matrix(node) => Ok(Value::Matrix(self.rate(node))),
            _ => Err(Reported),
        }
    }

    /// The rate of a quantity: `tip_rate(arm, q, v)`.
    fn quantity_rate(&mut self, call: &ExprCall, function: &RoleFunction, arguments: &[Value]) -> Reading {
        if function.over.is_some() {
            return self.element_rate(call, function, arguments);
        }
        let Some((velocity, rest)) = arguments.split_last() else {
            return self.error_with_help(
                call,
                format_args!("the rate of `{}` takes the quantity's arguments and the velocity", function.name),
                rate_call(function),
            );
        };
        if *velocity != Value::Velocity {
            let found = velocity.describe(&self.expressions);
            return self.error_with_help(
                call,
                format_args!("the last argument of a rate is the velocity, not {found}"),
                rate_call(function),
            );
        }
        let value = self.quantity(call, function, rest.to_vec())?;
        self.rate_of(&value)
    }

    fn opaque_call(&mut self, call: &ExprCall, index: usize, arguments: &[Value]) -> Reading {
        let opaque = &self.model.opaques[index];
        if opaque.arguments.len() != arguments.len() {
            let types: Vec<String> = opaque.arguments.iter().map(|argument| generic(*argument)).collect();
            return self.wrong_number(call, &opaque.name, types.len(), &types.join(", "));
        }
        let mut nodes = Vec::new();
        for ((value, expected), at) in arguments.iter().zip(&opaque.arguments).zip(&call.args) {
            match (value, expected) {
                (Value::Scalar(node), Output::Scalar) => nodes.push(*node),
                (Value::Matrix(node), Output::Vector(rows)) if self.expressions.shape(*node) == (*rows, 1) => {
                    nodes.push(*node);
                }
                (Value::Unknown, _) => return Err(Reported),
                _ => {
                    let found = value.describe(&self.expressions);
                    let message = format!("`{}` does not take {found} here", opaque.name);
                    let help = match (value, expected) {
                        (Value::Integer(value), Output::Scalar) => format!("write `{value}.0`"),
                        (_, Output::Vector(rows)) => format!("this argument is a {rows}-vector"),
                        _ => "this argument is a scalar".to_owned(),
                    };
                    return self.error_with_help(at, message, help);
                }
            }
        }
        let rows = match opaque.output {
            Output::Vector(rows) => rows,
            _ => 1,
        };
        let node = self.expressions.opaque(index, nodes, Vec::new(), rows);
        Ok(if matches!(opaque.output, Output::Scalar) { Value::Scalar(node) } else { Value::Matrix(node) })
    }

    /// Tells the differentiation which opaque function is the derivative of which.
    pub(super) fn link_hand_derivatives(&mut self) {
        let model = self.model;
        for (index, opaque) in model.opaques.iter().enumerate() {
            let Some(wanted) = &opaque.derivative else { continue };
            match model.opaques.iter().position(|other| other.name == *wanted) {
                Some(at) if at != index => {
                    if self.is_gradient(opaque, &model.opaques[at], wanted) {
                        self.expressions.set_hand_derivative(index, at);
                    }
                }
                _ => self.diagnostics.error_with_help(
                    wanted,
                    format_args!("`{wanted}` is no opaque function of this module"),
                    format_args!(
                        "mark it `#[opaque]`; it takes the arguments of `{}` and returns the gradient",
                        opaque.name
                    ),
                ),
            }
        }
    }

    /// True if `derivative` takes the arguments of `function` and returns as many numbers; reports it otherwise.
    fn is_gradient(&mut self, function: &Opaque, derivative: &Opaque, at: &syn::Ident) -> bool {
        let name = &function.name;
        if function.output != Output::Scalar {
            self.diagnostics.error_with_help(
                at,
                format_args!("the derivative of `{name}`, which returns a vector, cannot be written by hand"),
                "leave out `derivative`: dual numbers differentiate it; or declare one scalar function for each entry",
            );
            return false;
        }
        let size =
            function.arguments.iter().map(|argument| if let Output::Vector(n) = argument { *n } else { 1 }).sum();
        let gradient = if size == 1 { Output::Scalar } else { Output::Vector(size) };
        let same = |output: Output| match output {
            // A vector of one entry is not a scalar to rustc.
            Output::Vector(1) if function.arguments == [Output::Vector(1)] => true,
            output => output == gradient,
        };
        if derivative.arguments == function.arguments && same(derivative.output) {
            return true;
        }
        let types: Vec<String> = function.arguments.iter().map(|argument| generic(*argument)).collect();
        self.diagnostics.error_with_help(
            at,
            format_args!("`{at}` is not the gradient of `{name}`"),
            format_args!(
                "it takes the arguments of `{name}` and returns the derivatives by all of them: \
                 `fn {at}<S: Scalar>({}) -> {}`",
                types.iter().enumerate().map(|(i, ty)| format!("a{i}: {ty}")).collect::<Vec<_>>().join(", "),
                generic(gradient)
            ),
        );
        false
    }

    /// Reports a call with too many or too few arguments.
    fn wrong_number(&mut self, call: &ExprCall, name: &syn::Ident, expected: usize, arguments: &str) -> Reading {
        let plural = if expected == 1 { "" } else { "s" };
        let message = format!("`{name}` takes {expected} argument{plural}, not {}", call.args.len());
        self.error_with_help(call, message, format_args!("call `{name}({arguments})`"))
    }

    /// `Type::function(…)`.
    fn associated(
        &mut self,
        call: &ExprCall,
        ty: &str,
        name: &str,
        path: &syn::ExprPath,
        arguments: &[Value],
    ) -> Reading {
        if ty == "f64" {
            // `f64::sin(x)` is `x.sin()`.
            if let Some((receiver, _)) = call.args.iter().collect::<Vec<_>>().split_first() {
                let method: syn::Ident = syn::Ident::new(name, path.path.segments[0].ident.span());
                let rest = call.args.iter().skip(1);
                let rewritten: Result<Expr, _> = syn::parse2(quote::quote! { (#receiver).#method(#(#rest),*) });
                if let Ok(expr) = rewritten {
                    return self.expression(&expr);
                }
            }
        }
        if let Some(value) = self.constructor(call, ty, name, path, arguments)? {
            return Ok(value);
        }
        let given: Vec<String> = arguments.iter().map(|value| value.describe(&self.expressions)).collect();
        let written = path.to_token_stream().to_string().replace(' ', "");
        let message = if given.is_empty() {
            format!("`{written}()` is not known here")
        } else {
            format!("`{written}` of {} is not known here", given.join(", "))
        };
        self.error_with_help(
            call,
            message,
            "known are `new`, `zeros`, `identity`, `from_diagonal`, `from`, … of vectors and matrices, and `exp`, \
             `identity` of groups",
        )
    }

    /// A scalar among the arguments of a constructor; integers are refused as by rustc.
    pub(super) fn scalar_of(&mut self, value: &Value, at: &impl ToTokens) -> Reading<crate::expr::Node> {
        match value {
            Value::Scalar(node) => Ok(*node),
            Value::Matrix(node) if self.expressions.type_of(*node) == Type::SCALAR => Ok(*node),
            Value::Unknown => Err(Reported),
            Value::Integer(integer) => {
                self.error_with_help(at, "an integer where a number is meant", format_args!("write `{integer}.0`"))
            }
            other => {
                let found = other.describe(&self.expressions);
                self.error(at, format_args!("{found} where a scalar is meant"))
            }
        }
    }
}

/// How the rate of a quantity is called.
fn rate_call(function: &RoleFunction) -> String {
    let mut arguments: Vec<String> = function.arguments.iter().map(|argument| source(&argument.pattern)).collect();
    let members = function.arguments.iter().filter(|argument| matches!(argument.kind, ArgumentKind::Members(_)));
    let velocities: Vec<String> = members.map(|argument| velocity_pattern(&argument.pattern)).collect();
    if velocities.is_empty() {
        arguments.push("v".to_owned());
    }
    arguments.extend(velocities);
    format!("write `{}_rate({})`", function.name, arguments.join(", "))
}

/// `[va, vb]` for the members `[a, b]`.
fn velocity_pattern(pattern: &syn::Pat) -> String {
    match pattern {
        syn::Pat::Slice(slice) => {
            let names: Vec<String> = slice.elems.iter().map(velocity_pattern).collect();
            format!("[{}]", names.join(", "))
        }
        syn::Pat::Wild(_) => "v".to_owned(),
        other => format!("v{}", source(other)),
    }
}

/// The type of an opaque function's argument or result.
fn generic(shape: Output) -> String {
    match shape {
        Output::Vector(n @ 1..=6) => format!("Vector{n}<S>"),
        Output::Vector(n) => format!("SVector<S, {n}>"),
        _ => "S".to_owned(),
    }
}
