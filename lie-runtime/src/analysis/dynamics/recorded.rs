//! Inverse dynamics of a recorded motion.
//!
//! Velocities and accelerations are derivatives of local polynomials: around each sample q_k, a polynomial y(t) in the coordinates
//! y = log(q_k⁻¹ q) is fitted to the samples of a window. At y = 0, v = y' and v' = y''. The result does not depend on a choice of coordinates,
//! so that rotations need no angles.
//!
//! Source: A. Savitzky, M. J. E. Golay, Smoothing and differentiation of data by simplified least squares procedures, Analytical Chemistry 36
//! (1964) 1627-1639.

use core::fmt;
use std::io::Write;

use nalgebra::DMatrix;

use super::{DynamicsError, StateDynamics};
use crate::group::TangentVector;
use crate::inputs::{TableError, read_csv};
use crate::integrator::State;
use crate::simulate::{ColumnError, ColumnNames, ExportError, write_csv};
use crate::space::ConfigurationSpace;
use crate::system::{MultibodySystem, Value, scalar_coordinates};

/// The default number of samples in a window.
const WINDOW: usize = 7;
/// The default degree of the polynomials.
const DEGREE: usize = 4;

/// A recorded motion of a system: configurations at increasing times.
///
/// Velocities and accelerations are derivatives of local polynomials of a [degree](Self::degree), which are fitted to a
/// [window](Self::window) of samples with least squares. The fit smooths noise: a polynomial of degree 3 in a window of w samples at the
/// distance h has accelerations with the standard deviation √720 σ / (h² w^{5/2}) for noise with the standard deviation σ.
///
/// ```
/// use lie_runtime::analysis::RecordedMotion;
/// use lie_runtime::prelude::*;
///
/// #[mechanical_system]
/// mod pendulum {
///     #[configuration]
///     pub struct Swing { pub angle: f64 }
///     #[kinetic_energy]
///     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.angle * v.angle }
///     #[potential]
///     fn weight(q: &Swing) -> f64 { -9.81 * q.angle.cos() }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let system = pendulum::System::new()?;
/// let times: Vec<f64> = (0..=100).map(|k| 0.01 * f64::from(k)).collect();
/// let motion = times.iter().map(|t| pendulum::Swing { angle: (2.0 * t).sin() }).collect();
/// let record = RecordedMotion::new(&system, times.clone(), motion)?.inverse_dynamics()?;
/// for (t, torque) in times.iter().zip(record.column("angle")?) {
///     let angle = (2.0 * t).sin();
///     assert!((torque - (9.81 * angle.sin() - 4.0 * angle)).abs() < 1e-4);
/// }
/// record.write_csv(Vec::new())?; // The columns `t` and `angle`.
/// # Ok(())
/// # }
/// ```
#[derive(Clone)]
#[doc(alias("motion capture", "numerical differentiation", "Savitzky-Golay"))]
pub struct RecordedMotion<'s, M: MultibodySystem> {
    system: &'s M,
    times: Vec<f64>,
    configurations: Vec<M::Configuration>,
    window: usize,
    degree: usize,
}

impl<M: MultibodySystem> fmt::Debug for RecordedMotion<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordedMotion").field("samples", &self.times.len()).finish_non_exhaustive()
    }
}

