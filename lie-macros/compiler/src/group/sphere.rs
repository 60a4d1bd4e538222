//! S², a homogeneous space of the rotations: a point is a direction q, and the spatial velocity ω rotates it, q' = ω × q.

use super::{Group, GroupRules, Operand, Storage, one};
use crate::expr::{Expressions, Node, Type};

struct Sphere;

pub(super) const S2: Group = Group::new("S2", "S²", &Sphere, Storage::Direction, &[]);

impl GroupRules for Sphere {
    fn parts(&self) -> Vec<Type> {
        vec![Type::vector(3)]
    }
    fn blocks(&self) -> Vec<usize> {
        vec![3]
    }
    fn is_group(&self) -> bool {
        false
    }
    fn is_commutative(&self) -> bool {
        false
    }
    /// The fields ω × q are right-invariant: their commutator has the opposite sign.
    fn bracket(&self, j: usize, i: usize) -> Option<(usize, bool)> {
        (i != j).then(|| (3 - i - j, (i + 1) % 3 == j))
    }

    /// ω × q.
    fn rates(&self, e: &mut Expressions, parts: &[Node], velocity: &[Node]) -> Vec<Node> {
        vec![e.cross(one(velocity), one(parts))]
    }
    /// The shortest velocity, q × q'.
    fn velocity(&self, e: &mut Expressions, parts: &[Node], rates: &[Node]) -> Vec<Node> {
        vec![e.cross(one(parts), one(rates))]
    }
    /// q × ∂f/∂q, along the rotations ξ × q.
    fn covector(&self, e: &mut Expressions, parts: &[Node], cotangents: &[Node]) -> Vec<Node> {
        vec![e.cross(one(parts), one(cotangents))]
    }
    /// ω × p, because velocities are spatial: δω = ξ' − ω × ξ.
    fn coadjoint(&self, e: &mut Expressions, velocity: &[Node], momentum: &[Node]) -> Vec<Node> {
        vec![e.cross(one(velocity), one(momentum))]
    }
    // Velocities are spatial already.
    fn adjoint(&self, _: &mut Expressions, _: &[Node], velocity: &[Node]) -> Vec<Node> {
        velocity.to_vec()
    }
    fn inverse_adjoint(&self, _: &mut Expressions, _: &[Node], velocity: &[Node]) -> Vec<Node> {
        velocity.to_vec()
    }
    fn adjoint_transpose(&self, _: &mut Expressions, _: &[Node], covector: &[Node]) -> Vec<Node> {
        covector.to_vec()
    }
    fn inverse_adjoint_transpose(&self, _: &mut Expressions, _: &[Node], covector: &[Node]) -> Vec<Node> {
        covector.to_vec()
    }
    /// The spin about q.
    fn idle(&self, parts: &[Node], velocity: &[Node]) -> Vec<(Node, Node)> {
        vec![(one(parts), one(velocity))]
    }

    fn method(&self, _: &mut Expressions, a: &[Node], name: &str, arguments: &[Operand]) -> Option<Operand> {
        (name == "direction" && arguments.is_empty()).then(|| Operand::Matrix(one(a)))
    }
}
