//! Inverse dynamics as a linear function of parameters, τ = Y θ + τ₀, and the combinations of parameters that motions determine.
//!
//! Source: M. Gautier, W. Khalil, Direct calculation of minimum set of inertial parameters of serial robots, IEEE Transactions on Robotics and
//! Automation 6 (1990) 368-373.

use core::fmt;

use nalgebra::{DMatrix, DVector};

use super::{DynamicsError, StateDynamics};
use crate::analysis::first_order::state_components;
use crate::gradient::Variable;
use crate::group::TangentVector;
use crate::integrator::State;
use crate::scalar::Dual;
use crate::solve::dependent_rows;
use crate::system::{Linearised, MechanicalSystem, MultibodySystem, ParameterSet};

/// The largest relative change of a column that is round-off when all parameters change.
const ROUND_OFF: f64 = 1e-9;
/// The largest entry that is round-off, relative to the largest entry of all columns.
const NEGLIGIBLE: f64 = 1e-13;
/// A column depends on others if the square of its part orthogonal to their span is below this value, for columns of length one.
const DEPENDENT: f64 = 1e-12;

/// The regressor of a system: its inverse dynamics as a linear function τ = Y(t, q, v, v') θ + τ₀ of parameters.
///
/// Masses, first moments (mass times centre of mass), moments of inertia, stiffness and damping usually enter linearly. The matrix Y is exact:
/// its columns are derivatives by dual numbers. The regressor compares them with the derivatives for other values of the parameters.
/// A parameter that enters nonlinearly causes [`DynamicsError::NonlinearParameters`].
///
/// For example, a pendulum with an unknown moment of inertia J about its hinge, first moment h and damping d:
///
/// ```
/// use lie_runtime::analysis::Regressor;
/// use lie_runtime::prelude::*;
///
/// #[mechanical_system]
/// mod pendulum {
///     #[configuration]
///     pub struct Swing { pub angle: f64 }
///     #[parameters]
///     pub struct Body { pub inertia: f64, pub first_moment: f64, pub damping: f64 }
///     #[kinetic_energy]
///     fn kinetic(body: &Body, v: &Velocity) -> f64 { 0.5 * body.inertia * v.angle * v.angle }
///     #[potential]
///     fn weight(body: &Body, q: &Swing) -> f64 { -9.81 * body.first_moment * q.angle.cos() }
///     #[dissipation]
///     fn friction(body: &Body, v: &Velocity) -> f64 { 0.5 * body.damping * v.angle * v.angle }
///     #[force]
///     fn motor(t: f64) -> f64 { (3.0 * t).sin() }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let system = pendulum::System::new(pendulum::Body { inertia: 0.5, first_moment: 0.7, damping: 0.1 })?;
/// let mut regressor = Regressor::of(&system, ["inertia", "first_moment", "damping"])?;
/// let (q, v, a) = (pendulum::Swing { angle: 0.3 }, Vector1::new(2.0), Vector1::new(-1.0));
/// let linear = regressor.at(0.0, &q, &v, &a)?;
/// // The torque J a + 9.81 h sin(angle) + d v.
/// assert!((&linear.matrix - nalgebra::dmatrix![-1.0, 9.81 * 0.3_f64.sin(), 2.0]).amax() < 1e-14);
///
/// // The parameters that a motion determines.
/// let run = Simulation::of(&system).at_rest(q).step(0.01).end_time(1.0).run()?;
/// let base = regressor.base_parameters(&run.states)?;
/// assert_eq!(base.to_string(), "1 inertia\n1 first_moment\n1 damping\n");
/// # Ok(())
/// # }
/// ```
#[doc(alias("regressor", "linear in the parameters", "system identification", "inertial parameters"))]
pub struct Regressor<'s, M: MultibodySystem> {
    names: Vec<String>,
    parameters: DVector<f64>,
    dynamics: StateDynamics<'s, M>,
    /// The system on dual numbers for each parameter.
    lifted: Vec<M::Lifted>,
    /// The same with other values of the parameters.
    changed: Vec<M::Lifted>,
}

