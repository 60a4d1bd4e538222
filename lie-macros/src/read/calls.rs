//! Calls: constructors, helpers (inlined), quantities and their rates, opaque functions.

use std::collections::HashMap;

use quote::ToTokens;
use syn::{Expr, ExprCall, FnArg, ItemFn};

use super::integers::{Integer, Kind};
use super::{Reader, Reading, Reported, Value};
use crate::diagnostics::source;
use crate::expr::Type;
use crate::model::{ArgumentKind, Opaque, Output, Role, RoleFunction, Within, path_within};

impl Reader<'_> {
    pub(super) fn call(&mut self, call: &ExprCall) -> Reading {
        let Expr::Path(path) = &*call.func else {
            let function = self.expression(&call.func)?;
            let arguments = self.expressions_of(&call.args)?;
            let function = self.callable(&function, &call.func)?;
            return self.apply(&function, arguments, &call.func);
        };
        let arguments = self.expressions_of(&call.args)?;
        let local = path.path.get_ident().and_then(|name| self.variable(&name.to_string()).cloned());
        if let Some(value) = local {
            return match self.followed(value) {
                Value::Callable(function) => self.apply(&function, arguments, &call.func),
                // What it should have been is reported.
                Value::Unknown => Err(Reported),
                other => {
                    let (name, found) = (source(path), other.describe(&self.expressions));
                    self.error_with_help(
                        &call.func,
                        format_args!("`{name}` is {found}, not a function"),
                        "define functions in this module",
                    )
                }
            };
        }
        self.call_path(call, path, arguments)
    }

    /// True if a path names a function that bodies can hand on.
    pub(super) fn is_function(&self, name: &str, segments: &[String]) -> bool {
        let model = self.model;
        let is_own = model.helpers.iter().any(|helper| helper.path == name)
            || model.opaques.iter().any(|opaque| opaque.name == name)
            || model.callable().any(|function| function.name == name)
            || name.strip_suffix("_rate").is_some_and(|name| model.callable().any(|other| other.name == name));
        match segments {
            [only] if only == "Some" => true,
            [ty, function] if ty != "self" => {
                (ty == "f64" || Kind::named(ty).is_some() || ty.starts_with(char::is_uppercase))
                    && function.starts_with(char::is_lowercase)
            }
            _ => is_own,
        }
    }

    /// Calls a function by its path with values.
    pub(super) fn call_path(&mut self, call: &ExprCall, path: &syn::ExprPath, arguments: Vec<Value>) -> Reading {
        let Some(name) = path_within(&path.path).filter(|_| path.qself.is_none()) else {
            return self.unseen(path, "function");
        };
        let model = self.model;
        if let Some(helper) = model.helpers.iter().find(|helper| helper.path == name) {
            return self.inline(call, helper, arguments);
        }
        let segments: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if let Some(value) = self.standard_function(call, path, &segments, &arguments)? {
            return Ok(value);
        }
        if let [ty, function] = segments.as_slice()
            && ty != "self"
        {
            let arguments: Vec<Value> = arguments.into_iter().map(|argument| self.followed(argument)).collect();
            if arguments.contains(&Value::Unknown) {
                return Err(Reported);
            }
            return self.associated(call, ty, function, path, &arguments);
        }
        if let Some(value) = self.tuple_struct(&name, &arguments) {
            return Ok(value);
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
    pub(super) fn inline(&mut self, call: &ExprCall, helper: &Within<ItemFn>, arguments: Vec<Value>) -> Reading {
        self.ensure_lifted(call, helper)?;
        let Within { path, item: helper, .. } = helper;
        if let Some(first) = self.inlining.iter().position(|caller| caller == path) {
            let cycle = self.inlining[first..]
                .iter()
                .chain([path])
                .map(|name| format!("`{name}`"))
                .collect::<Vec<_>>()
                .join(" → ");
            return self.error_with_help(
                &call.func,
                format_args!("helpers call each other in a circle: {cycle}"),
                "helpers are inlined: write the repetition as a `for` loop",
            );
        }
        if helper.sig.inputs.len() != arguments.len() {
            let inputs: Vec<String> = helper.sig.inputs.iter().map(source).collect();
            return self.wrong_number(call, &helper.sig.ident, inputs.len(), &inputs.join(", "));
        }
        if self.checked.insert(path.clone()) {
            self.ensure_unconditional(helper.block.to_token_stream())?;
        }
        let outer = std::mem::replace(&mut self.scopes, vec![HashMap::new()]);
        self.inlining.push(path.clone());
        let result = self.function(&call.func, |this| this.inlined(call, helper, arguments));
        self.inlining.pop();
        self.scopes = outer;
        match &helper.sig.output {
            syn::ReturnType::Type(_, ty) => self.typed(result?, ty),
            syn::ReturnType::Default => result,
        }
    }

    fn inlined(&mut self, call: &ExprCall, helper: &ItemFn, arguments: Vec<Value>) -> Reading {
        self.bind_lengths(call, helper, &arguments);
        for (input, value) in helper.sig.inputs.iter().zip(arguments) {
            match input {
                FnArg::Typed(typed) => {
                    let value = self.typed(value, &typed.ty)?;
                    self.bind(&typed.pat, value)?;
                }
                FnArg::Receiver(receiver) => return self.error(receiver, "helpers have no `self`"),
            }
        }
        self.block(&helper.block)
    }

    /// `const N: usize` of a helper: by the turbofish, or by the arrays and vectors that it is handed.
    fn bind_lengths(&mut self, call: &ExprCall, helper: &ItemFn, arguments: &[Value]) {
        let given = match &*call.func {
            Expr::Path(path) => path.path.segments.last().map(|segment| segment.arguments.clone()),
            _ => None,
        };
        for (at, parameter) in helper.sig.generics.params.iter().enumerate() {
            let syn::GenericParam::Const(parameter) = parameter else { continue };
            let mut length = match &given {
                Some(syn::PathArguments::AngleBracketed(list)) => match list.args.iter().nth(at) {
                    Some(syn::GenericArgument::Const(value)) => self.expression(value).ok(),
                    _ => None,
                },
                _ => None,
            };
            for (input, value) in helper.sig.inputs.iter().zip(arguments) {
                let FnArg::Typed(typed) = input else { continue };
                let value = self.followed(value.clone());
                length = length.or_else(|| self.length_named(&typed.ty, &value, &parameter.ident).map(Value::Integer));
            }
            if let Some(length) = length {
                self.declare(&parameter.ident, length);
            }
        }
    }

    /// The length that a type calls `name`, of a value of that type.
    fn length_named(&self, ty: &syn::Type, value: &Value, name: &syn::Ident) -> Option<Integer> {
        match (ty, value) {
            (syn::Type::Reference(inner), value) => self.length_named(&inner.elem, value, name),
            (syn::Type::Array(array), Value::Array(items)) => {
                if *name == source(&array.len) {
                    return Some(Integer::length(items.len()));
                }
                items.first().and_then(|item| self.length_named(&array.elem, item, name))
            }
            (syn::Type::Path(path), Value::Matrix(matrix)) => {
                let syn::PathArguments::AngleBracketed(list) = &path.path.segments.last()?.arguments else {
                    return None;
                };
                let at = list.args.iter().position(|argument| *name == source(argument))?;
                let (rows, columns) = self.expressions.shape(*matrix);
                [None, Some(rows), Some(columns)].get(at).copied().flatten().map(Integer::length)
            }
            _ => None,
        }
    }

    /// A role function as a function: its body with these arguments.
    fn quantity(&mut self, call: &ExprCall, function: &RoleFunction, arguments: Vec<Value>) -> Reading {
        if function.arguments.len() != arguments.len() {
            let names: Vec<String> = function.arguments.iter().map(|argument| argument.name.to_string()).collect();
            return self.wrong_number(call, &function.name, names.len(), &names.join(", "));
        }
        if self.inlining.iter().any(|caller| function.name == caller) {
            return self.error_with_help(
                &call.func,
                format_args!("`{}` calls itself", function.name),
                "functions are inlined: write the repetition as a `for` loop",
            );
        }
        let outer = std::mem::replace(&mut self.scopes, vec![HashMap::new()]);
        self.inlining.push(function.name.to_string());
        let result = self.function(&call.func, |this| this.evaluated(function, arguments));
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
            self.bind(&argument.pattern, value)?;
        }
        if self.checked.insert(function.name.to_string()) {
            self.ensure_unconditional(function.body.to_token_stream())?;
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
        self.ensure_as_is(call, function, &arguments[..own])?;
        let value = self.quantity(call, function, arguments[..own].to_vec())?;
        self.rate_of(&value)
    }

    /// The generated rate is that at the arguments it is handed; here it is known at the state itself only.
    fn ensure_as_is(&mut self, call: &ExprCall, function: &RoleFunction, arguments: &[Value]) -> Reading<()> {
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
                        "the rate of `{}` is known for the state itself, not for another `{}`",
                        function.name, argument.name
                    ),
                    format_args!("hand on the arguments of this function as they are: {}", rate_call(function)),
                );
            }
        }
        Ok(())
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
        self.ensure_as_is(call, function, rest)?;
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
                        (Value::Integer(value), Output::Scalar) => format!("write `{}.0`", value.value),
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
        if ty == "f64" || Kind::named(ty).is_some() {
            // `f64::sin(x)` is `x.sin()`.
            let mut places = call.args.iter().cloned();
            if let (Some(place), Some((receiver, rest))) = (places.next(), arguments.split_first()) {
                let method = syn::ExprMethodCall {
                    attrs: Vec::new(),
                    receiver: Box::new(place),
                    dot_token: syn::token::Dot::default(),
                    method: path.path.segments.last().map_or_else(|| function_name(name), |last| last.ident.clone()),
                    turbofish: None,
                    paren_token: syn::token::Paren::default(),
                    args: places.collect(),
                };
                return self.invoke(&method, receiver.clone(), rest.to_vec());
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
        match &self.followed(value.clone()) {
            Value::Scalar(node) => Ok(*node),
            Value::Matrix(node) if self.expressions.type_of(*node) == Type::SCALAR => Ok(*node),
            Value::Unknown => Err(Reported),
            Value::Integer(integer) => self.error_with_help(
                at,
                "an integer where a number is meant",
                format_args!("write `{}.0`", integer.value),
            ),
            other => {
                let found = other.describe(&self.expressions);
                self.error(at, format_args!("{found} where a scalar is meant"))
            }
        }
    }
}

fn function_name(name: &str) -> syn::Ident {
    syn::Ident::new(name, proc_macro2::Span::call_site())
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
