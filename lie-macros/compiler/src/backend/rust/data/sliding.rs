//! The cache of the sliding friction in a system, for declarations with friction.

use proc_macro2::TokenStream;
use quote::quote;

use crate::model::Model;

/// Returns the field of the system.
pub(crate) fn field(model: &Model, s: &TokenStream) -> Option<TokenStream> {
    cache(model).map(|_| quote!(sliding: ::lie_runtime::__private::SlidingCache<System<#s>>,))
}

/// Returns the empty cache of a new system, or of a system with new inputs.
pub(crate) fn cache(model: &Model) -> Option<TokenStream> {
    let has_friction = !model.unilateral.frictions.is_empty();
    has_friction.then(|| quote!(sliding: ::core::default::Default::default(),))
}