/// Generalised forces as a linear function τ = Y θ + τ₀ of parameters, at one state or at several states.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct LinearForces {
    /// Y: one row for each component of the forces, state by state, and one column for each parameter.
    pub matrix: DMatrix<f64>,
    /// τ₀, the forces for θ = 0.
    pub offset: DVector<f64>,
}

/// The combinations of parameters that the forces of some motions determine.
///
/// [`Display`](fmt::Display) prints one combination a line.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
#[doc(alias("identifiability", "minimal parameters"))]
pub struct BaseParameters {
    /// The names of all parameters.
    pub names: Vec<String>,
    /// The matrix that maps all parameters to the base parameters β. A row contains the factor 1 of its first parameter, and the factors of
    /// the parameters whose effect is not distinguishable from it.
    pub matrix: DMatrix<f64>,
    /// The index of the first parameter of each combination.
    pub columns: Vec<usize>,
}

impl fmt::Display for BaseParameters {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (row, &first) in self.matrix.row_iter().zip(&self.columns) {
            write!(f, "1 {}", self.names[first])?;
            for (at, name) in self.names.iter().enumerate().filter(|&(at, _)| at != first && row[at] != 0.0) {
                write!(f, " {} {:.6} {name}", if row[at] < 0.0 { '-' } else { '+' }, row[at].abs())?;
            }
            writeln!(f)?;
        }
        Ok(())
    }
}

impl BaseParameters {
    /// Returns the base parameters with the least squares of the errors Y θ + τ₀ − τ, for the forces τ of the states of `linear`.
    ///
    /// # Errors
    /// [`DynamicsError::ForceCount`] for forces or parameters of another number, and [`DynamicsError::NotDetermined`] if the states do not
    /// determine the base parameters.
    #[doc(alias("least squares", "identification"))]
    pub fn estimate(&self, linear: &LinearForces, forces: &DVector<f64>) -> Result<DVector<f64>, DynamicsError> {
        let (expected, given) = (linear.matrix.shape(), (forces.len(), self.names.len()));
        if given != expected {
            return Err(DynamicsError::ForceCount { given, expected });
        }
        let found = least_squares(&linear.matrix.select_columns(&self.columns), &(forces - &linear.offset));
        let found = found.filter(|values| values.iter().copied().all(f64::is_finite));
        found.ok_or(DynamicsError::NotDetermined { rows: expected.0, parameters: self.columns.len() })
    }
}

/// Returns the solution of W x = b with the least error, if it is unique. The columns are scaled to length one.
fn least_squares(matrix: &DMatrix<f64>, right: &DVector<f64>) -> Option<DVector<f64>> {
    if matrix.nrows() < matrix.ncols() {
        return None;
    }
    let (scaled, lengths) = scaled(matrix);
    let decomposed = scaled.qr();
    let solution = decomposed.r().solve_upper_triangular(&(decomposed.q().transpose() * right))?;
    Some(solution.component_div(&lengths))
}

/// Returns a matrix with columns of length one, and the lengths. Columns of zeros remain.
fn scaled(matrix: &DMatrix<f64>) -> (DMatrix<f64>, DVector<f64>) {
    let largest = matrix.amax();
    let length = |norm: f64| if norm > NEGLIGIBLE * largest { norm } else { f64::INFINITY };
    let lengths = DVector::from_iterator(matrix.ncols(), matrix.column_iter().map(|column| length(column.norm())));
    let scaled =
        DMatrix::from_fn(matrix.nrows(), matrix.ncols(), |row, column| matrix[(row, column)] / lengths[column]);
    (scaled, lengths)
}

impl<M: MultibodySystem> fmt::Debug for Regressor<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("Regressor").field("names", &self.names).finish_non_exhaustive()
    }
}

