//! The independent rows of a loop closure.
//!
//! A planar loop cannot open in the direction normal to its plane, so a row in this direction would be redundant. The span of the rates of
//! the gap at several configurations determines the possible directions. Only the joints between the two links and their last common
//! ancestor contribute.

use std::collections::BTreeMap;

use super::frame::{Frame, Rotation, Vector, across, cross, plus, times};
use super::model::{Above, Closure, Link, Loop, Motion, Robot};

/// The possible directions of a gap.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Rows {
    /// The link in whose axes a gap between points is expressed: the last common ancestor of both links.
    pub base: usize,
    /// Orthonormal directions of possible gaps.
    pub directions: Vec<Vec<f64>>,
    /// The norm of the gap in the file orthogonal to these directions.
    pub left: f64,
}

/// Number of sampled configurations.
const SAMPLES: u64 = 4;
/// Round-off relative to the largest rate.
const ROUNDING: f64 = 1e-9;

/// Twists about the origin, angular part first, for each coordinate.
pub(super) type Columns<'r> = BTreeMap<(&'r str, usize), [f64; 6]>;

/// A pseudorandom value in [-1, 1) for a coordinate (splitmix64); zero at the reference, sample 0.
fn value(name: &str, component: usize, sample: u64) -> f64 {
    if sample == 0 {
        return 0.0;
    }
    let start = sample.wrapping_mul(0x9e37_79b9_7f4a_7c15).wrapping_add(component as u64);
    let mut bits = name.bytes().fold(start, |bits, byte| (bits ^ u64::from(byte)).wrapping_mul(0x0100_0000_01b3));
    bits = (bits ^ (bits >> 30)).wrapping_mul(0xbf58_476d_1ce4_e5b9);
    bits = (bits ^ (bits >> 27)).wrapping_mul(0x94d0_49bb_1331_11eb);
    ((bits ^ (bits >> 31)) >> 11) as f64 / (1_u64 << 52) as f64 - 1.0
}

/// Returns the links from the given one to the root.
fn path_to_root(robot: &Robot, mut link: usize) -> Vec<usize> {
    let mut all = vec![link];
    while let Some(above) = &robot.links[link].above {
        link = above.parent;
        all.push(link);
    }
    all
}

/// Decomposes a joint into rotations (`true`) and translations along axes, in order.
fn elementary_motions(motion: Motion) -> Vec<(bool, Vector)> {
    let units = [[1.0, 0.0, 0.0], [0.0, 1.0, 0.0], [0.0, 0.0, 1.0]];
    let all = |turns: bool| units.map(|axis| (turns, axis));
    match motion {
        Motion::Hinge(axis) => vec![(true, axis)],
        Motion::Slide(axis) => vec![(false, axis)],
        Motion::Ball => all(true).to_vec(),
        Motion::Planar(axis) => across(axis).map(|way| (false, way)).into_iter().chain([(true, axis)]).collect(),
        Motion::Floating => [all(false), all(true)].concat(),
    }
}

/// Computes the pose of a link in the root frame and the twists of its joints from the values of its parent.
pub(super) fn placed<'r>(
    parent: &(Frame, Columns<'r>),
    link: &'r Link,
    above: &'r Above,
    sample: u64,
) -> (Frame, Columns<'r>) {
    let (mut frame, mut columns) = parent.clone();
    frame = frame.then(link.start.filter(|_| sample == 0).unwrap_or(above.place));
    for joint in &above.joints {
        let followed = joint.mimic.as_ref().map(|mimic| (mimic.joint.as_str(), mimic.multiplier));
        let (name, scale) = followed.unwrap_or((&joint.name, 1.0));
        let mut at = frame.then(Frame::at(joint.anchor));
        for (component, (turns, axis)) in elementary_motions(joint.motion).into_iter().enumerate() {
            let (seen, number) = (at.rotation.rotate(axis), scale * value(name, component, sample));
            let twist = if turns { [seen, cross(at.position, seen)] } else { [[0.0; 3], seen] };
            let column = columns.entry((name, component)).or_insert([0.0; 6]);
            column.iter_mut().zip(twist.as_flattened()).for_each(|(sum, new)| *sum += scale * new);
            if turns {
                at.rotation = at.rotation.after(Rotation::about(axis, number));
            } else {
                at.position = plus(at.position, times(number, seen));
            }
        }
        frame = at.then(Frame::at(times(-1.0, joint.anchor)));
    }
    (frame, columns)
}

