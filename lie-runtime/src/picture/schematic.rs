//! Schematics of mechanisms: bodies, frames, joints and loads of a configuration, found from the declaration.
//!
//! The wrench of a multiplier on a body is a column of Bᵀ. The point of a joint follows from its wrenches: all forces of its rows act at this
//! point, M = r × F. The loads are the generalised forces of the bodies at rest.

use std::path::{Path, PathBuf};

use nalgebra::{Isometry3, Vector3};

use super::FigureError;
use super::mechanism::{DrawnBody, Wrench, bodies, coordinates, point_of};
use super::save::save_svg;
use crate::group::TangentVector;
use crate::integrator::State;
use crate::simulate::Run;
use crate::system::{Report, Value};

/// A force below this size, relative to the largest one, is round-off.
const ROUND_OFF: f64 = 1e-9;
/// A system that draws its mechanism.
pub trait DrawSchematic: Report<Scalar = f64> {
    /// Returns the schematic of a configuration at t = 0: the bodies with their frames, the joints of the constraints, and the forces at
    /// rest.
    ///
    /// Bodies are the poses of the configuration, and rotations with a point in the same struct. Points of `R3` and `R2` are point masses.
    /// A system in joint coordinates has no bodies: its observables that are points are drawn, and
    /// [`frame`](Schematic::frame) and [`line`](Schematic::line) add more.
    fn schematic(&self, q: &Self::Configuration) -> Schematic;
}

impl<S: Report<Scalar = f64>> DrawSchematic for S {
    fn schematic(&self, q: &S::Configuration) -> Schematic {
        Schematic::of(self, 0.0, q)
    }
}

impl<M: Report<Scalar = f64>> Run<'_, M> {
    /// Returns the schematic of the mechanism at the first state of the run.
    pub fn schematic(&self) -> Schematic {
        self.schematic_of(self.first())
    }

    /// Returns the schematic of the mechanism at a state, for example at `run.at(t)?`.
    pub fn schematic_of(&self, state: &State<M>) -> Schematic {
        Schematic::of(self.system(), state.time, &state.configuration)
    }
}

/// A joint: a constraint with a common point of its forces.
#[derive(Clone, Debug)]
pub(super) struct Joint {
    pub(super) name: String,
    pub(super) point: [f64; 3],
    /// The direction of a hinge.
    pub(super) axis: Option<Vector3<f64>>,
    pub(super) bodies: Vec<usize>,
}

/// A force on a body.
#[derive(Clone, Debug)]
pub(super) struct Load {
    pub(super) label: String,
    pub(super) point: [f64; 3],
    pub(super) force: Vector3<f64>,
}

/// The schematic of a mechanism, to be described and saved.
///
/// ```
/// use lie_runtime::picture::DrawSchematic;
/// use lie_runtime::prelude::*;
///
/// #[mechanical_system]
/// pub mod pendulum {
///     #[configuration]
///     pub struct Pose { pub attitude: SO3, pub position: R3 }
///
///     #[kinetic_energy]
///     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.position.norm_squared() + 0.05 * v.attitude.norm_squared() }
///
///     #[potential]
///     fn weight(q: &Pose) -> f64 { 9.81 * q.position.z }
///
///     #[constraint]
///     fn pivot(q: &Pose) -> Vector3<f64> { q.position + q.attitude * Vector3::new(0.0, 0.0, 1.0) }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let file = std::env::temp_dir().join(format!("schematic-{}.svg", std::process::id()));
/// let system = pendulum::System::new()?;
/// let q = pendulum::Pose { attitude: SO3::identity(), position: Vector3::new(0.0, 0.0, -1.0) };
/// system.schematic(&q).title("Pendulum").save(&file)?;
///
/// let run = Simulation::of(&system).at_rest(q).step(0.01).end_time(1.0).run()?;
/// run.schematic().save(&file)?;
/// run.schematic_of(&run.at(0.5)?).title("Pendulum after 0.5 s").save(&file)?;
/// # std::fs::remove_file(&file)?;
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[must_use = "nothing is drawn before `save`"]
pub struct Schematic {
    pub(super) bodies: Vec<DrawnBody>,
    pub(super) joints: Vec<Joint>,
    pub(super) loads: Vec<Load>,
    pub(super) frames: Vec<(String, Isometry3<f64>)>,
    pub(super) lines: Vec<Vec<[f64; 3]>>,
    pub(super) points: Vec<(String, [f64; 3])>,
    pub(super) title: String,
    pub(super) caption: String,
    pub(super) eye: [f64; 2],
    pub(super) has_loads: bool,
}

