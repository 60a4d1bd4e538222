//! The mass matrix of a robot at one configuration, and the first joint whose acceleration it does not determine.

use std::collections::BTreeMap;

use super::closure::{Columns, placed};
use super::frame::{Frame, cross, dot, plus, rotated, symmetric};
use super::model::{Joint, Robot};

/// The reason why the mass matrix is singular.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Singular {
    /// No link that the joint moves has a mass or a moment of inertia.
    NoMass,
    /// The moved masses lie on the axis and have no moment about it.
    OnAxis,
    /// Another joint moves the same inertia in the same direction.
    Dependent,
}

/// A mass matrix; rows and columns belong to coordinates.
struct MassMatrix<'r> {
    coordinates: Vec<(&'r str, usize)>,
    entries: Vec<Vec<f64>>,
    /// The rounding errors of the diagonal entries; zero if nothing contributes to an entry.
    rounding: Vec<f64>,
}

/// The reference configuration, and a configuration that has no special symmetry.
const REFERENCE: u64 = 0;
const SAMPLE: u64 = 1;

/// Rounding errors: squares of velocities that cancel, and sums of moments that cancel.
const SQUARE: f64 = 1e-20;
const SUM: f64 = 1e-14;

/// Kinetic energy is one half of the sum of m |c'|² + ω · J ω over all links and of the armatures.
fn mass_matrix(robot: &Robot, sample: u64) -> MassMatrix<'_> {
    let coordinates: BTreeMap<(&str, usize), usize> =
        coordinates(robot).into_iter().enumerate().map(|(at, coordinate)| (coordinate, at)).collect();
    let size = coordinates.len();
    let (mut entries, mut rounding) = (vec![vec![0.0; size]; size], vec![0.0; size]);
    // The frames and twists of parents are used again by their children.
    let mut all: Vec<(Frame, Columns)> = Vec::with_capacity(robot.links.len());
    for link in &robot.links {
        let (frame, columns) = match &link.above {
            None => (Frame::IDENTITY, Columns::new()),
            Some(above) => placed(&all[above.parent], link, above, sample),
        };
        if let Some(body) = &link.inertial {
            let center = frame.point(body.center);
            let moments = symmetric(rotated(body.moments, frame.rotation));
            let trace: f64 = (0..3).map(|k| moments[k][k].abs()).sum();
            let motions: Vec<_> = columns
                .iter()
                .filter_map(|(coordinate, &[a, b, c, d, e, f])| {
                    let (angular, linear) = ([a, b, c], [d, e, f]);
                    let velocity = plus(linear, cross(angular, center));
                    let size = dot(linear, linear) + dot(angular, angular) * dot(center, center);
                    let at = *coordinates.get(coordinate)?;
                    rounding[at] += SQUARE * body.mass * size + SUM * trace * dot(angular, angular);
                    Some((at, velocity, angular, moments.map(|row| dot(row, angular))))
                })
                .collect();
            for (row, velocity, angular, _) in &motions {
                for (column, other, _, momentum) in &motions {
                    entries[*row][*column] += body.mass * dot(*velocity, *other) + dot(*angular, *momentum);
                }
            }
        }
        all.push((frame, columns));
    }
    for joint in robot.joints().filter(|joint| joint.armature > 0.0) {
        let (name, scale) = followed(joint);
        for (_, &at) in coordinates.range((name, 0)..=(name, usize::MAX)) {
            entries[at][at] += scale * scale * joint.armature;
            rounding[at] += SQUARE * scale * scale * joint.armature;
        }
    }
    let mut names = vec![("", 0); size];
    for (coordinate, at) in coordinates {
        names[at] = coordinate;
    }
    MassMatrix { coordinates: names, entries, rounding }
}

/// The joint whose coordinate moves this one, and how fast.
fn followed(joint: &Joint) -> (&str, f64) {
    joint.mimic.as_ref().map_or((&joint.name, 1.0), |mimic| (&mimic.joint, mimic.multiplier))
}

