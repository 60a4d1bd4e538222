//! Functions with a role: return types, targets of forces, sizes.
//!
//! Invariant: every size that a return type states agrees with the configuration, and every force has a target.

use std::fmt::Write;

use syn::punctuated::Punctuated;
use syn::{Expr, FnArg, Ident, ReturnType, Type};

use super::collect::Declared;
use super::constants::Constants;
use super::element;
use super::keyword::{self, Keyword, RoleArgument};
use super::kinematics;
use super::output::{Wanted, default_output, output};
use super::over;
use super::shape;
use super::signature;
use super::suggest;
use super::told::Names;
use crate::diagnostics::{Diagnostics, and_at, error_with_help, source};
use crate::model::{Configuration, ForceTarget, Group, Member, Output, Role, RoleFunction, Selection};

/// Name, shape and `over` of a quantity.
pub(super) type Quantity = (Ident, Option<Output>, Option<Expr>);

/// What checking a function needs to know about the others.
pub(super) struct Context<'a> {
    pub names: &'a Names,
    pub constants: &'a Constants,
    /// The members' names, those of wrong groups included.
    pub fields: Vec<Ident>,
    /// `None` if the configuration is wrong: sizes are then not checked.
    pub configuration: Option<&'a Configuration>,
    /// The same with frames as one more chain: what terms may run over.
    pub with_frames: Option<&'a Configuration>,
    /// Names and shapes of quantities.
    pub quantities: Vec<Quantity>,
}

/// Names, shapes and elements of the quantities among `functions`.
pub(super) fn quantities(functions: &[Declared], constants: &Constants) -> Vec<Quantity> {
    functions
        .iter()
        .filter(|declared| declared.keyword == Keyword::Quantity)
        .map(|declared| {
            let shape = return_type(declared).and_then(|ty| shape::of_quantity(ty, constants).ok());
            // What is wrong with the arguments is reported where the function is read.
            let mut silent = Diagnostics::new();
            let (given, _) = keyword::arguments(declared.keyword, &declared.attribute, &mut silent);
            let _ = silent.finish();
            let over = given.into_iter().find(|argument| argument.name == "over").map(|argument| argument.value);
            (declared.item.sig.ident.clone(), shape, over)
        })
        .collect()
}

pub(super) fn return_type(declared: &Declared) -> Option<&Type> {
    match &declared.item.sig.output {
        ReturnType::Default => None,
        ReturnType::Type(_, ty) => Some(ty),
    }
}

/// Reads one function; `None` if anything about it is wrong.
pub(super) fn read(declared: &Declared, context: &Context, sink: &mut Diagnostics) -> Option<RoleFunction> {
    let (given, is_good) = keyword::arguments(declared.keyword, &declared.attribute, sink);
    let is_of_member =
        |input: &FnArg| matches!(input, FnArg::Typed(typed) if element::is_member(&typed.ty, &context.names.bodies));
    if !is_good && declared.item.sig.inputs.iter().any(is_of_member) {
        // Without what it runs over a function over members cannot be judged.
        return None;
    }
    let role = role(declared, &given, context, sink);
    let element = match element_of(declared, &given, context) {
        Ok(element) => element,
        Err(Some(error)) => {
            sink.push(error);
            return None;
        }
        Err(None) => return None,
    };
    let wanted = role.as_ref().and_then(|role| Wanted::of(role, declared, element.as_deref(), context));
    let output_text = wanted.as_ref().map_or_else(|| default_output(declared), Wanted::type_text);
    let scope = match (&element, context.with_frames) {
        (Some(over), Some(configuration)) => Some(element::Context {
            names: context.names,
            constants: context.constants,
            configuration,
            over,
            keyword: declared.keyword,
            name: &declared.item.sig.ident,
            output: &output_text,
        }),
        _ => None,
    };
    let arguments = signature::read(declared, context.names, &output_text, scope.as_ref(), sink);
    let output = sink.take(output(declared, wanted.as_ref(), context, &output_text));
    Some(RoleFunction {
        role: role?,
        over: element,
        name: declared.item.sig.ident.clone(),
        visibility: declared.item.vis.clone(),
        arguments: arguments?,
        output: output?,
        output_type: return_type(declared)?.clone(),
        signature: declared.item.sig.clone(),
        body: (*declared.item.block).clone(),
    })
}

