//! Terms over the frames of a tree of two kinds of joints, on a base that moves.

use super::Written;
use super::seen::{Group, Seen, View, constant, number, vector};
use crate::random::Random;

/// How many joints of each kind there are.
const JOINTS: [usize; 2] = [3, 2];

/// The parent of each frame.
const PARENTS: [Option<usize>; 5] = [None, Some(0), Some(0), Some(2), Some(1)];

/// The ends of a connection of two frames.
const PAIR: [usize; 2] = [3, 4];

/// The recursion of a frame: a group of frames, a group of joints, and the frame next in order.
type Joint = (&'static str, &'static str, fn(&mut Random) -> String);

const JOINT_KINDS: [Joint; 14] = [
    ("SE3", "SO2", |random| turned(random, "joint.angle()")),
    ("SE3", "f64", |random| turned(random, "*joint")),
    ("SE3", "SO3", |random| format!("*above * SE3::new(*joint, {})", constant(random, 3))),
    ("SE3", "S3", |random| format!("*above * SE3::new(SO3::from(*joint), {})", constant(random, 3))),
    ("SE3", "SE3", |random| format!("*above * SE3::exp(&{}) * *joint", constant(random, 6))),
    ("SE3", "S2", |_| "*above * SE3::new(SO3::exp(&(joint.direction() * 0.4)), joint.direction() * 0.6)".to_owned()),
    ("R3", "S2", |_| "above + joint.direction() * 0.7".to_owned()),
    ("R3", "R3", |_| "above + joint".to_owned()),
    ("R3", "f64", |_| "above + Vector3::new(joint.sin(), joint.cos(), 0.3 * joint)".to_owned()),
    ("R3", "SO3", |random| format!("above + *joint * {}", constant(random, 3))),
    ("SE2", "SO2", |random| format!("*above * SE2::new(*joint, {})", constant(random, 2))),
    ("SE2", "f64", |random| {
        format!("*above * SE2::new(SO2::from_angle(0.3), Vector2::new(*joint, {}))", number(random))
    }),
    ("S3R3", "S3", |random| format!("*above * S3R3::new(*joint, {})", constant(random, 3))),
    ("S3R3", "f64", |random| {
        format!("*above * S3R3::new(S3::exp(&({} * *joint)), {})", constant(random, 3), constant(random, 3))
    }),
];

/// About an axis that is no coordinate axis, and may not be of length 1.
fn turned(random: &mut Random, angle: &str) -> String {
    format!("*above * SE3::new(SO3::exp(&({} * {angle})), {})", constant(random, 3), constant(random, 3))
}

/// The pose of the base: it drives to and fro, and rotates if its group permits.
fn floor(frames: &str) -> &'static str {
    match frames {
        "SE3" => {
            "SE3::new(SO3::exp(&(Vector3::new(0.2, -0.3, 0.5) * (1.3 * t).sin())), Vector3::new(0.2 * t, (0.7 * t).cos(), data.weight * t * t))"
        }
        "S3R3" => {
            "S3R3::new(S3::exp(&(Vector3::new(0.2, -0.3, 0.5) * (1.3 * t).sin())), Vector3::new(0.2 * t, (0.7 * t).cos(), data.weight * t * t))"
        }
        "SE2" => "SE2::new(SO2::from_angle((1.3 * t).sin()), Vector2::new(0.2 * t, data.weight * t * t))",
        _ => "Vector3::new(0.2 * t, (0.7 * t).cos(), data.weight * t * t)",
    }
}

/// A declaration.
pub fn write(random: &mut Random) -> Written {
    let mut written = Written::default();
    let (frames, ..) = *random.one(&JOINT_KINDS);
    joints(&mut written, random, frames);
    over_each(&mut written, random, Group::named(frames));
    between(&mut written, random, Group::named(frames));
    written
}

