//! Declared values of terms that connect or constrain frames. They are terms over members, with the declared frames as members.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use super::declared::{self, DeclaredFunctions};
use super::method_bodies::MethodBodies;
use crate::backend::rust::codegen::arguments::ArgumentNames;
use crate::backend::rust::codegen::environment::slot;
use crate::backend::rust::codegen::n;
use crate::schedule::{Plan, Term};

/// Adds the declared values of a term to each method.
pub(super) fn add(arms: &mut MethodBodies, plan: &Plan<'_>, term: &Term) {
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
    arms.kinetic.push(quote!(rt::dual::<S>(0.0)));
    arms.potential.push(of_configuration(declared.potential_energy()));
    arms.dissipation.push(of_state(declared.dissipation()));
    // Forces on frames are spatial: they act on the displacements of the frames.
    arms.forces.push(quote!());
    let on_frames = declared.has_forces().then(|| {
        let (forces, size) = (declared.forces(), n(term.dof()));
        let group = term.model.configuration.members[0].group;
        let moved = (0..term.slots()).map(|at| declared::displacement(group, &slot(at).to_token_stream()));
        quote! {
            let mut force = [rt::dual::<S>(0.0); #size];
            {
                let out = &mut force;
                #forces
            }
            let mut moved = ::std::vec::Vec::new();
            #(moved.extend_from_slice(&#moved);)*
            visit(&force, &moved);
        }
    });
    let at_quantities = declared.spatial_forces();
    arms.spatial.push(of_state(quote!(#on_frames #at_quantities)));
    arms.constraints.push(of_state(declared.constraints()));
    arms.quantities.push(of_configuration(declared.quantities(ToTokens::to_token_stream)));
    let ArgumentNames { members, velocities } = ArgumentNames::new(plan, term, &quote!(S));
    let (rates, number) = (declared.rates(), n(term.number));
    arms.rates.push(quote! {
        let motions = rt::motions_in_order::<Self, Recursion>(self, t, q, v.as_slice());
        #members
        #velocities
        #rates
    });
    arms.rate_gradient.push(quote! {
        rt::frame_rate_gradient::<Self, Recursion>(self, (#number, place.element), (t, q, v.as_slice()), out);
    });
}
