//! The inputs of systems from text: one function of time for each scalar.

use lie_compiler::tape::{TapeInputs, TapeParameter};

use crate::inputs::{Driver, InputRequirements, InputSet};
use crate::scalar::{Dual, Scalar};

/// One scalar of the inputs of a system from text.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct InputScalar<S = f64>(pub S);

impl<S: Scalar> InputSet for InputScalar<S> {
    type Scalar = S;
    type On<T: Scalar> = InputScalar<T>;
    const NAME: &'static str = "input";
    const FIELDS: &'static [(&'static str, &'static [usize])] = &[("value", &[])];
    const NEEDS: InputRequirements = InputRequirements { over_time: None, smooth: None };

    fn of(next: &mut dyn FnMut() -> S) -> Self {
        InputScalar(next())
    }
    fn visit(&self, visit: &mut dyn FnMut(S)) {
        visit(self.0);
    }
    /// Scalars that are functions of time are not held, see [`DynamicInputs::hold`].
    fn prescribe(&mut self, _: &Self) {}
}

pub(super) type ScalarDriver<S> = Driver<(), (), InputScalar<S>>;

/// The sources of all scalars of the inputs.
#[derive(Clone, Debug)]
pub(super) struct DynamicInputs<S: Scalar> {
    pub drivers: Vec<ScalarDriver<S>>,
}

impl<S: Scalar> DynamicInputs<S> {
    /// Returns inputs without sources.
    pub fn none(declared: Option<&TapeInputs>) -> Self {
        DynamicInputs { drivers: vec![Driver::none(); declared.map_or(0, |inputs| inputs.size)] }
    }

    /// Returns a scalar, or its first or second derivative with respect to time.
    pub fn at(&self, t: S, at: usize, order: usize) -> S {
        match order {
            0 => self.drivers[at].at_time(t).0,
            _ => self.drivers[at].rates(t)[order - 1].0,
        }
    }

    /// Returns the same inputs on dual numbers.
    pub fn lift(&self) -> DynamicInputs<Dual<S>> {
        DynamicInputs { drivers: self.drivers.iter().map(|driver| driver.lift(None)).collect() }
    }

    /// Holds the scalars that are not functions of time; missing values are zero.
    pub fn hold(&mut self, scalars: &[S]) {
        for (at, driver) in self.drivers.iter_mut().enumerate().filter(|(_, driver)| !driver.has_signal()) {
            *driver = driver.clone().holding(InputScalar(scalars.get(at).copied().unwrap_or(S::zero())));
        }
    }

    /// Visits the scalars with their fields.
    pub fn each<'i>(
        &'i self,
        declared: &'i TapeInputs,
    ) -> impl Iterator<Item = (&'i TapeParameter, &'i ScalarDriver<S>)> {
        let of_field = |field: &'i TapeParameter| self.drivers[scalars_of(field)].iter().map(move |one| (field, one));
        declared.fields.iter().flat_map(of_field)
    }
}

/// The positions of the scalars of a field.
pub(super) fn scalars_of(field: &TapeParameter) -> std::ops::Range<usize> {
    field.first..field.first + field.shape().size()
}
