//! The bodies of the methods of `DualModel`.

use proc_macro2::TokenStream;
use quote::quote;

/// The bodies of the methods for one term.
pub(super) struct TermBodies {
    pub rate_gradient: TokenStream,
    pub rates: TokenStream,
    pub kinetic: TokenStream,
    pub potential: TokenStream,
    pub dissipation: TokenStream,
    pub forces: TokenStream,
    pub spatial: TokenStream,
    pub constraints: TokenStream,
    pub quantities: TokenStream,
}

impl Default for TermBodies {
    /// A term without energies and forces.
    fn default() -> Self {
        let [kinetic, potential, dissipation] =
            [quote!(rt::dual::<S>(0.0)), quote!(rt::dual::<S>(0.0)), quote!(rt::dual::<S>(0.0))];
        let [rate_gradient, rates, forces, spatial, constraints, quantities] = Default::default();
        Self { rate_gradient, rates, kinetic, potential, dissipation, forces, spatial, constraints, quantities }
    }
}
