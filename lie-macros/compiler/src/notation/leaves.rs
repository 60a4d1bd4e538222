//! Symbols of the leaves of a formula: R and ω for rotations, member names for positions, field names for parameters.

use crate::expr::{Leaf, MemberPosition, Subscript, Type, Wrap};
use crate::model::{Group, Model, ParameterKind, Parameters};

/// The row of a multiplier.
pub(super) fn row(leaf: Leaf) -> Option<usize> {
    match leaf {
        Leaf::Multiplier(row) => Some(row as usize),
        _ => None,
    }
}

/// The symbol of a leaf.
pub(crate) fn symbol(model: &Model, leaf: Leaf) -> String {
    match leaf {
        Leaf::Parameter { field, element } => parameter(model.parameters.as_ref(), field, element, None),
        Leaf::Item { field, element, at, .. } => parameter(model.parameters.as_ref(), field, element, Some(at)),
        Leaf::Input { field, element, order } => dotted(&parameter(model.inputs.as_ref(), field, element, None), order),
        Leaf::Time => "<mi>t</mi>".to_owned(),
        Leaf::Index => "<mi>i</mi>".to_owned(),
        Leaf::Length => "<mi>N</mi>".to_owned(),
        Leaf::Configuration(place, part) => configuration(model, place, part),
        Leaf::Velocity(place, block) => velocity(model, place, block, 1),
        Leaf::Acceleration(place, block) => velocity(model, place, block, 2),
        Leaf::Multiplier(row) => indexed("<mi>λ</mi>", &(row + 1).to_string()),
        Leaf::Mass(row, column) => indexed("<mi>M</mi>", &format!("{}{}", row + 1, column + 1)),
        // No equation contains the arguments of kernels.
        _ => "<mi>?</mi>".to_owned(),
    }
}

/// The type of the value of a leaf in the equations of motion.
pub(crate) fn leaf_type(model: &Model, leaf: Leaf) -> Type {
    let of_entry = |parameters: Option<&Parameters>, field: u32, element: u32| match parameters
        .and_then(|parameters| parameters.entries.get(field as usize))
        .map(|entry| entry.kind)
    {
        Some(ParameterKind::Vector(rows) | ParameterKind::VectorArray(rows, _)) => Type::vector(rows),
        Some(ParameterKind::Matrix(rows, columns)) => Type::Matrix { rows, columns },
        Some(ParameterKind::Group(group)) => group.rules.parts()[element as usize],
        _ => Type::SCALAR,
    };
    match leaf {
        Leaf::Parameter { field, element } | Leaf::Item { field, element, .. } => {
            of_entry(model.parameters.as_ref(), field, element)
        }
        Leaf::Input { field, element, .. } => of_entry(model.inputs.as_ref(), field, element),
        Leaf::Configuration(place, part) => group(model, place).rules.parts()[part as usize],
        Leaf::Velocity(place, block) | Leaf::Acceleration(place, block) => {
            Type::vector(group(model, place).rules.blocks()[block as usize])
        }
        _ => Type::SCALAR,
    }
}

fn group(model: &Model, place: MemberPosition) -> Group {
    model.configuration.members[place.member as usize].group
}

/// An entry of parameters or inputs; `at` is the index in a list.
fn parameter(all: Option<&Parameters>, field: u32, element: u32, at: Option<Subscript>) -> String {
    let Some(entry) = all.and_then(|all| all.entries.get(field as usize)) else { return identifier("p") };
    let list = at.map(|at| format!("[{}]", subscript(at))).unwrap_or_default();
    match entry.kind {
        ParameterKind::ScalarArray(_) | ParameterKind::VectorArray(..) => {
            identifier(&format!("{}{list}[{element}]", entry.name))
        }
        ParameterKind::Group(group) => {
            let letter = if matches!(group.rules.parts()[element as usize], Type::Rotation(_)) { "R" } else { "x" };
            indexed(&identifier(letter), &format!("{}{list}", entry.name))
        }
        _ => identifier(&format!("{}{list}", entry.name)),
    }
}

