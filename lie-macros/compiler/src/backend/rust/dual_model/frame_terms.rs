//! Declared values of terms that connect or constrain frames. They are terms over members, with the declared frames as members.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use super::declared::{self, DeclaredFunctions};
use super::method_bodies::TermBodies;
use crate::backend::rust::codegen::arguments::ArgumentNames;
use crate::backend::rust::codegen::environment::slot;
use crate::backend::rust::codegen::n;
use crate::schedule::{Plan, Term};

/// Returns the declared values of a term.
pub(super) fn bodies(plan: &Plan<'_>, term: &Term) -> TermBodies {
    let declared = DeclaredFunctions(term);
    let ArgumentNames { members, velocities } = ArgumentNames::new(plan, term, &quote!(Dual<S>));
    let of_state = |body: TokenStream| {
        quote! {
            let motions = declared_frames::<S>(lifted, t, q, v);
            #members
            #velocities
            #body
        }
    };
    let of_configuration = |body: TokenStream| {
        quote! {
            let motions = declared_frames::<S>(lifted, t, q, &rt::MechanicalSystem::zero_velocity(lifted));
            #members
            #body
        }
    };
    let group = term.model.configuration.members[0].group;
    let moved = (0..term.slots()).map(|at| declared::displacement(group, &slot(at).to_token_stream()));
    let on_frames = declared.forces_on_frames(&quote! {
        let mut moved = ::std::vec::Vec::new();
        #(moved.extend_from_slice(&#moved);)*
        visit(&force, &moved);
    });
    let at_quantities = declared.spatial_forces();
    let rates = {
        let ArgumentNames { members, velocities } = ArgumentNames::new(plan, term, &quote!(S));
        let rates = declared.rates();
        quote! {
            let motions = rt::motions_in_order::<Self, Recursion>(self, t, q, v.as_slice());
            #members
            #velocities
            #rates
        }
    };
    let number = n(term.number);
    TermBodies {
        potential: of_configuration(declared.potential_energy()),
        dissipation: of_state(declared.dissipation()),
        // Forces on frames are spatial: they act on the displacements of the frames.
        spatial: of_state(quote!(#on_frames #at_quantities)),
        constraints: of_state(declared.constraints()),
        quantities: of_configuration(declared.quantities(ToTokens::to_token_stream)),
        rates,
        rate_gradient: quote! {
            rt::frame_rate_gradient::<Self, Recursion>(self, (#number, place.element), (t, q, v.as_slice()), out);
        },
        ..TermBodies::default()
    }
}
