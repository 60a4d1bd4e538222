//! Placeholder declarations for declarations with errors: the same structs, the simplest energies, constraints that return zero, and no
//! function bodies.
//!
//! Calls of generated code would be further errors without a placeholder. The expansion of the placeholder is emitted together with the
//! errors, so it never runs.

use proc_macro2::{Ident, TokenStream, TokenTree};
use quote::{ToTokens, format_ident, quote};
use syn::{Attribute, Block, Fields, ImplItem, Item, ItemFn, ItemStruct, PathArguments, ReturnType, Type};

use super::constraints::{self, is_constraint};
use super::factors::{FactorKind, factor, member_type};
use super::role_inference::{self, role, understand};
use super::syntax_recovery;
use crate::syntax::functions::connections;
use crate::syntax::functions::element::{half_square, velocity_type};
use crate::syntax::module::reserved::GENERATED_TYPES;
use crate::syntax::role::{Keyword, Recognised, has_role, over, recognise};
use crate::syntax::rust::{items, shape};

/// Returns the placeholder; `None` without an understandable configuration.
///
/// Functions that generate code keep their signatures, unless the declaration with them is not `accepted`.
pub(crate) fn stand_in(input: &TokenStream, accepted: impl Fn(&TokenStream) -> bool) -> Option<TokenStream> {
    let all = standing_in(input, &|_| true, &[])?;
    if accepted(&all) {
        return Some(all);
    }
    let mut module = syntax_recovery::module(input)?;
    role_inference::roles(&mut module.content.as_mut()?.1);
    let (mut good, mut simplest): (Vec<Ident>, Vec<Ident>) = (Vec::new(), Vec::new());
    let items = module.content?.1;
    let functions = items.iter().filter_map(|item| match item {
        Item::Fn(function) if role(function).is_some_and(is_generated_of) => Some(function.sig.ident.clone()),
        _ => None,
    });
    let lists: Vec<Ident> = lists(&items).into_iter().map(|list| list.sig.ident).collect();
    for name in functions.chain(lists) {
        good.push(name.clone());
        let is_accepted = |good: &[Ident], simplest: &[Ident]| {
            standing_in(input, &|name| good.contains(name), simplest).is_some_and(|module| accepted(&module))
        };
        if is_accepted(&good, &simplest) {
            continue;
        }
        simplest.push(name);
        if !is_accepted(&good, &simplest) {
            good.pop();
        }
    }
    standing_in(input, &|name| good.contains(name), &simplest)
}

/// Returns true for roles that generate functions.
fn is_generated_of(role: Keyword) -> bool {
    matches!(role, Keyword::Quantity | Keyword::Kinematics) || is_constraint(role)
}

/// Builds a placeholder with the `kept` functions of [such roles](is_generated_of); constraints over members in `simplest` are simplified.
fn standing_in(input: &TokenStream, kept: &dyn Fn(&Ident) -> bool, simplest: &[Ident]) -> Option<TokenStream> {
    let mut module = syntax_recovery::module(input)?;
    let (_, items) = module.content.as_mut()?;
    role_inference::roles(items);
    let mut seen: Vec<Ident> = Vec::new();
    items.retain(|item| {
        let name = items::name(item).filter(|name| *name != "_");
        let is_generated = |name: &Ident| GENERATED_TYPES.iter().any(|(generated, _)| name == generated);
        let is_new = name.is_none_or(|name| !seen.contains(name) && !is_generated(name));
        seen.extend(name.filter(|_| is_new).cloned());
        is_new
    });
    let own: Vec<Ident> = items.iter().filter_map(items::name).cloned().collect();
    let named = role_inference::only_configuration(items)?;
    let is_configuration = |item: &ItemStruct| item.ident == named;
    understand(items, is_configuration, &own);
    let configuration = items.iter().find_map(|item| match item {
        Item::Struct(item) if is_configuration(item) => Some(item),
        _ => None,
    })?;
    let is_over = items.iter().any(|item| matches!(item, Item::Fn(item) if item.attrs.iter().any(is_over_members)));
    let energies = energies(configuration, items, is_over)?;
    let lists: Vec<ItemFn> = lists(items).into_iter().filter(|list| kept(&list.sig.ident)).collect();
    let configuration = configuration.clone();
    role_inference::data(items, &named);
    role_inference::without_generics(items);
    for item in items.iter_mut() {
        if let Item::Fn(function) = item {
            constraints::mean(function, &named);
            if simplest.contains(&function.sig.ident) {
                constraints::run_over_all(function, &configuration);
            }
        }
    }
    let is_constrained = items.iter().any(|item| match item {
        Item::Fn(function) => kept(&function.sig.ident) && role(function).is_some_and(is_constraint),
        _ => false,
    });
    items.retain(|item| is_well_formed(item, is_constrained));
    for item in items.iter_mut() {
        simplify(item, kept);
    }
    for energy in energies {
        items.push(syn::parse2(energy).ok()?);
    }
    items.extend(lists.into_iter().map(Item::Fn));
    Some(module.into_token_stream())
}

