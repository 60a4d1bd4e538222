//! Unilateral contacts: `#[constraint(active = p.on_floor)]`.
//!
//! The function becomes a constraint that acts while the parameter is true, and an `#[event]` with the gap. Invariant: no constraint has the
//! argument `active` afterwards.

use quote::{ToTokens, format_ident, quote};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Expr, ExprField, Fields, FnArg, Item, ItemFn, ItemStruct, Member, Pat, Path, ReturnType, Token,
    parse_quote,
};

use crate::diagnostics::{ErrorCollector, error_with_help, source};
use crate::syntax::role::{self, Keyword, RawArgument};
use crate::syntax::rust::suggest;

/// Expands all contacts. Returns the implementation that lists them; `None` without a contact. `runtime` is the path of the runtime if it
/// has another name.
pub(in crate::syntax) fn expand(
    items: &mut Vec<Item>,
    runtime: Option<&Path>,
    sink: &mut ErrorCollector,
) -> Option<Item> {
    let is_parameters =
        |item: &&ItemStruct| item.attrs.iter().any(|attribute| role::has_role(attribute, Keyword::Parameters));
    let mut structs = items.iter().filter_map(|item| if let Item::Struct(item) = item { Some(item) } else { None });
    let parameters = structs.find(is_parameters).cloned();
    let (mut gaps, mut contacts, mut is_any) = (vec![], vec![], false);
    for item in items.iter_mut() {
        let Item::Fn(function) = item else { continue };
        let active = function.attrs.iter_mut().find_map(take_active);
        let Some(active) = active else { continue };
        is_any = true;
        let Some(flag) = sink.take(flag(&active, function, parameters.as_ref())) else { continue };
        let (name, gap) = (function.sig.ident.to_string(), format_ident!("{}_gap", function.sig.ident));
        gaps.push(gap_event(function, &gap));
        let block = &function.block;
        function.block = parse_quote!({ if #flag #block else { 0.0 } });
        let (gap, field) = (gap.to_string(), &flag.member);
        contacts.push(quote! {
            rt::UnilateralContact {
                constraint: #name,
                gap: #gap,
                is_active: |parameters| parameters.#field,
                set_active: |parameters, active| parameters.#field = active,
            }
        });
    }
    items.extend(gaps);
    let runtime = runtime.map_or_else(|| quote!(::lie_runtime), ToTokens::to_token_stream);
    is_any.then(|| {
        parse_quote! {
            const _: () = {
                use #runtime::__private as rt;
                impl rt::UnilateralContacts for System<f64> {
                    fn contacts() -> ::std::vec::Vec<rt::UnilateralContact<<Self as rt::Parametrised>::Parameters>> {
                        ::std::vec![#(#contacts),*]
                    }
                }
            };
        }
    })
}

/// Removes `active = …` from a constraint attribute and returns the argument.
fn take_active(attribute: &mut Attribute) -> Option<RawArgument> {
    if !role::has_role(attribute, Keyword::Constraint) {
        return None;
    }
    // Other errors are reported where the arguments of all roles are read.
    let arguments = attribute.parse_args_with(Punctuated::<RawArgument, Token![,]>::parse_terminated).ok()?;
    let (mut active, others): (Vec<_>, Vec<_>) = arguments.into_iter().partition(|argument| argument.name == "active");
    // A second `active` remains, and is an error there.
    let first = if active.len() == 1 { active.pop() } else { None }?;
    let path = attribute.path();
    let others = others.iter().map(|RawArgument { name, value }| match value {
        Some(value) => quote!(#name = #value),
        None => quote!(#name),
    });
    attribute.meta = if others.len() == 0 { parse_quote!(#path) } else { parse_quote!(#path(#(#others),*)) };
    Some(first)
}

/// The help for an invalid value of `active`.
const USAGE: &str = "write `active = p.on_floor`, where `p` is the argument with the parameters and `on_floor: bool` is a field of them";

/// Returns the parameter of a contact: a `bool` field of the argument with the parameters.
fn flag(active: &RawArgument, function: &ItemFn, parameters: Option<&ItemStruct>) -> syn::Result<ExprField> {
    let constraint = function.attrs.iter().find(|attribute| role::has_role(attribute, Keyword::Constraint));
    if let Some(over) = constraint.and_then(|attribute| role::over(Keyword::Constraint, attribute)) {
        let help = "remove `over`, and declare one function for each contact";
        return Err(error_with_help(over, "a contact acts on the whole configuration, not over elements", help));
    }
    let output = match &function.sig.output {
        ReturnType::Type(_, ty) => source(ty),
        ReturnType::Default => "()".to_owned(),
    };
    if output != "f64" {
        let message =
            format!("a constraint with `active` is the gap of a contact, and has the type `f64`, not `{output}`");
        return Err(error_with_help(&function.sig, message, "return `f64`: one constraint for each contact point"));
    }
    let Some(value) = &active.value else {
        return Err(error_with_help(&active.name, "missing value of `active`", USAGE));
    };
    let field = match value {
        Expr::Field(field) if matches!(&*field.base, Expr::Path(_)) => field,
        _ => return Err(error_with_help(value, "`active` expects a `bool` of the parameters", USAGE)),
    };
    let base = source(&field.base);
    let argument = function.sig.inputs.iter().find_map(|input| match input {
        FnArg::Typed(typed) if matches!(&*typed.pat, Pat::Ident(name) if name.ident == base) => Some(&typed.ty),
        _ => None,
    });
    let Some(parameters) = parameters else {
        return Err(error_with_help(
            value,
            "`active` needs parameters",
            "declare `#[parameters] pub struct Data { pub on_floor: bool }`",
        ));
    };
    let expected = format!("&{}", parameters.ident);
    if argument.is_none_or(|ty| source(ty) != expected) {
        let message = format!("`{base}` is not the argument of `{}` with the parameters", function.sig.ident);
        return Err(error_with_help(&field.base, message, format!("add the argument `{base}: {expected}`")));
    }
    let Member::Named(name) = &field.member else {
        return Err(error_with_help(value, "`active` expects a `bool` of the parameters", USAGE));
    };
    let Fields::Named(fields) = &parameters.fields else {
        return Err(error_with_help(value, "`active` expects a `bool` of the parameters", USAGE));
    };
    let ty = fields.named.iter().find(|known| known.ident.as_ref() == Some(name)).map(|known| source(&known.ty));
    match ty.as_deref() {
        Some("bool") => Ok(field.clone()),
        Some(ty) => Err(error_with_help(
            name,
            format!("`active` expects a `bool` of the parameters, and `{name}` is `{ty}`"),
            format!("declare a field for the contact, such as `pub on_{}: bool`", function.sig.ident),
        )),
        None => {
            let flags = fields.named.iter().filter(|known| source(&known.ty) == "bool");
            let flags: Vec<String> = flags.filter_map(|known| known.ident.as_ref()).map(ToString::to_string).collect();
            let help = format!("add `pub {name}: bool` to `{}`", parameters.ident);
            let help = suggest::did_you_mean(&name.to_string(), flags.iter().map(String::as_str), help);
            Err(error_with_help(name, format!("`{}` has no field `{name}`", parameters.ident), help))
        }
    }
}

/// Returns the event of the gap: the function without its condition, with the arguments that its body contains.
fn gap_event(function: &ItemFn, name: &syn::Ident) -> Item {
    let (visibility, block) = (&function.vis, &function.block);
    let is_used = |input: &&FnArg| match input {
        FnArg::Typed(typed) => {
            !matches!(&*typed.pat, Pat::Ident(name) if !super::super::mentions(block, &name.ident.to_string()))
        }
        FnArg::Receiver(_) => true,
    };
    let inputs = function.sig.inputs.iter().filter(is_used);
    let text = format!("The gap of the contact `{}`.", function.sig.ident);
    parse_quote! {
        #[doc = #text]
        #[event]
        #visibility fn #name(#(#inputs),*) -> f64 #block
    }
}
