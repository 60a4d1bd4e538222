//! The leaves of a declaration: parameters, time, and the atoms of configuration and velocity.

use super::Value;
use super::integers::Kind;
use crate::expr::{Expressions, Leaf, Node, Place, Relation, Seeds, Type, position};
use crate::model::{Group, Model, ParameterKind, ParameterTree, Rotation};

/// One group element of the configuration with its velocity.
#[derive(Clone, Debug)]
pub(crate) struct Atom {
    pub group: Group,
    pub place: Place,
    /// The first component in a velocity.
    pub offset: usize,
    pub rotation: Option<(Rotation, Node)>,
    /// The translation part; on spheres the direction.
    pub translation: Option<Node>,
    pub angular: Option<Node>,
    /// The linear velocity; on spheres ω.
    pub linear: Option<Node>,
}

/// All leaves.
pub(crate) struct Leaves {
    pub time: Node,
    pub atoms: Vec<Atom>,
    pub dof: usize,
    /// The fields of the parameters.
    parameters: Vec<(String, Value)>,
    /// What of them expressions read.
    entries: Vec<Value>,
    /// The atoms of each member.
    members: Vec<std::ops::Range<usize>>,
    is_array: Vec<bool>,
}

impl Leaves {
    /// The leaves of `model`.
    pub fn new(model: &Model, e: &mut Expressions) -> Self {
        let time = e.leaf(Leaf::Time, Type::SCALAR);
        let (mut atoms, mut members, mut offset) = (Vec::new(), Vec::new(), 0);
        for (index, member) in model.configuration.members.iter().enumerate() {
            let first = atoms.len();
            for element in 0..member.count.unwrap_or(1) {
                let place = Place { member: position(index), element: position(element) };
                let group = member.group;
                let rotation = group.rotation.map(|kind| (kind, e.leaf(Leaf::Rotation(place), Type::Rotation(kind))));
                let vector = |e: &mut Expressions, leaf, rows| (rows > 0).then(|| e.leaf(leaf, Type::vector(rows)));
                let turning = group.rotation.map_or(0, Rotation::dimension);
                let translation = vector(e, Leaf::Translation(place), group.translation);
                let angular = vector(e, Leaf::Angular(place), turning);
                let linear = vector(e, Leaf::Linear(place), group.translation);
                atoms.push(Atom { group, place, offset, rotation, translation, angular, linear });
                offset += group.dimension();
            }
            members.push(first..atoms.len());
        }
        let entries: Vec<Value> = model
            .parameters
            .iter()
            .flat_map(|parameters| &parameters.entries)
            .enumerate()
            .map(|(at, entry)| parameter(e, position(at), entry.kind))
            .collect();
        let trees = model.parameters.iter().flat_map(|parameters| parameters.trees(&model.structs));
        let parameters = trees.map(|(name, tree)| (name, assembled(&tree, &entries))).collect();
        let is_array = model.configuration.members.iter().map(|member| member.count.is_some()).collect();
        Self { time, atoms, dof: offset, parameters, entries, members, is_array }
    }

    /// The value of a field of the parameters.
    pub fn parameter(&self, name: &str) -> Option<Value> {
        self.parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    }

    /// The value of an entry of the parameters.
    pub fn entry(&self, number: usize) -> Value {
        self.entries[number].clone()
    }

    /// The value of a member of the configuration.
    pub fn configuration(&self, member: usize) -> Value {
        self.collect(member, Atom::position)
    }

    /// The value of a member of the velocity.
    pub fn velocity(&self, member: usize, e: &mut Expressions) -> Value {
        self.collect(member, |atom| atom.velocity(e))
    }

    /// The velocity that belongs to a value of the configuration: to a member, or to an array of members.
    pub fn velocity_of(&self, value: &Value, e: &mut Expressions) -> Option<Value> {
        if let Value::Array(items) = value {
            return items
                .iter()
                .map(|item| self.velocity_of(item, e))
                .collect::<Option<Vec<Value>>>()
                .map(Value::Array);
        }
        self.atoms.iter().find(|atom| atom.position() == *value).map(|atom| atom.velocity(e))
    }

