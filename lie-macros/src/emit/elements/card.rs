//! The card of a system over chains: its documentation, and what the description at run time starts from.

use proc_macro2::{Literal, TokenStream};
use quote::quote;

use super::{Context, Kind, frames};
use crate::derive::Obstacle;
use crate::graph::Scalar;
use crate::model::{Member, Part, Role, Selection};
use crate::plan::KernelId;

/// `(S³ ⋉ R³)^N`.
fn notation(member: &Member) -> String {
    let group = member.group.formula();
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
pub(in crate::emit) fn over(context: &Context<'_>, selection: &Selection) -> String {
    let all = context.model.configuration.with_frames(context.model.kinematics.as_ref());
    let name = &all.members[selection.field].name;
    match selection.part {
        Part::Each => format!("each of {name}"),
        Part::Windows { size, stride: 1 } => format!("{name}.windows({size})"),
        Part::Windows { size, stride } => format!("{name}.windows({size}).step_by({stride})"),
        Part::First => format!("{name}.first()"),
        Part::Last => format!("{name}.last()"),
        Part::At(index) => format!("{name}[{index}]"),
        Part::Whole(_) => name.to_string(),
    }
}

/// The kernels that do something, and their scalar operations.
fn operations(kind: &Kind<'_>) -> Vec<(&'static str, usize)> {
    let given = |node: Scalar| kind.hoisted.position(node).is_some();
    let all = kind.kernels.operations(&kind.equations.graph, given).into_iter();
    all.filter(|&(_, operations)| operations > 0).map(|(id, operations)| (id.name(), operations)).collect()
}

/// The lines of the documentation of `System`.
pub(super) fn documentation(context: &Context<'_>) -> Vec<String> {
    let model = context.model;
    let couples = context.kinds.iter().any(|kind| {
        let slots: usize = kind.element.over.iter().map(|selection| selection.part.slots()).sum();
        slots > 1 && kind.kernels.has(&kind.equations.graph, KernelId::Mass)
    });
    let mut lines = vec![
        format!(" The mechanical system `{}`, specialised at compile time.", model.name),
        String::new(),
        " | | |".into(),
        " |---|---|".into(),
        format!(" | configuration | {} |", group_notation(context)),
    ];
    if context.frames.is_some() {
        lines.push(
            " | accelerations | articulated inertias along the frames, O(N); multipliers by a dense matrix of all rows |"
                .into(),
        );
    } else {
        lines.push(if couples {
            " | accelerations, multipliers | together, by an elimination with pivoting: the inertia couples members |"
                .into()
        } else {
            " | accelerations, multipliers | the inertia member by member, the multipliers by an elimination with pivoting |"
                .into()
        });
        lines.push(" | iterations of implicit methods | together, by an elimination with pivoting |".into());
    }
    lines.push(format!(" | Hamiltonian on T*G | none: {} |", Obstacle::Elements));
    if context.frames.is_none() {
        lines.push(String::new());
        lines.push(
            " Eliminations are within a band, O(N) for chains, rings and trees of few branches. Where the elements join the \
             members to something wider and the feature `sparse` is there, they are sparse, or those of the multipliers \
             become joint ones; `structure().eliminations()` of `system::chain::ElementSystem` tells which ones a system \
             has got."
                .into(),
        );
    }
    lines.push(String::new());
    lines.extend(frames::documentation(context));
    let terms = context.frames.iter().flat_map(|frames| &frames.terms);
    for kind in context.kinds.iter().chain(terms) {
        let over: Vec<String> = kind.element.over.iter().map(|selection| over(context, selection)).collect();
        let functions: Vec<String> =
            kind.element.model.functions.iter().map(|function| format!("`{}`", function.name)).collect();
        lines.push(format!(" Elements over {}: {}.", over.join(", "), functions.join(", ")));
        lines.push(String::new());
        lines.push(" | kernel | scalar operations |".into());
        lines.push(" |---|---|".into());
        for (name, operations) in operations(kind) {
            lines.push(format!(" | {} | {operations} |", name.replace('_', " ")));
        }
        lines.push(String::new());
    }
    lines
}

/// The constants that descriptions start from.
pub(super) fn card(context: &Context<'_>) -> TokenStream {
    let model = context.model;
    let n = Literal::usize_unsuffixed;
    let (name, group) = (model.name.to_string(), group_notation(context));
    let members = model.configuration.members.iter().map(|member| {
        let (name, group, dof) = (member.name.to_string(), notation(member), n(member.group.dimension()));
        quote!(rt::MemberDescription { name: #name, group: #group, offset: 0, dof: #dof })
    });
    let declared = || {
        context.kinds.iter().flat_map(|kind| {
            kind.equations.constraints.declared.iter().enumerate().map(move |(at, constraint)| (kind, at, constraint))
        })
    };
    let constraints = declared().map(|(kind, _, constraint)| {
        let name = kind.element.model.functions[constraint.function].name.to_string();
        let (rows, holonomic) = (n(constraint.rows), constraint.holonomic);
        quote!(rt::ConstraintDescription { name: #name, offset: 0, rows: #rows, holonomic: #holonomic })
    });
    let functions = declared().map(|(kind, at, _)| {
        let (kind, at) = (n(kind.number), n(at));
        quote!((#kind, #at))
    });
    let observables =
        model.with_role(|role| matches!(role, Role::Observable)).map(|function| function.name.to_string());
    let kernels = context.kinds.iter().flat_map(|kind| {
        operations(kind).into_iter().map(|(name, operations)| {
            let operations = n(operations);
            quote!(rt::KernelDescription { name: #name, operations: #operations })
        })
    });
    let counts = context.kinds.iter().map(|kind| {
        let count = |id| n(kind.kernels.nonzeros(&kind.equations.graph, id));
        let (mass, jacobian) = (count(KernelId::Mass), count(KernelId::ConstraintJacobian));
        let stiffness = count(KernelId::TangentStiffness);
        quote!(rt::ElementCounts { mass: #mass, jacobian: #jacobian, stiffness: #stiffness })
    });
    let constant = context.frames.is_none() && context.kinds.iter().all(|kind| kind.equations.inertia.is_constant);
    quote! {
        const CARD: &rt::Description = &rt::Description {
            name: #name,
            group: #group,
            dof: 0,
            members: ::std::borrow::Cow::Borrowed(&[#(#members),*]),
            constraints: ::std::borrow::Cow::Borrowed(&[#(#constraints),*]),
            observables: &[#(#observables),*],
            mass_nonzeros: 0,
            jacobian_nonzeros: 0,
            stiffness_nonzeros: 0,
            mass_is_constant: #constant,
            kernels: &[#(#kernels),*],
        };
        /// The kind of elements and the function there of each constraint.
        const FUNCTIONS: &[(usize, usize)] = &[#(#functions),*];
        /// What one element of each kind has of structural nonzeros.
        const COUNTS: &[rt::ElementCounts] = &[#(#counts),*];
    }
}
