//! Writes the declaration of a [`Robot`]: the items that a user would write, with one pose for each link.

use std::fmt::Write;

use super::NamedConfiguration;
use super::closure::rows;
use super::frame::{Frame, Rotation, Vector, across, symmetric, times};
use super::model::{Closure, Coordinate, Inertial, Joint, Keyframe, Link, Loop, Motion, Relation, Robot};
use super::options::Options;
use super::terms::{actuator_terms, coordinate, joint_states, joint_terms};

/// Formats a vector.
fn vector(numbers: Vector) -> String {
    // Removes the sign of zero.
    let [x, y, z] = numbers.map(|x| x + 0.0);
    match [x, y, z] {
        [0.0, 0.0, 0.0] => "Vector3::zeros()".to_owned(),
        _ => format!("Vector3::new({x:?}, {y:?}, {z:?})"),
    }
}

/// Formats a constant pose; `None` for the identity.
fn pose(place: Frame) -> Option<String> {
    let turn = place.rotation.vector();
    if turn == [0.0; 3] && place.position == [0.0; 3] {
        return None;
    }
    let rotation = if turn == [0.0; 3] { "SO3::identity()".to_owned() } else { format!("SO3::exp(&{})", vector(turn)) };
    Some(format!("SE3::new({rotation}, {})", vector(place.position)))
}

/// The pose of a joint as a function of its coordinate.
fn motion(joint: &Joint) -> String {
    let own = format!("q.{}", joint.name);
    let number = coordinate(joint, joint.reference);
    match joint.motion {
        Motion::Hinge(axis) => format!("SE3::new(SO3::exp(&({} * {number})), Vector3::zeros())", vector(axis)),
        Motion::Slide(axis) => format!("SE3::new(SO3::identity(), {} * {number})", vector(axis)),
        Motion::Ball => format!("SE3::new({own}, Vector3::zeros())"),
        Motion::Planar(axis) => {
            let [first, second] = across(axis).map(vector);
            format!(
                "SE3::new(SO3::exp(&({} * {own}.rotation.angle())), {first} * {own}.translation.x + {second} * {own}.translation.y)",
                vector(axis)
            )
        }
        Motion::Floating => own,
    }
}

/// The type of an independent coordinate; `None` for a joint that follows another joint.
fn group(joint: &Joint) -> Option<&'static str> {
    match joint.motion {
        _ if joint.mimic.is_some() => None,
        Motion::Hinge(_) | Motion::Slide(_) => Some("f64"),
        Motion::Ball => Some("SO3"),
        Motion::Planar(_) => Some("SE2"),
        Motion::Floating => Some("SE3"),
    }
}

/// The configuration and the constants of its joints.
fn configuration(robot: &Robot) -> Vec<String> {
    let mut skipped = robot.skipped.join("; ");
    if !skipped.is_empty() {
        skipped = format!("\n///\n/// Ignored parts of the file: {skipped}.");
    }
    for warning in &robot.warnings {
        let _ = write!(skipped, "\n///\n/// Assumption: {warning}.");
    }
    let mut joints = format!(
        "/// The joints of `{}`.{skipped}\n#[configuration]\npub struct Joints {{\n",
        robot.name.escape_default()
    );
    for joint in robot.joints() {
        if let Some(group) = group(joint) {
            let unit = match joint.motion {
                Motion::Hinge(_) => " [rad]",
                Motion::Slide(_) => " [m]",
                _ => "",
            };
            let _ = writeln!(joints, "    /// `{0}`{unit}.\n    pub {0}: {group},", joint.name);
        }
    }
    joints.push('}');
    let mut all = vec![joints];
    for joint in robot.joints() {
        let name = joint.name.to_uppercase();
        if let Some([lower, upper]) = joint.limits {
            let bounded = if joint.motion == Motion::Ball { "angle" } else { "value" };
            all.push(format!(
                "/// The lower and the upper limit of the {bounded} of `{}`.\npub const {name}_LIMITS: [f64; 2] = [{lower:?}, {upper:?}];",
                joint.name
            ));
        }
        let friction = Some(joint.friction).filter(|friction| *friction != 0.0);
        if let Some(friction) = friction {
            all.push(format!(
                "/// The limit of the dry (Coulomb) friction of `{}`.\npub const {name}_FRICTION: f64 = {friction:?};",
                joint.name
            ));
        }
        for (value, suffix, bounded) in [(joint.effort, "EFFORT", "effort"), (joint.speed, "SPEED", "speed")] {
            if let Some(value) = value {
                all.push(format!(
                    "/// The largest {bounded} of `{}`.\npub const {name}_{suffix}: f64 = {value:?};",
                    joint.name
                ));
            }
        }
    }
    all
}

