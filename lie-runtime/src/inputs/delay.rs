//! Inputs with dead time: u(t) = y(t − T), with the past of y as piecewise polynomials.

use core::fmt;
use core::ops::Range;
use std::sync::{Arc, PoisonError, RwLock, RwLockReadGuard, RwLockWriteGuard};

use super::{InputComponents, InputSet};
use crate::scalar::Scalar;

/// Relative tolerance for equal times, in units of the dead time.
const SAME_TIME: f64 = 1e-9;

/// Values before the start of a run, as a function of time.
pub(crate) type InitialHistory = Arc<dyn Fn(f64) -> Vec<f64> + Send + Sync>;

/// The inputs of a run with dead time. All copies of its system share them.
#[derive(Clone)]
#[doc(hidden)]
pub struct DelayedInputs(Arc<RwLock<InputHistory>>);

/// The past of the delayed quantities.
struct InputHistory {
    inputs: Vec<DelayedInput>,
    /// One polynomial for each step, in the order of time.
    pieces: Vec<Piece>,
}

/// An input with dead time.
pub(crate) struct DelayedInput {
    pub name: &'static str,
    /// The indices of its values among the values of all inputs.
    pub values: Range<usize>,
    pub dead_time: f64,
    /// The values before the start, unless they are constant.
    pub before: Option<InitialHistory>,
    /// The constant values before the start.
    pub initial: Vec<f64>,
    /// The index of its first value among the values of all delayed inputs.
    pub offset: usize,
    /// Number of the pieces that have begun at the delayed start of the current step. Later evaluations use no earlier piece, so that a
    /// step that begins at a discontinuity uses the values after it.
    pub begun: usize,
}

/// The values during one step, as polynomials in Newton form.
struct Piece {
    start: f64,
    length: f64,
    nodes: Vec<f64>,
    /// The coefficients of each value.
    coefficients: Vec<Vec<f64>>,
}

/// Returns the interpolation nodes of a polynomial of this degree in [0, 1]: the Chebyshev-Lobatto points.
pub(crate) fn nodes(degree: usize) -> impl Iterator<Item = f64> {
    (0..=degree).map(move |j| 0.5 * (1.0 - (core::f64::consts::PI * j as f64 / degree as f64).cos()))
}

impl Piece {
    /// Interpolates the rows of values at the [`nodes`].
    fn of(start: f64, length: f64, rows: &[Vec<f64>]) -> Self {
        let nodes: Vec<f64> = nodes(rows.len() - 1).collect();
        // Newton's divided differences.
        let divided = |column: usize| {
            let mut differences: Vec<f64> = rows.iter().map(|row| row[column]).collect();
            for order in 1..nodes.len() {
                for j in (order..nodes.len()).rev() {
                    differences[j] = (differences[j] - differences[j - 1]) / (nodes[j] - nodes[j - order]);
                }
            }
            differences
        };
        let coefficients = (0..rows[0].len()).map(divided).collect();
        Piece { start, length, nodes, coefficients }
    }

    /// Evaluates a polynomial, with the derivatives of the scalar type.
    fn at<S: Scalar>(&self, column: usize, time: S) -> S {
        let s = (time - S::from_f64(self.start)) / S::from_f64(self.length);
        let mut value = S::from_f64(0.0);
        for (node, coefficient) in self.nodes.iter().zip(&self.coefficients[column]).rev() {
            value = value * (s - S::from_f64(*node)) + S::from_f64(*coefficient);
        }
        value
    }
}

impl DelayedInput {
    /// Returns the distance below which delayed times are equal.
    fn tolerance(&self, time: f64) -> f64 {
        (SAME_TIME * self.dead_time).max(8.0 * f64::EPSILON * time.abs())
    }
}

impl InputHistory {
    /// Returns the value of the input with this index; `None` if it has no dead time.
    fn value<S: Scalar>(&self, at: usize, time: S) -> Option<S> {
        let input = self.inputs.iter().find(|input| input.values.contains(&at))?;
        let (component, past) = (at - input.values.start, time - S::from_f64(input.dead_time));
        let latest = past.value() - input.tolerance(time.value());
        let begun = self.pieces.partition_point(|piece| piece.start < latest).max(input.begun);
        Some(match (begun.checked_sub(1), &input.before) {
            (Some(last), _) => self.pieces[last].at(input.offset + component, past),
            (None, None) => S::from_f64(input.initial[component]),
            (None, Some(before)) => S::from_f64(before(past.value()).get(component).copied().unwrap_or(f64::NAN)),
        })
    }
}

impl DelayedInputs {
    pub(crate) fn of(inputs: Vec<DelayedInput>) -> Self {
        DelayedInputs(Arc::new(RwLock::new(InputHistory { inputs, pieces: Vec::new() })))
    }

    fn read(&self) -> RwLockReadGuard<'_, InputHistory> {
        self.0.read().unwrap_or_else(PoisonError::into_inner)
    }
    fn write(&self) -> RwLockWriteGuard<'_, InputHistory> {
        self.0.write().unwrap_or_else(PoisonError::into_inner)
    }

    /// Returns true if the input with this name has a dead time.
    pub(super) fn contains(&self, name: &str) -> bool {
        self.read().inputs.iter().any(|input| input.name == name)
    }

    /// Replaces the values of the inputs with dead time.
    pub(super) fn replace<U: InputSet>(&self, time: U::Scalar, inputs: &U) -> U {
        let (history, own) = (self.read(), InputComponents::of(inputs));
        let mut at = 0;
        U::of(&mut || {
            at += 1;
            history.value(at - 1, time).unwrap_or_else(|| own.get(at - 1))
        })
    }

    /// Sets the constant values before the start.
    pub(crate) fn set_initial(&self, values: &[f64]) {
        for input in &mut self.write().inputs {
            input.initial = values[input.offset..][..input.values.len()].to_vec();
        }
    }

    /// Adds the values during a step, one row for each of the [`nodes`].
    pub(crate) fn push(&self, start: f64, length: f64, rows: &[Vec<f64>]) {
        self.write().pieces.push(Piece::of(start, length, rows));
    }

    /// Begins a step at this time.
    pub(crate) fn begin_step(&self, time: f64) {
        let history = &mut *self.write();
        for input in &mut history.inputs {
            let latest = time - input.dead_time + input.tolerance(time);
            input.begun = history.pieces.partition_point(|piece| piece.start <= latest);
        }
    }

    /// Ends the run: values at discontinuities are the values before them.
    pub(crate) fn end(&self) {
        self.write().inputs.iter_mut().for_each(|input| input.begun = 0);
    }

    /// Returns the approximate memory of the history, in bytes.
    pub(crate) fn bytes(&self) -> u64 {
        let history = self.read();
        let of_piece = |piece: &Piece| {
            let coefficients = piece.coefficients.iter().map(|column| size_of::<Vec<f64>>() + size_of_val(&column[..]));
            size_of::<Piece>() + size_of_val(&piece.nodes[..]) + coefficients.sum::<usize>()
        };
        history.pieces.last().map_or(0, |last| (history.pieces.len() * of_piece(last)) as u64)
    }
}

impl fmt::Debug for DelayedInputs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.debug_list().entries(self.read().inputs.iter().map(|input| (input.name, input.dead_time))).finish()
    }
}
