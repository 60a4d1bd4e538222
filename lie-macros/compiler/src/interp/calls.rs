//! Calls: constructors, helpers (inlined), quantities and their rates, opaque functions.

use std::collections::HashMap;

use quote::ToTokens;
use syn::{Expr, ExprCall, FnArg, ItemFn};

use super::integers::{Integer, IntegerKind};
use super::known_methods::GROUP_METHODS;
use super::matrices::MATRIX_METHODS;
use super::{Interpreted, Reported, SymbolicInterpreter, Value};
use crate::diagnostics::source;
use crate::expr::Type;
use crate::model::{Role, Within, path_within};

impl SymbolicInterpreter<'_> {
    pub(super) fn call(&mut self, call: &ExprCall) -> Interpreted {
        let Expr::Path(path) = &*call.func else {
            let function = self.expression(&call.func)?;
            let arguments = self.expressions_of(&call.args)?;
            let function = self.callable(&function, &call.func)?;
            return self.apply(&function, arguments, &call.func);
        };
        let arguments = self.expressions_of(&call.args)?;
        let local = path.path.get_ident().and_then(|name| self.variable(&name.to_string()).cloned());
        if let Some(value) = local {
            return match value {
                Value::Callable(function) => self.apply(&function, arguments, &call.func),
                // The error of this variable is already reported.
                Value::Unknown => Err(Reported),
                other => {
                    let (name, found) = (source(path), other.describe(&self.expressions));
                    self.error_with_help(
                        &call.func,
                        format_args!("expected a function, found `{name}`, {found}"),
                        "call a closure, or a function of this module",
                    )
                }
            };
        }
        self.call_path(call, path, arguments)
    }

    /// Returns true if a path names a function that can be passed as a value.
    pub(super) fn is_function(&self, name: &str, segments: &[String]) -> bool {
        let model = self.model;
        let is_own = model.helpers.iter().any(|helper| helper.path == name)
            || model.opaques.iter().any(|opaque| opaque.name == name)
            || model.callable().any(|function| function.name == name)
            || name.strip_suffix("_rate").is_some_and(|name| model.callable().any(|other| other.name == name));
        match segments {
            [only] if only == "Some" => true,
            [ty, function] if ty != "self" => {
                (ty == "f64" || IntegerKind::named(ty).is_some() || ty.starts_with(char::is_uppercase))
                    && function.starts_with(char::is_lowercase)
            }
            _ => is_own,
        }
    }

    /// Calls a function by its path.
    pub(super) fn call_path(&mut self, call: &ExprCall, path: &syn::ExprPath, arguments: Vec<Value>) -> Interpreted {
        let Some(name) = path_within(&path.path).filter(|_| path.qself.is_none()) else {
            return self.report_outside(path, "function");
        };
        let model = self.model;
        if self.is_gap(&name) {
            return Err(Reported);
        }
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
            if arguments.contains(&Value::Unknown) {
                return Err(Reported);
            }
            return self.associated(call, ty, function, path, &arguments);
        }
        if let Some(value) = self.tuple_struct(&name, &arguments)? {
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
            // Every other role function is an ordinary function of the state.
            return self.quantity(call, function, arguments);
        }
        let known = model
            .helpers
            .iter()
            .map(|helper| helper.path.clone())
            .chain(model.opaques.iter().map(|opaque| opaque.name.to_string()))
            .chain(model.callable().map(|function| function.name.to_string()))
            .collect::<Vec<_>>();
        if arguments.contains(&Value::Unknown) {
            return Err(Reported);
        }
        // `tip_velocity`, `tip_dot`.
        let moving = name.rsplit_once('_').and_then(|(stem, _)| quantity(stem)).map(|quantity| &quantity.name);
        let near = crate::syntax::closest(&name, known.iter().map(String::as_str));
        if let Some(rest) = name.strip_prefix("core::") {
            let help = if rest.starts_with("ops::") {
                "write the operator, as in `a * b`"
            } else {
                "use arrays, `Vec`, vectors and matrices, or move the computation into an `#[opaque]` function"
            };
            return self.error_with_help(&call.func, format_args!("`std::{rest}` is not supported"), help);
        }
        let help = match (near, moving, self.instead_of_function(call, &name, &arguments)) {
            (Some(near), ..) => format!("did you mean `{near}`?"),
            (None, Some(quantity), _) => format!("write `{quantity}_rate`, the rate of the quantity `{quantity}`"),
            (None, None, Some(text)) => format!("write `{text}`: it is a method"),
            (None, None, None) => {
                "define the function in this module, or define an `#[opaque]` function, which is differentiated by dual numbers"
                    .to_owned()
            }
        };
        self.error_with_help(&call.func, format_args!("cannot find function `{name}` in this module"), help)
    }

    /// Inlines a helper of the module: evaluates its body with these arguments.
    pub(super) fn inline(&mut self, call: &ExprCall, helper: &Within<ItemFn>, arguments: Vec<Value>) -> Interpreted {
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
                format_args!("recursive call of helpers: {cycle}"),
                "replace the recursion by a `for` loop: helpers are inlined",
            );
        }
        if helper.sig.inputs.len() != arguments.len() {
            let inputs: Vec<String> = helper.sig.inputs.iter().map(source).collect();
            return self.wrong_argument_count(call, &helper.sig.ident, inputs.len(), &inputs.join(", "));
        }
        self.ensure_arguments(call, &helper.sig, &arguments)?;
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

    fn inlined(&mut self, call: &ExprCall, helper: &ItemFn, arguments: Vec<Value>) -> Interpreted {
        self.bind_lengths(call, helper, &arguments)?;
        for (input, value) in helper.sig.inputs.iter().zip(arguments) {
            match input {
                FnArg::Typed(typed) => {
                    let value = self.typed(value, &typed.ty)?;
                    self.bind(&typed.pat, value)?;
                }
                FnArg::Receiver(receiver) => return self.error(receiver, "a helper cannot have a `self` argument"),
            }
        }
        self.block(&helper.block)
    }

    /// Binds the `const N: usize` parameters of a helper: from the turbofish, or from the sizes of its array and vector arguments.
    fn bind_lengths(&mut self, call: &ExprCall, helper: &ItemFn, arguments: &[Value]) -> Interpreted<()> {
        let given = match &*call.func {
            Expr::Path(path) => path.path.segments.last().map(|segment| segment.arguments.clone()),
            _ => None,
        };
        for (at, parameter) in helper.sig.generics.params.iter().enumerate() {
            let syn::GenericParam::Const(parameter) = parameter else { continue };
            let mut length = match &given {
                Some(syn::PathArguments::AngleBracketed(list)) => match list.args.iter().nth(at) {
                    Some(syn::GenericArgument::Const(value)) => self.expression(value).ok(),
                    // A constant by name is parsed as a type.
                    Some(syn::GenericArgument::Type(syn::Type::Path(path))) => {
                        self.constant(&source(path)).and_then(Result::ok)
                    }
                    _ => None,
                },
                _ => None,
            };
            for (input, value) in helper.sig.inputs.iter().zip(arguments) {
                let FnArg::Typed(typed) = input else { continue };
                length = length.or_else(|| self.length_named(&typed.ty, value, &parameter.ident).map(Value::Integer));
            }
            match length {
                Some(length) => self.declare(&parameter.ident, length),
                // A constant of the module with the same name is a different constant.
                None if crate::syntax::mentions(&helper.block, &parameter.ident.to_string()) => {
                    let (name, function) = (&parameter.ident, &helper.sig.ident);
                    return self.error_with_help(
                        &call.func,
                        format_args!("cannot infer the constant `{name}` of this call of `{function}`"),
                        format_args!("specify it, as in `{function}::<3>(…)`"),
                    );
                }
                None => {}
            }
        }
        Ok(())
    }

    /// Returns the length with the name `name` in the type of a value.
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

    /// Reports a call with a wrong number of arguments.
    pub(super) fn wrong_argument_count(
        &mut self,
        call: &ExprCall,
        name: &syn::Ident,
        expected: usize,
        arguments: &str,
    ) -> Interpreted {
        let plural = if expected == 1 { "" } else { "s" };
        let message = format!("`{name}` expects {expected} argument{plural}, found {}", call.args.len());
        self.error_with_help(call, message, format_args!("call `{name}({arguments})`"))
    }

    /// Evaluates `Type::function(…)`.
    fn associated(
        &mut self,
        call: &ExprCall,
        ty: &str,
        name: &str,
        path: &syn::ExprPath,
        arguments: &[Value],
    ) -> Interpreted {
        if let (Some(kind), "from", [value]) = (IntegerKind::named(ty), name, arguments)
            && let Some(value) = Self::whole_from(value, kind)
        {
            return Ok(value);
        }
        // `Vector3::norm(&x)`, `SO3::inverse(&r)`.
        let is_method = match arguments.first() {
            Some(Value::Matrix(_)) => MATRIX_METHODS.contains(&name) && crate::syntax::shape_named(ty).is_some(),
            Some(Value::Element(element)) => GROUP_METHODS.contains(&name) && element.group.name == ty,
            _ => false,
        };
        if is_method || ty == "f64" || IntegerKind::named(ty).is_some() {
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
                let receiver = match (receiver, IntegerKind::named(ty)) {
                    (Value::Integer(integer), Some(kind)) => Value::Integer(integer.of(kind)),
                    _ => receiver.clone(),
                };
                return self.invoke(&method, receiver, rest);
            }
        }
        if let Some(value) = self.constructor(call, ty, name, path, arguments)? {
            return Ok(value);
        }
        let is_enum = |item: &syn::Item| matches!(item, syn::Item::Enum(item) if item.ident == ty);
        if self.model.items.iter().any(is_enum) {
            return self.error_with_help(
                call,
                format_args!("enum variants with data, such as `{ty}::{name}`, are not supported"),
                "use a struct that contains a variant without data, or a function for each case",
            );
        }
        let is_struct = |item: &syn::Item| matches!(item, syn::Item::Struct(item) if item.ident == ty);
        if self.model.items.iter().any(is_struct) {
            return self.error_with_help(
                call,
                format_args!("cannot find function `{name}` in an `impl {ty}`; trait functions are not supported"),
                format_args!("write a struct literal `{ty} {{ … }}`, or a function of this module that returns `{ty}`"),
            );
        }
        let given: Vec<String> = arguments.iter().map(|value| value.describe(&self.expressions)).collect();
        let written = path.to_token_stream().to_string().replace(' ', "");
        let message = if given.is_empty() {
            format!("function `{written}()` is not supported")
        } else {
            format!("function `{written}` is not supported for these arguments: {}", given.join(", "))
        };
        let help = match written.strip_suffix("_axis") {
            _ if let Some(text) = Self::instead_of_rotation(call, ty, name, arguments) => format!("write `{text}`"),
            _ if matches!(ty, "Box" | "Rc" | "Arc") => {
                "use the value or closure directly, `let f = |x: f64| 2.0 * x;`".to_owned()
            }
            Some(direction) if given.is_empty() => format!("write `{direction}()`: unit vectors are ordinary vectors"),
            _ => "use `new`, `zeros`, `identity`, `from_diagonal` or `from` of vectors and matrices, or `exp` and \
                  `identity` of groups"
                .to_owned(),
        };
        self.error_with_help(call, message, help)
    }

    /// Evaluates `i32::from(x)`; rustc accepts only types whose values all fit into `kind`.
    fn whole_from(value: &Value, kind: IntegerKind) -> Option<Value> {
        match value {
            Value::Integer(integer) => Some(Value::Integer(integer.cast(kind))),
            Value::Count(node, from) if kind.includes(*from) => Some(Value::Count(*node, kind)),
            Value::Known(truth) => Some(Value::Integer(Integer { value: i128::from(*truth), kind: Some(kind) })),
            _ => None,
        }
    }

    /// Returns a scalar argument of a constructor; integers are rejected as in Rust.
    pub(super) fn scalar_of(&mut self, value: &Value, at: &impl ToTokens) -> Interpreted<crate::expr::Node> {
        match value {
            Value::Scalar(node) => Ok(*node),
            Value::Matrix(node) if self.expressions.type_of(*node) == Type::SCALAR => Ok(*node),
            Value::Unknown => Err(Reported),
            Value::Integer(integer) => self.error_with_help(
                at,
                "expected a scalar, found an integer",
                format_args!("write `{}`", super::pretty_print::real_of(integer.value, at)),
            ),
            other => {
                let found = other.describe(&self.expressions);
                self.error(at, format_args!("expected a scalar, found {found}"))
            }
        }
    }
}

fn function_name(name: &str) -> syn::Ident {
    syn::Ident::new(name, proc_macro2::Span::call_site())
}
