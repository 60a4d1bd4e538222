//! Expressions: literals, paths, ranges and struct literals, and errors for unsupported expressions.

use quote::ToTokens;
use syn::{Expr, Lit, Member};

use super::integers::{Integer, is_signed};
use super::projections::member_name;
use super::value::Callable;
use super::{Interpreted, Reported, SymbolicInterpreter, Value};
use crate::diagnostics::source;
use crate::model::path_within;

/// Help for unsupported constructs.
const SUPPORTED: &str = "use arithmetic, `let`, `if`, `match`, `for`, iterators, closures and calls of functions of \
                        this module; or move the expression into an `#[opaque]` function";

impl SymbolicInterpreter<'_> {
    /// Evaluates an expression.
    pub(super) fn expression(&mut self, expr: &Expr) -> Interpreted {
        self.spend(1, expr)?;
        match expr {
            Expr::Lit(literal) => self.literal(&literal.lit, expr),
            Expr::Path(path) => self.path(path),
            Expr::Paren(inner) => self.expression(&inner.expr),
            Expr::Group(inner) => self.expression(&inner.expr),
            Expr::Reference(inner) if inner.mutability.is_some() => self.outside(expr, "a mutable reference"),
            Expr::Reference(inner) => self.expression(&inner.expr),
            Expr::Block(block) if block.label.is_none() => self.block(&block.block),
            Expr::Block(block) => self.outside(&block.label, "a label"),
            Expr::Unary(unary) => self.unary(unary),
            Expr::Binary(binary) => self.binary(binary),
            Expr::Assign(assign) => {
                let value = self.expression(&assign.right)?;
                self.assign(&assign.left, value)
            }
            Expr::If(condition) => self.condition(condition),
            Expr::Match(expr) => self.matching(expr),
            Expr::ForLoop(each) => self.for_loop(each),
            Expr::While(expr) => self.while_loop(expr),
            Expr::Loop(expr) => self.loop_expression(expr),
            Expr::Return(early) => self.return_early(early),
            Expr::Break(expr) => self.break_out(expr),
            Expr::Continue(expr) => self.continue_on(expr),
            Expr::Closure(closure) => self.closure(closure),
            Expr::Range(range) => self.range(range),
            Expr::Struct(literal) => self.struct_literal(literal),
            Expr::Field(field) => self.field(field),
            Expr::Index(index) => self.index(index),
            Expr::Call(call) => self.call(call),
            Expr::MethodCall(call) => self.method(call).and_then(|value| self.finite(value, expr)),
            Expr::Macro(call) => self.macro_call(&call.mac),
            Expr::Cast(cast) => self.cast(cast),
            Expr::Tuple(tuple) if tuple.elems.is_empty() => Ok(Value::Unit),
            Expr::Tuple(tuple) => self.expressions_of(&tuple.elems).map(Value::Tuple),
            Expr::Array(array) => self.expressions_of(&array.elems).map(Value::Array),
            Expr::Repeat(repeat) => {
                let item = self.expression(&repeat.expr)?;
                match self.expression(&repeat.len)? {
                    Value::Unknown => Err(Reported),
                    length => match length.size_known().filter(|count| *count <= 1000) {
                        Some(count) => {
                            self.spend(item.size().saturating_mul(count), expr)?;
                            Ok(Value::Array(vec![item; count]))
                        }
                        None => self.error(&repeat.len, "the length of an array must be known at compile time"),
                    },
                }
            }
            Expr::Let(_) => self.outside(expr, "`let` as a part of a condition"),
            Expr::Try(asked) => self.outside(asked.question_token, "`?`"),
            _ => self.outside(expr, "this expression"),
        }
    }

    /// Returns the value, or an error for a constant that is not finite.
    pub(super) fn finite(&mut self, value: Value, at: impl ToTokens) -> Interpreted {
        match value {
            Value::Scalar(node) if self.expressions.as_number(node).is_some_and(|number| !number.is_finite()) => {
                let (text, number) = (crate::diagnostics::source(&at), self.expressions.as_number(node));
                self.error_with_help(
                    at,
                    format_args!("the value of `{text}` is {}, which is not finite", number.unwrap_or(f64::NAN)),
                    "rewrite the expression so that all intermediate values are below 1.8e308, the limit of `f64`",
                )
            }
            value => Ok(value),
        }
    }

    /// Evaluates a list of expressions in order, and reports the errors of all of them.
    pub(super) fn expressions_of<'e>(&mut self, list: impl IntoIterator<Item = &'e Expr>) -> Interpreted<Vec<Value>> {
        let values: Vec<Interpreted> = list.into_iter().map(|part| self.expression(part)).collect();
        values.into_iter().collect()
    }

    /// Reports an unsupported construct.
    pub(super) fn outside<T>(&mut self, at: impl ToTokens, what: &str) -> Interpreted<T> {
        self.error_with_help(at, format_args!("{what} is not supported in a declaration"), SUPPORTED)
    }

    fn range(&mut self, range: &syn::ExprRange) -> Interpreted {
        let bound = |this: &mut Self, bound: &Option<Box<Expr>>| match bound {
            None => Ok(None),
            Some(bound) => match this.expression(bound)? {
                Value::Integer(value) => Ok(Some(value)),
                Value::Unknown => Err(Reported),
                _ => this.bound_error(bound),
            },
        };
        let (start, end) = (bound(self, &range.start)?, bound(self, &range.end)?);
        match (start, end, &range.limits) {
            (Some(start), Some(end), syn::RangeLimits::HalfOpen(_)) => Ok(Value::Range(start, end)),
            (Some(start), Some(end), syn::RangeLimits::Closed(_)) => {
                Ok(Value::Range(start, Integer { value: end.value.saturating_add(1), ..end }))
            }
            _ => self.bound_error(range),
        }
    }

    /// Reports an expression that is not a bound of a loop.
    pub(super) fn bound_error<T>(&mut self, at: impl ToTokens) -> Interpreted<T> {
        self.error_with_help(
            at,
            "the bounds of this loop are not known at compile time",
            "loop over a range of literals or of module `const`s, such as `0..3`, or over an array; compare scalars with bounds by `low <= x && x < high`",
        )
    }

    /// Evaluates `Body { mass: 1.0, ..other }`.
    fn struct_literal(&mut self, literal: &syn::ExprStruct) -> Interpreted {
        let name = literal.path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        let mut given = Vec::new();
        for field in &literal.fields {
            given.push((member_name(&field.member), self.expression(&field.expr)?));
        }
        let base = literal.rest.as_ref().map(|rest| self.expression(rest)).transpose()?;
        let Some(declared) = literal.path.get_ident().and_then(|name| self.struct_fields(name)) else {
            if self.is_states(&name) {
                return Err(Reported);
            }
            return self.error_with_help(
                &literal.path,
                format_args!("cannot find struct `{}` in this module", source(&literal.path)),
                "declare the struct in this module, not in a nested module; enum variants cannot have data",
            );
        };
        let mut fields = Vec::new();
        for (declared, ty) in declared {
            let name = member_name(&declared);
            let value = match (given.iter().position(|(given, _)| *given == name), &base) {
                (Some(at), _) => self.of_field(given.swap_remove(at).1, ty.as_ref())?,
                (None, Some(base)) => self.field_of(base, &declared)?,
                (None, None) => {
                    let message = format_args!("missing field `{name}` of `{}`", source(&literal.path));
                    return self.error_with_help(literal, message, format_args!("add the field: `{name}: …`"));
                }
            };
            fields.push((name, value));
        }
        Ok(Value::Struct(name, fields))
    }

    /// Returns the value of a field with this type.
    pub(super) fn of_field(&mut self, value: Value, ty: Option<&syn::Type>) -> Interpreted {
        match ty {
            Some(ty) => self.declared(value, ty),
            None => Ok(value),
        }
    }

    /// Returns the fields of a struct of the module, with their types where these are written.
    fn struct_fields(&self, name: &syn::Ident) -> Option<Vec<(Member, Option<syn::Type>)>> {
        let model = self.model;
        if let Some(body) = model.bodies.iter().find(|body| *name == body.velocity) {
            return Some(
                body.factors.members.iter().map(|member| (Member::Named(member.name.clone()), None)).collect(),
            );
        }
        let structs = model
            .items
            .iter()
            .filter_map(|item| if let syn::Item::Struct(item) = item { Some(item) } else { None })
            .chain([&model.configuration.item])
            .chain(model.parameters.iter().map(|parameters| &parameters.item));
        let item = structs.into_iter().find(|item| item.ident == *name)?;
        let types = item.fields.iter().map(|field| Some(field.ty.clone()));
        Some(item.fields.members().zip(types).collect())
    }

    /// Returns a variant without data of an enum of the module.
    fn variant(&self, segments: &[String]) -> Option<Value> {
        let [owner, name] = segments else { return None };
        let is_there = self.model.items.iter().any(|item| match item {
            syn::Item::Enum(item) if item.ident == owner => {
                item.variants.iter().any(|variant| variant.ident == name && variant.fields.is_empty())
            }
            _ => false,
        });
        is_there.then(|| Value::Struct(format!("{owner}::{name}"), Vec::new()))
    }

    fn literal(&mut self, literal: &Lit, at: &Expr) -> Interpreted {
        match literal {
            Lit::Float(float) if matches!(float.suffix(), "" | "f64") => match float.base10_parse::<f64>() {
                Ok(value) if value.is_finite() => Ok(Value::Scalar(self.expressions.number(value))),
                _ => self.error_with_help(
                    at,
                    "this literal is not finite",
                    "write a smaller number, or `f64::MAX` (1.8e308)",
                ),
            },
            Lit::Int(integer) if integer.suffix() == "f64" => match integer.base10_parse::<f64>() {
                Ok(value) => Ok(Value::Scalar(self.expressions.number(value))),
                Err(_) => self.error(at, "invalid number literal"),
            },
            Lit::Int(integer) => match (integer.base10_parse::<i64>(), integer.suffix()) {
                // A literal in a pattern can be negative.
                (Ok(value), "") if let Some(value) = Integer::new(value, value < 0) => Ok(Value::Integer(value)),
                (Ok(value), suffix)
                    if let Some(value) = is_signed(suffix).and_then(|sign| Integer::new(value, sign)) =>
                {
                    Ok(Value::Integer(value))
                }
                _ => self.error_with_help(
                    at,
                    "this integer is not supported in a declaration",
                    "use integers below 2³¹ of 32 or 64 bits, as in `3_usize`, or a scalar, as in `3.0`",
                ),
            },
            Lit::Str(_) => Ok(Value::Text),
            Lit::Bool(value) => Ok(Value::Known(value.value)),
            Lit::Float(_) => {
                self.error_with_help(at, "`f32` is not supported: all scalars are `f64`", "leave out the suffix")
            }
            _ => self.outside(at, "this literal"),
        }
    }

    fn path(&mut self, path: &syn::ExprPath) -> Interpreted {
        let segments: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if let [name] = segments.as_slice()
            && let Some(value) = self.environment.variable(name)
        {
            return match value.clone() {
                Value::Unknown => Err(Reported),
                Value::Unset => self.error(path, format_args!("variable `{name}` is used before it is initialised")),
                value => Ok(value),
            };
        }
        let within = path_within(&path.path).filter(|_| path.qself.is_none());
        let Some(name) = within else { return self.report_outside(path) };
        if self.is_gap(&name) {
            return Err(Reported);
        }
        if let Some(value) = self.constant(&name) {
            return value;
        }
        if let Some(value) = super::constants::standard_constant(&segments) {
            return Ok(Value::Scalar(self.expressions.number(value)));
        }
        if let Some(variant) = self.variant(&segments) {
            return Ok(variant);
        }
        if segments == ["None"] {
            return Ok(Value::Optional(None));
        }
        if self.is_function(&name, &segments) {
            return Ok(Value::Callable(Callable::Function(std::rc::Rc::new(path.clone()))));
        }
        self.error_with_help(
            path,
            format_args!("cannot find value `{name}` in this module"),
            "use the arguments, local variables and `const` items of this module, and `std::f64::consts`; a `static` and `f64::NAN` are not \
             supported",
        )
    }
}
