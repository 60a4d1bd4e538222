//! Parts of values: fields, indices, slices.

use syn::{Expr, Member};

use super::{Reader, Reading, Reported, Value};
use crate::expr::Node;

impl Reader<'_> {
    pub(super) fn field(&mut self, field: &syn::ExprField) -> Reading {
        let base = self.expression(&field.base)?;
        self.field_of(base, &field.member)
    }

    /// A field of a value.
    pub(super) fn field_of(&mut self, base: Value, member: &Member) -> Reading {
        let base = self.followed(base);
        let name = match member {
            Member::Named(name) => name.to_string(),
            Member::Unnamed(index) => {
                let at = index.index as usize;
                return match base {
                    Value::Tuple(parts) if at < parts.len() => Ok(parts[at].clone()),
                    Value::Struct(_, fields) if at < fields.len() => Ok(fields[at].1.clone()),
                    Value::Unknown => Err(Reported),
                    other => {
                        let found = other.describe(&self.expressions);
                        self.error(member, format_args!("{found} has no part {at}"))
                    }
                };
            }
        };
        let model = self.model;
        let known: Vec<String> = match &base {
            Value::Struct(_, fields) => {
                if let Some((_, value)) = fields.iter().find(|(known, _)| *known == name) {
                    return Ok(value.clone());
                }
                fields.iter().map(|(known, _)| known.clone()).collect()
            }
            Value::Parameters => {
                if let Some(value) = self.leaves.parameter(&name) {
                    return Ok(value);
                }
                let fields = model.parameters.iter().flat_map(|parameters| &parameters.fields);
                fields.map(|field| field.name.to_string()).collect()
            }
            Value::Configuration | Value::Velocity => {
                let names: Vec<String> =
                    model.configuration.members.iter().map(|member| member.name.to_string()).collect();
                if let Some(at) = names.iter().position(|known| *known == name) {
                    return Ok(if matches!(base, Value::Configuration) {
                        self.leaves.configuration(at)
                    } else {
                        self.leaves.velocity(at, &mut self.expressions)
                    });
                }
                names
            }
            Value::Element(element) => {
                let fields = element.group.form.fields();
                if let Some(at) = fields.iter().position(|field| *field == name) {
                    return Ok(element.part(at, &self.expressions).into());
                }
                fields.iter().map(ToString::to_string).collect()
            }
            Value::Matrix(vector) => {
                let (rows, columns) = self.expressions.shape(*vector);
                let names = ["x", "y", "z", "w", "a", "b"];
                if let (Some(at), 1) = (names.iter().position(|known| *known == name), columns)
                    && at < rows
                {
                    return Ok(Value::Scalar(self.expressions.entry(*vector, at, 0)));
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
                member,
                format_args!("the members of the chain `{name}` are known to elements only"),
                format_args!("declare the term over them: `over = {name}`, `{name}.windows(2)`, `{name}.last()`"),
            );
        }
        let found = base.describe(&self.expressions);
        let message = format!("{found} has no field `{name}`");
        if known.is_empty() {
            return self.error(member, message);
        }
        let list = known.iter().map(|name| format!("`{name}`")).collect::<Vec<_>>().join(", ");
        self.error_with_help(member, message, format_args!("there are {list}"))
    }

    pub(super) fn index(&mut self, index: &syn::ExprIndex) -> Reading {
        let base = self.expression(&index.expr)?;
        match self.followed(base) {
            Value::Array(items) if matches!(*index.index, Expr::Range(_)) => self.slice(&items, &index.index),
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
                        "numbers, vectors, matrices, groups, `bool`, integers, arrays `[f64; 3]` of these and structs of \
                         them can be read; parameters of any other type are for observables",
                    ),
                    _ => self.error_with_help(&index.expr, message, "vectors, matrices and arrays can be indexed"),
                }
            }
        }
    }

    /// `a[1..3]`.
    fn slice(&mut self, items: &[Value], index: &Expr) -> Reading {
        let Expr::Range(range) = index else { return Err(Reported) };
        let bound = |this: &mut Self, bound: &Option<Box<Expr>>, otherwise: usize| match bound {
            None => Ok(otherwise),
            Some(bound) => match this.expression(bound)? {
                Value::Integer(value) => this.in_range(bound, value.value, items.len() + 1),
                Value::Unknown => Err(Reported),
                _ => this.bound_error(bound),
            },
        };
        let start = bound(self, &range.start, 0)?;
        let end = bound(self, &range.end, items.len())?;
        let end = match (&range.limits, &range.end) {
            (syn::RangeLimits::Closed(_), Some(_)) => end + 1,
            _ => end,
        };
        match items.get(start..end) {
            Some(part) => Ok(Value::Array(part.to_vec())),
            None => self.error(index, format_args!("there are {} elements", items.len())),
        }
    }

    /// The position in an array.
    pub(super) fn array_index(&mut self, index: &Expr, length: usize) -> Reading<usize> {
        let value = self.expression(index)?;
        match self.followed(value) {
            Value::Integer(value) => self.in_range(index, value.value, length),
            Value::Unknown => Err(Reported),
            Value::Scalar(_) | Value::Truth(_) | Value::Count(..) => self.error_with_help(
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

    fn in_range(&mut self, at: &Expr, value: i128, length: usize) -> Reading<usize> {
        match usize::try_from(value) {
            Ok(index) if index < length => Ok(index),
            _ => self.error_with_help(
                at,
                format_args!("index {value} is out of range: there are {length} elements"),
                format_args!("the first is 0, the last {}", length.saturating_sub(1)),
            ),
        }
    }
}
