//! Calls: constructors, helpers (inlined), quantities and their rates, opaque functions.

use quote::ToTokens;
use syn::{Expr, ExprCall, FnArg, ItemFn};

use super::help::{POWERS, contains, help_for, rust_name};
use super::integers::{Integer, is_signed};
use super::matrices::MATRIX_METHODS;
use super::methods::GROUP_METHODS;
use super::scalar_methods::SCALAR_METHODS;
use super::{Interpreted, Reported, SymbolicInterpreter, Value};
use crate::diagnostics::source;
use crate::expr::{Function, Type};
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
        let local = path.path.get_ident().and_then(|name| self.environment.variable(&name.to_string()).cloned());
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
                (ty == "f64" || is_signed(ty).is_some() || ty.starts_with(char::is_uppercase))
                    && function.starts_with(char::is_lowercase)
            }
            _ => is_own,
        }
    }

    /// Calls a function by its path.
    pub(super) fn call_path(&mut self, call: &ExprCall, path: &syn::ExprPath, arguments: Vec<Value>) -> Interpreted {
        let Some(name) = path_within(&path.path).filter(|_| path.qself.is_none()) else {
            return self.report_outside(path);
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
        let here = rust_name(&name);
        let is_method = Function::named(here).is_some()
            || [SCALAR_METHODS, MATRIX_METHODS, GROUP_METHODS].iter().any(|names| contains(names, here));
        let help = match (near, moving) {
            (Some(near), _) => format!("did you mean `{near}`?"),
            (None, Some(quantity)) => format!("write `{quantity}_rate`, the rate of the quantity `{quantity}`"),
            _ if matches!(here, "pow" | "powi" | "powf" | "square") => POWERS.to_owned(),
            _ if here == "log" => "use the method `ln`, the natural logarithm, as in `x.ln()`".to_owned(),
            _ if is_method => format!("call the method `{here}` of the first argument, as in `x.sin()`"),
            _ => "define the function in this module, or define an `#[opaque]` function, which is differentiated by dual numbers"
                .to_owned(),
        };
        let written = name.replacen("core::", "std::", 1);
        self.error_with_help(&call.func, format_args!("cannot find function `{written}` in this module"), help)
    }

    /// Inlines a helper of the module: evaluates its body with these arguments.
    pub(super) fn inline(&mut self, call: &ExprCall, helper: &Within<ItemFn>, arguments: Vec<Value>) -> Interpreted {
        let Within { path, item: helper, .. } = helper;
        if helper.sig.inputs.len() != arguments.len() {
            let inputs: Vec<String> = helper.sig.inputs.iter().map(source).collect();
            return self.wrong_argument_count(call, &helper.sig.ident, inputs.len(), &inputs.join(", "));
        }
        self.ensure_arguments(call, &helper.sig, &arguments)?;
        if self.records.checked.insert(path.clone()) {
            self.ensure_unconditional(helper.block.to_token_stream())?;
        }
        let result = self.inlined(&call.func, path, |this| {
            this.bind_lengths(call, helper, &arguments)?;
            for (input, value) in helper.sig.inputs.iter().zip(arguments) {
                match input {
                    FnArg::Typed(typed) => {
                        let value = this.typed(value, &typed.ty)?;
                        this.bind(&typed.pat, value)?;
                    }
                    FnArg::Receiver(receiver) => return this.error(receiver, "a helper cannot have a `self` argument"),
                }
            }
            this.block(&helper.block)
        });
        match &helper.sig.output {
            syn::ReturnType::Type(_, ty) => self.typed(result?, ty),
            syn::ReturnType::Default => result,
        }
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
                Some(length) => self.environment.declare(&parameter.ident, length),
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
        // `Vector3::norm(&x)`, `SO3::inverse(&r)`.
        let is_method = match arguments.first() {
            Some(Value::Matrix(_)) => contains(MATRIX_METHODS, name) && crate::syntax::shape_named(ty).is_some(),
            Some(Value::Element(element)) => contains(GROUP_METHODS, name) && element.group.name == ty,
            _ => false,
        };
        if is_method || ty == "f64" || is_signed(ty).is_some() {
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
                let receiver = match (receiver, is_signed(ty)) {
                    (Value::Integer(integer), Some(is_signed)) => Value::Integer(Integer { is_signed, ..*integer }),
                    _ => receiver.clone(),
                };
                return self.invoke(&method, receiver, rest);
            }
        }
        if let Some(value) = self.constructor(call, ty, name, path, arguments)? {
            return Ok(value);
        }
        let given: Vec<String> = arguments.iter().map(|value| value.describe(&self.expressions)).collect();
        let arguments =
            if given.is_empty() { String::new() } else { format!(" for these arguments: {}", given.join(", ")) };
        self.error_with_help(
            call,
            format_args!("function `{}` is not supported{arguments}", source(path)),
            "use `new`, `zeros`, `identity`, `from_diagonal` or `from` of vectors and matrices, `exp`, `identity` and `new` of groups, \
             `SO3::exp(&(axis * angle))` for a rotation about an axis, a struct literal, or a function of this module; enum variants cannot \
             have data, and trait functions are not supported",
        )
    }

    /// Returns a scalar argument of a constructor; integers are rejected as in Rust.
    pub(super) fn scalar_of(&mut self, value: &Value, at: &impl ToTokens) -> Interpreted<crate::expr::Node> {
        match value {
            Value::Scalar(node) => Ok(*node),
            Value::Matrix(node) if self.expressions.type_of(*node) == Type::SCALAR => Ok(*node),
            Value::Unknown => Err(Reported),
            other => {
                let found = other.describe(&self.expressions);
                let help = help_for(other, &self.expressions);
                self.error_with_help(at, format_args!("expected a scalar, found {found}"), help)
            }
        }
    }
}

fn function_name(name: &str) -> syn::Ident {
    syn::Ident::new(name, proc_macro2::Span::call_site())
}
