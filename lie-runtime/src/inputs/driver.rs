//! The inputs of a system and their evaluation.

use core::fmt;
use std::sync::{Arc, Mutex, PoisonError};

use super::lifted::{DualInputs, Jets};
use super::signal::FieldSignals;
use super::smooth::resolution;
use super::{DelayedInputs, InputError, InputSet, InputSignal, Jet, OverTime, SmoothStretch, TableError};
use crate::scalar::{Dual, Scalar};

/// u as a function of t, q, v and of the signal over time.
type Feedback<Q, V, U> = Arc<dyn Fn(<U as InputSet>::Scalar, &Q, &V, U) -> U + Send + Sync>;

/// The inputs of a system with configurations `Q` and velocities `V`.
#[doc(hidden)]
pub struct Driver<Q, V, U: InputSet> {
    over_time: Option<Arc<dyn OverTime<U>>>,
    feedback: Option<Feedback<Q, V, U>>,
    /// The last output of a controller; it replaces the feedback.
    held: Option<U>,
    /// Inputs with dead time; they replace all other values.
    delayed: Option<DelayedInputs>,
    /// The last value that was not finite: its field and its time.
    not_finite: Mutex<Option<(&'static str, f64)>>,
}

impl<Q, V, U: InputSet> Driver<Q, V, U> {
    /// Creates missing inputs.
    pub fn none() -> Self {
        Driver { over_time: None, feedback: None, held: None, delayed: None, not_finite: Mutex::new(None) }
    }
    /// Creates inputs from a function of the state.
    pub fn of_state(feedback: impl Fn(U::Scalar, &Q, &V) -> U + Send + Sync + 'static) -> Self {
        Driver { feedback: Some(Arc::new(move |t, q, v, _| feedback(t, q, v))), ..Self::none() }
    }
    /// Creates inputs from a function of time.
    pub fn over_time(signal: impl OverTime<U> + 'static) -> Self {
        Driver { over_time: Some(Arc::new(signal)), ..Self::none() }
    }
    /// Creates inputs from a function of time with derivatives by dual numbers.
    pub fn of_jets(function: impl Fn(Jet<U::Scalar>) -> U::On<Jet<U::Scalar>> + Send + Sync + 'static) -> Self {
        Self::over_time(Jets(function))
    }
    /// Adds a feedback law to the signal over time.
    #[must_use]
    pub fn with_feedback(self, feedback: impl Fn(U::Scalar, &Q, &V, U) -> U + Send + Sync + 'static) -> Self {
        Driver { feedback: Some(Arc::new(feedback)), ..self }
    }
    /// Sets the signal of one field, which must have this number of components.
    ///
    /// # Errors
    /// [`TableError`] for an invalid table.
    pub fn with_signal(self, name: &str, signal: &InputSignal) -> Result<Self, TableError>
    where
        U: 'static,
    {
        let over_time = Arc::new(FieldSignals::replaced(self.over_time, name, signal)?);
        Ok(Driver { over_time: Some(over_time), ..self })
    }
    /// Holds these values, except for prescribed fields.
    #[must_use]
    pub fn holding(self, inputs: U) -> Self {
        Driver { held: Some(inputs), ..self }
    }

    /// Sets the inputs with dead time.
    #[must_use]
    pub fn delayed(self, delayed: DelayedInputs) -> Self {
        Driver { delayed: Some(delayed), ..self }
    }

    /// Returns true for a function of time.
    #[cfg(feature = "dynamic")]
    pub(crate) fn has_signal(&self) -> bool {
        self.over_time.is_some()
    }

    /// Returns true without any source of values.
    pub(crate) fn is_missing(&self) -> bool {
        self.over_time.is_none() && self.feedback.is_none() && self.held.is_none()
    }

    /// Returns true if the inputs depend on the state.
    pub fn is_of_state(&self) -> bool {
        self.feedback.is_some() && self.held.is_none()
    }

    fn none_there() -> U {
        U::all(U::Scalar::from_f64(f64::NAN))
    }

    /// Returns the inputs without the state, as required by constraints and potentials.
    #[inline]
    pub fn at_time(&self, t: U::Scalar) -> U {
        let given = self.over_time.as_ref().map(|signal| signal.at(t));
        let inputs = match (self.held, given) {
            (Some(mut inputs), Some(given)) => {
                inputs.prescribe(&given);
                inputs
            }
            (held, given) => match held.or(given) {
                Some(inputs) => inputs,
                None if self.delayed.is_none() => return Self::none_there(),
                None => Self::none_there(),
            },
        };
        self.completed(t, inputs)
    }

