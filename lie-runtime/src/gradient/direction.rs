//! Directions in the space of parameters, initial values and inputs.

use super::{DirectionError, Variable};
use crate::inputs::InputDerivatives;
use crate::system::{Reverse, TangentSystem};

/// A direction: the changes of some parameters and initial values. Their names are as for
/// [`with_sensitivities`](crate::simulate::Simulation::with_sensitivities). All other values are constant.
#[derive(Clone, Debug, Default, PartialEq)]
#[must_use]
pub struct Direction {
    numbers: Vec<(String, Vec<f64>)>,
    inputs: Option<(Vec<f64>, Vec<Vec<f64>>)>,
}

/// A direction for a system.
pub(super) struct Moves {
    pub numbers: Vec<(Variable, f64)>,
    pub inputs: Option<InputDerivatives>,
}

impl Direction {
    /// Returns the zero direction.
    pub fn new() -> Self {
        Direction::default()
    }

    /// Sets the change of a scalar: `mass`, `inertia[0][1]`, `q.attitude[2]`, `v.position[0]`.
    pub fn component(self, name: impl Into<String>, size: f64) -> Self {
        self.components(name, [size])
    }

    /// Sets the changes of all components of a name, in order: `inertia`, `stiffness` of a list, `q`.
    pub fn components(mut self, name: impl Into<String>, sizes: impl Into<Vec<f64>>) -> Self {
        self.numbers.push((name.into(), sizes.into()));
        self
    }

    /// Sets piecewise constant changes of the inputs: from each of these times to the next, and after the last. Each piece has the values
    /// of all inputs, in the order of [`InputDerivatives::by_inputs`](super::Derivatives::by_inputs).
    pub fn inputs(mut self, times: impl Into<Vec<f64>>, pieces: impl Into<Vec<Vec<f64>>>) -> Self {
        self.inputs = Some((times.into(), pieces.into()));
        self
    }

    /// Returns the direction for a system.
    pub(super) fn moves<M: Reverse + TangentSystem>(&self, system: &M) -> Result<Moves, DirectionError> {
        if self.numbers.is_empty() && self.inputs.is_none() {
            return Err(DirectionError::Nothing);
        }
        let names: Vec<&String> = self.numbers.iter().map(|(name, _)| name).collect();
        let mut numbers = Vec::new();
        if !names.is_empty() {
            // The changes of a repeated component are added.
            Variable::named(system, &names)?;
        }
        for (name, sizes) in &self.numbers {
            let meant = Variable::named(system, &[name])?;
            if meant.len() != sizes.len() {
                return Err(DirectionError::Count { name: name.clone(), meant: meant.len(), given: sizes.len() });
            }
            if let Some(&size) = sizes.iter().find(|size| !size.is_finite()) {
                return Err(DirectionError::NotFinite { name: name.clone(), size });
            }
            numbers.extend(meant.into_iter().map(|(_, direction)| direction).zip(sizes.iter().copied()));
        }
        let inputs = self.inputs.as_ref().map(|(times, pieces)| slopes(system, times, pieces)).transpose()?;
        Ok(Moves { numbers, inputs })
    }
}

fn slopes<M: Reverse>(system: &M, times: &[f64], pieces: &[Vec<f64>]) -> Result<InputDerivatives, DirectionError> {
    if system.reads_rates_of_inputs() {
        return Err(DirectionError::Rates);
    }
    let numbers = system.input_count();
    let is_sound = |piece: usize| {
        let later = |time: &f64| time.is_finite() && piece.checked_sub(1).is_none_or(|before| *time > times[before]);
        let is_whole = |slopes: &Vec<f64>| slopes.len() == numbers && slopes.iter().all(|slope| slope.is_finite());
        numbers > 0 && times.get(piece).is_some_and(later) && pieces.get(piece).is_some_and(is_whole)
    };
    match (0..times.len().max(pieces.len()).max(usize::from(numbers == 0))).find(|&piece| !is_sound(piece)) {
        Some(piece) => Err(DirectionError::Pieces { piece, numbers }),
        None => Ok(InputDerivatives::new(times, pieces)),
    }
}
