//! The implementation of `DualModel`, term by term.

use proc_macro2::{Ident, TokenStream};
use quote::{format_ident, quote};

use super::declared::{DeclaredFunctions, TermBodies};
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
use crate::schedule::{Plan, Term};

/// Selects the body of a method in the bodies of a term.
type BodySelector = fn(&TermBodies) -> &TokenStream;

/// Emits one arm for each term, then the arms of the recursion of frames and of the terms over frames; `place` locates an element.
fn by_term(plan: &Plan<'_>, system: &TokenStream, terms: &[TermBodies], body: BodySelector) -> TokenStream {
    let (arms, along_frames) = terms.split_at(plan.terms.len());
    let (arms, along_frames) = (arms.iter().map(body), along_frames.iter().map(body));
    if plan.unrolled().is_some() {
        return quote!(let place = rt::ElementLocation::EVERYTHING; #(#arms)*);
    }
    let numbers = plan.terms.iter().map(|term| n(term.number));
    let of_frames = (0..along_frames.len()).map(n);
    let beyond = plan.frames.as_ref().map(|_| {
        quote! {
            if let Some(term) = rt::beyond_elements(#system.structure.layout(), term) {
                return match term {
                    #(#of_frames => { #along_frames })*
                    _ => {}
                };
            }
        }
    });
    quote! {
        #beyond
        let Some((kind, place)) = rt::chain_element(#system.structure.layout(), term) else { return };
        match kind {
            #(#numbers => { #arms })*
            _ => {}
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

/// Returns the declared values of a term over members; `axial` is the function of its axial energy.
fn bodies(plan: &Plan<'_>, term: &Term, axial: Option<&Ident>) -> TermBodies {
    if plan.joins_frames(term) {
        return frame_terms::bodies(plan, term);
    }
    let functions = DeclaredFunctions::of_members(term);
    let ArgumentNames { members, velocities } = ArgumentNames::new(plan, term, &quote!(Dual<S>));
    let axial = axial.map(|name| quote!(#name(lifted, &place, t, q, &own)));
    let real = ArgumentNames::new(plan, term, &quote!(S));
    let (real_members, real_velocities, rates) = (real.members, real.velocities, functions.rates());
    let values = functions.values(axial.as_ref());
    let name = type_name(term.number);
    // Row by row.
    let copied = if plan.unrolled().is_some() { quote!(local.transpose().as_slice()) } else { quote!(&local) };
    TermBodies {
        declared: quote!(#members #velocities #values),
        rates: quote!(#real_members #real_velocities #rates),
        rate_gradient: quote! {
            #real_velocities
            let mut local: <#name as rt::Term<System<S>>>::Jacobian = rt::Block::zeros();
            <#name as rt::Term<System<S>>>::rate_gradient(self, &place, t, q, &own.into(), &mut local);
            out.copy_from_slice(#copied);
        },
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
pub(super) fn implementation(plan: &Plan<'_>) -> TokenStream {
    let configuration = &own(&plan.model.configuration.point());
    let axial = |term| axial_function(plan, term);
    let (axial_names, axial_functions): (Vec<_>, Vec<_>) = plan.terms.iter().map(|term| axial(term).unzip()).unzip();
    let terms = plan.terms.iter().zip(&axial_names).map(|(term, axial)| bodies(plan, term, axial.as_ref()));
    let terms: Vec<TermBodies> = terms.chain(plan.frames.iter().flat_map(frames::bodies)).collect();
    let recursion = plan.frames.as_ref().map(|recursion| frames::emit(plan, recursion));
    let by_term = |system: &TokenStream, body: BodySelector| by_term(plan, system, &terms, body);
    let rate_gradient = by_term(&quote!(self), |term| &term.rate_gradient);
    let rates = by_term(&quote!(self), |term| &term.rates);
    let declared = by_term(&quote!(lifted), |term| &term.declared);
    let (names, lift_at) = (names(plan), inputs::lifted_at(plan));
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

            fn lift(&self) -> System<Dual<S>> {
                rt::Liftable::lift(self)
            }
            fn lift_configuration(&self, q: &#configuration<S>) -> #configuration<Dual<S>> {
                rt::Liftable::lift_configuration(self, q)
            }
            #lift_at
            fn lift_velocity(&self, v: &#velocity) -> #lifted_velocity {
                v.map(Dual::lift)
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
            fn declared_values(
                lifted: &Self::Lifted, wanted: rt::DeclaredKind, term: usize,
                (t, q, v): (Dual<S>, &#configuration<Dual<S>>, &#lifted_velocity),
                visit: &mut dyn FnMut(rt::DeclaredValue<'_, Dual<S>>),
            ) {
                #given
                #declared
            }
        }
    }
}
