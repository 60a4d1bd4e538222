//! Bodies and wrenches of a schematic, from the names and groups of a declaration.

use nalgebra::{Isometry3, Matrix3, Quaternion, Rotation3, Translation3, UnitQuaternion, Vector3};

use crate::system::{Report, Value};

/// A body, or a point mass.
#[derive(Clone, Debug)]
pub(super) struct DrawnBody {
    pub name: String,
    pub pose: Isometry3<f64>,
    /// The first components of the moment and of the force in a generalised force.
    pub moment: Option<usize>,
    pub force: Option<usize>,
    pub is_planar: bool,
    /// True if the components of forces are body-fixed.
    pub is_body_fixed: bool,
}

/// A moment about the origin of a body and a force, in spatial components.
#[derive(Clone, Copy, Debug)]
pub(super) struct Wrench {
    pub moment: Vector3<f64>,
    pub force: Vector3<f64>,
}

impl DrawnBody {
    pub fn wrench(&self, forces: &dyn Fn(usize) -> f64) -> Wrench {
        let vector = |first: Option<usize>| match first {
            Some(first) if self.is_planar => Vector3::new(forces(first), forces(first + 1), 0.0),
            Some(first) => Vector3::new(forces(first), forces(first + 1), forces(first + 2)),
            None => Vector3::zeros(),
        };
        let moment = match self.moment {
            Some(first) if self.is_planar => Vector3::new(0.0, 0.0, forces(first)),
            first => self.pose.rotation * vector(first),
        };
        let force = vector(self.force);
        Wrench { moment, force: if self.is_body_fixed { self.pose.rotation * force } else { force } }
    }

    pub fn origin(&self) -> Vector3<f64> {
        self.pose.translation.vector
    }
}

/// Returns the vector r from the origin with M = r × F for all wrenches, and true if they determine it. Returns `None` if there is no common point.
pub(super) fn point_of(wrenches: &[Wrench]) -> Option<(Vector3<f64>, bool)> {
    let (mut normal, mut right, mut size) = (Matrix3::zeros(), Vector3::zeros(), 0.0_f64);
    let largest = wrenches.iter().map(|own| own.force.norm()).fold(0.0, f64::max);
    let acting: Vec<&Wrench> =
        wrenches.iter().filter(|own| own.force.norm() > 1e-6 * largest && largest > 0.0).collect();
    for own in &acting {
        // r × F = −F × r.
        let matrix = -own.force.cross_matrix();
        normal += matrix.transpose() * matrix;
        right += matrix.transpose() * own.moment;
        size = size.max(own.moment.norm());
    }
    let decomposition = normal.svd(true, true);
    let determined = decomposition.singular_values.iter().filter(|&&value| value > 1e-9 * normal.norm()).count();
    let point = decomposition.solve(&right, 1e-9 * normal.norm()).ok()?;
    let residual = acting.iter().map(|own| (own.moment - point.cross(&own.force)).norm()).fold(0.0, f64::max);
    (!acting.is_empty() && residual <= 1e-6 * size.max(largest * 1e-6)).then_some((point, determined == 3))
}

/// A part of a configuration: a rotation, a point or a pose.
struct Part {
    name: String,
    turn: Option<UnitQuaternion<f64>>,
    place: Option<Vector3<f64>>,
    offset: usize,
    is_planar: bool,
    is_body_fixed: bool,
}

/// The value with this path, such as `bodies[1].attitude`.
fn at_path<'a>(value: &'a Value, path: &str) -> Option<&'a Value> {
    path.split(['.', '[']).try_fold(value, |value, step| match (value, step.strip_suffix(']')) {
        (Value::List(values), Some(index)) => values.get(index.parse::<usize>().ok()?),
        (value, _) => value.get(step),
    })
}

/// A point in space or in a plane.
pub(super) fn coordinates(value: &Value) -> Option<[f64; 3]> {
    match value {
        Value::Vector(numbers) => match numbers[..] {
            [x, y] => Some([x, y, 0.0]),
            [x, y, z] => Some([x, y, z]),
            _ => None,
        },
        _ => None,
    }
}

/// A rotation in space, or about z.
fn attitude(value: &Value) -> Option<UnitQuaternion<f64>> {
    match value {
        Value::Scalar(angle) => Some(UnitQuaternion::from_axis_angle(&Vector3::z_axis(), *angle)),
        Value::Vector(numbers) => match numbers[..] {
            [w, x, y, z] => Some(UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z))),
            _ => None,
        },
        Value::Matrix(rows) => {
            let numbers = rows.concat();
            let matrix = (numbers.len() == 9).then(|| Matrix3::from_row_slice(&numbers))?;
            Some(UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(matrix)))
        }
        _ => None,
    }
}

