//! Frames along a chain: the kernels of the recursion and of the terms that run over the frames.

use proc_macro2::{Literal, TokenStream};
use quote::{format_ident, quote};

use crate::emit::Environment;
use crate::emit::environment::{Home, slot};
use crate::emit::inputs;
use crate::emit::kernels::stores;
use crate::emit::names::own;
use crate::emit::print::print;
use crate::emit::structs::group_type;
use crate::graph::Scalar;
use crate::model::Part;
use crate::plan::{Frames, KernelId, Plan, Term};

fn n(value: usize) -> Literal {
    Literal::usize_unsuffixed(value)
}

/// The statements and values of a kernel of the recursion; `above` is the frame before.
fn kernel(plan: &Plan<'_>, frames: &Frames<'_>, id: KernelId, above: &TokenStream) -> (TokenStream, Vec<TokenStream>) {
    let names = Environment { model: &frames.model, number: frames.number, home: Home::Term };
    let printed = print(&frames.recursion.graph, frames.kernels.outputs(id), Some(&frames.hoisted), &names);
    let statements = &printed.statements;
    let member = &plan.model.configuration.members[frames.kinematics.field].name;
    let (first, second) = (slot(0), slot(1));
    let body = quote! {
        let #first = #above;
        let #second = &q.#member[place.index];
        #(#statements)*
    };
    (body, printed.outputs)
}