/// The frame of a link with its parent.
fn frame(robot: &Robot, link: &Link, moves: &[bool], place: usize) -> String {
    let name = &link.name;
    let Some(above) = &link.above else {
        return format!("/// The fixed frame of `{name}`.\npub fn {name}() -> SE3 {{\n    SE3::identity()\n}}");
    };
    let mut factors = vec![frame_call(robot, moves, above.parent)];
    // A rotation leaves its anchor in place; constant factors are multiplied to one pose.
    let mut fixed = above.place;
    for joint in &above.joints {
        factors.extend(pose(fixed.then(Frame::at(joint.anchor))));
        factors.push(motion(joint));
        fixed = Frame::at(times(-1.0, joint.anchor));
    }
    factors.extend(pose(fixed));
    let (attribute, arguments) = if moves[place] { ("#[quantity]\n", "q: &Joints") } else { ("", "") };
    format!(
        "/// The frame of `{name}`.\n{attribute}pub fn {name}({arguments}) -> SE3 {{\n    {}\n}}",
        factors.join(" * ")
    )
}

/// A call of the function that returns the frame of a link.
fn frame_call(robot: &Robot, moves: &[bool], place: usize) -> String {
    format!("{}({})", robot.links[place].name, if moves[place] { "q" } else { "" })
}

/// The kinetic energy and the weight of a movable link.
fn energies(name: &str, inertial: &Inertial, gravity: Vector) -> Vec<String> {
    let (mass, center) = (inertial.mass, vector(inertial.center));
    let [a, b, c] = symmetric(inertial.moments).map(|[x, y, z]| format!("{x:?}, {y:?}, {z:?}"));
    let mut all = vec![format!(
        "#[kinetic_energy]\nfn kinetic_energy_of_{name}(q: &Joints, v: &Velocity) -> f64 {{\n    let twist = {name}_rate(q, v);\n    \
         let turn = twist.angular();\n    let center = twist.linear() + turn.cross(&{center});\n    \
         0.5 * {mass:?} * center.norm_squared() + 0.5 * turn.dot(&(Matrix3::new({a}, {b}, {c}) * turn))\n}}"
    )];
    let height = match times(1.0 - inertial.compensation, gravity).map(|x| x + 0.0) {
        _ if mass == 0.0 => None,
        [0.0, 0.0, 0.0] => None,
        [0.0, 0.0, g] => Some(format!("{:?} * {mass:?} * ({name}(q) * {center}).z", -g)),
        gravity => Some(format!("{mass:?} * {}.dot(&({name}(q) * {center}))", vector(times(-1.0, gravity)))),
    };
    if let Some(height) = height {
        all.push(format!("#[potential]\nfn weight_of_{name}(q: &Joints) -> f64 {{\n    {height}\n}}"));
    }
    all
}

/// The value of a joint coordinate in the reference configuration of the file.
fn initial(joint: &Joint, start: Option<Frame>) -> String {
    let rotation = |rotation: Rotation| match rotation.vector() {
        [0.0, 0.0, 0.0] => "SO3::identity()".to_owned(),
        turn => format!("SO3::exp(&{})", vector(turn)),
    };
    let placed = |frame: Option<Frame>| frame.and_then(pose).unwrap_or_else(|| "SE3::identity()".to_owned());
    match (joint.initial, joint.motion) {
        (Some(Coordinate::Number(number)), _) => format!("{number:?}"),
        (Some(Coordinate::Rotation(turn)), _) => rotation(turn),
        (Some(Coordinate::Pose(frame)), _) => placed(Some(frame)),
        (None, Motion::Hinge(_) | Motion::Slide(_)) => format!("{:?}", joint.reference),
        (None, Motion::Floating) => placed(start),
        (None, Motion::Ball | Motion::Planar(_)) => zero(joint),
    }
}

/// The zero value of a joint coordinate.
fn zero(joint: &Joint) -> String {
    match group(joint) {
        Some("f64") | None => "0.0".to_owned(),
        Some(group) => format!("{group}::identity()"),
    }
}

/// The joints with a coordinate of their own, and the initial pose of their link.
fn own_joints(robot: &Robot) -> Vec<(&Joint, Option<Frame>)> {
    let links = robot.links.iter();
    links
        .flat_map(|link| link.above.iter().flat_map(|above| &above.joints).map(|joint| (joint, link.start)))
        .filter(|(joint, _)| joint.mimic.is_none())
        .collect()
}

/// The joint with its value in a keyframe as its initial value.
fn at_key(robot: &Robot, key: &Keyframe, joint: &Joint) -> Joint {
    let mut values = robot.joints().zip(key.values.iter().copied());
    let found = values.find(|(known, _)| known.name == joint.name).and_then(|(_, value)| value);
    Joint { initial: found.or(joint.initial), ..joint.clone() }
}

