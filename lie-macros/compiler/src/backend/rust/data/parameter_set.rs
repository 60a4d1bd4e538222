//! Access to parameters by name: `ParameterSet`.
//!
//! Examples of names are `mass`, `upper.mass` and `links[1].inertia`; for lists `sections.area` (all items) and `sections[3].area`.

use proc_macro2::TokenStream;
use quote::quote;

use crate::backend::rust::codegen::n;
use crate::backend::rust::codegen::names::own;
use crate::model::{Model, ParameterEntry, ParameterKind};

/// Emits the implementation.
pub(crate) fn emit(model: &Model) -> TokenStream {
    let Some(parameters) = &model.parameters else { return quote!() };
    let name = own(&parameters.item.ident);
    let ty = if model.parameters_are_generic() { quote!(#name<f64>) } else { quote!(#name) };
    let known: Vec<_> = parameters.entries.iter().filter(|entry| entry.kind.is_settable()).collect();
    let names = known.iter().map(|entry| &entry.name);
    let list = |entry: &ParameterEntry| entry.list.map(|list| &parameters.lists[list].access);
    let (mut arms, mut of_items) = ([vec![], vec![]], [vec![], vec![]]);
    for entry in &known {
        let (text, access) = (&entry.name, &entry.access);
        match list(entry) {
            None => {
                let set = setter(entry, &quote!(self #access));
                arms[0].push(quote!(#text => Some(rt::ToValue::to_value(&self #access))));
                arms[1].push(quote!(#text => #set));
            }
            Some(list) => {
                let (set, size) = (setter(entry, &quote!((*item) #access)), n(entry.kind.numbers()));
                for (arms, at) in [(&mut arms, quote!(None)), (&mut of_items, quote!(Some(at)))] {
                    arms[0].push(quote! {
                        #text => rt::list_value(&self #list, #at, |item| rt::ToValue::to_value(&(*item) #access))
                    });
                    arms[1].push(quote! {
                        #text => rt::set_list(#text, #size, &mut self #list, #at, components, |item, components| #set)
                    });
                }
            }
        }
    }
    let ([get, set], [get_item, set_item]) = (arms, of_items);
    let unknown = quote!(Err(rt::unknown_parameter(name, rt::ParameterSet::names(self))));
    let within = |arms: &[TokenStream], none: &TokenStream| {
        if arms.is_empty() {
            return none.clone();
        }
        quote! {
            match rt::list_item(name) {
                Some((column, at)) => match column.as_str() {
                    #(#arms,)*
                    _ => #none,
                },
                None => #none,
            }
        }
    };
    let (get_item, set_item) = (within(&get_item, &quote!(None)), within(&set_item, &unknown));
    quote! {
        impl rt::ParameterSet for #ty {
            fn names(&self) -> &'static [&'static str] {
                &[#(#names),*]
            }
            fn get(&self, name: &str) -> Option<rt::Value> {
                match name {
                    #(#get,)*
                    _ => #get_item,
                }
            }
            fn set(&mut self, name: &str, components: &[f64]) -> Result<(), rt::ModelError> {
                match name {
                    #(#set,)*
                    _ => #set_item,
                }
            }
        }
    }
}

fn setter(entry: &ParameterEntry, target: &TokenStream) -> TokenStream {
    let text = &entry.name;
    match entry.kind {
        ParameterKind::Scalar => quote!(rt::set_scalar(#text, &mut #target, components)),
        ParameterKind::VectorArray(..) => quote!(rt::set_vectors(#text, &mut #target, components)),
        ParameterKind::ScalarArray(_) => quote!(rt::set_scalars(#text, &mut #target, components)),
        _ => quote!(rt::set_matrix(#text, &mut #target, components)),
    }
}