/// Returns false for functions with signatures that the compiler also rejects, and for functions of λ in systems without constraints.
fn is_well_formed(item: &Item, is_constrained: bool) -> bool {
    let Item::Fn(function) = item else { return true };
    let takes_multipliers = function.sig.inputs.iter().any(|input| {
        matches!(input, syn::FnArg::Typed(argument) if argument.ty.to_token_stream().to_string().ends_with("Multipliers"))
    });
    function.sig.receiver().is_none()
        && (is_constrained || !takes_multipliers)
        && !has_bare_type(function.sig.to_token_stream())
}

/// Returns true if a vector or matrix type has no generic arguments.
fn has_bare_type(tokens: TokenStream) -> bool {
    let mut tokens = tokens.into_iter().peekable();
    while let Some(token) = tokens.next() {
        let is_bare = match &token {
            TokenTree::Group(group) => has_bare_type(group.stream()),
            TokenTree::Ident(name) => {
                let is_type = shape::named(&name.to_string()).is_some() || name == "SVector" || name == "SMatrix";
                is_type && !matches!(tokens.peek(), Some(TokenTree::Punct(next)) if matches!(next.as_char(), '<' | ':'))
            }
            TokenTree::Punct(_) | TokenTree::Literal(_) => false,
        };
        if is_bare {
            return true;
        }
    }
    false
}

/// Returns true for `#[potential(over = …)]`.
fn is_over_members(attribute: &Attribute) -> bool {
    let is_role = matches!(recognise(attribute), Recognised::Role(_));
    is_role && attribute.meta.to_token_stream().to_string().contains("over")
}

