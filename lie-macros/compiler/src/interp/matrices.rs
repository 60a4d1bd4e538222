//! Methods of vectors and matrices, with the meaning of nalgebra.

use syn::ExprMethodCall;

use super::integers::Integer;
use super::inverses::{block, determinant, entries, inverse};
use super::scalar_methods::scalar_method;
use super::{Interpreted, SymbolicInterpreter, Value};
use crate::expr::{Expressions, Function, Node};

/// The methods of vectors and matrices, for "did you mean" suggestions.
pub(super) const MATRIX_METHODS: &str = "dot cross norm norm_squared magnitude magnitude_squared normalize transpose component_mul \
     component_div sum product mean trace tr_mul row_sum column_sum symmetric_part to_scalar angular linear fixed_rows fixed_columns fixed_view \
     column row diagonal cross_matrix xy xyz into_owned scale unscale lerp metric_distance add_scalar map zip_map determinant try_inverse nrows \
     ncols abs amax amin push copy_from set_column set_row";

impl SymbolicInterpreter<'_> {
    /// Calls a method of a vector or matrix; returns `None` if there is no such method.
    pub(super) fn matrix_method(
        &mut self,
        a: Node,
        name: &str,
        arguments: &[Value],
        call: &ExprMethodCall,
    ) -> Interpreted<Option<Value>> {
        let (rows, columns) = self.expressions.shape(a);
        let result = match (name, arguments) {
            ("column" | "row", [Value::Integer(at)]) => match (at.size(), name) {
                (Some(at), "column") if at < columns => {
                    Value::Matrix(block(&mut self.expressions, a, (0, at), (rows, 1)))
                }
                (Some(at), "row") if at < rows => Value::Matrix(block(&mut self.expressions, a, (at, 0), (1, columns))),
                _ => return self.out_of_matrix(call, (rows, columns)),
            },
            ("map" | "zip_map", [others @ .., function]) => {
                let function = self.callable(function, &call.args)?;
                let others: Vec<Vec<Node>> = match others {
                    [] => Vec::new(),
                    [Value::Matrix(b)] if self.expressions.shape(*b) == (rows, columns) => {
                        vec![entries(&mut self.expressions, *b)]
                    }
                    _ => return Ok(None),
                };
                // Column-major order, as in nalgebra.
                let mut entries = entries(&mut self.expressions, a);
                for at in (0..columns).flat_map(|column| (0..rows).map(move |row| row * columns + column)) {
                    let mut given = vec![Value::Scalar(entries[at])];
                    given.extend(others.iter().map(|other| Value::Scalar(other[at])));
                    let value = self.apply(&function, given, &call.method)?;
                    entries[at] = self.scalar_of(&value, &call.method)?;
                }
                Value::Matrix(self.expressions.stack(entries, rows, columns))
            }
            ("determinant" | "try_inverse", []) if rows != columns || rows > 4 => {
                return self.error_with_help(
                    &call.method,
                    format_args!("`{name}` of a {rows}×{columns} matrix is not supported"),
                    "use square matrices up to 4×4, or pass the inverse of a larger matrix as a parameter",
                );
            }
            ("fixed_rows" | "fixed_columns" | "fixed_view", starts) => {
                let starts: Option<Vec<usize>> = starts.iter().map(Value::size_known).collect();
                let (start, size) = match (name, starts.as_deref(), turbofish_sizes(call).as_slice()) {
                    ("fixed_rows", Some([row]), [height, ..]) => ((*row, 0), (*height, columns)),
                    ("fixed_columns", Some([column]), [width, ..]) => ((0, *column), (rows, *width)),
                    ("fixed_view", Some([row, column]), [height, width]) => ((*row, *column), (*height, *width)),
                    _ => {
                        return self.error_with_help(
                            &call.method,
                            "cannot infer the size of this block",
                            "specify the size, as in `.fixed_rows::<3>(0)` or `.fixed_view::<2, 2>(0, 1)`",
                        );
                    }
                };
                let fits = |start: usize, size: usize, limit| {
                    size > 0 && start.checked_add(size).is_some_and(|end| end <= limit)
                };
                if !fits(start.0, size.0, rows) || !fits(start.1, size.1, columns) {
                    return self.out_of_matrix(call, (rows, columns));
                }
                Value::Matrix(block(&mut self.expressions, a, start, size))
            }
            // Column-major order, as in nalgebra.
            ("iter" | "into_iter", []) => Value::Sequence(self.items(Value::Matrix(a), &call.receiver)?),
            ("as_slice", []) => Value::Array(self.items(Value::Matrix(a), &call.receiver)?),
            _ => return Ok(matrix_operation(&mut self.expressions, a, name, arguments)),
        };
        Ok(Some(result))
    }

    fn out_of_matrix<T>(&mut self, call: &ExprMethodCall, (rows, columns): (usize, usize)) -> Interpreted<T> {
        self.error(call, format_args!("out of range: the matrix has {rows} rows and {columns} columns"))
    }
}

