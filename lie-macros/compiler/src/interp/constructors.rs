//! Constructors of vectors, matrices and group elements.

use syn::{Expr, ExprCall, ExprLit, ExprPath, GenericArgument, Lit, PathArguments};

use super::integers::Integer;
use super::{Interpreted, SymbolicInterpreter, Value};
use crate::expr::{Node, Type};
use crate::group::Group;

/// Limit of the number of entries of matrices that are expanded into scalars.
pub(super) const MAX_ENTRIES: usize = 4096;

impl SymbolicInterpreter<'_> {
    /// Evaluates `Type::name(…)`; returns `None` if there is no such constructor.
    pub(super) fn constructor(
        &mut self,
        call: &ExprCall,
        ty: &str,
        name: &str,
        path: &ExprPath,
        arguments: &[Value],
    ) -> Interpreted<Option<Value>> {
        if let Some((rows, columns)) = self.shape_of(ty, path).or_else(|| shape_of_items(ty, name, arguments)) {
            return self.matrix_constructor(call, name, arguments, rows, columns);
        }
        match Group::named(ty) {
            Some(group) if group.is_vector_space() => {
                self.matrix_constructor(call, name, arguments, group.dimension(), 1)
            }
            Some(group) => Ok(self.group_constructor(group, name, arguments)),
            None => Ok(None),
        }
    }

    fn matrix_constructor(
        &mut self,
        call: &ExprCall,
        name: &str,
        arguments: &[Value],
        rows: usize,
        columns: usize,
    ) -> Interpreted<Option<Value>> {
        let size = rows * columns;
        let value = match (name, arguments) {
            ("zeros" | "zero" | "default", []) => self.expressions.zeros(rows, columns),
            ("identity", []) if rows == columns => self.expressions.identity(rows),
            ("new", entries) if entries.len() == size => {
                let entries = self.scalars(call, entries)?;
                self.expressions.stack(entries, rows, columns)
            }
            ("from" | "from_row_slice" | "from_column_slice" | "from_vec", [Value::Array(entries)])
                if columns == 1 && entries.len() == size =>
            {
                let entries = self.scalars(call, entries)?;
                self.expressions.stack(entries, rows, columns)
            }
            ("from_row_slice", [Value::Array(entries)]) if entries.len() == size => {
                let entries = self.scalars(call, entries)?;
                self.expressions.stack(entries, rows, columns)
            }
            ("from_element" | "repeat", [entry]) => {
                let entry = self.scalar_of(entry, call)?;
                self.expressions.stack(vec![entry; size], rows, columns)
            }
            ("from_diagonal", [Value::Matrix(diagonal)])
                if rows == columns && self.expressions.shape(*diagonal) == (rows, 1) =>
            {
                let entries: Vec<Node> = (0..rows).map(|row| self.expressions.entry(*diagonal, row, 0)).collect();
                self.diagonal(&entries)
            }
            ("from_diagonal_element", [entry]) if rows == columns => {
                let entry = self.scalar_of(entry, call)?;
                self.diagonal(&vec![entry; rows])
            }
            ("from_column_slice" | "from_vec", [Value::Array(entries)]) if entries.len() == size => {
                let entries = self.scalars(call, entries)?;
                self.by_columns(&entries, rows, columns)
            }
            // An array of columns.
            ("from", [Value::Array(parts)])
                if parts.len() == columns
                    && parts.iter().all(|part| matches!(part, Value::Array(part) if part.len() == rows)) =>
            {
                let mut entries = Vec::new();
                for part in parts {
                    let part = self.items(part.clone(), call)?;
                    entries.extend(self.scalars(call, &part)?);
                }
                self.by_columns(&entries, rows, columns)
            }
            ("from_iterator" | "from_row_iterator", [items]) => {
                let items = self.items(items.clone(), &call.args)?;
                let Some(items) = items.get(..size) else {
                    let message = format!("expected {size} entries, found {}", items.len());
                    return self.error(&call.args, message);
                };
                let entries = self.scalars(call, items)?;
                if name == "from_iterator" {
                    self.by_columns(&entries, rows, columns)
                } else {
                    self.expressions.stack(entries, rows, columns)
                }
            }
            ("from_fn", [function]) => {
                let function = self.callable(function, &call.args)?;
                let index = |at: usize| Value::Integer(Integer::length(at));
                let mut entries = Vec::new();
                for (column, row) in (0..columns).flat_map(|column| (0..rows).map(move |row| (column, row))) {
                    let value = self.apply(&function, vec![index(row), index(column)], &call.func)?;
                    entries.push(self.scalar_of(&value, &call.args)?);
                }
                self.by_columns(&entries, rows, columns)
            }
            ("from_columns", [Value::Array(parts)]) if parts.len() == columns => {
                let Some(nodes) = self.parts_of_shape(parts, (rows, 1)) else { return Ok(None) };
                let entries =
                    (0..size).map(|at| self.expressions.entry(nodes[at % columns], at / columns, 0)).collect();
                self.expressions.stack(entries, rows, columns)
            }
            ("from_rows", [Value::Array(parts)]) if parts.len() == rows => {
                let Some(nodes) = self.parts_of_shape(parts, (1, columns)) else { return Ok(None) };
                let entries =
                    (0..size).map(|at| self.expressions.entry(nodes[at / columns], 0, at % columns)).collect();
                self.expressions.stack(entries, rows, columns)
            }
            ("x" | "y" | "z", []) if columns == 1 => {
                let at = ["x", "y", "z"].iter().position(|axis| *axis == name).unwrap_or(0);
                if at >= rows {
                    return Ok(None);
                }
                self.expressions.unit(rows, at)
            }
            _ => return Ok(None),
        };
        Ok(Some(Value::Matrix(value)))
    }

    /// Returns the matrix with these entries in column-major order.
    fn by_columns(&mut self, entries: &[Node], rows: usize, columns: usize) -> Node {
        let sorted = (0..rows * columns).map(|at| entries[(at % columns) * rows + at / columns]).collect();
        self.expressions.stack(sorted, rows, columns)
    }

    /// Returns the rows or columns of a matrix, if all have this shape.
    fn parts_of_shape(&self, parts: &[Value], shape: (usize, usize)) -> Option<Vec<Node>> {
        let parts = parts.iter().map(|part| match part {
            Value::Matrix(node) if self.expressions.shape(*node) == shape => Some(*node),
            _ => None,
        });
        parts.collect()
    }

    fn diagonal(&mut self, entries: &[Node]) -> Node {
        let n = entries.len();
        let zero = self.expressions.number(0.0);
        let all = (0..n * n).map(|at| if at / n == at % n { entries[at / n] } else { zero }).collect();
        self.expressions.stack(all, n, n)
    }

    fn scalars(&mut self, call: &ExprCall, values: &[Value]) -> Interpreted<Vec<Node>> {
        let places: Vec<_> = call.args.iter().collect();
        values
            .iter()
            .enumerate()
            .map(|(at, value)| match places.get(at) {
                Some(place) if places.len() == values.len() => self.scalar_of(value, place),
                _ => self.scalar_of(value, call),
            })
            .collect()
    }

    /// Returns the shape in a type name: `Vector3`, `Matrix2`, `SVector::<f64, 7>`, or with a constant `SVector::<f64, LEGS>`.
    fn shape_of(&mut self, ty: &str, path: &ExprPath) -> Option<(usize, usize)> {
        let small = |text: &str| text.parse::<usize>().ok().filter(|n| (1..=6).contains(n));
        if let Some(n) = ty.strip_prefix("Vector").and_then(small) {
            return Some((n, 1));
        }
        if let Some(n) = ty.strip_prefix("RowVector").and_then(small) {
            return Some((1, n));
        }
        if let Some(sizes) = ty.strip_prefix("Matrix") {
            if let Some(n) = small(sizes) {
                return Some((n, n));
            }
            let (rows, columns) = sizes.split_once('x')?;
            return Some((small(rows)?, small(columns)?));
        }
        let segment = path.path.segments.iter().rev().nth(1)?;
        let PathArguments::AngleBracketed(arguments) = &segment.arguments else { return None };
        let sizes: Vec<usize> = arguments.args.iter().filter_map(|argument| self.size(argument)).collect();
        match (ty, sizes.as_slice()) {
            ("SVector" | "Rn", [rows]) if (1..=MAX_ENTRIES).contains(rows) => Some((*rows, 1)),
            ("SMatrix", [rows, columns])
                if *rows > 0 && *columns > 0 && rows.saturating_mul(*columns) <= MAX_ENTRIES =>
            {
                Some((*rows, *columns))
            }
            _ => None,
        }
    }

    /// Returns the value of a const generic argument: a literal or the name of a constant.
    fn size(&mut self, argument: &GenericArgument) -> Option<usize> {
        let name = match argument {
            GenericArgument::Const(Expr::Lit(ExprLit { lit: Lit::Int(value), .. })) => {
                return value.base10_parse().ok();
            }
            GenericArgument::Type(syn::Type::Path(ty)) => &ty.path,
            _ => return None,
        };
        match self.constant(&crate::diagnostics::source(name))? {
            Ok(Value::Integer(n)) => n.size(),
            _ => None,
        }
    }

    fn group_constructor(&mut self, group: Group, name: &str, arguments: &[Value]) -> Option<Value> {
        let e = &mut self.expressions;
        let parts = match (name, arguments) {
            ("identity", []) => group.rules.identity(e),
            ("exp", [Value::Matrix(v)]) if e.type_of(*v) == Type::vector(group.dimension()) => group.rules.exp(e, *v),
            ("from", [Value::Element(element)]) if group.converts(&element.group) => {
                Some(group.converted(e, &element.parts))
            }
            _ => {
                let operands: Option<Vec<_>> = arguments.iter().map(Value::operand).collect();
                group.rules.construct(e, name, &operands?)
            }
        };
        Some(group.operand(parts?).into())
    }
}

/// Returns the shape of `SVector::from([…])`, inferred from the array.
fn shape_of_items(ty: &str, name: &str, arguments: &[Value]) -> Option<(usize, usize)> {
    let ("from", [Value::Array(items)]) = (name, arguments) else { return None };
    match (ty, items.first()?) {
        ("SVector", Value::Scalar(_) | Value::Integer(_)) => Some((items.len(), 1)),
        ("SMatrix", Value::Array(column)) => Some((column.len(), items.len())),
        _ => None,
    }
}
