//! The system type over chains: lengths, constructor, velocities with named fields.

use proc_macro2::{Ident, Literal, TokenStream};
use quote::{format_ident, quote};

use super::{Context, card, frames, group, kinds};
use crate::emit::Environment;
use crate::emit::environment::{Home, hoisted_field};
use crate::emit::names::own;
use crate::emit::names::scalar_parameter;
use crate::emit::parameters::checks;
use crate::emit::parameters::parameters_are_generic;
use crate::emit::print::print;
use crate::emit::structs::velocity_type;
use crate::model::Member;

fn chains<'a>(context: &'a Context<'_>) -> Vec<&'a Member> {
    context.model.configuration.members.iter().filter(|member| member.is_chain).collect()
}

fn parameters_type(context: &Context<'_>, s: &TokenStream) -> Option<TokenStream> {
    let name = own(&context.model.parameters.as_ref()?.item.ident);
    Some(if parameters_are_generic(context.model) { quote!(#name<#s>) } else { quote!(#name) })
}

/// `System` and `Lengths`, to stand in the user's module.
pub(super) fn definition(context: &Context<'_>) -> TokenStream {
    let model = context.model;
    let visibility = &model.configuration.item.vis;
    let s = scalar_parameter(model);
    let docs = card::documentation(context);
    let parameters = parameters_type(context, &quote!(#s)).map(|ty| quote!(parameters: #ty,));
    let kept = context.kept();
    let hoisted = kept.iter().map(|kept| {
        let (name, size) = (hoisted_field(kept.number), Literal::usize_unsuffixed(kept.hoisted.nodes.len()));
        quote!(#name: [#s; #size],)
    });
    let lengths = lengths(context).map(|fields| {
        let names: Vec<&Ident> = fields.iter().map(|member| &member.name).collect();
        let docs = names.iter().map(|name| format!("How many members `{name}` has, clamped ones included."));
        quote! {
            /// How long the chains are.
            #[derive(::core::clone::Clone, ::core::marker::Copy, ::core::fmt::Debug, ::core::cmp::PartialEq, ::core::cmp::Eq)]
            #visibility struct Lengths {
                #(#[doc = #docs] pub #names: ::core::primitive::usize),*
            }
        }
    });
    quote! {
        #lengths
        #(#[doc = #docs])*
        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        #visibility struct System<#s: ::lie_runtime::scalar::Scalar = ::core::primitive::f64> {
            #parameters
            #(#hoisted)*
            structure: ::lie_runtime::__private::Structure<#s>,
            description: ::lie_runtime::system::Description,
        }
    }
}

fn lengths<'a>(context: &'a Context<'_>) -> Option<Vec<&'a Member>> {
    Some(chains(context)).filter(|chains| !chains.is_empty())
}

/// The constructor and the implementation of `ElementSystem`.
pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let model = context.model;
    let configuration = &own(&model.configuration.item.ident);
    let constructor = constructor(context);
    let (velocity, to_components) = conversions(context);
    let group = group::emit(context);
    let types = context.kinds.iter().map(|kind| kinds::type_name(kind.number));
    let card = card::card(context);
    let dynamics = match context.frames {
        Some(_) => quote!(rt::AlongChain<Recursion>),
        None => quote!(rt::MemberByMember),
    };
    let accessor = frames::accessor(context);
    quote! {
        #card
        #constructor

        #to_components

        impl<S: Scalar> System<S> {
            #velocity
            #accessor

            /// The state with named fields.
            pub fn state(
                &self,
                time: S,
                configuration: &#configuration<S>,
                components: &DVector<S>,
                multipliers: &DVector<S>,
            ) -> State<S> {
                State {
                    time,
                    configuration: configuration.clone(),
                    velocity: self.velocity(components),
                    multipliers: multipliers.clone(),
                }
            }
        }

        impl<S: Scalar> rt::ElementSystem for System<S> {
            type Scalar = S;
            type Configuration = #configuration<S>;
            type Dynamics = #dynamics;

            #[inline]
            fn structure(&self) -> &rt::Structure<S> {
                &self.structure
            }
            fn description(&self) -> &rt::Description {
                &self.description
            }
            #[inline]
            fn visit<V: rt::Visitor<Self>>(&self, visitor: &mut V) {
                #(visitor.element::<#types>();)*
            }
            fn check_declaration(&self, t: S, q: &#configuration<S>, v: &DVector<S>) -> Result<(), rt::DeclarationError> {
                rt::check_in_f64::<Self, System<f64>>(self, t, q, v)
            }
            #group
        }
    }
}

fn constructor(context: &Context<'_>) -> TokenStream {
    let model = context.model;
    let parameters = parameters_type(context, &quote!(S));
    let mut arguments: Vec<TokenStream> = parameters.iter().map(|ty| quote!(parameters: #ty)).collect();
    let mut values: Vec<TokenStream> = parameters.iter().map(|_| quote!(parameters)).collect();
    if lengths(context).is_some() {
        arguments.push(quote!(lengths: Lengths));
        values.push(quote!(lengths));
    }
    let field = parameters.as_ref().map(|_| quote!(parameters,));
    let getter = parameters.as_ref().map(|ty| {
        quote! {
            /// The parameters.
            pub fn parameters(&self) -> &#ty {
                &self.parameters
            }
        }
    });
    let checks = checks(model);
    let spans = model.configuration.members.iter().map(|member| {
        let (name, text) = (&member.name, member.name.to_string());
        let dimension = Literal::usize_unsuffixed(member.group.dimension());
        let length = match member.count {
            _ if member.is_chain => quote!(lengths.#name),
            count => {
                let count = Literal::usize_unsuffixed(count.unwrap_or(1));
                quote!(#count)
            }
        };
        let [first, last] = member.clamped;
        quote!(rt::Span::new(#text, #dimension, #length, [#first, #last]))
    });
    let kept = context.kept();
    let hoisted: Vec<TokenStream> = kept
        .iter()
        .map(|kept| {
            // Hoisted values are computed from the parameters and the length of the chain alone.
            let names = Environment { model: kept.model, home: Home::Argument };
            let printed = print(kept.graph, &kept.hoisted.nodes, None, &names);
            let (statements, values) = (&printed.statements, &printed.outputs);
            let (name, size) = (hoisted_field(kept.number), Literal::usize_unsuffixed(kept.hoisted.nodes.len()));
            let length = &kept.length;
            quote! {
                let #name: [S; #size] = {
                    let length = #length;
                    #(#statements)*
                    [#(#values),*]
                };
            }
        })
        .collect();
    let names = kept.iter().map(|kept| hoisted_field(kept.number));
    let frames_check = frames::check(context);
    let full = context.frames.as_ref().map(|_| {
        quote! {
            let mut description = description;
            description.mass_nonzeros = description.dof * description.dof;
        }
    });
    let (name, plain) = match &parameters {
        Some(_) if parameters_are_generic(model) => (format_ident!("new"), quote!()),
        _ => (
            format_ident!("of_scalar"),
            quote! {
                impl System<f64> {
                    /// The system.
                    ///
                    /// # Errors
                    /// A [`ModelError`](lie_runtime::system::ModelError) that names the chain or the member that no
                    /// simulation can start from.
                    pub fn new(#(#arguments),*) -> Result<Self, rt::ModelError> {
                        Self::of_scalar(#(#values),*)
                    }
                }
            },
        ),
    };
    quote! {
        #plain

        impl<S: Scalar> System<S> {
            /// The system with chains of these lengths.
            ///
            /// # Errors
            /// A [`ModelError`](lie_runtime::system::ModelError) that names the parameter, the chain or the member that
            /// no simulation can start from.
            pub fn #name(#(#arguments),*) -> Result<Self, rt::ModelError> {
                #checks
                let layout = rt::Layout::new(::std::vec![#(#spans),*], KINDS)?;
                #frames_check
                #(#hoisted)*
                let description = rt::chain_description(CARD, &layout, FUNCTIONS, COUNTS);
                #full
                let mut system = Self { #field #(#names,)* structure: rt::Structure::new(layout), description };
                system.structure = rt::Structure::prepared(&system)?;
                Ok(system)
            }

            #getter
        }
    }
}

/// Velocities with named fields from components and back.
fn conversions(context: &Context<'_>) -> (TokenStream, TokenStream) {
    let fields = context.model.configuration.members.iter().enumerate().map(|(at, member)| {
        let (name, at) = (&member.name, Literal::usize_unsuffixed(at));
        let span = quote!(&self.structure.layout().spans[#at]);
        let is_scalar = velocity_type(member.group, &quote!(S)).to_string() == "S";
        let size = Literal::usize_unsuffixed(member.group.dimension());
        let list = quote!(rt::chain_velocity::<S, #size>(#span, components.as_slice()));
        let from = match (member.count, is_scalar) {
            _ if member.is_chain && is_scalar => quote!(#list.into_iter().map(|velocity| velocity[0]).collect()),
            _ if member.is_chain => quote!(#list),
            (Some(_), true) => quote!({ let list = #list; ::core::array::from_fn(|member| list[member][0]) }),
            (Some(_), false) => quote!({ let list = #list; ::core::array::from_fn(|member| list[member]) }),
            (None, true) => quote!(#list[0][0]),
            (None, false) => quote!(#list[0]),
        };
        let members = group::slice(member, &quote!(velocity));
        let members = if is_scalar {
            quote!(&(#members).iter().map(|value| SVector::<S, 1>::from_element(*value)).collect::<::std::vec::Vec<_>>())
        } else {
            members
        };
        let [first, last] = member.clamped;
        let to = quote!(rt::chain_velocity_components::<S, #size>(#members, [#first, #last], &mut components););
        (quote!(#name: #from), to)
    });
    let (from, to): (Vec<TokenStream>, Vec<TokenStream>) = fields.unzip();
    let velocity = quote! {
        /// The velocity with named fields, from its components; clamped members have velocity zero.
        pub fn velocity(&self, components: &DVector<S>) -> Velocity<S> {
            Velocity { #(#from),* }
        }
    };
    let to_components = quote! {
        impl<S: Scalar> From<Velocity<S>> for DVector<S> {
            /// The components of the free members; those of clamped ones are left out.
            fn from(velocity: Velocity<S>) -> Self {
                let mut components = ::std::vec::Vec::new();
                #(#to)*
                DVector::from_vec(components)
            }
        }
    };
    (velocity, to_components)
}