/// The joints, and the frames by the declared functions.
fn joints(written: &mut Written, random: &mut Random, frames: &str) {
    written.item(format!("pub fn floor(data: &Data, t: f64) -> {frames} {{ {} }}", floor(frames)));
    let kinds: Vec<Joint> = JOINT_KINDS.into_iter().filter(|(of, ..)| *of == frames).collect();
    let (mut offset, mut recursion) = (0, Vec::new());
    for (at, count) in JOINTS.into_iter().enumerate() {
        let (_, name, frame) = *random.one(&kinds);
        let (joint, body) = (Group::named(name), frame(random));
        written.fields.push(format!("pub j{at}: Vec<{name}>"));
        written.start.push(format!("j{at}: vec![{}]", vec![joint.element(); count].join(", ")));
        written.lengths.push(format!("j{at}: {count}"));
        let (function, said) =
            if at == 0 { ("body", "base = floor, parents = parents") } else { ("arm", "frames = body") };
        written.item(format!(
            "#[kinematics(over = j{at}, {said})]\n    pub fn {function}(above: &{frames}, joint: &{name}) -> {frames} {{ {body} }}"
        ));
        for joint_at in 0..count {
            let above = PARENTS[recursion.len()].map_or("root".to_owned(), |parent| format!("frames[{parent}]"));
            recursion.push(format!("frames.push(m::{function}(&{above}, &q.j{at}[{joint_at}]));"));
            if joint.name == "S2" {
                written.directions.push(format!("({}, q.j{at}[{joint_at}].direction())", offset + 3 * joint_at));
            }
        }
        offset += count * joint.dimension;
        let seen = Seen { group: joint, place: "(*a)".to_owned(), velocity: String::new() };
        let stored = View::of([seen]).smooth(random);
        written.item(format!(
            "#[potential(over = j{at})]\n    pub fn spring_{at}(t: f64, index: usize, a: &{name}) -> f64 {{ (1.0 + index as f64) * ({stored}).powi(2) }}"
        ));
        written.lagrangian.push(format!("- (0..{count}).map(|i| m::spring_{at}(t, i, &q.j{at}[i])).sum::<f64>()"));
        if joint.name != "S2" {
            let velocity = joint.velocity();
            let square = joint.pairing("va", if joint.turns_by_a_number() { "va" } else { "(*va)" });
            written.item(format!(
                "#[kinetic_energy(over = j{at})]\n    pub fn motor_{at}(va: &{velocity}) -> f64 {{ 0.2 * {square} }}"
            ));
            written.lagrangian.push(format!("+ (0..{count}).map(|i| m::motor_{at}(&v.j{at}[i])).sum::<f64>()"));
        }
    }
    written.lengths.push(format!("parents: vec!{PARENTS:?}"));
    let recursion = recursion.join(" ");
    written.frames = format!(
        "let frames_at = |t: f64, q: &Place| {{ let root = m::floor(data, t); let mut frames = Vec::new(); {recursion} frames }};
            let frames = frames_at(t, q);"
    );
    let log = if frames == "R3" { "to - from" } else { "(from.inverse() * to).log()" };
    // The velocities of the frames where joints move like this, and the base as it does, or not.
    let twists = |direction: &str, time: &str| {
        format!(
            "(0..frames.len()).map(|i| slopes(|e| {{ let (from, to) = (frames[i], frames_at({time}, &super::moved(system, q, {direction}, e))[i]); {log} }})).collect::<Vec<_>>()"
        )
    };
    written.velocities = format!("let twists = {};", twists("components", "t + e"));
    written.variations = format!("let turns = {};", twists("variation", "t"));
}

