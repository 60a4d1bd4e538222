//! Arguments of contacts, stops and friction in the attributes of constraints, and the events with their values.

use proc_macro2::TokenStream;
use quote::quote;
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Expr, ExprField, Fields, FnArg, Ident, Item, ItemFn, ItemStruct, Member, Pat, ReturnType, Token,
    parse_quote,
};

use crate::diagnostics::{error_with_help, source};
use crate::syntax::role::{self, Keyword, RawArgument};
use crate::syntax::rust::suggest;

/// Removes the arguments with these names from the attribute of a role, and returns them; `None` if there are none.
pub(super) fn take(attribute: &mut Attribute, keyword: Keyword, names: &[&str]) -> Option<Vec<RawArgument>> {
    if !role::has_role(attribute, keyword) {
        return None;
    }
    // Other errors are reported where the arguments of all roles are read.
    let arguments = attribute.parse_args_with(Punctuated::<RawArgument, Token![,]>::parse_terminated).ok()?;
    let (taken, others): (Vec<_>, Vec<_>) =
        arguments.into_iter().partition(|argument| names.iter().any(|name| argument.name == name));
    // A duplicate remains, and is an error there.
    let is_duplicate = names.iter().any(|name| taken.iter().filter(|argument| argument.name == name).count() > 1);
    if taken.is_empty() || is_duplicate {
        return None;
    }
    let path = attribute.path();
    let others = others.iter().map(|RawArgument { name, value }| match value {
        Some(value) => quote!(#name = #value),
        None => quote!(#name),
    });
    attribute.meta = if others.len() == 0 { parse_quote!(#path) } else { parse_quote!(#path(#(#others),*)) };
    Some(taken)
}

/// Returns an error for a function over elements.
pub(super) fn ensure_whole(function: &ItemFn, keyword: Keyword, help: &str) -> syn::Result<()> {
    let constraint = function.attrs.iter().find(|attribute| role::has_role(attribute, keyword));
    match constraint.and_then(|attribute| role::over(keyword, attribute)) {
        Some(over) => Err(error_with_help(over, "a contact acts on the whole configuration, not over elements", help)),
        None => Ok(()),
    }
}

/// Returns an error for a function that does not return a scalar; `what` is the function in the message.
pub(super) fn ensure_scalar(function: &ItemFn, what: &str, help: &str) -> syn::Result<()> {
    let output = match &function.sig.output {
        ReturnType::Type(_, ty) => source(ty),
        ReturnType::Default => "()".to_owned(),
    };
    if output == "f64" {
        return Ok(());
    }
    Err(error_with_help(&function.sig, format_args!("{what} the type `f64`, not `{output}`"), help))
}

/// The parameter that an argument expects: its type, a typical name, and the help.
pub(super) struct Expected<'e> {
    pub ty: &'static str,
    pub name: &'e str,
    pub usage: &'static str,
}

/// Returns the value of an argument: a field of the function's argument with the parameters.
pub(super) fn field(
    given: &RawArgument,
    function: &ItemFn,
    parameters: Option<&ItemStruct>,
    &Expected { ty: expected, name: typical, usage }: &Expected<'_>,
) -> syn::Result<ExprField> {
    let argument = &given.name;
    let Some(value) = &given.value else {
        return Err(error_with_help(argument, format!("missing value of `{argument}`"), usage));
    };
    let article = if expected == "bool" { "a" } else { "an" };
    let expects = format!("`{argument}` expects {article} `{expected}` of the parameters");
    let field = match value {
        Expr::Field(field) if matches!(&*field.base, Expr::Path(_)) => field,
        _ => return Err(error_with_help(value, expects, usage)),
    };
    let base = source(&field.base);
    let owner = function.sig.inputs.iter().find_map(|input| match input {
        FnArg::Typed(typed) if matches!(&*typed.pat, Pat::Ident(name) if name.ident == base) => Some(&typed.ty),
        _ => None,
    });
    let Some(parameters) = parameters else {
        return Err(error_with_help(
            value,
            format!("`{argument}` needs parameters"),
            format!("declare `#[parameters] pub struct Data {{ pub {typical}: {expected} }}`"),
        ));
    };
    let reference = format!("&{}", parameters.ident);
    if owner.is_none_or(|ty| source(ty) != reference) {
        let message = format!("`{base}` is not the argument of `{}` with the parameters", function.sig.ident);
        return Err(error_with_help(&field.base, message, format!("add the argument `{base}: {reference}`")));
    }
    let (Member::Named(name), Fields::Named(fields)) = (&field.member, &parameters.fields) else {
        return Err(error_with_help(value, expects, usage));
    };
    let ty = fields.named.iter().find(|known| known.ident.as_ref() == Some(name)).map(|known| source(&known.ty));
    match ty.as_deref() {
        Some(ty) if ty == expected => Ok(field.clone()),
        Some(ty) => Err(error_with_help(
            name,
            format!("{expects}, and `{name}` is `{ty}`"),
            format!("declare a field for the contact, such as `pub {typical}: {expected}`"),
        )),
        None => {
            let similar = fields.named.iter().filter(|known| source(&known.ty) == expected);
            let similar: Vec<String> =
                similar.filter_map(|known| known.ident.as_ref()).map(ToString::to_string).collect();
            let help = format!("add `pub {name}: {expected}` to `{}`", parameters.ident);
            let help = suggest::did_you_mean(&name.to_string(), similar.iter().map(String::as_str), help);
            Err(error_with_help(name, format!("`{}` has no field `{name}`", parameters.ident), help))
        }
    }
}

/// Returns an event with the value of a function without its condition, with the arguments that its body contains.
pub(super) fn event(function: &ItemFn, name: &Ident, text: &str) -> Item {
    generated(function, name, &quote!(#[doc = #text] #[event]), &quote!(f64))
}

/// Returns a function with this name, these attributes and this output, with the arguments that its body contains.
pub(super) fn generated(function: &ItemFn, name: &Ident, attributes: &TokenStream, output: &TokenStream) -> Item {
    let (visibility, block) = (&function.vis, &function.block);
    let is_used = |input: &&FnArg| match input {
        FnArg::Typed(typed) => {
            !matches!(&*typed.pat, Pat::Ident(name) if !super::super::mentions(block, &name.ident.to_string()))
        }
        FnArg::Receiver(_) => true,
    };
    let inputs = function.sig.inputs.iter().filter(is_used);
    parse_quote! {
        #attributes
        #visibility fn #name(#(#inputs),*) -> #output #block
    }
}
