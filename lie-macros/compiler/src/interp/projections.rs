//! Projections of values: fields, indices, slices.

use quote::ToTokens;
use syn::{Expr, Member};

use super::help::help_for;
use super::lists::counts;
use super::{Interpreted, Reported, SymbolicInterpreter, Value};
use crate::diagnostics::source;
use crate::expr::Node;
use crate::model::is_of_states;

/// nalgebra's names of the entries of a vector.
const AXES: [&str; 6] = ["x", "y", "z", "w", "a", "b"];

/// Returns the row and column of the entry with this nalgebra name: `x` … `b` in a column or a row, `m12` in a matrix, up to size six.
pub(super) fn entry_named(name: &str, (rows, columns): (usize, usize)) -> Option<(usize, usize)> {
    if rows > AXES.len() || columns > AXES.len() {
        return None;
    }
    let (row, column) = if rows == 1 || columns == 1 {
        let at = AXES.iter().position(|axis| *axis == name)?;
        if columns == 1 { (at, 0) } else { (0, at) }
    } else {
        let [row @ b'1'..=b'6', column @ b'1'..=b'6'] = name.strip_prefix('m')?.as_bytes() else { return None };
        (usize::from(row - b'1'), usize::from(column - b'1'))
    };
    (row < rows && column < columns).then_some((row, column))
}

