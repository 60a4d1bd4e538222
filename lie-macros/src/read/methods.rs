//! Methods of numbers, vectors, matrices and group elements.

use syn::ExprMethodCall;

use super::{Reader, Reading, Reported, Value};
use crate::expr::{Function, Node, Relation};
use crate::model::Rotation;

/// Methods that give a scalar from a scalar.
const SCALAR_FUNCTIONS: &[(&str, Function)] = &[
    ("sqrt", Function::Sqrt),
    ("sin", Function::Sin),
    ("cos", Function::Cos),
    ("tan", Function::Tan),
    ("asin", Function::Asin),
    ("acos", Function::Acos),
    ("atan", Function::Atan),
    ("exp", Function::Exp),
    ("ln", Function::Ln),
    ("sinh", Function::Sinh),
    ("cosh", Function::Cosh),
    ("tanh", Function::Tanh),
    ("asinh", Function::Asinh),
    ("acosh", Function::Acosh),
    ("atanh", Function::Atanh),
    ("exp_m1", Function::ExpM1),
    ("ln_1p", Function::Ln1p),
    ("cbrt", Function::Cbrt),
    ("abs", Function::Abs),
    ("floor", Function::Floor),
    ("ceil", Function::Ceil),
    ("round", Function::Round),
    ("trunc", Function::Trunc),
];

/// All the other methods, for "did you mean".
const OTHER_METHODS: &[&str] = &[
    "powi",
    "powf",
    "recip",
    "hypot",
    "mul_add",
    "sin_cos",
    "atan2",
    "min",
    "max",
    "clamp",
    "signum",
    "to_radians",
    "to_degrees",
    "dot",
    "cross",
    "norm",
    "norm_squared",
    "magnitude",
    "magnitude_squared",
    "normalize",
    "transpose",
    "component_mul",
    "component_div",
    "sum",
    "trace",
    "tr_mul",
    "angular",
    "linear",
    "fixed_rows",
    "column",
    "row",
    "diagonal",
    "cross_matrix",
    "xy",
    "inverse",
    "log",
    "angle",
    "direction",
    "matrix",
    "rotation_matrix",
    "clone",
    "into_owned",
    "scale",
];

