//! The bodies of the methods of `DualModel`.

use proc_macro2::TokenStream;

/// The bodies of the methods, term by term.
#[derive(Default)]
pub(super) struct MethodBodies {
    pub rate_gradient: Vec<TokenStream>,
    pub rates: Vec<TokenStream>,
    pub kinetic: Vec<TokenStream>,
    pub potential: Vec<TokenStream>,
    pub dissipation: Vec<TokenStream>,
    pub forces: Vec<TokenStream>,
    pub spatial: Vec<TokenStream>,
    pub constraints: Vec<TokenStream>,
    pub quantities: Vec<TokenStream>,
}
