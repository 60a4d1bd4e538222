//! Animations of a run; their data are identified by declared names or computed by functions of the states.

use std::borrow::Cow;
use std::path::{Path, PathBuf};

use nalgebra::{Isometry3, Matrix3, Quaternion, Rotation3, Translation3, UnitQuaternion, Vector3};

use super::plot::finite;
use super::{Animation, Arrow, FigureError, MovingLine, Shape, Solid};
use crate::integrator::{Problem, Solution};
use crate::simulate::{ColumnError, Columns, Run, Sampled, Simulated, Trajectory};

/// The largest number of frames, which limits the size of the file.
const FRAMES: usize = 600;

/// An animation of a run, to be described and saved, with z upwards. The formats are `.html` for browsers, `.svg` for README files and
/// books, and glTF 2.0 (`.glb`, `.gltf`).
///
/// ```
/// use lie_runtime::picture::Shape;
/// use lie_runtime::prelude::*;
///
/// #[mechanical_system]
/// pub mod pendulum {
///     #[configuration]
///     pub struct Pose { pub attitude: SO3 }
///
///     #[kinetic_energy]
///     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.attitude.norm_squared() }
///
///     #[observable]
///     fn bob(q: &Pose) -> Vector3<f64> { q.attitude * Vector3::new(0.0, 0.0, -1.0) }
///
///     #[potential]
///     fn weight(q: &Pose) -> f64 { 9.81 * bob(q).z }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// # let folder = std::env::temp_dir().join(format!("film-{}", std::process::id()));
/// let system = pendulum::System::new()?;
/// let start = pendulum::Pose { attitude: SO3::exp(&Vector3::new(1.0, 0.0, 0.0)) };
/// let run = Simulation::of(&system).initial(start, Vector3::new(0.0, 1.0, 3.0)).step(0.01).end_time(2.0).run()?;
/// let film = run.animate()
///     .line("rod", |state| vec![Vector3::zeros(), state.configuration.attitude * Vector3::new(0.0, 0.0, -1.0)])
///     .solid_at("bob", Shape::Cylinder { radius: 0.2, length: 0.1 }, "attitude", "bob")
///     .arrow_of("weight", |state| {
///         (state.configuration.attitude * Vector3::new(0.0, 0.0, -1.0), Vector3::new(0.0, 0.0, -0.5))
///     })
///     .frame("body", 0.4, "attitude", "bob");
/// film.save(folder.join("pendulum.html"))?;
/// film.save(folder.join("pendulum.svg"))?;
/// film.save(folder.join("pendulum.glb"))?;
/// # std::fs::remove_dir_all(&folder)?;
/// # Ok(())
/// # }
/// ```
#[must_use = "nothing is drawn before `save`"]
#[doc(alias = "video")]
#[doc(alias = "animation")]
pub struct Film<'a, P: Problem> {
    states: Vec<Cow<'a, P::State>>,
    /// The columns of the run, and the indices of the states that are frames.
    columns: Result<Columns, FigureError>,
    chosen: Vec<usize>,
    animation: Animation,
    /// The first error of the description.
    error: Option<FigureError>,
}

impl<P: Simulated + Problem<System: Sampled<P>>> Trajectory<P> {
    /// Starts the description of an animation of the run. It shows all states, or some hundreds of them if there are more. Between states
    /// that are far apart, it shows interpolated states.
    pub(crate) fn animate(&self, system: &P::System) -> Film<'_, P> {
        let shown = self.shown(system);
        let columns = shown.as_ref().map_err(|error| ColumnError::ForeignState(error.clone()));
        let columns = columns.and_then(|shown| Columns::of_samples(self.samples_at(system, shown)));
        let states = shown.unwrap_or_default();
        // The state after an event replaces the state before it.
        let time = |at: usize| states.get(at).map(|(_, state)| state.time());
        let all: Vec<usize> =
            (0..states.len()).filter(|&at| time(at + 1).is_none_or(|next| Some(next) > time(at))).collect();
        let every = all.len().div_ceil(FRAMES).max(1);
        let mut chosen: Vec<usize> = all.iter().copied().step_by(every).collect();
        // The last state is always shown.
        if chosen.last() != all.last() {
            chosen.extend(all.last());
        }
        let times = chosen.iter().filter_map(|&at| time(at)).collect();
        let states = chosen.iter().map(|&at| states[at].1.clone()).collect();
        let animation = Animation { eye: [-60.0, 20.0], times, ..Animation::default() };
        Film { states, columns: columns.map_err(FigureError::from), chosen, animation, error: None }
    }
}

impl<P: Simulated + Problem<System: Sampled<P>>> Run<'_, P> {
    /// Starts the description of an animation of the run. It shows all states, or some hundreds of them if there are more. Between states
    /// that are far apart, it shows the interpolated states of [`at`](Run::at).
    pub fn animate(&self) -> Film<'_, P> {
        Trajectory::animate(self, self.system())
    }
}

