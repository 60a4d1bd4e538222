//! The leaves of the expressions of a declaration: parameters, inputs, time, and the atoms of configuration and velocity.

use super::Value;
use crate::expr::{Expressions, Leaf, MemberPosition, Node, Relation, Seeds, Subscript, Type, position};
use crate::group::Group;
use crate::model::{Model, ParameterKind, ParameterTree, TermElement};
use crate::scalar::{Graph, Lowering};

/// One group element of the configuration with its velocity.
#[derive(Clone, Debug)]
pub(crate) struct Atom {
    pub group: Group,
    /// The index of its first component in the velocity vector.
    pub offset: usize,
    /// The leaves of the parts of the element.
    pub parts: Vec<Node>,
    /// The leaves of the blocks of its velocity.
    pub velocity: Vec<Node>,
}

/// A group element with its parts and the leaves that are read at run time.
struct GroupElement {
    group: Group,
    parts: Vec<Node>,
    leaves: Vec<Leaf>,
}

/// All leaves of a declaration.
pub(crate) struct Leaves {
    pub time: Node,
    pub atoms: Vec<Atom>,
    pub dof: usize,
    /// The fields of the parameters.
    parameters: Vec<(String, Value)>,
    /// The fields of the inputs.
    inputs: Vec<(String, Value)>,
    /// The time derivatives of the time-dependent inputs, in the order of differentiation.
    input_rates: Vec<(Node, Node)>,
    /// The values of the entries of the parameters.
    entries: Vec<Value>,
    kinds: Vec<ParameterKind>,
    /// The atoms of each member.
    members: Vec<std::ops::Range<usize>>,
    is_array: Vec<bool>,
    /// The item types of the lists of the parameters.
    lists: Vec<ParameterTree>,
    /// All elements of groups.
    elements: Vec<GroupElement>,
    /// Number of elements that are already defined in the lowering.
    defined: usize,
}

impl Leaves {
    /// Creates the leaves of `model`.
    pub fn new(model: &Model, e: &mut Expressions) -> Self {
        let time = e.leaf(Leaf::Time, Type::SCALAR);
        let (mut atoms, mut members, mut elements, mut offset) = (Vec::new(), Vec::new(), Vec::new(), 0);
        for (index, member) in model.configuration.members.iter().enumerate() {
            let first = atoms.len();
            for element in 0..member.count.unwrap_or(1) {
                let place = MemberPosition { member: position(index), element: position(element) };
                let group = member.group;
                let element = GroupElement::new(e, group, |part| Leaf::Configuration(place, part));
                let blocks = group.rules.blocks().into_iter().enumerate();
                let velocity = blocks
                    .map(|(block, size)| e.leaf(Leaf::Velocity(place, position(block)), Type::vector(size)))
                    .collect();
                atoms.push(Atom { group, offset, parts: element.parts.clone(), velocity });
                elements.push(element);
                offset += group.dimension();
            }
            members.push(first..atoms.len());
        }
        let entries: Vec<Value> = model
            .parameters
            .iter()
            .flat_map(|parameters| &parameters.entries)
            .enumerate()
            .map(|(at, entry)| match entry.list {
                None => {
                    parameter(e, entry.kind, &mut elements, |element| Leaf::Parameter { field: position(at), element })
                }
                // Every item of a list has its own entry.
                Some(_) => Value::Unknown,
            })
            .collect();
        let trees = model.parameters.iter().flat_map(|parameters| parameters.trees(&model.structs));
        let mut lists = Vec::new();
        let parameters = trees
            .map(|(name, tree)| {
                tree.each_list(&mut |item| lists.push(item.clone()));
                (name, assembled(&tree, &|number| entries[number].clone()))
            })
            .collect();
        let (inputs, input_rates) = inputs(model, e);
        let is_array = model.configuration.members.iter().map(|member| member.count.is_some()).collect();
        let kinds =
            model.parameters.iter().flat_map(|parameters| &parameters.entries).map(|entry| entry.kind).collect();
        Self {
            time,
            atoms,
            dof: offset,
            parameters,
            inputs,
            input_rates,
            entries,
            kinds,
            members,
            is_array,
            lists,
            elements,
            defined: 0,
        }
    }

    /// Defines the parts of group elements by the scalars that are read, where the two differ.
    pub fn define(&mut self, graph: &mut Graph, lowering: &mut Lowering) {
        for element in &self.elements[self.defined..] {
            for (part, numbers) in element.group.storage.unfolded(graph, &element.leaves) {
                lowering.define(element.parts[part], numbers);
            }
        }
        self.defined = self.elements.len();
    }

    /// Returns an item of a list of the parameters.
    pub fn item(&mut self, e: &mut Expressions, list: usize, at: Subscript, sure: bool) -> Value {
        let tree = self.lists[list].clone();
        let mut entries = std::collections::BTreeMap::new();
        tree.each_entry(&mut |number| {
            let leaf = |element| Leaf::Item { field: position(number), element, at, sure };
            entries.insert(number, parameter(e, self.kinds[number], &mut self.elements, leaf));
        });
        assembled(&tree, &|number| entries[&number].clone())
    }

