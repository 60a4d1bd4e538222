//! The elimination of v' and λ.

use proc_macro2::TokenStream;
use quote::quote;

use super::super::Context;
use super::super::print::print;
use super::{environment, into_acceleration, stores};
use crate::plan::KernelId;

/// Elimination of the acceleration, a small dense system for the multipliers, and back.
pub(super) fn emit(context: &Context<'_>) -> TokenStream {
    let rows = context.equations.constraints.rows();
    let accelerate = stores(context, context.kernels.outputs(KernelId::Acceleration), into_acceleration);
    if rows == 0 {
        return quote! { #accelerate Ok(()) };
    }
    let outputs = context.kernels.outputs(KernelId::Schur);
    let printed = print(&context.equations.graph, outputs, Some(context.hoisted), &environment(context));
    let statements = &printed.statements;
    let (matrix, right) = printed.outputs.split_at(rows * rows);
    let lines = matrix.chunks(rows).map(|line| quote!([#(#line),*]));
    quote! {
        let (schur, right) = {
            #(#statements)*
            ([#(#lines),*], [#(#right),*])
        };
        *multipliers = rt::solve_multipliers::<S, __ROWS>(schur, right)?;
        #accelerate
        Ok(())
    }
}