/// What the function's element runs over: as stated, or as the quantity that a force acts at. `Err(None)` if the
/// configuration is wrong.
fn element_of(
    declared: &Declared,
    given: &[RoleArgument],
    context: &Context,
) -> Result<Option<Vec<Selection>>, Option<syn::Error>> {
    let stated = given.iter().find(|argument| argument.name == "over").map(|argument| &argument.value);
    let quantity = || {
        let at = given.iter().find(|argument| argument.name == "at")?;
        context.quantities.iter().find(|(name, ..)| bare_name(&at.value) == Some(name))
    };
    let quantity = if declared.keyword == Keyword::Force { quantity() } else { None };
    let inherited = quantity.and_then(|(_, _, over)| over.as_ref());
    let Some(value) = stated.or(inherited) else { return Ok(None) };
    let (configuration, all) = (context.configuration.ok_or(None)?, context.with_frames.ok_or(None)?);
    let read = |value: &Expr| over::read(value, all, context.constants).map_err(Some);
    let selections = read(value)?;
    kinematics::ensure_one_frame(declared, &selections, configuration.members.len(), all).map_err(Some)?;
    if let (Some(stated), Some((name, ..))) = (stated, quantity)
        && inherited.map(read).transpose()?.as_ref() != Some(&selections)
    {
        let help = match inherited {
            Some(inherited) => {
                format!("leave out `over`: the force runs over `{}` as `{name}` does", source(inherited))
            }
            None => format!("leave out `over`: `{name}` is a quantity of the whole configuration"),
        };
        let message = format!("a force at `{name}` runs over what `{name}` runs over");
        return Err(Some(error_with_help(stated, message, help)));
    }
    Ok(Some(selections))
}

/// The role, with the target of a force resolved.
fn role(declared: &Declared, given: &[RoleArgument], context: &Context, sink: &mut Diagnostics) -> Option<Role> {
    match declared.keyword {
        Keyword::KineticEnergy => Some(Role::KineticEnergy),
        Keyword::MassMatrix => Some(Role::MassMatrix),
        Keyword::Potential => Some(Role::Potential),
        Keyword::Dissipation => Some(Role::Dissipation),
        Keyword::Constraint => Some(Role::Constraint),
        Keyword::VelocityConstraint => Some(Role::VelocityConstraint),
        Keyword::Observable => Some(Role::Observable),
        Keyword::Quantity => Some(Role::Quantity),
        Keyword::Force => {
            let targets: Vec<&RoleArgument> = given.iter().filter(|argument| argument.name != "over").collect();
            if let [_, second, ..] = targets.as_slice() {
                sink.error_with_help(
                    &second.name,
                    "a force has one target",
                    "write `on = field` or `at = quantity`, or declare two forces",
                );
                return None;
            }
            let is_element = given.iter().any(|argument| argument.name == "over");
            let target = match targets.first() {
                None => Ok(ForceTarget::Velocity),
                Some(argument) if argument.name == "on" && is_element => Err(error_with_help(
                    &argument.name,
                    "a force over members acts on all of them",
                    "leave out `on`, and run over the members that the force acts on",
                )),
                Some(argument) if argument.name == "on" => on(&argument.value, context),
                Some(argument) => at(&argument.value, context),
            };
            sink.take(target).map(Role::Force)
        }
        Keyword::Configuration | Keyword::Parameters | Keyword::Inputs | Keyword::Opaque | Keyword::Kinematics => None,
    }
}

/// A bare name among the arguments of an attribute.
fn bare_name(value: &Expr) -> Option<&Ident> {
    match value {
        Expr::Path(path) if path.qself.is_none() => path.path.get_ident(),
        _ => None,
    }
}

/// The rows that a force acts on: those of a member, of an element of a power, of a field of a body.
fn on(value: &Expr, context: &Context) -> syn::Result<ForceTarget> {
    match value {
        Expr::Paren(inner) => on(&inner.expr, context),
        Expr::Index(index) => element_of_power(index, context),
        Expr::Field(field) => field_of_body(field, context),
        _ => on_member(value, context),
    }
}

