//! The sum of the terms of a frame: energies, forces and their derivatives.

use proc_macro2::TokenStream;
use quote::quote;

use crate::backend::rust::codegen::environment::{Scope, slot};
use crate::backend::rust::codegen::n;
use crate::backend::rust::data::inputs;
use crate::backend::rust::terms::kernels::stores;
use crate::model::SlotMembers;
use crate::scalar::Scalar;
use crate::schedule::{Frames, KernelId, Term};

/// Emits the sum of the terms of one frame.
pub(crate) fn terms(frames: &Frames<'_>) -> TokenStream {
    let sums = |kernel, store: &dyn Fn(usize, &TokenStream) -> TokenStream| {
        let blocks = frames.terms.iter().map(|term| block(term, kernel, store));
        quote!(#(#blocks)*)
    };
    let add = |at: usize, value: &TokenStream| {
        let at = n(at);
        quote!(out[#at] += #value;)
    };
    let sum = |_: usize, value: &TokenStream| quote!(sum += #value;);
    let (inertia, residual) = (sums(KernelId::MassMatrix, &add), sums(KernelId::Residual, &add));
    let (kinetic, potential) = (sums(KernelId::KineticEnergy, &sum), sums(KernelId::PotentialEnergy, &sum));
    let (stiffness, damping) = (sums(KernelId::TangentStiffness, &add), sums(KernelId::TangentDamping, &add));
    let frame = quote!(system: &System<S>, place: &rt::Link, t: S);
    let motion = quote!(#frame, at: &rt::FrameMotion<Self::Frame, Self::Vector>);
    quote! {
        #[inline]
        fn add_inertia(#frame, x: &Self::Frame, out: &mut Self::Matrix) {
            #inertia
        }
        #[inline]
        fn add_residual(#motion, out: &mut Self::Vector) {
            let (x, v, acceleration) = (&at.frame, &at.velocity, &at.acceleration);
            #residual
        }
        fn add_stiffness(#motion, out: &mut Self::Matrix) {
            let (x, v, acceleration) = (&at.frame, &at.velocity, &at.acceleration);
            #stiffness
        }
        fn add_damping(#motion, out: &mut Self::Matrix) {
            let (x, v) = (&at.frame, &at.velocity);
            #damping
        }
        #[inline]
        fn kinetic_energy(#frame, x: &Self::Frame, v: &Self::Vector) -> S {
            let mut sum = <S as Scalar>::from_f64(0.0);
            #kinetic
            sum
        }
        #[inline]
        fn potential_energy(#frame, x: &Self::Frame) -> S {
            let mut sum = <S as Scalar>::from_f64(0.0);
            #potential
            sum
        }
    }
}

/// Emits one kernel of one term, for the frames that the term selects.
pub(crate) fn block(term: &Term, kernel: KernelId, store: &dyn Fn(usize, &TokenStream) -> TokenStream) -> TokenStream {
    let graph = &term.equations.graph;
    let outputs = term.kernels.outputs(kernel).iter().copied().enumerate();
    let nonzero: Vec<(usize, Scalar)> = outputs.filter(|&(_, output)| !graph.is_zero(output)).collect();
    if nonzero.is_empty() {
        return quote!();
    }
    let values: Vec<Scalar> = nonzero.iter().map(|(_, output)| *output).collect();
    let statements = stores(term, Scope::Term, &values, |at, value| store(nonzero[at].0, value));
    let given = inputs::found(graph, &values, &quote!(system), false);
    let frame = slot(0);
    let body = quote! { let #frame = x; #given #statements };
    where_seen(term, &body)
}

/// Emits statements for each frame of a term, which is `place`.
pub(crate) fn where_seen(term: &Term, body: &TokenStream) -> TokenStream {
    match term.over[0].part {
        SlotMembers::First => quote!(if place.index == 0 { #body }),
        SlotMembers::Last => quote!(if place.index + 1 == place.length { #body }),
        SlotMembers::At(index) => {
            let index = n(index);
            quote!(if place.index == #index { #body })
        }
        _ => quote!({ #body }),
    }
}