/// Terms over each frame.
fn over_each(written: &mut Written, random: &mut Random, group: Group) {
    let (name, dimension, count) = (group.name, group.dimension, PARENTS.len());
    let velocity = vector(dimension);
    let view = View::of([Seen { group, place: "(*a)".to_owned(), velocity: "va".to_owned() }]);
    let masses: Vec<String> = (0..dimension).map(|at| format!("0.{}", 5 + at % 4)).collect();
    written.item(format!(
        "#[kinetic_energy(over = body)]\n    pub fn inertia(index: usize, va: &{velocity}) -> f64 {{
        (0.5 + 0.2 * index as f64) * (va.dot(&Vector{dimension}::new({}).component_mul(va)) + 0.2 * va[0] * va[1])
    }}",
        masses.join(", ")
    ));
    written.lagrangian.push(format!("+ (0..{count}).map(|i| m::inertia(i, &twists[i])).sum::<f64>()"));
    let (a, b) = (view.coordinate(random), view.smooth(random));
    written.item(format!("#[potential(over = body)]\n    pub fn weight(t: f64, a: &{name}) -> f64 {{ {a} + {b} }}"));
    written.lagrangian.push(format!("- (0..{count}).map(|i| m::weight(t, &frames[i])).sum::<f64>()"));
    let lost = view.linear(random);
    written.item(format!(
        "#[dissipation(over = body)]\n    pub fn lost(t: f64, a: &{name}, va: &{velocity}) -> f64 {{ 0.2 * ({lost}).powi(2) + 0.02 * va[0].powi(4) }}"
    ));
    written.work.push(format!(
        "- (0..{count}).map(|i| slope(|e| m::lost(t, &frames[i], &(twists[i] + turns[i] * e)))).sum::<f64>()"
    ));
    let force = view.force_on(random, group);
    written.item(format!(
        "#[force(over = body)]\n    pub fn push(t: f64, a: &{name}, va: &{velocity}) -> {velocity} {{ {force} }}"
    ));
    written
        .work
        .push(format!("+ (0..{count}).map(|i| m::push(t, &frames[i], &twists[i]).dot(&turns[i])).sum::<f64>()"));
    let point = view.without_time().vector(random, 2, View::smooth);
    written.item(format!("#[quantity(over = body)]\n    pub fn point(a: &{name}) -> Vector2<f64> {{ {point} }}"));
    let pull = view.vector(random, 2, View::force);
    written.item(format!(
        "#[force(at = point)]\n    pub fn pull(t: f64, a: &{name}, va: &{velocity}) -> Vector2<f64> {{ {pull} }}"
    ));
    written.work.push(format!(
        "+ (0..{count}).map(|i| m::pull(t, &frames[i], &twists[i]).dot(&slopes(|e| m::point(&frames_at(t, &moved(e))[i])))).sum::<f64>()"
    ));
}

/// Terms over two frames.
fn between(written: &mut Written, random: &mut Random, group: Group) {
    let (name, velocity, [i, j]) = (group.name, vector(group.dimension), PAIR);
    let seen = |place: &str| Seen { group, place: format!("(*{place})"), velocity: format!("v{place}") };
    let view = View::of([seen("a"), seen("b")]);
    let (x, y) = (view.coordinate(random), view.smooth(random));
    written.item(format!(
        "#[potential(over = (body[{i}], body[{j}]))]\n    pub fn spring(t: f64, a: &{name}, b: &{name}) -> f64 {{ ({x} - {y}).powi(2) }}"
    ));
    written.lagrangian.push(format!("- m::spring(t, &frames[{i}], &frames[{j}])"));
    let lost = view.linear(random);
    written.item(format!(
        "#[dissipation(over = (body[{i}], body[{j}]))]\n    pub fn damper(t: f64, a: &{name}, b: &{name}, va: &{velocity}, vb: &{velocity}) -> f64 {{ 0.2 * ({lost}).powi(2) }}"
    ));
    written.work.push(format!(
        "- slope(|e| m::damper(t, &frames[{i}], &frames[{j}], &(twists[{i}] + turns[{i}] * e), &(twists[{j}] + turns[{j}] * e)))"
    ));
    let closure = view.closure(random, written.levels.len());
    written.item(format!(
        "#[constraint(over = (body[{i}], body[{j}]))]\n    pub fn closed(data: &Data, t: f64, a: &{name}, b: &{name}) -> f64 {{ {closure} }}"
    ));
    written.holonomic("closed", &format!("m::closed(data, t, &frames[{i}], &frames[{j}])"));
}