/// Calls a method of a vector or matrix that needs no closure; returns `None` if there is no such method.
#[allow(clippy::too_many_lines)] // One arm for each method.
fn matrix_operation(e: &mut Expressions, a: Node, name: &str, arguments: &[Value]) -> Option<Value> {
    let (rows, columns) = e.shape(a);
    Some(match (name, arguments) {
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
        ("symmetric_part", []) if rows == columns => {
            let (turned, half) = (e.transpose(a), e.number(0.5));
            let sum = e.add(a, turned);
            Value::Matrix(e.scale(half, sum))
        }
        ("to_scalar" | "into_scalar", []) if (rows, columns) == (1, 1) => Value::Scalar(e.entry(a, 0, 0)),
        ("row_sum" | "column_sum", []) => {
            let by_rows = name == "column_sum";
            let (count, other) = if by_rows { (rows, columns) } else { (columns, rows) };
            let sums = (0..count)
                .map(|at| {
                    let entry = |e: &mut Expressions, k| {
                        if by_rows { e.entry(a, at, k) } else { e.entry(a, k, at) }
                    };
                    let entries: Vec<Node> = (0..other).map(|k| entry(e, k)).collect();
                    e.sum(entries, 1, 1)
                })
                .collect();
            Value::Matrix(if by_rows { e.stack(sums, rows, 1) } else { e.stack(sums, 1, columns) })
        }
        ("tr_mul", [Value::Matrix(b)]) if e.shape(*b).0 == rows => {
            let turned = e.transpose(a);
            Value::Matrix(e.product(turned, *b))
        }
        // A constant factor is a product by a diagonal matrix, so that differentiation preserves the structure.
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
            let entries = entries(e, a);
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
        ("len", []) => Value::Integer(Integer::length(rows * columns)),
        ("nrows", []) => Value::Integer(Integer::length(rows)),
        ("ncols", []) => Value::Integer(Integer::length(columns)),
        ("yz", []) if rows >= 3 && columns == 1 => Value::Matrix(e.slice(a, 1, 2)),
        ("xz", []) if rows >= 3 && columns == 1 => {
            let entries = vec![e.entry(a, 0, 0), e.entry(a, 2, 0)];
            Value::Matrix(e.stack(entries, 2, 1))
        }
        ("xyz", []) if rows >= 3 && columns == 1 => Value::Matrix(e.slice(a, 0, 3)),
        ("lerp", [Value::Matrix(b), Value::Scalar(t)]) if columns == 1 && e.shape(*b) == (rows, 1) => {
            let one = e.number(1.0);
            let rest = e.sub(one, *t);
            let (first, second) = (e.scale(rest, a), e.scale(*t, *b));
            Value::Matrix(e.add(first, second))
        }
        ("unscale", [Value::Scalar(s)]) => {
            let one = e.number(1.0);
            let factor = e.divide(one, *s);
            Value::Matrix(e.scale(factor, a))
        }
        ("metric_distance", [Value::Matrix(b)]) if e.shape(*b) == (rows, columns) => {
            let difference = e.sub(a, *b);
            let square = e.dot(difference, difference);
            Value::Scalar(e.function(Function::Sqrt, square))
        }
        ("add_scalar", [Value::Scalar(s)]) => {
            let all = e.stack(vec![*s; rows * columns], rows, columns);
            Value::Matrix(e.add(a, all))
        }
        ("abs", []) => {
            let entries = entries(e, a).into_iter().map(|x| e.function(Function::Abs, x)).collect();
            Value::Matrix(e.stack(entries, rows, columns))
        }
        ("min" | "max" | "amin" | "amax", []) => {
            let mut entries = entries(e, a);
            if name.starts_with('a') {
                entries = entries.into_iter().map(|x| e.function(Function::Abs, x)).collect();
            }
            let (&first, rest) = entries.split_first()?;
            let mut best = Value::Scalar(first);
            for &entry in rest {
                if let Value::Scalar(so_far) = best
                    && let Some(next) = scalar_method(e, so_far, name.trim_start_matches('a'), &[Value::Scalar(entry)])
                {
                    best = next;
                }
            }
            best
        }
        ("product", []) => {
            let one = e.number(1.0);
            let entries = entries(e, a);
            Value::Scalar(entries.into_iter().fold(one, |product, entry| e.scale(product, entry)))
        }
        ("mean", []) => {
            let entries = entries(e, a);
            let count = e.number(Integer::length(entries.len()).real());
            let sum = e.sum(entries, 1, 1);
            Value::Scalar(e.divide(sum, count))
        }
        ("push", [Value::Scalar(last)]) if columns == 1 => Value::Matrix(e.concat(vec![a, *last])),
        ("determinant", []) => Value::Scalar(determinant(e, a)),
        ("try_inverse", []) => Value::Invertible(inverse(e, a)),
        ("row_iter", []) => {
            Value::Sequence((0..rows).map(|at| Value::Matrix(block(e, a, (at, 0), (1, columns)))).collect())
        }
        ("column_iter", []) => {
            Value::Sequence((0..columns).map(|at| Value::Matrix(block(e, a, (0, at), (rows, 1)))).collect())
        }
        _ => return None,
    })
}

/// Returns the literals in `::<2, 3>`.
fn turbofish_sizes(call: &ExprMethodCall) -> Vec<usize> {
    let arguments = call.turbofish.iter().flat_map(|arguments| &arguments.args);
    arguments
        .filter_map(|argument| match argument {
            syn::GenericArgument::Const(syn::Expr::Lit(literal)) => match &literal.lit {
                syn::Lit::Int(value) => value.base10_parse().ok(),
                _ => None,
            },
            _ => None,
        })
        .collect()
}
