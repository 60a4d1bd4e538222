//! Short descriptions of groups and terms, for the documentation of a system and for its equations as text.

use crate::model::{Member, Model, Selection, SlotMembers};
use crate::schedule::Term;

/// Returns the notation of the groups of a member: `SO(3)`, `(S³ ⋉ R³)^4`, `R^7`, `(SO(3) × R³)^N`.
pub(super) fn notation(member: &Member) -> String {
    let group = member.group.formula();
    let power = match member.count {
        _ if member.is_chain => "N".to_owned(),
        Some(count) => count.to_string(),
        None => return group,
    };
    if group.contains([' ', '^']) { format!("({group})^{power}") } else { format!("{group}^{power}") }
}

/// Returns the notation of the configuration: `SO(3) × R^3`.
pub(super) fn group_notation(model: &Model) -> String {
    model.configuration.as_written().members.iter().map(notation).collect::<Vec<_>>().join(" × ")
}

/// Returns the text of a selection such as `nodes.windows(2)`.
fn selection(model: &Model, selection: &Selection) -> String {
    let all = model.configuration.with_frames(model.kinematics.as_ref());
    let name = &all.members[selection.field].name;
    match selection.part {
        SlotMembers::Each => format!("each of {name}"),
        SlotMembers::Windows { size, stride: 1 } => format!("{name}.windows({size})"),
        SlotMembers::Windows { size, stride } => format!("{name}.windows({size}).step_by({stride})"),
        SlotMembers::First => format!("{name}.first()"),
        SlotMembers::Last => format!("{name}.last()"),
        SlotMembers::At(index) => format!("{name}[{index}]"),
        SlotMembers::Whole(_) | SlotMembers::Listed(_) | SlotMembers::Parallel => name.to_string(),
    }
}

/// Returns the selection of a term, and its functions.
pub(super) fn heading(model: &Model, term: &Term) -> (String, String) {
    let mut over: Vec<String> = term.over.iter().map(|part| selection(model, part)).collect();
    if let [Selection { part: SlotMembers::Listed(list), .. }, ..] = term.over[..] {
        over = vec![format!("({}).by({})", over.join(", "), model.configuration.connections[list].name)];
    }
    let functions: Vec<String> = term.model.functions.iter().map(|function| format!("`{}`", function.name)).collect();
    if functions.is_empty() {
        return (over.join(", "), "unit inertia of auxiliary states".to_owned());
    }
    (over.join(", "), functions.join(", "))
}
