//! Parameters: the generic structs, their checks, and their conversion to dual numbers.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::generic::{documentation, generic};
use super::shared::{shared, unshared};
use crate::backend::rust::codegen::n;
use crate::backend::rust::codegen::names::{self, own, scalar_parameter};
use crate::model::{Model, ParameterEntry, ParameterField, ParameterForm, ParameterKind, ParameterStruct};
use crate::schedule::Plan;

/// Emits the struct with the role.
pub(crate) fn definition(model: &Model, s: &Ident) -> TokenStream {
    let Some(parameters) = &model.parameters else { return quote!() };
    let docs = documentation(&parameters.item.attrs, "The parameters.");
    let definition = generic(model, &parameters.item, &parameters.fields, model.parameters_are_generic(), &DERIVED, s);
    quote!(#docs #definition)
}

/// Emits a nested struct.
pub(crate) fn inner(model: &Model, inner: &ParameterStruct) -> TokenStream {
    let form = ParameterForm::Struct(inner.item.ident.to_string());
    generic(model, &inner.item, &inner.fields, form.is_generic(&model.structs), &DERIVED, &scalar_parameter(model))
}

/// The traits that parameters derive.
const DERIVED: [&str; 2] = ["Clone", "Debug"];

/// Returns the field of the system on dual numbers with equal parameters.
pub(crate) fn lifted(plan: &Plan<'_>) -> Option<TokenStream> {
    let model = plan.model;
    model.parameters.as_ref()?;
    if !model.parameters_are_generic() {
        return Some(quote!(parameters: self.parameters.clone(),));
    }
    let value = shared(plan, on_dual_numbers(model, None));
    Some(quote!(parameters: #value,))
}

/// Returns the parameters on dual numbers, with the derivatives in `direction`.
pub(crate) fn varied(model: &Model) -> TokenStream {
    on_dual_numbers(model, Some(quote!(direction)))
}

fn on_dual_numbers(model: &Model, direction: Option<TokenStream>) -> TokenStream {
    let Some(parameters) = &model.parameters else { return quote!() };
    let conversion = direction.map_or(Conversion::Lifted, Conversion::Varied);
    let value = Position { value: quote!(self.parameters), conversion };
    lifted_struct(model, &parameters.item.ident, &parameters.fields, &value)
}

/// Returns the values and the derivatives of the parameters of `lifted`, which are dual numbers.
pub(crate) fn lowered(plan: &Plan<'_>) -> TokenStream {
    let model = plan.model;
    let Some(parameters) = &model.parameters else {
        return quote! {{
            let _ = lifted;
            [(), ()]
        }};
    };
    if !model.parameters_are_generic() {
        let own = unshared(plan, &quote!(lifted.parameters));
        return quote!([#own, #own]);
    }
    let parts = [Conversion::Values, Conversion::Derivatives].map(|conversion| {
        let place = Position { value: quote!(lifted.parameters), conversion };
        lifted_struct(model, &parameters.item.ident, &parameters.fields, &place)
    });
    quote!([#(#parts),*])
}

/// A position among the parameters, and the conversion of the scalars at this position.
struct Position {
    value: TokenStream,
    conversion: Conversion,
}

/// A conversion of scalars.
enum Conversion {
    /// Dual numbers without derivatives.
    Lifted,
    /// Dual numbers with the derivatives at this position.
    Varied(TokenStream),
    /// The values of dual numbers.
    Values,
    /// The derivatives of dual numbers; other values are unchanged.
    Derivatives,
}

impl Position {
    /// Returns the position of a field or an item.
    fn at(&self, access: &TokenStream) -> Position {
        let within = |place: &TokenStream| quote!(#place #access);
        let conversion = match &self.conversion {
            Conversion::Lifted => Conversion::Lifted,
            Conversion::Varied(direction) => Conversion::Varied(within(direction)),
            Conversion::Values => Conversion::Values,
            Conversion::Derivatives => Conversion::Derivatives,
        };
        Position { value: within(&self.value), conversion }
    }
}

fn lifted_struct(model: &Model, name: &Ident, fields: &[ParameterField], place: &Position) -> TokenStream {
    let fields = fields.iter().map(|field| {
        let name = &field.name;
        let value = lifted_form(model, &field.form, &place.at(&quote!(.#name)));
        quote!(#name: #value)
    });
    let name = own(name);
    quote!(#name { #(#fields),* })
}

fn lifted_form(model: &Model, form: &ParameterForm, place: &Position) -> TokenStream {
    let Position { value, conversion } = place;
    match (form, conversion) {
        (ParameterForm::Entry(kind), Conversion::Varied(direction)) if kind.is_settable() => {
            quote!(rt::Vary::<f64>::vary(#value, #direction))
        }
        (ParameterForm::Entry(kind), Conversion::Derivatives) if kind.is_settable() => {
            quote!(rt::Vary::<f64>::slope(#value))
        }
        (ParameterForm::Entry(kind), Conversion::Values | Conversion::Derivatives) if kind.is_real() => {
            quote!(rt::Lift::<f64>::lowered(#value))
        }
        (ParameterForm::Entry(kind), Conversion::Varied(_)) if kind.is_real() => quote!(rt::Lift::<f64>::lift(#value)),
        (ParameterForm::Entry(kind), Conversion::Lifted) if kind.is_real() => quote!(rt::Lift::<S>::lift(#value)),
        (ParameterForm::Array(element, count), _) => {
            let elements = (0..*count).map(|at| {
                let at = n(at);
                lifted_form(model, element, &place.at(&quote!([#at])))
            });
            quote!([#(#elements),*])
        }
        (ParameterForm::List(item), Conversion::Varied(direction)) if item.is_generic(&model.structs) => {
            let place = Position { value: quote!((*item)), conversion: Conversion::Varied(quote!((*slope))) };
            let lifted = lifted_form(model, item, &place);
            quote!(#value.iter().zip(#direction.iter()).map(|(item, slope)| #lifted).collect())
        }
        (ParameterForm::List(item), _) if item.is_generic(&model.structs) => {
            let item_place = Position { value: quote!((*item)), ..place.at(&quote!()) };
            let conversion = lifted_form(model, item, &item_place);
            quote!(#value.iter().map(|item| #conversion).collect())
        }
        (ParameterForm::Struct(name), _) => match model.structs.iter().find(|inner| inner.item.ident == *name) {
            Some(inner) => lifted_struct(model, &inner.item.ident, &inner.fields, place),
            None => quote!(#value.clone()),
        },
        (ParameterForm::Entry(_) | ParameterForm::List(_) | ParameterForm::Opaque, _) => quote!(#value.clone()),
    }
}

/// Emits the body of `merge_parameters`: each parameter separately, and each item of a list.
pub(crate) fn merged(model: &Model) -> TokenStream {
    let Some(parameters) = &model.parameters else { return quote!() };
    merged_struct(model, &parameters.fields, "", &quote!())
}

fn merged_struct(model: &Model, fields: &[ParameterField], text: &str, access: &TokenStream) -> TokenStream {
    let fields = fields.iter().map(|field| {
        let name = &field.name;
        let dot = if text.is_empty() { "" } else { "." };
        let text = format!("{text}{dot}{}", names::text(name));
        merged_form(model, &field.form, &text, &quote!(#access.#name))
    });
    quote!(#(#fields)*)
}

fn merged_form(model: &Model, form: &ParameterForm, text: &str, access: &TokenStream) -> TokenStream {
    let [own, before, changed] = [quote!((*own) #access), quote!((*before) #access), quote!((*changed) #access)];
    match form {
        ParameterForm::Array(element, count) => {
            let elements = (0..*count).map(|at| {
                let number = n(at);
                merged_form(model, element, &format!("{text}[{at}]"), &quote!(#access[#number]))
            });
            quote!(#(#elements)*)
        }
        ParameterForm::List(item) => {
            let item = merged_form(model, item, text, &quote!());
            quote! {
                rt::merge_parameter_list(#text, &mut #own, (&#before, &#changed), |own, before, changed| {
                    #item
                    Ok(())
                })?;
            }
        }
        ParameterForm::Struct(name) => match model.structs.iter().find(|inner| inner.item.ident == *name) {
            Some(inner) => merged_struct(model, &inner.fields, text, access),
            None => quote!(rt::merge_opaque_parameter(#text, &mut #own, &#before, &#changed)?;),
        },
        ParameterForm::Entry(_) => quote!(rt::merge_parameter(#text, &mut #own, &#before, &#changed)?;),
        ParameterForm::Opaque => quote!(rt::merge_opaque_parameter(#text, &mut #own, &#before, &#changed)?;),
    }
}

/// Checks that every scalar parameter is finite.
pub(crate) fn checks(model: &Model) -> TokenStream {
    let Some(parameters) = &model.parameters else { return quote!() };
    let checks = parameters.entries.iter().filter(|entry| entry.kind.is_real()).map(|entry| {
        let (text, access) = (&entry.name, &entry.access);
        let check = |value: &TokenStream, name: &TokenStream| {
            let values = match entry.kind {
                ParameterKind::Group(_) => return quote!(rt::check_group_parameter(#name, &#value)?;),
                ParameterKind::Scalar => quote!(::core::iter::once(&#value)),
                ParameterKind::VectorArray(..) => quote!(#value.iter().flat_map(|vector| vector.iter())),
                _ => quote!(#value.iter()),
            };
            quote!(rt::check_parameter(#name, #values)?;)
        };
        let Some(list) = entry.list.map(|list| &parameters.lists[list]) else {
            return check(&quote!(parameters #access), &quote!(#text));
        };
        let (list, name) = (&list.access, list_name(entry, &list.name));
        let check = check(&quote!((*item) #access), &name);
        quote! {
            for (at, item) in parameters #list.iter().enumerate() {
                #check
            }
        }
    });
    quote!(#(#checks)*)
}

/// Returns the name of an entry in the list item with index `at`.
fn list_name(entry: &ParameterEntry, list: &str) -> TokenStream {
    let (name, end) = (&entry.name, n(list.len()));
    quote!(rt::ItemName { name: #name, list: #end, at })
}
