//! The card of a system over chains: its documentation, and what the description at run time starts from.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::{Context, Kind};
use crate::emit::kernels::Kernels;
use crate::graph::Scalar;
use crate::model::{Member, Part, Role, Selection};

/// `(S³ ⋉ R³)^N`.
fn notation(member: &Member) -> String {
    let group = match member.group.name {
        "Rn" => format!("R^{}", member.group.translation),
        _ => member.group.notation.to_owned(),
    };
    let group = if group.contains(' ') { format!("({group})") } else { group };
    match member.count {
        _ if member.is_chain => format!("{group}^N"),
        Some(count) => format!("{group}^{count}"),
        None => group,
    }
}

fn group_notation(context: &Context<'_>) -> String {
    context.model.configuration.members.iter().map(notation).collect::<Vec<_>>().join(" × ")
}

/// `nodes.windows(2)`.
fn over(context: &Context<'_>, selection: &Selection) -> String {
    let name = &context.model.configuration.members[selection.field].name;
    match selection.part {
        Part::Each => format!("each of {name}"),
        Part::Windows(n) => format!("{name}.windows({n})"),
        Part::First => format!("{name}.first()"),
        Part::Last => format!("{name}.last()"),
        Part::At(index) => format!("{name}[{index}]"),
        Part::Whole(_) => name.to_string(),
    }
}

fn operations(kind: &Kind<'_>) -> Vec<(&'static str, usize)> {
    let given = |node: Scalar| kind.hoisted.position(node).is_some();
    let kernels = kind.kernels.list.iter();
    kernels.map(|(name, outputs)| (*name, Kernels::operations(&kind.equations.graph, outputs, given))).collect()
}

/// The lines of the documentation of `System`.
pub(super) fn documentation(context: &Context<'_>) -> Vec<String> {
    let model = context.model;
    let couples = context.kinds.iter().any(|kind| {
        let slots: usize = kind.element.over.iter().map(|selection| selection.part.slots()).sum();
        let inertia = kind.kernels.outputs("mass");
        slots > 1 && inertia.iter().any(|&entry| !kind.equations.graph.is_zero(entry))
    });
    let mut lines = vec![
        format!(" The mechanical system `{}`, specialised at compile time.", model.name),
        String::new(),
        " | | |".into(),
        " |---|---|".into(),
        format!(" | configuration | {} |", group_notation(context)),
    ];
    if couples {
        lines.push(" | accelerations | banded elimination with pivoting, O(N): the inertia couples members |".into());
    } else {
        lines.push(
            " | accelerations | the inertia member by member, the multipliers by banded elimination with pivoting, O(N) |"
                .into(),
        );
    }
    lines.push(" | iterations of implicit methods | banded elimination with pivoting, O(N) |".into());
    lines.push(String::new());
    for kind in &context.kinds {
        let over: Vec<String> = kind.element.over.iter().map(|selection| over(context, selection)).collect();
        let functions: Vec<String> =
            kind.element.model.functions.iter().map(|function| format!("`{}`", function.name)).collect();
        lines.push(format!(" Elements over {}: {}.", over.join(", "), functions.join(", ")));
        lines.push(String::new());
        lines.push(" | kernel | scalar operations |".into());
        lines.push(" |---|---|".into());
        for (name, operations) in operations(kind).into_iter().filter(|(_, operations)| *operations > 0) {
            lines.push(format!(" | {} | {operations} |", name.replace('_', " ")));
        }
        lines.push(String::new());
    }
    lines
}

/// The constant that descriptions start from.
pub(super) fn card(context: &Context<'_>) -> TokenStream {
    let model = context.model;
    let (name, group) = (model.name.to_string(), group_notation(context));
    let groups = model.configuration.members.iter().map(notation);
    let constraints = context.kinds.iter().map(|kind| {
        let names = kind
            .equations
            .constraints
            .declared
            .iter()
            .map(|constraint| kind.element.model.functions[constraint.function].name.to_string());
        quote!(&[#(#names),*])
    });
    let observables =
        model.with_role(|role| matches!(role, Role::Observable)).map(|function| function.name.to_string());
    let kernels = context.kinds.iter().flat_map(|kind| {
        operations(kind).into_iter().filter(|(_, operations)| *operations > 0).map(|(name, operations)| {
            let operations = Literal::usize_unsuffixed(operations);
            quote!(rt::KernelDescription { name: #name, operations: #operations })
        })
    });
    let nonzeros = context.kinds.iter().map(|kind| {
        let count = |name: &str| {
            let outputs = kind.kernels.outputs(name);
            let entries = outputs.iter().filter(|&&output| !kind.equations.graph.is_zero(output)).count();
            Literal::usize_unsuffixed(entries)
        };
        let (mass, jacobian, stiffness) = (count("mass"), count("constraint_jacobian"), count("stiffness"));
        quote!([#mass, #jacobian, #stiffness])
    });
    let constant = context.kinds.iter().all(|kind| kind.equations.inertia.is_constant);
    quote! {
        const CARD: &rt::ChainCard = &rt::ChainCard {
            name: #name,
            group: #group,
            groups: &[#(#groups),*],
            constraints: &[#(#constraints),*],
            observables: &[#(#observables),*],
            kernels: &[#(#kernels),*],
            nonzeros: &[#(#nonzeros),*],
            mass_is_constant: #constant,
        };
    }
}
