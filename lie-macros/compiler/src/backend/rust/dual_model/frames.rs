//! Declared values of frames: the recursion on dual numbers, and the terms over the frames.
//!
//! The velocity of a frame is the derivative of its declared position, so that the check shares nothing with the generated recursion. A
//! force on a frame is spatial: it acts on the displacement of the frame.

use proc_macro2::TokenStream;
use quote::{ToTokens, quote};

use super::declared::{self, DeclaredFunctions, TermBodies};
use crate::backend::headings::heading;
use crate::backend::rust::assembled::frame_terms::where_seen;
use crate::backend::rust::assembled::joints::{by_kind, member_of};
use crate::backend::rust::codegen::environment::slot;
use crate::backend::rust::codegen::group_elements::group_type;
use crate::backend::rust::codegen::n;
use crate::backend::rust::codegen::names;
use crate::backend::rust::codegen::names::own;
use crate::backend::rust::codegen::types::vectors;
use crate::backend::rust::codegen::types::velocity_type;
use crate::backend::rust::declaration::comparison::{DerivedCall, derived_call};
use crate::model::{RoleFunction, SlotMembers};
use crate::schedule::{Frames, Plan, Term};

/// Adds the names of the recursion and of the terms over frames to `terms`.
pub(super) fn names(plan: &Plan<'_>, frames: &Frames<'_>) -> TokenStream {
    let recursion = {
        let name = format!("`{}`", frames.kinematics.name());
        quote!((#name, None))
    };
    let terms = frames.terms.iter().map(|term| {
        let (over, functions) = heading(plan.model, term);
        let (name, last) = (format!("{functions} over {over}"), last(term));
        quote!((#name, #last))
    });
    quote!(terms.extend(rt::frame_terms(self, &[#recursion, #(#terms),*]));)
}

/// Returns the last frame of a term, if the term does not cover all frames.
fn last(term: &Term) -> TokenStream {
    let last = match term.over[0].part {
        SlotMembers::First => 0,
        SlotMembers::At(index) => index,
        _ => return quote!(None),
    };
    let last = n(last);
    quote!(Some(#last))
}

/// Returns the values of the recursion and of the terms over single frames.
pub(super) fn bodies(frames: &Frames<'_>) -> impl Iterator<Item = TermBodies> {
    std::iter::once(of_recursion(frames)).chain(frames.terms.iter().map(|term| of_term(frames, term)))
}

/// Emits the recursion on dual numbers as a function.
pub(super) fn emit(plan: &Plan<'_>, frames: &Frames<'_>) -> TokenStream {
    let kinematics = frames.kinematics;
    let size = n(kinematics.frame.dimension());
    let configuration = &own(&plan.model.configuration.point());
    let [velocity, _] = vectors(plan, &quote!(rt::Dual<S>));
    let [frame, lifted] =
        [quote!(rt::Dual<S>), quote!(rt::Dual<rt::Dual<S>>)].map(|s| group_type(kinematics.frame, &s));
    let value = |function: &RoleFunction, numbers, members: &TokenStream| {
        let call = DerivedCall { system: quote!(lifted), numbers, members };
        derived_call(plan.model, function, &quote!(rt::Dual<rt::Dual<S>>), &call)
    };
    let (above, below) = (slot(0), slot(1));
    let next = by_kind(&kinematics.joints, |joint| {
        let member = member_of(plan, joint.field);
        let numbers = [quote!(place.index), quote!(place.length)];
        let value = value(&joint.function, numbers, &quote!(#above, #below,));
        quote!(let #below = #member; #value)
    });
    let base = match &kinematics.base {
        Some(base) => value(base, [quote!(0), quote!(1)], &quote!()),
        None => quote!(<#lifted as LieGroup>::exp(&rt::zeros())),
    };
    quote! {
        fn declared_frames<S: Scalar>(
            system: &System<rt::Dual<S>>, t: rt::Dual<S>, q: &#configuration<rt::Dual<S>>, v: &#velocity,
        ) -> ::std::vec::Vec<rt::DeclaredFrame<#frame, rt::Dual<S>, #size>> {
            let lifted = &rt::DualModel::lift(system);
            let (t, q) = rt::lift_motion(system, lifted, (t, q, v));
            let base: #lifted = #base;
            let links = system.structure.tree().links();
            let mut frames: ::std::vec::Vec<#lifted> = ::std::vec::Vec::with_capacity(links.len());
            for place in links {
                let #above = frames.get(place.parent).unwrap_or(&base);
                let frame = { #next };
                frames.push(frame);
            }
            let frames = links.iter().zip(&frames);
            frames.map(|(place, frame)| rt::declared_frame::<rt::Dual<S>, #lifted, #size>(*place, frame)).collect()
        }
    }
}

/// Emits a loop over all declared frames; `place` is the position and `own` the velocity of a frame.
fn each_declared(frames: &Frames<'_>, body: &TokenStream) -> TokenStream {
    let (frame, velocities) = (slot(0), velocity_of(frames, &quote!(Dual<S>)));
    quote! {
        for frame in declared_frames::<S>(lifted, t, q, v) {
            let (place, #frame, own) = (frame.place, &frame.frame, frame.velocity);
            #velocities
            #body
        }
    }
}

/// Emits a loop over all generated frames.
fn each_generated(frames: &Frames<'_>, body: &TokenStream) -> TokenStream {
    let (frame, size) = (slot(0), n(frames.kinematics.frame.dimension()));
    let velocities = velocity_of(frames, &quote!(S));
    quote! {
        for (place, at) in rt::placed_motions::<Self, Recursion>(self, t, q, v.as_slice()) {
            let (#frame, own) = (&at.frame, SVector::<S, #size>::from(at.velocity));
            #velocities
            #body
        }
    }
}

/// Returns `own` in the form of the function arguments.
fn velocity_of(frames: &Frames<'_>, s: &TokenStream) -> TokenStream {
    let is_scalar = velocity_type(frames.kinematics.frame, s).to_string() == s.to_string();
    if is_scalar { quote!(let velocity_0 = own[0];) } else { quote!(let velocity_0 = own;) }
}

/// Calls `visit` with the name and the index of the frame, if there are several frames.
fn numbered(name: &str) -> TokenStream {
    let pattern = format!("{name}[{{}}]");
    quote!(&::std::format!(#pattern, place.index))
}

/// Returns the coordinates that change at the velocity of a frame.
fn displacement(frames: &Frames<'_>) -> TokenStream {
    declared::displacement(frames.kinematics.frame, &slot(0).to_token_stream())
}

/// Returns the values of the recursion: velocities of frames, and rotations about the directions of spheres.
fn of_recursion(frames: &Frames<'_>) -> TermBodies {
    let name = numbered(&names::text(frames.kinematics.name()));
    let spin = declared::visit(&quote!([rt::spin_energy::<Self::Lifted, Recursion>(lifted, q, v)]));
    let spin = declared::if_wanted("KineticEnergy", &spin);
    let moved =
        declared::if_wanted("Quantity", &each_declared(frames, &declared::visit_named(&name, &displacement(frames))));
    TermBodies {
        declared: quote!(#spin #moved),
        rates: each_generated(frames, &quote!(visit(own.as_slice());)),
        rate_gradient: TokenStream::new(),
    }
}

/// Returns the values of a term over frames. Terms over single frames have no constraints, and their forces are spatial.
fn of_term(frames: &Frames<'_>, term: &Term) -> TermBodies {
    let named = if term.runs() { numbered } else { |name: &str| name.to_token_stream() };
    let functions = DeclaredFunctions { term, frames: Some(displacement(frames)), named };
    TermBodies {
        declared: each_declared(frames, &where_seen(term, &functions.values(None))),
        rates: each_generated(frames, &where_seen(term, &functions.rates())),
        rate_gradient: TokenStream::new(),
    }
}
