//! The implementation of `Reverse`: cotangents through residual and constraints, and through the group.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use crate::emit::environment::Home;
use crate::emit::inputs;
use crate::emit::kernels::stores;
use crate::emit::names::{ident, own};
use crate::graph::Scalar;
use crate::plan::{Inputs, KernelId, PULLBACKS, Plan, Term};

/// The implementation, where the declaration asks for it.
pub(super) fn emit(plan: &Plan<'_>, term: &Term) -> Option<TokenStream> {
    let gradients = term.equations.gradients.as_ref()?;
    let inputs = inputs::count(plan.model);
    let count = Literal::usize_unsuffixed(gradients.residual.data.len() - inputs);
    let inputs = Literal::usize_unsuffixed(inputs);
    let has_rates = inputs::have_rates(plan);
    let kernels = PULLBACKS.map(|id| kernel(plan, term, id));
    let configuration = own(&plan.model.configuration.item.ident);
    let vector = quote!(Self::Velocity);
    Some(quote! {
        impl<S: Scalar> rt::Reverse for System<S> {
            fn parameter_count(&self) -> usize {
                #count
            }
            fn input_count(&self) -> usize {
                #inputs
            }
            fn reads_rates_of_inputs(&self) -> bool {
                #has_rates
            }
            #(#kernels)*
            #[inline]
            fn motion_pullback(&self, theta: &#vector, cotangent: &#vector, of_start: &mut #vector, of_theta: &mut #vector) {
                rt::motion_pullback::<#configuration<S>>(theta, cotangent, of_start, of_theta);
            }
            #[inline]
            fn coordinate_rate_pullback(
                &self, at: [&#vector; 3], cotangent: &#vector, of_theta: &mut #vector, of_velocity: &mut #vector,
            ) {
                rt::coordinate_rate_pullback::<#configuration<S>, #configuration<rt::Dual<S>>>(
                    at, cotangent, of_theta, of_velocity,
                );
            }
            #[inline]
            fn solve_iteration_transposed(
                &self,
                factorisation: &mut Self::Factorisation,
                correction: &rt::IterationCorrection<Self>,
                residual: &mut rt::IterationResidual<Self>,
            ) {
                factorisation.solve_transposed(correction, residual);
            }
        }
    })
}

/// A kernel that adds cotangents to what is there.
fn kernel(plan: &Plan<'_>, term: &Term, id: KernelId) -> TokenStream {
    let (configuration, name) = (own(&plan.model.configuration.item.ident), ident(id.name()));
    let state = match id.signature().0 {
        Inputs::Nothing => quote!(),
        Inputs::Velocity => quote!(v: &Self::Velocity,),
        Inputs::State => {
            quote!(v: &Self::Velocity, acceleration: &Self::Velocity, multipliers: &Self::Multipliers,)
        }
    };
    let weights = match id {
        KernelId::ResidualPullback => quote!(force: &Self::Velocity),
        _ => quote!(constraint: &Self::Multipliers),
    };
    let given = inputs::found_by(term, id, &quote!(self), true);
    let (graph, dof) = (&term.equations.graph, term.dof());
    // What is zero is not added.
    let outputs: Vec<(usize, Scalar)> = term.kernels.outputs(id).iter().copied().enumerate().collect();
    let outputs: Vec<(usize, Scalar)> = outputs.into_iter().filter(|&(_, output)| !graph.is_zero(output)).collect();
    let scalars: Vec<Scalar> = outputs.iter().map(|&(_, output)| output).collect();
    let store = |at: usize, value: &TokenStream| {
        let at = outputs[at].0;
        let (vector, at) = match at / dof {
            0 => ("of_configuration", at),
            1 => ("of_velocity", at - dof),
            _ => ("of_parameters", at - 2 * dof),
        };
        let (vector, at) = (ident(vector), Literal::usize_unsuffixed(at));
        quote!(out.#vector[#at] += #value;)
    };
    let body = stores(term, Home::System, &scalars, store);
    quote! {
        #[inline]
        fn #name(
            &self, t: S, q: &#configuration<S>, #state #weights, out: &mut rt::Cotangents<'_, Self::Velocity, S>,
        ) {
            #given
            #body
        }
    }
}
