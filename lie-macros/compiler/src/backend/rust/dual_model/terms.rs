//! The implementation of `DualModel`, term by term.

use proc_macro2::{Ident, TokenStream};
use quote::{ToTokens, format_ident, quote};

use super::declared::DeclaredFunctions;
use super::method_bodies::MethodBodies;
use super::{frame_terms, frames};
use crate::backend::headings::heading;
use crate::backend::rust::codegen::arguments::ArgumentNames;
use crate::backend::rust::codegen::environment::{Environment, Scope};
use crate::backend::rust::codegen::members::Members;
use crate::backend::rust::codegen::n;
use crate::backend::rust::codegen::names::own;
use crate::backend::rust::codegen::print::print;
use crate::backend::rust::codegen::types::type_name;
use crate::backend::rust::codegen::types::vectors;
use crate::backend::rust::data::inputs;
use crate::backend::rust::data::lift::{lift, lift_configuration};
use crate::schedule::{Plan, Term};

/// Emits one arm for each term, then the arms of the recursion of frames and of the terms over frames; `place` locates an element.
fn by_term(plan: &Plan<'_>, system: &TokenStream, none: &TokenStream, arms: &[TokenStream]) -> TokenStream {
    if plan.unrolled().is_some() {
        return quote!(let place = rt::ElementLocation::EVERYTHING; #(#arms)*);
    }
    let (arms, along_frames) = arms.split_at(plan.terms.len());
    let numbers = plan.terms.iter().map(|term| n(term.number));
    let of_frames = (0..along_frames.len()).map(n);
    let beyond = plan.frames.as_ref().map(|_| {
        quote! {
            if let Some(term) = rt::beyond_elements(#system.structure.layout(), term) {
                return match term {
                    #(#of_frames => { #along_frames })*
                    _ => #none,
                };
            }
        }
    });
    quote! {
        #beyond
        let Some((kind, place)) = rt::chain_element(#system.structure.layout(), term) else { return #none };
        match kind {
            #(#numbers => { #arms })*
            _ => #none,
        }
    }
}

/// Emits a function for the energy of rotations about the directions of spheres, which is a part of T that no function declares.
fn axial_function(plan: &Plan<'_>, term: &Term) -> Option<(Ident, TokenStream)> {
    let names = Environment { model: &term.model, number: term.number, scope: Scope::Term };
    let printed = print(&term.equations.graph, &[term.equations.inertia.axial_energy?], None, &names);
    let (statements, value) = (&printed.statements, &printed.outputs);
    let name = format_ident!("axial_energy_{}", term.number);
    let configuration = &own(&plan.model.configuration.point());
    let size = n(term.dof());
    let body = Members::of_term(plan, term).read_by(&quote!(#(#statements)* #(#value)*));
    let function = quote! {
        fn #name<S: Scalar>(
            system: &System<S>, place: &rt::ElementLocation<'_>, t: S, q: &#configuration<S>, v: &SVector<S, #size>,
        ) -> S {
            #body
        }
    };
    Some((name, function))
}

impl MethodBodies {
    fn add(&mut self, plan: &Plan<'_>, term: &Term, axial: Option<&Ident>) {
        let declared = DeclaredFunctions(term);
        if plan.joins_frames(term) {
            return frame_terms::add(self, plan, term);
        }
        let ArgumentNames { members, velocities } = ArgumentNames::new(plan, term, &quote!(Dual<S>));
        let of_state = |body: TokenStream| quote!(#members #velocities #body);
        let of_configuration = |body: TokenStream| quote!(#members #body);
        let axial = axial.map(|name| quote!(#name(lifted, &place, t, q, &own)));
        self.kinetic.push(of_state(declared.kinetic_energy(axial.as_ref())));
        self.potential.push(of_configuration(declared.potential_energy()));
        self.dissipation.push(of_state(declared.dissipation()));
        self.forces.push(of_state(declared.forces()));
        self.spatial.push(of_state(declared.spatial_forces()));
        self.constraints.push(of_state(declared.constraints()));
        self.quantities.push(of_configuration(declared.quantities(ToTokens::to_token_stream)));
        let ArgumentNames { members, velocities } = ArgumentNames::new(plan, term, &quote!(S));
        let rates = declared.rates();
        self.rates.push(quote!(#members #velocities #rates));
        let name = type_name(term.number);
        // Row by row.
        let copied = if plan.unrolled().is_some() { quote!(local.transpose().as_slice()) } else { quote!(&local) };
        self.rate_gradient.push(quote! {
            #velocities
            let mut local: <#name as rt::Term<System<S>>>::Jacobian = rt::Block::zeros();
            <#name as rt::Term<System<S>>>::rate_gradient(self, &place, t, q, &own.into(), &mut local);
            out.copy_from_slice(#copied);
        });
    }
}

/// Emits the names of the terms and of their components, if there are several.
fn names(plan: &Plan<'_>) -> TokenStream {
    if plan.unrolled().is_some() {
        return quote!();
    }
    // ``` `elastic`, `viscous` over frames.windows(2)```.
    let names = plan.terms.iter().map(|term| {
        let (over, functions) = heading(plan.model, term);
        format!("{functions} over {over}")
    });
    let along_frames = plan.frames.as_ref().map(|frames| frames::names(plan, frames));
    quote! {
        fn terms(&self) -> ::std::vec::Vec<rt::Summand> {
            let mut terms = rt::chain_terms(self, &[#(#names),*]);
            #along_frames
            terms
        }
        fn component_name(&self, component: usize) -> ::std::string::String {
            rt::chain_component_name(self.structure.layout(), component)
        }
    }
}

/// Emits the implementation.
#[allow(clippy::too_many_lines)] // One trait, method by method.
pub(super) fn implementation(plan: &Plan<'_>) -> TokenStream {
    let configuration = &own(&plan.model.configuration.point());
    let mut arms = MethodBodies::default();
    let mut axial_functions = Vec::new();
    for term in &plan.terms {
        let axial = axial_function(plan, term);
        arms.add(plan, term, axial.as_ref().map(|(name, _)| name));
        axial_functions.extend(axial.map(|(_, function)| function));
    }
    let recursion = plan.frames.as_ref().map(|recursion| frames::emit(plan, recursion, &mut arms));
    let of_self = |none: TokenStream, arms: &[TokenStream]| by_term(plan, &quote!(self), &none, arms);
    let of_lifted = |none: TokenStream, arms: &[TokenStream]| by_term(plan, &quote!(lifted), &none, arms);
    let zero = || quote!(rt::dual::<S>(0.0));
    let (rate_gradient, rates) = (of_self(quote!({}), &arms.rate_gradient), of_self(quote!({}), &arms.rates));
    let (kinetic, potential) = (of_lifted(zero(), &arms.kinetic), of_lifted(zero(), &arms.potential));
    let (dissipation, forces) = (of_lifted(zero(), &arms.dissipation), of_lifted(quote!({}), &arms.forces));
    let (spatial, constraints) = (of_lifted(quote!({}), &arms.spatial), of_lifted(quote!({}), &arms.constraints));
    let quantities = of_lifted(quote!({}), &arms.quantities);
    let (names, lift_at) = (names(plan), inputs::lifted_at(plan));
    let (lift, lift_configuration) = (lift(plan), lift_configuration(plan.model, &quote!(S)));
    let given = plan.model.inputs.as_ref().map(|_| quote!(let inputs = lifted.inputs.at_time(t);));
    let [velocity, _] = vectors(plan, &quote!(S));
    let [lifted_velocity, _] = vectors(plan, &quote!(Dual<S>));
    let legendre = plan.obstacle.is_none().then(|| {
        quote! {
            fn legendre_transformed(
                &self, q: &#configuration<S>, v: &#velocity,
            ) -> Option<rt::TransformedPoint<#velocity>> {
                rt::legendre_transformed(self, q, v)
            }
        }
    });
    quote! {
        use ::lie_runtime::scalar::Dual;
        #(#axial_functions)*
        #recursion
        impl<S: Scalar> rt::DualModel for System<S> {
            type Lifted = System<Dual<S>>;

            #lift
            #lift_configuration
            #lift_at
            fn lift_velocity(&self, v: &#velocity) -> #lifted_velocity {
                v.map(|component| rt::Lift::<S>::lift(component))
            }
            #legendre
            fn linearised(&self, at: rt::CheckPoint<'_, Self>) -> Option<rt::ResidualDerivatives<S>> {
                Some(rt::ResidualDerivatives::of(self, &at))
            }
            #names
            fn rate_gradient(&self, term: usize, t: S, q: &#configuration<S>, v: &#velocity, out: &mut [S]) {
                #rate_gradient
            }
            fn quantity_rates(
                &self, term: usize, t: S, q: &#configuration<S>, v: &#velocity, visit: &mut dyn FnMut(&[S]),
            ) {
                #rates
            }
            fn declared_kinetic_energy(
                lifted: &Self::Lifted, term: usize, t: Dual<S>, q: &#configuration<Dual<S>>, v: &#lifted_velocity,
            ) -> Dual<S> {
                #given
                #kinetic
            }
            fn declared_potential_energy(
                lifted: &Self::Lifted, term: usize, t: Dual<S>, q: &#configuration<Dual<S>>,
            ) -> Dual<S> {
                #given
                #potential
            }
            fn declared_dissipation(
                lifted: &Self::Lifted, term: usize, t: Dual<S>, q: &#configuration<Dual<S>>, v: &#lifted_velocity,
            ) -> Dual<S> {
                #given
                #dissipation
            }
            fn declared_force(
                lifted: &Self::Lifted, term: usize, t: Dual<S>, q: &#configuration<Dual<S>>, v: &#lifted_velocity,
                out: &mut [Dual<S>],
            ) {
                #given
                #forces
            }
            fn declared_spatial_forces(
                lifted: &Self::Lifted, term: usize, t: Dual<S>, q: &#configuration<Dual<S>>, v: &#lifted_velocity,
                visit: &mut dyn FnMut(&[Dual<S>], &[Dual<S>]),
            ) {
                #given
                #spatial
            }
            fn declared_constraint(
                lifted: &Self::Lifted, term: usize, t: Dual<S>, q: &#configuration<Dual<S>>, v: &#lifted_velocity,
                holonomic_only: bool, out: &mut [Dual<S>],
            ) {
                #given
                #constraints
            }
            fn declared_quantities(
                lifted: &Self::Lifted, term: usize, t: Dual<S>, q: &#configuration<Dual<S>>,
                visit: &mut dyn FnMut(&str, &[Dual<S>]),
            ) {
                #given
                #quantities
            }
        }
    }
}
