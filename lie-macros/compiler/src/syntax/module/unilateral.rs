//! Unilateral contacts: `#[constraint(active = p.on_floor)]`, stops: `#[constraint(lower = p.min, upper = p.max, stop = p.stop)]`, and
//! friction: `#[velocity_constraint(contact = floor, friction = p.mu, slip = p.slip)]`.
//!
//! The gap becomes a constraint that acts while the parameter is true, and an `#[event]` with the gap. A stop is a contact with one row and
//! two gaps; the sign of the parameter selects the gap. The sliding velocity becomes a constraint that acts while the contact is active and
//! `slip` is zero, and an `#[event]` with the sliding velocity. Invariant: no constraint has these arguments afterwards.

use quote::{ToTokens, format_ident, quote};
use syn::{Block, Expr, ExprField, Ident, Item, ItemFn, ItemStruct, Member, Path, parse_quote};

use crate::diagnostics::{ErrorCollector, error_with_help, source};
use crate::model::ContactForces;
use crate::syntax::module::unilateral_arguments::{Expected, ensure_whole, event, field, output, take};
use crate::syntax::role::{self, Keyword, RawArgument};
use crate::syntax::rust::suggest;

/// The contacts of a declaration.
pub(in crate::syntax) struct Contacts {
    /// The implementation that lists them.
    pub list: Item,
    pub forces: ContactForces,
}

/// A contact: its name, its constraint, the event with its gap, its state, and its friction. A stop has one or two of them.
struct Contact {
    name: String,
    constraint: Ident,
    gap: Ident,
    state: ContactFlag,
    friction: Option<Friction>,
}

/// The parameter that activates a contact.
enum ContactFlag {
    /// A `bool`.
    Active(Member),
    /// An `i32` that has this sign at the stop, and is zero between the stops.
    Stop(Member, i32),
}

/// The friction of a contact: its velocity constraint, its event, and its parameters.
struct Friction {
    tangent: String,
    speed: String,
    coefficient: Member,
    slip: Member,
}

