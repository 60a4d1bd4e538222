//! Momenta: M v, and the transposed operators of the group, factor by factor.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::Context;
use super::algebra::{factors, part};
use super::environment::Home;
use super::kernels::printed;
use super::structs::group_type;
use crate::plan::KernelId;

/// The implementation of `Covectors`.
pub(crate) fn emit(context: &Context<'_>) -> TokenStream {
    let factors = factors(context);
    let operator = |method: &TokenStream, of: &TokenStream| {
        let parts = factors.iter().map(|factor| {
            let ty = group_type(factor.group, &quote!(S));
            let offset = Literal::usize_unsuffixed(factor.offset);
            let (of, p) = (part(of, factor), part(&quote!(p), factor));
            quote!(rt::set_part(out, #offset, &<#ty as Factor>::#method(&#of, &#p));)
        });
        quote!(#(#parts)*)
    };
    let coadjoint = operator(&quote!(coadjoint), &quote!(v));
    let inverse_transpose = operator(&quote!(tangent_inverse_transpose), &quote!(theta));
    let momentum = momentum(context);
    quote! {
        impl<S: Scalar> rt::Covectors for System<S> {
            #[inline]
            fn momentum(&self, t: S, q: &Self::Configuration, v: &Self::Velocity, out: &mut Self::Velocity) {
                #momentum
            }
            #[inline]
            fn coadjoint(&self, v: &Self::Velocity, p: &Self::Velocity, out: &mut Self::Velocity) {
                #coadjoint
            }
            #[inline]
            fn tangent_inverse_transpose(&self, theta: &Self::Velocity, p: &Self::Velocity, out: &mut Self::Velocity) {
                #inverse_transpose
            }
        }
    }
}

/// M v without the structural zeros of M.
fn momentum(context: &Context<'_>) -> TokenStream {
    let Some((term, _)) = context.unrolled() else { return quote!() };
    let (graph, dof, outputs) = (&term.equations.graph, term.dof(), term.kernels.outputs(KernelId::Mass));
    let printed = printed(term, Home::System, outputs);
    let statements = &printed.statements;
    let rows = (0..dof).map(|row| {
        let at = Literal::usize_unsuffixed(row);
        let terms = (0..dof).filter(|column| !graph.is_zero(outputs[row * dof + column])).map(|column| {
            let (entry, column) = (&printed.outputs[row * dof + column], Literal::usize_unsuffixed(column));
            quote!((#entry) * v[#column])
        });
        quote!(out[#at] = #(#terms)+*;)
    });
    quote!(#(#statements)* #(#rows)*)
}
