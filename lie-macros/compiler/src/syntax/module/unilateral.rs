//! Unilateral contacts: `#[constraint(active = p.on_floor)]`, stops: `#[constraint(lower = p.min, upper = p.max, stop = p.stop)]`, and
//! friction: `#[velocity_constraint(contact = floor, friction = p.mu, slip = p.slip)]` of a contact,
//! `#[velocity_constraint(bound = p.torque, slip = p.slip)]` of a joint, with `sliding` and `stribeck` for the Stribeck law.
//!
//! The gap becomes a constraint that acts while the parameter is true, and an `#[event]` with the gap. A stop is a contact with one row and
//! two gaps; the sign of the parameter selects the gap. The sliding velocity becomes a constraint that acts while `slip` is zero and the
//! contact is active (or the joint is not at its stop), and an `#[event]` with the sliding velocity. The Stribeck law becomes a force that acts
//! while `slip` is not zero. Invariant: no constraint has these arguments afterwards.

use proc_macro2::TokenStream;
use quote::{ToTokens, format_ident, quote};
use syn::{Ident, Item, ItemFn, ItemStruct, parse_quote};

use crate::diagnostics::ErrorCollector;
use crate::model::{Contact, ContactFlag, Contacts, Friction, FrictionCoefficient, FrictionPlace, Stribeck};
use crate::syntax::module::unilateral_arguments::{event, generated, take};
use crate::syntax::module::unilateral_parts::{ensure_one, flag, friction, stops};
use crate::syntax::role::{self, Keyword};
use crate::syntax::rust::items;

/// The target of the generated friction force of a joint.
pub(in crate::syntax) const SLIP: &str = "__slip";

