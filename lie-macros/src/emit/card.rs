//! The card of a system: its documentation and its description at run time.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::Context;
use crate::graph::{Graph, Scalar};
use crate::model::{Member, Role};
use crate::plan::KernelId;

/// `SO(3) × R³`, `S³^4`.
fn group_notation(members: &[Member]) -> String {
    members.iter().map(member_notation).collect::<Vec<_>>().join(" × ")
}

fn member_notation(member: &Member) -> String {
    match member.count {
        Some(count) if member.group.notation.contains(' ') => format!("({})^{count}", member.group.notation),
        Some(count) => format!("{}^{count}", member.group.notation),
        None => member.group.formula(),
    }
}

fn nonzeros(graph: &Graph, entries: &[Scalar]) -> usize {
    entries.iter().filter(|&&entry| !graph.is_zero(entry)).count()
}

struct Counts {
    mass: usize,
    jacobian: usize,
    stiffness: usize,
    kernels: Vec<(KernelId, usize)>,
}

fn counts(context: &Context<'_>) -> Counts {
    let equations = context.equations;
    let graph = &equations.graph;
    let given = |node: Scalar| context.hoisted.position(node).is_some();
    Counts {
        mass: nonzeros(graph, &equations.inertia.mass.concat()),
        jacobian: nonzeros(graph, &equations.constraints.jacobian.concat()),
        stiffness: nonzeros(graph, &equations.linearisation.stiffness.concat()),
        kernels: context.kernels.operations(graph, given),
    }
}

/// The lines of the documentation of `System`.
pub(crate) fn documentation(context: &Context<'_>) -> Vec<String> {
    let model = context.model;
    let equations = context.equations;
    let counts = counts(context);
    let dof = equations.inertia.mass.len();
    let rows = equations.constraints.rows();
    let mut lines = vec![
        format!(" The mechanical system `{}`, specialised at compile time.", model.name),
        String::new(),
        " | | |".into(),
        " |---|---|".into(),
        format!(" | configuration | {} |", group_notation(&model.configuration.members)),
        format!(" | degrees of freedom | {dof} |"),
        format!(" | constraint rows | {rows} ({} holonomic) |", equations.constraints.holonomic_rows()),
        format!(
            " | mass matrix | {} of {} entries, {} |",
            counts.mass,
            dof * dof,
            if equations.inertia.is_constant { "constant: factorised once" } else { "factorised in every stage" }
        ),
        format!(" | constraint Jacobian | {} of {} entries |", counts.jacobian, rows * dof),
        format!(" | tangent stiffness | {} of {} entries |", counts.stiffness, dof * dof),
        match &equations.legendre {
            Ok(_) => " | Hamiltonian on T*G | `HamiltonianSystem`, `LegendreTransform` |".into(),
            Err(obstacle) => format!(" | Hamiltonian on T*G | none: {obstacle} |"),
        },
        String::new(),
    ];
    if rows > 0 {
        lines.push(" | constraint | rows | |".into());
        lines.push(" |---|---|---|".into());
        for constraint in &equations.constraints.declared {
            let name = &model.functions[constraint.function].name;
            let first = constraint.offset;
            let last = constraint.offset + constraint.rows - 1;
            let kind = if constraint.holonomic { "holonomic" } else { "on the velocity" };
            lines.push(format!(" | `{name}` | {first}–{last} | {kind} |"));
        }
        lines.push(String::new());
    }
    lines.push(" | kernel | scalar operations |".into());
    lines.push(" |---|---|".into());
    for (id, operations) in counts.kernels {
        lines.push(format!(" | {} | {operations} |", id.name().replace('_', " ")));
    }
    lines
}

/// The `Description` of the system, as a constant.
pub(crate) fn description(context: &Context<'_>) -> TokenStream {
    let model = context.model;
    let equations = context.equations;
    let counts = counts(context);
    let n = Literal::usize_unsuffixed;
    let name = model.name.to_string();
    let group = group_notation(&model.configuration.members);
    let (offsets, dof) = model.offsets();
    let members = model.configuration.members.iter().zip(&offsets).map(|(member, &offset)| {
        let (name, group, offset, dof) = (member.name.to_string(), member_notation(member), n(offset), n(member.dof()));
        quote!(rt::MemberDescription { name: #name, group: #group, offset: #offset, dof: #dof })
    });
    let constraints = equations.constraints.declared.iter().map(|constraint| {
        let name = model.functions[constraint.function].name.to_string();
        let (offset, rows, holonomic) = (n(constraint.offset), n(constraint.rows), constraint.holonomic);
        quote! {
            rt::ConstraintDescription { name: #name, offset: #offset, rows: #rows, holonomic: #holonomic }
        }
    });
    let observables = model
        .with_role(|role| matches!(role, Role::Observable))
        .map(|function| function.name.to_string())
        .collect::<Vec<_>>();
    let kernels = counts.kernels.iter().map(|&(id, operations)| {
        let (name, operations) = (id.name(), n(operations));
        quote!(rt::KernelDescription { name: #name, operations: #operations })
    });
    let (dof, mass, jacobian, stiffness) = (n(dof), n(counts.mass), n(counts.jacobian), n(counts.stiffness));
    let constant = equations.inertia.is_constant;
    quote! {
        const DESCRIPTION: &rt::Description = &rt::Description {
            name: #name,
            group: #group,
            dof: #dof,
            members: ::std::borrow::Cow::Borrowed(&[#(#members),*]),
            constraints: ::std::borrow::Cow::Borrowed(&[#(#constraints),*]),
            observables: &[#(#observables),*],
            mass_nonzeros: #mass,
            jacobian_nonzeros: #jacobian,
            stiffness_nonzeros: #stiffness,
            mass_is_constant: #constant,
            kernels: &[#(#kernels),*],
        };
        DESCRIPTION
    }
}