    fn collect(&self, member: usize, value: impl FnMut(&Atom) -> Value) -> Value {
        let mut values: Vec<Value> = self.atoms[self.members[member].clone()].iter().map(value).collect();
        if self.is_array[member] { Value::Array(values) } else { values.pop().unwrap_or(Value::Unknown) }
    }

    /// The atoms of a member.
    pub fn atoms_of(&self, member: usize) -> &[Atom] {
        &self.atoms[self.members[member].clone()]
    }

    /// The tangents of the configuration's leaves along the twists that `twist` gives for each atom
    /// (angular, linear), by q' = q v~; on spheres q' = ω × q.
    pub fn along(
        &self,
        e: &mut Expressions,
        mut twist: impl FnMut(&mut Expressions, &Atom) -> (Option<Node>, Option<Node>),
    ) -> Seeds {
        let mut seeds = Seeds::new();
        for atom in &self.atoms {
            let (angular, linear) = twist(e, atom);
            if let (Some((_, leaf)), Some(angular)) = (atom.rotation, angular) {
                seeds.insert(leaf, angular);
            }
            if let (Some(leaf), Some(linear)) = (atom.translation, linear) {
                // In a semidirect product the linear velocity is seen from the body: x' = R u.
                let moved = match atom.rotation {
                    Some((_, rotation)) => e.act(rotation, linear),
                    None if atom.group.is_sphere => e.cross(linear, leaf),
                    None => linear,
                };
                seeds.insert(leaf, moved);
            }
        }
        seeds
    }

    /// The tangents along the motion: the velocity, and t' = 1.
    pub fn motion(&self, e: &mut Expressions) -> Seeds {
        let mut seeds = self.along(e, |_, atom| (atom.angular, atom.linear));
        seeds.insert(self.time, e.number(1.0));
        seeds
    }

    /// The tangents along the unit vector `index` of the algebra.
    pub fn direction(&self, e: &mut Expressions, index: usize) -> Seeds {
        let (at, local) = self.locate(index);
        let place = self.atoms[at].place;
        self.along(e, |e, atom| if atom.place == place { atom.unit(e, local) } else { (None, None) })
    }

    /// The tangents of the velocity's leaves along its unit vector `index`.
    pub fn velocity_direction(&self, e: &mut Expressions, index: usize) -> Seeds {
        let (at, local) = self.locate(index);
        let atom = &self.atoms[at];
        let (angular, linear) = atom.unit(e, local);
        let mut seeds = Seeds::new();
        if let (Some(leaf), Some(seed)) = (atom.angular, angular) {
            seeds.insert(leaf, seed);
        }
        if let (Some(leaf), Some(seed)) = (atom.linear, linear) {
            seeds.insert(leaf, seed);
        }
        seeds
    }

    /// The atom that component `index` of a velocity belongs to, and its component there.
    fn locate(&self, index: usize) -> (usize, usize) {
        let at = self.atoms.partition_point(|atom| atom.offset <= index) - 1;
        (at, index - self.atoms[at].offset)
    }

    /// The leaves of the velocity.
    pub fn velocity_leaves(&self) -> Vec<Node> {
        self.atoms.iter().flat_map(|atom| [atom.angular, atom.linear]).flatten().collect()
    }
}

