//! Frames of a kinematic tree: the kernels of the recursion.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};

use super::frame_products;
use super::frame_terms::terms;
use super::joints::{by_kind, joined, kernel, member_of, padded, point};
use crate::backend::rust::codegen::environment::Environment;
use crate::backend::rust::codegen::environment::Scope;
use crate::backend::rust::codegen::group_elements::{element_of, group_type};
use crate::backend::rust::codegen::n;
use crate::backend::rust::codegen::names::{own, text};
use crate::backend::rust::codegen::print::print;
use crate::backend::rust::codegen::types::type_name;
use crate::schedule::{Frames, JointKernels, KernelId, Plan, Term};

/// Emits the base: the `Motion` at the start of recursions.
fn origin(frames: &Frames<'_>) -> TokenStream {
    let group = group_type(frames.kinematics.frame, &quote!(S));
    let size = frames.kinematics.frame.dimension();
    let Some(base) = &frames.base else {
        return quote! {
            rt::FrameMotion {
                frame: <#group as LieGroup>::exp(&rt::zeros()),
                velocity: rt::Block::zeros(),
                acceleration: rt::Block::zeros(),
            }
        };
    };
    let names = Environment { model: &base.model, number: base.number, scope: Scope::Term };
    let outputs = base.kernels.outputs(KernelId::FrameMotion);
    let printed = print(&base.motion.graph, outputs, Some(&base.hoisted), &names);
    let statements = &printed.statements;
    let (frame, rates) = printed.outputs.split_at(base.motion.frame.len());
    let (velocity, acceleration) = rates.split_at(size);
    let frame = element_of(frames.kinematics.frame, frame);
    quote! {
        #(#statements)*
        rt::FrameMotion { frame: #frame, velocity: [#(#velocity),*], acceleration: [#(#acceleration),*] }
    }
}

/// Returns the direction of a joint that is a point of the sphere.
fn direction(plan: &Plan<'_>, frames: &Frames<'_>) -> TokenStream {
    let is_sphere = |joint: &JointKernels| plan.model.configuration.members[joint.field].group.has_sphere();
    if !frames.joints.iter().any(is_sphere) {
        return quote!(None);
    }
    by_kind(&frames.joints, |joint| {
        let member = member_of(plan, joint.field);
        if is_sphere(joint) { quote!(Some((#member).direction().into())) } else { quote!(None) }
    })
}

/// Emits the implementation of `Frames`; nothing without frames.
pub(crate) fn emit(plan: &Plan<'_>) -> TokenStream {
    let Some(frames) = &plan.frames else { return quote!() };
    let configuration = &own(&plan.model.configuration.point());
    let (kernels, products) = (kernels(plan, frames), frame_products::emit(plan, frames));
    let terms = terms(frames);
    let (size, dimension) = frames.dimensions();
    let group = group_type(frames.kinematics.frame, &quote!(S));
    let fields = frames.joints.iter().map(|joint| n(joint.field));
    let (direction, origin) = (direction(plan, frames), origin(frames));
    let has_inertia = frames.have_inertia();
    let joined: Vec<TokenStream> = plan
        .terms
        .iter()
        .filter(|term| plan.joins_frames(term))
        .map(|term| type_name(term.number).to_token_stream())
        .collect();
    let joins = !joined.is_empty();
    let prescribes =
        |term: &Term| term.equations.constraints.drift.iter().any(|&entry| !term.equations.graph.is_zero(entry));
    let drifts = frames.drift() || plan.terms.iter().any(|term| plan.joins_frames(term) && prescribes(term));
    let (vector, matrix, own) = (n(size), n(size * size), n(dimension));
    let (own_matrix, mixed) = (n(dimension * dimension), n(size * dimension));
    let columns = size + dimension;
    let (jacobian, tangents) = (n(frames.numbers_of_jacobian()), n((4 * size + columns) * columns));
    quote! {
        #[derive(::core::clone::Clone, ::core::fmt::Debug)]
        pub struct Recursion;

        impl<S: Scalar> rt::Frames<System<S>> for Recursion {
            type Frame = #group;
            type Vector = [S; #vector];
            type Matrix = [S; #matrix];
            type Member = [S; #own];
            type MemberMatrix = [S; #own_matrix];
            type Mixed = [S; #mixed];
            type Jacobian = [S; #jacobian];
            type Tangents = [S; #tangents];

            const FIELDS: &'static [usize] = &[#(#fields),*];
            const FRAME: usize = #vector;
            const MEMBER: usize = #own;
            const HAS_INERTIA: bool = #has_inertia;
            const HAS_FRAME_ELEMENTS: bool = #joins;
            const HAS_DRIFT: bool = #drifts;

            fn visit_frame_elements<V: rt::FrameElementVisitor<System<S>, Self>>(system: &System<S>, visitor: &mut V) {
                #(visitor.element::<#joined>();)*
            }

            #[inline]
            fn origin(system: &System<S>, t: S) -> rt::FrameMotion<Self::Frame, Self::Vector> {
                #origin
            }
            #[inline]
            fn direction(q: &#configuration<S>, place: &rt::Link) -> Option<[S; 3]> {
                #direction
            }
            #kernels
            #products
            #terms
        }
    }
}

/// Emits the kernels of the recursion.
#[allow(clippy::too_many_lines)] // One trait, method by method.
fn kernels(plan: &Plan<'_>, frames: &Frames<'_>) -> TokenStream {
    let (size, dimension) = frames.dimensions();
    let (above, point) = (quote!(above), point(plan));
    let motion_of_frame = quote!(rt::FrameMotion<Self::Frame, Self::Vector>);
    let group = frames.kinematics.frame;
    let largest = frames.numbers_of_jacobian();
    let zero = quote!(<S as Scalar>::from_f64(0.0));
    let one = quote!(<S as Scalar>::from_f64(1.0));
    let padded = |values: &[TokenStream], own: usize| padded(values, own, dimension);
    let all_kinds = |body: &dyn Fn(&JointKernels, usize) -> TokenStream| {
        by_kind(&frames.joints, |joint| body(joint, joint.dimension()))
    };
    let position = all_kinds(&|joint, _| {
        let (statements, values) = kernel(plan, joint, KernelId::Frame, &above);
        let value = element_of(group, &values);
        quote!(#statements #value)
    });
    let motion = all_kinds(&|joint, own| {
        let (statements, values) = kernel(plan, joint, KernelId::FrameMotion, &quote!(&above.frame));
        let (moved, rates) = values.split_at(joint.kernels.outputs(KernelId::Frame).len());
        let (velocities, accelerations) = rates.split_at(size);
        let moved = element_of(group, moved);
        let all_v = joined(&quote!(above.velocity), &quote!(v), (size, own));
        let all_a = joined(&quote!(above.acceleration), &quote!(acceleration), (size, own));
        quote! {
            let v = #all_v;
            let acceleration = #all_a;
            #statements
            rt::FrameMotion { frame: #moved, velocity: [#(#velocities),*], acceleration: [#(#accelerations),*] }
        }
    });
    let push = all_kinds(&|joint, own| {
        let (statements, values) = kernel(plan, joint, KernelId::FramePush, &above);
        let v = joined(&quote!(u), &quote!(v), (size, own));
        quote!(let v = #v; #statements [#(#values),*])
    });
    let pull = all_kinds(&|joint, own| {
        let (statements, values) = kernel(plan, joint, KernelId::FramePull, &above);
        let (pulled, rest) = values.split_at(size);
        let rest = padded(rest, own);
        quote!(#statements ([#(#pulled),*], [#(#rest),*]))
    });
    let transport = all_kinds(&|joint, own| {
        let (statements, values) = kernel(plan, joint, KernelId::FrameTransport, &above);
        let across = frame_products::across(plan, joint);
        let (moved, rest) = values.split_at(size * size);
        let (mixed, rest) = rest.split_at(size * own);
        let (block, kept) = rest.split_at(own * own);
        let mixed = padded(mixed, own);
        let mut block = padded(block, own);
        let kept = kept.iter().chain(core::iter::repeat_n(&zero, largest - kept.len()));
        for row in own..dimension {
            block.extend((0..dimension).map(|column| if row == column { one.clone() } else { zero.clone() }));
        }
        quote!(#across #statements ([#(#moved),*], [#(#mixed),*], [#(#block),*], [#(#kept),*]))
    });
    let tangents = all_kinds(&|joint, own| {
        let (statements, values) = kernel(plan, joint, KernelId::FrameTangents, &quote!(&above.frame));
        let all_v = joined(&quote!(above.velocity), &quote!(v), (size, own));
        let all_a = joined(&quote!(above.acceleration), &quote!(acceleration), (size, own));
        let mut rows: Vec<TokenStream> = Vec::new();
        for row in values.chunks(size + own) {
            rows.extend(row.iter().cloned().chain((own..dimension).map(|_| zero.clone())));
        }
        rows.extend((own..dimension).flat_map(|_| (0..size + dimension).map(|_| zero.clone())));
        quote! {
            let v = #all_v;
            let acceleration = #all_a;
            #statements
            [#(#rows),*]
        }
    });
    quote! {
        #[inline]
        fn frame(#point, above: &Self::Frame) -> Self::Frame {
            #position
        }
        #[inline]
        fn motion(
            #point, above: &#motion_of_frame, v: &Self::Member, acceleration: &Self::Member,
        ) -> #motion_of_frame {
            #motion
        }
        #[inline]
        fn push(#point, above: &Self::Frame, u: &Self::Vector, v: &Self::Member) -> Self::Vector {
            #push
        }
        #[inline]
        fn pull(#point, above: &Self::Frame, force: &Self::Vector) -> (Self::Vector, Self::Member) {
            #pull
        }
        #[cfg_attr(not(debug_assertions), inline(always))]
        fn transport(
            #point, above: &Self::Frame, inertia: &Self::Matrix,
        ) -> (Self::Matrix, Self::Mixed, Self::MemberMatrix, Self::Jacobian) {
            #transport
        }
        fn tangents(
            #point,
            above: &#motion_of_frame,
            v: &Self::Member,
            acceleration: &Self::Member,
            force: &Self::Vector,
        ) -> Self::Tangents {
            #tangents
        }
    }
}

/// Emits the check that all frames of the terms exist.
pub(crate) fn check(plan: &Plan<'_>) -> Option<TokenStream> {
    let frames = plan.frames.as_ref()?;
    let (needed, functions) = &frames.needed;
    let (field, needed) = (n(frames.joints[0].field), n(*needed));
    Some(quote!(rt::ensure_frames(&tree, layout.spans[#field].name, #needed, &[#(#functions),*])?;))
}

/// Returns the parents of the frames, for a known layout.
pub(crate) fn tree(plan: &Plan<'_>) -> Option<TokenStream> {
    let frames = plan.frames.as_ref()?;
    let fields = frames.joints.iter().map(|joint| n(joint.field));
    let parents = match &plan.model.configuration.parents {
        Some(list) => {
            let text = list.to_string();
            quote!(Some((#text, &lengths.#list)))
        }
        None => quote!(None),
    };
    Some(quote!(let tree = rt::KinematicTree::new(&layout, &[#(#fields),*], #parents)?;))
}

/// Emits the methods that return the positions, velocities and inertias of all frames.
pub(crate) fn accessor(plan: &Plan<'_>) -> Option<TokenStream> {
    let frames = plan.frames.as_ref()?;
    let configuration = &own(&plan.model.configuration.point());
    let name = frames.kinematics.name();
    let method = format_ident!("{}_frames", name);
    let group = group_type(frames.kinematics.frame, &quote!(S));
    let (rates, size) = (format_ident!("{}_velocities", name), n(frames.kinematics.frame.dimension()));
    let inertias = format_ident!("{}_inertias", name);
    let doc_of_inertias = format!(
        "Returns the matrices M of the kinetic energies ½ uᵀ M u of the frames [`{name}`] at (t, q) for their velocities u, by the indices of \
         the frames."
    );
    let doc_of_rates = format!(
        "Returns the left-trivialised velocities of the frames [`{name}`] at (t, q, v), by the indices of the frames."
    );
    let doc = format!(
        "Returns the frames [`{name}`] at (t, q), one for each joint, by index; an empty list for a configuration with other lengths."
    );
    Some(quote! {
        #[doc = #doc]
        pub fn #method(&self, t: S, q: &#configuration<S>) -> ::std::vec::Vec<#group> {
            rt::frames_of::<Self, Recursion>(self, t, q)
        }
        #[doc = #doc_of_rates]
        pub fn #rates(
            &self, t: S, q: &#configuration<S>, v: &::lie_runtime::nalgebra::DVector<S>,
        ) -> ::std::vec::Vec<::lie_runtime::nalgebra::SVector<S, #size>> {
            let motions = rt::motions_of::<Self, Recursion>(self, t, q, v.as_slice());
            motions.into_iter().map(|at| at.velocity.into()).collect()
        }
        #[doc = #doc_of_inertias]
        pub fn #inertias(
            &self, t: S, q: &#configuration<S>,
        ) -> ::std::vec::Vec<::lie_runtime::nalgebra::SMatrix<S, #size, #size>> {
            let all = rt::inertias_of::<Self, Recursion>(self, t, q);
            let entry = |at: &[S; #size * #size], row: usize, column: usize| at[row.min(column) * #size + row.max(column)];
            all.iter().map(|at| ::lie_runtime::nalgebra::SMatrix::from_fn(|row, column| entry(at, row, column))).collect()
        }
    })
}

/// Returns the layout of members, elements and rows.
pub(crate) fn layout(plan: &Plan<'_>, spans: &TokenStream, lists: &TokenStream) -> TokenStream {
    match &plan.frames {
        Some(frames) => {
            let name = text(frames.kinematics.name());
            let fields = frames.joints.iter().map(|joint| n(joint.field));
            quote!(rt::Layout::with_frames(#spans, #name, &[#(#fields),*], KINDS, #lists)?)
        }
        None => quote!(rt::Layout::new(#spans, KINDS, #lists)?),
    }
}