impl<P: Problem> Film<'_, P> {
    /// Sets the title.
    pub fn title(mut self, title: &str) -> Self {
        title.clone_into(&mut self.animation.title);
        self
    }

    /// Sets the initial azimuth and elevation of the viewpoint, in degrees.
    pub fn camera(mut self, azimuth: f64, elevation: f64) -> Self {
        self.animation.eye = [azimuth, elevation];
        self
    }

    /// Sets the speed relative to the real time, for example 0.1 for slow motion.
    pub fn speed(mut self, speed: f64) -> Self {
        self.animation.speed = Some(speed);
        self
    }

    /// Adds a line through points of a state, whose number must be constant; the last point leaves a trail.
    pub fn line(mut self, label: &str, points: impl Fn(&P::State) -> Vec<Vector3<f64>>) -> Self {
        let points = self.states.iter().map(|state| points(state).into_iter().map(Into::into).collect()).collect();
        self.add_line(label, points);
        self
    }

    /// Adds a line through the points with these names: members or observables that are points in space or in a plane, or lists of them.
    pub fn line_through<N: AsRef<str>>(mut self, label: &str, names: impl IntoIterator<Item = N>) -> Self {
        let points = self.points(names);
        if let Some(points) = self.take(points) {
            self.add_line(label, points);
        }
        self
    }

    /// Adds a solid whose pose is a function of the state.
    pub fn solid(mut self, label: &str, shape: Shape, pose: impl Fn(&P::State) -> Isometry3<f64>) -> Self {
        let poses = self.states.iter().map(|state| pose(state)).collect();
        self.add_solid(label, shape, poses);
        self
    }

    /// Adds a solid with the named attitude and position. The attitude is a rotation, or an angle about z. The position is a point in
    /// space or in a plane.
    pub fn solid_at(mut self, label: &str, shape: Shape, attitude: &str, position: &str) -> Self {
        let poses = self.poses(attitude, position);
        if let Some(poses) = self.take(poses) {
            self.add_solid(label, shape, poses);
        }
        self
    }

    /// Adds the axes of a frame with this length; the name is written at the origin. The attitude and the position are identified as for
    /// [`solid_at`](Self::solid_at).
    pub fn frame(self, name: &str, length: f64, attitude: &str, position: &str) -> Self {
        self.solid_at(name, Shape::Frame(length), attitude, position)
    }

    /// Adds an arrow from the named point with the named vector, multiplied by `scale`: the length of an arrow for a force of 1 N.
    pub fn arrow(mut self, label: &str, point: &str, vector: &str, scale: f64) -> Self {
        let ends = self.points([point]).and_then(|tails| Ok((tails, self.points([vector])?)));
        if let Some((tails, vectors)) = self.take(ends) {
            let ends = only(point, tails).and_then(|tails| Ok((tails, only(vector, vectors)?)));
            if let Some((tails, vectors)) = self.take(ends) {
                let vectors = vectors.into_iter().map(|own| own.map(|x| scale * x)).collect();
                self.add_arrow(label, tails, vectors);
            }
        }
        self
    }

    /// Adds an arrow whose start and whose vector, as a length, are functions of the state.
    pub fn arrow_of(mut self, label: &str, ends: impl Fn(&P::State) -> (Vector3<f64>, Vector3<f64>)) -> Self {
        let ends = self
            .states
            .iter()
            .map(|state| ends(state))
            .map(|(tail, vector)| -> ([f64; 3], [f64; 3]) { (tail.into(), vector.into()) });
        let (tails, vectors) = ends.unzip();
        self.add_arrow(label, tails, vectors);
        self
    }

    /// Returns the animation.
    ///
    /// # Errors
    /// [`FigureError`] for unknown names, for names that are not points or attitudes, for values that are not finite, and if there is
    /// nothing to show.
    pub fn animation(&self) -> Result<&Animation, FigureError> {
        match &self.error {
            Some(error) => Err(error.clone()),
            None => self.animation.check().map(|()| &self.animation),
        }
    }

    /// Writes a page for browsers, `.html`, an animated picture without a script, `.svg`, or glTF 2.0: `.glb`, or `.gltf` with a separate
    /// file `.bin`. The SVG is smaller than 480 kB unless 12 frames are larger.
    ///
    /// # Errors
    /// [`FigureError`], as for [`animation`](Self::animation), or if the file cannot be written.
    pub fn save(&self, path: impl AsRef<Path>) -> Result<PathBuf, FigureError> {
        self.animation()?.save_as(path)
    }

    fn style(&self) -> usize {
        self.animation.lines.len() + self.animation.solids.len() + self.animation.arrows.len()
    }

    fn add_line(&mut self, label: &str, points: Vec<Vec<[f64; 3]>>) {
        let trail = points.first().and_then(|points| points.len().checked_sub(1));
        let line = MovingLine { label: label.to_owned(), style: self.style(), trail, points };
        self.animation.lines.push(line);
    }

    fn add_solid(&mut self, label: &str, shape: Shape, poses: Vec<Isometry3<f64>>) {
        let solid = Solid { label: label.to_owned(), style: self.style(), shape, poses };
        self.animation.solids.push(solid);
    }

    fn add_arrow(&mut self, label: &str, tails: Vec<[f64; 3]>, vectors: Vec<[f64; 3]>) {
        let arrow = Arrow { label: label.to_owned(), style: self.style(), tails, vectors };
        self.animation.arrows.push(arrow);
    }

    fn take<T>(&mut self, result: Result<T, FigureError>) -> Option<T> {
        result.map_err(|error| self.error.get_or_insert(error)).ok()
    }

    /// The values of these columns at the frames.
    fn at_frames(&self, columns: &Columns, numbers: &[usize]) -> Result<Vec<Vec<f64>>, FigureError> {
        let all: Vec<Vec<f64>> = numbers.iter().map(|&column| finite(columns, column)).collect::<Result<_, _>>()?;
        Ok(self.chosen.iter().map(|&frame| all.iter().map(|numbers| numbers[frame]).collect()).collect())
    }

    fn points<N: AsRef<str>>(&self, names: impl IntoIterator<Item = N>) -> Result<Vec<Vec<[f64; 3]>>, FigureError> {
        let columns = self.columns.as_ref().map_err(Clone::clone)?;
        let mut frames = vec![Vec::new(); self.chosen.len()];
        for name in names {
            let name = name.as_ref();
            let found = columns.names.find(name)?;
            // A point is a group of values whose names differ only in the last index.
            let stem = |column: &usize| columns.names.name(*column).rsplit_once('[').map(|(stem, _)| stem.to_owned());
            let groups: Vec<&[usize]> = found.chunk_by(|a, b| stem(a).is_some() && stem(a) == stem(b)).collect();
            if !groups.iter().all(|group| (2..=3).contains(&group.len())) {
                let wanted = "a point of two or three coordinates, or a list of points";
                return Err(FigureError::Kind { name: name.to_owned(), numbers: found.len(), wanted });
            }
            for group in groups {
                for (frame, numbers) in frames.iter_mut().zip(self.at_frames(columns, group)?) {
                    frame.push([numbers[0], numbers[1], numbers.get(2).copied().unwrap_or(0.0)]);
                }
            }
        }
        Ok(frames)
    }

    fn poses(&self, attitude: &str, position: &str) -> Result<Vec<Isometry3<f64>>, FigureError> {
        let columns = self.columns.as_ref().map_err(Clone::clone)?;
        let turns = self.at_frames(columns, &columns.names.find(attitude)?)?;
        let places = self.points([position])?;
        let wrong = |name: &str, numbers, wanted| FigureError::Kind { name: name.to_owned(), numbers, wanted };
        let pose = |(turn, place): (&Vec<f64>, &Vec<[f64; 3]>)| {
            let turn = match *turn.as_slice() {
                [angle] => UnitQuaternion::from_axis_angle(&Vector3::z_axis(), angle),
                [w, x, y, z] => UnitQuaternion::from_quaternion(Quaternion::new(w, x, y, z)),
                ref rows if rows.len() == 9 => attitude_of(&Matrix3::from_row_slice(rows)),
                ref other => return Err(wrong(attitude, other.len(), "a rotation, a unit quaternion or an angle")),
            };
            match *place.as_slice() {
                [place] => Ok(Isometry3::from_parts(Translation3::from(place), turn)),
                ref other => Err(wrong(position, 3 * other.len(), "one point")),
            }
        };
        turns.iter().zip(&places).map(pose).collect()
    }
}

/// The only point of each frame.
fn only(name: &str, frames: Vec<Vec<[f64; 3]>>) -> Result<Vec<[f64; 3]>, FigureError> {
    let point = |points: Vec<[f64; 3]>| match points[..] {
        [point] => Ok(point),
        _ => Err(FigureError::Kind { name: name.to_owned(), numbers: 3 * points.len(), wanted: "one vector" }),
    };
    frames.into_iter().map(point).collect()
}

/// Returns the pose of a body with this attitude and position, for [`Film::solid`].
pub fn pose(attitude: Matrix3<f64>, position: Vector3<f64>) -> Isometry3<f64> {
    Isometry3::from_parts(Translation3::from(position), attitude_of(&attitude))
}

fn attitude_of(matrix: &Matrix3<f64>) -> UnitQuaternion<f64> {
    UnitQuaternion::from_rotation_matrix(&Rotation3::from_matrix_unchecked(*matrix))
}
