//! The times of the states of a run. A formula gives the times of equal steps, without memory for each step.

use crate::simulate::{FixedSteps, StepSize};

/// The times of all states, in order.
pub(in crate::gradient) enum Times {
    /// The first `count` of start + k h; the last of all steps ends at the end time.
    Even {
        start: f64,
        step: f64,
        end: f64,
        steps: usize,
        count: usize,
    },
    Listed(Vec<f64>),
}

impl Times {
    /// Returns the times for a new run.
    pub fn of(start: f64, size: Option<&StepSize>, end: Option<f64>) -> Self {
        match (size, end) {
            (Some(&StepSize::Fixed(step)), Some(end)) => {
                Times::Even { start, step, end, steps: FixedSteps::of(start, end, step).count(), count: 0 }
            }
            _ => Times::Listed(Vec::new()),
        }
    }

    /// The final number of times, if it is known.
    pub fn expected(&self) -> Option<usize> {
        match self {
            Times::Even { steps, .. } => Some(steps.saturating_add(1)),
            Times::Listed(_) => None,
        }
    }

    /// Adds the next time.
    pub fn push(&mut self, time: f64) {
        let at = self.count();
        match self {
            Times::Even { start, step, end, steps, count } if time == even(at, *start, *step, *end, *steps) => {
                *count += 1;
            }
            Times::Even { .. } => {
                let listed = (0..at).map(|at| self.at(at)).chain([time]).collect();
                *self = Times::Listed(listed);
            }
            Times::Listed(times) => times.push(time),
        }
    }

    /// The number of times.
    pub fn count(&self) -> usize {
        match self {
            Times::Even { count, .. } => *count,
            Times::Listed(times) => times.len(),
        }
    }

    /// The time of a state.
    pub fn at(&self, at: usize) -> f64 {
        match self {
            Times::Even { start, step, end, steps, .. } => even(at, *start, *step, *end, *steps),
            Times::Listed(times) => times[at],
        }
    }

    /// The size of the step from a state; zero for the last state.
    pub fn step(&self, at: usize) -> f64 {
        if at + 1 < self.count() { self.at(at + 1) - self.at(at) } else { 0.0 }
    }

    /// The size of the shortest step.
    pub fn shortest(&self) -> f64 {
        (1..self.count()).map(|at| self.step(at - 1)).fold(f64::INFINITY, f64::min)
    }

    /// The index of the first state with a later time.
    pub fn later_than(&self, time: f64) -> usize {
        let (mut low, mut high) = (0, self.count());
        while low < high {
            let middle = low.midpoint(high);
            if self.at(middle) <= time {
                low = middle + 1;
            } else {
                high = middle;
            }
        }
        low
    }

    /// The memory in bytes, including the memory for a reallocation.
    pub fn bytes(&self) -> u64 {
        match self {
            Times::Even { .. } => 0,
            Times::Listed(times) => (3 * times.capacity() * size_of::<f64>()) as u64,
        }
    }
}

fn even(at: usize, start: f64, step: f64, end: f64, steps: usize) -> f64 {
    if at > 0 && at == steps { end } else { start + at as f64 * step }
}