impl Reader<'_> {
    pub(super) fn method(&mut self, call: &ExprMethodCall) -> Reading {
        let receiver = self.expression(&call.receiver);
        let arguments: Vec<Reading> = call.args.iter().map(|argument| self.expression(argument)).collect();
        let receiver = receiver?;
        let arguments = arguments.into_iter().collect::<Reading<Vec<Value>>>()?;
        let name = call.method.to_string();
        if matches!(name.as_str(), "clone" | "into_owned" | "to_owned" | "clone_owned" | "into" | "iter" | "as_ref") {
            return Ok(receiver);
        }
        match (&receiver, name.as_str()) {
            (Value::Scalar(a), "sqrt") => self.remember_root(*a, &call.method),
            (Value::Matrix(a), "norm" | "magnitude" | "normalize") => {
                let square = self.expressions.dot(*a, *a);
                self.remember_root(square, &call.method);
            }
            _ => {}
        }
        let found = match &receiver {
            Value::Scalar(a) => self.scalar_method(*a, &name, &arguments),
            Value::Matrix(a) => self.matrix_method(*a, &name, &arguments, call)?,
            Value::Direction(q) if name == "direction" && arguments.is_empty() => Some(Value::Matrix(*q)),
            Value::Rotation(_) | Value::Pose { .. } => self.group_method(&receiver, &name, &arguments),
            Value::Integer(a) => integer_method(*a, &name, &arguments),
            Value::Array(items) if name == "len" => i64::try_from(items.len()).ok().map(Value::Integer),
            Value::Unknown => return Err(Reported),
            _ => None,
        };
        match found {
            Some(value) => Ok(value),
            None => self.no_method(call, &receiver, &name, &arguments),
        }
    }

    fn no_method(&mut self, call: &ExprMethodCall, receiver: &Value, name: &str, arguments: &[Value]) -> Reading {
        let what = receiver.describe(&self.expressions);
        if matches!(receiver, Value::Integer(_)) {
            return self.error_with_help(
                call,
                format_args!("`{name}` of an integer"),
                "integers are for indices and loops: write the number with a decimal point",
            );
        }
        let names = || SCALAR_FUNCTIONS.iter().map(|(name, _)| *name).chain(OTHER_METHODS.iter().copied());
        if names().any(|known| known == name) {
            let given: Vec<String> = arguments.iter().map(|value| value.describe(&self.expressions)).collect();
            let with = if given.is_empty() { String::new() } else { format!(" with {}", given.join(" and ")) };
            let help = match receiver {
                Value::Matrix(node) if SCALAR_FUNCTIONS.iter().any(|(known, _)| *known == name) => {
                    let (_, columns) = self.expressions.shape(*node);
                    let entry = if columns == 1 { "v[0]" } else { "m[(0, 0)]" };
                    format!("apply it to an entry, as in `{entry}.{name}()`")
                }
                Value::Rotation(_) | Value::Pose { .. } => {
                    "group elements have `inverse`, `log`, `matrix` and act on vectors: `rotation * vector`".to_owned()
                }
                Value::Scalar(_) => "scalars have the methods of `f64`".to_owned(),
                _ => format!("`{name}` means what it does in nalgebra: look at the shapes of its arguments"),
            };
            return self.error_with_help(&call.method, format_args!("`{name}` does not apply to {what}{with}"), help);
        }
        let help = match crate::parse::closest(name, names()) {
            Some(near) => format!("did you mean `{near}`?"),
            None => "the compiler differentiates what it knows; put anything else into an `#[opaque]` function, \
                     with a hand-written derivative or with dual numbers"
                .to_owned(),
        };
        self.error_with_help(&call.method, format_args!("the method `{name}` of {what} is not known"), help)
    }

    fn scalar_method(&mut self, a: Node, name: &str, arguments: &[Value]) -> Option<Value> {
        let e = &mut self.expressions;
        if let (Some((_, function)), []) = (SCALAR_FUNCTIONS.iter().find(|(known, _)| *known == name), arguments) {
            return Some(Value::Scalar(e.function(*function, a)));
        }
        let number = |value: &Value| match value {
            Value::Scalar(node) => Some(*node),
            _ => None,
        };
        let result = match (name, arguments) {
            ("powi", [Value::Integer(n)]) => e.power(a, i32::try_from(*n).ok()?),
            ("powf", [b]) => e.real_power(a, number(b)?),
            ("recip", []) => {
                let one = e.number(1.0);
                e.divide(one, a)
            }
            ("hypot", [b]) => {
                let b = number(b)?;
                let (aa, bb) = (e.scale(a, a), e.scale(b, b));
                let sum = e.add(aa, bb);
                e.function(Function::Sqrt, sum)
            }
            ("mul_add", [b, c]) => {
                let product = e.scale(a, number(b)?);
                e.add(product, number(c)?)
            }
            ("sin_cos", []) => {
                let sine = Value::Scalar(e.function(Function::Sin, a));
                let cosine = Value::Scalar(e.function(Function::Cos, a));
                return Some(Value::Tuple(vec![sine, cosine]));
            }
            ("atan2", [x]) => e.atan2(a, number(x)?),
            ("min", [b]) => {
                let b = number(b)?;
                let less = e.compare(Relation::Less, a, b);
                e.select(less, a, b)
            }
            ("max", [b]) => {
                let b = number(b)?;
                let less = e.compare(Relation::Less, b, a);
                e.select(less, a, b)
            }
            ("clamp", [low, high]) => {
                let (low, high) = (number(low)?, number(high)?);
                let below = e.compare(Relation::Less, a, low);
                let above = e.compare(Relation::Less, high, a);
                let upper = e.select(above, high, a);
                e.select(below, low, upper)
            }
            ("signum", []) => {
                let (zero, one, minus) = (e.number(0.0), e.number(1.0), e.number(-1.0));
                let negative = e.compare(Relation::Less, a, zero);
                e.select(negative, minus, one)
            }
            ("to_radians", []) => {
                let factor = e.number(std::f64::consts::PI / 180.0);
                e.scale(factor, a)
            }
            ("to_degrees", []) => {
                let factor = e.number(180.0 / std::f64::consts::PI);
                e.scale(factor, a)
            }
            _ => return None,
        };
        Some(Value::Scalar(result))
    }

    #[allow(clippy::too_many_lines)] // One arm for each method.
    fn matrix_method(
        &mut self,
        a: Node,
        name: &str,
        arguments: &[Value],
        call: &ExprMethodCall,
    ) -> Reading<Option<Value>> {
        let e = &mut self.expressions;
        let (rows, columns) = e.shape(a);
        let result = match (name, arguments) {
            ("dot", [Value::Matrix(b)]) if e.shape(*b) == (rows, columns) => Value::Scalar(e.dot(a, *b)),
            ("cross", [Value::Matrix(b)]) if (rows, columns) == (3, 1) && e.shape(*b) == (3, 1) => {
                Value::Matrix(e.cross(a, *b))
            }
            ("norm" | "magnitude", []) => {
                let square = e.dot(a, a);
                Value::Scalar(e.function(Function::Sqrt, square))
            }
            ("norm_squared" | "magnitude_squared", []) => Value::Scalar(e.dot(a, a)),
            ("normalize", []) => {
                let square = e.dot(a, a);
                let norm = e.function(Function::Sqrt, square);
                let one = e.number(1.0);
                let factor = e.divide(one, norm);
                Value::Matrix(e.scale(factor, a))
            }
            ("transpose", []) => Value::Matrix(e.transpose(a)),
            ("tr_mul", [Value::Matrix(b)]) if e.shape(*b).0 == rows => {
                let turned = e.transpose(a);
                Value::Matrix(e.product(turned, *b))
            }
            // With constant factors it is the product by a diagonal matrix, whose structure differentiation keeps.
            ("component_mul", [Value::Matrix(b)])
                if columns == 1 && e.shape(*b) == (rows, 1) && (e.is_constant(a) || e.is_constant(*b)) =>
            {
                let (diagonal, vector) = if e.is_constant(a) { (a, *b) } else { (*b, a) };
                let zero = e.number(0.0);
                let entries = (0..rows * rows)
                    .map(|at| if at / rows == at % rows { e.entry(diagonal, at / rows, 0) } else { zero })
                    .collect();
                let matrix = e.stack(entries, rows, rows);
                Value::Matrix(e.product(matrix, vector))
            }
            ("component_mul" | "component_div", [Value::Matrix(b)]) if e.shape(*b) == (rows, columns) => {
                let entries = (0..rows * columns)
                    .map(|at| {
                        let x = e.entry(a, at / columns, at % columns);
                        let y = e.entry(*b, at / columns, at % columns);
                        if name == "component_mul" { e.scale(x, y) } else { e.divide(x, y) }
                    })
                    .collect();
                Value::Matrix(e.stack(entries, rows, columns))
            }
            ("scale", [Value::Scalar(s)]) => Value::Matrix(e.scale(*s, a)),
            ("sum", []) => {
                let entries: Vec<Node> = (0..rows * columns).map(|at| e.entry(a, at / columns, at % columns)).collect();
                Value::Scalar(e.sum(entries, 1, 1))
            }
            ("trace", []) if rows == columns => {
                let entries: Vec<Node> = (0..rows).map(|at| e.entry(a, at, at)).collect();
                Value::Scalar(e.sum(entries, 1, 1))
            }
            ("diagonal", []) if rows == columns => {
                let entries = (0..rows).map(|at| e.entry(a, at, at)).collect();
                Value::Matrix(e.stack(entries, rows, 1))
            }
            ("cross_matrix", []) if (rows, columns) == (3, 1) => Value::Matrix(e.hat(a)),
            ("angular", []) if (rows, columns) == (6, 1) => Value::Matrix(e.slice(a, 0, 3)),
            ("linear", []) if (rows, columns) == (6, 1) => Value::Matrix(e.slice(a, 3, 3)),
            ("angular", []) if (rows, columns) == (3, 1) => Value::Scalar(e.entry(a, 0, 0)),
            ("linear", []) if (rows, columns) == (3, 1) => Value::Matrix(e.slice(a, 1, 2)),
            ("xy", []) if rows >= 2 && columns == 1 => Value::Matrix(e.slice(a, 0, 2)),
            ("fixed_rows", [Value::Integer(start)]) => {
                let Some(size) = turbofish(call) else {
                    return self.error_with_help(
                        &call.method,
                        "the number of rows is not known",
                        "write it out, as in `.fixed_rows::<3>(0)`",
                    );
                };
                match usize::try_from(*start) {
                    Ok(start) if size > 0 && start.checked_add(size).is_some_and(|end| end <= rows) => {
                        Value::Matrix(e.slice(a, start, size))
                    }
                    _ => return self.error(call, format_args!("there are only {rows} rows")),
                }
            }
            ("column", [Value::Integer(at)]) => match usize::try_from(*at) {
                Ok(at) if at < columns => {
                    let entries = (0..rows).map(|row| e.entry(a, row, at)).collect();
                    Value::Matrix(e.stack(entries, rows, 1))
                }
                _ => return self.error(call, format_args!("there are only {columns} columns")),
            },
            ("row", [Value::Integer(at)]) => match usize::try_from(*at) {
                Ok(at) if at < rows => {
                    let entries = (0..columns).map(|column| e.entry(a, at, column)).collect();
                    Value::Matrix(e.stack(entries, 1, columns))
                }
                _ => return self.error(call, format_args!("there are only {rows} rows")),
            },
            ("len", []) => return Ok(i64::try_from(rows * columns).ok().map(Value::Integer)),
            _ => return Ok(None),
        };
        Ok(Some(result))
    }

    fn group_method(&mut self, receiver: &Value, name: &str, arguments: &[Value]) -> Option<Value> {
        match (name, arguments, receiver) {
            ("inverse", [], _) => self.inverse_of(receiver),
            ("log", [], Value::Rotation(r)) => {
                let log = self.expressions.rotation_log(*r);
                Some(Value::Matrix(log))
            }
            ("angle", [], Value::Rotation(r)) if self.expressions.rotation(*r) == Some(Rotation::SO2) => {
                let log = self.expressions.rotation_log(*r);
                Some(Value::Scalar(log))
            }
            ("log", [], Value::Pose { group, rotation, translation }) => self.pose_log(*group, *rotation, *translation),
            ("matrix", [], Value::Rotation(r)) if self.expressions.rotation(*r) != Some(Rotation::S3) => {
                Some(Value::Matrix(self.expressions.rotation_matrix(*r)))
            }
            ("rotation_matrix", [], Value::Rotation(r)) => Some(Value::Matrix(self.expressions.rotation_matrix(*r))),
            ("transpose", [], Value::Rotation(r)) if self.expressions.rotation(*r) == Some(Rotation::SO3) => {
                self.inverse_of(receiver)
            }
            _ => None,
        }
    }
}

fn integer_method(a: i64, name: &str, arguments: &[Value]) -> Option<Value> {
    match (name, arguments) {
        ("pow", [Value::Integer(n)]) => a.checked_pow(u32::try_from(*n).ok()?).map(Value::Integer),
        ("min", [Value::Integer(b)]) => Some(Value::Integer(a.min(*b))),
        ("max", [Value::Integer(b)]) => Some(Value::Integer(a.max(*b))),
        ("abs", []) => Some(Value::Integer(a.saturating_abs())),
        _ => None,
    }
}

/// The literal of `::<3>`.
fn turbofish(call: &ExprMethodCall) -> Option<usize> {
    let arguments = call.turbofish.as_ref()?;
    match arguments.args.first()? {
        syn::GenericArgument::Const(syn::Expr::Lit(literal)) => match &literal.lit {
            syn::Lit::Int(value) => value.base10_parse().ok(),
            _ => None,
        },
        _ => None,
    }
}