/// The value of an entry; its leaves are numbered by the element.
fn parameter(e: &mut Expressions, field: u32, kind: ParameterKind) -> Value {
    let leaf =
        |e: &mut Expressions, element: usize, ty| e.leaf(Leaf::Parameter { field, element: position(element) }, ty);
    match kind {
        ParameterKind::Scalar => Value::Scalar(leaf(e, 0, Type::SCALAR)),
        ParameterKind::Vector(rows) => Value::Matrix(leaf(e, 0, Type::vector(rows))),
        ParameterKind::Matrix(rows, columns) => Value::Matrix(leaf(e, 0, Type::Matrix { rows, columns })),
        ParameterKind::ScalarArray(n) => {
            Value::Array((0..n).map(|element| Value::Scalar(leaf(e, element, Type::SCALAR))).collect())
        }
        ParameterKind::VectorArray(rows, n) => {
            Value::Array((0..n).map(|element| Value::Matrix(leaf(e, element, Type::vector(rows)))).collect())
        }
        ParameterKind::Flag => {
            // True is 1.
            let (zero, flag) = (e.number(0.0), leaf(e, 0, Type::SCALAR));
            Value::Truth(e.compare(Relation::Less, zero, flag))
        }
        ParameterKind::Whole(name) => Value::Count(leaf(e, 0, Type::SCALAR), Kind::named(name).unwrap_or(Kind::USIZE)),
        ParameterKind::Group(group) => {
            let rotation = group.rotation.map(|kind| leaf(e, 0, Type::Rotation(kind)));
            let translation = (group.translation > 0).then(|| leaf(e, 1, Type::vector(group.translation)));
            element_of(group, rotation, translation)
        }
    }
}

/// The value of a field, of the values of its entries.
fn assembled(tree: &ParameterTree, entries: &[Value]) -> Value {
    match tree {
        ParameterTree::Entry(number) => entries[*number].clone(),
        ParameterTree::Array(elements) => {
            Value::Array(elements.iter().map(|element| assembled(element, entries)).collect())
        }
        ParameterTree::Struct(name, fields) => Value::Struct(
            name.clone(),
            fields.iter().map(|(name, field)| (name.clone(), assembled(field, entries))).collect(),
        ),
        ParameterTree::Opaque(field) => Value::Opaque(field.clone()),
    }
}

/// An element of a group from its parts.
fn element_of(group: Group, rotation: Option<Node>, translation: Option<Node>) -> Value {
    match (rotation, translation) {
        (Some(rotation), Some(translation)) => Value::Pose { group, rotation, translation },
        (Some(rotation), None) => Value::Rotation(rotation),
        (None, Some(direction)) if group.is_sphere => Value::Direction(direction),
        (None, Some(number)) if group.is_number() => Value::Scalar(number),
        (None, Some(translation)) => Value::Matrix(translation),
        (None, None) => Value::Unknown,
    }
}

impl Atom {
    /// The dimension of the rotation's algebra.
    pub fn turning(&self) -> usize {
        self.rotation.map_or(0, |(kind, _)| kind.dimension())
    }

    /// The dimension of the group.
    pub fn dof(&self) -> usize {
        self.group.dimension()
    }

    fn position(&self) -> Value {
        element_of(self.group, self.rotation.map(|(_, rotation)| rotation), self.translation)
    }

    /// The velocity as users see it: SO(2) has a scalar one, semidirect products a twist.
    fn velocity(&self, e: &mut Expressions) -> Value {
        match (self.angular, self.linear) {
            (Some(angular), Some(linear)) => Value::Matrix(e.concat(vec![angular, linear])),
            (Some(angular), None) if self.turning() == 1 => Value::Scalar(angular),
            (None, Some(rate)) if self.group.is_number() => Value::Scalar(rate),
            (Some(vector), None) | (None, Some(vector)) => Value::Matrix(vector),
            (None, None) => Value::Unknown,
        }
    }

    /// The unit twist of this atom.
    fn unit(&self, e: &mut Expressions, local: usize) -> (Option<Node>, Option<Node>) {
        let (turning, moving) = (self.turning(), self.group.translation);
        let part = |e: &mut Expressions, rows: usize, at: Option<usize>| {
            (rows > 0).then(|| match at {
                Some(index) if index < rows => e.unit(rows, index),
                _ => e.zeros(rows, 1),
            })
        };
        (part(e, turning, Some(local)), part(e, moving, local.checked_sub(turning)))
    }

    /// Angular and linear part of a covector or vector of this atom's size.
    pub fn split(&self, e: &mut Expressions, vector: Node) -> (Option<Node>, Option<Node>) {
        let (turning, moving) = (self.turning(), self.group.translation);
        let angular = (turning > 0).then(|| e.slice(vector, 0, turning));
        let linear = (moving > 0).then(|| e.slice(vector, turning, moving));
        (angular, linear)
    }
}
