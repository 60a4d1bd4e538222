//! Configurations that close the loops of a robot: the reference configuration and the keyframes of its file.
//!
//! The gaps of all loops and relations are brought to zero by the Levenberg–Marquardt method (K. Levenberg, Quart. Appl. Math. 2, 1944) on
//! the group: a step is a twist in the axes of each joint. The steps have no component along the motions that keep the loops closed.

use super::frame::{Frame, Rotation, Vector, cross, plus, times};
use super::model::{Closure, Coordinate, Joint, Motion, Relation, Robot};

/// Gaps below this length or angle are closed.
const CLOSED: f64 = 1e-12;
const ITERATIONS: usize = 200;

/// A direction in which a coordinate moves a link: the twist about the origin, angular part first.
type Column = (usize, Vector, Vector);

/// The coordinates of all joints, and the number of the first component of each joint with a coordinate of its own.
struct Configuration<'r> {
    robot: &'r Robot,
    values: Vec<Coordinate>,
    first: Vec<Option<usize>>,
    size: usize,
}

/// The coordinate at which the file has a joint.
fn reference(joint: &Joint, start: Option<Frame>) -> Coordinate {
    joint.initial.unwrap_or(match joint.motion {
        Motion::Hinge(_) | Motion::Slide(_) => Coordinate::Number(joint.reference),
        Motion::Ball => Coordinate::Rotation(Rotation::IDENTITY),
        Motion::Planar(_) => Coordinate::Number(0.0),
        Motion::Floating => Coordinate::Pose(start.unwrap_or(Frame::IDENTITY)),
    })
}

impl<'r> Configuration<'r> {
    fn new(robot: &'r Robot, given: &[Option<Coordinate>]) -> Self {
        let starts = robot
            .links
            .iter()
            .flat_map(|link| link.above.iter().flat_map(|above| &above.joints).map(|joint| (joint, link.start)));
        let given = given.iter().copied().chain(std::iter::repeat(None));
        let values =
            starts.zip(given).map(|((joint, start), value)| value.unwrap_or_else(|| reference(joint, start))).collect();
        let (mut first, mut size) = (vec![], 0);
        for joint in robot.joints() {
            // A planar joint is of a URDF, which has no loops.
            let own = joint.mimic.is_none() && !matches!(joint.motion, Motion::Planar(_));
            first.push(own.then_some(size));
            size += if own { joint.motion.dimension() } else { 0 };
        }
        Self { robot, values, first, size }
    }

    /// The value of a scalar coordinate, the component that moves it, and by how much.
    fn scalar(&self, number: usize, joint: &Joint) -> (f64, Option<usize>, f64) {
        let own = |at: usize| match self.values[at] {
            Coordinate::Number(value) => value,
            _ => 0.0,
        };
        let Some(mimic) = &joint.mimic else { return (own(number), self.first[number], 1.0) };
        let followed = self.robot.joints().position(|other| other.name == mimic.joint);
        followed.map_or((0.0, None, 0.0), |at| {
            (mimic.multiplier * own(at) + mimic.offset, self.first[at], mimic.multiplier)
        })
    }

