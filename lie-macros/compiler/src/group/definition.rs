//! A group as data: its mathematics, its storage, and its elements.

use crate::expr::{Expressions, Node, Rotation, Type};

/// A factor of the configuration.
#[derive(Clone, Copy)]
pub(crate) struct Group {
    /// The name in the language.
    pub name: &'static str,
    /// The name in mathematical notation.
    pub notation: &'static str,
    pub rules: &'static dyn GroupRules,
    pub storage: Storage,
    /// Names of types that users can mistake for this group, each with its actual meaning.
    pub lookalikes: &'static [(&'static str, &'static str)],
}

/// An element of a group, or a point of the sphere.
#[derive(Clone, Debug, PartialEq)]
pub(crate) struct Element {
    pub group: Group,
    pub parts: Vec<Node>,
}

/// An argument or a result of methods and constructors of elements.
#[derive(Clone, Debug)]
pub(crate) enum Operand {
    Scalar(Node),
    Matrix(Node),
    Element(Element),
}

/// The mathematics of a group, in the parts of its elements and the blocks of its velocities.
///
/// Velocities are left-trivialised, q' = q v~. The sphere is not a group; its velocities are spatial.
pub(crate) trait GroupRules: Sync {
    /// The types of the parts of an element.
    fn parts(&self) -> Vec<Type>;
    /// The dimensions of the blocks of a velocity.
    fn blocks(&self) -> Vec<usize>;
    /// False for the sphere, which is not a group but is acted on by one.
    fn is_group(&self) -> bool {
        true
    }
    /// True if all elements commute, so that T = I.
    fn is_commutative(&self) -> bool;
    /// The bracket [e_j, e_i] of two unit vectors of the algebra, as a component and its sign (true for plus).
    fn bracket(&self, j: usize, i: usize) -> Option<(usize, bool)>;

    /// The rates of the parts for a velocity. By default the blocks of a velocity are the rates of the parts.
    fn rates(&self, _e: &mut Expressions, _parts: &[Node], velocity: &[Node]) -> Vec<Node> {
        velocity.to_vec()
    }
    /// The velocity for given rates of the parts: the inverse of [`rates`](GroupRules::rates).
    fn velocity(&self, _e: &mut Expressions, _parts: &[Node], rates: &[Node]) -> Vec<Node> {
        rates.to_vec()
    }
    /// The covector for given cotangents of the parts: the transpose of [`rates`](GroupRules::rates).
    fn covector(&self, _e: &mut Expressions, _parts: &[Node], cotangents: &[Node]) -> Vec<Node> {
        cotangents.to_vec()
    }
    /// ad_vᵀ p.
    fn coadjoint(&self, e: &mut Expressions, velocity: &[Node], momentum: &[Node]) -> Vec<Node>;
    /// Ad_q v: the spatial velocity.
    fn adjoint(&self, e: &mut Expressions, parts: &[Node], velocity: &[Node]) -> Vec<Node>;
    /// Ad_{q⁻¹} v: the body-fixed velocity.
    fn inverse_adjoint(&self, e: &mut Expressions, parts: &[Node], velocity: &[Node]) -> Vec<Node>;
    /// Ad_qᵀ μ: the body-fixed covector.
    fn adjoint_transpose(&self, e: &mut Expressions, parts: &[Node], covector: &[Node]) -> Vec<Node>;
    /// Ad_{q⁻¹}ᵀ p: the spatial covector.
    fn inverse_adjoint_transpose(&self, e: &mut Expressions, parts: &[Node], covector: &[Node]) -> Vec<Node>;
    /// Velocity directions without motion: each direction with its block.
    fn idle(&self, _parts: &[Node], _velocity: &[Node]) -> Vec<(Node, Node)> {
        vec![]
    }

    // Default `None`: spheres and structs have no such operations, vectors use the operations of vectors.

    /// The identity.
    fn identity(&self, _e: &mut Expressions) -> Option<Vec<Node>> {
        None
    }
    /// a b.
    fn compose(&self, _e: &mut Expressions, _a: &[Node], _b: &[Node]) -> Option<Vec<Node>> {
        None
    }
    /// a⁻¹.
    fn inverse(&self, _e: &mut Expressions, _a: &[Node]) -> Option<Vec<Node>> {
        None
    }
    /// exp(θ), with all blocks in one vector.
    fn exp(&self, _e: &mut Expressions, _theta: Node) -> Option<Vec<Node>> {
        None
    }
    /// log(a), all blocks in one vector.
    fn log(&self, _e: &mut Expressions, _a: &[Node]) -> Option<Node> {
        None
    }
    /// a · x; `None` for vectors that the group does not act on.
    fn act(&self, _e: &mut Expressions, _a: &[Node], _x: Node) -> Option<Node> {
        None
    }
    /// A method of elements, in addition to `inverse` and `log`.
    fn method(&self, _e: &mut Expressions, _a: &[Node], _name: &str, _arguments: &[Operand]) -> Option<Operand> {
        None
    }
    /// A constructor, in addition to `identity` and `exp` of a vector.
    fn construct(&self, _e: &mut Expressions, _name: &str, _arguments: &[Operand]) -> Option<Vec<Node>> {
        None
    }
}

