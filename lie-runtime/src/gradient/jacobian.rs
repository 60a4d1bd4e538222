//! Several objectives of one run.

use core::ops::ControlFlow;

use nalgebra::DMatrix;

use super::adjoint::{Adjoint, Back, Found, Slopes};
use super::error::{Attempted, GradientError};
use super::{Direction, Objective};
use crate::integrator::State;
use crate::simulate::{Simulation, Trajectory};
use crate::system::{MechanicalSystem, Reverse, TangentSystem};

/// The derivatives of several numbers of one run, as the methods of Gauss and Newton or Levenberg and Marquardt take those of what a fit leaves.
pub struct Jacobian<M: MechanicalSystem> {
    /// By what derivatives were asked for, component by component: the columns.
    pub names: Vec<String>,
    /// The numbers, in the order of the objectives.
    pub values: Vec<f64>,
    /// Their derivatives: a row for each objective, a column for each of the names.
    pub matrix: DMatrix<f64>,
    /// The derivatives of each by everything that the run starts from, inputs included.
    pub rows: Vec<Slopes<M>>,
    /// The run.
    pub trajectory: Trajectory<M>,
}

impl<M: Reverse<Scalar = f64> + TangentSystem> Jacobian<M> {
    /// What has been found of each objective.
    pub(super) fn of(
        system: &M,
        directions: Vec<(String, Direction)>,
        (found, trajectory): (Vec<Found<M>>, Trajectory<M>),
    ) -> Self {
        let (values, rows): (Vec<f64>, Vec<Slopes<M>>) = found.into_iter().unzip();
        let mut matrix = DMatrix::zeros(rows.len(), directions.len());
        for (mut column, (_, direction)) in matrix.column_iter_mut().zip(&directions) {
            let place = direction.place(system);
            column.iter_mut().zip(&rows).for_each(|(slope, row)| *slope = row.along(direction, place));
        }
        let names = directions.into_iter().map(|(name, _)| name).collect();
        Jacobian { names, values, matrix, rows, trajectory }
    }
}

/// What names mean.
pub(super) fn named<M: Reverse + TangentSystem, N: AsRef<str>>(
    system: &M,
    names: impl IntoIterator<Item = N>,
) -> Attempted<M, Vec<(String, Direction)>> {
    let names: Vec<N> = names.into_iter().collect();
    Direction::named(system, &names).map_err(|error| Box::new(GradientError::Direction(error)))
}

/// A way back for each of the objectives.
pub(super) fn each<M: Reverse + TangentSystem>(
    objectives: &[Objective<'_, M>],
    back: &mut Back<'_, M>,
) -> Attempted<M, Vec<Found<M>>> {
    let told = |number, error| Box::new(GradientError::Among { number, error });
    let numbered = objectives.iter().enumerate();
    numbered.map(|(number, objective)| back(objective).map_err(|error| told(number, error))).collect()
}

impl<M: TangentSystem, I, O> Simulation<'_, M, I, O> {
    /// Runs the simulation once, and goes back through it for each of several objectives: their derivatives by what is
    /// named, as [`with_sensitivities`](Simulation::with_sensitivities) names it, and by everything else.
    ///
    /// A way back begins where its objective is met last: of objectives at times spread over the run half of the steps are gone back
    /// through. It is the way where there are fewer objectives than numbers to differentiate by; where there are more,
    /// [sensitivities](Simulation::with_sensitivities) go forwards. What is said of
    /// [`gradient_of`](Simulation::gradient_of) holds here.
    ///
    /// ```
    /// use lie_runtime::gradient::Objective;
    /// use lie_runtime::prelude::*;
    /// # #[mechanical_system(gradients)]
    /// # pub mod oscillator {
    /// #     use lie_runtime::prelude::*;
    /// #     #[configuration]
    /// #     pub struct Position { pub x: f64 }
    /// #     #[parameters]
    /// #     pub struct Spring { pub stiffness: f64 }
    /// #     #[kinetic_energy]
    /// #     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
    /// #     #[potential]
    /// #     fn elastic(spring: &Spring, q: &Position) -> f64 { 0.5 * spring.stiffness * q.x * q.x }
    /// # }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// // x(t) = cos ω t, ω² = k: ∂x/∂k = −t sin(ω t) / 2ω, ∂x/∂v₀ = sin(ω t) / ω.
    /// let system = oscillator::System::new(oscillator::Spring { stiffness: 4.0 })?;
    /// let times = [0.5, 1.0];
    /// let places = times.map(|t| Objective::<oscillator::System>::new().at_times([t], |_, state| state.configuration.x));
    /// let found = Simulation::of(&system)
    ///     .initial(oscillator::Position { x: 1.0 }, Vector1::new(0.0))
    ///     .step(0.01)
    ///     .end_time(1.0)
    ///     .jacobian_of(&places, ["stiffness", "v.x"])?;
    /// for (row, t) in times.into_iter().enumerate() {
    ///     assert!((found.values[row] - (2.0 * t).cos()).abs() < 1e-9);
    ///     assert!((found.matrix[(row, 0)] + 0.25 * t * (2.0 * t).sin()).abs() < 1e-9);
    ///     assert!((found.matrix[(row, 1)] - 0.5 * (2.0 * t).sin()).abs() < 1e-9);
    /// }
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`GradientError`]; [`Among`](GradientError::Among) with the number of the objective that has no gradient.
    pub fn jacobian_of<N: AsRef<str>>(
        self,
        objectives: &[Objective<'_, M>],
        names: impl IntoIterator<Item = N>,
    ) -> Result<Jacobian<M>, Box<GradientError<M>>>
    where
        M: Reverse<Scalar = f64> + 'static,
        I: Adjoint<M>,
        O: FnMut(&State<M>) -> ControlFlow<()>,
    {
        let (system, directions) = (self.system, named(self.system, names)?);
        Ok(Jacobian::of(system, directions, self.gone_back_by(|back| each(objectives, back))?))
    }
}

impl<M: MechanicalSystem> core::fmt::Debug for Jacobian<M> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Jacobian")
            .field("names", &self.names)
            .field("values", &self.values)
            .field("matrix", &self.matrix)
            .finish_non_exhaustive()
    }
}
