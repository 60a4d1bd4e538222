//! Columns of the table of a run as functions of the state, and their derivatives.

use nalgebra::DVector;

use super::differences::difference;
use super::{Variable, Variation};
use crate::group::TangentVector;
use crate::integrator::State;
use crate::simulate::{ColumnError, Columns, Sampled};
use crate::space::ConfigurationSpace;
use crate::system::{ParameterSet, Report, TangentSystem};

/// The sections of the table of a run whose values have derivatives.
const SECTIONS: [&str; 6] = ["configuration", "velocity", "multipliers", "inputs", "observables", "energy"];

/// A column of the table of a run: a section, and the index of a value in it.
#[derive(Clone, Copy, Debug)]
pub(crate) struct StateColumn {
    section: &'static str,
    index: usize,
}

impl StateColumn {
    /// Finds a column of the table of a run.
    ///
    /// # Errors
    /// [`ColumnError::Unknown`] or [`ColumnError::Several`].
    pub fn of(columns: &Columns, name: &str) -> Result<Self, ColumnError> {
        let column = columns.names.find_one(name)?;
        let section_of = |column: usize| columns.names.name(column).split(['.', '[']).next().unwrap_or_default();
        let section = SECTIONS.into_iter().find(|section| *section == section_of(column));
        let section = section.ok_or_else(|| ColumnError::Unknown {
            name: name.to_owned(),
            nearest: None,
            known: columns.names.known(),
        })?;
        let index = (0..column).filter(|&before| section_of(before) == section).count();
        Ok(StateColumn { section, index })
    }

    /// Returns the value in a state.
    pub fn value<M: Report>(self, system: &M, state: &State<M>) -> f64 {
        let (mut at, mut found) = (0, f64::NAN);
        system.visit_part(state, self.section, &mut |value| {
            if at == self.index {
                found = value;
            }
            at += 1;
        });
        found
    }

    /// Returns the derivative with respect to a variable, along the exact derivative of the state. Columns are functions of `f64`; their
    /// directional derivative is a difference of fourth order, which is exact for coordinates, velocities and multipliers.
    pub fn derivative<M: TangentSystem + Report>(
        self,
        system: &M,
        state: &State<M>,
        variation: &Variation<M>,
        variable: &Variable,
    ) -> f64 {
        let Variation { configuration, velocity, multipliers, .. } = variation;
        let parameters = system.parameters();
        let own_size = match variable {
            // The components of the state do not depend on parameters explicitly.
            Variable::Parameter { name, component }
                if !matches!(self.section, "configuration" | "velocity" | "multipliers") =>
            {
                let value = parameters.get(name).and_then(|value| value.numbers().get(*component).copied());
                value.filter(|value| *value != 0.0).map_or(Some(1.0), |value| Some(1.0 / value.abs()))
            }
            _ => None,
        };
        // Only the derivatives that the column depends on limit the step.
        let of_state = match self.section {
            "configuration" => configuration.max_norm(),
            "velocity" => velocity.max_norm(),
            "multipliers" => multipliers.max_norm(),
            _ => configuration.max_norm().max(velocity.max_norm()),
        };
        let size = of_state.max(own_size.unwrap_or(0.0));
        if size == 0.0 || !size.is_finite() {
            return size;
        }
        let value = |part: f64| {
            let step = part / size;
            let mut moved = state.clone();
            let mut turn = configuration.clone();
            turn.scale(step);
            system.space().compose_exp(&state.configuration, &turn, &mut moved.configuration);
            moved.velocity.axpy(step, velocity);
            moved.multipliers.axpy(step, multipliers);
            let value = if own_size.is_some() {
                let direction = Variable::of_parameters(&[(variable.clone(), step)], parameters);
                let mut changed = parameters.clone();
                for &name in parameters.names() {
                    let (own, change) = (parameters.get(name)?.numbers(), direction.get(name)?.numbers());
                    let sum: Vec<f64> = own.iter().zip(&change).map(|(own, change)| own + change).collect();
                    changed.set(name, &sum).ok()?;
                }
                self.value(&system.with_parameters(changed).ok()?, &moved)
            } else {
                self.value(system, &moved)
            };
            Some(DVector::from_element(1, value))
        };
        difference(&value).map_or(f64::NAN, |derivative| derivative[0] * size)
    }
}
