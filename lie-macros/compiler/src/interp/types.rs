//! Types in function bodies: the types of integers, unsupported types, and casts.

use proc_macro2::{Delimiter, TokenStream, TokenTree};
use quote::ToTokens;
use syn::Type;

use super::integers::{Integer, IntegerKind};
use super::{Interpreted, Reported, SymbolicInterpreter, Value};

/// Attributes without influence on the meaning of a body.
const INERT: &[&str] =
    &["allow", "warn", "deny", "expect", "forbid", "doc", "rustfmt", "clippy", "inline", "must_use", "cold"];

/// Unsupported types, which change what is stored or computed.
const OTHER_TYPES: &[&str] = &[
    "f32",
    "f16",
    "f128",
    "i128",
    "u128",
    "BTreeSet",
    "HashSet",
    "BTreeMap",
    "HashMap",
    "BinaryHeap",
    "VecDeque",
    "LinkedList",
    "Wrapping",
    "Saturating",
    "Complex",
    "String",
    "Box",
    "Rc",
    "Arc",
    "Cell",
    "RefCell",
    "Result",
    "char",
    "dyn",
];

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
        let model = self.model;
        let is_own = |name: &syn::Ident| {
            model.items.iter().any(|item| match item {
                syn::Item::Struct(item) => item.ident == *name,
                syn::Item::Enum(item) => item.ident == *name,
                _ => false,
            })
        };
        if let Some(other) = foreign(ty.to_token_stream()).filter(|other| !is_own(other)) {
            let name = other.to_string();
            let help = if name.starts_with('f') {
                "write `f64`"
            } else if matches!(name.as_str(), "Box" | "dyn") {
                "declare a closure without a type, `let f = |x: f64| 2.0 * x;`; a helper accepts it as `impl Fn(f64) -> f64`"
            } else {
                "use `f64`, `bool`, integers of up to 64 bits, vectors, matrices, groups, arrays, tuples, `Vec` and structs"
            };
            return self.error_with_help(&other, format_args!("type `{name}` is not supported in a declaration"), help);
        }
        self.declared(value, ty)
    }

    /// Returns a value with the type of a declared item.
    pub(super) fn declared(&mut self, value: Value, ty: &Type) -> Interpreted {
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
        let is_own = |item: &syn::Item| match item {
            syn::Item::Struct(item) => item.ident == name.ident,
            syn::Item::Enum(item) => item.ident == name.ident,
            _ => false,
        };
        let is_number = matches!(
            value,
            Value::Scalar(_)
                | Value::Matrix(_)
                | Value::Integer(_)
                | Value::Count(..)
                | Value::Array(_)
                | Value::Tuple(_)
        );
        if !is_number || !self.model.items.iter().any(is_own) {
            return Ok(());
        }
        let found = value.describe(&self.expressions);
        self.error_with_help(
            ty,
            format_args!("the conversion of {found} to `{}` by `into` is not supported", name.ident),
            "write a struct literal, or a function of this module that returns the struct",
        )
    }

    /// Returns the value; integers without an inferred type get the written type.
    fn of_type(&mut self, value: Value, ty: &Type) -> Interpreted {
        let each = |this: &mut Self, items: Vec<Value>, ty: &Type| -> Interpreted<Vec<Value>> {
            items.into_iter().map(|item| this.of_type(item, ty)).collect()
        };
        Ok(match (value, ty) {
            (Value::Integer(integer), Type::Path(path)) => {
                let kind = path.path.get_ident().and_then(|name| IntegerKind::named(&name.to_string()));
                match kind.map(|kind| (kind, integer.of(kind))) {
                    Some((kind, integer)) if integer.kind == Some(kind) && !kind.holds(integer.value) => {
                        return self.error_with_help(
                            ty,
                            format_args!("{} is out of range for `{}`", integer.value, kind.name()),
                            format_args!("annotate the integer where it is declared, as in `200_{}`", kind.name()),
                        );
                    }
                    Some((_, integer)) => Value::Integer(integer),
                    None => Value::Integer(integer),
                }
            }
            (value, Type::Reference(inner)) => self.of_type(value, &inner.elem)?,
            (value, Type::Paren(inner)) => self.of_type(value, &inner.elem)?,
            (Value::Array(items), Type::Array(array)) => Value::Array(each(self, items, &array.elem)?),
            (Value::Array(items), Type::Slice(slice)) => Value::Array(each(self, items, &slice.elem)?),
            (Value::Tuple(items), Type::Tuple(tuple)) if items.len() == tuple.elems.len() => {
                let parts = items.into_iter().zip(&tuple.elems).map(|(item, ty)| self.of_type(item, ty));
                Value::Tuple(parts.collect::<Interpreted<_>>()?)
            }
            (Value::Array(items), Type::Path(path)) => match argument_of(path, "Vec") {
                Some(ty) => Value::Array(each(self, items, ty)?),
                None => Value::Array(items),
            },
            (Value::Optional(Some(inner)), Type::Path(path)) => match argument_of(path, "Option") {
                Some(ty) => Value::Optional(Some(Box::new(self.of_type(*inner, ty)?))),
                None => Value::Optional(Some(inner)),
            },
            (value, _) => value,
        })
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
        let to = cast.ty.to_token_stream().to_string();
        match (value, to.as_str(), IntegerKind::named(&to)) {
            (Value::Integer(value), "f64", _) => Ok(Value::Scalar(self.expressions.number(value.real()))),
            (Value::Integer(value), _, Some(kind)) => Ok(Value::Integer(value.cast(kind))),
            (Value::Scalar(node) | Value::Count(node, _), "f64", _) => Ok(Value::Scalar(node)),
            // The target type represents every value of the source type. The numbers of members are small.
            (Value::Count(node, from), _, Some(kind))
                if kind.includes(from)
                    || kind.is_signed() && kind.bits() == 64
                    || kind.bits() >= 32
                        && (kind.is_signed() || !from.is_signed())
                        && !self.expressions.has_parameters(node) =>
            {
                Ok(Value::Count(node, kind))
            }
            (Value::Count(..), _, Some(kind)) => self.error_with_help(
                cast,
                format_args!("a run-time integer may be out of range for `{}`", kind.name()),
                format_args!(
                    "write `{0} as f64`, or `{0} as i64` with `i64` for the other operands",
                    super::pretty_print::atom(&cast.expr)
                ),
            ),
            (Value::Known(truth), _, Some(kind)) => {
                Ok(Value::Integer(Integer { value: i128::from(truth), kind: Some(kind) }))
            }
            (Value::Unknown, ..) => Err(Reported),
            (_, "f32", _) => self.error_with_help(
                cast,
                "`f32` is not supported: all scalars are `f64`",
                "leave out the cast, or cast to `f64`",
            ),
            (Value::Scalar(node), _, Some(kind)) => match self.expressions.as_number(node) {
                // Rust casts round towards zero and saturate.
                Some(number) => {
                    let (least, greatest) = kind.range();
                    #[allow(clippy::cast_possible_truncation)] // Rounding towards zero is intended.
                    let value = (number as i128).clamp(least, greatest);
                    Ok(Value::Integer(Integer { value, kind: Some(kind) }))
                }
                None => {
                    let whole_part = format!("{}.trunc()", super::pretty_print::atom(&cast.expr));
                    self.error_with_help(
                        cast,
                        format_args!("a run-time scalar cannot be cast to `{to}`"),
                        if kind == IntegerKind::USIZE {
                            format!("{TABLE_LOOKUP}\nfor the integer part as a scalar, use `{whole_part}`")
                        } else {
                            format!("write `{whole_part}`, which is a scalar")
                        },
                    )
                }
            },
            (Value::Known(_), "f64", _) | (Value::Bool(_), ..) => self.error_with_help(
                cast,
                format_args!("a `bool` cannot be cast to `{to}`"),
                format_args!(
                    "write `f64::from({})`",
                    crate::diagnostics::source(super::pretty_print::unwrapped(&cast.expr))
                ),
            ),
            (other, ..) => {
                let found = other.describe(&self.expressions);
                self.error_with_help(
                    cast,
                    format_args!("{found} cannot be cast to `{to}`"),
                    "cast only integers and `bool` to integers of up to 64 bits, and integers to `f64`",
                )
            }
        }
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

/// Returns the `T` of `Vec<T>`.
fn argument_of<'t>(path: &'t syn::TypePath, name: &str) -> Option<&'t Type> {
    let last = path.path.segments.last().filter(|last| last.ident == name)?;
    let syn::PathArguments::AngleBracketed(arguments) = &last.arguments else { return None };
    match arguments.args.first() {
        Some(syn::GenericArgument::Type(ty)) => Some(ty),
        _ => None,
    }
}

/// Returns the first unsupported type among the tokens.
pub(super) fn foreign(tokens: TokenStream) -> Option<syn::Ident> {
    tokens.into_iter().find_map(|token| match token {
        TokenTree::Ident(ident) => OTHER_TYPES.iter().any(|other| ident == other).then_some(ident),
        TokenTree::Group(group) => foreign(group.stream()),
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
                    if !INERT.contains(&name.as_str()) {
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