/// `[first[0], first[1], …, second[0], …]`.
fn joined(first: &TokenStream, second: &TokenStream, sizes: (usize, usize)) -> TokenStream {
    let first = (0..sizes.0).map(|at| {
        let at = n(at);
        quote!(#first[#at])
    });
    let second = (0..sizes.1).map(|at| {
        let at = n(at);
        quote!(#second[#at])
    });
    quote!([#(#first,)* #(#second),*])
}

/// The implementation of `Frames`; nothing without frames.
pub(in crate::emit) fn emit(plan: &Plan<'_>) -> TokenStream {
    let Some(frames) = &plan.frames else { return quote!() };
    let configuration = &own(&plan.model.configuration.item.ident);
    let kernels = kernels(plan, frames);
    let terms = terms(frames);
    let (size, dimension) = frames.dimensions();
    let group = group_type(frames.kinematics.frame, &quote!(S));
    let member = &plan.model.configuration.members[frames.kinematics.field];
    let field = n(frames.kinematics.field);
    let direction = if member.group.has_sphere() {
        let name = &member.name;
        quote!(Some(q.#name[index].direction().into()))
    } else {
        quote!(None)
    };
    let has_inertia = frames.have_inertia();
    let (vector, matrix, own) = (n(size), n(size * size), n(dimension));
    let (own_matrix, mixed) = (n(dimension * dimension), n(size * dimension));
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

            const FIELD: usize = #field;
            const FRAME: usize = #vector;
            const MEMBER: usize = #own;
            const HAS_INERTIA: bool = #has_inertia;

            #[inline]
            fn origin() -> Self::Frame {
                <#group as LieGroup>::exp(&rt::zeros())
            }
            #[inline]
            fn direction(q: &#configuration<S>, index: usize) -> Option<[S; 3]> {
                #direction
            }
            #kernels
            #terms
        }
    }
}

/// The recursion itself.
fn kernels(plan: &Plan<'_>, frames: &Frames<'_>) -> TokenStream {
    let configuration = &own(&plan.model.configuration.item.ident);
    let (size, dimension) = frames.dimensions();
    let kernel = |id, above: &TokenStream| kernel(plan, frames, id, above);
    let above = quote!(above);
    let (position, values) = kernel(KernelId::Frame, &above);
    let position_value = frames.kinematics.frame.of_numbers(&values);
    let (motion, values) = kernel(KernelId::FrameMotion, &quote!(&above.frame));
    let (moved, rates) = values.split_at(frames.kernels.outputs(KernelId::Frame).len());
    let (velocities, accelerations) = rates.split_at(size);
    let moved = frames.kinematics.frame.of_numbers(moved);
    let all_v = joined(&quote!(above.velocity), &quote!(v), (size, dimension));
    let all_a = joined(&quote!(above.acceleration), &quote!(acceleration), (size, dimension));
    let (pushing, pushed) = kernel(KernelId::FramePush, &above);
    let pushed_v = joined(&quote!(u), &quote!(v), (size, dimension));
    let (pulling, pulled) = kernel(KernelId::FramePull, &above);
    let (pulled, own) = pulled.split_at(size);
    let (transporting, transported) = kernel(KernelId::FrameTransport, &above);
    let (moved_inertia, rest) = transported.split_at(size * size);
    let (mixed, block) = rest.split_at(size * dimension);
    quote! {
        #[inline]
        fn frame(
            system: &System<S>, place: &rt::Link, t: S, q: &#configuration<S>, above: &Self::Frame,
        ) -> Self::Frame {
            #position
            #position_value
        }
        #[inline]
        fn motion(
            system: &System<S>,
            place: &rt::Link,
            t: S,
            q: &#configuration<S>,
            above: &rt::Motion<Self::Frame, Self::Vector>,
            v: &Self::Member,
            acceleration: &Self::Member,
        ) -> rt::Motion<Self::Frame, Self::Vector> {
            let v = #all_v;
            let acceleration = #all_a;
            #motion
            rt::Motion { frame: #moved, velocity: [#(#velocities),*], acceleration: [#(#accelerations),*] }
        }
        #[inline]
        fn push(
            system: &System<S>,
            place: &rt::Link,
            t: S,
            q: &#configuration<S>,
            above: &Self::Frame,
            u: &Self::Vector,
            v: &Self::Member,
        ) -> Self::Vector {
            let v = #pushed_v;
            #pushing
            [#(#pushed),*]
        }
        #[inline]
        fn pull(
            system: &System<S>,
            place: &rt::Link,
            t: S,
            q: &#configuration<S>,
            above: &Self::Frame,
            force: &Self::Vector,
        ) -> (Self::Vector, Self::Member) {
            #pulling
            ([#(#pulled),*], [#(#own),*])
        }
        #[inline]
        fn transport(
            system: &System<S>,
            place: &rt::Link,
            t: S,
            q: &#configuration<S>,
            above: &Self::Frame,
            inertia: &Self::Matrix,
        ) -> (Self::Matrix, Self::Mixed, Self::MemberMatrix) {
            #transporting
            ([#(#moved_inertia),*], [#(#mixed),*], [#(#block),*])
        }
    }
}

/// What the terms of one frame are together.
fn terms(frames: &Frames<'_>) -> TokenStream {
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
    quote! {
        #[inline]
        fn add_inertia(system: &System<S>, place: &rt::Link, t: S, x: &Self::Frame, out: &mut Self::Matrix) {
            #inertia
        }
        #[inline]
        fn add_residual(
            system: &System<S>,
            place: &rt::Link,
            t: S,
            at: &rt::Motion<Self::Frame, Self::Vector>,
            out: &mut Self::Vector,
        ) {
            let (x, v, acceleration) = (&at.frame, &at.velocity, &at.acceleration);
            #residual
        }
        #[inline]
        fn kinetic_energy(system: &System<S>, place: &rt::Link, t: S, x: &Self::Frame, v: &Self::Vector) -> S {
            let mut sum = <S as Scalar>::from_f64(0.0);
            #kinetic
            sum
        }
        #[inline]
        fn potential_energy(system: &System<S>, place: &rt::Link, t: S, x: &Self::Frame) -> S {
            let mut sum = <S as Scalar>::from_f64(0.0);
            #potential
            sum
        }
    }
}

/// One kernel of one term, where the frame is one of its own.
fn block(term: &Term, kernel: KernelId, store: &dyn Fn(usize, &TokenStream) -> TokenStream) -> TokenStream {
    let graph = &term.equations.graph;
    let outputs = term.kernels.outputs(kernel).iter().copied().enumerate();
    let nonzero: Vec<(usize, Scalar)> = outputs.filter(|&(_, output)| !graph.is_zero(output)).collect();
    if nonzero.is_empty() {
        return quote!();
    }
    let values: Vec<Scalar> = nonzero.iter().map(|(_, output)| *output).collect();
    let statements = stores(term, Home::Term, &values, |at, value| store(nonzero[at].0, value));
    let given = inputs::found(graph, &values, &quote!(system), false);
    let frame = slot(0);
    let body = quote! { let #frame = x; #given #statements };
    where_seen(term, &body)
}

/// Statements for the frames that a term runs over; `place` is one of them.
pub(in crate::emit) fn where_seen(term: &Term, body: &TokenStream) -> TokenStream {
    match term.over[0].part {
        Part::First => quote!(if place.index == 0 { #body }),
        Part::Last => quote!(if place.index + 1 == place.length { #body }),
        Part::At(index) => {
            let index = n(index);
            quote!(if place.index == #index { #body })
        }
        _ => quote!({ #body }),
    }
}

/// The check that there are as many frames as the terms name.
pub(in crate::emit) fn check(plan: &Plan<'_>) -> Option<TokenStream> {
    let frames = plan.frames.as_ref()?;
    let (needed, functions) = &frames.needed;
    let (field, needed) = (n(frames.kinematics.field), n(*needed));
    Some(quote!(rt::ensure_frames(&layout.spans[#field], #needed, &[#(#functions),*])?;))
}

/// The method that gives the positions of all frames.
pub(in crate::emit) fn accessor(plan: &Plan<'_>) -> Option<TokenStream> {
    let frames = plan.frames.as_ref()?;
    let configuration = &own(&plan.model.configuration.item.ident);
    let name = &frames.kinematics.function.name;
    let method = format_ident!("{name}_frames");
    let group = group_type(frames.kinematics.frame, &quote!(S));
    let doc = format!(
        "The frames [`{name}`] at (t, q), one for each member from the first on; none of a configuration of other lengths."
    );
    Some(quote! {
        #[doc = #doc]
        pub fn #method(&self, t: S, q: &#configuration<S>) -> ::std::vec::Vec<#group> {
            rt::frames_of::<Self, Recursion>(self, t, q)
        }
    })
}