impl<'s, M: MultibodySystem> Regressor<'s, M> {
    /// Creates the regressor of a system for these parameters: names of parameters or of their components, such as `inertia[0][1]`.
    ///
    /// # Errors
    /// [`DynamicsError`] without names, for unknown names and names that are not parameters, and for inputs that are functions of the state.
    pub fn of<N: AsRef<str>>(system: &'s M, names: impl IntoIterator<Item = N>) -> Result<Self, DynamicsError> {
        system.ensure_inputs_over_time().map_err(DynamicsError::Inputs)?;
        let names: Vec<N> = names.into_iter().collect();
        let (names, variables): (Vec<String>, Vec<Variable>) =
            Variable::named(system, &names).map_err(DynamicsError::Parameters)?.into_iter().unzip();
        let (mut parameters, mut values) = (system.parameters().clone(), Vec::new());
        for (at, (name, variable)) in names.iter().zip(&variables).enumerate() {
            let Variable::Parameter { name: whole, component } = variable else {
                return Err(DynamicsError::NotAParameter { name: name.clone(), known: system.parameters().names() });
            };
            let mut numbers = parameters.get(whole).map(|value| value.numbers()).unwrap_or_default();
            let value = numbers[*component];
            values.push(value);
            // A different factor for each parameter.
            let change = 1.5 + 0.3 * (at as f64 * 0.618_034).fract();
            numbers[*component] = if value == 0.0 { 0.1 * change } else { value * change };
            parameters.set(whole, &numbers).map_err(DynamicsError::ForeignState)?;
        }
        let other = system.with_parameters(parameters).map_err(DynamicsError::ForeignState)?;
        let lifted = |system: &M| {
            let one = |variable: &Variable| {
                system.varied(&Variable::of_parameters(&[(variable.clone(), 1.0)], system.parameters()))
            };
            variables.iter().map(one).collect::<Result<Vec<_>, _>>().map_err(DynamicsError::ForeignState)
        };
        let (lifted, changed) = (lifted(system)?, lifted(&other)?);
        let (dynamics, parameters) = (StateDynamics::of(system), DVector::from_vec(values));
        Ok(Regressor { names, parameters, dynamics, lifted, changed })
    }

    /// Returns the names of the parameters: the columns of Y.
    pub fn names(&self) -> &[String] {
        &self.names
    }

    /// Returns the current values θ of the parameters.
    pub fn parameters(&self) -> &DVector<f64> {
        &self.parameters
    }

    /// Returns Y and τ₀ at a state with the accelerations `a`. The forces Y θ + τ₀ are the forces of [`StateDynamics::inverse`].
    ///
    /// The cost is two evaluations of inverse dynamics for each parameter.
    ///
    /// # Errors
    /// The errors of [`StateDynamics::inverse`], and [`DynamicsError::NonlinearParameters`] with the names of the parameters.
    pub fn at(
        &mut self,
        t: f64,
        q: &M::Configuration,
        v: &M::Velocity,
        a: &M::Velocity,
    ) -> Result<LinearForces, DynamicsError> {
        let system = self.dynamics.system;
        let rows = state_components(system).start;
        let forces = self.dynamics.inverse(t, q, v, a)?;
        let forces = DVector::from_fn(rows, |row, _| forces.component(row));
        let point = (Dual { re: t, eps: 0.0 }, system.lift_configuration(q));
        let [velocity, acceleration] = [v, a].map(|vector| {
            let mut lifted = self.lifted[0].zero_velocity();
            (0..system.dof()).for_each(|at| lifted.set_component(at, Dual { re: vector.component(at), eps: 0.0 }));
            lifted
        });
        let columns = |systems: &[M::Lifted]| {
            let mut matrix = DMatrix::zeros(rows, systems.len());
            for (column, lifted) in systems.iter().enumerate() {
                let (mut forces, multipliers) = (lifted.zero_velocity(), lifted.zero_multipliers());
                lifted.residual(point.0, &point.1, &velocity, &acceleration, &multipliers, &mut forces);
                (0..rows).for_each(|row| matrix[(row, column)] = forces.component(row).eps);
            }
            matrix
        };
        let (matrix, other) = (columns(&self.lifted), columns(&self.changed));
        let floor = NEGLIGIBLE * matrix.amax();
        let is_constant = |column: usize| {
            let (here, there) = (matrix.column(column), other.column(column));
            (here - there).amax() <= ROUND_OFF * (here.amax() + there.amax()) + floor
        };
        let nonlinear: Vec<String> =
            (0..self.names.len()).filter(|&at| !is_constant(at)).map(|at| self.names[at].clone()).collect();
        if !nonlinear.is_empty() {
            return Err(DynamicsError::NonlinearParameters { names: nonlinear });
        }
        let offset = forces - &matrix * &self.parameters;
        Ok(LinearForces { matrix, offset })
    }