impl<'s, M: MultibodySystem> RecordedMotion<'s, M> {
    /// Creates the motion from its configurations. The distances of the times may vary.
    ///
    /// # Errors
    /// [`DynamicsError`] for lists of different lengths, times that do not increase, values that are not finite, and configurations of
    /// another system. [`DynamicsError::StatesNotRecorded`] for a system with auxiliary states.
    pub fn new(system: &'s M, times: Vec<f64>, configurations: Vec<M::Configuration>) -> Result<Self, DynamicsError> {
        if system.description().states > 0 {
            return Err(DynamicsError::StatesNotRecorded);
        }
        if times.len() != configurations.len() {
            let lengths = TableError::Lengths { times: times.len(), rows: configurations.len() };
            return Err(DynamicsError::Record(lengths));
        }
        for (row, (&time, q)) in times.iter().zip(&configurations).enumerate() {
            State::at_rest(system, time, q.clone()).check(system).map_err(DynamicsError::ForeignState)?;
            let column = if time.is_finite() { "q" } else { "t" };
            if !(time.is_finite() && system.space().is_finite(q)) {
                return Err(DynamicsError::Record(TableError::NotFinite { row, column: column.to_owned() }));
            }
            if row > 0 && time <= times[row - 1] {
                return Err(DynamicsError::Record(TableError::NotSorted { row, time }));
            }
        }
        Ok(RecordedMotion { system, times, configurations, window: WINDOW, degree: DEGREE })
    }

    /// Reads the motion from CSV text: a header with `t` and the names of the coordinates, such as `shoulder` or `angles[0]`, and one line for
    /// each time. The order of the columns is arbitrary.
    ///
    /// All members of the configuration must be scalars or vectors. `any` is any configuration of the system. Use [`new`](Self::new) for
    /// rotations, poses and directions.
    ///
    /// # Errors
    /// [`DynamicsError`] with the column or the line, and for members that are not scalars or vectors.
    pub fn from_csv(system: &'s M, any: &M::Configuration, text: &str) -> Result<Self, DynamicsError> {
        system.space().check(any).map_err(|error| DynamicsError::ForeignState(error.into()))?;
        let members = &system.description().members;
        let start = scalar_coordinates(system, any);
        let shapes: Vec<Vec<usize>> =
            members.iter().map(|member| if member.dof == 1 { Vec::new() } else { vec![member.dof] }).collect();
        let fields: Vec<(&str, &[usize])> =
            members.iter().zip(&shapes).map(|(member, shape)| (member.name, &**shape)).collect();
        if let Some(member) = members.iter().find(|member| start[member.offset..][..member.dof].contains(&None)) {
            return Err(DynamicsError::NotACoordinate { member: member.name });
        }
        let (times, rows) = read_csv(text, &fields).map_err(DynamicsError::Record)?;
        let mut displacement = system.zero_velocity();
        let mut configurations = Vec::with_capacity(rows.len());
        for row in rows {
            let components = members.iter().flat_map(|member| member.offset..member.offset + member.dof);
            for (at, value) in components.zip(row) {
                displacement.set_component(at, value - start[at].unwrap_or(f64::NAN));
            }
            let mut q = any.clone();
            system.space().compose_exp(any, &displacement, &mut q);
            configurations.push(q);
        }
        RecordedMotion::new(system, times, configurations)
    }

    /// Sets the number of samples for each polynomial. Default: 7. More samples smooth more noise.
    #[must_use]
    pub fn window(mut self, samples: usize) -> Self {
        self.window = samples;
        self
    }

    /// Sets the degree of the polynomials. Default: 4. It must be at least 2 and smaller than the window.
    #[must_use]
    pub fn degree(mut self, degree: usize) -> Self {
        self.degree = degree;
        self
    }

