//! The target of a force: a member, an element of a power, a field of a body, or a quantity.

use syn::{Expr, Ident};

use super::context::{Context, bare_name};
use crate::diagnostics::{error_with_help, source};
use crate::model::{ForceTarget, Group, Member};
use crate::syntax::module::unilateral::SLIP;
use crate::syntax::role::RoleArgument;
use crate::syntax::rust::suggest;

/// Resolves the target in the attribute of a force.
pub(in crate::syntax) fn target(given: &[RoleArgument], context: &Context) -> syn::Result<ForceTarget> {
    let targets: Vec<&RoleArgument> = given.iter().filter(|argument| argument.name != "over").collect();
    if let [_, second, ..] = targets.as_slice() {
        let help = "write `on = field` or `at = quantity`, or declare two forces";
        return Err(error_with_help(&second.name, "duplicate target of a force", help));
    }
    let is_element = given.iter().any(|argument| argument.name == "over");
    match targets.first() {
        None => Ok(ForceTarget::Velocity),
        Some(argument) if argument.name == "on" && is_element => Err(error_with_help(
            &argument.name,
            "a force cannot have both `on` and `over`",
            "remove `on`, and select the members with `over`",
        )),
        Some(argument) if argument.name == "on" => on(&argument.value, context),
        Some(argument) => at(&argument.value, context),
    }
}

/// Resolves the rows of a member, of an element of a power, or of a field of a body.
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
        let message = "expected the name of a member of the configuration";
        let help = match value {
            Expr::Lit(syn::ExprLit { lit: syn::Lit::Str(text), .. }) if fields.contains(&text.value()) => {
                format!("write `on = {}`", text.value())
            }
            _ => all(),
        };
        return Err(error_with_help(value, message, help));
    };
    if let Some(index) = context.fields.iter().position(|field| field == name) {
        let member = context.configuration.and_then(|configuration| configuration.members.get(index));
        if member.is_some_and(|member| member.is_chain) {
            return Err(error_with_help(
                name,
                format_args!("`{name}` is a chain: a force acts on single members"),
                format_args!("write `#[force(over = {name})]` or `#[force(over = {name}.last())]`"),
            ));
        }
        return Ok(ForceTarget::Member(index, 0..member.map_or(0, Member::dof)));
    }
    let help = if context.quantities.iter().any(|(quantity, ..)| quantity == name) {
        format!("write `#[force(at = {name})]` for a force at a quantity")
    } else {
        suggest::did_you_mean(&name.to_string(), fields.iter().map(String::as_str), all())
    };
    Err(error_with_help(name, format_args!("the configuration has no member `{name}`"), help))
}

/// Resolves a target that is a member of the configuration; `None` if the configuration has errors.
fn member_of<'c>(
    value: &Expr,
    context: &Context<'c>,
) -> syn::Result<Option<(usize, std::ops::Range<usize>, &'c Member)>> {
    let ForceTarget::Member(index, rows) = on(value, context)? else { return Ok(None) };
    let member = context.configuration.and_then(|configuration| configuration.members.get(index));
    Ok(member.map(|member| (index, rows, member)))
}

/// `bodies[1]`.
fn element_of_power(index: &syn::ExprIndex, context: &Context) -> syn::Result<ForceTarget> {
    let Some((member, rows, declared)) = member_of(&index.expr, context)? else {
        return Ok(ForceTarget::Member(0, 0..0));
    };
    let name = &declared.name;
    let (Some(count), Some(_)) = (declared.count, bare_name(&index.expr)) else {
        let message = format!("`{}` is a single member and has no index", source(&index.expr));
        return Err(error_with_help(index, message, format_args!("write `#[force(on = {})]`", source(&index.expr))));
    };
    let Some(at) = context.constants.length(&index.index).ok().filter(|&at| at < count) else {
        let message = format!("`{name}` has no member `{}`", source(&index.index));
        return Err(error_with_help(&index.index, message, format_args!("use an index from 0 to {}", count - 1)));
    };
    let size = declared.group.dimension();
    Ok(ForceTarget::Member(member, rows.start + at * size..rows.start + (at + 1) * size))
}

/// `upper.attitude`, `bodies[1].attitude`.
fn field_of_body(field: &syn::ExprField, context: &Context) -> syn::Result<ForceTarget> {
    let Some((member, rows, declared)) = member_of(&field.base, context)? else {
        return Ok(ForceTarget::Member(0, 0..0));
    };
    let (base, name) = (source(&field.base), source(&field.member));
    let group = group_of_part(&field.base, declared);
    let Some(body) = group.structure() else {
        let message = format!("`{base}` is an `{}` and has no field `{name}`", group.written());
        return Err(error_with_help(&field.member, message, format_args!("write `#[force(on = {base})]`")));
    };
    if declared.count.is_some() && bare_name(&field.base).is_some() {
        let message = format!("`{base}` is an array of bodies");
        let help = format!("select one body: `#[force(on = {base}[0].{name})]`");
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
    let all = format!("the fields are {}", suggest::list(known.clone()));
    let help = suggest::did_you_mean(&name, known, all);
    Err(error_with_help(&field.member, format_args!("`{}` has no field `{name}`", body.name), help))
}

/// The group of a target.
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
        return Err(error_with_help(value, "expected the name of a quantity", example));
    };
    if name == SLIP {
        return Ok(ForceTarget::Slip);
    }
    let names: Vec<String> = context.quantities.iter().map(|(name, ..)| name.to_string()).collect();
    if context.quantities.iter().any(|(quantity, ..)| quantity == name) {
        return Ok(ForceTarget::Quantity(name.clone()));
    }
    let help = if context.fields.contains(name) {
        format!("write `#[force(on = {name})]` for a force on a member")
    } else if names.is_empty() {
        example.to_owned()
    } else {
        let all = format!("the quantities are {}", suggest::list(names.iter().map(String::as_str)));
        suggest::did_you_mean(&name.to_string(), names.iter().map(String::as_str), all)
    };
    Err(error_with_help(name, format_args!("unknown quantity `{name}`"), help))
}
