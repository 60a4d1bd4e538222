//! Parameters that clones of a system share.

use proc_macro2::TokenStream;
use quote::quote;

use crate::schedule::Plan;

/// Returns true if clones share the parameters of a system. Elements do not read the state; an assembly with feedback is therefore cloned
/// in every evaluation, with the inputs in the clone and without an allocation.
pub(crate) fn shares(plan: &Plan<'_>) -> bool {
    plan.model.inputs.is_some() && plan.unrolled().is_none()
}

/// Returns the type of the parameters.
pub(crate) fn shared_type(plan: &Plan<'_>, ty: TokenStream) -> TokenStream {
    if shares(plan) { quote!(::std::sync::Arc<#ty>) } else { ty }
}

/// Returns a value of the parameters.
pub(crate) fn shared(plan: &Plan<'_>, value: TokenStream) -> TokenStream {
    if shares(plan) { quote!((#value).into()) } else { value }
}

/// Returns a `&mut` to the parameters.
pub(crate) fn changed(plan: &Plan<'_>, value: &TokenStream) -> TokenStream {
    if shares(plan) { quote!(::std::sync::Arc::make_mut(&mut #value)) } else { quote!(&mut #value) }
}
