//! Structs of groups of a declaration: the direct product of their fields, stored under the names of the fields.

use std::sync::Mutex;

use super::{Group, Storage, Structure};

/// A part that is not a struct, such as `attitude` of a body.
pub(crate) struct Atomic {
    /// The path of the part in the struct: `attitude`, `joint.angle`.
    pub path: String,
    pub group: Group,
    /// The first component in a velocity of the struct.
    pub offset: usize,
}

/// The structs of all declarations. Groups are copied freely and live as long as the compiler.
static KNOWN: Mutex<Vec<&'static Structure>> = Mutex::new(Vec::new());

/// The group of a struct with the given name and fields.
pub(super) fn group(name: &str, fields: Vec<(String, Group)>) -> Group {
    let factors: Vec<String> = fields.iter().map(|(_, group)| group.formula()).collect();
    let notation = match factors.as_slice() {
        [only] => only.clone(),
        _ => factors
            .iter()
            .map(|factor| if factor.contains(' ') { format!("({factor})") } else { factor.clone() })
            .collect::<Vec<_>>()
            .join(" × "),
    };
    let structure = Structure { name: name.to_owned(), velocity: velocity_name(name), notation, fields };
    let mut known = KNOWN.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
    let structure = match known.iter().find(|known| ***known == structure) {
        Some(known) => *known,
        None => {
            known.push(Box::leak(Box::new(structure)));
            known[known.len() - 1]
        }
    };
    Group::new(&structure.name, &structure.notation, structure, Storage::Struct(structure), &[])
}

/// The name of the struct of the time integrals of the states. Declarations cannot contain it.
pub(crate) fn integral_of(states: &str) -> String {
    format!("__{states}Integral")
}

/// The name of the struct of the velocities of a struct of groups: the velocity of the time integral of the states are the states.
pub(crate) fn velocity_name(name: &str) -> String {
    let states = name.strip_prefix("__").and_then(|name| name.strip_suffix("Integral"));
    states.map_or_else(|| format!("{name}Velocity"), ToOwned::to_owned)
}

impl PartialEq for Structure {
    /// Nested structs are compared by their address in the list of known structs.
    fn eq(&self, other: &Self) -> bool {
        let is_same = |(name, group): &(String, Group), (other_name, other): &(String, Group)| {
            let structures = match (group.structure(), other.structure()) {
                (Some(one), Some(other)) => core::ptr::eq(one, other),
                (None, None) => group == other,
                _ => false,
            };
            name == other_name && structures
        };
        self.name == other.name
            && self.fields.len() == other.fields.len()
            && self.fields.iter().zip(&other.fields).all(|(one, other)| is_same(one, other))
    }
}

impl Structure {
    /// The groups of the fields.
    pub(super) fn factors(&self) -> impl Iterator<Item = Group> + '_ {
        self.fields.iter().map(|(_, group)| *group)
    }

    /// True for the time integrals of the auxiliary states.
    pub fn is_of_states(&self) -> bool {
        self.name.starts_with("__")
    }

    /// The parts that are not structs.
    pub fn atomic(&self) -> Vec<Atomic> {
        let (mut all, mut first) = (Vec::new(), 0);
        for (name, group) in &self.fields {
            let name = name.trim_start_matches("r#");
            match group.structure() {
                None => all.push(Atomic { path: name.to_owned(), group: *group, offset: first }),
                Some(inner) => all.extend(inner.atomic().into_iter().map(|part| Atomic {
                    path: format!("{name}.{}", part.path),
                    offset: first + part.offset,
                    ..part
                })),
            }
            first += group.dimension();
        }
        all
    }

    /// The field of a part of the struct, its group, and the index of the part in the field.
    pub fn locate(&self, part: usize) -> (&str, Group, usize) {
        let mut part = part;
        for (name, group) in &self.fields {
            let count = group.rules.parts().len();
            if part < count {
                return (name, *group, part);
            }
            part -= count;
        }
        bug!("`{}` has no part {part} after its last one", self.name)
    }
}