    /// Replaces the inputs with dead time, and records inputs that are not finite so that the run can report them for any subsequent failure.
    #[inline]
    fn completed(&self, t: U::Scalar, inputs: U) -> U {
        let inputs = self.delayed.as_ref().map_or(inputs, |delayed| delayed.replace(t, &inputs));
        let mut is_finite = true;
        inputs.visit(&mut |number| is_finite &= number.value().is_finite());
        if !is_finite {
            let noted = inputs.not_finite().map(|field| (field, t.value()));
            *self.not_finite.lock().unwrap_or_else(PoisonError::into_inner) = noted;
        }
        inputs
    }

    /// Returns the last evaluation with a value that is not finite, if there was one.
    pub fn noted(&self) -> Option<InputError> {
        let noted = *self.not_finite.lock().unwrap_or_else(PoisonError::into_inner);
        noted.map(|(field, time)| InputError::NotFinite { field, time })
    }

    /// Returns the time up to which the inputs are smooth, see [`OverTime::smooth_until`].
    pub fn smooth_until(&self, from: f64, end: f64, tolerance: f64) -> SmoothStretch {
        let of_state = self.feedback.is_some() && self.held.is_none();
        match self.over_time.as_ref().map(|signal| signal.smooth_until(from, end, tolerance)) {
            Some(Some(until)) => SmoothStretch { until, is_known: !of_state },
            Some(None) => SmoothStretch { until: end, is_known: false },
            None => SmoothStretch { until: end, is_known: !of_state },
        }
    }

    /// Returns u' and u'' of the signal over time.
    #[inline]
    pub fn rates(&self, t: U::Scalar) -> [U; 2] {
        match &self.over_time {
            Some(signal) => {
                let [_, rate, second] = signal.jet(t);
                [rate, second]
            }
            None => [Self::none_there(); 2],
        }
    }

    /// Returns the inputs in a state; `v` returns the velocity.
    #[inline]
    pub fn at(&self, t: U::Scalar, q: &Q, v: impl FnOnce() -> V) -> U {
        let Some(feedback) = self.feedback.as_ref().filter(|_| self.held.is_none()) else { return self.at_time(t) };
        let given = self.over_time.as_ref().map(|signal| signal.at(t));
        let mut inputs = feedback(t, q, &v(), given.unwrap_or_else(Self::none_there));
        if let Some(given) = given {
            inputs.prescribe(&given);
        }
        self.completed(t, inputs)
    }

    /// Returns the same inputs on dual numbers. `held` contains the values of inputs that depend on the state.
    pub fn lift<P, W>(&self, held: Option<U>) -> Driver<P, W, U::On<Dual<U::Scalar>>> {
        Driver {
            over_time: self.over_time.clone().map(|signal| Arc::new(DualInputs(signal)) as Arc<dyn OverTime<_>>),
            feedback: None,
            held: held.or(self.held).map(|inputs| super::lifted::constant(&inputs)),
            delayed: self.delayed.clone(),
            not_finite: Mutex::new(None),
        }
    }

    /// Returns the inputs over time with derivatives along a direction.
    #[must_use]
    pub fn varied(self, slopes: &InputDerivatives) -> Self
    where
        Q: 'static,
        V: 'static,
        U: InputSet<Scalar = Dual<f64>>,
    {
        Self::over_time(Moving { inputs: self, slopes: slopes.clone() })
    }

    /// Returns the time range of the signal over time.
    pub(super) fn range(&self) -> [f64; 2] {
        self.over_time.as_ref().map_or([f64::NEG_INFINITY, f64::INFINITY], |signal| signal.range())
    }

    /// Returns true if the signal over time has derivatives.
    pub(crate) fn is_smooth(&self) -> bool {
        self.over_time.as_ref().is_none_or(|signal| signal.is_smooth())
    }

    /// Checks that the inputs depend on time only.
    ///
    /// # Errors
    /// [`InputError::OfState`].
    pub fn ensure_over_time(&self) -> Result<(), InputError> {
        if self.is_of_state() { Err(InputError::OfState { inputs: U::NAME }) } else { Ok(()) }
    }

