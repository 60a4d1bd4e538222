//! Symbols of the leaves of a formula: R and ω for rotations, member names for positions, field names for parameters.

use crate::expr::{Leaf, MemberPosition, Type};
use crate::model::Model;

/// The row of a multiplier.
pub(super) fn row(leaf: Leaf) -> Option<usize> {
    match leaf {
        Leaf::Multiplier(row) => Some(row as usize),
        _ => None,
    }
}

/// The symbol of a leaf.
pub(super) fn symbol(model: &Model, leaf: Leaf, ty: Type) -> String {
    match leaf {
        Leaf::Parameter { field, element } => {
            let entry = model.parameters.as_ref().and_then(|parameters| parameters.entries.get(field as usize));
            let name = entry.map_or("p", |entry| entry.name.as_str());
            identifier(&if element > 0 { format!("{name}[{element}]") } else { name.to_owned() })
        }
        Leaf::Item { field, .. } => {
            let entry = model.parameters.as_ref().and_then(|parameters| parameters.entries.get(field as usize));
            indexed(&identifier(entry.map_or("p", |entry| entry.name.as_str())), "i")
        }
        Leaf::Input { field, order, .. } => {
            let entry = model.inputs.as_ref().and_then(|inputs| inputs.entries.get(field as usize));
            dotted(&identifier(entry.map_or("u", |entry| entry.name.as_str())), order)
        }
        Leaf::Time => "<mi>t</mi>".to_owned(),
        Leaf::Index => "<mi>i</mi>".to_owned(),
        Leaf::Length => "<mi>N</mi>".to_owned(),
        Leaf::Configuration(place, _) => match ty {
            Type::Rotation(_) => indexed("<mi>R</mi>", &member(model, place)),
            _ if is_flat(model, place) => identifier(&member(model, place)),
            _ => indexed("<mi>x</mi>", &member(model, place)),
        },
        Leaf::Velocity(place, block) => velocity(model, place, block, 1),
        Leaf::Acceleration(place, block) => velocity(model, place, block, 2),
        Leaf::Multiplier(row) => indexed("<mi>λ</mi>", &(row + 1).to_string()),
        Leaf::Mass(row, column) => indexed("<mi>M</mi>", &format!("{}{}", row + 1, column + 1)),
        // No equation contains the arguments of kernels.
        _ => "<mi>?</mi>".to_owned(),
    }
}

/// The name of a member, with the index of its element for a power; the slots of an element are named a, b, c …
fn member(model: &Model, place: MemberPosition) -> String {
    let members = &model.configuration.members;
    if model.is_part {
        let before = members.iter().take(place.member as usize).map(|member| member.count.unwrap_or(1)).sum::<usize>();
        let slot = u8::try_from(before + place.element as usize).unwrap_or(u8::MAX);
        return if slot < 26 { char::from(b'a' + slot).to_string() } else { format!("slot {slot}") };
    }
    match members.get(place.member as usize) {
        Some(member) if member.count.is_some() => format!("{}[{}]", member.name, place.element),
        Some(member) => member.name.to_string(),
        None => "q".to_owned(),
    }
}

/// True for vectors and scalars, whose velocity is their derivative.
fn is_flat(model: &Model, place: MemberPosition) -> bool {
    let member = model.configuration.members.get(place.member as usize);
    member.is_some_and(|member| {
        let rules = member.group.rules;
        rules.is_group() && rules.parts().iter().all(|part| matches!(part, Type::Matrix { .. }))
    })
}

/// ω for a rotation, the dotted name for a vector, u for the translation of a pose; each derivative adds a dot.
fn velocity(model: &Model, place: MemberPosition, block: u32, order: u8) -> String {
    let name = member(model, place);
    if is_flat(model, place) {
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
