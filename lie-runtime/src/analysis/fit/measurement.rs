//! Measured quantities and their predictions.

use core::ops::ControlFlow;

use crate::gradient::{StateColumn, Variable, Variation, state_along};
use crate::integrator::State;
use crate::messages::see;
use crate::scalar::Dual;
use crate::system::{Liftable, MechanicalSystem, ModelError, Report, TangentSystem};

/// A predicted value as a function of the system, the state and the index of the measurement.
type Prediction<'a, M> = Box<
    dyn Fn(&<M as Liftable>::Lifted, &State<<M as Liftable>::Lifted>, usize) -> Dual<<M as MechanicalSystem>::Scalar>
        + 'a,
>;

/// The source of the predicted values.
pub(super) enum Predictor<'a, M: Liftable> {
    /// A column of the table of a run.
    Column(StateColumn),
    /// A function on dual numbers.
    Function(Prediction<'a, M>),
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
            Predictor::Column(column) => {
                let derivative =
                    |(variation, variable)| column.derivative(self.system, self.state, variation, variable);
                let derivatives = self.variations.iter().zip(self.unknowns).map(derivative).collect();
                (column.value(self.system, self.state), derivatives)
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
}

/// Returns the system on dual numbers along an unknown.
pub(super) fn lifted<M: TangentSystem>(system: &M, unknown: &Variable) -> Result<M::Lifted, ModelError> {
    system.varied(&Variable::of_parameters(&[(unknown.clone(), 1.0)], system.parameters()))
}
