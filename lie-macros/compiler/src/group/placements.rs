//! Operations of all groups of rigid-body poses, independent of the product: a rotation, and the position of the origin.

use super::{Group, Operand, rotations, two};
use crate::expr::{Expressions, Node, Rotation, Type};

pub(super) fn parts(kind: Rotation) -> Vec<Type> {
    vec![Type::Rotation(kind), Type::vector(kind.space())]
}

pub(super) fn blocks(kind: Rotation) -> Vec<usize> {
    vec![kind.dimension(), kind.space()]
}

pub(super) fn identity(e: &mut Expressions, kind: Rotation) -> Vec<Node> {
    let zero = e.zeros(kind.dimension(), 1);
    let rotation = e.rotation_exp(kind, zero);
    vec![rotation, e.zeros(kind.space(), 1)]
}

/// R x + t.
pub(super) fn act(e: &mut Expressions, kind: Rotation, a: &[Node], x: Node) -> Option<Node> {
    let (rotation, translation) = two(a);
    if e.shape(x) != (kind.space(), 1) {
        return None;
    }
    let turned = e.act(rotation, x);
    Some(e.add(turned, translation))
}

/// The frame of the components of the velocity of the origin.
#[derive(Clone, Copy, PartialEq, Eq)]
pub(super) enum Seen {
    FromBody,
    FromSpace,
}

/// The methods of `Placement`.
pub(super) fn method(
    e: &mut Expressions,
    (kind, seen): (Rotation, Seen),
    a: &[Node],
    name: &str,
    arguments: &[Operand],
) -> Option<Operand> {
    let (rotation, position) = two(a);
    let point = (kind.space(), 1);
    match (name, arguments) {
        ("rotation", []) => Some(rotations::group(kind).operand(vec![rotation])),
        ("position", []) => Some(Operand::Matrix(position)),
        ("point_velocity" | "body_point_velocity", [Operand::Matrix(velocity), Operand::Matrix(x)])
            if e.shape(*velocity) == (kind.dimension() + kind.space(), 1) && e.shape(*x) == point =>
        {
            let angular = e.slice(*velocity, 0, kind.dimension());
            let linear = e.slice(*velocity, kind.dimension(), kind.space());
            let turning = e.infinitesimal(kind, angular, *x);
            let in_body = name == "body_point_velocity";
            Some(Operand::Matrix(match (seen, in_body) {
                (Seen::FromBody, true) => e.add(linear, turning),
                (Seen::FromBody, false) => {
                    let sum = e.add(linear, turning);
                    e.act(rotation, sum)
                }
                (Seen::FromSpace, true) => {
                    let linear = e.act_inverse(rotation, linear);
                    e.add(linear, turning)
                }
                (Seen::FromSpace, false) => {
                    let turning = e.act(rotation, turning);
                    e.add(linear, turning)
                }
            }))
        }
        ("twist", [angular, Operand::Matrix(linear)]) if e.shape(*linear) == point => {
            let angular = match (angular, kind.is_planar()) {
                (Operand::Scalar(angular), true) => *angular,
                (Operand::Matrix(angular), false) if e.shape(*angular) == point => *angular,
                _ => return None,
            };
            let linear = if seen == Seen::FromBody { e.act_inverse(rotation, *linear) } else { *linear };
            Some(Operand::Matrix(e.concat(vec![angular, linear])))
        }
        _ => None,
    }
}

/// `new(rotation, translation)`.
pub(super) fn construct(e: &mut Expressions, kind: Rotation, name: &str, arguments: &[Operand]) -> Option<Vec<Node>> {
    match (name, arguments) {
        ("new", [Operand::Element(rotation), Operand::Matrix(translation)])
            if rotation.group == Group::of_rotations(kind) && e.shape(*translation) == (kind.space(), 1) =>
        {
            Some(vec![rotation.parts[0], *translation])
        }
        _ => None,
    }
}
