//! The constructor: checks of the parameters, and hoisted values.

use proc_macro2::{Ident, TokenStream};
use quote::quote;

use super::description;
use crate::backend::rust::assembled::frames;
use crate::backend::rust::codegen::environment::{Environment, Scope, hoisted_field};
use crate::backend::rust::codegen::n;
use crate::backend::rust::codegen::names::{self, ident};
use crate::backend::rust::codegen::print::print;
use crate::backend::rust::codegen::types::parameters_type;
use crate::backend::rust::data::configuration::{elements, span};
use crate::backend::rust::data::inputs;
use crate::backend::rust::data::lists;
use crate::backend::rust::data::shared::shares;
use crate::backend::rust::data::sliding;
use crate::backend::rust::unrolled::mass_inverse;
use crate::model::{Model, is_of_states};
use crate::schedule::{LengthSource, Plan, Solve, Term};

pub(super) fn emit(plan: &Plan<'_>) -> TokenStream {
    let parameters = parameters_type(plan, &quote!(S));
    let mut arguments: Vec<TokenStream> = parameters.iter().map(|ty| quote!(parameters: #ty)).collect();
    let mut values: Vec<TokenStream> = parameters.iter().map(|_| quote!(parameters)).collect();
    if plan.model.configuration.has_lengths() {
        arguments.push(quote!(lengths: Lengths));
        values.push(quote!(lengths));
    }
    let getter = parameters.as_ref().map(|ty| {
        quote! {
            /// Returns the parameters.
            pub fn parameters(&self) -> &#ty {
                &self.parameters
            }
        }
    });
    let body = body(plan);
    let parametrised = parametrised(plan);
    let name = constructor_name(plan.model);
    let plain = (name == "of_scalar").then(|| {
        quote! {
            impl System<f64> {
                /// Creates the system.
                ///
                /// # Errors
                /// A [`ModelError`](lie_runtime::system::ModelError) that names the chain or the member that no
                /// simulation can start from.
                pub fn new(#(#arguments),*) -> Result<Self, rt::ModelError> {
                    Self::of_scalar(#(#values),*)
                }
            }
        }
    });
    quote! {
        #plain

        impl<S: Scalar> System<S> {
            /// Creates the system with these parameters and chain lengths, if it has any.
            ///
            /// # Errors
            /// A [`ModelError`](lie_runtime::system::ModelError) that names the parameter, the chain or the member that
            /// no simulation can start from.
            pub fn #name(#(#arguments),*) -> Result<Self, rt::ModelError> {
                #body
            }

            #getter
        }

        #parametrised
    }
}

/// Returns the name of the constructor for all scalars. Parameters determine the scalar type; the `new` of a system without such an argument
/// is only defined for `f64`.
pub(super) fn constructor_name(model: &Model) -> Ident {
    ident(if model.parameters_are_generic() { "new" } else { "of_scalar" })
}

/// Emits the methods that return the system with other parameters.
fn parametrised(plan: &Plan<'_>) -> TokenStream {
    let Some(ty) = parameters_type(plan, &quote!(S)) else {
        return quote! {
            impl<S: Scalar> rt::Parametrised for System<S> {
                type Parameters = ();

                fn parameters(&self) -> &() {
                    &()
                }
                #[inline]
                fn with_parameters(&self, (): ()) -> Result<Self, rt::ModelError> {
                    Ok(self.clone())
                }
                #[inline]
                fn merge_parameters((): &mut (), (): &(), (): &()) -> Result<(), ::std::string::String> {
                    Ok(())
                }
            }
        };
    };
    let lengths = plan.model.configuration.has_lengths().then(|| quote!(self.lengths.clone()));
    let name = constructor_name(plan.model);
    let made = quote!(Self::#name(parameters, #lengths));
    let made = match &plan.model.inputs {
        Some(_) => quote!(Ok(Self { inputs: self.inputs.clone(), ..#made? })),
        None => made,
    };
    quote! {
        impl<S: Scalar> rt::Parametrised for System<S> {
            type Parameters = #ty;

            fn parameters(&self) -> &Self::Parameters {
                &self.parameters
            }
            #[inline]
            fn with_parameters(&self, parameters: Self::Parameters) -> Result<Self, rt::ModelError> {
                #made
            }
            fn merge_parameters(
                own: &mut Self::Parameters,
                before: &Self::Parameters,
                changed: &Self::Parameters,
            ) -> Result<(), ::std::string::String> {
                rt::merge_entries::<S, _>(own, before, changed)
            }
        }
    }
}

fn body(plan: &Plan<'_>) -> TokenStream {
    let check = plan.model.parameters_are_generic().then(|| quote!(rt::check_entries::<S, _>(&parameters)?;));
    let field = plan
        .model
        .parameters
        .as_ref()
        .map(|_| if shares(plan) { quote!(parameters: parameters.into(),) } else { quote!(parameters,) });
    let (lists, hoisted) = (lists::check(plan), hoisted(plan));
    let names = plan.kept().into_iter().map(|kept| hoisted_field(kept.number));
    let (inputs, sliding) = (inputs::none(plan.model), sliding::cache(plan.model));
    let fields = quote!(#field #(#names,)* #inputs #sliding);
    let rest = match plan.unrolled() {
        Some((term, solve)) => of_everything(term, solve, &quote!(#lists #hoisted), &fields),
        None => of_assembly(plan, &quote!(#lists #hoisted), &fields),
    };
    quote! { #check #rest }
}

fn of_everything(term: &Term, solve: &Solve, hoisted: &TokenStream, fields: &TokenStream) -> TokenStream {
    let inverse = if term.equations.inertia.is_constant {
        mass_inverse::statements(term, solve, Scope::Free)
    } else {
        quote!(let mass_inverse = [];)
    };
    quote! {
        #hoisted
        #inverse
        Ok(Self { #fields mass_inverse })
    }
}

fn of_assembly(plan: &Plan<'_>, hoisted: &TokenStream, fields: &TokenStream) -> TokenStream {
    let spans = plan.model.configuration.members.iter().map(|member| {
        let (name, count) = (&member.name, n(member.count.unwrap_or(1)));
        let length = match plan.model.configuration.chain_of_states().filter(|_| is_of_states(member)) {
            Some((chain, part)) => {
                let chain = &chain.name;
                elements(part, &quote!(lengths.#chain))
            }
            None if member.is_chain => quote!(lengths.#name),
            None => quote!(#count),
        };
        span(member, &length)
    });
    let lists = plan.model.configuration.connections.iter().map(|list| {
        let (name, text) = (&list.name, names::text(&list.name));
        quote!(rt::Connections { name: #text, members: lengths.#name.as_flattened() })
    });
    let layout = frames::layout(plan, &quote!(::std::vec![#(#spans),*]), &quote!(&[#(#lists),*]));
    let (tree, frames_check) = (frames::tree(plan), frames::check(plan));
    let along = plan.frames.as_ref().map(|_| quote!(.along(tree)));
    let lengths = plan.model.configuration.has_lengths().then(|| quote!(lengths,));
    let bodies = description::description_of_bodies(plan.model);
    let full = plan.frames.as_ref().map(|_| {
        quote! {
            let mut description = description;
            description.mass_nonzeros = description.dof * description.dof;
        }
    });
    quote! {
        let layout = #layout;
        #tree
        #frames_check
        #hoisted
        let description = rt::chain_description(CARD, &layout, FUNCTIONS, COUNTS);
        #bodies
        #full
        let space = rt::ChainSpace::new(layout.spans.iter().cloned());
        let structure = rt::Structure::new(layout) #along;
        let mut system = Self {
            #fields
            #lengths
            space: space.into(),
            structure: structure.into(),
            description: description.into(),
        };
        system.structure = rt::Structure::prepared(&system)?.into();
        Ok(system)
    }
}

/// Emits statements that compute the hoisted values from the parameters; for assembled terms, also from the length of a chain.
fn hoisted(plan: &Plan<'_>) -> TokenStream {
    let statements = plan.kept().into_iter().map(|kept| {
        let names = Environment { model: kept.model, number: kept.number, scope: Scope::Free };
        let printed = print(kept.graph, &kept.hoisted.nodes, None, &names);
        let (statements, values) = (&printed.statements, &printed.outputs);
        let (name, size) = (hoisted_field(kept.number), n(kept.hoisted.nodes.len()));
        let length = plan.unrolled().is_none().then(|| {
            let at = |at| n(at);
            match kept.along {
                LengthSource::Term => {
                    let at = at(kept.number);
                    quote!(let length = layout.kinds[#at].length;)
                }
                LengthSource::Field(field) => {
                    let at = at(field);
                    quote!(let length = layout.spans[#at].length;)
                }
                LengthSource::Frames => quote!(let length = tree.links().len();),
            }
        });
        quote! {
            let #name: [S; #size] = {
                #length
                #(#statements)*
                [#(#values),*]
            };
        }
    });
    quote!(#(#statements)*)
}
