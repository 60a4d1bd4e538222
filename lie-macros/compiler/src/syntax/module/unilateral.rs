//! Unilateral contacts: `#[constraint(active = p.on_floor)]`, and their friction:
//! `#[velocity_constraint(contact = floor, friction = p.mu, slip = p.slip)]`.
//!
//! The gap becomes a constraint that acts while the parameter is true, and an `#[event]` with the gap. The sliding velocity becomes a
//! constraint that acts while the contact is active and `slip` is zero, and an `#[event]` with the sliding velocity. Invariant: no constraint
//! has these arguments afterwards.

use quote::{ToTokens, format_ident, quote};
use syn::punctuated::Punctuated;
use syn::{
    Attribute, Expr, ExprField, Fields, FnArg, Ident, Item, ItemFn, ItemStruct, Member, Pat, Path, ReturnType, Token,
    parse_quote,
};

use crate::diagnostics::{ErrorCollector, error_with_help, source};
use crate::model::ContactForces;
use crate::syntax::role::{self, Keyword, RawArgument};
use crate::syntax::rust::suggest;

/// The contacts of a declaration.
pub(in crate::syntax) struct Contacts {
    /// The implementation that lists them.
    pub list: Item,
    pub forces: ContactForces,
}

/// A contact: its constraint, its parameter, and its friction.
struct Contact {
    constraint: Ident,
    gap: Ident,
    active: Member,
    friction: Option<Friction>,
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
        contacts.push(Contact { constraint: name, gap, active: flag.member, friction: None });
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
        let (block, base, active) = (&function.block, &slip.base, &contact.active);
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
    let contacts = contacts.iter().map(|Contact { constraint, gap, active, friction }| {
        let (constraint, gap) = (constraint.to_string(), gap.to_string());
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
                constraint: #constraint,
                gap: #gap,
                is_active: |parameters| parameters.#active,
                set_active: |parameters, active| parameters.#active = active,
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

/// Removes the arguments with these names from the attribute of a role, and returns them; `None` if there are none.
fn take(attribute: &mut Attribute, keyword: Keyword, names: &[&str]) -> Option<Vec<RawArgument>> {
    if !role::has_role(attribute, keyword) {
        return None;
    }
    // Other errors are reported where the arguments of all roles are read.
    let arguments = attribute.parse_args_with(Punctuated::<RawArgument, Token![,]>::parse_terminated).ok()?;
    let (taken, others): (Vec<_>, Vec<_>) =
        arguments.into_iter().partition(|argument| names.iter().any(|name| argument.name == name));
    // A duplicate remains, and is an error there.
    let is_duplicate = names.iter().any(|name| taken.iter().filter(|argument| argument.name == name).count() > 1);
    if taken.is_empty() || is_duplicate {
        return None;
    }
    let path = attribute.path();
    let others = others.iter().map(|RawArgument { name, value }| match value {
        Some(value) => quote!(#name = #value),
        None => quote!(#name),
    });
    attribute.meta = if others.len() == 0 { parse_quote!(#path) } else { parse_quote!(#path(#(#others),*)) };
    Some(taken)
}

/// The help for an invalid value of `active`.
const USAGE: &str = "write `active = p.on_floor`, where `p` is the argument with the parameters and `on_floor: bool` is a field of them";
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
    let known: Vec<String> = contacts.iter().map(|contact| contact.constraint.to_string()).collect();
    let found = contacts.iter_mut().find(|contact| path.path.is_ident(&contact.constraint));
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

/// Returns an error for a function over elements.
fn ensure_whole(function: &ItemFn, keyword: Keyword, help: &str) -> syn::Result<()> {
    let constraint = function.attrs.iter().find(|attribute| role::has_role(attribute, keyword));
    match constraint.and_then(|attribute| role::over(keyword, attribute)) {
        Some(over) => Err(error_with_help(over, "a contact acts on the whole configuration, not over elements", help)),
        None => Ok(()),
    }
}

/// Returns the type of the value of a function.
fn output(function: &ItemFn) -> String {
    match &function.sig.output {
        ReturnType::Type(_, ty) => source(ty),
        ReturnType::Default => "()".to_owned(),
    }
}

/// The parameter that an argument expects: its type, a typical name, and the help.
struct Expected<'e> {
    ty: &'static str,
    name: &'e str,
    usage: &'static str,
}

/// Returns the value of an argument: a field of the function's argument with the parameters.
fn field(
    given: &RawArgument,
    function: &ItemFn,
    parameters: Option<&ItemStruct>,
    &Expected { ty: expected, name: typical, usage }: &Expected<'_>,
) -> syn::Result<ExprField> {
    let argument = &given.name;
    let Some(value) = &given.value else {
        return Err(error_with_help(argument, format!("missing value of `{argument}`"), usage));
    };
    let article = if expected == "bool" { "a" } else { "an" };
    let expects = format!("`{argument}` expects {article} `{expected}` of the parameters");
    let field = match value {
        Expr::Field(field) if matches!(&*field.base, Expr::Path(_)) => field,
        _ => return Err(error_with_help(value, expects, usage)),
    };
    let base = source(&field.base);
    let owner = function.sig.inputs.iter().find_map(|input| match input {
        FnArg::Typed(typed) if matches!(&*typed.pat, Pat::Ident(name) if name.ident == base) => Some(&typed.ty),
        _ => None,
    });
    let Some(parameters) = parameters else {
        return Err(error_with_help(
            value,
            format!("`{argument}` needs parameters"),
            format!("declare `#[parameters] pub struct Data {{ pub {typical}: {expected} }}`"),
        ));
    };
    let reference = format!("&{}", parameters.ident);
    if owner.is_none_or(|ty| source(ty) != reference) {
        let message = format!("`{base}` is not the argument of `{}` with the parameters", function.sig.ident);
        return Err(error_with_help(&field.base, message, format!("add the argument `{base}: {reference}`")));
    }
    let (Member::Named(name), Fields::Named(fields)) = (&field.member, &parameters.fields) else {
        return Err(error_with_help(value, expects, usage));
    };
    let ty = fields.named.iter().find(|known| known.ident.as_ref() == Some(name)).map(|known| source(&known.ty));
    match ty.as_deref() {
        Some(ty) if ty == expected => Ok(field.clone()),
        Some(ty) => Err(error_with_help(
            name,
            format!("{expects}, and `{name}` is `{ty}`"),
            format!("declare a field for the contact, such as `pub {typical}: {expected}`"),
        )),
        None => {
            let similar = fields.named.iter().filter(|known| source(&known.ty) == expected);
            let similar: Vec<String> =
                similar.filter_map(|known| known.ident.as_ref()).map(ToString::to_string).collect();
            let help = format!("add `pub {name}: {expected}` to `{}`", parameters.ident);
            let help = suggest::did_you_mean(&name.to_string(), similar.iter().map(String::as_str), help);
            Err(error_with_help(name, format!("`{}` has no field `{name}`", parameters.ident), help))
        }
    }
}

/// Returns an event with the value of a function without its condition, with the arguments that its body contains.
fn event(function: &ItemFn, name: &Ident, text: &str) -> Item {
    let (visibility, block) = (&function.vis, &function.block);
    let is_used = |input: &&FnArg| match input {
        FnArg::Typed(typed) => {
            !matches!(&*typed.pat, Pat::Ident(name) if !super::super::mentions(block, &name.ident.to_string()))
        }
        FnArg::Receiver(_) => true,
    };
    let inputs = function.sig.inputs.iter().filter(is_used);
    parse_quote! {
        #[doc = #text]
        #[event]
        #visibility fn #name(#(#inputs),*) -> f64 #block
    }
}
