//! Measured quantities and their predictions.

use core::ops::ControlFlow;

use nalgebra::DVector;

use crate::gradient::differences::difference;
use crate::gradient::{Variable, Variation, state_along};
use crate::group::TangentVector;
use crate::integrator::State;
use crate::messages::see;
use crate::scalar::Dual;
use crate::simulate::{ColumnError, Columns, Sampled};
use crate::space::ConfigurationSpace;
use crate::system::{Liftable, MechanicalSystem, ModelError, ParameterSet, Report, TangentSystem};

/// A predicted value as a function of the system, the state and the index of the measurement.
type Prediction<'a, M> = Box<
    dyn Fn(&<M as Liftable>::Lifted, &State<<M as Liftable>::Lifted>, usize) -> Dual<<M as MechanicalSystem>::Scalar>
        + 'a,
>;

/// The source of the predicted values.
pub(super) enum Predictor<'a, M: Liftable> {
    /// A column of the table of a run, once its section and its index in the section are known.
    Column { section: &'static str, index: usize },
    /// A function on dual numbers.
    Function(Prediction<'a, M>),
}

/// The sections of the table of a run whose values can be measured.
const SECTIONS: [&str; 5] = ["configuration", "velocity", "multipliers", "inputs", "observables"];

impl<M: Liftable> Predictor<'_, M> {
    /// Finds a column of the table of a run.
    pub fn of_column(columns: &Columns, name: &str) -> Result<Self, ColumnError> {
        let column = columns.names.find_one(name)?;
        let section_of = |column: usize| columns.names.name(column).split(['.', '[']).next().unwrap_or_default();
        let section = SECTIONS.into_iter().find(|section| *section == section_of(column));
        let section = section.ok_or_else(|| ColumnError::Unknown {
            name: name.to_owned(),
            nearest: None,
            known: columns.names.known(),
        })?;
        let index = (0..column).filter(|&before| section_of(before) == section).count();
        Ok(Predictor::Column { section, index })
    }
}

/// Measured values of one quantity.
pub(super) struct Measurement<'a, M: Liftable> {
    pub name: String,
    pub times: Vec<f64>,
    pub values: Vec<f64>,
    /// One for each value.
    pub deviations: Vec<f64>,
    /// `None` for a column that is not known yet.
    pub predictor: Option<Predictor<'a, M>>,
}

/// The observer of a run without an observer.
pub(super) type NoObserver<M> = fn(&State<M>) -> ControlFlow<()>;

/// The reason for an invalid measurement.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum MeasurementFault {
    /// There are no values.
    #[error("it has no values; pass at least one time and value {}", see("fits"))]
    Empty,
    /// The lists have different lengths.
    #[error(
        "it has {times} times, {values} values and {deviations} standard deviations; pass a value for each time, and a standard deviation for \
         each value or one for all {}",
        see("fits")
    )]
    Lengths {
        /// The number of times.
        times: usize,
        /// The number of values.
        values: usize,
        /// The number of standard deviations.
        deviations: usize,
    },
    /// A time or a value is not finite, or a time is before the start of the run.
    #[error(
        "the value {value:?} at t = {time:?} is not usable: both must be finite, and the time must not be before the start {start:?} {}",
        see("fits")
    )]
    Value {
        /// The time.
        time: f64,
        /// The value.
        value: f64,
        /// The start of the run.
        start: f64,
    },
    /// A standard deviation is not finite and positive.
    #[error("the standard deviation at t = {time:?} is {deviation:?}; it must be finite and positive {}", see("fits"))]
    Deviation {
        /// The time.
        time: f64,
        /// The standard deviation.
        deviation: f64,
    },
}

crate::messages::debug_is_the_message!(MeasurementFault);

impl<'a, M: Liftable> Measurement<'a, M> {
    pub fn new(name: String, [times, values, deviations]: [&[f64]; 3], predictor: Option<Predictor<'a, M>>) -> Self {
        let deviations = match deviations {
            [one] => vec![*one; values.len()],
            each => each.to_vec(),
        };
        Measurement { name, times: times.to_vec(), values: values.to_vec(), deviations, predictor }
    }

    /// Checks the lists of a measurement of a run from `start`.
    pub fn check(&self, start: f64) -> Result<(), MeasurementFault> {
        let (times, values, deviations) = (self.times.len(), self.values.len(), self.deviations.len());
        if times != values || values != deviations {
            return Err(MeasurementFault::Lengths { times, values, deviations });
        }
        if values == 0 {
            return Err(MeasurementFault::Empty);
        }
        for ((&time, &value), &deviation) in self.times.iter().zip(&self.values).zip(&self.deviations) {
            if !(time.is_finite() && value.is_finite() && time >= start) {
                return Err(MeasurementFault::Value { time, value, start });
            }
            if !(deviation > 0.0 && deviation.is_finite()) {
                return Err(MeasurementFault::Deviation { time, deviation });
            }
        }
        Ok(())
    }
}

