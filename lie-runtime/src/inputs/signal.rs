//! Signals of single inputs: constants and tables by the name of an input.

use core::any::Any;
use std::ops::Range;
use std::sync::Arc;

use super::{Constant, InputComponents, InputSet, Interpolation, OverTime, Table, TableError};
use crate::scalar::Scalar;

/// The values of one input over time. A value is a list of scalars, matrices by rows.
#[derive(Clone, Debug, PartialEq)]
pub enum InputSignal {
    /// A constant value.
    Constant(Vec<f64>),
    /// Values at increasing times.
    Table {
        /// The times.
        times: Vec<f64>,
        /// The value at each time.
        rows: Vec<Vec<f64>>,
        /// The interpolation between the times.
        interpolation: Interpolation,
    },
}

impl InputSignal {
    /// Returns the values.
    pub(crate) fn rows(&self) -> &[Vec<f64>] {
        match self {
            InputSignal::Constant(value) => core::slice::from_ref(value),
            InputSignal::Table { rows, .. } => rows,
        }
    }

    /// Returns the signal of inputs whose other components, outside of `place`, are zero.
    fn over_time<U: InputSet>(&self, place: &Range<usize>) -> Result<Arc<dyn OverTime<U>>, TableError> {
        let inputs = |row: &Vec<f64>| {
            let mut at = 0;
            U::of(&mut || {
                at += 1;
                let value = if place.contains(&(at - 1)) { row.get(at - 1 - place.start).copied() } else { Some(0.0) };
                U::Scalar::from_f64(value.unwrap_or(f64::NAN))
            })
        };
        Ok(match self {
            InputSignal::Constant(value) => Arc::new(Constant(inputs(value))),
            InputSignal::Table { times, rows, interpolation } => {
                Arc::new(Table::new(times.clone(), rows.iter().map(inputs).collect(), *interpolation)?)
            }
        })
    }
}

/// Inputs with their own signals of some fields. The other fields are functions of time as before.
pub(super) struct FieldSignals<U: InputSet> {
    before: Option<Arc<dyn OverTime<U>>>,
    own: Vec<FieldSignal<U>>,
}

/// The signal of one field.
struct FieldSignal<U: InputSet> {
    /// The position of the field, and its components.
    field: usize,
    place: Range<usize>,
    signal: Arc<dyn OverTime<U>>,
}

impl<U: InputSet> Clone for FieldSignal<U> {
    fn clone(&self) -> Self {
        FieldSignal { field: self.field, place: self.place.clone(), signal: Arc::clone(&self.signal) }
    }
}

impl<U: InputSet> FieldSignals<U> {
    /// Returns the signals of single fields, if the inputs consist of them.
    pub fn among(inputs: &dyn OverTime<U>) -> Option<&Self> {
        inputs.fields()?.downcast_ref()
    }

    /// Replaces the signal of a field.
    pub fn replaced(
        before: Option<Arc<dyn OverTime<U>>>,
        name: &str,
        signal: &InputSignal,
    ) -> Result<Self, TableError> {
        let size = |(_, shape): &(&str, &[usize])| shape.iter().product::<usize>();
        let field = U::FIELDS.iter().position(|(known, _)| *known == name).unwrap_or(U::FIELDS.len());
        let start = U::FIELDS[..field].iter().map(size).sum();
        let place = start..start + U::FIELDS.get(field).map_or(0, size);
        let (before, mut own) = match before.as_deref().and_then(Self::among) {
            Some(fields) => (fields.before.clone(), fields.own.clone()),
            None => (before, Vec::new()),
        };
        own.retain(|known| known.field != field);
        own.push(FieldSignal { field, signal: signal.over_time(&place)?, place });
        let before = before.filter(|_| own.len() < U::FIELDS.len());
        Ok(FieldSignals { before, own })
    }

    /// Returns the fields without a signal.
    pub fn missing(&self) -> Vec<&'static str> {
        let is_missing = |field: &usize| self.before.is_none() && self.own.iter().all(|own| own.field != *field);
        (0..U::FIELDS.len()).filter(is_missing).map(|field| U::FIELDS[field].0).collect()
    }

    /// Evaluates the signals of all fields; NaN for missing fields.
    fn combined(&self, evaluate: impl Fn(&dyn OverTime<U>) -> U) -> U {
        let before = self.before.as_ref().map(|signal| evaluate(&**signal));
        let missing = || U::all(U::Scalar::from_f64(f64::NAN));
        self.own.iter().fold(before.unwrap_or_else(missing), |all, own| {
            let (all, values, mut at) = (InputComponents::of(&all), InputComponents::of(&evaluate(&*own.signal)), 0);
            U::of(&mut || {
                at += 1;
                if own.place.contains(&(at - 1)) { values.get(at - 1) } else { all.get(at - 1) }
            })
        })
    }
}

impl<U: InputSet> OverTime<U> for FieldSignals<U> {
    fn jet(&self, t: U::Scalar) -> [U; 3] {
        core::array::from_fn(|order| self.combined(|signal| signal.jet(t)[order]))
    }
    fn at(&self, t: U::Scalar) -> U {
        self.combined(|signal| signal.at(t))
    }
    fn range(&self) -> [f64; 2] {
        let signals = self.own.iter().map(|own| &own.signal).chain(&self.before);
        signals.fold([f64::NEG_INFINITY, f64::INFINITY], |[first, end], signal| {
            let range = signal.range();
            [first.max(range[0]), end.min(range[1])]
        })
    }
    fn smooth_until(&self, from: f64, end: f64, tolerance: f64) -> Option<f64> {
        let mut signals = self.own.iter().map(|own| &own.signal).chain(&self.before);
        signals.try_fold(end, |until, signal| Some(until.min(signal.smooth_until(from, end, tolerance)?)))
    }
    /// Only fields that constraints and potentials read must be smooth.
    fn is_smooth(&self) -> bool {
        let mut inputs = U::all(U::Scalar::from_f64(0.0));
        inputs.prescribe(&U::all(U::Scalar::from_f64(1.0)));
        let prescribed = inputs.numbers();
        let mut signals = Vec::new();
        for (at, _) in prescribed.iter().enumerate().filter(|(_, number)| number.value() > 0.0) {
            let own = self.own.iter().find(|own| own.place.contains(&at)).map(|own| &own.signal);
            signals.extend(own.or(self.before.as_ref()));
        }
        signals.into_iter().all(|signal| signal.is_smooth())
    }
    fn fields(&self) -> Option<&dyn Any> {
        Some(self)
    }
}
