//! The description of a chain: the card of its declaration, once the lengths are known.

use crate::system::{ConstraintDescription, Description, MemberDescription};

use super::Layout;

/// What one element of a kind has of structural nonzeros.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct ElementCounts {
    /// Of its part of the mass matrix.
    pub mass: usize,
    /// Of its Jacobian.
    pub jacobian: usize,
    /// Of its part of the tangent stiffness.
    pub stiffness: usize,
}

/// The same description with the fields of bodies in the place of the members that these are.
///
/// `bodies` lists, for fields of the configuration by their numbers, the fields of all their bodies with their places in
/// the member; those of clamped bodies have none and are left out.
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

/// The description of a system with this layout.
///
/// The card of the declaration lists the fields as members and the constraints with the rows of one element; `functions`
/// says of each constraint which function of which kind it is. The counts are those of all elements; where two
/// elements share an entry it counts for both.
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
        members: members.collect(),
        constraints: constraints.into(),
        mass_nonzeros: total(|counts| counts.mass),
        jacobian_nonzeros: total(|counts| counts.jacobian),
        stiffness_nonzeros: total(|counts| counts.stiffness),
        ..card.clone()
    }
}