/// A system, a state of its motion and the derivatives of the state with respect to the unknowns.
pub(super) struct Instant<'s, M: Liftable> {
    pub system: &'s M,
    pub state: &'s State<M>,
    pub unknowns: &'s [Variable],
    /// The system on dual numbers for each unknown; empty if no measurement is a function, or if an event has changed the system.
    pub lifted: &'s [M::Lifted],
    pub variations: &'s [Variation<M>],
}

impl<M: TangentSystem + Report> Instant<'_, M> {
    /// Returns a predicted value and its derivatives with respect to all unknowns. Values that cannot be computed are NaN.
    pub fn predicted(&self, predictor: &Predictor<'_, M>, index: usize) -> (f64, Vec<f64>) {
        let count = self.unknowns.len();
        match predictor {
            Predictor::Column { section, index } => {
                let value = column(self.system, self.state, section, *index);
                (value, (0..count).map(|unknown| self.column_derivative(section, *index, unknown)).collect())
            }
            Predictor::Function(function) => {
                let derivative = |unknown: usize| {
                    let own;
                    let lifted = match self.lifted.get(unknown) {
                        Some(lifted) => lifted,
                        None => match lifted(self.system, &self.unknowns[unknown]) {
                            Ok(lifted) => {
                                own = lifted;
                                &own
                            }
                            Err(_) => return Dual { re: f64::NAN, eps: f64::NAN },
                        },
                    };
                    let state = state_along(self.system, lifted, self.state, &self.variations[unknown]);
                    function(lifted, &state, index)
                };
                let all: Vec<Dual<f64>> = (0..count).map(derivative).collect();
                (all.first().map_or(f64::NAN, |first| first.re), all.iter().map(|dual| dual.eps).collect())
            }
        }
    }

    /// The derivative of a column along the exact derivative of the state. Columns are functions of `f64`; their directional derivative is
    /// a difference of fourth order, which is exact for coordinates, velocities and multipliers.
    fn column_derivative(&self, section: &'static str, index: usize, unknown: usize) -> f64 {
        let (variation, variable) = (&self.variations[unknown], &self.unknowns[unknown]);
        let Variation { configuration, velocity, multipliers, acceleration } = variation;
        let parameters = self.system.parameters();
        let own_size = match variable {
            // The components of the state do not depend on parameters explicitly.
            Variable::Parameter { name, component }
                if !matches!(section, "configuration" | "velocity" | "multipliers") =>
            {
                let value = parameters.get(name).and_then(|value| value.numbers().get(*component).copied());
                value.filter(|value| *value != 0.0).map_or(Some(1.0), |value| Some(1.0 / value.abs()))
            }
            _ => None,
        };
        let size = configuration.max_norm().max(velocity.max_norm()).max(multipliers.max_norm());
        let size = size.max(acceleration.max_norm()).max(own_size.unwrap_or(0.0));
        if size == 0.0 || !size.is_finite() {
            return size;
        }
        let value = |part: f64| {
            let step = part / size;
            let mut state = self.state.clone();
            let mut turn = configuration.clone();
            turn.scale(step);
            self.system.space().compose_exp(&self.state.configuration, &turn, &mut state.configuration);
            state.velocity.axpy(step, velocity);
            state.multipliers.axpy(step, multipliers);
            state.acceleration.axpy(step, acceleration);
            let value = if own_size.is_some() {
                let direction = Variable::of_parameters(&[(variable.clone(), step)], parameters);
                let mut changed = parameters.clone();
                for &name in parameters.names() {
                    let (own, change) = (parameters.get(name)?.numbers(), direction.get(name)?.numbers());
                    let sum: Vec<f64> = own.iter().zip(&change).map(|(own, change)| own + change).collect();
                    changed.set(name, &sum).ok()?;
                }
                column(&self.system.with_parameters(changed).ok()?, &state, section, index)
            } else {
                column(self.system, &state, section, index)
            };
            Some(DVector::from_element(1, value))
        };
        difference(&value).map_or(f64::NAN, |derivative| derivative[0] * size)
    }
}

/// Returns the system on dual numbers along an unknown.
pub(super) fn lifted<M: TangentSystem>(system: &M, unknown: &Variable) -> Result<M::Lifted, ModelError> {
    system.varied(&Variable::of_parameters(&[(unknown.clone(), 1.0)], system.parameters()))
}

/// Returns a value of a section of a sample.
fn column<M: Report>(system: &M, state: &State<M>, section: &str, index: usize) -> f64 {
    let (mut at, mut found) = (0, f64::NAN);
    system.visit_part(state, section, &mut |value| {
        if at == index {
            found = value;
        }
        at += 1;
    });
    found
}
