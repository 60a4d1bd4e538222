//! Inputs that move along a direction.

use super::{Driver, InputSet, OverTime};
use crate::scalar::Dual;

/// Two times that differ by less than this part of a piece are the same.
const SAME_TIME: f64 = 1e-6;

/// The derivatives of inputs along a direction that is constant from each of some times to the next, and after the last; nothing
/// before the first.
#[derive(Clone, Debug, PartialEq)]
pub struct Slopes {
    times: Vec<f64>,
    pieces: Vec<Vec<f64>>,
    near: f64,
}

impl Slopes {
    /// As many pieces as times, which are in order; a piece has the numbers of the inputs in the order of their declaration, matrices
    /// by rows.
    pub(crate) fn new(times: &[f64], pieces: &[Vec<f64>]) -> Self {
        let smallest = times.windows(2).map(|pair| pair[1] - pair[0]).fold(f64::INFINITY, f64::min);
        let near = if smallest.is_finite() { SAME_TIME * smallest } else { 0.0 };
        Slopes { times: times.to_vec(), pieces: pieces.to_vec(), near }
    }

    /// The piece that there is at a time.
    fn at(&self, time: f64) -> Option<&[f64]> {
        let begun = self.times.partition_point(|&begin| begin <= time + self.near);
        begun.checked_sub(1).map(|piece| self.pieces[piece].as_slice())
    }
}

/// Inputs over time, which move.
pub(super) struct Moving<Q, V, U: InputSet> {
    pub inputs: Driver<Q, V, U>,
    pub slopes: Slopes,
}

impl<Q, V, U: InputSet<Scalar = Dual<f64>>> OverTime<U> for Moving<Q, V, U> {
    /// Pieces have no rates: those that are asked for are those of what is given.
    fn jet(&self, t: Dual<f64>) -> [U; 3] {
        let [rate, second] = self.inputs.rates(t);
        [self.at(t), rate, second]
    }
    fn at(&self, t: Dual<f64>) -> U {
        moved(&self.inputs.at_time(t), self.slopes.at(t.re))
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
fn moved<U: InputSet<Scalar = Dual<f64>>>(inputs: &U, slopes: Option<&[f64]>) -> U {
    let Some(slopes) = slopes else { return *inputs };
    let mut numbers = inputs.numbers().into_iter().zip(slopes);
    U::of(&mut || numbers.next().map_or(Dual::constant(f64::NAN), |(own, slope)| Dual { eps: own.eps + slope, ..own }))
}
