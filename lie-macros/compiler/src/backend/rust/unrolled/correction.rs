//! The unrolled correction of an implicit iteration.

use proc_macro2::TokenStream;
use quote::quote;

use crate::backend::rust::codegen::environment::Scope;
use crate::backend::rust::terms::kernels::{inlining, into, printed};
use crate::schedule::{KernelId, Term};

/// Emits the method, if it is planned.
pub(super) fn emit(term: &Term) -> TokenStream {
    if !term.kernels.has(KernelId::Correction) {
        return quote!();
    }
    let outputs = term.kernels.outputs(KernelId::Correction);
    let printed = printed(term, Scope::Term, outputs);
    let (statements, (changes, is_safe)) = (&printed.statements, printed.outputs.split_at(outputs.len() - 1));
    let (increment, multipliers) = changes.split_at(term.dof());
    let stored = |vector: &str, values: &[TokenStream]| -> TokenStream {
        values.iter().enumerate().map(|(at, value)| into(vector)(at, value)).collect()
    };
    let (increments, reactions) = (stored("increment", increment), stored("reactions", multipliers));
    let inlining = inlining(term, &[KernelId::Correction]);
    quote! {
        const CORRECTS: bool = true;

        #inlining
        fn correction(
            system: &System<S>,
            matrices: &rt::IterationMatrices<S, __DOF, __ROWS>,
            tangent_inverse: &Self::Matrix,
            coefficients: &[S; 4],
            force: &Self::Vector,
            constraint: &Self::Rows,
            increment: &mut Self::Vector,
            reactions: &mut Self::Rows,
        ) -> <S as Scalar>::Mask {
            #(#statements)*
            #increments
            #reactions
            #(#is_safe)*
        }
    }
}
