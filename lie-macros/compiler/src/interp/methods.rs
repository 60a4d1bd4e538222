//! Method calls: dispatch by the receiver, and errors for unknown methods.

use syn::{Expr, ExprCall, ExprMethodCall};

use super::booleans::{count, same_count};
use super::help::{POWERS, contains, help_for, rust_name};
use super::matrices::MATRIX_METHODS;
use super::scalar_methods::{SCALAR_METHODS, scalar_method};
use super::sequences::ITERATOR_METHODS;
use super::{Interpreted, Reported, SymbolicInterpreter, Value};
use crate::expr::{Expressions, Function};
use crate::group::Element;
use crate::model::Within;

/// Methods of group elements.
pub(super) const GROUP_METHODS: &str = "inverse log angle direction matrix rotation_matrix rotation position point_velocity body_point_velocity twist clone";

/// Methods of an `Option`, and of integers.
pub(super) const OPTION_METHODS: &str = "is_some is_none unwrap expect unwrap_or map map_or copied cloned";
const INTEGER_METHODS: &str = "pow abs min max rem_euclid div_euclid is_multiple_of";

impl SymbolicInterpreter<'_> {
    pub(super) fn method(&mut self, call: &ExprMethodCall) -> Interpreted {
        let name = call.method.to_string();
        if super::mutating_methods::CHANGING.contains(&name.as_str()) {
            return self.changing_method(call, &name);
        }
        let receiver = self.expression(&call.receiver);
        let arguments = self.expressions_of(&call.args);
        let (receiver, arguments) = (receiver?, arguments?);
        if super::sequences::ADVANCING.contains(&name.as_str())
            && matches!(receiver, Value::Sequence(_) | Value::Range(..))
            && is_variable(&call.receiver)
        {
            return self.outside(&call.method, &format!("`{name}` of an iterator in a variable"));
        }
        self.invoke(call, receiver, &arguments)
    }

    /// Calls a method of a value, independently of the expressions in the call.
    pub(super) fn invoke(&mut self, call: &ExprMethodCall, receiver: Value, arguments: &[Value]) -> Interpreted {
        let name = call.method.to_string();
        if receiver == Value::Unknown || arguments.contains(&Value::Unknown) {
            return Err(Reported);
        }
        if let Some(value) = self.user_method(call, &receiver, arguments) {
            return value;
        }
        let copies = ["clone", "into_owned", "to_owned", "clone_owned", "as_ref"];
        // `into` converts between types with one representation: vectors, arrays, scalars.
        let is_into = name == "into" && matches!(receiver, Value::Scalar(_) | Value::Matrix(_) | Value::Array(_));
        if arguments.is_empty() && (is_into || copies.contains(&name.as_str())) {
            return Ok(receiver);
        }
        let e = &mut self.expressions;
        let found = match &receiver {
            Value::Scalar(a) => {
                if depends_on_sign_of_zero(e, &receiver, &name, arguments) {
                    return self.error_with_help(
                        &call.method,
                        format_args!("`{name}` depends on the sign of a zero, which `mechanical_system` does not keep"),
                        "write the value: the sign `1.0` or `-1.0`, or the angle",
                    );
                }
                let value = scalar_method(e, *a, &name, arguments);
                if name == "sqrt" {
                    self.records.remember_root(*a, &call.method);
                }
                value
            }
            Value::Matrix(a) => {
                if matches!(name.as_str(), "norm" | "magnitude" | "normalize") {
                    let square = e.dot(*a, *a);
                    self.records.remember_root(square, &call.method);
                }
                self.matrix_method(*a, &name, arguments, call)?
            }
            Value::Element(element) => group_method(e, element, &name, arguments),
            Value::List(_) => return self.list_as_a_whole(&call.method),
            Value::Integer(_) | Value::Count(..) => integer_method(e, &receiver, &name, arguments),
            Value::Array(items) => self.array_method(items, &name, arguments, call)?,
            Value::Sequence(items) => self.sequence_method(items.clone(), &name, arguments, call)?,
            Value::Range(start, end) => match (name.as_str(), arguments) {
                ("contains", [Value::Integer(n)]) => Some(Value::Known((start.value..end.value).contains(&n.value))),
                _ => {
                    let items = self.items(receiver.clone(), &call.receiver)?;
                    self.sequence_method(items, &name, arguments, call)?
                }
            },
            Value::Optional(value) => self.option_method(value.as_deref(), &name, arguments, call)?,
            Value::Invertible(inverse) if matches!(name.as_str(), "unwrap" | "expect") => Some(Value::Matrix(*inverse)),
            _ => None,
        };
        match found {
            Some(value) => Ok(value),
            None => self.no_method(call, &receiver, &name, arguments),
        }
    }

    /// Returns the name of the type of the module that a value has; a variant stands for its enum.
    fn owner(&self, value: &Value) -> Option<String> {
        let model = self.model;
        Some(match value {
            Value::Parameters => model.parameters.as_ref()?.item.ident.to_string(),
            Value::Inputs => model.inputs.as_ref()?.item.ident.to_string(),
            Value::Configuration => model.configuration.item.ident.to_string(),
            Value::Velocity => "Velocity".to_owned(),
            Value::Struct(name, _) => name.split("::").next()?.to_owned(),
            _ => return None,
        })
    }

    /// Inlines a method in an `impl` block of the module; returns `None` if there is no method with this name.
    fn user_method(&mut self, call: &ExprMethodCall, receiver: &Value, arguments: &[Value]) -> Option<Interpreted> {
        let (owner, model, name) = (self.owner(receiver)?, self.model, &call.method);
        let is_it = |helper: &&Within<syn::ItemFn>| {
            helper.owner.as_ref().is_some_and(|known| *known == owner) && helper.item.sig.ident == *name
        };
        let method = model.helpers.iter().find(is_it)?;
        let arguments: Vec<Value> = [receiver].into_iter().chain(arguments).cloned().collect();
        let written = ExprCall {
            attrs: vec![],
            func: Box::new(Expr::Path(syn::ExprPath { attrs: vec![], qself: None, path: name.clone().into() })),
            paren_token: call.paren_token,
            args: [&*call.receiver].into_iter().chain(&call.args).cloned().collect(),
        };
        Some(self.inline(&written, method, arguments))
    }

    /// Calls a method of an `Option` that is known to be `Some` or `None`.
    fn option_method(
        &mut self,
        value: Option<&Value>,
        name: &str,
        arguments: &[Value],
        call: &ExprMethodCall,
    ) -> Interpreted<Option<Value>> {
        Ok(Some(match (name, arguments, value) {
            ("is_some", [], value) => Value::Known(value.is_some()),
            ("is_none", [], value) => Value::Known(value.is_none()),
            ("copied" | "cloned", [], value) => Value::Optional(value.cloned().map(Box::new)),
            ("unwrap" | "expect" | "unwrap_or", _, Some(value)) => value.clone(),
            ("unwrap_or", [other], None) | ("map_or", [other, _], None) => other.clone(),
            ("unwrap" | "expect", _, None) => {
                return self.error(&call.receiver, "called `unwrap` or `expect` on `None`");
            }
            ("map", [_], None) => Value::Optional(None),
            ("map", [function], Some(value)) | ("map_or", [_, function], Some(value)) => {
                let function = self.callable(function, &call.args)?;
                let result = self.apply(&function, vec![value.clone()], &call.method)?;
                if name == "map" { Value::Optional(Some(Box::new(result))) } else { result }
            }
            _ => return Ok(None),
        }))
    }

    /// Reports an unknown method, or a method that this value does not have.
    pub(super) fn no_method(
        &mut self,
        call: &ExprMethodCall,
        receiver: &Value,
        name: &str,
        arguments: &[Value],
    ) -> Interpreted {
        let e = &self.expressions;
        let what = receiver.describe(e);
        let given: Vec<String> = arguments.iter().map(|value| value.describe(e)).collect();
        let with = if given.is_empty() { String::new() } else { format!(" with {}", given.join(" and ")) };
        let (known, here) = (self.methods_of(receiver), rust_name(name));
        // The name of another mathematical function is not a misspelling.
        let is_other = match receiver {
            Value::Matrix(_) => name.len() <= 4,
            _ => contains("sinc erf erfc gamma ln_gamma", name),
        };
        let near = crate::syntax::closest(name, known.iter().copied()).filter(|near| *near != name && !is_other);
        let help = match near {
            _ if here != name && known.contains(&here) => format!("did you mean `{here}`?"),
            _ if matches!(name, "pow" | "powi" | "powf" | "square") && !matches!(receiver, Value::Matrix(_)) => {
                POWERS.to_owned()
            }
            Some(near) => format!("did you mean `{near}`?"),
            None => {
                format!(
                    "{}; or move the computation into an `#[opaque]` function",
                    help_for(receiver, &self.expressions)
                )
            }
        };
        self.error_with_help(&call.method, format_args!("{what} has no method `{name}`{with}"), help)
    }

    /// Returns the names of the methods of a value.
    fn methods_of(&self, receiver: &Value) -> Vec<&str> {
        let names = match receiver {
            Value::Scalar(_) => {
                let elementary = Function::ALL.iter().map(|function| function.name());
                return elementary.chain(SCALAR_METHODS.split(' ')).collect();
            }
            Value::Integer(_) | Value::Count(..) => INTEGER_METHODS,
            Value::Matrix(_) => MATRIX_METHODS,
            Value::Element(_) => GROUP_METHODS,
            Value::Array(_) | Value::Sequence(_) | Value::Range(..) => ITERATOR_METHODS,
            Value::Optional(_) | Value::Invertible(_) => OPTION_METHODS,
            receiver => {
                let owner = self.owner(receiver);
                let is_method = |helper: &&Within<syn::ItemFn>| {
                    helper.owner.as_ref().map(ToString::to_string) == owner && owner.is_some()
                };
                let methods = self.model.helpers.iter().filter(is_method);
                return methods.filter_map(|helper| helper.path.rsplit("::").next()).collect();
            }
        };
        names.split(' ').collect()
    }
}

