//! A declaration as a list of terms, each over a selection of members: everything, one, neighbours, or a frame.

use super::{Configuration, ForceTarget, Kinematics, Member, Model, Role, RoleFunction};

/// Which members of a field the slots of an element are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Part {
    /// `nodes`: one element for each member.
    Each,
    /// `nodes.windows(size)`, `nodes.windows(size).step_by(stride)`: one element for each run of neighbours, or for every
    /// `stride`-th one.
    Windows { size: usize, stride: usize },
    /// `nodes.first()`.
    First,
    /// `nodes.last()`.
    Last,
    /// `nodes[3]`.
    At(usize),
    /// The whole of a single member or of a fixed power of that many.
    Whole(usize),
    /// `(nodes, nodes).by(springs)`: one element for each tuple of a list; this is its next member.
    Listed(usize),
}

impl Part {
    /// How many slots it fills.
    pub fn slots(self) -> usize {
        match self {
            Part::Windows { size: n, .. } | Part::Whole(n) => n,
            Part::Each | Part::First | Part::Last | Part::At(_) | Part::Listed(_) => 1,
        }
    }

    /// True if every member of its field is in some element, or may be: what a list has is known at run time.
    pub fn covers(self) -> bool {
        match self {
            Part::Each | Part::Whole(_) | Part::Listed(_) => true,
            Part::Windows { size, stride } => stride <= size,
            Part::First | Part::Last | Part::At(_) => false,
        }
    }

    /// True if there is one element for each member, window or tuple of a list.
    pub fn runs(self) -> bool {
        matches!(self, Part::Each | Part::Windows { .. } | Part::Listed(_))
    }
}

/// A field and its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Selection {
    pub field: usize,
    pub part: Part,
}

/// One term, or all that are alike: a small model whose configuration is what they run over.
pub(crate) struct TermModel {
    pub over: Vec<Selection>,
    /// Members are the selections, named `slots_0`, `slots_1`, … (those of everything keep their names); functions are those
    /// of this term.
    pub model: Model,
}

/// Terms over members, after them those that join frames or constrain them; and the frames with the terms over one of them.
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
    /// True if the system is one term over everything, its members known by name; false if it is assembled of terms whose
    /// number is known at run time, or that are declared member by member.
    pub fn is_unrolled(&self) -> bool {
        !self.configuration.members.iter().any(|member| member.is_chain || member.clamped != [false; 2])
            && self.kinematics.is_none()
            && self.functions.iter().all(|function| function.over.is_none())
    }

    /// True if a term runs over frames.
    pub fn is_of_frames(&self, over: &[Selection]) -> bool {
        over.iter().any(|selection| selection.field >= self.configuration.members.len())
    }

    /// True of a function that joins frames, or constrains one: a term of the members that move them, not of one frame.
    fn joins_frames(&self, function: &RoleFunction) -> bool {
        let Some(over) = function.over.as_ref().filter(|over| self.is_of_frames(over)) else { return false };
        let is_one = matches!(over[..], [Selection { part: Part::Each | Part::First | Part::Last | Part::At(_), .. }]);
        !is_one || matches!(function.role, Role::Constraint | Role::VelocityConstraint)
    }

    /// What the declaration is the sum of, in the order of the first function of each term.
    pub fn terms(&self) -> Terms<'_> {
        // Functions without `over` name members by their fields, even if they see one member only.
        let mut alike: Vec<(Option<Vec<Selection>>, bool, Vec<RoleFunction>)> = Vec::new();
        if self.is_unrolled() {
            alike.push((None, false, Vec::new()));
        }
        for function in &self.functions {
            if function.role.is_called() {
                continue;
            }
            let joins = self.joins_frames(function);
            match alike.iter_mut().find(|(known, joined, _)| *known == function.over && *joined == joins) {
                Some((.., functions)) => functions.push(function.clone()),
                None => alike.push((function.over.clone(), joins, vec![function.clone()])),
            }
        }
        // What joins frames comes after all that sees members.
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
        let over = over.unwrap_or_else(|| self.configuration.whole());
        for function in &mut functions {
            // Members of this model are the selections.
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
                    Part::Windows { size, .. } => Some(size),
                    Part::Whole(_) => member.count,
                    _ => None,
                };
                Member { name, group: member.group, count, is_chain: false, clamped: [false; 2] }
            })
            .collect();
        let others = self
            .functions
            .iter()
            .filter(|function| functions.iter().all(|own| own.name != function.name))
            .cloned()
            .collect();
        let model = Model {
            configuration: Configuration::of(self.configuration.item.clone(), members),
            functions,
            others,
            is_part: !self.is_unrolled(),
            ..self.clone()
        };
        TermModel { over, model }
    }
}

impl Configuration {
    /// All members that are no chains: what a function without `over` sees.
    pub fn whole(&self) -> Vec<Selection> {
        let fixed = self.members.iter().enumerate().filter(|(_, member)| !member.is_chain);
        fixed.map(|(field, member)| Selection { field, part: Part::Whole(member.count.unwrap_or(1)) }).collect()
    }
}
