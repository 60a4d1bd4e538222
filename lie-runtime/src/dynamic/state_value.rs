//! Values of a state by name, on any scalars, for objectives of gradients.

use core::ops::Range;

use nalgebra::DVector;

use super::configuration::ScalarLocation;
use super::model::Atom;
use super::report::of_element;
use super::{DynamicConfiguration, DynamicError, DynamicSystem};
use crate::scalar::Scalar;
use crate::system::{MechanicalSystem, Value};

/// A member of the configuration or of the velocity, or the multipliers of a constraint, see [`DynamicSystem::state_value`].
#[derive(Clone, Debug)]
pub struct StateValue(StateScalars);

#[derive(Clone, Debug)]
enum StateScalars {
    Configuration(Vec<ScalarLocation>),
    /// Cosine and sine.
    Angle([ScalarLocation; 2]),
    Velocity(Range<usize>),
    Multipliers(Range<usize>),
}

impl StateValue {
    /// Returns the number of scalars.
    pub fn size(&self) -> usize {
        match &self.0 {
            StateScalars::Configuration(scalars) => scalars.len(),
            StateScalars::Angle(_) => 1,
            StateScalars::Velocity(range) | StateScalars::Multipliers(range) => range.len(),
        }
    }

    /// Returns the scalars in a state (q, v, λ), matrices by rows.
    pub fn of<S: Scalar>(&self, q: &DynamicConfiguration<S>, v: &DVector<S>, multipliers: &DVector<S>) -> Vec<S> {
        match &self.0 {
            StateScalars::Configuration(scalars) => scalars.iter().map(|&at| q.scalar(at)).collect(),
            StateScalars::Angle([cosine, sine]) => vec![q.scalar(*sine).atan2(q.scalar(*cosine))],
            StateScalars::Velocity(range) => v.as_slice()[range.clone()].to_vec(),
            StateScalars::Multipliers(range) => multipliers.as_slice()[range.clone()].to_vec(),
        }
    }
}

impl<S: Scalar> DynamicSystem<S> {
    /// Finds a value of states by its name in tables: a member, `velocity.member`, or `multipliers.constraint`.
    ///
    /// It is evaluated on any scalars, so that an [`Objective`](crate::gradient::Objective) can use it.
    ///
    /// ```
    /// use lie_runtime::dynamic::{DynamicModel, DynamicSystem};
    /// use lie_runtime::gradient::Objective;
    /// use lie_runtime::prelude::*;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let model = DynamicModel::from_text("
    ///     #[mechanical_system]
    ///     mod oscillator {
    ///         #[configuration] pub struct Position { pub x: f64 }
    ///         #[parameters] pub struct Spring { pub stiffness: f64 }
    ///         #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
    ///         #[potential] fn spring(p: &Spring, q: &Position) -> f64 { 0.5 * p.stiffness * q.x * q.x }
    ///     }")?;
    /// let system = model.system([("stiffness", &[4.0][..])])?;
    /// let start = system.configuration([("x", &[1.0][..])])?;
    /// let x = system.state_value("x")?;
    /// let end = Objective::<DynamicSystem>::new()
    ///     .at_end(|state| x.of(&state.configuration, &state.velocity, &state.multipliers)[0]);
    /// // x(1) = cos √k: ∂x/∂k = −sin √k / 2√k.
    /// let gradient = Simulation::of(&system).at_rest(start).step(0.01).end_time(1.0).gradient_of(&end)?;
    /// assert!((gradient.by("stiffness")? + 2.0_f64.sin() / 4.0).abs() < 1e-9);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// [`DynamicError::UnknownName`] for other names, and for poses.
    pub fn state_value(&self, name: &str) -> Result<StateValue, DynamicError> {
        let reported = |atom: &Atom| of_element(atom.group, &vec![1.0; atom.entries * atom.kind.scalars()]);
        let is_pose = |atom: &Atom| matches!(reported(atom), Value::Record(_));
        let (atoms, constraints) = (&self.data().atoms, &self.description().constraints);
        let member = name.strip_prefix("configuration.").unwrap_or(name);
        if let Some(atom) = atoms.iter().find(|atom| atom.name == member && !is_pose(atom)) {
            let scalars = (atom.index..atom.index + atom.entries).flat_map(|index| {
                (0..atom.kind.scalars()).map(move |component| ScalarLocation { kind: atom.kind, index, component })
            });
            let scalars: Vec<ScalarLocation> = scalars.collect();
            return Ok(StateValue(match (reported(atom), &scalars[..]) {
                (Value::Scalar(_), &[cosine, sine]) => StateScalars::Angle([cosine, sine]),
                _ => StateScalars::Configuration(scalars),
            }));
        }
        let of_velocity = |member| atoms.iter().find(|atom| atom.name == member);
        if let Some(atom) = name.strip_prefix("velocity.").and_then(of_velocity) {
            return Ok(StateValue(StateScalars::Velocity(atom.component..atom.component + atom.dof())));
        }
        let of_constraint = |name| constraints.iter().find(|constraint| constraint.name == name);
        if let Some(constraint) = name.strip_prefix("multipliers.").and_then(of_constraint) {
            return Ok(StateValue(StateScalars::Multipliers(constraint.offset..constraint.offset + constraint.rows)));
        }
        let members = atoms.iter().filter(|atom| !is_pose(atom)).map(|atom| atom.name.to_owned());
        let velocities = atoms.iter().map(|atom| format!("velocity.{}", atom.name));
        let multipliers = constraints.iter().map(|constraint| format!("multipliers.{}", constraint.name));
        let known = members.chain(velocities).chain(multipliers).collect();
        Err(DynamicError::UnknownName { what: "value", name: name.to_owned(), known })
    }
}
