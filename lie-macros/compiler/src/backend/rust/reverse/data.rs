//! The cotangents of data: positions of scalar parameters and inputs in the gradient.

use proc_macro2::TokenStream;
use quote::quote;

use crate::backend::rust::codegen::environment::subscript;
use crate::backend::rust::codegen::n;
use crate::diff::Datum;
use crate::model::Model;

/// Returns the number of scalars before an entry. Lists have a length that is known at run time; it comes from the parameters of `system`.
pub(super) fn first_number(model: &Model, entry: usize, system: &TokenStream) -> TokenStream {
    let Some(parameters) = &model.parameters else { return quote!(0) };
    let before = || parameters.entries[..entry].iter().filter(|entry| entry.kind.is_settable());
    let fixed: usize = before().filter(|entry| entry.list.is_none()).map(|entry| entry.kind.numbers()).sum();
    let fixed = n(fixed);
    let mut sum = quote!(#fixed);
    for (number, list) in parameters.lists.iter().enumerate() {
        let of_item: usize =
            before().filter(|entry| entry.list == Some(number)).map(|entry| entry.kind.numbers()).sum();
        if of_item > 0 {
            let (of_item, access) = (n(of_item), &list.access);
            sum = quote!(#sum + #of_item * #system.parameters #access.len());
        }
    }
    quote!((#sum))
}

/// Adds a cotangent of a parameter or an input to the list `sums`.
pub(super) fn add_to_data(
    model: &Model,
    datum: Datum,
    system: &TokenStream,
    sums: &TokenStream,
    value: &TokenStream,
) -> TokenStream {
    let parameters = model.parameters.as_ref();
    let entries = parameters.map_or(&[][..], |parameters| &parameters.entries);
    match datum {
        Datum::Parameter { entry, number } => {
            let (first, number) = (first_number(model, entry, system), n(number));
            quote!(#sums[#first + #number] += #value;)
        }
        Datum::Input { number } => {
            let (first, number) = (first_number(model, entries.len(), system), n(number));
            quote!(#sums[#first + #number] += #value;)
        }
        Datum::Item { entry, number, at, sure } => {
            let (first, size, number) =
                (first_number(model, entry, system), n(entries[entry].kind.numbers()), n(number));
            let list = entries[entry].list.and_then(|list| parameters?.lists.get(list));
            let Some(list) = list.map(|list| &list.access) else { bug!("`{}` is in no list", entries[entry].name) };
            let item = subscript(at, &[quote!(place.index), quote!(place.length)]);
            let add = |item: TokenStream| quote!(#sums[#first + #size * #item + #number] += #value;);
            if sure {
                return add(item);
            }
            // An item that does not exist is not read.
            let add = add(quote!(item));
            quote! {
                let item = #item;
                if item < #system.parameters #list.len() {
                    #add
                }
            }
        }
    }
}
