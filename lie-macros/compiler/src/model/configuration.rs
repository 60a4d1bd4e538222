//! The configuration and its members.

use syn::Ident;

use super::{Group, Selection, SlotMembers};
use crate::group::Structure;

/// The configuration group.
#[derive(Clone)]
pub(crate) struct Configuration {
    /// The struct as written, without the role attribute.
    pub item: syn::ItemStruct,
    pub members: Vec<Member>,
    /// The lists of tuples of members that terms select.
    pub connections: Vec<Connections>,
    /// The list of the parents of the frames, unless the frames form a chain.
    pub parents: Option<Ident>,
    /// The elements that have auxiliary states of their own; `None` for one set of states.
    pub states_over: Option<Selection>,
}

/// A list of tuples of members that is given at run time, for example the members that springs, pins or rods connect.
#[derive(Clone)]
pub(crate) struct Connections {
    pub name: Ident,
    /// The field of each member of a tuple.
    pub fields: Vec<usize>,
}

/// A struct of groups of the declaration, used as the type of members.
#[derive(Clone)]
pub(crate) struct Body {
    /// The struct as written, with one group for each of its fields.
    pub factors: Configuration,
    pub group: Group,
    /// The name of the struct of the velocities.
    pub velocity: Ident,
}

/// One field of the configuration or of a body.
#[derive(Clone)]
pub(crate) struct Member {
    pub name: Ident,
    pub group: Group,
    /// `Some(n)` for `[G; n]`.
    pub count: Option<usize>,
    /// True for `Vec<G>`.
    pub is_chain: bool,
    /// `#[clamped(first, last)]`: the first and the last member keep their configuration.
    pub clamped: [bool; 2],
}

impl Configuration {
    /// The dimension of the group.
    pub fn dof(&self) -> usize {
        self.members.iter().map(Member::dof).sum()
    }

    /// The hidden member whose velocity are the auxiliary states.
    pub fn states(&self) -> Option<&Member> {
        self.members.iter().find(|member| is_of_states(member))
    }

    /// The selection of the auxiliary states of one element.
    pub fn states_of_element(&self) -> Option<Selection> {
        let field = self.members.iter().position(is_of_states)?;
        let part = if self.states_over.is_some() { SlotMembers::Parallel } else { SlotMembers::Whole(1) };
        Some(Selection { field, part })
    }

    /// The chain whose elements have auxiliary states, and their selection.
    pub fn chain_of_states(&self) -> Option<(&Member, SlotMembers)> {
        self.states_over.map(|Selection { field, part }| (&self.members[field], part))
    }

    /// The type of points of the configuration space: the struct as written, or the generated struct with the hidden member.
    pub fn point(&self) -> Ident {
        let name = &self.item.ident;
        if self.states().is_some() { quote::format_ident!("{name}WithStates") } else { name.clone() }
    }

    /// The struct and the members as written, without the hidden member.
    pub fn as_written(&self) -> Configuration {
        let mut written = self.clone();
        if written.states().is_some() {
            written.members.retain(|member| !is_of_states(member));
            if let syn::Fields::Named(fields) = &mut written.item.fields {
                fields.named.pop();
            }
        }
        written
    }

    /// A product of these members, without lists.
    pub fn of(item: syn::ItemStruct, members: Vec<Member>) -> Self {
        Configuration { item, members, connections: vec![], parents: None, states_over: None }
    }

    /// True if any length is chosen at run time.
    pub fn has_lengths(&self) -> bool {
        self.parents.is_some() || !self.connections.is_empty() || self.members.iter().any(|member| member.is_chain)
    }

    /// The number of velocity components of the slots of an element.
    pub fn dof_of(&self, over: &[Selection]) -> usize {
        over.iter().map(|selection| self.members[selection.field].group.dimension() * selection.part.slots()).sum()
    }
}

/// True for the hidden member of the auxiliary states.
pub(crate) fn is_of_states(member: &Member) -> bool {
    member.group.structure().is_some_and(Structure::is_of_states)
}

impl Member {
    /// True for a power or a chain, false for a single member.
    pub fn is_run(&self) -> bool {
        self.is_chain || self.count.is_some()
    }

    /// The dimension of the member, including all its elements.
    pub fn dof(&self) -> usize {
        self.group.dimension() * self.count.unwrap_or(1)
    }
}
