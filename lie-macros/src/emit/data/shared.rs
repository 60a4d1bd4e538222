//! What the clones of a system share.

use proc_macro2::TokenStream;
use quote::quote;

use crate::plan::Plan;

/// True if what a system holds is shared by its clones, so that an assembly with feedback is cloned in every evaluation
/// without an allocation: elements do not see the state, the clone holds what its inputs are there.
pub(crate) fn shares(plan: &Plan<'_>) -> bool {
    plan.model.inputs.is_some() && plan.unrolled().is_none()
}

/// The type of what may be shared.
pub(crate) fn shared_type(plan: &Plan<'_>, ty: TokenStream) -> TokenStream {
    if shares(plan) { quote!(::std::sync::Arc<#ty>) } else { ty }
}

/// A value of that type.
pub(crate) fn shared(plan: &Plan<'_>, value: TokenStream) -> TokenStream {
    if shares(plan) { quote!((#value).into()) } else { value }
}

/// A copy of what may be shared.
pub(crate) fn unshared(plan: &Plan<'_>, value: &TokenStream) -> TokenStream {
    if shares(plan) { quote!((*#value).clone()) } else { quote!(#value.clone()) }
}

/// A `&mut` to what may be shared.
pub(crate) fn changed(plan: &Plan<'_>, value: &TokenStream) -> TokenStream {
    if shares(plan) { quote!(::std::sync::Arc::make_mut(&mut #value)) } else { quote!(&mut #value) }
}