impl Schematic {
    /// Returns the schematic of a configuration.
    fn of<S: Report<Scalar = f64>>(system: &S, t: f64, q: &S::Configuration) -> Self {
        let bodies = bodies(system, q);
        let mut schematic = Schematic {
            eye: if !bodies.is_empty() && bodies.iter().all(|body| body.is_planar) {
                [-90.0, 90.0]
            } else {
                [-60.0, 20.0]
            },
            bodies,
            joints: Vec::new(),
            loads: Vec::new(),
            frames: Vec::new(),
            lines: Vec::new(),
            points: Vec::new(),
            title: String::new(),
            caption: String::new(),
            has_loads: true,
        };
        schematic.find_joints(system, t, q);
        schematic.find_loads(system, t, q);
        if schematic.bodies.is_empty() {
            let observables = system.report_observables(t, q, &system.zero_velocity());
            if let Value::Record(entries) = observables {
                let points = entries.iter().filter_map(|(name, value)| Some(((*name).to_owned(), coordinates(value)?)));
                schematic.points.extend(points);
            }
        }
        schematic
    }

    fn find_joints<S: Report<Scalar = f64>>(&mut self, system: &S, t: f64, q: &S::Configuration) {
        let mut jacobian = system.zero_jacobian();
        system.constraint_jacobian(t, q, &mut jacobian);
        for constraint in system.description().constraints.iter() {
            let rows = constraint.rows_of_element.unwrap_or(constraint.rows).max(1);
            let elements = constraint.rows / rows;
            for element in 0..elements {
                let wrenches: Vec<Vec<Wrench>> = (0..rows)
                    .map(|row| {
                        let mut multipliers = system.zero_multipliers();
                        multipliers.set_component(constraint.offset + element * rows + row, 1.0);
                        let mut forces = system.zero_velocity();
                        system.jacobian_transpose_times(&jacobian, &multipliers, &mut forces);
                        self.bodies.iter().map(|body| body.wrench(&|at| forces.component(at))).collect()
                    })
                    .collect();
                let name =
                    if elements > 1 { format!("{}[{element}]", constraint.name) } else { constraint.name.to_owned() };
                self.add_joint(&name, &wrenches);
            }
        }
    }

    /// Adds the joint of rows with these wrenches on all bodies.
    fn add_joint(&mut self, name: &str, rows: &[Vec<Wrench>]) {
        let size = rows.iter().flatten().map(|own| own.force.norm().max(own.moment.norm())).fold(0.0, f64::max);
        let acts =
            |body: usize| rows.iter().any(|row| row[body].force.norm().max(row[body].moment.norm()) > ROUND_OFF * size);
        let bodies: Vec<usize> = (0..self.bodies.len()).filter(|&body| acts(body)).collect();
        let on = |body: usize| -> Vec<Wrench> { rows.iter().map(|row| row[body]).collect() };
        let found = bodies.iter().find_map(|&body| {
            let (point, is_determined) = point_of(&on(body))?;
            is_determined.then_some((body, point))
        });
        if let Some((body, point)) = found {
            let directions: Vec<Vector3<f64>> =
                on(body).iter().filter(|own| own.force.norm() <= ROUND_OFF * size).map(|own| own.moment).collect();
            let axis = match directions[..] {
                [first, second] => first.cross(&second).try_normalize(ROUND_OFF),
                _ => None,
            };
            let point = (self.bodies[body].origin() + point).into();
            self.joints.push(Joint { name: name.to_owned(), point, axis, bodies });
        } else if let [first, second] = bodies[..] {
            // One force between two bodies: a line of its direction.
            if let (Some((from, _)), Some((to, _))) = (point_of(&on(first)), point_of(&on(second))) {
                let ends = [self.bodies[first].origin() + from, self.bodies[second].origin() + to];
                self.lines.push(ends.map(Into::into).to_vec());
            }
        }
    }