fn on_member(value: &Expr, context: &Context) -> syn::Result<ForceTarget> {
    let fields: Vec<String> = context.fields.iter().map(Ident::to_string).collect();
    let all = || format!("the members are {}", suggest::list(fields.iter().map(String::as_str)));
    let Some(name) = bare_name(value) else {
        let message = "a force acts on a member, named as a field of the configuration";
        return Err(error_with_help(value, message, all()));
    };
    if let Some(index) = context.fields.iter().position(|field| field == name) {
        let member = context.configuration.and_then(|configuration| configuration.members.get(index));
        if member.is_some_and(|member| member.is_chain) {
            return Err(error_with_help(
                name,
                format_args!("`{name}` is a chain: a force acts on its members"),
                format_args!("write `#[force(over = {name})]` or `#[force(over = {name}.last())]`"),
            ));
        }
        return Ok(ForceTarget::Member(index, 0..member.map_or(0, Member::dof)));
    }
    let help = if context.quantities.iter().any(|(quantity, ..)| quantity == name) {
        format!("a force at a quantity is `#[force(at = {name})]`")
    } else {
        suggest::did_you_mean(&name.to_string(), fields.iter().map(String::as_str), all())
    };
    Err(error_with_help(name, format_args!("the configuration has no member `{name}`"), help))
}

/// A target that is a member of the configuration, known without error.
fn target<'c>(value: &Expr, context: &Context<'c>) -> syn::Result<Option<(usize, std::ops::Range<usize>, &'c Member)>> {
    let ForceTarget::Member(index, rows) = on(value, context)? else { return Ok(None) };
    let member = context.configuration.and_then(|configuration| configuration.members.get(index));
    Ok(member.map(|member| (index, rows, member)))
}

/// `bodies[1]`.
fn element_of_power(index: &syn::ExprIndex, context: &Context) -> syn::Result<ForceTarget> {
    let Some((member, rows, declared)) = target(&index.expr, context)? else {
        return Ok(ForceTarget::Member(0, 0..0));
    };
    let name = &declared.name;
    let (Some(count), Some(_)) = (declared.count, bare_name(&index.expr)) else {
        let message = format!("`{}` is one member", source(&index.expr));
        return Err(error_with_help(index, message, format_args!("write `#[force(on = {})]`", source(&index.expr))));
    };
    let Some(at) = context.constants.length(&index.index).ok().filter(|&at| at < count) else {
        let message = format!("`{name}` has no member `{}`", source(&index.index));
        return Err(error_with_help(&index.index, message, format_args!("its members are 0 to {}", count - 1)));
    };
    let size = declared.group.dimension();
    Ok(ForceTarget::Member(member, rows.start + at * size..rows.start + (at + 1) * size))
}

/// `upper.attitude`, `bodies[1].attitude`.
fn field_of_body(field: &syn::ExprField, context: &Context) -> syn::Result<ForceTarget> {
    let Some((member, rows, declared)) = target(&field.base, context)? else {
        return Ok(ForceTarget::Member(0, 0..0));
    };
    let (base, name) = (source(&field.base), source(&field.member));
    let group = group_of_part(&field.base, declared);
    let Some(body) = group.structure() else {
        let message =
            format!("`{base}` is of {} and no body: it has no part `{name}` that a force acts on", group.written());
        return Err(error_with_help(&field.member, message, format_args!("write `#[force(on = {base})]`")));
    };
    if declared.count.is_some() && bare_name(&field.base).is_some() {
        let message = format!("`{base}` is an array of bodies");
        let help = format!("name one of them: `#[force(on = {base}[0].{name})]`");
        return Err(error_with_help(&field.base, message, help));
    }
    let mut first = rows.start;
    for (known, group) in &body.fields {
        if *known == name {
            return Ok(ForceTarget::Member(member, first..first + group.dimension()));
        }
        first += group.dimension();
    }
    let known = body.fields.iter().map(|(known, _)| known.as_str());
    let all = format!("there are {}", suggest::list(known.clone()));
    let help = suggest::did_you_mean(&name, known, all);
    Err(error_with_help(&field.member, format_args!("`{}` has no field `{name}`", body.name), help))
}