/// Returns a kinetic energy for each member, or one for all members if no term runs over members.
fn energies(configuration: &ItemStruct, items: &[Item], is_over: bool) -> Option<Vec<TokenStream>> {
    let Fields::Named(fields) = &configuration.fields else { return None };
    let members = fields.named.iter().map(|field| Some((field.ident.clone()?, factor(&field.ty, items)?)));
    let members: Vec<_> = members.collect::<Option<_>>()?;
    let is_over = is_over || members.iter().any(|(_, (_, kind))| *kind == FactorKind::Chain);
    let mut all = Vec::new();
    let mut whole = Vec::new();
    for (name, (group, kind)) in &members {
        let square = |velocity: &str| half_square(velocity, *group).parse::<TokenStream>().ok();
        match kind {
            FactorKind::Single => whole.push(square(&format!("v.{name}"))?),
            FactorKind::Power | FactorKind::Chain if is_over => {
                let velocity: Type = syn::parse_str(&velocity_type(*group)).ok()?;
                let (function, energy) = (format_ident!("stand_in_of_{}", name), square("v")?);
                all.push(quote!(#[kinetic_energy(over = #name)] fn #function(v: &#velocity) -> f64 { #energy }));
            }
            FactorKind::Power | FactorKind::Chain => {
                let energy = square("v")?;
                whole.push(quote!(v.#name.iter().map(|v| #energy).sum::<f64>()));
            }
        }
    }
    if !whole.is_empty() {
        all.push(quote!(#[kinetic_energy] fn stand_in(v: &Velocity) -> f64 { #(#whole)+* }));
    }
    Some(all)
}

/// Returns a potential over each list of members, which adds a field to `Lengths`.
fn lists(items: &[Item]) -> Vec<ItemFn> {
    let mut all: Vec<ItemFn> = Vec::new();
    let attributes = items.iter().flat_map(|item| match item {
        Item::Fn(function) => &function.attrs[..],
        _ => &[],
    });
    for attribute in attributes {
        let Recognised::Role(keyword) = recognise(attribute) else { continue };
        let Some(over) = over(keyword, attribute) else { continue };
        let Some((list, columns)) = connections::listed(&over).and_then(|listed| listed.named()) else { continue };
        let Some(types) = columns.iter().map(|column| listed_type(items, column)).collect::<Option<Vec<_>>>() else {
            continue;
        };
        let function = format_ident!("stand_in_by_{}", list);
        if all.iter().all(|known| known.sig.ident != function) {
            let members = types.iter().enumerate().map(|(at, ty)| {
                let name = format_ident!("member_{}", at);
                quote!(#name: &#ty)
            });
            all.push(syn::parse_quote! {
                #[potential(over = #over)]
                #[allow(unused)]
                fn #function(#(#members),*) -> f64 { 0.0 }
            });
        }
    }
    all
}

/// Returns the type of the members of a chain, or of the frames.
fn listed_type(items: &[Item], column: &Ident) -> Option<Type> {
    items.iter().find_map(|item| match item {
        Item::Struct(item) if item.attrs.iter().any(|attribute| has_role(attribute, Keyword::Configuration)) => {
            member_type(&item.fields.iter().find(|field| field.ident.as_ref() == Some(column))?.ty).cloned()
        }
        Item::Fn(function) if function.sig.ident == *column && role(function) == Some(Keyword::Kinematics) => {
            match &function.sig.output {
                ReturnType::Type(_, ty) => Some((**ty).clone()),
                ReturnType::Default => None,
            }
        }
        _ => None,
    })
}

/// Removes roles and bodies, except for roles that generate functions.
fn simplify(item: &mut Item, kept: &dyn Fn(&Ident) -> bool) {
    match item {
        Item::Fn(function) => simplify_function(function, kept),
        Item::Impl(block) if block.trait_.is_none() => {
            for item in &mut block.items {
                let ImplItem::Fn(method) = item else { continue };
                method.attrs.retain(|attribute| !matches!(recognise(attribute), Recognised::Role(_)));
                method.attrs.push(syn::parse_quote!(#[allow(unused)]));
                if method.sig.constness.is_none() && !returns_opaquely(&method.sig.output) {
                    method.block = empty();
                }
            }
        }
        _ => {}
    }
}

fn simplify_function(function: &mut ItemFn, kept: &dyn Fn(&Ident) -> bool) {
    let role = role(function).filter(|role| !is_generated_of(*role) || kept(&function.sig.ident));
    if role == Some(Keyword::Kinematics) {
        return;
    }
    let zero = if let ReturnType::Type(_, ty) = &function.sig.output { zero(ty) } else { None };
    if let (Some(_), Some(zero)) = (role.filter(|role| *role == Keyword::Quantity || is_constraint(*role)), zero) {
        *function.block = zero;
        function.attrs.push(syn::parse_quote!(#[allow(unused)]));
        return;
    }
    function.attrs.retain(|attribute| attribute.path().is_ident("cfg"));
    function.attrs.push(syn::parse_quote!(#[allow(unused)]));
    if function.sig.constness.is_none() && !returns_opaquely(&function.sig.output) {
        *function.block = empty();
    }
}

/// Returns true for `impl Fn(f64) -> f64`, which must have a concrete type.
fn returns_opaquely(output: &ReturnType) -> bool {
    output.to_token_stream().into_iter().any(|token| token.to_string() == "impl")
}

fn empty() -> Block {
    syn::parse_quote!({ unimplemented!() })
}

/// Returns the zero of a scalar, vector or matrix type.
fn zero(ty: &Type) -> Option<Block> {
    let Type::Path(path) = shape::bare(ty) else { return None };
    if path.path.is_ident("f64") {
        return Some(syn::parse_quote!({ 0.0 }));
    }
    let last = path.path.segments.last()?;
    let (name, PathArguments::AngleBracketed(arguments)) = (&last.ident, &last.arguments) else { return None };
    Some(if arguments.args.len() > 1 {
        let arguments = &arguments.args;
        syn::parse_quote!({ #name::<#arguments>::zeros() })
    } else {
        syn::parse_quote!({ #name::zeros() })
    })
}
