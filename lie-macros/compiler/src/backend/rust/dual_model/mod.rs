//! The declared values on dual numbers: the reference of the derivative check.
//!
//! The expression of each function, before differentiation, is evaluated on dual numbers. The run-time check compares the same expression
//! with the function. No kernel uses these values; they are emitted for `#[mechanical_system(derivative_check)]` only.

mod declared;
mod frame_terms;
mod frames;
mod terms;

use proc_macro2::TokenStream;

use crate::schedule::Plan;

/// Emits the implementation of `DualModel`, if the declaration requests it.
pub(super) fn emit(plan: &Plan<'_>) -> Option<TokenStream> {
    plan.model.derivative_check.then(|| terms::implementation(plan))
}