    /// The frames of the links, and the columns of their Jacobians.
    fn links(&self) -> Vec<(Frame, Vec<Column>)> {
        let mut all: Vec<(Frame, Vec<Column>)> = vec![];
        let mut number = 0;
        for link in &self.robot.links {
            let Some(above) = &link.above else {
                all.push((Frame::IDENTITY, vec![]));
                continue;
            };
            let (mut frame, mut columns) = all[above.parent].clone();
            frame = frame.then(above.place);
            for joint in &above.joints {
                let mut at = frame.then(Frame::at(joint.anchor));
                let own = self.first[number];
                let mut add = |component: Option<usize>, angular: Vector, linear: Vector| {
                    columns.extend(component.map(|component| (component, angular, linear)));
                };
                let turn = |at: Frame, axis: Vector| (axis, cross(at.position, axis));
                match (joint.motion, self.values[number]) {
                    (Motion::Hinge(axis), _) => {
                        let (value, component, scale) = self.scalar(number, joint);
                        let (angular, linear) = turn(at, at.rotation.rotate(times(scale, axis)));
                        add(component, angular, linear);
                        at.rotation = at.rotation.after(Rotation::about(axis, value - joint.reference));
                    }
                    (Motion::Slide(axis), _) => {
                        let (value, component, scale) = self.scalar(number, joint);
                        let way = at.rotation.rotate(axis);
                        add(component, [0.0; 3], times(scale, way));
                        at.position = plus(at.position, times(value - joint.reference, way));
                    }
                    (Motion::Ball, Coordinate::Rotation(rotation)) => {
                        at.rotation = at.rotation.after(rotation);
                        for (k, axis) in at.rotation.axes().into_iter().enumerate() {
                            let (angular, linear) = turn(at, axis);
                            add(own.map(|own| own + k), angular, linear);
                        }
                    }
                    (Motion::Floating, Coordinate::Pose(pose)) => {
                        at = at.then(pose);
                        for (k, axis) in at.rotation.axes().into_iter().enumerate() {
                            let (angular, linear) = turn(at, axis);
                            add(own.map(|own| own + k), angular, linear);
                            add(own.map(|own| own + 3 + k), [0.0; 3], axis);
                        }
                    }
                    _ => {}
                }
                frame = at.then(Frame::at(times(-1.0, joint.anchor)));
                number += 1;
            }
            all.push((frame, columns));
        }
        all
    }

    /// The gaps of all loops and relations, each with its derivatives.
    fn gaps(&self) -> Vec<(f64, Vec<f64>)> {
        let links = self.links();
        let mut rows = vec![];
        for closed in &self.robot.loops {
            let [(first, own), (second, others)] = closed.links.map(|link| &links[link]);
            let mut add = |gap: Vector, rate: &dyn Fn(&Column, f64) -> Vector| {
                let mut new = gap.map(|gap| (gap, vec![0.0; self.size]));
                for (columns, sign) in [(own, 1.0), (others, -1.0)] {
                    for column in columns {
                        let rates = rate(column, sign);
                        new.iter_mut().zip(rates).for_each(|((_, row), rate)| row[column.0] += rate);
                    }
                }
                rows.extend(new);
            };
            match closed.closure {
                Closure::Point(a, b) => {
                    let [a, b] = [first.point(a), second.point(b)];
                    add(plus(a, times(-1.0, b)), &|&(_, angular, linear), sign| {
                        let point = if sign > 0.0 { a } else { b };
                        times(sign, plus(linear, cross(angular, point)))
                    });
                }
                Closure::Pose(between) => {
                    let wanted = first.then(between);
                    let left = wanted.inverse().then(*second);
                    let back = wanted.rotation.inverse();
                    add(times(-1.0, left.rotation.vector()), &|&(_, angular, _), sign| {
                        times(sign, back.rotate(angular))
                    });
                    add(times(-1.0, left.position), &|&(_, angular, linear), sign| {
                        times(sign, back.rotate(plus(linear, cross(angular, second.position))))
                    });
                }
            }
        }
        rows.extend(self.robot.relations.iter().map(|relation| self.relation(relation)));
        rows
    }

    fn relation(&self, relation: &Relation) -> (f64, Vec<f64>) {
        let mut row = vec![0.0; self.size];
        let named = |name: &str| {
            let found = self.robot.joints().enumerate().find(|(_, joint)| joint.name == name);
            found.map_or((0.0, None, 0.0), |(number, joint)| self.scalar(number, joint))
        };
        let (y, component, scale) = named(&relation.joint.0);
        if let Some(component) = component {
            row[component] += scale;
        }
        let Some((name, from)) = &relation.followed else {
            return (y - relation.joint.1 - relation.coefficients.first().unwrap_or(&0.0), row);
        };
        let (x, component, scale) = named(name);
        // Horner's scheme, with the derivative.
        let horner = |(value, slope): (f64, f64), a: &f64| (value * (x - from) + a, slope * (x - from) + value);
        let (value, slope) = relation.coefficients.iter().rev().fold((0.0, 0.0), horner);
        if let Some(component) = component {
            row[component] -= slope * scale;
        }
        (y - relation.joint.1 - value, row)
    }

