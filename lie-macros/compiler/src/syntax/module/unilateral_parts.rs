//! Contacts, stops and friction of a declaration, from the arguments of their constraints.

use syn::{Block, Expr, ExprField, ItemFn, ItemStruct, parse_quote};

use crate::diagnostics::{error_with_help, source};
use crate::model::{Contact, ContactFlag, Friction, FrictionCoefficient, FrictionPlace, Stribeck};
use crate::syntax::module::unilateral_arguments::{Expected, ensure_scalar, ensure_whole, field};
use crate::syntax::role::{Keyword, RawArgument};
use crate::syntax::rust::suggest;

/// The help for an invalid value of `active`.
const USAGE: &str = "write `active = p.on_floor`, where `p` is the argument with the parameters and `on_floor: bool` is a field of them";
/// The help for invalid arguments of a stop.
const STOP_USAGE: &str = "write `#[constraint(lower = p.min, upper = p.max, stop = p.stop)]`, where `p` is the argument with the parameters, \
    and `stop: i32` is a field of them: -1 at the lower stop, 1 at the upper stop, otherwise 0";
/// The help for invalid arguments of friction.
const FRICTION_USAGE: &str = "write `#[velocity_constraint(contact = floor, friction = p.mu, slip = p.slip)]`, where `floor` is the constraint \
    with `active`, and `mu: f64` and `slip: i32` are fields of the parameters";

/// The help for invalid arguments of the friction of a joint.
const BOUND_USAGE: &str = "write `#[velocity_constraint(bound = p.torque, slip = p.slip)]`, where `torque: f64` and `slip: i32` are fields of \
    the parameters, and add `stop = elbow` if the constraint `elbow` has the stops of this joint";

/// The help for invalid arguments of the Stribeck law.
const STRIBECK_USAGE: &str = "write `#[velocity_constraint(bound = p.torque, sliding = p.sliding, stribeck = p.speed, slip = p.slip)]`, where \
    `torque` is the friction at the velocity zero, `sliding` the friction of fast sliding, and `speed` the Stribeck velocity";

/// Returns the parameter of a contact: a `bool` field of the argument with the parameters.
pub(super) fn flag(active: &RawArgument, function: &ItemFn, parameters: Option<&ItemStruct>) -> syn::Result<ExprField> {
    let help = "remove `over`, and declare one function for each contact";
    ensure_whole(function, Keyword::Constraint, help)?;
    let what = "a constraint with `active` is the gap of a contact, and has";
    ensure_scalar(function, what, "return `f64`: one constraint for each contact point")?;
    let name = format!("on_{}", function.sig.ident);
    field(active, function, parameters, &Expected { ty: "bool", name: &name, usage: USAGE })
}

/// A stop: its parameter, and the function body of the gap at each side, -1 or 1.
pub(super) struct Stops {
    pub stop: ExprField,
    pub gaps: Vec<(i32, Box<Block>)>,
}