    /// Returns the value of a field of the parameters.
    pub fn parameter(&self, name: &str) -> Option<Value> {
        self.parameters.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    }

    /// Returns the value of an input.
    pub fn input(&self, name: &str) -> Option<Value> {
        self.inputs.iter().find(|(known, _)| known == name).map(|(_, value)| value.clone())
    }

    /// Returns the value of an entry of the parameters.
    pub fn entry(&self, number: usize) -> Value {
        self.entries[number].clone()
    }

    /// Returns the value of a member of the configuration.
    pub fn configuration(&self, member: usize) -> Value {
        self.collect(member, Atom::position)
    }

    /// Returns the value of a member of the velocity.
    pub fn velocity(&self, member: usize, e: &mut Expressions) -> Value {
        self.collect(member, |atom| atom.velocity(e))
    }

    /// Returns the velocity of a member or of an array of members, given its configuration.
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

    /// Returns the atoms of a member.
    pub fn atoms_of(&self, member: usize) -> &[Atom] {
        &self.atoms[self.members[member].clone()]
    }

    /// Returns the tangents of the configuration's leaves along the velocity.
    pub fn along(&self, e: &mut Expressions) -> Seeds {
        self.atoms.iter().flat_map(|atom| atom.along(e, &atom.velocity)).collect()
    }

    /// Returns the tangents along the motion: the velocity, t' = 1, and u' of the inputs.
    pub fn motion(&self, e: &mut Expressions) -> Seeds {
        let mut seeds = self.along(e);
        seeds.extend(self.input_rates.iter().copied());
        seeds.insert(self.time, e.number(1.0));
        seeds
    }

    /// Returns the tangents along the unit vector `index` of the Lie algebra.
    pub fn direction(&self, e: &mut Expressions, index: usize) -> Seeds {
        let (at, local) = self.locate(index);
        let atom = &self.atoms[at];
        let unit = atom.unit(e, local);
        atom.along(e, &unit).collect()
    }

    /// Returns the tangents of the velocity's leaves along its unit vector `index`.
    pub fn velocity_direction(&self, e: &mut Expressions, index: usize) -> Seeds {
        let (at, local) = self.locate(index);
        let atom = &self.atoms[at];
        atom.velocity.iter().copied().zip(atom.unit(e, local)).collect()
    }

    /// Returns the atom that contains component `index` of the velocity, and the index within the atom.
    fn locate(&self, index: usize) -> (usize, usize) {
        let at = self.atoms.partition_point(|atom| atom.offset <= index) - 1;
        (at, index - self.atoms[at].offset)
    }

    /// Returns the leaves of the velocity.
    pub fn velocity_leaves(&self) -> Vec<Node> {
        self.atoms.iter().flat_map(|atom| atom.velocity.iter().copied()).collect()
    }
}

/// A frame: the parts of its position and the blocks of its velocity.
#[derive(Clone)]
pub(crate) struct FrameNodes {
    pub group: Group,
    pub parts: Vec<Node>,
    pub velocity: Vec<Node>,
}

impl FrameNodes {
    pub(super) fn position(&self) -> Value {
        position_of(self.group, &self.parts)
    }
}

/// The frames of an unrolled declaration.
#[derive(Default)]
pub(super) struct ElementTree {
    /// The frames, `None` after an error, and the parent of the first of them.
    pub frames: Vec<Option<FrameNodes>>,
    pub base: Option<FrameNodes>,
    /// The element of the current role function.
    pub element: Option<TermElement>,
}

/// Returns an element with these parts in the user's types: a struct of groups has its fields.
fn position_of(group: Group, parts: &[Node]) -> Value {
    let Some(structure) = group.structure() else { return group.operand(parts.to_vec()).into() };
    let mut rest = parts;
    let fields = structure.fields.iter().map(|(name, group)| {
        let (own, further) = rest.split_at(group.rules.parts().len());
        rest = further;
        (name.clone(), position_of(*group, own))
    });
    Value::Struct(structure.name.clone(), fields.collect())
}

/// Returns a velocity with these blocks in the user's types: a scalar, a vector, or a struct.
pub(super) fn velocity_of(group: Group, blocks: &[Node], e: &mut Expressions) -> Value {
    let Some(structure) = group.structure() else {
        let all = e.concat(blocks.to_vec());
        return if group.has_scalar_velocity() { Value::Scalar(all) } else { Value::Matrix(all) };
    };
    let mut rest = blocks;
    let fields = structure.fields.iter().map(|(name, group)| {
        let (own, further) = rest.split_at(group.rules.blocks().len());
        rest = further;
        (name.clone(), velocity_of(*group, own, e))
    });
    Value::Struct(structure.velocity.clone(), fields.collect())
}

/// Named values.
type NamedLeafValues = Vec<(String, Value)>;

