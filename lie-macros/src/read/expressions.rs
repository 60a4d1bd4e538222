//! Expressions: literals, paths, fields, indices, and what is outside of the subset.

use quote::ToTokens;
use syn::{Expr, Lit, Member};

use super::{Reader, Reading, Reported, Value};
use crate::diagnostics::source;
use crate::expr::Node;
use crate::model::path_within;

/// How to get out of the subset.
const WAYS_OUT: &str = "write it with arithmetic, `let`, `if`/`else`, `for` over literal ranges and calls of functions \
                        of this module; or move it into an `#[opaque]` function";

impl Reader<'_> {
    /// The value of an expression.
    pub(super) fn expression(&mut self, expr: &Expr) -> Reading {
        self.spend(1, expr)?;
        match expr {
            Expr::Lit(literal) => self.literal(&literal.lit, expr),
            Expr::Path(path) => self.path(path),
            Expr::Paren(inner) => self.expression(&inner.expr),
            Expr::Group(inner) => self.expression(&inner.expr),
            Expr::Reference(inner) => self.expression(&inner.expr),
            Expr::Block(block) if block.label.is_none() => self.block(&block.block),
            Expr::Unary(unary) => self.unary(unary),
            Expr::Binary(binary) => self.binary(binary),
            Expr::Assign(assign) => {
                let value = self.expression(&assign.right)?;
                self.assign(&assign.left, value)
            }
            Expr::If(condition) => self.condition(condition),
            Expr::ForLoop(each) => self.for_loop(each),
            Expr::Field(field) => self.field(field),
            Expr::Index(index) => self.index(index),
            Expr::Call(call) => self.call(call),
            Expr::MethodCall(call) => self.method(call).and_then(|value| self.finite(value, expr)),
            Expr::Cast(cast) => self.cast(cast),
            Expr::Tuple(tuple) if tuple.elems.is_empty() => Ok(Value::Unit),
            Expr::Tuple(tuple) => {
                let parts: Reading<Vec<Value>> = tuple.elems.iter().map(|part| self.expression(part)).collect();
                Ok(Value::Tuple(parts?))
            }
            Expr::Array(array) => {
                let parts: Reading<Vec<Value>> = array.elems.iter().map(|part| self.expression(part)).collect();
                Ok(Value::Array(parts?))
            }
            Expr::Repeat(repeat) => {
                let item = self.expression(&repeat.expr)?;
                match self.expression(&repeat.len)? {
                    Value::Integer(count @ 0..=1000) => {
                        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // In 0..=1000.
                        let count = count as usize;
                        self.spend(item.size().saturating_mul(count), expr)?;
                        Ok(Value::Array(vec![item; count]))
                    }
                    Value::Unknown => Err(Reported),
                    _ => self.error(&repeat.len, "the length of an array has to be known at compile time"),
                }
            }
            Expr::Macro(call) => self.outside_macro(&call.mac.path, expr),
            Expr::While(other) => self.outside(other.while_token, "`while`"),
            Expr::Loop(other) => self.outside(other.loop_token, "`loop`"),
            Expr::Match(other) => self.outside(other.match_token, "`match`"),
            Expr::Closure(_) => self.outside(expr, "a closure"),
            Expr::Try(other) => self.outside(other, "`?`"),
            Expr::Return(early) => self.early_return(early),
            Expr::Break(_) | Expr::Continue(_) => self.outside(expr, "leaving a loop early"),
            Expr::Struct(_) => self.outside(expr, "a struct literal"),
            Expr::Range(_) => self.outside(expr, "a range outside of `for`"),
            Expr::Unsafe(_) => self.outside(expr, "`unsafe`"),
            Expr::Async(_) | Expr::Await(_) => self.outside(expr, "`async`"),
            _ => self.outside(expr, "this expression"),
        }
    }

    /// The value, unless it is a number that is not finite.
    pub(super) fn finite(&mut self, value: Value, at: impl ToTokens) -> Reading {
        match value {
            Value::Scalar(node) if self.expressions.as_number(node).is_some_and(|number| !number.is_finite()) => {
                let (text, number) = (crate::diagnostics::source(&at), self.expressions.as_number(node));
                self.error_with_help(
                    at,
                    format_args!("`{text}` is {}, not a finite number", number.unwrap_or(f64::NAN)),
                    "numbers of type `f64` end at 1.8e308; write it so that every number on the way is finite",
                )
            }
            value => Ok(value),
        }
    }

    /// Reports a construct outside of the subset.
    pub(super) fn outside(&mut self, at: impl ToTokens, what: &str) -> Reading {
        self.error_with_help(at, format_args!("{what} cannot be differentiated"), WAYS_OUT)
    }

    /// Reports `return`.
    pub(super) fn early_return(&mut self, at: &syn::ExprReturn) -> Reading {
        self.error_with_help(
            at,
            "early `return` cannot be differentiated",
            "let the value be the last expression, chosen by `if`/`else`",
        )
    }

    /// Reports a macro call.
    pub(super) fn outside_macro(&mut self, path: &syn::Path, at: impl ToTokens) -> Reading {
        let name = path.segments.last().map(|segment| segment.ident.to_string()).unwrap_or_default();
        let help = match name.as_str() {
            "vector" | "matrix" => "write `Vector3::new(x, y, z)`, `Matrix3::new(…)`".to_owned(),
            _ => format!("write out what `{name}!` stands for"),
        };
        self.error_with_help(at, format_args!("the macro `{name}!` cannot be read"), help)
    }

    fn literal(&mut self, literal: &Lit, at: &Expr) -> Reading {
        match literal {
            Lit::Float(float) if matches!(float.suffix(), "" | "f64") => match float.base10_parse::<f64>() {
                Ok(value) if value.is_finite() => Ok(Value::Scalar(self.expressions.number(value))),
                _ => self.error(at, "this number is not finite"),
            },
            Lit::Int(integer) if integer.suffix() == "f64" => match integer.base10_parse::<f64>() {
                Ok(value) => Ok(Value::Scalar(self.expressions.number(value))),
                Err(_) => self.error(at, "this number cannot be read"),
            },
            Lit::Int(integer) => match integer.base10_parse::<i64>() {
                Ok(value) => Ok(Value::Integer(value)),
                Err(_) => self.error(at, "this integer is too large"),
            },
            Lit::Bool(value) => Ok(Value::Known(value.value)),
            Lit::Float(_) => self.error_with_help(at, "numbers are `f64` here", "leave out the suffix"),
            _ => self.error(at, "only numbers can be differentiated"),
        }
    }

    fn path(&mut self, path: &syn::ExprPath) -> Reading {
        let segments: Vec<String> = path.path.segments.iter().map(|segment| segment.ident.to_string()).collect();
        if let [name] = segments.as_slice()
            && let Some(value) = self.variable(name)
        {
            return match value.clone() {
                Value::Unknown => Err(Reported),
                value => Ok(value),
            };
        }
        let within = path_within(&path.path).filter(|_| path.qself.is_none());
        let Some(name) = within else { return self.unseen(path, "constant") };
        if let Some(value) = self.constant(&name) {
            return value;
        }
        if let Some(value) = standard_constant(&segments) {
            return Ok(Value::Scalar(self.expressions.number(value)));
        }
        self.error_with_help(
            path,
            format_args!("`{name}` is not known here"),
            "use the arguments, local variables and `const` items of this module",
        )
    }

    fn field(&mut self, field: &syn::ExprField) -> Reading {
        let base = self.expression(&field.base)?;
        let name = match &field.member {
            Member::Named(name) => name.to_string(),
            Member::Unnamed(index) => {
                let at = index.index as usize;
                return match base {
                    Value::Tuple(parts) if at < parts.len() => Ok(parts[at].clone()),
                    Value::Unknown => Err(Reported),
                    other => {
                        let found = other.describe(&self.expressions);
                        self.error(&field.member, format_args!("{found} has no part {at}"))
                    }
                };
            }
        };
        let model = self.model;
        let known: Vec<String> = match base {
            Value::Parameters => {
                let fields = model.parameters.iter().flat_map(|parameters| &parameters.fields);
                let names: Vec<String> = fields.map(|field| field.name.to_string()).collect();
                if let Some(at) = names.iter().position(|known| *known == name) {
                    return Ok(self.leaves.parameter(at));
                }
                names
            }
            Value::Configuration | Value::Velocity => {
                let names: Vec<String> =
                    model.configuration.members.iter().map(|member| member.name.to_string()).collect();
                if let Some(at) = names.iter().position(|known| *known == name) {
                    return Ok(if base == Value::Configuration {
                        self.leaves.configuration(at)
                    } else {
                        self.leaves.velocity(at, &mut self.expressions)
                    });
                }
                names
            }
            Value::Pose { rotation, translation, .. } => match name.as_str() {
                "rotation" => return Ok(Value::Rotation(rotation)),
                "translation" => return Ok(Value::Matrix(translation)),
                _ => vec!["rotation".into(), "translation".into()],
            },
            Value::Matrix(vector) => {
                let (rows, columns) = self.expressions.shape(vector);
                let names = ["x", "y", "z", "w", "a", "b"];
                if let (Some(at), 1) = (names.iter().position(|known| *known == name), columns)
                    && at < rows
                {
                    return Ok(Value::Scalar(self.expressions.entry(vector, at, 0)));
                }
                names.iter().take(rows.min(4)).map(ToString::to_string).collect()
            }
            Value::Unknown => return Err(Reported),
            _ => Vec::new(),
        };
        let declared = model.configuration.item.fields.iter();
        if matches!(base, Value::Configuration | Value::Velocity)
            && declared.filter_map(|field| field.ident.as_ref()).any(|ident| *ident == name)
        {
            return self.error_with_help(
                &field.member,
                format_args!("the members of the chain `{name}` are known to elements only"),
                format_args!("declare the term over them: `over = {name}`, `{name}.windows(2)`, `{name}.last()`"),
            );
        }
        let found = base.describe(&self.expressions);
        let message = format!("{found} has no field `{name}`");
        if known.is_empty() {
            return self.error(&field.member, message);
        }
        let list = known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        self.error_with_help(&field.member, message, format_args!("there are {list}"))
    }

    fn index(&mut self, index: &syn::ExprIndex) -> Reading {
        match self.expression(&index.expr)? {
            Value::Array(items) => {
                let at = self.array_index(&index.index, items.len())?;
                Ok(items[at].clone())
            }
            Value::Matrix(matrix) => {
                let (row, column) = self.matrix_index(&index.index, matrix)?;
                Ok(Value::Scalar(self.expressions.entry(matrix, row, column)))
            }
            Value::Unknown => Err(Reported),
            other => {
                let message = format!("{} cannot be indexed", other.describe(&self.expressions));
                match other {
                    Value::Opaque(_) => self.error_with_help(
                        &index.expr,
                        message,
                        "numbers, vectors, matrices and arrays `[f64; 3]` can be read; parameters of any other type are \
                         for observables",
                    ),
                    _ => self.error_with_help(&index.expr, message, "vectors, matrices and arrays can be indexed"),
                }
            }
        }
    }

    /// The position in an array.
    pub(super) fn array_index(&mut self, index: &Expr, length: usize) -> Reading<usize> {
        match self.expression(index)? {
            Value::Integer(value) => self.in_range(index, value, length),
            Value::Unknown => Err(Reported),
            Value::Scalar(_) | Value::Truth(_) => self.error_with_help(
                index,
                "an index cannot depend on the state",
                "index with integers that are known at compile time: literals, `const`s and loop variables",
            ),
            _ => self.error(index, "this is no index"),
        }
    }

    /// The position in a vector or matrix: `v[i]`, `m[(i, j)]`, `m[k]` by columns.
    pub(super) fn matrix_index(&mut self, index: &Expr, matrix: Node) -> Reading<(usize, usize)> {
        let (rows, columns) = self.expressions.shape(matrix);
        if let Expr::Tuple(pair) = index
            && let [row, column] = pair.elems.iter().collect::<Vec<_>>()[..]
        {
            let row = self.array_index(row, rows)?;
            let column = self.array_index(column, columns)?;
            return Ok((row, column));
        }
        let at = self.array_index(index, rows * columns)?;
        Ok((at % rows, at / rows))
    }

    fn in_range(&mut self, at: &Expr, value: i64, length: usize) -> Reading<usize> {
        match usize::try_from(value) {
            Ok(index) if index < length => Ok(index),
            _ => self.error_with_help(
                at,
                format_args!("index {value} is out of range: there are {length} elements"),
                format_args!("the first is 0, the last {}", length.saturating_sub(1)),
            ),
        }
    }

    fn cast(&mut self, cast: &syn::ExprCast) -> Reading {
        let value = self.expression(&cast.expr)?;
        let to = cast.ty.to_token_stream().to_string();
        match (value, to.as_str()) {
            #[allow(clippy::cast_precision_loss)] // As in the user's own `as`.
            (Value::Integer(value), "f64") => Ok(Value::Scalar(self.expressions.number(value as f64))),
            (Value::Count(node), "usize" | "i32" | "u32" | "i64" | "u64" | "isize") => Ok(Value::Count(node)),
            (Value::Integer(value), "usize" | "i32" | "u32" | "i64" | "u64" | "isize") => Ok(Value::Integer(value)),
            (Value::Scalar(node) | Value::Count(node), "f64") => Ok(Value::Scalar(node)),
            (Value::Unknown, _) => Err(Reported),
            (other, _) => {
                let found = other.describe(&self.expressions);
                self.error_with_help(
                    cast,
                    format_args!("{found} cannot be cast to `{to}`: that is not differentiable"),
                    "only integers that are known at compile time can be cast, to `f64`",
                )
            }
        }
    }

    /// The value of a constant of the declaration of that path, folded when it is first used; `None` if there is none.
    ///
    /// What cannot be folded is reported at the constant, once.
    pub(super) fn constant(&mut self, path: &str) -> Option<Reading> {
        if let Some(value) = self.constants.get(path) {
            return Some(value.clone().ok_or(Reported));
        }
        let model = self.model;
        let constant = &model.constants.iter().find(|constant| constant.path == path)?.item;
        if self.folding.iter().any(|open| open == path) {
            let message = format!("the constant `{path}` needs itself");
            return Some(self.error_with_help(&constant.expr, message, "give one of them a value of its own"));
        }
        self.folding.push(path.to_owned());
        let outer = std::mem::replace(&mut self.scopes, vec![std::collections::HashMap::new()]);
        let value = self.expression(&constant.expr).and_then(|value| self.of_declared_type(constant, value));
        self.scopes = outer;
        self.folding.pop();
        self.constants.insert(path.to_owned(), value.as_ref().ok().cloned());
        Some(value)
    }

    /// A constant of numbers other than `f64` and whole ones would be calculated with another precision.
    fn of_declared_type(&mut self, constant: &syn::ItemConst, value: Value) -> Reading {
        let (name, declared) = (&constant.ident, source(&constant.ty));
        match (&value, declared.as_str()) {
            (Value::Unknown, _) => Err(Reported),
            (Value::Scalar(_) | Value::Matrix(_) | Value::Array(_), declared) if declared.contains("f32") => self
                .error_with_help(
                    &constant.ty,
                    format_args!("`{name}` is of single precision, and numbers are `f64` here"),
                    format_args!("write `const {name}: {}`", declared.replace("f32", "f64")),
                ),
            _ => Ok(value),
        }
    }

    /// Reports a path to where the macro does not look.
    pub(super) fn unseen(&mut self, path: &syn::ExprPath, what: &str) -> Reading {
        let written = source(path);
        if path.qself.is_some() {
            return self.error_with_help(
                path,
                format_args!("`{written}` is of a trait, which cannot be looked into"),
                "write the method of the type itself, as in `x.sin()`",
            );
        }
        let mut names = path.path.segments.iter().rev().map(|segment| segment.ident.to_string());
        let (name, owner) = (names.next().unwrap_or_default(), names.next().unwrap_or_default());
        let help = match what {
            "function" if owner.starts_with(char::is_uppercase) => {
                format!("write out what `{owner}::{name}` calculates, as a function inside of the system's module")
            }
            "function" => format!(
                "declare `fn {name}(…)` inside of the system's module, where it is read; or `#[opaque] fn {name}<S: \
                 Scalar>(…)` there, which may call it"
            ),
            _ => format!("declare it inside of the system's module: `const {name}: f64 = …;`, with its value"),
        };
        self.error_with_help(
            path,
            format_args!("`{written}` is outside of the system, where the macro cannot see"),
            help,
        )
    }
}

