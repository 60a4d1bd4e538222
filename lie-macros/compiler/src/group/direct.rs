//! SO(3) × R³ and S³ × R³: direct products of a rotation and a position. The angular velocity is body-fixed, the linear velocity is
//! spatial.

use super::placements::{self, Seen};
use super::{Group, GroupRules, Operand, Storage, one, two};
use crate::expr::{Expressions, Node, Rotation, Type};

/// Rotations of one kind, and positions in the space that they rotate.
struct Direct(Rotation);

pub(super) const SO3_X_R3: Group =
    Group::new("SO3xR3", "SO(3) × R³", &Direct(Rotation::SO3), Storage::Pose(Rotation::SO3), &[]);

pub(super) const S3_X_R3: Group =
    Group::new("S3xR3", "S³ × R³", &Direct(Rotation::S3), Storage::Pose(Rotation::S3), &[]);

impl GroupRules for Direct {
    fn parts(&self) -> Vec<Type> {
        placements::parts(self.0)
    }
    fn blocks(&self) -> Vec<usize> {
        placements::blocks(self.0)
    }
    fn is_commutative(&self) -> bool {
        self.0.is_commutative()
    }
    /// The bracket of the rotations.
    fn bracket(&self, j: usize, i: usize) -> Option<(usize, bool)> {
        let turning = self.0.dimension();
        if j < turning && i < turning { self.0.bracket(j, i) } else { None }
    }

    fn coadjoint(&self, e: &mut Expressions, velocity: &[Node], momentum: &[Node]) -> Vec<Node> {
        let angular = self.0.coadjoint(e, &velocity[..1], &momentum[..1]);
        vec![one(&angular), e.zeros(self.0.space(), 1)]
    }
    fn adjoint(&self, e: &mut Expressions, parts: &[Node], velocity: &[Node]) -> Vec<Node> {
        let ((rotation, _), (angular, linear)) = (two(parts), two(velocity));
        vec![self.0.to_space(e, rotation, angular), linear]
    }
    fn inverse_adjoint(&self, e: &mut Expressions, parts: &[Node], velocity: &[Node]) -> Vec<Node> {
        let ((rotation, _), (angular, linear)) = (two(parts), two(velocity));
        vec![self.0.to_body(e, rotation, angular), linear]
    }
    fn adjoint_transpose(&self, e: &mut Expressions, parts: &[Node], covector: &[Node]) -> Vec<Node> {
        let ((rotation, _), (angular, linear)) = (two(parts), two(covector));
        vec![self.0.to_body(e, rotation, angular), linear]
    }
    fn inverse_adjoint_transpose(&self, e: &mut Expressions, parts: &[Node], covector: &[Node]) -> Vec<Node> {
        self.adjoint(e, parts, covector)
    }

    fn identity(&self, e: &mut Expressions) -> Option<Vec<Node>> {
        Some(placements::identity(e, self.0))
    }
    fn compose(&self, e: &mut Expressions, a: &[Node], b: &[Node]) -> Option<Vec<Node>> {
        let ((r, x), (s, y)) = (two(a), two(b));
        Some(vec![e.compose(r, s), e.add(x, y)])
    }
    fn inverse(&self, e: &mut Expressions, a: &[Node]) -> Option<Vec<Node>> {
        let (rotation, translation) = two(a);
        Some(vec![e.invert(rotation), e.neg(translation)])
    }
    fn exp(&self, e: &mut Expressions, theta: Node) -> Option<Vec<Node>> {
        let angular = e.slice(theta, 0, self.0.dimension());
        let rotation = e.rotation_exp(self.0, angular);
        Some(vec![rotation, e.slice(theta, self.0.dimension(), self.0.space())])
    }
    fn log(&self, e: &mut Expressions, a: &[Node]) -> Option<Node> {
        let (rotation, translation) = two(a);
        let angular = e.rotation_log(rotation);
        Some(e.concat(vec![angular, translation]))
    }
    fn act(&self, e: &mut Expressions, a: &[Node], x: Node) -> Option<Node> {
        placements::act(e, self.0, a, x)
    }
    fn method(&self, e: &mut Expressions, a: &[Node], name: &str, arguments: &[Operand]) -> Option<Operand> {
        placements::method(e, (self.0, Seen::FromSpace), a, name, arguments)
    }
    fn construct(&self, e: &mut Expressions, name: &str, arguments: &[Operand]) -> Option<Vec<Node>> {
        placements::construct(e, self.0, name, arguments)
    }
}