    /// The same after a step of each joint in its axes.
    fn moved(&self, step: &[f64]) -> Self {
        let three = |at: usize| [step[at], step[at + 1], step[at + 2]];
        let rotated = |rotation: Rotation, by: Vector| rotation.after(Rotation::of_vector(by));
        let values = self.values.iter().zip(&self.first).map(|(value, first)| match (*value, *first) {
            (Coordinate::Number(value), Some(at)) => Coordinate::Number(value + step[at]),
            (Coordinate::Rotation(rotation), Some(at)) => Coordinate::Rotation(rotated(rotation, three(at))),
            (Coordinate::Pose(Frame { rotation, position }), Some(at)) => Coordinate::Pose(Frame {
                rotation: rotated(rotation, three(at)),
                position: plus(position, rotation.rotate(three(at + 3))),
            }),
            (value, None) => value,
        });
        Self { values: values.collect(), first: self.first.clone(), ..*self }
    }
}

/// Solves (A + shift 1) x = b for a symmetric, positive semidefinite A.
fn solved(matrix: &[Vec<f64>], shift: f64, mut b: Vec<f64>) -> Vec<f64> {
    let size = b.len();
    let mut upper: Vec<Vec<f64>> = matrix.to_vec();
    for pivot in 0..size {
        upper[pivot][pivot] += shift;
        let row = upper[pivot].clone();
        for below in (pivot + 1..size).filter(|&below| row[below] != 0.0) {
            let factor = row[below] / row[pivot];
            upper[below][below..].iter_mut().zip(&row[below..]).for_each(|(x, y)| *x -= factor * y);
            b[below] -= factor * b[pivot];
        }
    }
    for row in (0..size).rev() {
        let known: f64 = (row + 1..size).map(|k| upper[row][k] * b[k]).sum();
        b[row] = (b[row] - known) / upper[row][row];
    }
    b
}

/// The configuration close to the given one that closes all loops, and the largest gap that remains.
fn closed(robot: &Robot, given: &[Option<Coordinate>]) -> (Vec<Coordinate>, f64) {
    let mut at = Configuration::new(robot, given);
    let mut rows = at.gaps();
    let square = |rows: &[(f64, Vec<f64>)]| rows.iter().map(|(gap, _)| gap * gap).sum::<f64>();
    let largest = |rows: &[(f64, Vec<f64>)]| rows.iter().fold(0.0_f64, |most, (gap, _)| most.max(gap.abs()));
    let mut damping = 1e-9;
    for _ in 0..ITERATIONS {
        if largest(&rows) <= CLOSED || damping > 1e9 {
            break;
        }
        let (mut normal, mut right) = (vec![vec![0.0; at.size]; at.size], vec![0.0; at.size]);
        for (gap, row) in &rows {
            for (i, &a) in row.iter().enumerate().filter(|(_, a)| **a != 0.0) {
                right[i] -= a * gap;
                normal[i].iter_mut().zip(row).for_each(|(x, b)| *x += a * b);
            }
        }
        let scale = (0..at.size).fold(1e-12_f64, |most, k| most.max(normal[k][k]));
        let next = at.moved(&solved(&normal, damping * scale, right));
        let next_rows = next.gaps();
        if square(&next_rows) < square(&rows) {
            (at, rows, damping) = (next, next_rows, (damping * 0.1).max(1e-13));
        } else {
            damping *= 10.0;
        }
    }
    (at.values, largest(&rows))
}

/// Closes the loops of the reference configuration and of the keyframes.
pub(super) fn assemble(robot: &mut Robot) {
    if robot.loops.is_empty() && robot.relations.is_empty() {
        return;
    }
    let (values, gap) = closed(robot, &[]);
    let keys: Vec<_> = robot.keyframes.iter().map(|key| closed(robot, &key.values)).collect();
    robot.gap = gap;
    robot.joints_mut().zip(values).for_each(|(joint, value)| joint.initial = Some(value));
    for (key, (values, gap)) in robot.keyframes.iter_mut().zip(keys) {
        (key.values, key.gap) = (values.into_iter().map(Some).collect(), gap);
    }
}

#[cfg(test)]
mod tests {
    use super::{Configuration, solved};
    use crate::model::Coordinate;