/// Computes the pose of a link in the frame of an ancestor, and the twists of the joints between them.
fn placed_in(robot: &Robot, base: usize, link: usize, sample: u64) -> (Frame, Columns<'_>) {
    let outwards: Vec<usize> = path_to_root(robot, link).into_iter().take_while(|&place| place != base).collect();
    let mut found = (Frame::IDENTITY, Columns::new());
    for link in outwards.into_iter().rev().map(|place| &robot.links[place]) {
        if let Some(above) = &link.above {
            found = placed(&found, link, above, sample);
        }
    }
    found
}

/// Computes the gap and its derivatives with respect to all coordinates.
fn gap(robot: &Robot, closed: &Loop, base: usize, sample: u64) -> (Vec<f64>, Vec<Vec<f64>>) {
    let [(first, own), (second, others)] = closed.links.map(|link| placed_in(robot, base, link, sample));
    let parts = |column: Option<&[f64; 6]>| {
        let [a, b, c, d, e, f] = column.copied().unwrap_or_default();
        ([a, b, c], [d, e, f])
    };
    let minus = |a: Vector, b: Vector| plus(a, times(-1.0, b));
    let moved = |(angular, linear): (Vector, Vector), point: Vector| plus(linear, cross(angular, point));
    let rate = |name| -> Vec<f64> {
        let (one, other) = (parts(own.get(name)), parts(others.get(name)));
        match closed.closure {
            Closure::Point(a, b) => minus(moved(one, first.point(a)), moved(other, second.point(b))).to_vec(),
            Closure::Pose(_) => {
                let (back, at) = (second.rotation.inverse(), second.position);
                let angular = back.rotate(minus(other.0, one.0));
                [angular, back.rotate(minus(moved(other, at), moved(one, at)))].concat()
            }
        }
    };
    let gap = match closed.closure {
        Closure::Point(a, b) => minus(first.point(a), second.point(b)).to_vec(),
        Closure::Pose(between) => {
            let left = first.then(between).inverse().then(second);
            [left.rotation.vector(), left.position].concat()
        }
    };
    (gap, own.keys().chain(others.keys()).map(rate).collect())
}

/// Returns the component of a vector orthogonal to orthonormal vectors.
fn orthogonal_part(all: &[Vec<f64>], mut vector: Vec<f64>) -> Vec<f64> {
    // Two passes suffice (B. N. Parlett, The Symmetric Eigenvalue Problem, 1980).
    for one in all.iter().chain(all) {
        let along: f64 = one.iter().zip(&vector).map(|(a, b)| a * b).sum();
        vector.iter_mut().zip(one).for_each(|(x, a)| *x -= along * a);
    }
    vector
}

fn length(vector: &[f64]) -> f64 {
    vector.iter().copied().fold(0.0, f64::hypot)
}

/// Determines the rows of a loop.
pub(super) fn rows(robot: &Robot, closed: &Loop) -> Rows {
    let [one, other] = closed.links.map(|link| path_to_root(robot, link));
    let base = one.iter().copied().find(|link| other.contains(link)).unwrap_or(0);
    let rates: Vec<Vec<f64>> = (1..=SAMPLES).flat_map(|sample| gap(robot, closed, base, sample).1).collect();
    let largest = rates.iter().map(|rate| length(rate)).fold(0.0, f64::max);
    let mut span: Vec<Vec<f64>> = vec![];
    for rate in rates {
        let rest = orthogonal_part(&span, rate);
        let size = length(&rest);
        if size > ROUNDING * largest {
            span.push(rest.into_iter().map(|x| x / size).collect());
        }
    }
    // Directions along the coordinate axes are preferred.
    let (at_start, _) = gap(robot, closed, base, 0);
    let mut directions: Vec<Vec<f64>> = vec![];
    for axis in 0..at_start.len() {
        let unit: Vec<f64> = (0..at_start.len()).map(|k| f64::from(u8::from(k == axis))).collect();
        let outside = orthogonal_part(&span, unit.clone());
        let inside = unit.iter().zip(&outside).map(|(x, y)| x - y).collect();
        let rest = orthogonal_part(&directions, inside);
        let size = length(&rest);
        if size > 1e-6 {
            let clean = |x: f64| if (x - x.round()).abs() < 1e-12 { x.round() + 0.0 } else { x };
            directions.push(rest.into_iter().map(|x| clean(x / size)).collect());
        }
    }
    let left = length(&orthogonal_part(&directions, at_start));
    Rows { base, directions, left }
}
