//! The implementation of `Linearised`: residual, tangent stiffness and damping, the iteration of implicit methods.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::super::{Context, iteration};
use super::{kernel, stores};
use crate::plan::KernelId;

pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let dof = context.equations.inertia.mass.len();
    let residual = kernel(context, KernelId::Residual);
    let target = |at: usize| {
        let (row, column) = (Literal::usize_unsuffixed(at / dof), Literal::usize_unsuffixed(at % dof));
        quote!(out[(#row, #column)])
    };
    let matrix = |id| stores(context, context.kernels.outputs(id), target);
    let (mass, stiffness, damping) =
        (matrix(KernelId::MassMatrix), matrix(KernelId::TangentStiffness), matrix(KernelId::TangentDamping));
    let iteration = iteration::emit(context);
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
