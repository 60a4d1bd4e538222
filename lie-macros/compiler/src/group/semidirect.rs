//! SE(2), SE(3) and S³ ⋉ R³: rigid motions x ↦ R x + t with body-fixed velocities (Ω, U), t' = R U.

use super::placements::{self, Seen};
use super::{Group, GroupRules, Operand, Storage, two};
use crate::expr::{Expressions, Node, Rotation, Type};

/// Rotations of one kind with the translations of the space that they act on.
pub(super) struct Semidirect(pub Rotation);

const OF_NALGEBRA: &str = "a type of nalgebra";

pub(super) const SE2: Group =
    Group::new("SE2", "SE(2)", &Semidirect(Rotation::SO2), Storage::Pose(Rotation::SO2), &[("Isometry2", OF_NALGEBRA)]);

pub(super) const SE3: Group = Group::new(
    "SE3",
    "SE(3)",
    &Semidirect(Rotation::SO3),
    Storage::Pose(Rotation::SO3),
    &[("Isometry3", OF_NALGEBRA), ("Matrix4", "a matrix")],
);

pub(super) const S3R3: Group =
    Group::new("S3R3", "S³ ⋉ R³", &Semidirect(Rotation::S3), Storage::Pose(Rotation::S3), &[]);

impl GroupRules for Semidirect {
    fn parts(&self) -> Vec<Type> {
        placements::parts(self.0)
    }
    fn blocks(&self) -> Vec<usize> {
        placements::blocks(self.0)
    }
    fn is_commutative(&self) -> bool {
        false
    }
    /// (ω × ω̂, ω × û − ω̂ × u); in the plane ω × u is u rotated by a right angle and scaled by ω.
    fn bracket(&self, j: usize, i: usize) -> Option<(usize, bool)> {
        let turning = self.0.dimension();
        if i == j || (j >= turning && i >= turning) {
            return None;
        }
        if turning == 1 {
            // ω J e_x = ω e_y, ω J e_y = −ω e_x.
            let (other, sign) = if j == 0 { (i, true) } else { (j, false) };
            return Some(if other == 1 { (2, sign) } else { (1, !sign) });
        }
        let (a, b) = (j % 3, i % 3);
        if a == b {
            return None;
        }
        let third = 3 - a - b;
        let linear = j >= 3 || i >= 3;
        Some((if linear { third + 3 } else { third }, (a + 1) % 3 == b))
    }

