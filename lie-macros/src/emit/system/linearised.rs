//! The implementation of `Linearised`: residual, tangent stiffness and damping, the iteration of implicit methods.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::environment::Home;
use super::super::iteration;
use super::super::kernels::{into, into_matrix, stores};
use crate::plan::{KernelId, Plan, Term};

pub(super) fn emit(plan: &Plan<'_>, term: &Term) -> TokenStream {
    let residual = stores(term, Home::System, term.kernels.outputs(KernelId::Residual), into("out"));
    let matrix = |id| stores(term, Home::System, term.kernels.outputs(id), into_matrix(term.dof()));
    let (mass, stiffness, damping) =
        (matrix(KernelId::Mass), matrix(KernelId::TangentStiffness), matrix(KernelId::TangentDamping));
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
            #[inline]
            fn residual(
                &self,
                t: S,
                q: &Self::Configuration,
                v: &Self::Velocity,
                acceleration: &Self::Velocity,
                multipliers: &Self::Multipliers,
                out: &mut Self::Velocity,
            ) {
                #residual
            }
            #[inline]
            fn mass_matrix(&self, t: S, q: &Self::Configuration, out: &mut Self::Matrix) {
                #mass
            }
            #[inline]
            fn tangent_stiffness(
                &self,
                t: S,
                q: &Self::Configuration,
                v: &Self::Velocity,
                acceleration: &Self::Velocity,
                multipliers: &Self::Multipliers,
                out: &mut Self::Matrix,
            ) {
                #stiffness
            }
            #[inline]
            fn tangent_damping(&self, t: S, q: &Self::Configuration, v: &Self::Velocity, out: &mut Self::Matrix) {
                #damping
            }
            #iteration
        }
    }
}