/// The scalars of the value that [`initial`] writes.
fn scalars(joint: &Joint, start: Option<Frame>) -> Vec<f64> {
    let placed = |frame: Frame| [&frame.rotation.0[..], &frame.position].concat();
    match (joint.initial, joint.motion) {
        (Some(Coordinate::Number(number)), _) => vec![number],
        (Some(Coordinate::Rotation(rotation)), _) => rotation.0.to_vec(),
        (Some(Coordinate::Pose(frame)), _) => placed(frame),
        (None, Motion::Hinge(_) | Motion::Slide(_)) => vec![joint.reference],
        (None, Motion::Floating) => placed(start.unwrap_or(Frame::IDENTITY)),
        (None, Motion::Ball) => Rotation::IDENTITY.0.to_vec(),
        (None, Motion::Planar(_)) => vec![0.0; 3],
    }
}

/// The reference configuration and the keyframes.
pub(super) fn named_configurations(robot: &Robot) -> Vec<NamedConfiguration> {
    let values = |joint: &dyn Fn(&Joint) -> Joint| {
        let own = own_joints(robot).into_iter();
        own.map(|(one, start)| (one.name.clone(), scalars(&joint(one), start))).collect()
    };
    let reference = NamedConfiguration { name: "reference".to_owned(), values: values(&Joint::clone) };
    let keyframes = robot.keyframes.iter().map(|key| NamedConfiguration {
        name: key.written.clone(),
        values: values(&|joint| at_key(robot, key, joint)),
    });
    [reference].into_iter().chain(keyframes).collect()
}

/// Functions that return configurations: the zero configuration, the reference configuration, and a configuration with given joint values.
fn configurations(robot: &Robot) -> Vec<String> {
    let own = own_joints(robot);
    let literal = |value: &dyn Fn(&Joint, Option<Frame>) -> String| {
        let fields: Vec<String> =
            own.iter().map(|(joint, start)| format!("{}: {}", joint.name, value(joint, *start))).collect();
        format!("Joints {{ {} }}", fields.join(", "))
    };
    let of_key = |key: &Keyframe| literal(&|joint, start| initial(&at_key(robot, key, joint), start));
    let numbers: Vec<&Joint> = own.iter().map(|(joint, _)| *joint).filter(|joint| joint.motion.is_number()).collect();
    let arm = |joint: &&Joint| {
        let name = &joint.name;
        let written = Some(&joint.written).filter(|written| *written != name);
        let written = written.map_or_else(String::new, |written| format!("{written:?} | "));
        format!("            {written}\"{name}\" => q.{name} = value,\n")
    };
    let arms: String = numbers.iter().map(arm).collect();
    let names: Vec<String> = numbers.iter().map(|joint| format!("{:?}", joint.written)).collect();
    let closed = |gap: f64| match gap {
        _ if robot.loops.is_empty() && robot.relations.is_empty() => String::new(),
        0.0..=1e-9 => ", with the loops closed".to_owned(),
        gap => format!(". No configuration near it closes all loops: the largest gap is {gap:.1e}"),
    };
    let open = if robot.loops.is_empty() && robot.relations.is_empty() {
        ""
    } else {
        " Loops may be open then: `InverseKinematics` closes them."
    };
    let mut all = vec![
        format!(
            "/// The configuration with all coordinates zero.\npub fn zero() -> Joints {{\n    {}\n}}",
            literal(&|joint, _| zero(joint))
        ),
        format!(
            "/// The reference configuration of the file{}.\npub fn reference() -> Joints {{\n    {}\n}}",
            closed(robot.gap),
            literal(&initial)
        ),
    ];
    all.extend(robot.keyframes.iter().map(|key| {
        let (name, written, literal, closed) = (&key.name, key.written.escape_default(), of_key(key), closed(key.gap));
        format!("/// The keyframe `{written}` of the file{closed}.\npub fn keyframe_{name}() -> Joints {{\n    {literal}\n}}")
    }));
    if !numbers.is_empty() {
        all.push(format!(
            "/// The reference configuration with the given values of hinges and slides, identified by joint name.{open}\n///\n\
             /// # Errors\n/// [`UnknownJoint`]: no hinge or slide with a coordinate of its own has this name.\n\
             pub fn from_joints(values: &[(&str, f64)]) -> Result<Joints, UnknownJoint> {{\n    \
             let mut q = reference();\n    for &(name, value) in values {{\n        match name {{\n{arms}            \
             _ => return Err(UnknownJoint::new(name, &[{}])),\n        }}\n    }}\n    Ok(q)\n}}",
            names.join(", ")
        ));
    }
    all
}

