//! [`Robot`] → Rust: the declaration that a user would have written, one pose a link.

use std::fmt::Write;

use super::urdf::{Inertial, Joint, Motion, Origin, Robot};

/// A vector.
fn vector([x, y, z]: [f64; 3]) -> String {
    match [x, y, z] {
        [0.0, 0.0, 0.0] => "Vector3::zeros()".to_owned(),
        _ => format!("Vector3::new({x:?}, {y:?}, {z:?})"),
    }
}

/// The matrix of roll, pitch and yaw, R = R_z R_y R_x.
fn matrix([roll, pitch, yaw]: [f64; 3]) -> [[f64; 3]; 3] {
    let ((sr, cr), (sp, cp), (sy, cy)) = (roll.sin_cos(), pitch.sin_cos(), yaw.sin_cos());
    [
        [cy * cp, cy * sp * sr - sy * cr, cy * sp * cr + sy * sr],
        [sy * cp, sy * sp * sr + cy * cr, sy * sp * cr - cy * sr],
        [-sp, cp * sr, cp * cr],
    ]
}

/// The rotation vector of roll, pitch and yaw, by their quaternion.
fn rotation_vector([roll, pitch, yaw]: [f64; 3]) -> [f64; 3] {
    let ((sr, cr), (sp, cp), (sy, cy)) = ((0.5 * roll).sin_cos(), (0.5 * pitch).sin_cos(), (0.5 * yaw).sin_cos());
    let w = cr * cp * cy + sr * sp * sy;
    let v = [sr * cp * cy - cr * sp * sy, cr * sp * cy + sr * cp * sy, cr * cp * sy - sr * sp * cy];
    let sine = v.iter().map(|x| x * x).sum::<f64>().sqrt();
    let scale = if sine == 0.0 { 0.0 } else { 2.0 * sine.atan2(w) / sine };
    v.map(|x| x * scale)
}

/// A pose that does not change; nothing where it is the identity.
fn pose(origin: Origin) -> Option<String> {
    let turn = rotation_vector(origin.angles);
    if turn == [0.0; 3] && origin.position == [0.0; 3] {
        return None;
    }
    let rotation = if turn == [0.0; 3] { "SO3::identity()".to_owned() } else { format!("SO3::exp(&{})", vector(turn)) };
    Some(format!("SE3::new({rotation}, {})", vector(origin.position)))
}

/// Two directions across an axis.
fn across(axis: [f64; 3]) -> [[f64; 3]; 2] {
    let cross =
        |a: [f64; 3], b: [f64; 3]| [a[1] * b[2] - a[2] * b[1], a[2] * b[0] - a[0] * b[2], a[0] * b[1] - a[1] * b[0]];
    let helper = if axis[0].abs() < 0.9 { [1.0, 0.0, 0.0] } else { [0.0, 1.0, 0.0] };
    let along: f64 = axis.iter().zip(helper).map(|(a, b)| a * b).sum();
    let first: [f64; 3] = std::array::from_fn(|k| helper[k] - along * axis[k]);
    let length = first.iter().map(|x| x * x).sum::<f64>().sqrt();
    let first = first.map(|x| x / length);
    [first, cross(axis, first)]
}

/// What the joint adds to the pose that it stands on; nothing of a fixed one.
fn motion(joint: &Joint) -> Option<String> {
    let own = format!("q.{}", joint.name);
    let coordinate = match &joint.mimic {
        Some(mimic) => format!("({:?} * q.{} + {:?})", mimic.multiplier, mimic.joint, mimic.offset),
        None => own.clone(),
    };
    let axis = vector(joint.axis);
    match joint.motion {
        Motion::Fixed => None,
        Motion::Hinge => Some(format!("SE3::new(SO3::exp(&({axis} * {coordinate})), Vector3::zeros())")),
        Motion::Slide => Some(format!("SE3::new(SO3::identity(), {axis} * {coordinate})")),
        Motion::Planar => {
            let [first, second] = across(joint.axis).map(vector);
            Some(format!(
                "SE3::new(SO3::exp(&({axis} * {own}.rotation.angle())), {first} * {own}.translation.x + {second} * {own}.translation.y)"
            ))
        }
        Motion::Floating => Some(own),
    }
}

/// The group of a joint's coordinate, if it has one of its own.
fn group(joint: &Joint) -> Option<&'static str> {
    match joint.motion {
        _ if joint.mimic.is_some() => None,
        Motion::Fixed => None,
        Motion::Hinge | Motion::Slide => Some("f64"),
        Motion::Planar => Some("SE2"),
        Motion::Floating => Some("SE3"),
    }
}

