//! Twins of the user's functions on dual numbers: the independent path of derivative checks.

use proc_macro2::TokenStream;
use quote::quote;

use crate::model::Model;

/// The hidden module of twins.
pub(crate) fn emit(_model: &Model) -> TokenStream {
    quote!()
}