    /// Returns Y and τ₀ of several states with their accelerations, for example of the states of a run. The rows of the states follow each
    /// other.
    ///
    /// # Errors
    /// The errors of [`at`](Self::at).
    pub fn stacked<'a>(
        &mut self,
        states: impl IntoIterator<Item = &'a State<M>>,
    ) -> Result<LinearForces, DynamicsError> {
        let mut parts = Vec::new();
        for State { time, configuration, velocity, acceleration, .. } in states {
            parts.push(self.at(*time, configuration, velocity, acceleration)?);
        }
        let size = state_components(self.dynamics.system).start;
        let (mut matrix, mut offset) =
            (DMatrix::zeros(size * parts.len(), self.names.len()), DVector::zeros(size * parts.len()));
        for (state, part) in parts.into_iter().enumerate() {
            matrix.rows_mut(size * state, size).copy_from(&part.matrix);
            offset.rows_mut(size * state, size).copy_from(&part.offset);
        }
        Ok(LinearForces { matrix, offset })
    }

    /// Returns the combinations of the parameters that the forces of these states determine.
    ///
    /// A combination is not determined if its effect is smaller than 1e-6 of the effect of its parameters. Pass many states of a motion that
    /// excites all degrees of freedom; otherwise the result is a property of the motion and not of the system. For example, a motion without
    /// known forces determines ratios of the parameters only.
    ///
    /// # Errors
    /// The errors of [`at`](Self::at).
    pub fn base_parameters<'a>(
        &mut self,
        states: impl IntoIterator<Item = &'a State<M>>,
    ) -> Result<BaseParameters, DynamicsError> {
        let linear = self.stacked(states)?;
        // The triangular factor has the same column relations.
        let is_tall = linear.matrix.nrows() > linear.matrix.ncols();
        let (triangle, lengths) = scaled(&if is_tall { linear.matrix.qr().r() } else { linear.matrix });
        let dependent = dependent_rows(&(triangle.transpose() * &triangle), DEPENDENT);
        let is_dependent = |column: &usize| dependent.iter().any(|other| other.row == *column);
        let columns: Vec<usize> = (0..self.names.len()).filter(|column| !is_dependent(column)).collect();
        let mut matrix = DMatrix::zeros(columns.len(), self.names.len());
        for (row, &column) in columns.iter().enumerate() {
            matrix[(row, column)] = 1.0;
        }
        let independent = triangle.select_columns(&columns);
        for other in dependent.into_iter().filter(|other| !other.combination.is_empty()) {
            let target = triangle.column(other.row).into_owned();
            let Some(factors) = least_squares(&independent, &target) else { continue };
            for (row, &column) in columns.iter().enumerate() {
                if other.combination.iter().any(|&(known, _)| known == column) {
                    matrix[(row, other.row)] = factors[row] * lengths[other.row] / lengths[column];
                }
            }
        }
        Ok(BaseParameters { names: self.names.clone(), matrix, columns })
    }
}
