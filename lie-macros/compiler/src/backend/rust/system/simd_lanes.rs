//! Several systems as one system in SIMD lanes.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::backend::rust::codegen::environment::hoisted_field;
use crate::backend::rust::codegen::n;
use crate::backend::rust::codegen::names::{ident, own};
use crate::backend::rust::data::configuration::literal;
use crate::backend::rust::data::sliding;
use crate::model::{Model, ParameterField, ParameterForm, Parameters};
use crate::schedule::Plan;

/// Emits the implementation of `Batched`. It is inlined, so that systems in SIMD lanes are only compiled on use.
///
/// Systems with inputs or opaque functions have none, because these are functions of `f64`. Systems with a length at run time have none
/// either.
pub(super) fn emit(plan: &Plan<'_>) -> Option<TokenStream> {
    let model = plan.model;
    let has_lists = model.parameters.as_ref().is_some_and(|parameters| !parameters.lists.is_empty());
    if plan.unrolled().is_none() || model.inputs.is_some() || !model.opaques.is_empty() || has_lists {
        return None;
    }
    let configuration = &own(&model.configuration.point());
    let members: Vec<&Ident> = model.configuration.members.iter().map(|member| &member.name).collect();
    let batched =
        members.iter().map(|name| quote!(#name: rt::LaneValue::<L>::batch(&|lane| configuration(lane).#name)));
    let batched = literal(&model.configuration, batched);
    let of_lane = members.iter().map(|name| quote!(#name: rt::LaneValue::<L>::of_lane(&together.#name, lane)));
    let of_lane = literal(&model.configuration, of_lane);
    let hoisted = plan.kept().into_iter().map(|kept| hoisted_field(kept.number));
    let fields = hoisted
        .chain([ident("mass_inverse")])
        .map(|name| quote!(#name: rt::LaneValue::<L>::batch(&|lane| systems[lane].#name),));
    let mut shared = Shared::default();
    let parameters = model.parameters.as_ref().map(|parameters| {
        let value = of_parameters(model, parameters, &mut shared);
        quote!(parameters: #value,)
    });
    let (first, sliding) = (shared.found(), sliding::cache(model));
    Some(quote! {
        impl<L: rt::Lanes> rt::Batched<L> for System<f64> {
            type Batch = System<L>;

            #[inline]
            fn batch(systems: &[&Self]) -> ::core::option::Option<System<L>> {
                #first
                ::core::option::Option::Some(System { #parameters #(#fields)* #sliding })
            }
            #[inline]
            fn batch_configurations(
                configuration: &dyn ::core::ops::Fn(::core::primitive::usize) -> #configuration<f64>,
            ) -> #configuration<L> {
                #batched
            }
            #[inline]
            fn lane_configuration(
                together: &#configuration<L>,
                lane: ::core::primitive::usize,
            ) -> #configuration<f64> {
                #of_lane
            }
        }
    })
}

/// Values other than scalars, which must be equal in all systems.
#[derive(Default)]
struct Shared {
    /// True if a value is copied from the first system.
    is_used: bool,
    /// Comparisons of the copied values with the other systems.
    equal: Vec<TokenStream>,
}

impl Shared {
    /// Returns the value at this position of the first system.
    fn of(&mut self, place: &TokenStream) -> TokenStream {
        self.is_used = true;
        quote!(first #place)
    }

    /// Emits statements that select the first system and compare the others with it.
    fn found(&self) -> Option<TokenStream> {
        let equal = &self.equal;
        let comparison = (!equal.is_empty()).then(|| {
            quote! {
                if systems.iter().any(|system| #(system #equal != first #equal)||*) {
                    return ::core::option::Option::None;
                }
            }
        });
        self.is_used.then(|| quote!(let first = systems.first()?; #comparison))
    }
}

fn of_parameters(model: &Model, parameters: &Parameters, shared: &mut Shared) -> TokenStream {
    let place = quote!(.parameters);
    if model.parameters_are_generic() {
        return of_struct(model, &parameters.item.ident, &parameters.fields, &place, shared);
    }
    let first = shared.of(&place);
    quote!(#first.clone())
}

/// Returns a struct of parameters at a position.
fn of_struct(
    model: &Model,
    name: &Ident,
    fields: &[ParameterField],
    place: &TokenStream,
    shared: &mut Shared,
) -> TokenStream {
    let fields: Vec<TokenStream> = fields
        .iter()
        .map(|field| {
            let name = &field.name;
            let value = of_form(model, &field.form, &quote!(#place.#name), shared);
            quote!(#name: #value)
        })
        .collect();
    let name = own(name);
    quote!(#name { #(#fields),* })
}

fn of_form(model: &Model, form: &ParameterForm, place: &TokenStream, shared: &mut Shared) -> TokenStream {
    match form {
        ParameterForm::Entry(kind) if kind.is_real() => {
            quote!(rt::LaneValue::<L>::batch(&|lane| systems[lane] #place))
        }
        ParameterForm::Entry(_) => {
            shared.equal.push(place.clone());
            shared.of(place)
        }
        ParameterForm::Array(element, count) => {
            let elements: Vec<TokenStream> = (0..*count)
                .map(|at| {
                    let at = n(at);
                    of_form(model, element, &quote!(#place[#at]), shared)
                })
                .collect();
            quote!([#(#elements),*])
        }
        ParameterForm::Struct(name) => match model.structs.iter().find(|inner| inner.item.ident == *name) {
            Some(inner) => of_struct(model, &inner.item.ident, &inner.fields, place, shared),
            None => of_first(place, shared),
        },
        ParameterForm::List(_) | ParameterForm::Opaque => of_first(place, shared),
    }
}

fn of_first(place: &TokenStream, shared: &mut Shared) -> TokenStream {
    let first = shared.of(place);
    quote!(#first.clone())
}
