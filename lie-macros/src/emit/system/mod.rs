//! The system type: what it holds, its constructor, its velocities with named fields.

mod abreast;
mod constructor;
mod conversions;
mod varied;

use proc_macro2::{Ident, Literal, TokenStream};
use quote::quote;

use super::assembled::frames;
use super::environment::hoisted_field;
use super::names::{own, scalar_parameter};
use super::parameters::{self, parameters_are_generic};
use super::unrolled::mass_inverse;
use super::{assembly, card, inputs};
use crate::model::{Connections, Member, Model};
use crate::plan::Plan;

/// The constructor and the traits.
pub(super) fn emit(plan: &Plan<'_>) -> TokenStream {
    let card = card::description(plan);
    let constructor = constructor::emit(plan);
    let named = named(plan);
    let conversions = conversions::emit(plan);
    let system = assembly::emit(plan);
    let (varied, abreast) = (varied::emit(plan), abreast::emit(plan));
    quote! { #card #constructor #named #conversions #system #varied #abreast }
}

/// The members whose length is chosen at run time.
fn chains<'p>(plan: &'p Plan<'_>) -> Vec<&'p Member> {
    plan.model.configuration.members.iter().filter(|member| member.is_chain).collect()
}

/// `System` and `Lengths`, to stand in the user's module.
pub(super) fn definition(plan: &Plan<'_>) -> TokenStream {
    let model = plan.model;
    let visibility = &model.configuration.item.vis;
    let s = scalar_parameter(model);
    let configuration = &own(&model.configuration.item.ident);
    let docs = card::documentation(plan);
    let parameters = parameters_type(plan, &quote!(#s)).map(|ty| {
        let ty = inputs::shared_type(plan, ty);
        quote!(parameters: #ty,)
    });
    let inputs = inputs::field(model, &quote!(#s));
    let hoisted = plan.kept().into_iter().map(|kept| {
        let (name, size) = (hoisted_field(kept.number), Literal::usize_unsuffixed(kept.hoisted.nodes.len()));
        quote!(#name: [#s; #size],)
    });
    let kept_lengths = model.configuration.has_lengths().then(|| quote!(lengths: Lengths,));
    let solution = match plan.unrolled() {
        Some((term, solve)) => {
            let inverse = Literal::usize_unsuffixed(mass_inverse::stored_entries(term, solve));
            quote!(mass_inverse: [#s; #inverse],)
        }
        None => {
            let [space, structure, description] = [
                quote!(::lie_runtime::__private::ChainSpace<#configuration<#s>>),
                quote!(::lie_runtime::__private::Structure<#s>),
                quote!(::lie_runtime::system::Description),
            ]
            .map(|ty| inputs::shared_type(plan, ty));
            quote!(#kept_lengths space: #space, structure: #structure, description: #description,)
        }
    };
    let lengths = lengths(plan);
    quote! {
        #lengths
        #(#[doc = #docs])*
        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        #visibility struct System<#s: ::lie_runtime::scalar::Scalar = ::core::primitive::f64> {
            #parameters
            #(#hoisted)*
            #solution
            #inputs
        }
    }
}

fn lengths(plan: &Plan<'_>) -> Option<TokenStream> {
    let configuration = &plan.model.configuration;
    let names: Vec<&Ident> = chains(plan).into_iter().map(|member| &member.name).collect();
    let visibility = &configuration.item.vis;
    let docs = names.iter().map(|name| format!("How many members `{name}` has, clamped ones included."));
    let all = configuration.with_frames(plan.model.kinematics.as_ref());
    let lists = configuration.connections.iter().map(|Connections { name, fields }| {
        let size = Literal::usize_unsuffixed(fields.len());
        let fields: Vec<String> = fields.iter().map(|field| format!("`{}`", all.members[*field].name)).collect();
        let doc = format!("Which members are joined: the numbers of those of {}.", fields.join(", "));
        quote!(#[doc = #doc] pub #name: ::std::vec::Vec<[::core::primitive::usize; #size]>)
    });
    let parents = configuration.parents.iter().map(|name| {
        let doc = "The frame that each frame hangs on; `None` of those that hang on the base.";
        quote!(#[doc = #doc] pub #name: ::std::vec::Vec<::core::option::Option<::core::primitive::usize>>)
    });
    let lists: Vec<TokenStream> = lists.chain(parents).collect();
    let (doc, copy) = if lists.is_empty() {
        (" How long the chains are.", quote!(::core::marker::Copy,))
    } else {
        (" How long the chains are, and what is joined with what.", quote!())
    };
    configuration.has_lengths().then(|| {
        quote! {
            #[doc = #doc]
            #[derive(::core::clone::Clone, #copy ::core::fmt::Debug, ::core::cmp::PartialEq, ::core::cmp::Eq)]
            #visibility struct Lengths {
                #(#[doc = #docs] pub #names: ::core::primitive::usize,)*
                #(#lists),*
            }
        }
    })
}

fn parameters_type(plan: &Plan<'_>, s: &TokenStream) -> Option<TokenStream> {
    let name = own(&plan.model.parameters.as_ref()?.item.ident);
    Some(if parameters_are_generic(plan.model) { quote!(#name<#s>) } else { quote!(#name) })
}

/// The types of a velocity's components and of multipliers.
pub(super) fn vectors(plan: &Plan<'_>, s: &TokenStream) -> [TokenStream; 2] {
    match plan.unrolled() {
        Some((term, _)) => [term.dof(), term.equations.constraints.rows()].map(|size| {
            let size = Literal::usize_unsuffixed(size);
            quote!(SVector<#s, #size>)
        }),
        None => [quote!(rt::DVector<#s>), quote!(rt::DVector<#s>)],
    }
}

/// What has named fields.
fn named(plan: &Plan<'_>) -> TokenStream {
    let velocity = conversions::velocity(plan);
    let accessor = frames::accessor(plan);
    let reactions = reactions(plan);
    quote! {
        impl<S: Scalar> System<S> {
            #velocity
            #accessor
            #reactions
        }
    }
}

/// The method that gives what holds clamped members.
fn reactions(plan: &Plan<'_>) -> Option<TokenStream> {
    let configuration = &own(&plan.model.configuration.item.ident);
    let [velocity, _] = vectors(plan, &quote!(S));
    let is_held = plan.model.configuration.members.iter().any(|member| member.clamped != [false; 2]);
    (is_held && plan.frames.is_none()).then(|| {
        quote! {
            /// What holds each clamped member at (t, q, v): the generalised force, conjugate to its velocity, that the terms over
            /// it ask for.
            ///
            /// # Errors
            /// A `SaddleError` where the state does not determine accelerations and multipliers.
            pub fn reactions(
                &self,
                t: S,
                q: &#configuration<S>,
                v: &#velocity,
            ) -> Result<::std::vec::Vec<rt::Reaction<S>>, rt::SaddleError> {
                rt::reactions(self, t, q, v)
            }
        }
    })
}

/// The method `lift_configuration`: configurations, whose numbers are `s`, on dual numbers.
pub(super) fn lift_configuration(model: &Model, s: &TokenStream) -> TokenStream {
    let configuration = &own(&model.configuration.item.ident);
    let members = each_member(model, &quote!(rt::Lift::<#s>::lift));
    quote! {
        #[inline]
        fn lift_configuration(&self, q: &#configuration<#s>) -> #configuration<rt::Dual<#s>> {
            #configuration { #members }
        }
    }
}

/// The fields of a configuration that `map` makes of those of `q`.
fn each_member(model: &Model, map: &TokenStream) -> TokenStream {
    let members = model.configuration.members.iter().map(|member| {
        let name = &member.name;
        if member.is_chain {
            quote!(#name: q.#name.iter().map(|member| #map(*member)).collect())
        } else {
            quote!(#name: #map(q.#name))
        }
    });
    quote!(#(#members),*)
}

/// The method `lift`: the system on dual numbers.
pub(super) fn lift(plan: &Plan<'_>) -> TokenStream {
    let (parameters, inputs) = (parameters::lifted(plan), inputs::lifted(plan.model));
    let hoisted = plan.kept().into_iter().map(|kept| {
        let name = hoisted_field(kept.number);
        quote!(#name: rt::Lift::<S>::lift(self.#name),)
    });
    let lengths = plan.model.configuration.has_lengths().then(|| quote!(lengths: self.lengths.clone(),));
    let solution = match plan.unrolled() {
        Some(_) => quote!(mass_inverse: rt::Lift::<S>::lift(self.mass_inverse),),
        None => {
            let [space, structure] =
                [quote!(self.space.on()), quote!(self.structure.lift())].map(|value| inputs::shared(plan, value));
            quote!(#lengths space: #space, structure: #structure, description: self.description.clone(),)
        }
    };
    quote! {
        fn lift(&self) -> System<rt::Dual<S>> {
            System {
                #parameters
                #(#hoisted)*
                #solution
                #inputs
            }
        }
    }
}
