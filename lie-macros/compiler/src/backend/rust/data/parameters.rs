//! Parameters: the generic structs.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::generic::{documentation, generic};
use crate::backend::rust::codegen::names::scalar_parameter;
use crate::model::{Model, ParameterForm, ParameterStruct};

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