/// `core::f64::consts::PI` and the like.
fn standard_constant(segments: &[String]) -> Option<f64> {
    use std::f64::consts;
    let segments: Vec<&str> = segments.iter().map(String::as_str).collect();
    let ["core", "f64", "consts", name] = segments.as_slice() else { return None };
    Some(match *name {
        "PI" => consts::PI,
        "TAU" => consts::TAU,
        "E" => consts::E,
        "SQRT_2" => consts::SQRT_2,
        "FRAC_1_SQRT_2" => consts::FRAC_1_SQRT_2,
        "FRAC_PI_2" => consts::FRAC_PI_2,
        "FRAC_PI_3" => consts::FRAC_PI_3,
        "FRAC_PI_4" => consts::FRAC_PI_4,
        "FRAC_PI_6" => consts::FRAC_PI_6,
        "FRAC_PI_8" => consts::FRAC_PI_8,
        "FRAC_1_PI" => consts::FRAC_1_PI,
        "FRAC_2_PI" => consts::FRAC_2_PI,
        "FRAC_2_SQRT_PI" => consts::FRAC_2_SQRT_PI,
        "LN_2" => consts::LN_2,
        "LN_10" => consts::LN_10,
        "LOG2_E" => consts::LOG2_E,
        "LOG2_10" => consts::LOG2_10,
        "LOG10_E" => consts::LOG10_E,
        "LOG10_2" => consts::LOG10_2,
        _ => return None,
    })
}
