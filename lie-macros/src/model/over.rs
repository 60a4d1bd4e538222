//! Terms over the members of chains: what an element runs over.

use super::{Configuration, ForceTarget, Member, Model, Role, RoleFunction};

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
}

impl Part {
    /// How many slots it fills.
    pub fn slots(self) -> usize {
        match self {
            Part::Windows { size: n, .. } | Part::Whole(n) => n,
            Part::Each | Part::First | Part::Last | Part::At(_) => 1,
        }
    }

    /// True if every member of its field is in some element.
    pub fn covers(self) -> bool {
        match self {
            Part::Each | Part::Whole(_) => true,
            Part::Windows { size, stride } => stride <= size,
            Part::First | Part::Last | Part::At(_) => false,
        }
    }

    /// True if there is one element for each member or window.
    pub fn runs(self) -> bool {
        matches!(self, Part::Each | Part::Windows { .. })
    }
}

/// A field and its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Selection {
    pub field: usize,
    pub part: Part,
}

/// One kind of element: a small model whose configuration is the slots.
pub(crate) struct ElementModel {
    pub over: Vec<Selection>,
    /// Members are the selections, named `slots_0`, `slots_1`, …; functions are those of this element.
    pub model: Model,
}

impl Model {
    /// True if the system is a sum of elements whose number is known at run time, or declared member by member.
    pub fn has_elements(&self) -> bool {
        self.configuration.members.iter().any(|member| member.is_chain || member.clamped != [false; 2])
            || self.kinematics.is_some()
            || self.functions.iter().any(|function| function.over.is_some())
    }

    /// True if an element runs over frames.
    pub(super) fn is_of_frames(&self, over: &[Selection]) -> bool {
        over.iter().any(|selection| selection.field >= self.configuration.members.len())
    }

    /// The kinds of elements over members, in the order of their first function.
    pub fn elements(&self) -> Vec<ElementModel> {
        self.kinds_of_elements().into_iter().filter(|kind| !self.is_of_frames(&kind.over)).collect()
    }

    pub(super) fn kinds_of_elements(&self) -> Vec<ElementModel> {
        // Functions without `over` name members by their fields, even if they see one member only.
        let mut kinds: Vec<(Option<Vec<Selection>>, Vec<RoleFunction>)> = Vec::new();
        for function in &self.functions {
            if matches!(function.role, Role::Observable) {
                continue;
            }
            match kinds.iter_mut().find(|(known, _)| *known == function.over) {
                Some((_, functions)) => functions.push(function.clone()),
                None => kinds.push((function.over.clone(), vec![function.clone()])),
            }
        }
        kinds.into_iter().map(|(over, functions)| self.element(over, functions)).collect()
    }

    fn element(&self, over: Option<Vec<Selection>>, mut functions: Vec<RoleFunction>) -> ElementModel {
        let is_whole = over.is_none();
        let over = over.unwrap_or_else(|| self.configuration.whole());
        for function in &mut functions {
            // Members of this model are the selections.
            if let Role::Force(ForceTarget::Member(member)) = &mut function.role
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
            configuration: Configuration { item: self.configuration.item.clone(), members },
            functions,
            others,
            is_element: true,
            ..self.clone()
        };
        ElementModel { over, model }
    }
}

impl Configuration {
    /// All members that are no chains: what a function without `over` sees.
    pub fn whole(&self) -> Vec<Selection> {
        let fixed = self.members.iter().enumerate().filter(|(_, member)| !member.is_chain);
        fixed.map(|(field, member)| Selection { field, part: Part::Whole(member.count.unwrap_or(1)) }).collect()
    }
}