/// Adds the parts of a member with this group.
fn members(name: &str, group: &str, value: &Value, offset: usize, parts: &mut Vec<Part>) {
    if let Value::List(elements) = value {
        // (G)^N
        let group = group.rsplit_once('^').map_or(group, |(group, _)| group);
        let group = group.strip_prefix('(').and_then(|group| group.strip_suffix(')')).unwrap_or(group);
        for (index, element) in elements.iter().enumerate() {
            let Some(dof) = dimension(element) else { return };
            members(&format!("{name}[{index}]"), group, element, offset + index * dof, parts);
        }
        return;
    }
    let is_pose = matches!(value, Value::Record(_));
    let part = |turn: Option<UnitQuaternion<f64>>, place: Option<Vector3<f64>>, is_planar| Part {
        name: name.to_owned(),
        turn,
        place,
        offset,
        is_planar,
        // A direct product has spatial components, every other group of poses body-fixed ones.
        is_body_fixed: is_pose && !group.contains('×'),
    };
    match (group, value) {
        ("SO(3)" | "S³" | "SO(2)", value) => {
            let is_planar = matches!(value, Value::Scalar(_));
            parts.extend(attitude(value).map(|turn| part(Some(turn), None, is_planar)));
        }
        ("R³" | "R²", value) => {
            parts.extend(coordinates(value).map(|place| part(None, Some(place.into()), group == "R²")));
        }
        (_, Value::Record(entries)) => {
            if let [(_, turn), (_, place)] = &entries[..]
                && let (Some(rotation), Some(position)) = (attitude(turn), coordinates(place))
            {
                parts.push(part(Some(rotation), Some(position.into()), matches!(turn, Value::Scalar(_))));
            }
        }
        _ => {}
    }
}

/// The dimension of the group of a rotation, a point or a pose.
fn dimension(value: &Value) -> Option<usize> {
    match value {
        Value::Scalar(_) => Some(1),
        Value::Vector(numbers) if (2..=4).contains(&numbers.len()) => Some(numbers.len().min(3)),
        Value::Matrix(_) => Some(3),
        Value::Record(entries) => match &entries[..] {
            [(_, turn), (_, place)] => Some(dimension(turn)? + dimension(place)?),
            _ => None,
        },
        _ => None,
    }
}

/// Returns the bodies of a configuration.
pub(super) fn bodies<S: Report<Scalar = f64>>(system: &S, q: &S::Configuration) -> Vec<DrawnBody> {
    let report = system.report_configuration(q);
    let mut parts = Vec::new();
    for member in system.description().members.iter() {
        if let Some(value) = at_path(&report, member.name) {
            members(member.name, member.group, value, member.offset, &mut parts);
        }
    }
    paired(&parts)
}

/// Joins a rotation and a point of the same struct to a body.
fn paired(parts: &[Part]) -> Vec<DrawnBody> {
    let parent = |name: &str| name.rsplit_once('.').map_or("", |(parent, _)| parent).to_owned();
    // The elements of a list are no fields of one struct.
    let is_field = |part: &Part| !part.name.ends_with(']');
    let only = |own: &Part, has: &dyn Fn(&Part) -> bool| {
        let is_near = |other: &&Part| {
            other.is_planar == own.is_planar && is_field(other) && parent(&other.name) == parent(&own.name)
        };
        let mut all = parts.iter().filter(is_near).filter(|other| has(other));
        all.next().filter(|_| is_field(own) && all.next().is_none())
    };
    let is_turn = |part: &Part| part.turn.is_some() && part.place.is_none();
    let is_place = |part: &Part| part.turn.is_none() && part.place.is_some();
    let mut bodies = Vec::new();
    for part in parts {
        let pair = |has: &dyn Fn(&Part) -> bool, other: &dyn Fn(&Part) -> bool| {
            if has(part) { only(part, has).and_then(|_| only(part, other)) } else { None }
        };
        if pair(&is_place, &is_turn).is_some() {
            // With its rotation.
            continue;
        }
        let other = pair(&is_turn, &is_place);
        let is_pose = part.turn.is_some() && part.place.is_some();
        let angular = if part.is_planar { 1 } else { 3 };
        let name = if other.is_some() { parent(&part.name) } else { part.name.clone() };
        let (moment, force) = match other {
            _ if is_pose => (Some(part.offset), Some(part.offset + angular)),
            Some(other) => (Some(part.offset), Some(other.offset)),
            None if part.turn.is_some() => (Some(part.offset), None),
            None => (None, Some(part.offset)),
        };
        let place = part.place.or_else(|| other.and_then(|other| other.place)).unwrap_or_default();
        // An angle is a joint coordinate, not a body.
        if part.is_planar && force.is_none() {
            continue;
        }
        let turn = part.turn.unwrap_or_default();
        let pose = Isometry3::from_parts(Translation3::from(place), turn);
        bodies.push(DrawnBody {
            name: if name.is_empty() { "body".to_owned() } else { name },
            pose,
            moment,
            force,
            is_planar: part.is_planar,
            is_body_fixed: part.is_body_fixed,
        });
    }
    bodies
}
