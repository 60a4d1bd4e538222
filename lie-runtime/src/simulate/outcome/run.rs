//! The result of a simulation: the trajectory together with its system.

use core::fmt;
use core::ops::Deref;

use super::columns::{ColumnError, Columns, ResultTable};
use super::sample::{Sample, Sampled};
use super::trajectory::Trajectory;
use crate::integrator::Problem;
use crate::simulate::motion::{Motion, Simulated};

/// The result of a simulation: the trajectory and the system whose motion it is.
///
/// The fields and methods of [`Trajectory`] are available as well: `run.states`, `run.events`, `run.statistics`, ... The methods below select
/// values by the names of the declaration: `position[2]` for a component of a member, `load` for an observable, `velocity.position`,
/// `multipliers.rod`, `energy.kinetic`. Plots, ensembles and files use the same names. `.x`, `.y` and `.z` select the components of vectors with
/// up to three components. If an observable has the name of a member, its name is `observables.load`.
///
/// ```
/// use lie_runtime::prelude::*;
///
/// #[mechanical_system]
/// pub mod pendulum {
///     #[configuration]
///     pub struct Pose { pub position: R2 }
///     #[kinetic_energy]
///     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.position.norm_squared() }
///     #[potential]
///     fn weight(q: &Pose) -> f64 { 9.81 * q.position.y }
///     #[constraint]
///     fn rod(q: &Pose) -> f64 { q.position.norm() - 1.0 }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let system = pendulum::System::new()?;
/// let q0 = pendulum::Pose { position: Vector2::new(1.0, 0.0) };
/// let run = Simulation::of(&system).at_rest(q0).end_time(1.0).output_times(&[0.0, 0.5, 1.0]).run()?;
///
/// let height: Vec<f64> = run.column("position.y")?;
/// assert_eq!((height.len(), height[0]), (3, 0.0));
/// assert!(run.energy().iter().all(|energy| energy.abs() < 1e-5));
/// assert!((run.at(0.5)?.configuration.position.y - height[1]).abs() < 1e-12);
///
/// // The rod pulls with m (g cos α + v²/l) = 3 m g cos α, along the decreasing length.
/// let pull = run.reaction("rod")?;
/// assert!((pull[1][0] - 3.0 * 9.81 * height[1]).abs() < 1e-4);
///
/// println!("{run}"); // The method, the number of steps and the warnings.
/// println!("{}", run.table(["t", "position", "energy"])?);
/// assert!(run.column("positoin.y").unwrap_err().to_string().contains("did you mean `position`?"));
/// # Ok(())
/// # }
/// ```
pub struct Run<'s, P: Problem> {
    system: &'s P::System,
    trajectory: Trajectory<P>,
}

impl<'s, P: Problem> Run<'s, P> {
    /// Creates a finished run. Every finished run has recorded at least one state.
    pub(in crate::simulate) fn new(system: &'s P::System, trajectory: Trajectory<P>) -> Self {
        debug_assert!(!trajectory.states.is_empty());
        Run { system, trajectory }
    }

    /// Returns the system of the simulation.
    pub fn system(&self) -> &'s P::System {
        self.system
    }

    /// Returns the trajectory, which does not borrow the system.
    pub fn into_trajectory(self) -> Trajectory<P> {
        self.trajectory
    }

    /// Returns the first recorded state.
    pub fn first(&self) -> &P::State {
        &self.trajectory.states[0]
    }

    /// Returns the last recorded state.
    pub fn last(&self) -> &P::State {
        &self.trajectory.states[self.trajectory.states.len() - 1]
    }
}

impl<P: Simulated<System: Sampled<P>>> Run<'_, P> {
    /// Returns the recorded states as samples, with all values under their declared names.
    pub fn samples(&self) -> impl Iterator<Item = Sample> + '_ {
        self.trajectory.samples_of(self.system)
    }

    /// Returns the values with this name at the recorded states.
    ///
    /// # Errors
    /// [`ColumnError::Unknown`] with the most similar name, or [`ColumnError::Several`] if the name has several values.
    #[doc(alias("signal", "series", "output"))]
    pub fn column(&self, name: &str) -> Result<Vec<f64>, ColumnError> {
        let columns = Columns::of(&self.trajectory, self.system)?;
        Ok(columns.values(columns.names.find_one(name)?).collect())
    }

    /// Returns the values with these names, with one row for each recorded state. The table can be printed.
    ///
    /// # Errors
    /// [`ColumnError::Unknown`] with the most similar name.
    pub fn table<N: AsRef<str>>(&self, names: impl IntoIterator<Item = N>) -> Result<ResultTable, ColumnError> {
        Columns::of(&self.trajectory, self.system)?.table(names)
    }

    /// Returns the total energy, kinetic plus potential, at the recorded states.
    pub fn energy(&self) -> Vec<f64> {
        self.trajectory.with_systems(self.system, |system, state| {
            let mut total = 0.0;
            // The last entry is the total energy.
            system.visit_part(state, "energy", &mut |energy| total = energy);
            total
        })
    }

    /// Returns the reaction of a constraint at the recorded states, with one value for each component of the constraint function.
    ///
    /// The reaction is −λ, the generalised force of the constraint Φ on the system. It is positive in the direction in which Φ increases, and
    /// its components refer to the frame in which the constraint function is written. A constraint in metres gives newtons, a constraint in
    /// radians gives newton metres. The virtual power of the reaction is −λ · Φ'.
    ///
    /// # Errors
    /// [`ColumnError::Unknown`] if there is no constraint with this name.
    #[doc(alias("reaction force", "constraint force", "Lagrange multiplier", "contact force"))]
    pub fn reaction(&self, constraint: &str) -> Result<Vec<Vec<f64>>, ColumnError> {
        let columns = Columns::of(&self.trajectory, self.system)?;
        let rows = columns.names.find_in("multipliers", constraint)?;
        Ok(columns.rows(&rows).map(|row| row.into_iter().map(|multiplier| -multiplier).collect()).collect())
    }
}

impl<P: Simulated> Trajectory<P> {
    /// Returns the run of this trajectory with its system. A [`Run`] has values by name, dense output, figures and files.
    ///
    /// For example, `error.trajectory.with_system(&system)?.save_csv("failed.csv")?` writes the states of a run that failed.
    ///
    /// # Errors
    /// [`ColumnError::Empty`] without a recorded state, [`ColumnError::ForeignState`] if the states belong to another system.
    pub fn with_system(self, system: &P::System) -> Result<Run<'_, P>, ColumnError> {
        if self.states.is_empty() {
            return Err(ColumnError::Empty);
        }
        self.states.iter().try_for_each(|state| state.belongs_to(system)).map_err(ColumnError::ForeignState)?;
        Ok(Run::new(system, self))
    }
}

impl<P: Problem> Deref for Run<'_, P> {
    type Target = Trajectory<P>;

    fn deref(&self) -> &Trajectory<P> {
        &self.trajectory
    }
}

impl<P: Problem> From<Run<'_, P>> for Trajectory<P> {
    fn from(run: Run<'_, P>) -> Self {
        run.trajectory
    }
}

impl<P: Problem> Clone for Run<'_, P> {
    fn clone(&self) -> Self {
        Run { system: self.system, trajectory: self.trajectory.clone() }
    }
}

impl<P: Problem> fmt::Debug for Run<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.trajectory.fmt(f)
    }
}

/// The [summary](Trajectory::summary): the method, the number of steps and the warnings.
impl<P: Problem> fmt::Display for Run<'_, P> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.trajectory.summary())
    }
}