/// The stored data of an element.
#[derive(Clone, Copy)]
pub(crate) enum Storage {
    /// A scalar.
    Number,
    /// A vector of this length.
    Vector(usize),
    /// A rotation matrix by rows for SO(3), otherwise the coordinates on the circle or the sphere.
    Rotation(Rotation),
    /// A rotation and a translation, in fields with these names.
    Pose(Rotation),
    /// The eight coordinates of a unit dual quaternion r + ε d, instead of a rotation and a translation.
    DualQuaternion,
    /// A unit vector.
    Direction,
    /// A struct of the declaration.
    Struct(&'static Structure),
}

/// A struct of groups.
#[derive(Debug)]
pub(crate) struct Structure {
    pub name: String,
    /// The struct of the velocities, with the same fields.
    pub velocity: String,
    pub(super) notation: String,
    /// The fields in order.
    pub fields: Vec<(String, Group)>,
}

impl core::fmt::Debug for Group {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.write_str(&self.written())
    }
}

impl PartialEq for Group {
    fn eq(&self, other: &Self) -> bool {
        (self.name, self.dimension()) == (other.name, other.dimension())
    }
}

impl Eq for Group {}

impl Group {
    /// A named group.
    pub(super) const fn new(
        name: &'static str,
        notation: &'static str,
        rules: &'static dyn GroupRules,
        storage: Storage,
        lookalikes: &'static [(&'static str, &'static str)],
    ) -> Self {
        Self { name, notation, rules, storage, lookalikes }
    }

    /// The struct of the declaration, if the group comes from one.
    pub fn structure(&self) -> Option<&'static Structure> {
        self.storage.structure()
    }

    /// True for the real line.
    pub fn is_number(&self) -> bool {
        self.name == Self::NUMBER.name
    }

    /// True for the real line and R^n: elements are their own velocities.
    pub fn is_vector_space(&self) -> bool {
        let is_vector = matches!(self.rules.parts().as_slice(), [Type::Matrix { .. }]);
        self.rules.is_group() && is_vector && self.is_commutative() && self.structure().is_none()
    }

    /// True if T = I.
    pub fn is_commutative(&self) -> bool {
        self.rules.is_commutative()
    }

    /// True if velocities are scalars.
    pub fn has_scalar_velocity(&self) -> bool {
        self.storage.has_scalar_velocity()
    }

    /// True for the sphere, and for structs that contain one.
    pub fn has_sphere(&self) -> bool {
        !self.rules.is_group()
    }

    /// True if both names denote one group.
    pub fn is_same(&self, other: &Group) -> bool {
        let both_are_vectors = self.is_vector_space() && other.is_vector_space();
        let names = self.name == other.name || (both_are_vectors && !self.is_number() && !other.is_number());
        names && self.dimension() == other.dimension()
    }

    /// True if elements of `other` are the same motions with another form or another product: `SE3::from(pose)`.
    pub fn converts(&self, other: &Group) -> bool {
        let is_same = |(a, b): (Type, Type)| match (a, b) {
            (Type::Rotation(a), Type::Rotation(b)) => a.space() == b.space(),
            (a, b) => a == b,
        };
        let (own, given) = (self.rules.parts(), other.rules.parts());
        self.structure().is_none()
            && other.structure().is_none()
            && own.len() == given.len()
            && own.into_iter().zip(given).all(is_same)
    }

    /// Converts an element of a group for which [`converts`](Group::converts) is true.
    pub fn converted(&self, e: &mut Expressions, parts: &[Node]) -> Vec<Node> {
        let convert = |(ty, &part): (Type, &Node)| match ty {
            Type::Rotation(rotation) => e.convert(rotation, part),
            _ => part,
        };
        self.rules.parts().into_iter().zip(parts).map(convert).collect()
    }

    /// The name of the group in the language.
    pub fn written(&self) -> String {
        if self.name == "Rn" { format!("Rn<{}>", self.dimension()) } else { self.name.to_owned() }
    }

    /// The group in mathematical notation.
    pub fn formula(&self) -> String {
        if self.name == "Rn" { format!("R^{}", self.dimension()) } else { self.notation.to_owned() }
    }

    /// The dimension of the group.
    pub fn dimension(&self) -> usize {
        self.rules.blocks().iter().sum()
    }

    /// The operand of an element: a scalar, a vector, or an element.
    pub fn operand(self, parts: Vec<Node>) -> Operand {
        match parts.as_slice() {
            [number] if self.is_number() => Operand::Scalar(*number),
            [vector] if self.is_vector_space() => Operand::Matrix(*vector),
            _ => Operand::Element(Element { group: self, parts }),
        }
    }

    /// Splits a vector with the length of a velocity into blocks.
    pub fn split(&self, e: &mut Expressions, vector: Node) -> Vec<Node> {
        let mut start = 0;
        let slice = |size: usize| {
            start += size;
            e.slice(vector, start - size, size)
        };
        self.rules.blocks().into_iter().map(slice).collect()
    }
}

/// The parts of an element with two parts.
pub(super) fn two(nodes: &[Node]) -> (Node, Node) {
    match *nodes {
        [first, second] => (first, second),
        _ => bug!("{} parts instead of two", nodes.len()),
    }
}

/// The part of an element with one part.
pub(super) fn one(nodes: &[Node]) -> Node {
    match *nodes {
        [only] => only,
        _ => bug!("{} parts instead of one", nodes.len()),
    }
}