/// The moments in the axes of the link, R J Rᵀ.
fn moments(inertial: &Inertial) -> [[f64; 3]; 3] {
    let [xx, xy, xz, yy, yz, zz] = inertial.moments;
    let own = [[xx, xy, xz], [xy, yy, yz], [xz, yz, zz]];
    let turn = matrix(inertial.origin.angles);
    std::array::from_fn(|i| {
        std::array::from_fn(|k| {
            let products = (0..3).flat_map(|a| (0..3).map(move |b| (a, b)));
            products.map(|(a, b)| turn[i][a] * own[a][b] * turn[k][b]).sum()
        })
    })
}

/// The items, each as a user would write it.
pub(super) fn declare(robot: &Robot) -> String {
    let mut out = String::new();
    let joints = || robot.links.iter().filter_map(|link| link.joint.as_ref());
    let mut put = |text: String| {
        let _ = writeln!(out, "{text}");
    };
    put(format!("/// The joints of `{}`.", robot.name.escape_default()));
    put("#[configuration]\npub struct Joints {".to_owned());
    for joint in joints() {
        if let Some(group) = group(joint) {
            put(format!("    /// `{0}`.\n    pub {0}: {group},", joint.name));
        }
    }
    put("}".to_owned());
    for joint in joints() {
        let name = joint.name.to_uppercase();
        if let Some([lower, upper]) = joint.limits {
            put(format!("\n/// The least and the largest value of `{}`.", joint.name));
            put(format!("pub const {name}_LIMITS: [f64; 2] = [{lower:?}, {upper:?}];"));
        }
        for (value, suffix, what) in [(joint.effort, "EFFORT", "effort"), (joint.speed, "SPEED", "speed")] {
            if let Some(value) = value {
                put(format!("\n/// The largest {what} of `{}`.", joint.name));
                put(format!("pub const {name}_{suffix}: f64 = {value:?};"));
            }
        }
    }
    // What stands on the ground is no quantity: it does not depend on the joints.
    let mut moves = vec![false; robot.links.len()];
    for (place, link) in robot.links.iter().enumerate() {
        let name = &link.name;
        let Some(joint) = &link.joint else {
            put(format!(
                "\n/// The frame of `{name}`, which stands still.\npub fn {name}() -> SE3 {{\n    SE3::identity()\n}}"
            ));
            continue;
        };
        let moved = motion(joint);
        let below = moves[joint.parent];
        moves[place] = below || moved.is_some();
        let parent = format!("{}({})", robot.links[joint.parent].name, if below { "q" } else { "" });
        let factors: Vec<String> = [Some(parent), pose(joint.origin), moved].into_iter().flatten().collect();
        let (attribute, arguments) = if moves[place] { ("#[quantity]\n", "q: &Joints") } else { ("", "") };
        put(format!(
            "\n/// The frame of `{name}`.\n{attribute}pub fn {name}({arguments}) -> SE3 {{\n    {}\n}}",
            factors.join(" * ")
        ));
        let Some(inertial) = link.inertial.as_ref().filter(|_| moves[place]) else { continue };
        let (mass, center) = (inertial.mass, vector(inertial.origin.position));
        let [a, b, c] = moments(inertial).map(|[x, y, z]| format!("{x:?}, {y:?}, {z:?}"));
        put(format!(
            "\n#[kinetic_energy]\nfn kinetic_energy_of_{name}(q: &Joints, v: &Velocity) -> f64 {{\n    let twist = {name}_rate(q, v);\n    \
             let turn = twist.angular();\n    let center = twist.linear() + turn.cross(&{center});\n    \
             0.5 * {mass:?} * center.norm_squared() + 0.5 * turn.dot(&(Matrix3::new({a}, {b}, {c}) * turn))\n}}"
        ));
        put(format!(
            "\n#[potential]\nfn weight_of_{name}(q: &Joints) -> f64 {{\n    9.81 * {mass:?} * ({name}(q) * {center}).z\n}}"
        ));
    }
    for joint in joints().filter(|joint| joint.damping != 0.0) {
        let rate = match &joint.mimic {
            Some(mimic) => format!("({:?} * v.{})", mimic.multiplier, mimic.joint),
            None => format!("v.{}", joint.name),
        };
        put(format!(
            "\n#[dissipation]\nfn damping_of_{}(v: &Velocity) -> f64 {{\n    0.5 * {:?} * {rate} * {rate}\n}}",
            joint.name, joint.damping
        ));
    }
    out
}