/// Expands all contacts; `None` without a contact. `gradients` is the option of the declaration.
pub(in crate::syntax) fn expand(
    items: &mut Vec<Item>,
    gradients: Option<&Ident>,
    sink: &mut ErrorCollector,
) -> Option<Contacts> {
    let parameters = parameters(items).cloned();
    let (mut events, mut contacts, mut is_any) = (vec![], vec![], false);
    for function in functions(items) {
        let active = function.attrs.iter_mut().find_map(|attribute| take(attribute, Keyword::Constraint, &["active"]));
        let Some([active]) = active.as_deref() else { continue };
        is_any = true;
        let field = flag(active, function, parameters.as_ref());
        let Some(flag) = sink.take(field) else { continue };
        let (name, gap) = (function.sig.ident.clone(), format_ident!("{}_gap", function.sig.ident));
        events.push(event(function, &gap, &format!("The gap of the contact `{name}`.")));
        let block = &function.block;
        function.block = parse_quote!({ if #flag #block else { 0.0 } });
        let state = ContactFlag::Active(flag.member);
        contacts.push(Contact { name: name.to_string(), constraint: name, gap, state, hold: None });
    }
    for function in functions(items) {
        let constraint = |attribute| take(attribute, Keyword::Constraint, &["lower", "upper", "stop"]);
        let Some(given) = function.attrs.iter_mut().find_map(constraint) else { continue };
        is_any = true;
        let Some(parts) = sink.take(stops(&given, function, parameters.as_ref(), &contacts)) else { continue };
        let (stop, name) = (parts.stop, function.sig.ident.clone());
        let mut row = quote!({ 0.0 });
        for (side, gap_block) in parts.gaps {
            let (word, sign) = if side < 0 { ("lower", quote!(<)) } else { ("upper", quote!(>)) };
            let gap = format_ident!("{name}_{word}_gap");
            let of_gap = ItemFn { block: gap_block, ..function.clone() };
            events.push(event(&of_gap, &gap, &format!("The distance of `{name}` from its {word} stop.")));
            let block = of_gap.block;
            row = quote!({ if #stop #sign 0 #block else #row });
            let state = ContactFlag::Stop(stop.member.clone(), side);
            contacts.push(Contact { name: format!("{name} {word}"), constraint: name.clone(), gap, state, hold: None });
        }
        function.block = parse_quote!(#row);
    }
    let (mut has_friction, mut frictions) = (false, vec![]);
    for function in functions(items) {
        let names = ["contact", "friction", "slip", "bound", "sliding", "stribeck", "stop"];
        let velocity = |attribute| take(attribute, Keyword::VelocityConstraint, &names);
        let Some(given) = function.attrs.iter_mut().find_map(velocity) else { continue };
        has_friction = true;
        let friction = friction(&given, function, parameters.as_ref(), &mut contacts);
        let Some(friction) = sink.take(friction.and_then(|friction| ensure_one(friction, &frictions, function))) else {
            continue;
        };
        let (name, block) = (&function.sig.ident, &function.block);
        events.push(event(function, &format_ident!("{name}_speed"), &format!("The sliding velocity `{name}`.")));
        let slip = &friction.slip;
        let condition = condition(&friction.place, &slip.base);
        events
            .extend(friction.stribeck.as_ref().map(|law| stribeck_force(law, &friction, condition.as_ref(), function)));
        let condition = condition.map_or_else(|| quote!(#slip == 0), |acts| quote!(#acts && #slip == 0));
        function.block = parse_quote!({ if #condition #block else { 0.0 } });
        frictions.push(friction);
    }
    if let Some(option) = gradients.filter(|_| has_friction) {
        let message = "dry friction has no adjoint gradients";
        sink.error_with_help(option, message, "remove the option `gradients`, or the friction");
    }
    items.extend(events);
    (is_any || has_friction).then_some(Contacts { contacts, frictions })
}

/// Returns the force of the Stribeck law, F = F_c + (F_s − F_c) exp(−(u/u_s)²) against the velocity u, as a function that returns the force and u.
fn stribeck_force(law: &Stribeck, friction: &Friction, acts: Option<&TokenStream>, function: &ItemFn) -> Item {
    let Friction { coefficient, slip, tangent, .. } = friction;
    let base = &slip.base;
    let value = |coefficient: &FrictionCoefficient| match coefficient {
        FrictionCoefficient::Constant(constant) => constant.to_token_stream(),
        FrictionCoefficient::Parameter(member) => quote!(#base.#member),
    };
    let [bound, sliding, velocity] = [coefficient, &law.sliding, &law.velocity].map(value);
    let (name, block) = (format_ident!("{tangent}_sliding"), &function.block);
    let slides = |sign: TokenStream| match acts {
        Some(acts) => quote!(#acts && #slip #sign 0),
        None => quote!(#slip #sign 0),
    };
    let [forwards, backwards] = [slides(quote!(>)), slides(quote!(<))];
    let body = parse_quote!({
        let __speed: f64 = #block;
        let __ratio = __speed / #velocity;
        let __friction = #sliding + (#bound - #sliding) * (-__ratio * __ratio).exp();
        Vector2::new(if #forwards { -__friction } else if #backwards { __friction } else { 0.0 }, __speed)
    });
    let target = format_ident!("{SLIP}");
    let text = format!("The friction of `{tangent}` while it slides, and the velocity on which it acts.");
    let attributes = quote!(#[doc = #text] #[force(at = #target)]);
    generated(&ItemFn { block: Box::new(body), ..function.clone() }, &name, &attributes, &quote!(Vector2<f64>))
}

/// Returns the struct of parameters.
pub(in crate::syntax) fn parameters(items: &[Item]) -> Option<&ItemStruct> {
    let is_parameters =
        |item: &&ItemStruct| item.attrs.iter().any(|attribute| role::has_role(attribute, Keyword::Parameters));
    items::structs(items).find(is_parameters)
}

/// Returns the functions of a declaration.
fn functions(items: &mut [Item]) -> impl Iterator<Item = &mut ItemFn> {
    items.iter_mut().filter_map(|item| if let Item::Fn(function) = item { Some(function) } else { None })
}

/// Returns the condition that a friction acts, for this name of the parameters.
fn condition(place: &FrictionPlace, parameters: &impl ToTokens) -> Option<TokenStream> {
    match place {
        FrictionPlace::Contact(_, active) => Some(quote!(#parameters.#active)),
        FrictionPlace::Stop(stop) => Some(quote!(#parameters.#stop == 0)),
        FrictionPlace::Joint => None,
    }
}
