//! Types in function bodies: the types of integers, unsupported types, and casts.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Type;

use super::booleans::count;
use super::help::{contains, help_for};
use super::integers::{Integer, NARROW, is_signed};
use super::{Interpreted, Reported, SymbolicInterpreter, Value};
use crate::diagnostics::source;

/// Attributes without influence on the meaning of a body.
const INERT: &str = "allow warn deny expect forbid doc rustfmt clippy inline must_use cold";

/// Unsupported types, which change what is stored or computed.
const OTHER_TYPES: &str = "f32 f16 f128 i128 u128 BTreeSet HashSet BTreeMap HashMap BinaryHeap VecDeque LinkedList Wrapping Saturating Complex \
     String Box Rc Arc Cell RefCell Result char dyn";

/// Help for an index that depends on the state: casts to indices, and computed indices.
pub(super) const TABLE_LOOKUP: &str =
    "to interpolate in a table, write an `#[opaque]` function; for values at 0, 1 and 2, call `look_up(x, Vector3::from(table))`:
  #[opaque]
  fn look_up<S: Scalar>(x: S, table: Vector3<S>) -> S {
      let i = x.value().clamp(0.0, 1.0) as usize;
      table[i] + (x - S::from_f64(i as f64)) * (table[i + 1] - table[i])
  }";

impl SymbolicInterpreter<'_> {
    /// Returns a value with an explicit type.
    pub(super) fn typed(&mut self, value: Value, ty: &Type) -> Interpreted {
        if let Some(other) = foreign(ty.to_token_stream()).filter(|other| !self.is_own_type(other)) {
            return self.error_with_help(
                &other,
                format_args!("type `{other}` is not supported in a declaration"),
                "use `f64`, `bool`, integers of 32 or 64 bits, vectors, matrices, groups, arrays, tuples, `Vec` and structs; declare a closure \
                 without a type, `let f = |x: f64| 2.0 * x;`, and accept it as `impl Fn(f64) -> f64`",
            );
        }
        self.declared(value, ty)
    }

    /// Returns true for the name of a struct or enum of the module.
    fn is_own_type(&self, name: &syn::Ident) -> bool {
        self.model.items.iter().any(|item| match item {
            syn::Item::Struct(item) => item.ident == *name,
            syn::Item::Enum(item) => item.ident == *name,
            _ => false,
        })
    }

    /// Returns a value with the type of a declared item.
    pub(super) fn declared(&mut self, value: Value, ty: &Type) -> Interpreted {
        if !matches!(value, Value::Count(..))
            && let Some(narrow) = any_of(ty.to_token_stream(), |name| NARROW.iter().any(|narrow| name == narrow))
        {
            return self.error_with_help(
                &narrow,
                format_args!("arithmetic of the integer type `{narrow}` is not supported in a declaration"),
                "use `usize` or `i32`",
            );
        }
        let value = self.of_type(value, ty)?;
        self.ensure_not_converted(&value, ty)?;
        Ok(match (value, ty) {
            (Value::Array(items), Type::Path(path)) if is_matrix(path) => self.matrix_of(items),
            // A vector becomes an array of scalars, a matrix becomes an array of columns.
            (Value::Matrix(matrix), Type::Array(array)) => {
                let entries = self.items(Value::Matrix(matrix), ty)?;
                let rows = self.expressions.shape(matrix).0;
                match &*array.elem {
                    Type::Array(_) => Value::Array(entries.chunks(rows).map(|c| Value::Array(c.to_vec())).collect()),
                    _ => Value::Array(entries),
                }
            }
            (value, _) => value,
        })
    }

    /// Reports a conversion by `into` to a type of the module: user-defined `From` implementations are not interpreted.
    fn ensure_not_converted(&mut self, value: &Value, ty: &Type) -> Interpreted<()> {
        let ty = if let Type::Reference(inner) = ty { &*inner.elem } else { ty };
        let Type::Path(path) = ty else { return Ok(()) };
        let Some(name) = path.path.segments.last().filter(|_| path.path.segments.len() == 1) else { return Ok(()) };
        let is_number = matches!(
            value,
            Value::Scalar(_) | Value::Matrix(_) | Value::Integer(_) | Value::Array(_) | Value::Tuple(_)
        );
        if !is_number || !self.is_own_type(&name.ident) {
            return Ok(());
        }
        let found = value.describe(&self.expressions);
        self.error_with_help(
            ty,
            format_args!("the conversion of {found} to `{}` by `into` is not supported", name.ident),
            "write a struct literal, or a function of this module that returns the struct",
        )
    }

    /// Returns the value; integers are signed if their type is.
    fn of_type(&mut self, value: Value, ty: &Type) -> Interpreted {
        match (value, ty) {
            (value, Type::Reference(inner)) => self.of_type(value, &inner.elem),
            (Value::Integer(Integer { value, .. }), Type::Path(path)) => {
                let signed = path.path.get_ident().and_then(|name| is_signed(&name.to_string())).unwrap_or(false);
                match Integer::new(value, signed || value < 0) {
                    Some(integer) => Ok(Value::Integer(integer)),
                    None => self.error(ty, format_args!("the integer {value} is out of range")),
                }
            }
            (
                Value::Array(items),
                Type::Array(syn::TypeArray { elem, .. }) | Type::Slice(syn::TypeSlice { elem, .. }),
            ) => Ok(Value::Array(items.into_iter().map(|item| self.of_type(item, elem)).collect::<Interpreted<_>>()?)),
            (value, _) => Ok(value),
        }
    }

    /// Returns the vector or matrix that `into` creates from an array of scalars or of columns.
    fn matrix_of(&mut self, items: Vec<Value>) -> Value {
        let numbers = |items: &[Value]| -> Option<Vec<crate::expr::Node>> {
            items.iter().map(|item| if let Value::Scalar(node) = item { Some(*node) } else { None }).collect()
        };
        if let Some(entries) = numbers(&items) {
            let rows = entries.len();
            return if rows == 0 {
                Value::Array(items)
            } else {
                Value::Matrix(self.expressions.stack(entries, rows, 1))
            };
        }
        let columns: Option<Vec<_>> =
            items.iter().map(|item| if let Value::Array(column) = item { numbers(column) } else { None }).collect();
        match columns {
            Some(columns) if columns.iter().all(|column| !column.is_empty() && column.len() == columns[0].len()) => {
                let rows = columns[0].len();
                let entries = (0..rows).flat_map(|row| columns.iter().map(move |column| column[row])).collect();
                Value::Matrix(self.expressions.stack(entries, rows, columns.len()))
            }
            _ => Value::Array(items),
        }
    }

    pub(super) fn cast(&mut self, cast: &syn::ExprCast) -> Interpreted {
        let value = self.expression(&cast.expr)?;
        let to = source(&cast.ty);
        let e = &mut self.expressions;
        let result = match (&value, is_signed(&to)) {
            (Value::Unknown, _) => return Err(Reported),
            (Value::Scalar(_), None) if to == "f64" => Some(value.clone()),
            (value, None) if to == "f64" => count(e, value).map(Value::Scalar),
            (Value::Integer(integer), Some(signed)) => Integer::new(integer.value, signed).map(Value::Integer),
            // The target type represents every value of the source type. The numbers of members are small.
            (Value::Count(node, from), Some(signed))
                if (signed || !from) && (!to.ends_with("32") || !e.has_parameters(*node)) =>
            {
                Some(Value::Count(*node, signed))
            }
            // Rust rounds towards zero.
            #[allow(clippy::cast_possible_truncation)] // Rounding towards zero is intended; the range is checked.
            (Value::Scalar(node), Some(signed)) => {
                e.as_number(*node).and_then(|number| Integer::new(number as i64, signed)).map(Value::Integer)
            }
            _ => None,
        };
        if let Some(result) = result {
            return Ok(result);
        }
        let help = match &value {
            Value::Scalar(_) if to == "usize" => {
                format!("{TABLE_LOOKUP}\nfor the integer part as a scalar, use `x.trunc()`")
            }
            _ if to.starts_with('f') => "leave out the cast: all scalars are `f64`".to_owned(),
            Value::Scalar(_) => "use the integer part as a scalar, `x.trunc()`".to_owned(),
            Value::Integer(_) | Value::Count(..) => {
                "cast to `f64`, or to `i64` with `i64` for the other operands; a cast must not change the value"
                    .to_owned()
            }
            other => help_for(other, &self.expressions).to_owned(),
        };
        let found = value.describe(&self.expressions);
        self.error_with_help(cast, format_args!("{found} cannot be cast to `{to}` in a declaration"), help)
    }

    /// Reports attributes in a body that may remove a part of it.
    pub(super) fn ensure_unconditional(&mut self, tokens: TokenStream) -> Interpreted<()> {
        let mut attributes = Vec::new();
        attributes_of(tokens, &mut attributes);
        let mut result = Ok(());
        for (name, tokens) in attributes {
            result = self.error_with_help(
                tokens,
                format_args!("`#[{name}]` in a function body is not supported: it may remove code"),
                "move the attribute to the module, or write a function for each case and call one",
            );
        }
        result
    }
}

