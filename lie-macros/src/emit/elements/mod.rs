//! Emission for systems over chains: one implementation of the runtime's `Element` for each kind of elements, and the
//! system that shows them to the runtime's loops.

mod card;
mod group;
mod kinds;
mod rates;
mod report;
mod system;

use proc_macro2::TokenStream;
use quote::quote;

use super::kernels::Kernels;
use super::{Hoisted, kept, names, report as plain_report, structs, twins};
use crate::derive::Equations;
use crate::model::{ElementModel, Model};

pub(super) use card::over;
pub(super) use kinds::{dimensions, slots, type_name};

/// One kind of elements, ready to be printed.
pub(super) struct Kind<'a> {
    pub number: usize,
    pub element: &'a ElementModel,
    pub equations: &'a Equations,
    pub kernels: Kernels,
    pub hoisted: Hoisted,
}

/// What every part of the emission looks at.
pub(super) struct Context<'a> {
    pub model: &'a Model,
    pub kinds: Vec<Kind<'a>>,
}

/// The module with everything that was derived.
pub(crate) fn emit(
    model: &Model,
    elements: &[ElementModel],
    equations: &mut [Equations],
    warnings: &[TokenStream],
) -> TokenStream {
    let kernels: Vec<Kernels> = equations.iter_mut().map(Kernels::of_element).collect();
    let kinds =
        elements.iter().zip(&*equations).zip(kernels).enumerate().map(|(number, ((element, equations), kernels))| {
            let hoisted = Hoisted::new(&equations.graph, &kernels.all());
            Kind { number, element, equations, kernels, hoisted }
        });
    let context = Context { model, kinds: kinds.collect() };
    let (attributes, visibility, name) = (&model.attributes, &model.visibility, &model.name);
    let items = model.items.iter().map(|item| kept(model, item));
    let structs = structs::emit(model, None);
    let definition = system::definition(&context);
    let constructor = system::emit(&context);
    let kinds = kinds::emit(&context);
    let rates = rates::emit(&context);
    let report = report::emit(&context);
    let parameters = plain_report::parameters(model);
    let checked = model.derivative_check.then(|| (twins::functions(model), twins::emit_elements(&context)));
    let (twins, check) = checked.unzip();
    let imports = names::imports();
    quote! {
        #(#attributes)*
        #visibility mod #name {
            #(#items)*
            #structs
            #definition
            #(#rates)*
            #twins
            #(#warnings)*
            #[allow(
                clippy::all, clippy::pedantic, clippy::nursery, unused_variables, unused_imports, unused_parens,
                unused_mut, non_snake_case, unused_qualifications, missing_docs
            )]
            const _: () = {
                #imports
                use ::lie_runtime::__private::DVector;
                #constructor
                #kinds
                #report
                #parameters
                #check
            };
        }
    }
}