    /// R' = R Ω~, x' = R U.
    fn rates(&self, e: &mut Expressions, parts: &[Node], velocity: &[Node]) -> Vec<Node> {
        let ((rotation, _), (angular, linear)) = (two(parts), two(velocity));
        vec![angular, e.act(rotation, linear)]
    }
    fn velocity(&self, e: &mut Expressions, parts: &[Node], rates: &[Node]) -> Vec<Node> {
        let ((rotation, _), (angular, rate)) = (two(parts), two(rates));
        vec![angular, e.act_inverse(rotation, rate)]
    }
    fn covector(&self, e: &mut Expressions, parts: &[Node], cotangents: &[Node]) -> Vec<Node> {
        self.velocity(e, parts, cotangents)
    }
    /// (π × Ω + γ × U, γ × Ω).
    fn coadjoint(&self, e: &mut Expressions, velocity: &[Node], momentum: &[Node]) -> Vec<Node> {
        let Semidirect(kind) = *self;
        let ((omega, u), (pi, gamma)) = (two(velocity), two(momentum));
        let angular = if kind.is_planar() { e.zeros(1, 1) } else { e.cross(pi, omega) };
        // moment(U, γ) is U × γ; its third component in the plane.
        let turning = e.moment(kind, u, gamma);
        let angular = e.sub(angular, turning);
        let moved = e.infinitesimal(kind, omega, gamma);
        vec![angular, e.neg(moved)]
    }
    /// (R Ω, R U + x × R Ω).
    fn adjoint(&self, e: &mut Expressions, parts: &[Node], velocity: &[Node]) -> Vec<Node> {
        let ((rotation, x), (omega, u)) = (two(parts), two(velocity));
        let angular = self.0.to_space(e, rotation, omega);
        let moved = e.act(rotation, u);
        let swept = e.infinitesimal(self.0, angular, x);
        vec![angular, e.sub(moved, swept)]
    }
    /// (Rᵀ Ω, Rᵀ (U + Ω × x)).
    fn inverse_adjoint(&self, e: &mut Expressions, parts: &[Node], velocity: &[Node]) -> Vec<Node> {
        let ((rotation, x), (omega, u)) = (two(parts), two(velocity));
        let swept = e.infinitesimal(self.0, omega, x);
        let sum = e.add(u, swept);
        vec![self.0.to_body(e, rotation, omega), e.act_inverse(rotation, sum)]
    }
    fn adjoint_transpose(&self, e: &mut Expressions, parts: &[Node], covector: &[Node]) -> Vec<Node> {
        let ((rotation, x), (angular, linear)) = (two(parts), two(covector));
        let moment = e.moment(self.0, x, linear);
        let about = e.sub(angular, moment);
        vec![self.0.to_body(e, rotation, about), e.act_inverse(rotation, linear)]
    }
    fn inverse_adjoint_transpose(&self, e: &mut Expressions, parts: &[Node], covector: &[Node]) -> Vec<Node> {
        let ((rotation, x), (angular, linear)) = (two(parts), two(covector));
        let linear = e.act(rotation, linear);
        let angular = self.0.to_space(e, rotation, angular);
        let moment = e.moment(self.0, x, linear);
        vec![e.add(angular, moment), linear]
    }

    fn identity(&self, e: &mut Expressions) -> Option<Vec<Node>> {
        Some(placements::identity(e, self.0))
    }
    fn compose(&self, e: &mut Expressions, a: &[Node], b: &[Node]) -> Option<Vec<Node>> {
        let ((r, x), (s, y)) = (two(a), two(b));
        let turned = e.act(r, y);
        let translation = e.add(x, turned);
        Some(vec![e.compose(r, s), translation])
    }
    fn inverse(&self, e: &mut Expressions, a: &[Node]) -> Option<Vec<Node>> {
        let (rotation, translation) = two(a);
        let turned = e.act_inverse(rotation, translation);
        Some(vec![e.invert(rotation), e.neg(turned)])
    }
    /// The translation is T(ω)ᵀ u (paper 1, eq. 18).
    fn exp(&self, e: &mut Expressions, theta: Node) -> Option<Vec<Node>> {
        let Semidirect(kind) = *self;
        let angular = e.slice(theta, 0, kind.dimension());
        let linear = e.slice(theta, kind.dimension(), kind.space());
        let translation = if kind.is_planar() {
            e.planar_integral(angular, linear)
        } else {
            e.rotation_tangent(kind, angular, linear, true)
        };
        Some(vec![e.rotation_exp(kind, angular), translation])
    }
    fn log(&self, e: &mut Expressions, a: &[Node]) -> Option<Node> {
        let Semidirect(kind) = *self;
        let (rotation, translation) = two(a);
        let angular = e.rotation_log(rotation);
        let linear = if kind.is_planar() {
            e.planar_integral_inverse(angular, translation)
        } else {
            e.rotation_tangent_inverse(kind, angular, translation, true)
        };
        Some(e.concat(vec![angular, linear]))
    }
    fn act(&self, e: &mut Expressions, a: &[Node], x: Node) -> Option<Node> {
        placements::act(e, self.0, a, x)
    }
    fn method(&self, e: &mut Expressions, a: &[Node], name: &str, arguments: &[Operand]) -> Option<Operand> {
        placements::method(e, (self.0, Seen::FromBody), a, name, arguments)
    }
    fn construct(&self, e: &mut Expressions, name: &str, arguments: &[Operand]) -> Option<Vec<Node>> {
        placements::construct(e, self.0, name, arguments)
    }
}