/// The rows of a gap in the given directions: their type and the function body.
fn gap_rows(directions: &[Vec<f64>], gap: &str) -> (String, String) {
    let axis = |direction: &[f64]| direction.iter().position(|&x| x == 1.0);
    let row = |direction: &Vec<f64>| match axis(direction) {
        Some(axis) => format!("gap[{axis}]"),
        None => {
            let numbers: Vec<String> = direction.iter().map(|x| format!("{x:?}")).collect();
            format!("gap.dot(&Vector{}::new({}))", direction.len(), numbers.join(", "))
        }
    };
    let rows: Vec<String> = directions.iter().map(row).collect();
    match (directions, &rows[..]) {
        ([first, ..], _) if directions.len() == first.len() => (format!("Vector{}<f64>", rows.len()), gap.to_owned()),
        (_, [one]) => ("f64".to_owned(), format!("let gap = {gap};\n    {one}")),
        _ => {
            let vector = format!("Vector{}", rows.len());
            (format!("{vector}<f64>"), format!("let gap = {gap};\n    {vector}::new({})", rows.join(", ")))
        }
    }
}

/// The constraint that closes a loop.
fn loop_constraint(robot: &Robot, closed: &Loop, moves: &[bool]) -> String {
    let [first, second] = closed.links.map(|place| frame_call(robot, moves, place));
    let names = closed.links.map(|place| &robot.links[place].name);
    let rows = rows(robot, closed);
    let (summary, gap) = match closed.closure {
        Closure::Point(a, b) => {
            let gap = format!("{first} * {} - {second} * {}", vector(a), vector(b));
            // A direction without a gap moves with the common ancestor of both links.
            let rotated = moves[rows.base] && rows.directions.len() < 3;
            let base = frame_call(robot, moves, rows.base);
            ("A common point", if rotated { format!("{base}.rotation.inverse() * ({gap})") } else { gap })
        }
        Closure::Pose(between) => {
            let there = [Some(first), pose(between)].into_iter().flatten().collect::<Vec<String>>().join(" * ");
            ("The fixed relative pose", format!("(({there}).inverse() * {second}).log()"))
        }
    };
    let (result, body) = gap_rows(&rows.directions, &gap);
    format!(
        "/// {summary} of `{}` and `{}`.\n#[constraint]\nfn {}(q: &Joints) -> {result} {{\n    {body}\n}}",
        names[0], names[1], closed.name
    )
}

/// The constraint of a relation between two coordinates, or of one held coordinate.
fn relation_constraint(robot: &Robot, relation: &Relation) -> String {
    let Relation { name, joint: (own, from), followed, coefficients, .. } = relation;
    let distance = |name: &str, from: f64| {
        robot.joints().find(|joint| joint.name == name).map_or_else(String::new, |joint| coordinate(joint, from))
    };
    let (summary, body) = match (followed, &coefficients[..]) {
        (Some((followed, reference)), &[ref lower @ .., last]) => {
            let polynomial = lower.iter().rev().fold(format!("{last:?}"), |inner, a| format!("({a:?} + x * {inner})"));
            let x = distance(followed, *reference);
            (
                format!("The coordinate of `{own}` is a polynomial of the coordinate of `{followed}`."),
                format!("let x = {x};\n    {} - {polynomial}", distance(own, *from)),
            )
        }
        _ => {
            let held = from + coefficients.first().unwrap_or(&0.0);
            (format!("Holds `{own}` at {held:?}."), distance(own, held))
        }
    };
    format!("/// {summary}\n#[constraint]\nfn {name}(q: &Joints) -> f64 {{\n    {body}\n}}")
}

/// All items of the declaration.
pub(super) fn declare(robot: &Robot, options: &Options) -> String {
    let mut items = configuration(robot);
    items.extend(configurations(robot));
    // The frame of a fixed link is not a quantity: it does not depend on the joints.
    let moves = robot.moves();
    for (place, link) in robot.links.iter().enumerate() {
        items.push(frame(robot, link, &moves, place));
        if let Some(start) = link.start {
            let start = pose(start).unwrap_or_else(|| "SE3::identity()".to_owned());
            items.push(format!(
                "/// The initial pose of `{0}` in the file.\npub fn {0}_start() -> SE3 {{\n    {start}\n}}",
                link.name
            ));
        }
        if let Some(inertial) = link.inertial.as_ref().filter(|_| moves[place]) {
            items.extend(energies(&link.name, inertial, robot.gravity));
        }
    }
    items.extend(robot.joints().flat_map(|joint| joint_terms(joint, options)));
    items.extend(joint_states(robot, options));
    items.extend(actuator_terms(robot));
    items.extend(robot.loops.iter().map(|one| loop_constraint(robot, one, &moves)));
    items.extend(robot.relations.iter().map(|relation| relation_constraint(robot, relation)));
    items.join("\n\n") + "\n"
}