/// Returns the parameter and the gaps of a stop.
pub(super) fn stops(
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
    let what = "a constraint with stops is one coordinate, and has";
    ensure_scalar(function, what, "return `f64`: one constraint for each coordinate")?;
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

/// Returns the friction of a velocity constraint. The friction of a joint with stops is added to them.
pub(super) fn friction(
    given: &[RawArgument],
    function: &ItemFn,
    parameters: Option<&ItemStruct>,
    contacts: &mut [Contact],
) -> syn::Result<Friction> {
    let help = "remove `over`, and declare one function for each direction";
    ensure_whole(function, Keyword::VelocityConstraint, help)?;
    let help = "return the component in the direction of sliding as `f64`; write the events of friction in two directions with `.event`";
    ensure_scalar(function, "the sliding velocity of friction has one direction and", help)?;
    let find = |name: &str| given.iter().find(|argument| argument.name == name);
    let law = ["sliding", "stribeck"].map(find);
    if let ([Some(given), _] | [_, Some(given)], Some(_)) = (law, find("contact").or(find("friction"))) {
        let message = format!(
            "`{}` belongs to the friction of a joint, and the friction of a contact has one coefficient",
            given.name
        );
        return Err(error_with_help(&given.name, message, "remove it; write the events of another law with `.event`"));
    }
    let of_joint = find("bound").or(find("stop")).or(law[0]).or(law[1]);
    let (object, usage) = match of_joint {
        Some(_) => ("joint", BOUND_USAGE),
        None => ("contact", FRICTION_USAGE),
    };
    if let (Some(_), Some(other)) = (of_joint, find("contact").or(find("friction"))) {
        let message = "friction acts at a contact or at a joint, not at both";
        let help = "write `contact` and `friction` for a contact, or `bound` for a joint";
        return Err(error_with_help(&other.name, message, help));
    }
    let argument = |name: &str| {
        let missing = || format!("friction of a {object} needs the argument `{name}`");
        find(name).ok_or_else(|| error_with_help(&given[0].name, missing(), usage))
    };
    let place = match of_joint {
        Some(_) => find("stop"),
        None => Some(argument("contact")?),
    };
    let (coefficient, typical) = if of_joint.is_some() { ("bound", "torque") } else { ("friction", "mu") };
    let value = |given: &RawArgument, typical: &'static str, usage| match &given.value {
        Some(constant @ (Expr::Lit(_) | Expr::Path(_))) => {
            Ok(FrictionCoefficient::Constant(Box::new(constant.clone())))
        }
        _ => {
            let expected = Expected { ty: "f64", name: typical, usage };
            let ExprField { member, .. } = field(given, function, parameters, &expected)?;
            syn::Result::Ok(FrictionCoefficient::Parameter(member))
        }
    };
    let coefficient = value(argument(coefficient)?, typical, usage)?;
    let stribeck = match law {
        [None, None] => None,
        [Some(sliding), Some(velocity)] => Some(Stribeck {
            sliding: value(sliding, "sliding", STRIBECK_USAGE)?,
            velocity: value(velocity, "speed", STRIBECK_USAGE)?,
        }),
        [Some(given), None] | [None, Some(given)] => {
            let message = "the Stribeck law needs the arguments `sliding` and `stribeck`";
            return Err(error_with_help(&given.name, message, STRIBECK_USAGE));
        }
    };
    let slip = field(argument("slip")?, function, parameters, &Expected { ty: "i32", name: "slip", usage })?;
    let place = match place {
        None => FrictionPlace::Joint,
        Some(place) => friction_place(place, contacts, usage, &coefficient)?,
    };
    let name = &function.sig.ident;
    Ok(Friction { tangent: name.to_string(), speed: format!("{name}_speed"), coefficient, stribeck, slip, place })
}

/// Returns the contact or the stop that an argument names, and adds the bound of the friction to a stop.
fn friction_place(
    place: &RawArgument,
    contacts: &mut [Contact],
    usage: &str,
    bound: &FrictionCoefficient,
) -> syn::Result<FrictionPlace> {
    let argument = &place.name;
    let Some(Expr::Path(path)) = &place.value else {
        let message = format!("`{argument}` expects the name of a constraint");
        return Err(error_with_help(argument, message, usage));
    };
    let is_stop = argument == "stop";
    let fits = |contact: &&mut Contact| matches!(contact.state, ContactFlag::Stop(..)) == is_stop;
    let known: Vec<String> = contacts.iter_mut().filter(fits).map(|contact| contact.constraint.to_string()).collect();
    let named = contacts.iter_mut().filter(fits).filter(|contact| path.path.is_ident(&contact.constraint));
    let mut found = None;
    for contact in named {
        found = Some(match &contact.state {
            ContactFlag::Active(active) => FrictionPlace::Contact(contact.constraint.clone(), active.clone()),
            ContactFlag::Stop(stop, _) => {
                contact.hold = Some(bound.clone());
                FrictionPlace::Stop(stop.clone())
            }
        });
    }
    found.ok_or_else(|| {
        let (with, help) = if is_stop {
            ("stops", "declare the stops: `#[constraint(lower = p.min, upper = p.max, stop = p.stop)] fn elbow(p: &Data, q: &Position) -> f64 { … }`")
        } else {
            ("`active`", "declare the gap: `#[constraint(active = p.on_floor)] fn floor(p: &Data, q: &Pose) -> f64 { … }`")
        };
        let message = format!("`{}` is not a constraint with {with}", source(path));
        let help = suggest::did_you_mean(&source(path), known.iter().map(String::as_str), help.to_owned());
        error_with_help(path, message, help)
    })
}

/// Returns an error if the contact or the stop has a second friction.
pub(super) fn ensure_one(friction: Friction, frictions: &[Friction], function: &ItemFn) -> syn::Result<Friction> {
    let is_same = |other: &Friction| match (&friction.place, &other.place) {
        (FrictionPlace::Contact(_, one), FrictionPlace::Contact(_, other))
        | (FrictionPlace::Stop(one), FrictionPlace::Stop(other)) => one == other,
        _ => false,
    };
    match frictions.iter().find(|other| is_same(other)) {
        Some(other) => {
            let message = format!(
                "`{}` and `{}` are friction at one contact, and friction acts in one direction",
                other.tangent, friction.tangent
            );
            let help = "remove one of them; write the events of friction in two directions with `.event`";
            Err(error_with_help(&function.sig.ident, message, help))
        }
        None => Ok(friction),
    }
}
