//! The description of a chain: the description of its declaration, completed with the lengths.

use crate::system::{ConstraintDescription, Description, MemberDescription};

use super::Layout;

/// The structural nonzeros of one element of a kind.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
#[doc(hidden)]
pub struct ElementCounts {
    /// In its mass matrix.
    pub mass: usize,
    /// In its Jacobian.
    pub jacobian: usize,
    /// In its tangent stiffness.
    pub stiffness: usize,
}

/// Replaces members that are bodies by the fields of the bodies.
///
/// `bodies` lists, by the number of a field of the configuration, the fields of all its bodies with their offsets in
/// the member. Clamped bodies have no components and are omitted.
pub fn with_bodies(
    mut description: Description,
    layout: &Layout,
    bodies: &[(usize, &[MemberDescription])],
) -> Description {
    let members = description.members.iter().zip(&layout.spans).enumerate().flat_map(|(field, (member, span))| {
        let Some((_, fields)) = bodies.iter().find(|(known, _)| *known == field) else { return vec![member.clone()] };
        let free = span.free();
        let components = free.start * span.dimension..free.end * span.dimension;
        let fields = fields.iter().filter(|field| components.contains(&field.offset));
        let place = |field: &MemberDescription| span.offset + field.offset - components.start;
        fields.map(|field| MemberDescription { offset: place(field), ..field.clone() }).collect()
    });
    let members = members.collect();
    description.members = members;
    description
}

/// Returns the description of a system with this layout.
///
/// `declared` lists the fields as members, and the constraints with the rows of one element. `functions` contains the
/// kind and function of each constraint. Structural nonzeros are summed over all elements; an entry that two elements
/// share counts twice.
pub fn chain_description(
    card: &Description,
    layout: &Layout,
    functions: &[(usize, usize)],
    counts: &[ElementCounts],
) -> Description {
    let members = card.members.iter().zip(&layout.spans).map(|(member, span)| MemberDescription {
        offset: span.offset,
        dof: span.free().len() * span.dimension,
        ..member.clone()
    });
    let constraints = card.constraints.iter().zip(functions).map(|(constraint, &(kind, function))| {
        let kind = &layout.kinds[kind];
        let (offset, rows) = (kind.start(function), constraint.rows * kind.count);
        ConstraintDescription { offset, rows, ..constraint.clone() }
    });
    let mut constraints: Vec<_> = constraints.collect();
    constraints.sort_by_key(|constraint| constraint.offset);
    let total = |count: fn(&ElementCounts) -> usize| {
        layout.kinds.iter().zip(counts).map(|(kind, counts)| kind.count * count(counts)).sum()
    };
    Description {
        dof: layout.dof,
        // The states are the last field.
        states: layout.spans.last().filter(|_| card.states > 0).map_or(0, |span| span.free().len() * span.dimension),
        members: members.collect(),
        constraints: constraints.into(),
        mass_nonzeros: total(|counts| counts.mass),
        jacobian_nonzeros: total(|counts| counts.jacobian),
        stiffness_nonzeros: total(|counts| counts.stiffness),
        ..card.clone()
    }
}
