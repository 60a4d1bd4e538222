//! The numbers of inputs by their places.

use super::InputSet;
use crate::scalar::Scalar;

/// The numbers of inputs on the stack, as many as there is room for; the rest in a list.
pub(super) struct Numbers<S> {
    first: [S; ROOM],
    rest: Vec<S>,
}

/// Inputs of so many numbers are taken apart without an allocation.
const ROOM: usize = 32;

impl<S: Scalar> Numbers<S> {
    pub fn of<U: InputSet<Scalar = S>>(inputs: &U) -> Self {
        let mut numbers = Numbers { first: [S::from_f64(0.0); ROOM], rest: Vec::new() };
        let mut at = 0;
        inputs.visit(&mut |number| {
            match numbers.first.get_mut(at) {
                Some(place) => *place = number,
                None => numbers.rest.push(number),
            }
            at += 1;
        });
        numbers
    }

    /// The number at this place, in order.
    pub fn get(&self, at: usize) -> S {
        let number = if at < ROOM { self.first.get(at) } else { self.rest.get(at - ROOM) };
        number.copied().unwrap_or_else(|| S::from_f64(f64::NAN))
    }

    /// Inputs of a part of each number.
    pub fn inputs<U: InputSet>(&self, part: impl Fn(S) -> U::Scalar) -> U {
        let mut at = 0;
        U::of(&mut || {
            at += 1;
            part(self.get(at - 1))
        })
    }
}
