//! Gradients: the value of an objective and its derivatives.

use core::ops::Deref;
use std::sync::Arc;

use super::super::components::part;
use super::super::error::Attempted;
use super::super::{DirectionError, Objective, Variable};
use super::adjoint_step::SAME_TIME;
use super::times::Times;
use crate::gradient::adjoint_state::AdjointState;
use crate::group::TangentVector;
use crate::simulate::Trajectory;
use crate::system::parameter_lists::name_among_items;
use crate::system::value::is_within;
use crate::system::{MechanicalSystem, ParameterSet, Reverse, TangentSystem};

/// The value of an objective with its gradient; it dereferences to its derivatives, for example `gradient.by("mass")`.
pub struct Gradient<M: MechanicalSystem> {
    /// J.
    pub value: f64,
    /// ∂J.
    pub slopes: Derivatives<M>,
    /// The run.
    pub trajectory: Trajectory<M>,
}

/// The value of an objective, and its derivatives.
pub(in crate::gradient) type ObjectiveDerivatives<M> = (f64, Derivatives<M>);

/// A reverse pass through a run for one objective.
pub(in crate::gradient) type Back<'a, M> = dyn FnMut(&Objective<'_, M>) -> Attempted<M, ObjectiveDerivatives<M>> + 'a;

impl<M: MechanicalSystem> Gradient<M> {
    /// The results of a run.
    pub(super) fn of((value, slopes): ObjectiveDerivatives<M>, trajectory: Trajectory<M>) -> Self {
        Gradient { value, slopes, trajectory }
    }
}

impl<M: MechanicalSystem> Deref for Gradient<M> {
    type Target = Derivatives<M>;

    fn deref(&self) -> &Derivatives<M> {
        &self.slopes
    }
}

/// The derivatives of a scalar with respect to all parameters, initial values and inputs.
pub struct Derivatives<M: MechanicalSystem> {
    /// The names of the scalar parameters.
    pub names: Arc<[String]>,
    /// ∂J with respect to each of them.
    pub parameters: Vec<f64>,
    /// ∂J with respect to the inputs at each evaluation time of the method, in order; the scalar inputs are in the order of their
    /// declaration.
    inputs: Vec<(f64, Vec<f64>)>,
    /// The number of scalar inputs.
    input_count: usize,
    /// True if constraints read rates of inputs.
    reads_rates: bool,
    /// Times with a smaller difference are equal.
    near: f64,
    /// ∂J with respect to q₀, in the algebra: along q₀ exp(ε eᵢ).
    pub configuration: M::Velocity,
    /// ∂J with respect to v₀.
    pub velocity: M::Velocity,
}

/// The names of the scalar parameters.
pub(in crate::gradient) fn names_of<M: TangentSystem>(system: &M) -> Arc<[String]> {
    let mut names = Vec::new();
    for &name in system.parameters().names() {
        if let Some(parameter) = system.parameters().get(name) {
            parameter.for_each(name, &mut |name, _| names.push(name.to_owned()));
        }
    }
    names.into()
}

impl<M: Reverse + TangentSystem> Derivatives<M> {
    /// Extracts a part of each component of a cotangent; `names` has the names of all parameters.
    pub(in crate::gradient) fn of<L: Reverse>(
        system: &M,
        names: &Arc<[String]>,
        cotangent: &AdjointState<L>,
        times: &Times,
        of: impl Fn(L::Scalar) -> f64 + Copy,
    ) -> Self {
        let (mut configuration, mut velocity) = (system.zero_velocity(), system.zero_velocity());
        part(&cotangent.configuration, &mut configuration, of);
        part(&cotangent.velocity, &mut velocity, of);
        let numbers = |numbers: &[L::Scalar]| numbers.iter().copied().map(of).collect::<Vec<f64>>();
        Derivatives {
            names: Arc::clone(names),
            parameters: numbers(&cotangent.parameters[..system.parameter_count()]),
            inputs: cotangent.inputs.iter().rev().map(|(time, slopes)| (*time, numbers(slopes))).collect(),
            input_count: system.input_count(),
            reads_rates: system.reads_rates_of_inputs(),
            near: SAME_TIME * times.shortest(),
            configuration,
            velocity,
        }
    }
}