impl SymbolicInterpreter<'_> {
    pub(super) fn field(&mut self, field: &syn::ExprField) -> Interpreted {
        let base = self.expression(&field.base)?;
        match self.part_of(&base, &field.member) {
            Some(value) => self.readable(value, field),
            None => self.no_field(&base, &field.member),
        }
    }

    /// Returns a field of a value.
    pub(super) fn field_of(&mut self, base: &Value, member: &Member) -> Interpreted {
        self.part_of(base, member).map_or_else(|| self.no_field(base, member), Ok)
    }

    /// Returns the field with this name, if it exists.
    fn part_of(&mut self, base: &Value, member: &Member) -> Option<Value> {
        let name = match member {
            Member::Named(name) => name.to_string(),
            Member::Unnamed(index) => {
                let at = index.index as usize;
                return match base {
                    Value::Tuple(parts) => parts.get(at).cloned(),
                    Value::Struct(_, fields) => fields.get(at).map(|(_, value)| value.clone()),
                    _ => None,
                };
            }
        };
        match base {
            Value::Struct(_, fields) => fields.iter().find(|(known, _)| *known == name).map(|(_, value)| value.clone()),
            Value::Parameters => self.leaves.parameter(&name),
            Value::Inputs => self.leaves.input(&name),
            Value::Configuration | Value::Velocity => {
                let members = &self.model.configuration.members;
                let at = members.iter().position(|member| member.name == name && !is_of_states(member))?;
                Some(if *base == Value::Configuration {
                    self.leaves.configuration(at)
                } else {
                    self.leaves.velocity(at, &mut self.expressions)
                })
            }
            Value::Element(element) => {
                let at = element.group.storage.fields().iter().position(|field| *field == name)?;
                Some(element.part(at, &self.expressions).into())
            }
            Value::Matrix(matrix) => {
                let (row, column) = entry_named(&name, self.expressions.shape(*matrix))?;
                Some(Value::Scalar(self.expressions.entry(*matrix, row, column)))
            }
            _ => None,
        }
    }

    /// Returns the names of the fields of a value.
    fn field_names(&self, base: &Value) -> Vec<String> {
        match base {
            Value::Struct(_, fields) => fields.iter().map(|(name, _)| name.clone()).collect(),
            Value::Parameters => {
                let fields = self.model.parameters.iter().flat_map(|parameters| &parameters.fields);
                fields.map(|field| field.name.to_string()).collect()
            }
            Value::Inputs => {
                let fields = self.model.inputs.iter().flat_map(|inputs| &inputs.fields);
                fields.map(|field| field.name.to_string()).collect()
            }
            Value::Configuration | Value::Velocity => {
                let members = self.model.configuration.members.iter().filter(|member| !is_of_states(member));
                members.map(|member| member.name.to_string()).collect()
            }
            Value::Element(element) => element.group.storage.fields().iter().map(ToString::to_string).collect(),
            Value::Matrix(vector) => match self.expressions.shape(*vector) {
                (rows, 1) if rows < AXES.len() => AXES.iter().take(rows).map(ToString::to_string).collect(),
                _ => Vec::new(),
            },
            _ => Vec::new(),
        }
    }

    /// Reports a missing field.
    fn no_field(&mut self, base: &Value, member: &Member) -> Interpreted {
        if *base == Value::Unknown {
            return Err(Reported);
        }
        let name = source(member);
        let is_whole = matches!(base, Value::Parameters | Value::Inputs | Value::Configuration | Value::Velocity);
        if is_whole && self.is_gap(&name) {
            return Err(Reported);
        }
        if let Some(states) = self.model.states.as_ref().filter(|_| {
            let is_field = self.model.configuration.members.iter().any(|one| is_of_states(one) && one.name == name);
            is_field && matches!(base, Value::Configuration | Value::Velocity)
        }) {
            let message = "auxiliary states are read by an argument of their own, not by the velocity";
            let states = &states.ident;
            // The states of elements are unrolled here.
            let mut members = self.model.configuration.members.iter();
            let help = if members.any(|one| is_of_states(one) && (one.is_chain || one.count.is_some())) {
                format!(
                    "add the argument `z: &{states}` to a force, a dissipation or a rate of the elements; the columns `{name}[0]`, `{name}[1]`, … \
                     of a run contain the states"
                )
            } else {
                format!(
                    "add the argument `z: &{states}` to a force, a dissipation, a rate, an observable or an event; other functions cannot \
                     read states"
                )
            };
            return self.error_with_help(member, message, help);
        }
        let declared = self.model.configuration.item.fields.iter();
        if matches!(base, Value::Configuration | Value::Velocity)
            && declared.filter_map(|field| field.ident.as_ref()).any(|ident| *ident == name)
        {
            return self.error_with_help(
                member,
                format_args!(
                    "the members of the chain `{name}` can only be used in a term with `over = …`: their number is known only at run time"
                ),
                format_args!("declare the term over the chain: `over = {name}`, `{name}.windows(2)`, `{name}.last()`"),
            );
        }
        let found = base.describe(&self.expressions);
        let verb = if matches!(base, Value::Parameters | Value::Inputs) { "have" } else { "has" };
        let known: Vec<String> = self.field_names(base).iter().map(|name| format!("`{name}`")).collect();
        let help = match self.owner_of(&name, base) {
            Some(owner) => format!("write `{owner}.{name}`"),
            None if known.is_empty() || !is_whole && !matches!(base, Value::Struct(..) | Value::Matrix(_)) => {
                help_for(base, &self.expressions).to_owned()
            }
            None => format!("available fields: {}", known.join(", ")),
        };
        self.error_with_help(member, format_args!("{found} {verb} no field `{name}`"), help)
    }

    /// Returns the name of the argument in scope that has the field, instead of the argument `asked`.
    fn owner_of(&self, name: &str, asked: &Value) -> Option<String> {
        let wholes = [Value::Parameters, Value::Inputs, Value::Configuration, Value::Velocity];
        if !wholes.contains(asked) {
            return None;
        }
        let has = |whole: &&Value| self.field_names(whole).iter().any(|known| known == name);
        wholes.iter().filter(|whole| *whole != asked).filter(has).find_map(|whole| self.environment.name_of(whole))
    }

    /// Returns a parameter, or an error for a type that expressions cannot contain.
    fn readable(&mut self, value: Value, at: &impl ToTokens) -> Interpreted {
        let Value::Opaque(field) = &value else { return Ok(value) };
        let (name, ty) = field.split_once(": ").unwrap_or((field, ""));
        self.error_with_help(
            at,
            format_args!("the type `{ty}` of the parameter `{name}` is not supported in functions"),
            "use scalars, vectors, matrices, groups, `bool`, integers, arrays `[f64; 3]`, lists `Vec<f64>` or structs of these; `u8` and `match` \
             in place of an enum, an `f64` and a `bool` in place of an `Option`; other types are supported in observables only",
        )
    }

    pub(super) fn index(&mut self, index: &syn::ExprIndex) -> Interpreted {
        let base = self.expression(&index.expr)?;
        match base {
            Value::Array(items) if matches!(*index.index, Expr::Range(_)) => self.slice(&items, &index.index),
            Value::Array(items) => {
                let at = self.expression(&index.index)?;
                let at = match at {
                    Value::Count(number, _) if counts(&self.expressions, number) => {
                        return self.of_table(&items, number, index);
                    }
                    at => self.array_position(&index.index, &at, items.len())?,
                };
                self.readable(items[at].clone(), index)
            }
            Value::List(list) => self.item(list, index),
            Value::Matrix(matrix) => {
                let (row, column) = self.matrix_index(&index.index, matrix)?;
                Ok(Value::Scalar(self.expressions.entry(matrix, row, column)))
            }
            Value::Unknown => Err(Reported),
            other => {
                let message = format!("{} cannot be indexed", other.describe(&self.expressions));
                self.error_with_help(&index.expr, message, help_for(&other, &self.expressions))
            }
        }
    }

    /// Evaluates `a[1..3]`.
    fn slice(&mut self, items: &[Value], index: &Expr) -> Interpreted {
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
            None => {
                self.error(index, format_args!("this slice is out of range: the array has {} elements", items.len()))
            }
        }
    }

    /// Evaluates an index of an array.
    pub(super) fn array_index(&mut self, index: &Expr, length: usize) -> Interpreted<usize> {
        let value = self.expression(index)?;
        self.array_position(index, &value, length)
    }

    fn array_position(&mut self, index: &Expr, value: &Value, length: usize) -> Interpreted<usize> {
        match value {
            Value::Integer(value) => self.in_range(index, value.value, length),
            Value::Unknown => Err(Reported),
            Value::Scalar(node) if self.expressions.as_number(*node).is_some() => self.error_with_help(
                index,
                "expected an index, found a scalar",
                "write the index without a decimal point",
            ),
            Value::Scalar(_) | Value::Bool(_) | Value::Count(..) => self.error_with_help(
                index,
                "an index cannot depend on the state",
                format_args!(
                    "use an index that is known at compile time: a literal, a `const` or a loop variable\n{}",
                    super::types::TABLE_LOOKUP
                ),
            ),
            _ => self.error_with_help(
                index,
                "expected an index",
                "write an integer, `a[1]`, or a range, `a[1..]`; slices cannot be assigned",
            ),
        }
    }

    /// Evaluates an index of a vector or matrix: `v[i]`, `m[(i, j)]`, or `m[k]` in column-major order.
    pub(super) fn matrix_index(&mut self, index: &Expr, matrix: Node) -> Interpreted<(usize, usize)> {
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

    fn in_range(&mut self, at: &Expr, value: i64, length: usize) -> Interpreted<usize> {
        match usize::try_from(value) {
            Ok(index) if index < length => Ok(index),
            _ => self.error_with_help(
                at,
                format_args!("index {value} is out of range: the length is {length}"),
                format_args!("use an index from 0 to {}", length.saturating_sub(1)),
            ),
        }
    }
}

/// Returns the name of a field as written after the dot.
pub(super) fn member_name(member: &Member) -> String {
    match member {
        Member::Named(name) => name.to_string(),
        Member::Unnamed(index) => index.index.to_string(),
    }
}
