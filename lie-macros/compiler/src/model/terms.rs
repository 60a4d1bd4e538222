//! Terms: a declaration as a sum of terms over selections: the whole configuration, one member, adjacent members, or a frame.

use std::rc::Rc;

use super::{
    Configuration, ForceTarget, Kinematics, Member, Model, Role, RoleFunction, Selection, SlotMembers, is_of_states,
};

/// One term, or all terms over one selection: a small model with the selection as its configuration.
pub(crate) struct TermModel {
    pub over: Vec<Selection>,
    /// The members are the selections, named `slots_0`, `slots_1`, …; a term over the whole configuration keeps the names. The functions
    /// are the functions of this term.
    pub model: Model,
}

/// Terms over members, then terms that join or constrain frames; and the frames with the terms over single frames.
pub(crate) struct Terms<'a> {
    pub of_members: Vec<TermModel>,
    pub frames: Option<FrameTerms<'a>>,
}

/// Frames and the terms that run over them.
pub(crate) struct FrameTerms<'a> {
    pub kinematics: &'a Kinematics,
    pub terms: Vec<TermModel>,
}

impl Model {
    /// True if the system is one term over the whole configuration with named members. Otherwise the system is assembled of terms that are
    /// declared member by member, or whose number is known at run time.
    pub fn is_unrolled(&self) -> bool {
        !self.configuration.members.iter().any(|member| member.is_chain || member.clamped != [false; 2])
            && self.kinematics.is_none()
            && self.functions.iter().all(|function| function.over.is_none() || function.element.is_some())
    }

    /// True if a term runs over frames.
    pub fn is_of_frames(&self, over: &[Selection]) -> bool {
        over.iter().any(|selection| selection.field >= self.configuration.members.len())
    }

    /// True for a function that joins frames or constrains one: a term over the members that move the frames.
    fn joins_frames(&self, function: &RoleFunction) -> bool {
        let Some(over) = function.over.as_ref().filter(|over| self.is_of_frames(over)) else { return false };
        let is_one = matches!(
            over[..],
            [Selection { part: SlotMembers::Each | SlotMembers::First | SlotMembers::Last | SlotMembers::At(_), .. }]
        );
        !is_one || matches!(function.role, Role::Constraint | Role::VelocityConstraint)
    }

    /// The terms of the declaration, in the order of the first function of each term.
    pub fn terms(&self) -> Terms<'_> {
        // Functions without `over` access members by their fields, even if they use only one member.
        let mut alike: Vec<(Option<Vec<Selection>>, bool, Vec<RoleFunction>)> = Vec::new();
        let is_unrolled = self.is_unrolled();
        if is_unrolled {
            alike.push((None, false, Vec::new()));
        }
        // A force acts at a quantity of its own term.
        let targets = self.targets_of_states();
        for function in &self.functions {
            if function.role.is_called() {
                continue;
            }
            let is_element = function.element.is_some();
            let over = function.over.as_ref().filter(|_| !is_element);
            let joins = !is_element && self.joins_frames(function);
            let reads = function.reads_states(&targets);
            // Members without states of their own have no auxiliary states.
            let is_alike = |others: &[RoleFunction]| {
                is_unrolled || over.is_some() || others.iter().all(|other| other.reads_states(&targets) == reads)
            };
            let known = alike
                .iter_mut()
                .find(|(known, joined, functions)| known.as_ref() == over && *joined == joins && is_alike(functions));
            match known {
                Some((.., functions)) => functions.push(function.clone()),
                None => alike.push((over.cloned(), joins, vec![function.clone()])),
            }
        }
        // The states are velocities of coordinates with unit inertia, which no function declares.
        if let Some(states) = self.configuration.states_of_element().filter(|_| !is_unrolled) {
            let part = if self.configuration.states_over.is_some() { SlotMembers::Each } else { states.part };
            alike.push((Some(vec![Selection { part, ..states }]), false, Vec::new()));
        }
        // Terms that join frames come after the terms over members.
        alike.sort_by_key(|(_, joins, _)| *joins);
        let all = alike.into_iter().map(|(over, joins, functions)| (joins, self.term(over, functions)));
        let (of_frames, of_members): (Vec<_>, Vec<_>) =
            all.partition(|(joins, term)| self.is_of_frames(&term.over) && !joins);
        let terms = |all: Vec<(bool, TermModel)>| all.into_iter().map(|(_, term)| term).collect::<Vec<_>>();
        let (of_frames, of_members) = (terms(of_frames), terms(of_members));
        let frames = self.kinematics.as_ref().map(|kinematics| FrameTerms { kinematics, terms: of_frames });
        Terms { of_members, frames }
    }

    fn term(&self, over: Option<Vec<Selection>>, mut functions: Vec<RoleFunction>) -> TermModel {
        let is_whole = over.is_none();
        let over = over.unwrap_or_else(|| {
            let mut whole = self.configuration.whole();
            let targets = self.targets_of_states();
            if !self.is_unrolled() && !functions.iter().any(|function| function.reads_states(&targets)) {
                whole.retain(|selection| !is_of_states(&self.configuration.members[selection.field]));
            }
            whole
        });
        for function in &mut functions {
            // The members of this model are the selections.
            if let Role::Force(ForceTarget::Member(member, _)) = &mut function.role
                && let Some(at) = over.iter().position(|selection| selection.field == *member)
            {
                *member = at;
            }
        }
        let all = self.configuration.with_frames(self.kinematics.as_ref());
        let members = over
            .iter()
            .enumerate()
            .map(|(at, selection)| {
                let member = &all.members[selection.field];
                let name = if is_whole { member.name.clone() } else { quote::format_ident!("slots_{at}") };
                let count = match selection.part {
                    SlotMembers::Windows { size, .. } => Some(size),
                    SlotMembers::Whole(_) => member.count,
                    _ => None,
                };
                Member { name, group: member.group, count, is_chain: false, clamped: [false; 2] }
            })
            .collect();
        let others = self
            .functions
            .iter()
            .filter(|function| functions.iter().all(|own| own.name != function.name))
            .chain(&self.others)
            .cloned()
            .collect();
        let model = Model {
            configuration: Configuration::of(self.configuration.item.clone(), members),
            functions,
            others,
            is_part: !self.is_unrolled(),
            shared: Rc::clone(&self.shared),
        };
        TermModel { over, model }
    }
}

impl Configuration {
    /// All members except chains: the arguments of a function without `over`.
    pub fn whole(&self) -> Vec<Selection> {
        let fixed = self.members.iter().enumerate().filter(|(_, member)| !member.is_chain);
        fixed.map(|(field, member)| Selection { field, part: SlotMembers::Whole(member.count.unwrap_or(1)) }).collect()
    }
}