/// Returns true for a method that depends on the sign of a constant zero: the compiler does not distinguish 0.0 and -0.0.
fn depends_on_sign_of_zero(e: &Expressions, receiver: &Value, name: &str, arguments: &[Value]) -> bool {
    let number = |value: &Value| if let Value::Scalar(node) = value { e.as_number(*node) } else { None };
    let is_zero = |value: &Value| number(value) == Some(0.0);
    match (name, arguments) {
        ("copysign", [sign]) => is_zero(sign),
        ("signum" | "is_sign_negative" | "is_sign_positive", []) => is_zero(receiver),
        // On the negative axis, the angle is π or -π.
        ("atan2", [x]) => is_zero(receiver) && (is_zero(x) || number(receiver).is_some_and(f64::is_sign_negative)),
        _ => false,
    }
}

/// Calls a method of an integer.
fn integer_method(e: &mut Expressions, receiver: &Value, name: &str, arguments: &[Value]) -> Option<Value> {
    if let Value::Integer(a) = receiver {
        let integer = |value: &Value| if let Value::Integer(n) = value { Some(*n) } else { None };
        let others: Option<Vec<_>> = arguments.iter().map(integer).collect();
        if let Some(value) = others.and_then(|others| a.method(name, &others)) {
            return Some(Value::Integer(value));
        }
    }
    let [other] = arguments else { return None };
    let (a, b) = (count(e, receiver)?, count(e, other)?);
    match name {
        "min" | "max" => match scalar_method(e, a, name, &[Value::Scalar(b)])? {
            Value::Scalar(node) => Some(Value::Count(node, receiver.is_signed() || other.is_signed())),
            _ => None,
        },
        "is_multiple_of" if e.as_number(b) != Some(0.0) => {
            let (rest, zero) = (e.remainder(a, b), e.number(0.0));
            match e.as_number(rest) {
                Some(rest) => Some(Value::Known(rest == 0.0)),
                None => Some(Value::Bool(same_count(e, rest, zero))),
            }
        }
        _ => None,
    }
}

/// Calls a method of a group element.
fn group_method(e: &mut Expressions, element: &Element, name: &str, arguments: &[Value]) -> Option<Value> {
    let (group, parts) = (element.group, &element.parts);
    match (name, arguments) {
        ("inverse", []) => Some(group.operand(group.rules.inverse(e, parts)?).into()),
        ("log", []) => Some(Value::Matrix(group.rules.log(e, parts)?)),
        _ => {
            let operands: Option<Vec<_>> = arguments.iter().map(Value::operand).collect();
            Some(group.rules.method(e, parts, name, &operands?)?.into())
        }
    }
}

/// Returns true for a variable or a part of one.
pub(super) fn is_variable(expr: &syn::Expr) -> bool {
    match expr {
        syn::Expr::Path(_) => true,
        syn::Expr::Paren(inner) => is_variable(&inner.expr),
        syn::Expr::Group(inner) => is_variable(&inner.expr),
        syn::Expr::Reference(inner) => is_variable(&inner.expr),
        syn::Expr::Unary(inner) => is_variable(&inner.expr),
        syn::Expr::Field(inner) => is_variable(&inner.base),
        syn::Expr::Index(inner) => is_variable(&inner.expr),
        _ => false,
    }
}
