//! Reverse-mode differentiation of the recursion of frames and of the terms over frames: `ReverseFrames`.

use proc_macro2::TokenStream;
use quote::quote;

use super::data::add_to_data;
use crate::backend::rust::assembled::frame_terms::block;
use crate::backend::rust::assembled::joints::{by_kind, joined, kernel, point};
use crate::backend::rust::codegen::environment::Environment;
use crate::backend::rust::codegen::environment::Scope;
use crate::backend::rust::codegen::n;
use crate::backend::rust::codegen::print::print;
use crate::backend::rust::codegen::types::type_name;
use crate::diff::FramePullback;
use crate::scalar::Graph;
use crate::schedule::{Frames, JointKernels, KernelId, Plan, Term};

/// Emits the implementation; nothing without frames.
pub(super) fn emit(plan: &Plan<'_>) -> TokenStream {
    let Some(frames) = &plan.frames else { return quote!() };
    let joined = plan.terms.iter().filter(|term| plan.joins_frames(term)).map(|term| type_name(term.number));
    let (size, dimension) = frames.dimensions();
    let recursion = by_kind(&frames.joints, |joint| of_joint(plan, joint, size, dimension));
    let (point, base) = (point(plan), of_base(plan, frames, size));
    let terms = frames.terms.iter().map(|term| of_term(plan, term));
    quote! {
        impl<S: Scalar> rt::ReverseFrames<System<S>> for Recursion {
            fn visit_frame_elements_reverse<V: rt::ReverseVisitor<System<S>, rt::FrameKinematics<System<S>, Self>>>(
                system: &System<S>, visitor: &mut V,
            ) {
                #(visitor.element::<#joined>();)*
            }
            fn origin_pullback(
                system: &System<S>, t: S, of: &rt::FrameCotangents<Self::Vector>, of_parameters: &mut [S],
            ) {
                #base
            }
            fn motion_pullback(
                #point,
                above: &rt::WeightedMotion<Self::Frame, Self::Vector>,
                own: [&Self::Member; 3],
                of: &rt::FrameCotangents<Self::Vector>,
                of_parameters: &mut [S],
            ) -> (rt::FrameCotangents<Self::Vector>, [Self::Member; 2]) {
                #recursion
            }
            fn residual_pullback(
                system: &System<S>,
                place: &rt::Link,
                t: S,
                at: &rt::FrameMotion<Self::Frame, Self::Vector>,
                force: &Self::Vector,
                out: &mut rt::FrameCotangents<Self::Vector>,
                of_parameters: &mut [S],
            ) {
                let (x, v, acceleration) = (&at.frame, &at.velocity, &at.acceleration);
                #(#terms)*
            }
        }
    }
}

/// Returns the cotangents of a frame as `kinds` covector arguments of kernels.
fn covectors(size: usize, kinds: usize) -> TokenStream {
    let kinds = [quote!(frame), quote!(velocity), quote!(acceleration), quote!(weight)].into_iter().take(kinds);
    let all = kinds.flat_map(|kind| {
        (0..size).map(move |at| {
            let at = n(at);
            quote!(of.#kind[#at])
        })
    });
    quote!([#(#all),*])
}

/// Adds the nonzero cotangents of data.
fn add_data(plan: &Plan<'_>, graph: &Graph, pullback: &FramePullback, values: &[TokenStream]) -> TokenStream {
    let data = pullback.data.iter().zip(&pullback.of_data).zip(values);
    let adds = data
        .filter(|((_, output), _)| !graph.is_zero(**output))
        .map(|((&datum, _), value)| add_to_data(plan.model, datum, &quote!(system), &quote!(of_parameters), value));
    quote!(#(#adds)*)
}

/// Emits the reverse pass through the recursion of one kind of joints.
fn of_joint(plan: &Plan<'_>, joint: &JointKernels, size: usize, dimension: usize) -> TokenStream {
    let Some(pullback) = &joint.recursion.pullback else {
        bug!("gradients of frames are derived if the declaration requests them")
    };
    let (statements, values) = kernel(plan, joint, KernelId::FramePullback, &quote!(&above.at.frame));
    let own = joint.dimension();
    let zero = quote!(<S as Scalar>::from_f64(0.0));
    let (configuration, rest) = values.split_at(size + own);
    let (velocity, rest) = rest.split_at(size + own);
    let (acceleration, rest) = rest.split_at(size);
    let (weight, data) = rest.split_at(size);
    let data = add_data(plan, &joint.recursion.graph, pullback, data);
    let [of_frame, of_velocity] = [configuration, velocity].map(|all| &all[..size]);
    let [of_q, of_v] = [configuration, velocity]
        .map(|all| all[size..].iter().cloned().chain((own..dimension).map(|_| zero.clone())).collect::<Vec<_>>());
    let vectors = [quote!(velocity), quote!(acceleration)];
    let [all_v, all_a] = [0, 1].map(|at| {
        let (vector, number) = (&vectors[at], n(at));
        joined(&quote!(above.at.#vector), &quote!(own[#number]), (size, own))
    });
    let (all_w, covectors) = (joined(&quote!(above.weight), &quote!(own[2]), (size, own)), covectors(size, 4));
    quote! {
        let (v, acceleration, constraint) = (#all_v, #all_a, #all_w);
        let force = #covectors;
        #statements
        #data
        (
            rt::FrameCotangents {
                frame: [#(#of_frame),*],
                velocity: [#(#of_velocity),*],
                acceleration: [#(#acceleration),*],
                weight: [#(#weight),*],
            },
            [[#(#of_q),*], [#(#of_v),*]],
        )
    }
}

/// Emits the cotangents of the parameters of the base.
fn of_base(plan: &Plan<'_>, frames: &Frames<'_>, size: usize) -> TokenStream {
    let Some((base, pullback)) = frames.base.as_ref().and_then(|base| Some((base, base.motion.pullback.as_ref()?)))
    else {
        return quote!();
    };
    let names = Environment { model: &base.model, number: base.number, scope: Scope::Term };
    let outputs = base.kernels.outputs(KernelId::FramePullback);
    let printed = print(&base.motion.graph, outputs, Some(&base.hoisted), &names);
    let (statements, covectors) = (&printed.statements, covectors(size, 3));
    let data = add_data(plan, &base.motion.graph, pullback, &printed.outputs);
    quote! {
        let force = #covectors;
        #(#statements)*
        #data
    }
}

/// Emits the cotangents of the frame, its velocity and the parameters through the residual of a term.
fn of_term(plan: &Plan<'_>, term: &Term) -> TokenStream {
    let dof = term.dof();
    let data = term.equations.gradients.as_ref().map_or(&[][..], |gradients| &gradients.data);
    block(term, KernelId::ResidualPullback, &|at, value| {
        let component = n(at % dof);
        match at / dof {
            0 => quote!(out.frame[#component] += #value;),
            1 => quote!(out.velocity[#component] += #value;),
            _ => add_to_data(plan.model, data[at - 2 * dof], &quote!(system), &quote!(of_parameters), value),
        }
    })
}