/// Returns the values of the inputs by name, and the rates of their leaves: u' of u, u'' of u'.
fn inputs(model: &Model, e: &mut Expressions) -> (NamedLeafValues, Vec<(Node, Node)>) {
    let Some(inputs) = &model.inputs else { return (Vec::new(), Vec::new()) };
    let (mut values, mut rates) = (Vec::new(), Vec::new());
    for (field, entry) in inputs.entries.iter().enumerate() {
        let leaf = |e: &mut Expressions, element: usize, ty| {
            let (field, element) = (position(field), position(element));
            let [value, rate, second] = [0, 1, 2].map(|order| e.leaf(Leaf::Input { field, element, order }, ty));
            rates.extend([(value, rate), (rate, second)]);
            value
        };
        values.push((entry.name.clone(), numbers(e, entry.kind, leaf).unwrap_or(Value::Unknown)));
    }
    (values, rates)
}

/// Returns the value of an entry; `name` creates its leaves from the index within the entry.
fn parameter(
    e: &mut Expressions,
    kind: ParameterKind,
    elements: &mut Vec<GroupElement>,
    name: impl Fn(u32) -> Leaf,
) -> Value {
    let leaf = |e: &mut Expressions, element: usize, ty| e.leaf(name(position(element)), ty);
    if let Some(value) = numbers(e, kind, &leaf) {
        return value;
    }
    match kind {
        ParameterKind::Flag => {
            // `true` is stored as 1.
            let (zero, flag) = (e.number(0.0), leaf(e, 0, Type::SCALAR));
            Value::Bool(e.compare(Relation::Less, zero, flag))
        }
        ParameterKind::Whole(name) => Value::Count(leaf(e, 0, Type::SCALAR), name.starts_with('i')),
        ParameterKind::Group(group) => {
            let element = GroupElement::new(e, group, name);
            let value = group.operand(element.parts.clone()).into();
            elements.push(element);
            value
        }
        _ => Value::Unknown,
    }
}

/// Returns the value of an entry of scalars; `leaf` creates its leaves from the index within the entry.
fn numbers(
    e: &mut Expressions,
    kind: ParameterKind,
    mut leaf: impl FnMut(&mut Expressions, usize, Type) -> Node,
) -> Option<Value> {
    Some(match kind {
        ParameterKind::Scalar => Value::Scalar(leaf(e, 0, Type::SCALAR)),
        ParameterKind::Vector(rows) => Value::Matrix(leaf(e, 0, Type::vector(rows))),
        ParameterKind::Matrix(rows, columns) => Value::Matrix(leaf(e, 0, Type::Matrix { rows, columns })),
        ParameterKind::ScalarArray(n) => {
            Value::Array((0..n).map(|element| Value::Scalar(leaf(e, element, Type::SCALAR))).collect())
        }
        ParameterKind::VectorArray(rows, n) => {
            Value::Array((0..n).map(|element| Value::Matrix(leaf(e, element, Type::vector(rows)))).collect())
        }
        ParameterKind::Flag | ParameterKind::Whole(_) | ParameterKind::Group(_) => return None,
    })
}

/// Assembles the value of a field from the values of its entries.
fn assembled(tree: &ParameterTree, entries: &dyn Fn(usize) -> Value) -> Value {
    match tree {
        ParameterTree::Entry(number) => entries(*number),
        ParameterTree::List(number, _) => Value::List(*number),
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

impl GroupElement {
    fn new(e: &mut Expressions, group: Group, leaf: impl Fn(u32) -> Leaf) -> Self {
        let types = group.rules.parts();
        let leaves: Vec<Leaf> = (0..types.len()).map(|part| leaf(position(part))).collect();
        let parts = leaves.iter().zip(types).map(|(&leaf, ty)| e.leaf(leaf, ty)).collect();
        Self { group, parts, leaves }
    }
}

impl Atom {
    /// Returns the dimension of the group.
    pub fn dof(&self) -> usize {
        self.group.dimension()
    }

    pub(super) fn position(&self) -> Value {
        position_of(self.group, &self.parts)
    }

    pub(super) fn velocity(&self, e: &mut Expressions) -> Value {
        velocity_of(self.group, &self.velocity, e)
    }

    /// Returns the tangents of the parts along a velocity.
    fn along(&self, e: &mut Expressions, velocity: &[Node]) -> impl Iterator<Item = (Node, Node)> + use<'_> {
        self.parts.iter().copied().zip(self.group.rules.rates(e, &self.parts, velocity))
    }

    /// Returns a unit vector of the Lie algebra, by blocks.
    fn unit(&self, e: &mut Expressions, local: usize) -> Vec<Node> {
        let mut start = 0;
        let block = |rows: usize| {
            start += rows;
            match (local + rows).checked_sub(start) {
                Some(index) if index < rows => e.unit(rows, index),
                _ => e.zeros(rows, 1),
            }
        };
        self.group.rules.blocks().into_iter().map(block).collect()
    }
}