/// Returns true for the types of vectors and matrices.
fn is_matrix(path: &syn::TypePath) -> bool {
    path.path.segments.last().is_some_and(|last| {
        let name = last.ident.to_string();
        let is_group = crate::model::Group::named(&name).is_some_and(|group| group.is_vector_space());
        let is_shape =
            ["Vector", "RowVector", "Matrix", "SVector", "SMatrix"].iter().any(|known| name.starts_with(known));
        is_shape || name == "Rn" || is_group && name != "f64"
    })
}

/// Returns the first unsupported type among the tokens.
pub(super) fn foreign(tokens: TokenStream) -> Option<syn::Ident> {
    any_of(tokens, |name| contains(OTHER_TYPES, &name.to_string()))
}

/// Returns the first name among the tokens that satisfies `is_wanted`.
fn any_of(tokens: TokenStream, is_wanted: impl Fn(&syn::Ident) -> bool + Copy) -> Option<syn::Ident> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Ident(ident) => is_wanted(&ident).then_some(ident),
        TokenTree::Group(group) => any_of(group.stream(), is_wanted),
        _ => None,
    })
}

/// Collects all attributes that are not inert, with their tokens.
fn attributes_of(tokens: TokenStream, found: &mut Vec<(String, TokenStream)>) {
    let mut after_hash: Option<TokenTree> = None;
    for token in tokens {
        match &token {
            TokenTree::Punct(punct) if punct.as_char() == '#' => {
                after_hash = Some(token);
                continue;
            }
            // `#![…]`.
            TokenTree::Punct(punct) if punct.as_char() == '!' && after_hash.is_some() => continue,
            TokenTree::Group(group) => {
                if let (Some(hash), Delimiter::Bracket) = (after_hash.take(), group.delimiter()) {
                    let name = group.stream().into_iter().next().map(|first| first.to_string()).unwrap_or_default();
                    if !contains(INERT, &name) {
                        found.push((name, [hash, token.clone()].into_iter().collect()));
                    }
                } else {
                    attributes_of(group.stream(), found);
                }
            }
            _ => {}
        }
        after_hash = None;
    }
}
