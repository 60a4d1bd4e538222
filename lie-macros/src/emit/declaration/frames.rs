//! Of frames along a chain: the recursion for every member, and the terms that run over its frame.
//!
//! The velocity of a frame is not a function of its own position, so that rates of opaque functions are not compared here.

use proc_macro2::TokenStream;
use quote::quote;

use super::{Call, Reading, comparison, n};
use crate::emit::assembled::frames::where_seen;
use crate::emit::environment::slot;
use crate::emit::structs::velocity_type;
use crate::model::{Argument, ArgumentKind};
use crate::plan::Plan;

/// The readings and the loop over the frames, if there are any.
pub(super) fn of_frames(plan: &Plan<'_>) -> Option<(TokenStream, TokenStream)> {
    let frames = plan.frames.as_ref()?;
    let kinematics = &frames.kinematics.function;
    let member = &plan.model.configuration.members[frames.kinematics.field].name;
    let reading = Reading {
        model: &frames.model,
        number: frames.number,
        graph: &frames.recursion.graph,
        function: kinematics,
        entries: &frames.recursion.frame,
        rate: None,
    };
    let dimension = n(frames.kinematics.frame.dimension());
    let is_scalar = velocity_type(frames.kinematics.frame, &quote!(f64)).to_string() == "f64";
    let velocity = if is_scalar { quote!(&own[0]) } else { quote!(&own) };
    let given = |argument: &Argument| match argument.kind {
        ArgumentKind::Parameters => quote!(&self.parameters),
        ArgumentKind::Inputs => quote!(&inputs),
        ArgumentKind::Time => quote!(t),
        ArgumentKind::Index => quote!(place.index),
        ArgumentKind::Length => quote!(place.length),
        ArgumentKind::Members(at) => {
            let slot = slot(at);
            quote!(#slot)
        }
        // Frames are functions of nothing else.
        _ => velocity.clone(),
    };
    let numbers = || [quote!(place.index), quote!(place.length)];
    let arguments: Vec<TokenStream> = kinematics.arguments.iter().map(given).collect();
    let (above, below) = (slot(0), slot(1));
    let (mut functions, recursion) = comparison(
        &reading,
        &Call {
            names: &quote!(),
            arguments: &arguments,
            numbers: numbers(),
            members: &quote!(#above, #below,),
            element: quote!(Some(place.index)),
        },
    );
    let terms: Vec<TokenStream> = frames
        .terms
        .iter()
        .map(|term| {
            let comparisons = term.equations.functions.iter().map(|read| {
                let (model, graph) = (&term.model, &term.equations.graph);
                let function = &model.functions[read.function];
                let reading =
                    Reading { model, number: term.number, graph, function, entries: &read.entries, rate: None };
                let arguments: Vec<TokenStream> = function.arguments.iter().map(given).collect();
                comparison(
                    &reading,
                    &Call {
                        names: &quote!(),
                        arguments: &arguments,
                        numbers: numbers(),
                        members: &quote!(#above,),
                        element: quote!(Some(place.index)),
                    },
                )
            });
            let (readings, statements): (TokenStream, TokenStream) = comparisons.unzip();
            functions.extend(readings);
            where_seen(term, &statements)
        })
        .collect();
    let body = quote! {
        let motions = rt::motions_of::<Self, Recursion>(self, t, q, v.as_slice());
        let length = motions.len();
        let origin = <Recursion as rt::Frames<Self>>::origin();
        for index in 0..length {
            let (place, at) = (rt::Link { index, length }, &motions[index]);
            let own = SVector::<f64, #dimension>::from(at.velocity);
            {
                let #above = if index == 0 { &origin } else { &motions[index - 1].frame };
                let #below = &q.#member[index];
                #recursion
            }
            let #above = &at.frame;
            #(#terms)*
        }
    };
    Some((functions, body))
}
