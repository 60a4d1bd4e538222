//! The system type: its fields, its constructor, and its velocities with named fields.

mod assembly;
mod constructor;
pub(super) mod contacts;
mod conversions;
pub(crate) mod description;
pub(super) mod report;
mod simd_lanes;
mod tangent_system;

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use crate::backend::rust::assembled::frames;
use crate::backend::rust::codegen::environment::hoisted_field;
use crate::backend::rust::codegen::n;
use crate::backend::rust::codegen::names::{own, scalar_parameter};
use crate::backend::rust::codegen::types::{parameters_type, vectors};
use crate::backend::rust::data::shared::shared_type;
use crate::backend::rust::data::{inputs, sliding};
use crate::backend::rust::unrolled::mass_inverse;
use crate::model::{Connections, Member, is_of_states};
use crate::schedule::Plan;

/// Emits the constructor and the traits.
pub(super) fn emit(plan: &Plan<'_>) -> TokenStream {
    let description = description::description(plan);
    let constructor = constructor::emit(plan);
    let named = named(plan);
    let conversions = conversions::emit(plan);
    let system = assembly::emit(plan);
    let (varied, batched) = (tangent_system::emit(plan), simd_lanes::emit(plan));
    quote! { #description #constructor #named #conversions #system #varied #batched }
}

/// Returns the members whose length is chosen at run time.
fn chains<'p>(plan: &'p Plan<'_>) -> Vec<&'p Member> {
    // The states of elements have the length of their chain.
    plan.model.configuration.members.iter().filter(|member| member.is_chain && !is_of_states(member)).collect()
}

/// Emits `System` and `Lengths` in the module of the user.
pub(super) fn definition(plan: &Plan<'_>) -> TokenStream {
    let model = plan.model;
    let visibility = &model.configuration.item.vis;
    let s = scalar_parameter(model);
    let configuration = &own(&model.configuration.point());
    let docs = description::documentation(plan);
    let parameters = parameters_type(plan, &quote!(#s)).map(|ty| {
        let ty = shared_type(plan, ty);
        quote!(parameters: #ty,)
    });
    let (inputs, sliding) = (inputs::field(model, &quote!(#s)), sliding::field(model, &quote!(#s)));
    let hoisted = plan.kept().into_iter().map(|kept| {
        let (name, size) = (hoisted_field(kept.number), n(kept.hoisted.nodes.len()));
        quote!(#name: [#s; #size],)
    });
    let kept_lengths = model.configuration.has_lengths().then(|| quote!(lengths: Lengths,));
    let solution = match plan.unrolled() {
        Some((term, solve)) => {
            let inverse = n(mass_inverse::stored_entries(term, solve));
            quote!(mass_inverse: [#s; #inverse],)
        }
        None => {
            let [space, structure, description] = [
                quote!(::lie_runtime::__private::ChainSpace<#configuration<#s>>),
                quote!(::lie_runtime::__private::Structure<#s>),
                quote!(::lie_runtime::system::Description),
            ]
            .map(|ty| quote!(::std::sync::Arc<#ty>));
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
            #sliding
        }
    }
}

fn lengths(plan: &Plan<'_>) -> Option<TokenStream> {
    let configuration = &plan.model.configuration;
    let names: Vec<&Ident> = chains(plan).into_iter().map(|member| &member.name).collect();
    let visibility = &configuration.item.vis;
    let docs = names.iter().map(|name| format!("The number of members of `{name}`, including clamped members."));
    let all = configuration.with_frames(plan.model.kinematics.as_ref());
    let lists = configuration.connections.iter().map(|Connections { name, fields }| {
        let size = n(fields.len());
        let fields: Vec<String> = fields.iter().map(|field| format!("`{}`", all.members[*field].name)).collect();
        let doc = format!("The indices of the connected members of {}.", fields.join(", "));
        quote!(#[doc = #doc] pub #name: ::std::vec::Vec<[::core::primitive::usize; #size]>)
    });
    let parents = configuration.parents.iter().map(|name| {
        let doc = "The parent of each frame; `None` for frames that are attached to the base.";
        quote!(#[doc = #doc] pub #name: ::std::vec::Vec<::core::option::Option<::core::primitive::usize>>)
    });
    let lists: Vec<TokenStream> = lists.chain(parents).collect();
    let (doc, copy) = if lists.is_empty() {
        (" The lengths of the chains.", quote!(::core::marker::Copy,))
    } else {
        (" The lengths of the chains, and the connections of members and frames.", quote!())
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

/// Emits the types with named fields.
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

/// Emits the method that returns the support reactions of clamped members.
fn reactions(plan: &Plan<'_>) -> Option<TokenStream> {
    let configuration = &own(&plan.model.configuration.point());
    let [velocity, _] = vectors(plan, &quote!(S));
    let is_held = plan.model.configuration.members.iter().any(|member| member.clamped != [false; 2]);
    (is_held && plan.frames.is_none()).then(|| {
        quote! {
            /// Returns the support reaction of each clamped member at (t, q, v): the generalised force, conjugate to its
            /// velocity, that keeps the member at rest.
            ///
            /// # Errors
            /// A `KktError` if the state does not determine accelerations and multipliers.
            pub fn reactions(
                &self,
                t: S,
                q: &#configuration<S>,
                v: &#velocity,
            ) -> Result<::std::vec::Vec<rt::Reaction<S>>, rt::KktError> {
                rt::reactions(self, t, q, v)
            }
        }
    })
}
