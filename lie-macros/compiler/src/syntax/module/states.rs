//! Auxiliary states: `#[states] struct Motor { current: f64 }`, with z' = f(t, q, v, z, u).
//!
//! The states become the velocity of a hidden member of the configuration, on which nothing depends. Invariant: the configuration has this
//! member in its last place, and no struct has the role `states` afterwards. The member is a chain if the states belong to elements of a
//! chain.

use quote::{ToTokens, format_ident, quote};
use syn::{Expr, Field, Fields, Ident, Item, ItemStruct, Path, Type, parse_quote};

use crate::diagnostics::{ErrorCollector, error_with_help, source};
use crate::group::{Group, integral_of};
use crate::syntax::role::{self, Keyword};
use crate::syntax::rust::shape::{bare, generic_arguments, is_named};

/// The name of the hidden member, and of the field of `Velocity`.
pub(in crate::syntax) const MEMBER: &str = "states";

/// The states of a declaration.
pub(in crate::syntax) struct ExpandedStates {
    /// The struct as written, without its role.
    pub item: ItemStruct,
    /// The name of the role attribute.
    pub role: Ident,
    /// `over = …`: the elements that have these states.
    pub over: Option<Expr>,
}

/// Replaces the struct of the states by the struct of their time integrals, and adds these to the configuration if there is no error.
/// `runtime` is the path of the runtime if it has another name.
pub(in crate::syntax) fn expand(
    items: &mut [Item],
    runtime: Option<&Path>,
    sink: &mut ErrorCollector,
) -> Option<ExpandedStates> {
    let at = items.iter().position(|item| is_struct_with(item, Keyword::States))?;
    let configuration = items.iter().position(|item| is_struct_with(item, Keyword::Configuration))?;
    let first = taken(&mut items[at], sink)?;
    while let Some(second) = items.iter().position(|item| is_struct_with(item, Keyword::States)) {
        let ExpandedStates { item, .. } = taken(&mut items[second], sink)?;
        let message =
            format_args!("a system has one struct of auxiliary states, and `{}` is already declared", first.item.ident);
        let help = format_args!("put the fields of `{}` into `{}`", item.ident, first.item.ident);
        let note = (&first.item.ident, "the first struct of auxiliary states is here");
        sink.error_with_note(&item.ident, message, help, note);
    }
    let runtime = runtime.map_or_else(|| quote!(::lie_runtime), ToTokens::to_token_stream);
    let fields = integrals(&first.item, &runtime, sink);
    let name = format_ident!("{}", integral_of(&first.item.ident.to_string()), span = first.item.ident.span());
    let Item::Struct(whole) = &mut items[configuration] else { return None };
    let Fields::Named(members) = &mut whole.fields else { return None };
    let same = members.named.iter().filter_map(|field| field.ident.as_ref()).find(|name| *name == MEMBER);
    if let Some(member) = same {
        let message = format_args!("the member `{MEMBER}` has the name of the auxiliary states `{}`", first.item.ident);
        sink.error_with_help(member, message, "rename the member: `v.states` of a `Velocity` are the auxiliary states");
    }
    // After an error the functions can still name the struct.
    let is_sound = fields.is_some() && same.is_none();
    let fields = fields.unwrap_or_else(|| vec![quote!(pub none: f64)]);
    if is_sound {
        let member = format_ident!("{MEMBER}", span = first.item.ident.span());
        let ty: Type = match &first.over {
            Some(_) => parse_quote!(::std::vec::Vec<#name>),
            None => parse_quote!(#name),
        };
        members.named.push(parse_quote!(pub #member: #ty));
    }
    let visibility = &whole.vis;
    let text = format!(" The time integrals of `{}`.", first.item.ident);
    let item = quote!(#[doc = #text] #[doc(hidden)] #visibility struct #name { #(#fields),* });
    items[at] = syn::parse2(item).ok()?;
    Some(first)
}

/// Returns true for a struct with this role.
fn is_struct_with(item: &Item, keyword: Keyword) -> bool {
    matches!(item, Item::Struct(item) if item.attrs.iter().any(|attribute| role::has_role(attribute, keyword)))
}

/// Removes the role attribute of a struct, and returns the struct.
fn taken(item: &mut Item, sink: &mut ErrorCollector) -> Option<ExpandedStates> {
    let Item::Struct(item) = item else { return None };
    let at = item.attrs.iter().position(|attribute| role::has_role(attribute, Keyword::States))?;
    let attribute = item.attrs.remove(at);
    let role = attribute.path().segments.last()?.ident.clone();
    let (given, _) = role::arguments(Keyword::States, &attribute, sink);
    let over = given.into_iter().find(|argument| argument.name == "over").map(|argument| argument.value);
    Some(ExpandedStates { item: item.clone(), role, over })
}

/// Returns the fields of the time integrals; `None` if an error was reported.
fn integrals(
    item: &ItemStruct,
    runtime: &proc_macro2::TokenStream,
    sink: &mut ErrorCollector,
) -> Option<Vec<proc_macro2::TokenStream>> {
    let name = &item.ident;
    if !item.generics.params.is_empty() {
        let help = format_args!("write `struct {name} {{ … }}`; the macro makes the struct generic over the scalar");
        sink.error_with_help(&item.generics, format_args!("the auxiliary states `{name}` cannot be generic"), help);
        return None;
    }
    let Fields::Named(fields) = &item.fields else {
        let message = format_args!("the auxiliary states `{name}` have no named fields");
        sink.error_with_help(name, message, format_args!("write `struct {name} {{ pub current: f64 }}`"));
        return None;
    };
    if fields.named.is_empty() {
        let help = format_args!("write `struct {name} {{ pub current: f64 }}`");
        sink.error_with_help(name, format_args!("the auxiliary states `{name}` have no fields"), help);
        return None;
    }
    let integral = |field: &Field| {
        let (name, ty) = (field.ident.as_ref(), integral(field, runtime)?);
        Ok(quote!(pub #name: #ty))
    };
    let fields: Vec<_> = fields.named.iter().map(|field| sink.take(integral(field))).collect();
    fields.into_iter().collect()
}

/// Returns the group of the time integral of a field.
fn integral(field: &Field, runtime: &proc_macro2::TokenStream) -> syn::Result<proc_macro2::TokenStream> {
    let ty = bare(&field.ty);
    if is_named(ty, "f64") {
        return Ok(quote!(f64));
    }
    if let Type::Path(path) = ty
        && let Some(segment) = path.path.segments.last()
    {
        let rows = segment.ident.to_string();
        let rows = rows.strip_prefix("Vector").and_then(|rows| rows.parse::<usize>().ok());
        if let Some(rows @ 1..=6) = rows {
            let group = format_ident!("R{rows}");
            return Ok(quote!(#runtime::group::#group));
        }
        if segment.ident == "SVector"
            && let [_, dimension] = generic_arguments(segment).as_slice()
        {
            return Ok(quote!(#runtime::group::Rn<#dimension>));
        }
    }
    let name = field.ident.as_ref().map_or_else(String::new, ToString::to_string);
    Err(error_with_help(
        &field.ty,
        format!("the auxiliary state `{name}` must be a scalar or a vector"),
        instead(&name, ty),
    ))
}

/// Suggests a declaration for a field of an unsupported type.
fn instead(name: &str, ty: &Type) -> String {
    match ty {
        Type::Array(array) if is_named(bare(&array.elem), "f64") => {
            format!("write `{name}: SVector<f64, {}>`", source(&array.len))
        }
        Type::Path(path) if path.path.segments.last().is_some_and(|last| last.ident == "Vec") => {
            format!(
                "write `{name}: f64` for the state of one element, and `#[states(over = links)]` for one set of states for each element of \
                 a chain"
            )
        }
        Type::Path(path) => {
            let group = path.path.segments.last().and_then(|last| Group::named(&last.ident.to_string()));
            match group {
                Some(group) if group.is_vector_space() => {
                    format!("write `{name}: SVector<f64, {}>`", group.dimension())
                }
                _ => format!("write `{name}: f64` or `{name}: Vector3<f64>`; states on groups are not supported"),
            }
        }
        _ => format!("write `{name}: f64` or `{name}: Vector3<f64>`"),
    }
}