    /// Returns the smoothed states with their accelerations. The multipliers are zero.
    ///
    /// The error of the accelerations is larger in the first and the last half window, where the polynomials are not centred.
    ///
    /// # Errors
    /// [`DynamicsError::Window`] if the window does not determine the polynomials.
    pub fn states(&self) -> Result<Vec<State<M>>, DynamicsError> {
        let RecordedMotion { system, times, configurations, window, degree } = self;
        let (window, degree, samples) = (*window, *degree, times.len());
        if degree < 2 || window <= degree || samples < window {
            return Err(DynamicsError::Window { window, degree, samples });
        }
        let space = system.space();
        let (mut difference, mut shift) = (system.zero_velocity(), system.zero_velocity());
        let state = |at: usize| {
            let first = at.saturating_sub(window / 2).min(samples - window);
            let range = first..first + window;
            // Times relative to the sample, at most 1.
            let unit = (times[first + window - 1] - times[at]).max(times[at] - times[first]);
            let powers = DMatrix::from_fn(window, degree + 1, |row, power| {
                (0..power).map(|_| (times[first + row] - times[at]) / unit).product()
            });
            // The rows of the pseudo-inverse: the coefficients of the polynomial.
            let decomposed = powers.qr();
            let inverse = decomposed.r().solve_upper_triangular(&decomposed.q().transpose());
            let weights = inverse.unwrap_or_else(|| DMatrix::from_element(degree + 1, window, f64::NAN));
            let mut state = State::at_rest(*system, times[at], configurations[at].clone());
            // The first pass moves the origin of the coordinates to the smoothed configuration.
            for pass in 0..2 {
                let origin = state.configuration.clone();
                shift.fill(0.0);
                state.velocity.fill(0.0);
                state.acceleration.fill(0.0);
                for (column, q) in configurations[range.clone()].iter().enumerate() {
                    space.log_difference(&origin, q, &mut difference);
                    shift.axpy(weights[(0, column)], &difference);
                    state.velocity.axpy(weights[(1, column)] / unit, &difference);
                    state.acceleration.axpy(2.0 * weights[(2, column)] / (unit * unit), &difference);
                }
                if pass == 0 {
                    space.compose_exp(&origin, &shift, &mut state.configuration);
                }
            }
            state
        };
        Ok((0..samples).map(state).collect())
    }

    /// Returns the generalised forces of [`StateDynamics::inverse`] at all times.
    ///
    /// # Errors
    /// The errors of [`states`](Self::states) and of [`StateDynamics::inverse`].
    pub fn inverse_dynamics(&self) -> Result<RecordedForces<'s, M>, DynamicsError> {
        let (states, mut dynamics) = (self.states()?, StateDynamics::of(self.system));
        let forces = |state: &State<M>| {
            dynamics.inverse(state.time, &state.configuration, &state.velocity, &state.acceleration).cloned()
        };
        let forces = states.iter().map(forces).collect::<Result<_, _>>()?;
        Ok(RecordedForces { system: self.system, states, forces })
    }
}

/// The generalised forces of a recorded motion.
#[non_exhaustive]
pub struct RecordedForces<'s, M: MultibodySystem> {
    system: &'s M,
    /// The smoothed states.
    pub states: Vec<State<M>>,
    /// The generalised forces of each state.
    pub forces: Vec<M::Velocity>,
}

impl<M: MultibodySystem> fmt::Debug for RecordedForces<'_, M> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct("RecordedForces").field("forces", &self.forces).finish_non_exhaustive()
    }
}

impl<M: MultibodySystem> RecordedForces<'_, M> {
    /// Returns the times and the forces by name, one record for each state.
    fn records(&self) -> impl Iterator<Item = Value> + '_ {
        self.states.iter().zip(&self.forces).map(|(state, forces)| {
            let mut entries = vec![("t", Value::Scalar(state.time))];
            if let Value::Record(forces) = self.system.report_velocity(forces) {
                entries.extend(forces);
            }
            Value::Record(entries)
        })
    }

    /// Returns the component of the forces with this name at all times: the name of a component of the velocity, such as `shoulder` or
    /// `trunk[2]`, or `t` for the times.
    ///
    /// # Errors
    /// [`ColumnError`] for an unknown name, and for a name with several values.
    pub fn column(&self, name: &str) -> Result<Vec<f64>, ColumnError> {
        let Some(first) = self.records().next() else { return Ok(Vec::new()) };
        let column = ColumnNames::of(&first).find_one(name)?;
        Ok(self.records().map(|record| record.numbers()[column]).collect())
    }

    /// Writes the times and the forces as CSV with a header.
    ///
    /// # Errors
    /// [`ExportError`] if the writer fails.
    pub fn write_csv(&self, writer: impl Write) -> Result<(), ExportError> {
        write_csv(self.records(), writer)
    }
}
