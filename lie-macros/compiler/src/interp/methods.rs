//! Method calls: dispatch by the receiver, and errors for unknown methods.

use syn::ExprMethodCall;

use super::integers::Integer;
use super::known_methods::GROUP_METHODS;
use super::{Interpreted, Reported, SymbolicInterpreter, Value};
use crate::expr::Node;
use crate::group::Element;

/// Unsupported methods of nalgebra whose names are similar to supported methods.
const UNSUPPORTED: &[&str] = &[
    "lu",
    "qr",
    "svd",
    "exp",
    "pow",
    "perp",
    "sup",
    "inf",
    "imax",
    "imin",
    "iamax",
    "iamin",
    "rows",
    "columns",
    "row_mean",
    "column_mean",
    "slerp",
    "yx",
    "zx",
    "zy",
    "xz",
    "yz",
];

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
        let copies = ["clone", "into_owned", "to_owned", "clone_owned", "as_ref", "borrow"];
        if arguments.is_empty() && copies.contains(&name.as_str()) {
            return Ok(receiver);
        }
        // Conversions between types with one representation: vectors, arrays, scalars.
        if name == "into" && matches!(receiver, Value::Scalar(_) | Value::Matrix(_) | Value::Array(_)) {
            return Ok(receiver);
        }
        if let (
            Value::Count(..) | Value::Integer(_),
            "is_multiple_of",
            [other @ (Value::Count(..) | Value::Integer(_))],
        ) = (&receiver, name.as_str(), arguments)
        {
            return self.is_multiple(call, receiver, other.clone());
        }
        let found = match &receiver {
            Value::Scalar(a) => {
                if name == "sqrt" {
                    self.remember_root(*a, &call.method);
                }
                if let Some(error) = self.depends_on_sign_of_zero(*a, &name, arguments, call) {
                    return error;
                }
                self.scalar_method(*a, &name, arguments)
            }
            Value::Matrix(a) => {
                if matches!(name.as_str(), "norm" | "magnitude" | "normalize") {
                    let square = self.expressions.dot(*a, *a);
                    self.remember_root(square, &call.method);
                }
                self.matrix_method(*a, &name, arguments, call)?
            }
            Value::Element(element) => self.group_method(element, &name, arguments),
            Value::Integer(a) => return self.integer_method(*a, &name, arguments, call),
            Value::List(_) => return self.list_as_a_whole(&call.method),
            Value::Count(..) => self.count_method(&receiver, &name, arguments),
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

    /// Rejects methods that depend on the sign of a constant zero: the compiler does not distinguish 0.0 and -0.0.
    fn depends_on_sign_of_zero(
        &mut self,
        receiver: Node,
        name: &str,
        arguments: &[Value],
        call: &ExprMethodCall,
    ) -> Option<Interpreted<Value>> {
        let zero = |node| self.expressions.as_number(node) == Some(0.0);
        let (asked, help) = match (name, arguments) {
            ("copysign", [Value::Scalar(sign)]) => (zero(*sign), "write the sign, `1.0` or `-1.0`"),
            ("signum" | "is_sign_negative" | "is_sign_positive", []) => {
                (zero(receiver), "write the sign, `1.0` or `-1.0`, or compare, `x < 0.0`")
            }
            // On the negative axis, the angle is π or -π.
            ("atan2", [Value::Scalar(x)]) => {
                let negative = self.expressions.as_number(receiver).is_some_and(f64::is_sign_negative);
                (zero(receiver) && (zero(*x) || negative), "write the angle")
            }
            _ => return None,
        };
        asked.then(|| {
            self.error_with_help(
                &call.method,
                format_args!("`{name}` depends on the sign of a zero, which `mechanical_system` does not keep"),
                help,
            )
        })
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

    fn integer_method(&mut self, a: Integer, name: &str, arguments: &[Value], call: &ExprMethodCall) -> Interpreted {
        let numbers: Option<Vec<Integer>> =
            arguments.iter().map(|value| if let Value::Integer(n) = value { Some(*n) } else { None }).collect();
        if let Some(value) = numbers.and_then(|numbers| a.method(name, &numbers)) {
            return Ok(Value::Integer(value));
        }
        self.no_method(call, &Value::Integer(a), name, arguments)
    }

    fn count_method(&mut self, receiver: &Value, name: &str, arguments: &[Value]) -> Option<Value> {
        let [other @ (Value::Count(..) | Value::Integer(_))] = arguments else { return None };
        let kind = super::operators::kind_of(receiver, other);
        let (a, b) = (self.count_of(receiver), self.count_of(other));
        match self.scalar_method(a, name, &[Value::Scalar(b)])? {
            Value::Scalar(node) if matches!(name, "min" | "max") => Some(Value::Count(node, kind)),
            _ => None,
        }
    }

    /// Reports an unknown method, or a method that this value does not have.
    pub(super) fn no_method(
        &mut self,
        call: &ExprMethodCall,
        receiver: &Value,
        name: &str,
        arguments: &[Value],
    ) -> Interpreted {
        let what = receiver.describe(&self.expressions);
        let given: Vec<String> = arguments.iter().map(|value| value.describe(&self.expressions)).collect();
        let with = if given.is_empty() { String::new() } else { format!(" with {}", given.join(" and ")) };
        if let Some(text) = self.instead_of_method(call, receiver, name, arguments) {
            return self.error_with_help(
                &call.method,
                format_args!("{what} has no method `{name}`{with}"),
                format_args!("write `{text}`"),
            );
        }
        let known = match (receiver, name) {
            (Value::Invertible(_), _) => {
                Some("write `m.try_inverse().unwrap()`: the singularity of the matrix is not tested")
            }
            (Value::Element(_), "into") => {
                Some("write the target type, as in `SE3::from(pose)` or `SO3::from(rotation)`")
            }
            (Value::Matrix(_), "lu" | "qr" | "svd" | "cholesky" | "lu_solve") => Some(
                "multiply by the inverse, `m.try_inverse().unwrap() * b`, up to size 4×4, or solve in an `#[opaque]` function",
            ),
            (Value::Scalar(_), "is_nan" | "is_finite" | "is_infinite" | "is_normal") => {
                Some("remove the test: a simulation returns an error at a value that is not finite")
            }
            (Value::Scalar(_), "total_cmp" | "partial_cmp") => {
                Some("write a comparison, as in `if x < 1.0 { x } else { 1.0 }`")
            }
            (Value::Known(_) | Value::Bool(_), "then" | "then_some") => {
                Some("write `if` and `else`, as in `if x > 0.0 { x } else { 0.0 }`")
            }
            (Value::Array(_), _) if name.starts_with("sort") => Some(
                "use `a.min(b)` and `a.max(b)` of two scalars, \
                 `.iter().copied().fold(f64::INFINITY, f64::min)` of several, or sort in an `#[opaque]` function",
            ),
            (Value::Integer(_) | Value::Count(..), "into" | "try_into") => {
                Some("write a cast, as in `n as i64` or `n as f64`")
            }
            (Value::Integer(_), _) => Some(
                "use the operators `+ - * / %` and casts, as in `a as i64 + b as i64`, or move the computation into an `#[opaque]` function",
            ),
            _ => None,
        };
        let known_here = self.methods_of(receiver);
        let is_known = known_here.contains(&name);
        // The name of another mathematical function is not a misspelling.
        let is_other = match receiver {
            Value::Matrix(_) => UNSUPPORTED.contains(&name),
            Value::Scalar(_) => matches!(name, "sinc" | "erf" | "erfc" | "gamma" | "ln_gamma"),
            _ => false,
        };
        let near = crate::syntax::closest(name, known_here).filter(|_| !is_other);
        let help = match (known, receiver) {
            (Some(help), _) => help.to_owned(),
            (None, Value::Element(_)) if is_known => {
                "use `inverse`, `log` or `matrix`, or multiply a vector, `rotation * vector`".to_owned()
            }
            (None, Value::Struct(owner, _)) if self.has_changing_method(owner, name) => {
                format!("write a function `fn {name}(it: &mut {owner}, …)`: methods with `&mut self` are not supported")
            }
            (None, Value::Struct(owner, _)) if self.has_generic_method(owner, name) => format!(
                "declare a function with another name in this module, `fn {name}_of(it: …)`: methods of a generic `impl<…> {owner}<…>` are not supported"
            ),
            (None, Value::Struct(owner, fields)) if !fields.is_empty() => {
                let fields: Vec<String> = fields.iter().map(|(field, _)| format!("`{field}`")).collect();
                format!(
                    "call a method of one of its fields, {}, or declare the method in `impl {owner}`",
                    fields.join(", ")
                )
            }
            (None, Value::Scalar(_)) if is_known => format!("call `{name}` with the arguments of the method of `f64`"),
            (None, Value::Text) => "write the number: strings are supported in messages only".to_owned(),
            (None, Value::Matrix(_)) if is_known => {
                format!("check the shapes of the arguments: `{name}` is the method of nalgebra")
            }
            (None, Value::Matrix(_) | Value::Array(_)) if name.ends_with("_mut") || name.ends_with("_assign") => {
                "assign to the variable or to its entries: `v = 2.0 * v;`, `a[0] += x;`, `m[(0, 0)] = x;`".to_owned()
            }
            _ => match (near.filter(|near| *near != name), receiver) {
                (Some(near), _) => format!("did you mean `{near}`?"),
                (None, Value::Element(element)) => {
                    let has = |method: &&&str| self.group_method(element, method, &[]).is_some();
                    let methods: Vec<String> =
                        GROUP_METHODS.iter().filter(has).map(|method| format!("`{method}`")).collect();
                    let acts =
                        if element.group.has_sphere() { "" } else { ", or multiply a vector, `rotation * vector`" };
                    format!("use {}{acts}", methods.join(", "))
                }
                (None, _) => {
                    "move the computation into an `#[opaque]` function, which is differentiated by dual numbers"
                        .to_owned()
                }
            },
        };
        self.error_with_help(&call.method, format_args!("{what} has no method `{name}`{with}"), help)
    }

    fn group_method(&mut self, element: &Element, name: &str, arguments: &[Value]) -> Option<Value> {
        let (group, parts, e) = (element.group, &element.parts, &mut self.expressions);
        match (name, arguments) {
            ("inverse", []) => Some(group.operand(group.rules.inverse(e, parts)?).into()),
            ("log", []) => Some(Value::Matrix(group.rules.log(e, parts)?)),
            _ => {
                let operands: Option<Vec<_>> = arguments.iter().map(Value::operand).collect();
                Some(group.rules.method(e, parts, name, &operands?)?.into())
            }
        }
    }
}

/// Returns true for a variable or a part of one.
fn is_variable(expr: &syn::Expr) -> bool {
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
