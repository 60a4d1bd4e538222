//! The implementation of `Linearised`: residual, tangent stiffness and damping, the iteration of implicit methods.

use proc_macro2::TokenStream;
use quote::quote;

use super::iteration;
use crate::emit::kernels::method;
use crate::plan::{KernelId, Plan, Term};

const KERNELS: [KernelId; 4] =
    [KernelId::Residual, KernelId::MassMatrix, KernelId::TangentStiffness, KernelId::TangentDamping];

pub(super) fn emit(plan: &Plan<'_>, term: &Term) -> TokenStream {
    let kernels = KERNELS.map(|id| method(plan, term, id));
    let iteration = iteration::emit(plan, term);
    quote! {
        impl<S: Scalar> rt::Linearised for System<S> {
            type Matrix = SMatrix<S, __DOF, __DOF>;

            fn zero_matrix(&self) -> Self::Matrix {
                rt::zeros()
            }
            #[inline]
            fn matrix_entry(&self, matrix: &Self::Matrix, row: usize, column: usize) -> S {
                matrix[(row, column)]
            }
            #(#kernels)*
            #iteration
        }
    }
}
