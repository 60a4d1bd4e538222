//! SO(2), SO(3) and S³: an element has one part, a rotation.

use super::{Group, GroupRules, Operand, Storage, one};
use crate::expr::{Expressions, Node, Rotation, Type};

const OF_NALGEBRA: &str = "a type of nalgebra";
const MATRIX: &str = "a matrix";
const FOREIGN: &str = "a type of another library";

pub(super) const SO2: Group = Group::new(
    "SO2",
    "SO(2)",
    &Rotation::SO2,
    Storage::Rotation(Rotation::SO2),
    &[("Rotation2", OF_NALGEBRA), ("UnitComplex", OF_NALGEBRA), ("Matrix2", MATRIX)],
);

pub(super) const SO3: Group = Group::new(
    "SO3",
    "SO(3)",
    &Rotation::SO3,
    Storage::Rotation(Rotation::SO3),
    &[("Rotation3", OF_NALGEBRA), ("Matrix3", MATRIX), ("SMatrix", MATRIX)],
);

pub(super) const S3: Group = Group::new(
    "S3",
    "S³",
    &Rotation::S3,
    Storage::Rotation(Rotation::S3),
    &[("UnitQuaternion", OF_NALGEBRA), ("Quaternion", OF_NALGEBRA), ("Quat", FOREIGN), ("DQuat", FOREIGN)],
);

/// The group of one kind of rotations.
pub(super) fn group(kind: Rotation) -> Group {
    match kind {
        Rotation::SO2 => SO2,
        Rotation::SO3 => SO3,
        Rotation::S3 => S3,
    }
}

impl GroupRules for Rotation {
    fn parts(&self) -> Vec<Type> {
        vec![Type::Rotation(*self)]
    }
    fn blocks(&self) -> Vec<usize> {
        vec![self.dimension()]
    }
    fn is_commutative(&self) -> bool {
        self.is_planar()
    }
    /// The cross product.
    fn bracket(&self, j: usize, i: usize) -> Option<(usize, bool)> {
        (i != j).then(|| (3 - i - j, (j + 1) % 3 == i))
    }

    /// p × Ω.
    fn coadjoint(&self, e: &mut Expressions, velocity: &[Node], momentum: &[Node]) -> Vec<Node> {
        vec![if self.is_planar() { e.zeros(1, 1) } else { e.cross(one(momentum), one(velocity)) }]
    }
    fn adjoint(&self, e: &mut Expressions, parts: &[Node], velocity: &[Node]) -> Vec<Node> {
        vec![self.to_space(e, one(parts), one(velocity))]
    }
    fn inverse_adjoint(&self, e: &mut Expressions, parts: &[Node], velocity: &[Node]) -> Vec<Node> {
        vec![self.to_body(e, one(parts), one(velocity))]
    }
    fn adjoint_transpose(&self, e: &mut Expressions, parts: &[Node], covector: &[Node]) -> Vec<Node> {
        vec![self.to_body(e, one(parts), one(covector))]
    }
    fn inverse_adjoint_transpose(&self, e: &mut Expressions, parts: &[Node], covector: &[Node]) -> Vec<Node> {
        vec![self.to_space(e, one(parts), one(covector))]
    }

    fn identity(&self, e: &mut Expressions) -> Option<Vec<Node>> {
        let zero = e.zeros(self.dimension(), 1);
        Some(vec![e.rotation_exp(*self, zero)])
    }
    fn compose(&self, e: &mut Expressions, a: &[Node], b: &[Node]) -> Option<Vec<Node>> {
        Some(vec![e.compose(one(a), one(b))])
    }
    fn inverse(&self, e: &mut Expressions, a: &[Node]) -> Option<Vec<Node>> {
        Some(vec![e.invert(one(a))])
    }
    fn exp(&self, e: &mut Expressions, theta: Node) -> Option<Vec<Node>> {
        Some(vec![e.rotation_exp(*self, theta)])
    }
    fn log(&self, e: &mut Expressions, a: &[Node]) -> Option<Node> {
        Some(e.rotation_log(one(a)))
    }
    fn act(&self, e: &mut Expressions, a: &[Node], x: Node) -> Option<Node> {
        (e.shape(x) == (self.space(), 1)).then(|| e.act(one(a), x))
    }
    fn method(&self, e: &mut Expressions, a: &[Node], name: &str, arguments: &[Operand]) -> Option<Operand> {
        match (name, self, arguments) {
            ("angle", Rotation::SO2, []) => Some(Operand::Scalar(e.rotation_log(one(a)))),
            ("matrix", Rotation::SO2 | Rotation::SO3, []) | ("rotation_matrix", _, []) => {
                Some(Operand::Matrix(e.rotation_matrix(one(a))))
            }
            ("transpose", Rotation::SO3, []) => Some(group(*self).operand(vec![e.invert(one(a))])),
            _ => None,
        }
    }
    fn construct(&self, e: &mut Expressions, name: &str, arguments: &[Operand]) -> Option<Vec<Node>> {
        match (name, self, arguments) {
            ("exp" | "from_angle", Rotation::SO2, [Operand::Scalar(angle)]) => self.exp(e, *angle),
            (_, Rotation::SO3 | Rotation::S3, [Operand::Scalar(angle)]) => {
                let axis = ["about_x", "about_y", "about_z"].iter().position(|&about| about == name)?;
                Some(vec![self.about_axis(e, axis, *angle)])
            }
            (
                "from_roll_pitch_yaw",
                Rotation::SO3 | Rotation::S3,
                [Operand::Scalar(x), Operand::Scalar(y), Operand::Scalar(z)],
            ) => Some(vec![self.successive(e, [(2, *z), (1, *y), (0, *x)])]),
            (
                "from_euler_zxz",
                Rotation::SO3 | Rotation::S3,
                [Operand::Scalar(a), Operand::Scalar(b), Operand::Scalar(c)],
            ) => Some(vec![self.successive(e, [(2, *a), (0, *b), (2, *c)])]),
            _ => None,
        }
    }
}

impl Rotation {
    /// The rotation of space about a coordinate axis.
    fn about_axis(self, e: &mut Expressions, axis: usize, angle: Node) -> Node {
        let zero = e.zeros(1, 1);
        let mut theta = vec![zero; 3];
        theta[axis] = angle;
        let theta = e.stack(theta, 3, 1);
        e.rotation_exp(self, theta)
    }

    /// The product of three rotations about coordinate axes.
    fn successive(self, e: &mut Expressions, [first, second, third]: [(usize, Node); 3]) -> Node {
        let [first, second, third] = [first, second, third].map(|(axis, angle)| self.about_axis(e, axis, angle));
        let product = e.compose(first, second);
        e.compose(product, third)
    }

    /// R Ω; Ω in the plane.
    pub(super) fn to_space(self, e: &mut Expressions, rotation: Node, angular: Node) -> Node {
        if self.is_planar() { angular } else { e.act(rotation, angular) }
    }

    /// Rᵀ Ω; Ω in the plane.
    pub(super) fn to_body(self, e: &mut Expressions, rotation: Node, angular: Node) -> Node {
        if self.is_planar() { angular } else { e.act_inverse(rotation, angular) }
    }
}
