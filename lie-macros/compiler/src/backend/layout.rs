//! The flat arrays of parameters, inputs, configuration and velocity, for back ends without structs.

use crate::expr::{Leaf, MemberPosition};
use crate::model::{Group, Model, ParameterKind, Parameters};

/// Consecutive scalars of an array.
pub(crate) struct Segment {
    /// The name in the declaration: `links[1].attitude`.
    pub name: String,
    pub first: usize,
    pub size: usize,
    /// The order of the scalars, if there are several.
    pub order: &'static str,
    /// The field or member, and the element and part of it.
    key: [usize; 3],
}

/// The segments of an array, in order.
#[derive(Default)]
pub(crate) struct Layout {
    pub segments: Vec<Segment>,
    pub size: usize,
}

impl Layout {
    fn push(&mut self, name: String, size: usize, order: &'static str, key: [usize; 3]) {
        self.segments.push(Segment { name, first: self.size, size, order, key });
        self.size += size;
    }

    fn push_element(&mut self, name: &str, group: Group, [field, element]: [usize; 2]) {
        for (part, (suffix, size, order)) in group.storage.stored(&group.rules.parts()).into_iter().enumerate() {
            let key = if element == NO_ELEMENT { [field, part, 0] } else { [field, element, part] };
            self.push(format!("{name}{suffix}"), size, order, key);
        }
    }

    /// Returns the position of the first scalar of an entry of the parameters or inputs.
    pub fn first_of(&self, field: usize) -> usize {
        self.segments.iter().find(|segment| segment.key[0] == field).map_or(0, |segment| segment.first)
    }

    fn position(&self, key: [usize; 3], component: u32) -> usize {
        let segment = self.segments.iter().find(|segment| segment.key == key);
        let segment = segment.unwrap_or_else(|| bug!("no segment has the key {key:?}"));
        segment.first + component as usize
    }
}

/// A parameter that is one element of a group: its leaves have a part in place of an element.
const NO_ELEMENT: usize = usize::MAX;

/// The arrays of a model.
pub(crate) struct Layouts {
    pub parameters: Layout,
    pub inputs: Layout,
    pub configuration: Layout,
    pub velocity: Layout,
    /// For each component of the velocity of all members, the position among the components of free members; `None` for clamped members.
    pub free: Vec<Option<usize>>,
}

impl Layouts {
    /// Returns the arrays of a model without lists.
    pub fn new(model: &Model) -> Self {
        Self {
            parameters: entries(model.parameters.as_ref()),
            inputs: entries(model.inputs.as_ref()),
            configuration: configuration(model),
            velocity: velocity(model),
            free: free(model),
        }
    }

    /// Returns the array and the position of a leaf; `None` for leaves of other arrays.
    pub fn locate(&self, leaf: Leaf, component: u32) -> Option<(&'static str, usize)> {
        let key = |place: MemberPosition, part: u32| [place.member, place.element, part].map(|at| at as usize);
        Some(match leaf {
            Leaf::Parameter { field, element } => {
                ("parameters", self.parameters.position([field as usize, element as usize, 0], component))
            }
            Leaf::Input { field, element, .. } => {
                ("inputs", self.inputs.position([field as usize, element as usize, 0], component))
            }
            Leaf::Configuration(place, part) => ("q", self.configuration.position(key(place, part), component)),
            Leaf::Velocity(place, block) => ("v", self.velocity.position(key(place, block), component)),
            Leaf::Acceleration(place, block) => ("acceleration", self.velocity.position(key(place, block), component)),
            Leaf::Multiplier(at) => ("multipliers", at as usize),
            _ => return None,
        })
    }
}

fn entries(declared: Option<&Parameters>) -> Layout {
    let mut layout = Layout::default();
    let entries = declared.into_iter().flat_map(|declared| &declared.entries);
    for (field, entry) in entries.enumerate().filter(|(_, entry)| entry.list.is_none()) {
        let name = entry.name.clone();
        match entry.kind {
            ParameterKind::Scalar | ParameterKind::Flag | ParameterKind::Whole(_) => {
                layout.push(name, 1, "", [field, 0, 0]);
            }
            ParameterKind::Vector(size) => layout.push(name, size, "", [field, 0, 0]),
            ParameterKind::Matrix(rows, columns) => layout.push(name, rows * columns, "by rows", [field, 0, 0]),
            ParameterKind::ScalarArray(count) => {
                (0..count).for_each(|element| layout.push(format!("{name}[{element}]"), 1, "", [field, element, 0]));
            }
            ParameterKind::VectorArray(size, count) => {
                (0..count).for_each(|element| layout.push(format!("{name}[{element}]"), size, "", [field, element, 0]));
            }
            ParameterKind::Group(group) => layout.push_element(&name, group, [field, NO_ELEMENT]),
        }
    }
    layout
}

/// Calls `visit` with the name, the group and the position of each member.
fn each_member(model: &Model, mut visit: impl FnMut(&str, Group, [usize; 2])) {
    for (at, member) in model.configuration.members.iter().enumerate() {
        for element in 0..member.count.unwrap_or(1) {
            let name = member.name.to_string();
            let name = name.trim_start_matches("r#");
            let name = if member.count.is_some() { format!("{name}[{element}]") } else { name.to_owned() };
            visit(&name, member.group, [at, element]);
        }
    }
}

fn configuration(model: &Model) -> Layout {
    let mut layout = Layout::default();
    each_member(model, |name, group, position| layout.push_element(name, group, position));
    layout
}

fn velocity(model: &Model) -> Layout {
    let mut layout = Layout::default();
    each_member(model, |name, group, [member, element]| {
        for (block, (size, suffix)) in group.rules.blocks().into_iter().zip(suffixes(group)).enumerate() {
            layout.push(format!("{name}{suffix}"), size, "", [member, element, block]);
        }
    });
    layout
}

fn free(model: &Model) -> Vec<Option<usize>> {
    let (mut free, mut next) = (vec![], 0..);
    each_member(model, |_, group, position| {
        let is_held = model.held.contains(&position);
        free.extend((0..group.dimension()).map(|_| if is_held { None } else { next.next() }));
    });
    free
}

/// The names of the blocks of a velocity.
fn suffixes(group: Group) -> Vec<String> {
    if let Some(structure) = group.structure() {
        let of_field = |(name, group): &(String, Group)| {
            let name = name.trim_start_matches("r#").to_owned();
            suffixes(*group).into_iter().map(move |suffix| format!(".{name}{suffix}"))
        };
        return structure.fields.iter().flat_map(of_field).collect();
    }
    match group.rules.blocks().len() {
        2 => vec![".angular".to_owned(), ".linear".to_owned()],
        count => vec![String::new(); count],
    }
}