    /// Checks that the inputs are available from `start` to `end`.
    ///
    /// # Errors
    /// [`InputError`] with the missing input.
    pub fn ensure(&self, start: f64, end: f64) -> Result<(), InputError> {
        let needs = U::NEEDS;
        if self.is_missing() {
            let is_delayed = |name: &str| self.delayed.as_ref().is_some_and(|delayed| delayed.contains(name));
            let fields: Vec<_> = U::FIELDS.iter().map(|(name, _)| *name).filter(|name| !is_delayed(name)).collect();
            if !fields.is_empty() {
                return Err(InputError::Missing { inputs: U::NAME, fields });
            }
        }
        let fields =
            self.over_time.as_deref().and_then(FieldSignals::among).map_or_else(Vec::new, FieldSignals::missing);
        if !fields.is_empty() && self.held.is_none() && self.feedback.is_none() {
            return Err(InputError::MissingByName { fields });
        }
        match (&self.over_time, needs.smooth, needs.over_time) {
            (None, Some(function), _) if self.held.is_some() => return Err(InputError::NotSmooth { function }),
            (None, Some(function), _) => return Err(InputError::NotOverTime { function }),
            (None, None, Some(function)) if self.held.is_none() => return Err(InputError::NotOverTime { function }),
            (Some(signal), Some(function), _) if !signal.is_smooth() => return Err(InputError::NotSmooth { function }),
            _ => {}
        }
        let range = self.range();
        let resolution = resolution(start, end);
        match [start, end].into_iter().find(|time| !(range[0] - resolution <= *time && *time <= range[1] + resolution))
        {
            Some(time) => Err(InputError::OutOfRange { time, range, inputs: U::NAME }),
            None => Ok(()),
        }
    }
}

/// Checks that inputs are finite.
///
/// # Errors
/// [`InputError::NotFinite`] with the field.
pub fn ensure_finite<U: InputSet>(inputs: &U, time: f64) -> Result<(), InputError> {
    inputs.not_finite().map_or(Ok(()), |field| Err(InputError::NotFinite { field, time }))
}

impl<Q, V, U: InputSet> Clone for Driver<Q, V, U> {
    fn clone(&self) -> Self {
        Driver {
            over_time: self.over_time.clone(),
            feedback: self.feedback.clone(),
            held: self.held,
            delayed: self.delayed.clone(),
            not_finite: Mutex::new(None),
        }
    }
}

impl<Q, V, U: InputSet> fmt::Debug for Driver<Q, V, U> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_struct(U::NAME)
            .field("over_time", &self.over_time.is_some())
            .field("feedback", &self.feedback.is_some())
            .field("held", &self.held)
            .field("delayed", &self.delayed)
            .finish_non_exhaustive()
    }
}

/// Relative tolerance for equal times, in units of a piece.
const SAME_TIME: f64 = 1e-6;

/// Piecewise constant derivatives of inputs along a direction. Each piece is valid up to the time of the next one; before the first piece
/// the derivatives are zero.
#[derive(Clone, Debug, PartialEq)]
#[doc(hidden)]
pub struct InputDerivatives {
    times: Vec<f64>,
    pieces: Vec<Vec<f64>>,
    near: f64,
}

impl InputDerivatives {
    /// Creates one piece per time, in order. A piece contains the values in the order of the input fields, matrices in row-major order.
    pub(crate) fn new(times: &[f64], pieces: &[Vec<f64>]) -> Self {
        let smallest = times.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
        let near = if smallest.is_finite() { SAME_TIME * smallest } else { 0.0 };
        InputDerivatives { times: times.to_vec(), pieces: pieces.to_vec(), near }
    }

    /// Returns the piece at a time.
    fn at(&self, time: f64) -> Option<&[f64]> {
        let begun = self.times.partition_point(|&begin| begin <= time + self.near);
        begun.checked_sub(1).map(|piece| self.pieces[piece].as_slice())
    }
}

/// Inputs over time with derivatives along a direction.
struct Moving<Q, V, U: InputSet> {
    inputs: Driver<Q, V, U>,
    slopes: InputDerivatives,
}

impl<Q, V, U: InputSet<Scalar = Dual<f64>>> OverTime<U> for Moving<Q, V, U> {
    /// Pieces have no rates; u' and u'' are the derivatives of the signal.
    fn jet(&self, t: Dual<f64>) -> [U; 3] {
        let [rate, second] = self.inputs.rates(t);
        [self.at(t), rate, second]
    }
    fn at(&self, t: Dual<f64>) -> U {
        moved_along(&self.inputs.at_time(t), self.slopes.at(t.re))
    }
    fn range(&self) -> [f64; 2] {
        self.inputs.range()
    }
    fn smooth_until(&self, from: f64, end: f64, tolerance: f64) -> Option<f64> {
        let stretch = self.inputs.smooth_until(from, end, tolerance);
        stretch.is_known.then_some(stretch.until)
    }
    fn is_smooth(&self) -> bool {
        self.inputs.is_smooth()
    }
}

/// u + ε δu.
fn moved_along<U: InputSet<Scalar = Dual<f64>>>(inputs: &U, slopes: Option<&[f64]>) -> U {
    let Some(slopes) = slopes else { return *inputs };
    let mut numbers = inputs.numbers().into_iter().zip(slopes);
    U::of(&mut || numbers.next().map_or(Dual::constant(f64::NAN), |(own, slope)| Dual { eps: own.eps + slope, ..own }))
}
