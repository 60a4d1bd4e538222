//! Jacobians: derivatives of several objectives of one run.

use core::ops::ControlFlow;

use nalgebra::DMatrix;

use super::super::error::{Attempted, GradientError};
use super::super::{Objective, Variable};
use super::derivatives::{Back, Derivatives, ObjectiveDerivatives};
use super::methods::Adjoint;
use crate::integrator::State;
use crate::simulate::{Simulation, Trajectory};
use crate::system::{MechanicalSystem, Reverse, TangentSystem};

/// The Jacobian of several objectives of one run, for example of residuals in the Gauss-Newton or Levenberg-Marquardt method.
pub struct Jacobian<M: MechanicalSystem> {
    /// The names of the variables, by components: the columns.
    pub names: Vec<String>,
    /// The values of the objectives, in order.
    pub values: Vec<f64>,
    /// The derivatives: a row for each objective, a column for each of the names.
    pub matrix: DMatrix<f64>,
    /// The derivatives of each objective with respect to all variables, inputs included.
    pub rows: Vec<Derivatives<M>>,
    /// The trajectory.
    pub trajectory: Trajectory<M>,
}

impl<M: Reverse<Scalar = f64> + TangentSystem> Jacobian<M> {
    /// The results for each objective.
    pub(super) fn of(
        system: &M,
        directions: Vec<(String, Variable)>,
        (found, trajectory): (Vec<ObjectiveDerivatives<M>>, Trajectory<M>),
    ) -> Self {
        let (values, rows): (Vec<f64>, Vec<Derivatives<M>>) = found.into_iter().unzip();
        let mut matrix = DMatrix::zeros(rows.len(), directions.len());
        for (mut column, (_, direction)) in matrix.column_iter_mut().zip(&directions) {
            let place = direction.place(system);
            column.iter_mut().zip(&rows).for_each(|(slope, row)| *slope = row.along(direction, place));
        }
        let names = directions.into_iter().map(|(name, _)| name).collect();
        Jacobian { names, values, matrix, rows, trajectory }
    }
}

/// The variables of the names.
pub(super) fn named<M: Reverse + TangentSystem, N: AsRef<str>>(
    system: &M,
    names: impl IntoIterator<Item = N>,
) -> Attempted<M, Vec<(String, Variable)>> {
    let names: Vec<N> = names.into_iter().collect();
    Variable::named(system, &names).map_err(|error| Box::new(GradientError::Direction(error)))
}

/// Runs one reverse pass for each objective.
pub(super) fn each<M: Reverse + TangentSystem>(
    objectives: &[Objective<'_, M>],
    back: &mut Back<'_, M>,
) -> Attempted<M, Vec<ObjectiveDerivatives<M>>> {
    let told = |number, error| Box::new(GradientError::Among { number, error });
    let numbered = objectives.iter().enumerate();
    numbered.map(|(number, objective)| back(objective).map_err(|error| told(number, error))).collect()
}

impl<M: TangentSystem, I, O> Simulation<'_, M, I, O> {
    /// Runs the simulation once, with one reverse pass for each of several objectives. It computes their derivatives with respect to the
    /// named variables, as in [`with_sensitivities`](Simulation::with_sensitivities), and to all others.
    ///
    /// A reverse pass starts at the last time of its objective: it covers half of the steps on average if the times are spread over the
    /// run. This method is faster than [sensitivities](Simulation::with_sensitivities) if there are fewer objectives than variables. The
    /// conditions of [`gradient_of`](Simulation::gradient_of) apply.
    ///
    /// ```
    /// use lie_runtime::gradient::Objective;
    /// use lie_runtime::prelude::*;
    /// # #[mechanical_system(gradients)]
    /// # pub mod oscillator {
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
    /// [`GradientError`]; [`Among`](GradientError::Among) with the index of the objective that has no gradient.
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