    fn find_loads<S: Report<Scalar = f64>>(&mut self, system: &S, t: f64, q: &S::Configuration) {
        let mut forces = system.zero_velocity();
        system.force(t, q, &system.zero_velocity(), &mut forces);
        for body in &self.bodies {
            let wrench = body.wrench(&|at| forces.component(at));
            if !wrench.force.norm().is_normal() {
                continue;
            }
            // A point of the line of action, if there is one: the origin of the frame is not always the centre of mass.
            let point = body.origin() + point_of(&[wrench]).map_or_else(Vector3::zeros, |(point, _)| point);
            let label = format!("{} N", short(wrench.force.norm()));
            self.loads.push(Load { label, point: point.into(), force: wrench.force });
        }
        let largest = self.loads.iter().map(|load| load.force.norm()).fold(0.0, f64::max);
        self.loads.retain(|load| load.force.norm() > ROUND_OFF * largest);
    }

    /// Sets the title.
    pub fn title(mut self, title: &str) -> Self {
        title.clone_into(&mut self.title);
        self
    }

    /// Sets the caption.
    pub fn caption(mut self, caption: &str) -> Self {
        caption.clone_into(&mut self.caption);
        self
    }

    /// Sets the azimuth and the elevation of the viewpoint, in degrees; the default is [−60, 20], and from above for planar systems.
    pub fn camera(mut self, azimuth: f64, elevation: f64) -> Self {
        self.eye = [azimuth, elevation];
        self
    }

    /// Adds a frame with its name, for example a frame of a kinematic tree.
    pub fn frame(mut self, name: &str, pose: Isometry3<f64>) -> Self {
        self.frames.push((name.to_owned(), pose));
        self
    }

    /// Adds a line, for example the links of a system in joint coordinates.
    pub fn line(mut self, points: impl IntoIterator<Item = Vector3<f64>>) -> Self {
        self.lines.push(points.into_iter().map(Into::into).collect());
        self
    }

    /// Adds a point with its name.
    pub fn point(mut self, name: &str, point: Vector3<f64>) -> Self {
        self.points.push((name.to_owned(), point.into()));
        self
    }

    /// Omits the forces.
    pub fn without_loads(mut self) -> Self {
        self.has_loads = false;
        self
    }

    /// Returns the names and the points of the joints.
    pub fn joints(&self) -> impl Iterator<Item = (&str, [f64; 3])> {
        self.joints.iter().map(|joint| (joint.name.as_str(), joint.point))
    }

    /// Returns the points and the vectors of the loads.
    pub fn loads(&self) -> impl Iterator<Item = ([f64; 3], Vector3<f64>)> {
        self.loads.iter().map(|load| (load.point, load.force))
    }

    /// Returns the schematic as SVG.
    ///
    /// # Errors
    /// [`FigureError::Empty`] if there is neither a body nor a point.
    pub fn svg(&self) -> Result<String, FigureError> {
        self.draw()
    }

    /// Writes the schematic as `.svg`, or as `.png` with the feature `png`.
    ///
    /// # Errors
    /// [`FigureError`] if there is nothing to draw, or the file cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<PathBuf, FigureError> {
        save_svg(&self.svg()?, path.as_ref())
    }
}

/// A force with three digits.
fn short(value: f64) -> String {
    #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)] // A few digits.
    let decimals = (2.0 - value.log10().floor()).clamp(0.0, 6.0) as usize;
    format!("{value:.decimals$}")
}