/// The coordinates, in the order of the joints.
fn coordinates(robot: &Robot) -> Vec<(&str, usize)> {
    let own = robot.joints().filter(|joint| joint.mimic.is_none());
    own.flat_map(|joint| (0..joint.motion.dimension()).map(|component| (joint.name.as_str(), component))).collect()
}

/// The joint with the first vanishing pivot of a Cholesky factorisation that begins at the tips.
pub(super) fn singular_joint(robot: &Robot) -> Option<(&str, Singular)> {
    // Differences of entries.
    const PIVOT: f64 = 1e-12;
    let MassMatrix { coordinates, mut entries, rounding } = mass_matrix(robot, SAMPLE);
    for at in (0..coordinates.len()).rev() {
        let name = coordinates[at].0;
        if rounding[at] == 0.0 {
            return Some((name, Singular::NoMass));
        }
    }
    for at in (0..coordinates.len()).rev() {
        if entries[at][at] <= rounding[at] {
            return Some((coordinates[at].0, Singular::OnAxis));
        }
    }
    let diagonal: Vec<f64> = (0..coordinates.len()).map(|at| entries[at][at]).collect();
    for at in (0..coordinates.len()).rev() {
        let pivot = entries[at][at];
        if pivot <= PIVOT * diagonal[at] {
            return Some((coordinates[at].0, Singular::Dependent));
        }
        let column = entries[at].clone();
        for row in (0..at).filter(|&row| column[row] != 0.0) {
            let factor = column[row] / pivot;
            entries[row][..at].iter_mut().zip(&column).for_each(|(x, y)| *x -= factor * y);
        }
    }
    None
}

/// The factor of M = Uᵀ U at the reference configuration.
struct Factor<'r> {
    coordinates: Vec<(&'r str, usize)>,
    upper: Vec<Vec<f64>>,
}

impl<'r> Factor<'r> {
    fn of(robot: &'r Robot) -> Self {
        let MassMatrix { coordinates, entries, .. } = mass_matrix(robot, REFERENCE);
        let (size, mut upper) = (coordinates.len(), entries);
        for pivot in 0..size {
            let root = upper[pivot][pivot].sqrt();
            upper[pivot][pivot..].iter_mut().for_each(|x| *x /= root);
            let row = upper[pivot].clone();
            for below in pivot + 1..size {
                upper[below][below..].iter_mut().zip(&row[below..]).for_each(|(x, y)| *x -= row[below] * y);
            }
        }
        Self { coordinates, upper }
    }

    /// J M⁻¹ Jᵀ = |U⁻ᵀ Jᵀ|² of a row J.
    fn inverse(&self, mut column: Vec<f64>) -> f64 {
        for row in 0..column.len() {
            column[row] /= self.upper[row][row];
            for below in row + 1..column.len() {
                column[below] -= self.upper[row][below] * column[row];
            }
        }
        column.iter().map(|x| x * x).sum()
    }
}

/// The inverse of the diagonal of M⁻¹ at the reference configuration, by the joint: the inertia that a single force would meet. Joints with
/// several coordinates have one entry for each.
pub(super) fn effective_inertias(robot: &Robot) -> Vec<(&str, f64)> {
    let factor = Factor::of(robot);
    let unit = |at: usize| (0..factor.coordinates.len()).map(|k| f64::from(u8::from(k == at))).collect();
    let names = factor.coordinates.iter().enumerate();
    names.map(|(at, (name, _))| (*name, 1.0 / factor.inverse(unit(at)))).collect()
}

/// The inertia (J M⁻¹ Jᵀ)⁻¹ at the reference configuration that a force on scalar coordinates with the factors `arms` would meet.
pub(super) fn effective_inertia(robot: &Robot, arms: &[(String, f64)]) -> f64 {
    let factor = Factor::of(robot);
    let arm = |joint: &str| arms.iter().filter(|(name, _)| name == joint).map(|(_, arm)| arm).sum();
    1.0 / factor.inverse(factor.coordinates.iter().map(|(joint, _)| arm(joint)).collect())
}
