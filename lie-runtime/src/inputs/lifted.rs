//! Functions of time on dual numbers.

use std::sync::Arc;

use super::{InputComponents, InputSet, Jet, OverTime};
use crate::scalar::{Dual, Scalar};

/// A function of time that is differentiated by dual numbers.
pub(super) struct Jets<F>(pub F);

impl<U, F> OverTime<U> for Jets<F>
where
    U: InputSet,
    F: Fn(Jet<U::Scalar>) -> U::On<Jet<U::Scalar>> + Send + Sync,
{
    fn jet(&self, t: U::Scalar) -> [U; 3] {
        let (zero, one) = (U::Scalar::from_f64(0.0), U::Scalar::from_f64(1.0));
        let time = Dual { re: Dual { re: t, eps: one }, eps: Dual { re: one, eps: zero } };
        let inputs = (self.0)(time);
        let numbers = InputComponents::of(&inputs);
        [numbers.inputs(|x| x.re.re), numbers.inputs(|x| x.re.eps), numbers.inputs(|x| x.eps.eps)]
    }
    fn at(&self, t: U::Scalar) -> U {
        let zero = U::Scalar::from_f64(0.0);
        let time = Dual { re: Dual { re: t, eps: zero }, eps: Dual { re: zero, eps: zero } };
        InputComponents::of(&(self.0)(time)).inputs(|x| x.re.re)
    }
}

/// A function of time on dual numbers: u(t + ε) = u(t) + u'(t) ε.
pub(super) struct DualInputs<U: InputSet>(pub Arc<dyn OverTime<U>>);

impl<U: InputSet> OverTime<U::On<Dual<U::Scalar>>> for DualInputs<U> {
    fn jet(&self, t: Dual<U::Scalar>) -> [U::On<Dual<U::Scalar>>; 3] {
        let [value, rate, second] = self.0.jet(t.re);
        let none = U::all(U::Scalar::from_f64(0.0));
        // Kernels do not require a third derivative.
        [moved(&value, &rate, t.eps), moved(&rate, &second, t.eps), moved(&second, &none, t.eps)]
    }
    fn range(&self) -> [f64; 2] {
        self.0.range()
    }
    fn smooth_until(&self, from: f64, end: f64, tolerance: f64) -> Option<f64> {
        self.0.smooth_until(from, end, tolerance)
    }
    fn is_smooth(&self) -> bool {
        self.0.is_smooth()
    }
}

/// u + u' ε.
fn moved<U: InputSet>(value: &U, rate: &U, step: U::Scalar) -> U::On<Dual<U::Scalar>> {
    let (values, rates) = (value.numbers(), rate.numbers());
    let mut both = values.into_iter().zip(rates);
    U::On::of(&mut || both.next().map_or(Dual::constant(0.0), |(value, rate)| Dual { re: value, eps: rate * step }))
}

/// Returns the same inputs on dual numbers, without derivatives.
pub(super) fn constant<U: InputSet>(inputs: &U) -> U::On<Dual<U::Scalar>> {
    moved(inputs, &U::all(U::Scalar::from_f64(0.0)), U::Scalar::from_f64(0.0))
}