    #[test]
    fn a_symmetric_system_is_solved() {
        let matrix = [vec![4.0, 2.0, 0.0], vec![2.0, 3.0, 1.0], vec![0.0, 1.0, 2.0]];
        let found = solved(&matrix, 1.0, vec![9.0, 13.0, 11.0]);
        let wanted: Vec<f64> = (0..3)
            .map(|row| (0..3).map(|k| (matrix[row][k] + f64::from(u8::from(row == k))) * found[k]).sum())
            .collect();
        for (a, b) in wanted.iter().zip([9.0, 13.0, 11.0]) {
            assert!((a - b).abs() < 1e-14, "{wanted:?}");
        }
    }

    /// Two legs on sites that do not meet, a weld, a held joint and a polynomial.
    const FILE: &str = "<mujoco><worldbody>
        <body name=\"a\"><joint name=\"a\" axis=\"0 1 0\" ref=\"10\"/><geom size=\"0.1\"/><site name=\"tip\" pos=\"1 0 0.1\"/></body>
        <body name=\"b\" pos=\"1.5 0 0\"><joint name=\"b\" type=\"ball\" pos=\"0 0 0.1\"/><geom size=\"0.1\"/>
          <body name=\"c\" pos=\"0 0.3 0\"><joint name=\"c\" type=\"slide\" axis=\"1 2 0\"/><geom size=\"0.1\"/>
          <site name=\"end\" pos=\"-0.6 0 0\"/></body></body>
        <body name=\"f\" pos=\"0 0 1\" euler=\"0 30 0\"><freejoint name=\"f\"/><geom size=\"0.1\"/></body>
        <body name=\"g\" pos=\"0 1 1\"><joint name=\"g\" type=\"slide\"/><joint name=\"h\"/><geom size=\"0.1\"/></body>
        <body name=\"i\" pos=\"0 1 2\"><joint name=\"i\" type=\"slide\"/><geom size=\"0.1\"/></body></worldbody>
        <equality><connect site1=\"tip\" site2=\"end\"/><weld body1=\"g\" body2=\"f\" relpose=\"0.2 -0.8 0 1 0.1 0 0\"/>
        <joint joint1=\"g\" polycoef=\"0.3\"/><joint joint1=\"h\" joint2=\"i\" polycoef=\"0.1 0.5 -0.7 0.2\"/></equality>
        <keyframe><key name=\"up\" qpos=\"0.3  1 0.1 0.2 0  0.1  0.1 0 1  1 0 0.2 0  0 0.4  0.5\"/></keyframe></mujoco>";

    /// The derivatives of all gaps against central differences; those of a rotation are exact where its gap is closed.
    #[test]
    fn loops_are_closed_with_exact_derivatives() {
        let (robot, _) = crate::read(FILE, std::path::Path::new(""), None, &crate::Options::default()).unwrap();
        assert!(robot.gap <= 1e-12 && robot.keyframes[0].gap <= 1e-12, "{} {}", robot.gap, robot.keyframes[0].gap);
        let key: Vec<_> = robot.keyframes[0].values.clone();
        let at = Configuration::new(&robot, &key);
        let rows = at.gaps();
        assert_eq!((rows.len(), at.size), (3 + 6 + 2, 1 + 3 + 1 + 6 + 2 + 1));
        for component in 0..at.size {
            let moved = |step: f64| {
                let mut steps = vec![0.0; at.size];
                steps[component] = step;
                at.moved(&steps).gaps()
            };
            for ((row, plus), minus) in rows.iter().zip(moved(1e-5)).zip(moved(-1e-5)) {
                let difference = (plus.0 - minus.0) / 2e-5;
                assert!((difference - row.1[component]).abs() < 1e-8, "{difference} {}", row.1[component]);
            }
        }
        // The held joint, and a joint that follows another one by a polynomial.
        let number = |name: &str| {
            let place = robot.joints().position(|joint| joint.name == name).unwrap();
            match at.values[place] {
                Coordinate::Number(value) => value,
                _ => panic!("{name}"),
            }
        };
        let x = number("i");
        assert!((number("g") - 0.3).abs() < 1e-12);
        assert!((number("h") - (0.1 + x * (0.5 + x * (-0.7 + x * 0.2)))).abs() < 1e-12);
        // The step is the shortest one: x = 0.5 moves towards h = 0.4.
        assert!((x - 0.5).abs() < 0.3 && x != 0.5, "{x}");
    }
}