/// The index of a list item, with the index i of the element and the length N of its chain.
fn subscript(at: Subscript) -> String {
    let Subscript { index, length, constant, divisor, wrap } = at;
    let mut text = String::new();
    for (factor, name) in [(index, "i"), (length, "N"), (constant, "")] {
        if factor == 0 {
            continue;
        }
        text += match (factor < 0, text.is_empty()) {
            (true, _) => "−",
            (false, true) => "",
            (false, false) => "+",
        };
        if factor.abs() != 1 || name.is_empty() {
            text += &factor.unsigned_abs().to_string();
        }
        text += name;
    }
    if text.is_empty() {
        text.push('0');
    }
    if divisor != 1 {
        text = format!("({text})/{divisor}");
    }
    match wrap {
        Wrap::Never => text,
        Wrap::At(modulus) => format!("({text}) mod {modulus}"),
        Wrap::Around => format!("({text}) mod N"),
    }
}

/// The name of a member, with the index of its element for a power; the slots of an element are named a, b, c …
fn member(model: &Model, place: MemberPosition) -> String {
    let members = &model.configuration.members;
    if model.is_part {
        let before = members.iter().take(place.member as usize).map(|member| member.count.unwrap_or(1)).sum::<usize>();
        return slot_name(before + place.element as usize);
    }
    match members.get(place.member as usize) {
        Some(member) if member.count.is_some() => format!("{}[{}]", member.name, place.element),
        Some(member) => member.name.to_string(),
        None => "q".to_owned(),
    }
}

/// The name of a slot of an element.
pub(crate) fn slot_name(slot: usize) -> String {
    let letter = u8::try_from(slot).ok().filter(|slot| *slot < 26);
    letter.map_or_else(|| format!("slot {slot}"), |slot| char::from(b'a' + slot).to_string())
}

/// The name of the field with a part or a block of a member, the group of this field, and the position in the field. A struct of groups has
/// several fields; `count` returns the number of parts or blocks of a group.
fn field_of(model: &Model, place: MemberPosition, at: u32, count: impl Fn(Group) -> usize) -> (String, Group, usize) {
    let (mut name, mut group, mut at) = (member(model, place), group(model, place), at as usize);
    while let Some(structure) = group.structure() {
        let mut before = 0;
        let field = structure.fields.iter().find(|(_, field)| {
            before += count(*field);
            at < before
        });
        let Some((field, inner)) = field else { break };
        name = format!("{name}.{field}");
        at -= before - count(*inner);
        group = *inner;
    }
    (name, group, at)
}

/// True for vectors and scalars, whose velocity is their derivative.
fn is_flat(group: Group) -> bool {
    group.rules.is_group() && group.rules.parts().iter().all(|part| matches!(part, Type::Matrix { .. }))
}

/// R for a rotation, the name for a vector, x for the other parts.
fn configuration(model: &Model, place: MemberPosition, part: u32) -> String {
    let (name, group, part) = field_of(model, place, part, |group| group.rules.parts().len());
    match group.rules.parts()[part] {
        Type::Rotation(_) => indexed("<mi>R</mi>", &name),
        _ if is_flat(group) => identifier(&name),
        _ => indexed("<mi>x</mi>", &name),
    }
}

/// ω for a rotation, the dotted name for a vector, u for the translation of a pose; each derivative adds a dot.
fn velocity(model: &Model, place: MemberPosition, block: u32, order: u8) -> String {
    let (name, group, block) = field_of(model, place, block, |group| group.rules.blocks().len());
    if is_flat(group) {
        return dotted(&identifier(&name), order);
    }
    let letter = if block == 0 { "<mi>ω</mi>" } else { "<mi>u</mi>" };
    indexed(&dotted(letter, order - 1), &name)
}

fn dotted(symbol: &str, dots: u8) -> String {
    match dots {
        0 => symbol.to_owned(),
        1 => format!("<mover>{symbol}<mo>˙</mo></mover>"),
        _ => format!("<mover>{symbol}<mo>¨</mo></mover>"),
    }
}

fn identifier(name: &str) -> String {
    format!("<mi>{}</mi>", name.replace("r#", ""))
}

fn indexed(symbol: &str, index: &str) -> String {
    format!("<msub>{symbol}<mi>{}</mi></msub>", index.replace("r#", ""))
}
