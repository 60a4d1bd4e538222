//! The parts of a declaration that its functions can read: bodies as members, poses, parameters in structs, inputs; for elements, adjacent
//! members, items of lists, and indices.

use crate::scope::Place;

/// Numbers.
pub fn numbers(place: Place) -> &'static [&'static str] {
    match place {
        Place::Node => &["q.lift(0.7)"],
        Place::Whole => &WHOLE_NUMBERS[..8],
        Place::Given => WHOLE_NUMBERS,
        Place::Element => &[
            "data.masses[index]",
            "data.masses[index + 1]",
            "data.masses[if index == 0 { 0 } else { index - 1 }]",
            "data.sections[index].area",
            "data.sections[index].axis.y",
            "TABLE[index % 3]",
            "data.list[(index + 1) % 3]",
            "(index as f64)",
            "((length - 1 - index) as f64)",
            "next.place.z",
            "next.wheel.angle()",
            "next.lift(-0.3)",
        ],
    }
}

const WHOLE_NUMBERS: &[&str] = &[
    "q.links[0].hinge",
    "q.links[1].foot.y",
    "q.links[1].reach(0.4)",
    "data.parts[1].mass",
    "data.parts[0].arm[2]",
    "(data.level as f64)",
    "hand(data, q).translation.z",
    "(hand(data, q).rotation * data.offset).x",
    "given.push",
    "given.gains[1]",
    "given.wind.y",
    "given.push",
];

/// Vectors.
pub fn vectors(place: Place) -> &'static [&'static str] {
    match place {
        Place::Node => &[],
        Place::Whole => &WHOLE_VECTORS[..4],
        Place::Given => WHOLE_VECTORS,
        Place::Element => {
            &["next.place", "(next.place - q.place)", "data.sections[index].axis", "(next.turn * q.place)"]
        }
    }
}

const WHOLE_VECTORS: &[&str] = &[
    "q.links[0].foot",
    "data.parts[0].arm",
    "(hand(data, q) * q.place)",
    "(data.parts[1].mounting * data.offset)",
    "given.wind",
    "given.wind",
];

/// Rotations.
pub fn rotations(place: Place) -> &'static [&'static str] {
    match place {
        Place::Node => &[],
        Place::Whole | Place::Given => &["hand(data, q).rotation", "data.parts[1].mounting"],
        Place::Element => &["next.turn", "(q.turn.inverse() * next.turn)"],
    }
}

/// Conditions.
pub fn conditions(place: Place) -> &'static [&'static str] {
    match place {
        Place::Node => &[],
        Place::Whole => &WHOLE_CONDITIONS[..4],
        Place::Given => WHOLE_CONDITIONS,
        Place::Element => &["index == 0", "index + 2 < length", "index % 2 == 1", "next.place.x > q.place.x"],
    }
}

const WHOLE_CONDITIONS: &[&str] = &[
    "data.parts[0].is_damped",
    "!data.parts[1].is_damped",
    "data.level > 2",
    "q.links[0].hinge < q.links[1].hinge",
    "given.push > 0.2",
    "given.gains[0] < t",
];

/// Statements, see [`idiom`](crate::idiom).
pub fn idioms(place: Place) -> &'static [&'static str] {
    match place {
        Place::Node => &["let node = *q; sum += node.lift(E) - node.place.x;"],
        Place::Whole | Place::Given => &[
            "let link = q.links[0]; sum += link.hinge * (E) - link.foot.x;",
            "let Link { hinge, foot } = q.links[1]; place += foot * (E); sum -= hinge;",
            "let moved = Link { hinge: E, ..q.links[1] }; sum += moved.reach(E) + moved.foot.z;",
            "for link in &q.links { sum += link.hinge * (E); place += 0.3 * link.foot; }",
            "sum += q.links.iter().map(|link| link.reach(E)).sum::<f64>();",
            "for (part, link) in data.parts.iter().zip(&q.links) { if part.is_damped { sum -= part.mass * link.hinge; } else { place -= part.mounting * link.foot; } }",
            "let palm = hand(data, q); sum += (palm * place).x; place = palm.inverse() * place;",
            "let palm = hand(data, q) * SE3::new(data.parts[1].mounting, data.parts[0].arm); sum += 0.1 * palm.rotation.log().norm_squared() + palm.translation.y;",
            "sum += q.links.map(|link| link.hinge).iter().sum::<f64>() * (E);",
            "let mut links = q.links; links[0].hinge += E; links[1].foot.x *= links[0].hinge; links.swap(0, 1); sum += links[0].reach(0.3);",
            "let nearest = if C { q.links[0] } else { q.links[1] }; sum += nearest.hinge * (E);",
            "sum += relative(&q.links[0], &q.links[1], E);",
            "sum += Link { hinge: sum, foot: place }.reach(E);",
            "let part = &data.parts[1]; if data.level > 1 { sum += part.mass * (E); } else { place += part.arm; }",
            "sum += data.parts.iter().filter(|part| part.mass > 0.0 || N == 3).map(|part| part.mass * (E)).sum::<f64>();",
        ],
        Place::Element => &[
            "sum += 0.3 * data.masses[index] * (next.place - q.place).norm_squared() * (E);",
            "if index + 2 < length { sum += data.sections[index].area * (E); } else { place -= next.place; }",
            "let other = if C { *next } else { *q }; sum += other.place.y * (E);",
            "for node in [q, next] { sum += node.place.z * (E); }",
            "let weight = if index == 0 { data.masses[index] } else { data.masses[index - 1] + E }; sum += 0.2 * weight;",
            "let Section { area, axis } = &data.sections[index]; place += *area * axis;",
            "sum += 0.2 * (q.turn.inverse() * next.turn).log().norm_squared();",
            "let mut node = *q; node.place += next.place * (E); node.turn = node.turn * next.turn; sum += node.lift(E) + (node.turn * place).x;",
            "let Node { place: there, turn, .. } = next; place = turn.inverse() * (place - there);",
            "sum += [q, next].iter().map(|node| node.lift(E)).sum::<f64>() / length as f64;",
            "let part = (index as f64 + 0.5) / (length - 1) as f64; sum += q.place.lerp(&next.place, part).z * (E);",
        ],
    }
}
