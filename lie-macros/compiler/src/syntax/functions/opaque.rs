//! Opaque functions, which the compiler calls without interpretation.
//!
//! Invariant: they are generic over one scalar type; their arguments and their result are scalars and vectors of it.

use quote::ToTokens;
use syn::punctuated::Punctuated;
use syn::{Expr, FnArg, GenericParam, Ident, ItemFn, ReturnType, Token, Type, TypeParam, TypeParamBound};

use super::context::bare_name;
use crate::diagnostics::{ErrorCollector, error_with_help, source};
use crate::model::{Opaque, OutputShape, Within};
use crate::syntax::module::collect::AttributedFunction;
use crate::syntax::role::{self, Keyword};
use crate::syntax::rust::constants::Constants;
use crate::syntax::rust::items::qualifiers;
use crate::syntax::rust::shape;
use crate::syntax::rust::suggest;

const EXAMPLE: &str = "fn f<S: Scalar>(x: S, v: Vector3<S>) -> S";

/// Parses an opaque function; `None` after an error.
pub(in crate::syntax) fn read(
    declared: &AttributedFunction,
    opaques: &[AttributedFunction],
    helpers: &[Within<ItemFn>],
    constants: &Constants,
    sink: &mut ErrorCollector,
) -> Option<Opaque> {
    let signature = &declared.item.sig;
    let name = &signature.ident;
    let derivative = match role::arguments(Keyword::Opaque, &declared.attribute, sink).0.first() {
        None => Some(None),
        Some(argument) => sink.take(derivative(name, &argument.value, opaques, helpers)).map(Some),
    };
    if let Some((token, what)) = qualifiers(signature).next() {
        sink.error_with_help(
            token,
            format_args!("`{name}` cannot be `{what}`: generated code calls it"),
            format_args!("remove `{what}`"),
        );
        return None;
    }
    let scalar = sink.take(scalar(&declared.item))?.ident.to_string();
    let shape = |ty: &Type| {
        let found = shape::read(ty, &scalar, constants)?;
        match found {
            OutputShape::Scalar | OutputShape::Vector(_) => Ok(found),
            OutputShape::Matrix(..) | OutputShape::Element(_) | OutputShape::Other => Err(error_with_help(
                ty,
                format_args!("`{}` is neither `{scalar}` nor a vector of it", source(ty)),
                format_args!("use `{scalar}` and vectors, as in `{EXAMPLE}`; pass a matrix by columns"),
            )),
        }
    };
    let mut arguments = Some(vec![]);
    for input in &signature.inputs {
        let argument = match input {
            FnArg::Typed(typed) => shape(&typed.ty),
            FnArg::Receiver(receiver) => Err(error_with_help(
                receiver,
                format_args!("`{name}` cannot take `self`"),
                format_args!("write `{EXAMPLE}`"),
            )),
        };
        match sink.take(argument) {
            Some(argument) => {
                if let Some(arguments) = &mut arguments {
                    arguments.push(argument);
                }
            }
            None => arguments = None,
        }
    }
    let output = match &signature.output {
        ReturnType::Type(_, ty) => shape(ty),
        ReturnType::Default => Err(error_with_help(
            name,
            format_args!("missing return type of `{name}`"),
            format_args!("write `{EXAMPLE}`"),
        )),
    };
    let output = sink.take(output);
    Some(Opaque { name: name.clone(), arguments: arguments?, output: output?, derivative: derivative? })
}

/// Resolves the opaque function that returns the gradient of `name`.
fn derivative(
    name: &Ident,
    value: &Expr,
    opaques: &[AttributedFunction],
    helpers: &[Within<ItemFn>],
) -> syn::Result<Ident> {
    let contract = format!("the derivative has the arguments of `{name}` and returns the gradient");
    let known = || opaques.iter().map(|opaque| &opaque.item.sig.ident);
    let Some(given) = bare_name(value) else {
        let help = format!("write `#[opaque(derivative = {name}_derivative)]`; {contract}");
        return Err(error_with_help(value, "expected the name of a function", help));
    };
    if given == name {
        return Err(error_with_help(given, format_args!("`{name}` cannot be its own derivative"), contract));
    }
    if known().any(|opaque| opaque == given) {
        return Ok(given.clone());
    }
    if helpers.iter().any(|helper| helper.item.sig.ident == *given) {
        let message = format!("`{given}` is not opaque");
        return Err(error_with_help(given, message, format_args!("mark it `#[opaque]`; {contract}")));
    }
    let names: Vec<String> = known().filter(|opaque| *opaque != name).map(Ident::to_string).collect();
    let otherwise = format!("declare `#[opaque] fn {given}`; {contract}");
    let help = suggest::did_you_mean(&given.to_string(), names.iter().map(String::as_str), otherwise);
    Err(error_with_help(given, format_args!("unknown function `{given}`"), help))
}

/// Formats the signature with the generic scalar in place of `f64`.
fn generic(signature: &syn::Signature) -> String {
    let scalar = |node: &dyn ToTokens| {
        let text = source(node.to_token_stream());
        let words = text.split_inclusive(|c: char| !c.is_alphanumeric() && c != '_');
        words
            .map(|word| {
                word.strip_prefix("f64")
                    .filter(|rest| rest.len() < 2)
                    .map_or(word.to_owned(), |rest| format!("S{rest}"))
            })
            .collect::<String>()
    };
    let input = |input: &FnArg| match input {
        FnArg::Typed(typed) => {
            let ty = if let Type::Reference(reference) = &*typed.ty { &reference.elem } else { &typed.ty };
            format!("{}: {}", source(&typed.pat), scalar(ty))
        }
        FnArg::Receiver(receiver) => source(receiver),
    };
    let inputs: Vec<String> = signature.inputs.iter().map(input).collect();
    let output = match &signature.output {
        ReturnType::Type(_, ty) => scalar(ty),
        ReturnType::Default => "S".to_owned(),
    };
    format!("fn {}<S: Scalar>({}) -> {output}", signature.ident, inputs.join(", "))
}

/// Returns the only type parameter, with the bound `Scalar`.
fn scalar(item: &ItemFn) -> syn::Result<&TypeParam> {
    let (name, generics) = (&item.sig.ident, &item.sig.generics);
    let is_scalar = |bounds: &Punctuated<TypeParamBound, Token![+]>| {
        bounds.iter().any(|bound| match bound {
            TypeParamBound::Trait(bound) => bound.path.segments.last().is_some_and(|last| last.ident == "Scalar"),
            _ => false,
        })
    };
    let in_clause = || {
        generics.where_clause.iter().flat_map(|clause| &clause.predicates).any(|predicate| match predicate {
            syn::WherePredicate::Type(predicate) => is_scalar(&predicate.bounds),
            _ => false,
        })
    };
    let mut parameters = generics.params.iter();
    match (parameters.next(), parameters.next()) {
        (Some(GenericParam::Type(parameter)), None) if is_scalar(&parameter.bounds) || in_clause() => Ok(parameter),
        (None, _) => Err(error_with_help(
            name,
            format_args!("the opaque function `{name}` must be generic over the scalar"),
            format_args!("write `{}`", generic(&item.sig)),
        )),
        _ => Err(error_with_help(
            generics,
            format_args!("the opaque function `{name}` must have exactly one type parameter, with the bound `Scalar`"),
            format_args!("write `{EXAMPLE}`"),
        )),
    }
}
