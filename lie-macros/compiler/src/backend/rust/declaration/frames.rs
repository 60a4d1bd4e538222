//! Comparison of frames of a tree: the recursion for every joint, and the terms over its frame.

use proc_macro2::TokenStream;
use quote::quote;

use super::comparison::{CallComparison, DerivedFunction, comparison};
use crate::backend::rust::assembled::frame_terms::where_seen;
use crate::backend::rust::assembled::joints::{by_kind, member_of};
use crate::backend::rust::codegen::environment::slot;
use crate::backend::rust::codegen::n;
use crate::backend::rust::codegen::types::velocity_type;
use crate::model::{Argument, ArgumentKind};
use crate::schedule::{Plan, Term};

/// Emits the derived functions and the loop over the frames, if there are any.
pub(super) fn of_frames(plan: &Plan<'_>) -> Option<(TokenStream, TokenStream)> {
    let frames = plan.frames.as_ref()?;
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
        // Frames have no other arguments.
        _ => velocity.clone(),
    };
    let (above, below) = (slot(0), slot(1));
    let mut functions = TokenStream::new();
    let mut compared = |derived: &DerivedFunction<'_>, numbers, members: &TokenStream, element, along| {
        let arguments: Vec<TokenStream> = derived.function.arguments.iter().map(given).collect();
        let call = CallComparison { names: &quote!(), arguments: &arguments, numbers, members, element, along };
        let (derived_functions, statement) = comparison(derived, &call);
        functions.extend(derived_functions);
        statement
    };
    let numbers = || [quote!(place.index), quote!(place.length)];
    let joints: Vec<_> = frames.joints.iter().zip(&frames.kinematics.joints).collect();
    let recursion = by_kind(&joints, |(joint, declared)| {
        let derived = DerivedFunction {
            model: &joint.model,
            number: joint.number,
            graph: &joint.recursion.graph,
            function: &declared.function,
            entries: &joint.recursion.frame,
            rate: None,
            power: None,
        };
        let members = quote!(#above, #below,);
        let statement = compared(&derived, numbers(), &members, quote!(Some(place.index)), quote!(own));
        let member = member_of(plan, joint.field);
        quote!(let #below = #member; #statement)
    });
    let base = frames.base.iter().zip(&frames.kinematics.base).map(|(base, function)| {
        let derived = DerivedFunction {
            model: &base.model,
            number: base.number,
            graph: &base.motion.graph,
            function,
            entries: &base.motion.frame,
            rate: None,
            power: None,
        };
        compared(&derived, [quote!(0), quote!(1)], &quote!(), quote!(None), quote!(own))
    });
    let base: TokenStream = base.collect();
    // The velocity of frames on a moving base, at zero joint velocity, is not part of v.
    let (still, carried, along) = if frames.drift() {
        (
            quote!(let still = rt::placed_motions::<Self, Recursion>(self, t, q, &::std::vec![0.0; v.len()]);),
            quote!(let along = own - SVector::<f64, #dimension>::from(still[at_rest].1.velocity);),
            quote!(along),
        )
    } else {
        (quote!(), quote!(), quote!(own))
    };
    let numbered = if frames.drift() { quote!((at_rest, (place, at))) } else { quote!((place, at)) };
    let enumerated = frames.drift().then(|| quote!(.enumerate()));
    let mut of_term = |term: &Term| {
        let statements = term.equations.functions.iter().map(|declared| {
            let derived = DerivedFunction::of_term(term, declared, true);
            compared(&derived, numbers(), &quote!(#above,), quote!(Some(place.index)), along.clone())
        });
        where_seen(term, &statements.collect())
    };
    let terms: Vec<TokenStream> = frames.terms.iter().map(&mut of_term).collect();
    let body = quote! {
        let motions = rt::placed_motions::<Self, Recursion>(self, t, q, v.as_slice());
        let origin = <Recursion as rt::Frames<Self>>::origin(self, t);
        { let own = SVector::<f64, #dimension>::zeros(); #base }
        #still
        for #numbered in motions.iter()#enumerated {
            let own = SVector::<f64, #dimension>::from(at.velocity);
            #carried
            {
                let #above = motions.get(place.parent).map_or(&origin.frame, |(_, at)| &at.frame);
                #recursion
            }
            let #above = &at.frame;
            #(#terms)*
        }
    };
    Some((functions, body))
}
