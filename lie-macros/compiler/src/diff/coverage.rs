//! Inertia of systems that are sums of elements: every member must have inertia.

use std::collections::BTreeSet;
use std::ops::Range;

use proc_macro2::Ident;

use crate::diagnostics::ErrorCollector;
use crate::group::Atomic;
use crate::model::{Member, Model, Selection, SlotMembers};
use crate::syntax::half_square;

/// The inertia of a term.
pub(super) struct TermInertia {
    pub over: Vec<Selection>,
    /// The kinetic energy or the mass matrix, if the term has one.
    pub function: Option<Ident>,
    /// True for the components of velocity with a row of the mass matrix.
    pub rows: Vec<bool>,
}

/// Reports members with velocity components that have no inertia in any element.
///
/// Elements over the first and the last member alone give no inertia to the members between them.
pub(super) fn ensure_inertia(
    model: &Model,
    of_members: &[&TermInertia],
    of_frames: Option<&[&TermInertia]>,
    diagnostics: &mut ErrorCollector,
) {
    if of_frames.is_some() {
        ensure_uncoupled(of_members, diagnostics);
    }
    for (field, member) in model.configuration.members.iter().enumerate() {
        if !member.is_chain && member.count.is_none() && member.clamped[0] {
            continue;
        }
        let carries_frames = model.kinematics.as_ref().is_some_and(|kinematics| kinematics.follows(field));
        if carries_frames && of_frames.is_some_and(is_everywhere) {
            continue;
        }
        let dimension = member.group.dimension();
        // One member represents all members of a chain, whose length is not known.
        let count = if member.is_chain { 1 } else { member.count.unwrap_or(1) };
        let mut covered: BTreeSet<(usize, usize)> = BTreeSet::new();
        // Terms that join frames give no inertia.
        for term in of_members.iter().filter(|term| !model.is_of_frames(&term.over)) {
            let mut offset = 0;
            for selection in &term.over {
                let slots = selection.part.slots();
                for slot in (0..slots).filter(|_| selection.field == field) {
                    let rows = offset + slot * dimension..offset + (slot + 1) * dimension;
                    for row in rows.clone().filter(|&row| term.rows[row]) {
                        let component = row - rows.start;
                        covered.extend(members_of(selection.part, slot, member, count).map(|at| (at, component)));
                    }
                }
                offset += slots * dimension_of(model, selection.field);
            }
        }
        let is_idle = |&component: &usize| (0..count).any(|at| !covered.contains(&(at, component)));
        let missing = (0..dimension).filter(is_idle).count();
        if missing > 0 {
            let name = &member.name;
            let example = if let Some(kinematics) = model.kinematics.as_ref().filter(|_| carries_frames) {
                let velocity = crate::syntax::velocity_type(kinematics.frame);
                let frames = kinematics.name();
                format!(
                    "#[kinetic_energy(over = {frames})] fn kinetic_of_{frames}(v: &{velocity}) -> f64 {{ {} }}",
                    half_square("v", kinematics.frame)
                )
            } else {
                example(member, member.is_run())
            };
            diagnostics.error_with_help(
                name,
                format_args!(
                    "`{name}` has no inertia: no kinetic energy over all its members depends on {}",
                    if missing == dimension {
                        "their velocities".to_owned()
                    } else {
                        let idle = (0..dimension).filter(is_idle);
                        format!("{missing} components of their velocities{}", fields(member, idle))
                    }
                ),
                with_inertia(&example),
            );
        }
    }
}

/// The help for a member without inertia: an example of an energy, and the alternatives to a member.
pub(super) fn with_inertia(example: &str) -> String {
    format!(
        "declare its inertia, here 1: {example}\n\
         every member is a position with inertia; a value that other members determine is a `#[quantity]`, and the state of a \
         filter or controller is a variable of the closure of `controller`, which sets a field of the `#[inputs]`"
    )
}

/// The members that can fill a slot of a selection, for a field with `count` members.
fn members_of(part: SlotMembers, slot: usize, member: &Member, count: usize) -> Range<usize> {
    match part {
        SlotMembers::Whole(_) => slot..slot + 1,
        SlotMembers::At(at) if !member.is_chain => at..at + 1,
        SlotMembers::First if !member.is_chain => 0..1,
        SlotMembers::Last if !member.is_chain => count.saturating_sub(1)..count,
        part if part.covers() => 0..count,
        _ => 0..0,
    }
}

/// The fields of these components, if the type of the member is a body: ``, of `attitude` ``.
pub(super) fn fields(member: &Member, components: impl Iterator<Item = usize>) -> String {
    let Some(body) = member.group.structure() else { return String::new() };
    let own: BTreeSet<usize> = components.map(|component| component % member.group.dimension()).collect();
    let is_met = |part: &Atomic| (part.offset..part.offset + part.group.dimension()).any(|at| own.contains(&at));
    let names: Vec<String> =
        body.atomic().iter().filter(|part| is_met(part)).map(|part| format!("`{}`", part.path)).collect();
    format!(", of {}", names.join(", "))
}

/// An example of a kinetic energy with unit inertia, over each element of the member or as a whole.
pub(super) fn example(member: &Member, over: bool) -> String {
    let (name, group) = (&member.name, member.group);
    if over {
        let velocity = crate::syntax::velocity_type(group);
        let energy = half_square("v", group);
        return format!("#[kinetic_energy(over = {name})] fn kinetic_of_{name}(v: &{velocity}) -> f64 {{ {energy} }}");
    }
    let energy = match member.count {
        Some(_) => format!("v.{name}.iter().map(|v| {}).sum::<f64>()", half_square("v", group)),
        None => half_square(&format!("v.{name}"), group),
    };
    format!("#[kinetic_energy] fn kinetic_of_{name}(v: &Velocity) -> f64 {{ {energy} }}")
}

/// Kinetic energies with unit inertia.
pub(crate) fn unit_inertia(model: &Model) -> Vec<syn::ItemFn> {
    let is_over = model.functions.iter().any(|function| function.over.is_some());
    let energy = |member: &Member| {
        let over = member.is_chain || (member.count.is_some() && (is_over || model.configuration.has_lengths()));
        let mut function: syn::ItemFn = syn::parse_str(&example(member, over)).ok()?;
        function.sig.ident = quote::format_ident!("unit_inertia_of_{}", member.name);
        Some(function)
    };
    model.configuration.as_written().members.iter().filter_map(energy).collect()
}

fn dimension_of(model: &Model, field: usize) -> usize {
    model.configuration.members[field].group.dimension()
}

/// True if every frame has inertia.
fn is_everywhere(terms: &[&TermInertia]) -> bool {
    terms.iter().any(|term| term.over[0].part == SlotMembers::Each && term.rows.contains(&true))
}

/// Requires a separate energy for each member in a declaration with frames.
fn ensure_uncoupled(terms: &[&TermInertia], diagnostics: &mut ErrorCollector) {
    for term in terms {
        let slots: usize = term.over.iter().map(|selection| selection.part.slots()).sum();
        let Some(function) = term.function.as_ref().filter(|_| slots > 1 && term.rows.contains(&true)) else {
            continue;
        };
        diagnostics.error_with_help(
            function,
            format_args!("`{function}` gives inertia to several members in a declaration with `#[kinematics]`"),
            "declare one `#[kinetic_energy(over = …)]` for each member, or an energy over the frames",
        );
    }
}
