//! The constructor: checks of the parameters, and what is computed from them once and for all.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::super::environment::Home;
use super::super::parameters::parameters_are_generic;
use super::super::print::print;
use super::super::{Context, Environment};
use super::{mass_inverse, parameters_type};
use crate::emit::names::own;

pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let parameters = parameters_type(context, &quote!(S));
    let argument = parameters.as_ref().map(|ty| quote!(parameters: #ty));
    let (field, getter) = match &parameters {
        Some(ty) => (
            quote!(parameters,),
            quote! {
                /// The parameters.
                pub fn parameters(&self) -> &#ty {
                    &self.parameters
                }
            },
        ),
        None => (quote!(), quote!()),
    };
    let checks = super::super::parameters::checks(context.model);
    // Hoisted values are computed from the parameters alone.
    let names = Environment { model: context.model, home: Home::Argument };
    let hoisted = print(&context.equations.graph, &context.hoisted.nodes, None, &names);
    let (statements, values) = (&hoisted.statements, &hoisted.outputs);
    let inverse = if context.equations.inertia.is_constant {
        let statements = mass_inverse::statements(context, Home::Argument);
        quote! { #statements }
    } else {
        quote!(let mass_inverse = [];)
    };
    let size = Literal::usize_unsuffixed(context.hoisted.nodes.len());
    let configuration = &own(&context.model.configuration.item.ident);
    // Parameters tell the number type; without any, nothing would, and `new` is that of `f64`.
    let value = parameters.as_ref().map(|_| quote!(parameters));
    let (name, plain) = match &parameters {
        Some(_) if parameters_are_generic(context.model) => (quote!(new), quote!()),
        _ => (
            quote!(of_scalar),
            quote! {
                impl System<::core::primitive::f64> {
                    /// The system.
                    ///
                    /// # Errors
                    /// A [`ModelError`](lie_runtime::system::ModelError) that names the member of the configuration that
                    /// no simulation can start from.
                    pub fn new(#argument) -> Result<Self, rt::ModelError> {
                        Self::of_scalar(#value)
                    }
                }
            },
        ),
    };
    let summary = match &parameters {
        Some(_) => " The system with these parameters.",
        None => " The system on numbers of type `S`.",
    };
    quote! {
        #plain

        impl<S: Scalar> System<S> {
            #[doc = #summary]
            ///
            /// # Errors
            /// A [`ModelError`](lie_runtime::system::ModelError) that names the parameter or the member of the
            /// configuration that no simulation can start from.
            pub fn #name(#argument) -> Result<Self, rt::ModelError> {
                #checks
                #(#statements)*
                let hoisted: [S; #size] = [#(#values),*];
                #inverse
                Ok(Self { #field hoisted, mass_inverse })
            }

            #getter

            /// The velocity with named fields, from its components.
            pub fn velocity(&self, components: &SVector<S, __DOF>) -> Velocity<S> {
                Velocity::from(*components)
            }

            /// The state with named fields.
            pub fn state(
                &self,
                time: S,
                configuration: &#configuration<S>,
                components: &SVector<S, __DOF>,
                multipliers: &SVector<S, __ROWS>,
            ) -> State<S> {
                State {
                    time,
                    configuration: *configuration,
                    velocity: Velocity::from(*components),
                    multipliers: *multipliers,
                }
            }
        }
    }
}