impl<M: MechanicalSystem> Derivatives<M> {
    /// Returns the derivative with respect to a scalar parameter: `mass`, `inertia[0][1]`, `sections[3].area`.
    ///
    /// # Errors
    /// [`DirectionError::NoNumber`] with the known names.
    pub fn by(&self, name: &str) -> Result<f64, DirectionError> {
        let among_items = name_among_items(name);
        match self.names.iter().position(|known| known == name || Some(known) == among_items.as_ref()) {
            Some(at) => Ok(self.parameters[at]),
            None => Err(self.unknown(name)),
        }
    }

    /// Returns the derivatives with respect to all components of a parameter, in order: nine for `inertia`, one for each item of a list
    /// `stiffness`. For `sections[3].size`, the components of one item.
    ///
    /// # Errors
    /// [`DirectionError::NoNumber`] with the known names.
    pub fn all_of(&self, name: &str) -> Result<Vec<f64>, DirectionError> {
        let among_items = name_among_items(name);
        let is_meant = |known: &str| {
            is_within(known, name) || among_items.as_deref().is_some_and(|among_items| is_within(known, among_items))
        };
        let numbers = self.names.iter().zip(&self.parameters).filter(|(known, _)| is_meant(known));
        let found: Vec<f64> = numbers.map(|(_, &slope)| slope).collect();
        if found.is_empty() { Err(self.unknown(name)) } else { Ok(found) }
    }

    fn unknown(&self, name: &str) -> DirectionError {
        DirectionError::NoNumber { name: name.to_owned(), known: self.names.to_vec() }
    }
}

impl<M: MechanicalSystem<Scalar = f64>> Derivatives<M> {
    /// Returns the derivative with respect to a variable with this [index](Variable::place).
    pub(in crate::gradient) fn along(&self, direction: &Variable, place: usize) -> f64 {
        match direction {
            Variable::Parameter { .. } => self.parameters[place],
            Variable::Configuration(_) => self.configuration.component(place),
            Variable::Velocity(_) => self.velocity.component(place),
        }
    }
}

impl<M: MechanicalSystem> Derivatives<M> {
    /// Returns the derivatives with respect to piecewise constant inputs: from each of these times to the next, and after the last. Each
    /// piece has the scalar inputs in the order of their declaration, matrices by rows.
    ///
    /// An evaluation time within a millionth of a step of a given time belongs to the piece that starts there.
    ///
    /// # Errors
    /// [`DirectionError::Rates`] if constraints read the inputs and their rates, which pieces do not have; [`DirectionError::Pieces`] if
    /// the times are not finite and increasing.
    pub fn by_inputs(&self, times: &[f64]) -> Result<Vec<Vec<f64>>, DirectionError> {
        if self.reads_rates {
            return Err(DirectionError::Rates);
        }
        let begins = |piece: usize| {
            times[piece].is_finite() && piece.checked_sub(1).is_none_or(|before| times[before] < times[piece])
        };
        if let Some(piece) = (0..times.len()).find(|&piece| !begins(piece)) {
            return Err(DirectionError::Pieces { piece, numbers: self.input_count });
        }
        let mut pieces = vec![vec![0.0; self.input_count]; times.len()];
        for (time, slopes) in &self.inputs {
            // No piece contains times before the first one.
            if let Some(piece) = times.iter().rposition(|&begin| begin <= time + self.near) {
                for (sum, slope) in pieces[piece].iter_mut().zip(slopes) {
                    *sum += slope;
                }
            }
        }
        Ok(pieces)
    }
}

impl<M: MechanicalSystem> core::fmt::Debug for Derivatives<M> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Derivatives")
            .field("names", &self.names)
            .field("parameters", &self.parameters)
            .field("configuration", &self.configuration)
            .field("velocity", &self.velocity)
            .finish_non_exhaustive()
    }
}

impl<M: MechanicalSystem> core::fmt::Debug for Gradient<M> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_struct("Gradient").field("value", &self.value).field("slopes", &self.slopes).finish_non_exhaustive()
    }
}