/// Expands all contacts; `None` without a contact. `runtime` is the path of the runtime if it has another name. `gradients` is the option of
/// the declaration.
pub(in crate::syntax) fn expand(
    items: &mut Vec<Item>,
    runtime: Option<&Path>,
    gradients: Option<&Ident>,
    sink: &mut ErrorCollector,
) -> Option<Contacts> {
    let is_parameters =
        |item: &&ItemStruct| item.attrs.iter().any(|attribute| role::has_role(attribute, Keyword::Parameters));
    let mut structs = items.iter().filter_map(|item| if let Item::Struct(item) = item { Some(item) } else { None });
    let parameters = structs.find(is_parameters).cloned();
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
        contacts.push(Contact { name: name.to_string(), constraint: name, gap, state, friction: None });
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
            contacts.push(Contact {
                name: format!("{name} {word}"),
                constraint: name.clone(),
                gap,
                state,
                friction: None,
            });
        }
        function.block = parse_quote!(#row);
    }
    let mut has_friction = false;
    for function in functions(items) {
        let given = function
            .attrs
            .iter_mut()
            .find_map(|attribute| take(attribute, Keyword::VelocityConstraint, &["contact", "friction", "slip"]));
        let Some(given) = given else { continue };
        has_friction = true;
        let friction = friction(&given, function, parameters.as_ref(), &mut contacts);
        let Some((contact, [coefficient, slip])) = sink.take(friction) else { continue };
        let (name, speed) = (function.sig.ident.to_string(), format_ident!("{}_speed", function.sig.ident));
        events.push(event(function, &speed, &format!("The sliding velocity `{name}` of the contact.")));
        let (block, base) = (&function.block, &slip.base);
        let ContactFlag::Active(active) = &contact.state else { continue };
        function.block = parse_quote!({ if #base.#active && #slip == 0 #block else { 0.0 } });
        let (coefficient, slip) = (coefficient.member, slip.member);
        contact.friction = Some(Friction { tangent: name, speed: speed.to_string(), coefficient, slip });
    }
    if let Some(option) = gradients.filter(|_| has_friction) {
        let message = "the friction of a contact has no adjoint gradients";
        sink.error_with_help(option, message, "remove the option `gradients`, or the friction");
    }
    items.extend(events);
    let forces = if has_friction { ContactForces::NormalAndFriction } else { ContactForces::Normal };
    (is_any || has_friction).then(|| Contacts { list: list(&contacts, runtime), forces })
}

/// Returns the functions of a declaration.
fn functions(items: &mut [Item]) -> impl Iterator<Item = &mut ItemFn> {
    items.iter_mut().filter_map(|item| if let Item::Fn(function) = item { Some(function) } else { None })
}

/// Returns the implementation that lists the contacts.
fn list(contacts: &[Contact], runtime: Option<&Path>) -> Item {
    let contacts = contacts.iter().map(|Contact { name, constraint, gap, state, friction }| {
        let (constraint, gap) = (constraint.to_string(), gap.to_string());
        let (is_active, set_active) = match state {
            ContactFlag::Active(flag) => (quote!(parameters.#flag), quote!(parameters.#flag = active)),
            ContactFlag::Stop(stop, side) => {
                let is_active = if *side < 0 { quote!(parameters.#stop < 0) } else { quote!(parameters.#stop > 0) };
                (is_active, quote!(parameters.#stop = if active { #side } else { 0 }))
            }
        };
        let friction = match friction {
            None => quote!(::core::option::Option::None),
            Some(Friction { tangent, speed, coefficient, slip }) => quote! {
                ::core::option::Option::Some(rt::ContactFriction {
                    tangent: #tangent,
                    speed: #speed,
                    coefficient: |parameters| parameters.#coefficient,
                    slip: |parameters| parameters.#slip,
                    set_slip: |parameters, slip| parameters.#slip = slip,
                })
            },
        };
        quote! {
            rt::UnilateralContact {
                name: #name,
                constraint: #constraint,
                gap: #gap,
                is_active: |parameters| #is_active,
                set_active: |parameters, active| #set_active,
                friction: #friction,
            }
        }
    });
    let runtime = runtime.map_or_else(|| quote!(::lie_runtime), ToTokens::to_token_stream);
    parse_quote! {
        const _: () = {
            use #runtime::__private as rt;
            impl<__S: rt::Scalar> rt::UnilateralContacts for System<__S> {
                fn contacts() -> &'static [rt::UnilateralContact<<Self as rt::Parametrised>::Parameters, __S>] {
                    const { &[#(#contacts),*] }
                }
            }
        };
    }
}

/// The help for an invalid value of `active`.
const USAGE: &str = "write `active = p.on_floor`, where `p` is the argument with the parameters and `on_floor: bool` is a field of them";
/// The help for invalid arguments of a stop.
const STOP_USAGE: &str = "write `#[constraint(lower = p.min, upper = p.max, stop = p.stop)]`, where `p` is the argument with the parameters, \
    and `stop: i32` is a field of them: -1 at the lower stop, 1 at the upper stop, otherwise 0";
/// The help for invalid arguments of friction.
const FRICTION_USAGE: &str = "write `#[velocity_constraint(contact = floor, friction = p.mu, slip = p.slip)]`, where `floor` is the constraint \
    with `active`, and `mu: f64` and `slip: i32` are fields of the parameters";

/// Returns the parameter of a contact: a `bool` field of the argument with the parameters.
fn flag(active: &RawArgument, function: &ItemFn, parameters: Option<&ItemStruct>) -> syn::Result<ExprField> {
    let help = "remove `over`, and declare one function for each contact";
    ensure_whole(function, Keyword::Constraint, help)?;
    let output = output(function);
    if output != "f64" {
        let message =
            format!("a constraint with `active` is the gap of a contact, and has the type `f64`, not `{output}`");
        return Err(error_with_help(&function.sig, message, "return `f64`: one constraint for each contact point"));
    }
    let name = format!("on_{}", function.sig.ident);
    field(active, function, parameters, &Expected { ty: "bool", name: &name, usage: USAGE })
}

/// A stop: its parameter, and the function body of the gap at each side, -1 or 1.
struct Stops {
    stop: ExprField,
    gaps: Vec<(i32, Box<Block>)>,
}

/// Returns the parameter and the gaps of a stop.
fn stops(
    given: &[RawArgument],
    function: &ItemFn,
    parameters: Option<&ItemStruct>,
    contacts: &[Contact],
) -> syn::Result<Stops> {
    ensure_whole(function, Keyword::Constraint, "remove `over`, and declare one function for each coordinate")?;
    let name = &function.sig.ident;
    if contacts.iter().any(|contact| contact.constraint == *name) {
        let message = format!("`{name}` has `active`, and is a contact without stops");
        return Err(error_with_help(&given[0].name, message, "remove `active`, or `lower`, `upper` and `stop`"));
    }
    let output = output(function);
    if output != "f64" {
        let message = format!("a constraint with stops is one coordinate, and has the type `f64`, not `{output}`");
        return Err(error_with_help(&function.sig, message, "return `f64`: one constraint for each coordinate"));
    }
    let find = |name: &str| given.iter().find(|argument| argument.name == name);
    let Some(stop) = find("stop") else {
        return Err(error_with_help(&given[0].name, "a stop needs the argument `stop`", STOP_USAGE));
    };
    let stop = field(stop, function, parameters, &Expected { ty: "i32", name: "stop", usage: STOP_USAGE })?;
    let block = &function.block;
    let mut gaps = vec![];
    for (side, argument) in [(-1, find("lower")), (1, find("upper"))] {
        let Some(argument) = argument else { continue };
        let Some(limit) = &argument.value else {
            return Err(error_with_help(&argument.name, format!("missing value of `{}`", argument.name), STOP_USAGE));
        };
        gaps.push((
            side,
            if side < 0 { parse_quote!({ (#block) - (#limit) }) } else { parse_quote!({ (#limit) - (#block) }) },
        ));
    }
    if gaps.is_empty() {
        return Err(error_with_help(&given[0].name, "a stop needs `lower` or `upper`", STOP_USAGE));
    }
    Ok(Stops { stop, gaps })
}

/// Returns the contact with this friction, and the parameters `friction` and `slip`.
fn friction<'c>(
    given: &[RawArgument],
    function: &ItemFn,
    parameters: Option<&ItemStruct>,
    contacts: &'c mut [Contact],
) -> syn::Result<(&'c mut Contact, [ExprField; 2])> {
    let help = "remove `over`, and declare one function for each contact";
    ensure_whole(function, Keyword::VelocityConstraint, help)?;
    let output = output(function);
    if output != "f64" {
        let message = format!("the sliding velocity of a contact has one direction and the type `f64`, not `{output}`");
        let help = "return the component in the direction of sliding as `f64`; write the events of friction in two directions with `.event`";
        return Err(error_with_help(&function.sig, message, help));
    }
    let argument = |name: &str| {
        let found = given.iter().find(|argument| argument.name == name);
        found.ok_or_else(|| {
            error_with_help(
                &given[0].name,
                format!("friction of a contact needs the argument `{name}`"),
                FRICTION_USAGE,
            )
        })
    };
    let contact = argument("contact")?;
    let Some(Expr::Path(path)) = &contact.value else {
        return Err(error_with_help(&contact.name, "`contact` expects the name of a constraint", FRICTION_USAGE));
    };
    let mut contacts: Vec<_> =
        contacts.iter_mut().filter(|contact| matches!(contact.state, ContactFlag::Active(_))).collect();
    let known: Vec<String> = contacts.iter().map(|contact| contact.constraint.to_string()).collect();
    let found = contacts.drain(..).find(|contact| path.path.is_ident(&contact.constraint));
    let Some(found) = found else {
        let message = format!("`{}` is not a constraint with `active`", source(path));
        let help = "declare the gap: `#[constraint(active = p.on_floor)] fn floor(p: &Data, q: &Pose) -> f64 { … }`"
            .to_owned();
        let help = suggest::did_you_mean(&source(path), known.iter().map(String::as_str), help);
        return Err(error_with_help(path, message, help));
    };
    if found.friction.is_some() {
        let message = format!(
            "the contact `{}` has two sliding velocities, and friction acts in one direction",
            found.constraint
        );
        return Err(error_with_help(
            path,
            message,
            "remove one of them; write the events of friction in two directions with `.event`",
        ));
    }
    let expected = |ty, name| Expected { ty, name, usage: FRICTION_USAGE };
    let coefficient = field(argument("friction")?, function, parameters, &expected("f64", "mu"))?;
    let slip = field(argument("slip")?, function, parameters, &expected("i32", "slip"))?;
    Ok((found, [coefficient, slip]))
}