/// The group of what a target names.
fn group_of_part(value: &Expr, member: &Member) -> Group {
    match value {
        Expr::Field(field) => {
            let (outer, name) = (group_of_part(&field.base, member), source(&field.member));
            let fields = outer.structure().map_or(&[][..], |body| &body.fields);
            fields.iter().find(|(known, _)| *known == name).map_or(outer, |(_, group)| *group)
        }
        _ => member.group,
    }
}

fn at(value: &Expr, context: &Context) -> syn::Result<ForceTarget> {
    let example = "declare the point: `#[quantity] fn tip(…) -> Vector3<f64>`";
    let Some(name) = bare_name(value) else {
        return Err(error_with_help(value, "a force acts at a quantity, given by its name", example));
    };
    let names: Vec<String> = context.quantities.iter().map(|(name, ..)| name.to_string()).collect();
    if context.quantities.iter().any(|(quantity, ..)| quantity == name) {
        return Ok(ForceTarget::Quantity(name.clone()));
    }
    let help = if context.fields.contains(name) {
        format!("a force on a member is `#[force(on = {name})]`")
    } else if names.is_empty() {
        example.to_owned()
    } else {
        let all = format!("the quantities are {}", suggest::list(names.iter().map(String::as_str)));
        suggest::did_you_mean(&name.to_string(), names.iter().map(String::as_str), all)
    };
    Err(error_with_help(name, format_args!("there is no quantity `{name}`"), help))
}

/// No more constraint rows than degrees of freedom.
pub(super) fn ensure_rows_fit(functions: &[RoleFunction], configuration: &Configuration, sink: &mut Diagnostics) {
    if functions.iter().any(|function| function.over.is_some()) {
        // How often an element stands is known at run time.
        return;
    }
    let dof = configuration.dof();
    let mut rows = 0_usize;
    let mut table = String::new();
    for function in functions {
        if !matches!(function.role, Role::Constraint | Role::VelocityConstraint) {
            continue;
        }
        let own = match function.output {
            Output::Vector(n) => n,
            _ => 1,
        };
        let before = rows;
        rows = rows.saturating_add(own);
        let _ = write!(table, "\n  {}  {own}", function.name);
        if before <= dof && rows > dof {
            sink.error_with_help(
                &function.output_type,
                format_args!(
                    "{rows} rows of constraints, but `{}` has {dof} degrees of freedom",
                    configuration.item.ident
                ),
                format_args!(
                    "remove redundant rows, or run with them: #[mechanical_system(redundant = minimum_norm)]:{table}"
                ),
            );
        }
    }
}

/// One kind of inertia, and at least one.
pub(super) fn ensure_inertia(
    functions: &[Declared],
    attempted: &[Keyword],
    names: &Names,
    module: &Ident,
    sink: &mut Diagnostics,
) {
    let mut inertia = functions.iter().filter(|declared| declared.keyword.is_inertia());
    match inertia.next() {
        None if attempted.iter().any(|keyword| keyword.is_inertia()) => {}
        None => {
            let example = names.expected(Keyword::KineticEnergy, &"kinetic", &Punctuated::new(), "f64");
            sink.error_with_help(
                module,
                format_args!("`{module}` declares no inertia"),
                format_args!("#[kinetic_energy] {example} {{ … }}"),
            );
        }
        Some(first) => {
            if let Some(other) = inertia.find(|declared| declared.keyword != first.keyword) {
                let (name, first_name) = (&other.item.sig.ident, &first.item.sig.ident);
                sink.push(and_at(
                    error_with_help(
                        name,
                        format_args!("both `{first_name}` and `{name}` declare the inertia"),
                        "keep the `#[kinetic_energy]` or the `#[mass_matrix]`",
                    ),
                    first_name,
                    format_args!("`#[{}]` is here", first.keyword.name()),
                ));
            }
        }
    }
}
