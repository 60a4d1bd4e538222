//! Dead time: inputs that are quantities of the run at an earlier time, u(t) = y(t − T).
//!
//! The past of y is a polynomial for each accepted step. It interpolates y in states of the step, which [`Integrator::sample`] computes with
//! the order p of the method, and has the degree p. A step is at most T long, so that the stages of explicit and implicit methods read known
//! values only.
//!
//! A discontinuity of y⁽ᵏ⁾ at t is a discontinuity of u⁽ᵏ⁾ at t + T, and y may read a velocity, whose derivative y⁽ᵏ⁺¹⁾ is discontinuous
//! there (Bellen and Zennaro, *Numerical Methods for Delay Differential Equations*, 2003, section 2.2). Steps end at these times for k ≤ p,
//! and the method restarts there. The first discontinuities, with k = 0, are the start and events with changes.
//!
//! [`Integrator::sample`]: crate::integrator::Integrator::sample

use crate::inputs::{DelayedInputs, InitialHistory, InputError, delay_nodes};
use crate::integrator::Problem;
use crate::simulate::setup::{Plan, StepSize};

/// Relative tolerance for equal times, in units of the shortest dead time.
const SAME_TIME: f64 = 1e-9;

/// A requested dead time.
pub(crate) struct DeadTime {
    pub input: String,
    pub quantity: String,
    pub duration: f64,
    /// The values before the start. Default: the constant initial value.
    pub before: Option<InitialHistory>,
}

/// The values of a quantity in a state: a section of the state and the indices of the values in it.
pub(in crate::simulate) struct DelayedQuantity {
    pub section: usize,
    pub values: Vec<usize>,
}

/// Finds the inputs and the quantities of dead times.
pub(in crate::simulate) type Resolve<P> = fn(
    &<P as Problem>::System,
    &<P as Problem>::State,
    &[DeadTime],
) -> Result<(DelayedInputs, Vec<DelayedQuantity>), InputError>;

/// Visits the values of a section of a state.
pub(in crate::simulate) type VisitSection<P> =
    fn(&<P as Problem>::System, &<P as Problem>::State, usize, &mut dyn FnMut(f64));

/// Sets the delayed inputs of a system.
pub(in crate::simulate) type SetDelayed<P> = fn(&mut <P as Problem>::System, DelayedInputs);

/// The functions of a system with delayed inputs.
pub(in crate::simulate) struct DelayFunctions<P: Problem> {
    pub resolve: Resolve<P>,
    pub visit: VisitSection<P>,
    pub set: SetDelayed<P>,
    pub copy: fn(&P::System) -> Box<P::System>,
}

/// The dead times of a run.
pub(crate) struct Delays<P: Problem> {
    pub requested: Vec<DeadTime>,
    pub(in crate::simulate) functions: DelayFunctions<P>,
    /// The inputs, once their names are found.
    inputs: Option<DelayedInputs>,
    quantities: Vec<DelayedQuantity>,
    /// The order of the method.
    order: usize,
    /// Times of discontinuities, with the order of the discontinuous derivative, in the order of time.
    breaks: Vec<(f64, usize)>,
}

impl<P: Problem> Delays<P> {
    pub(in crate::simulate) fn of(functions: DelayFunctions<P>) -> Self {
        Delays { requested: Vec::new(), functions, inputs: None, quantities: Vec::new(), order: 1, breaks: Vec::new() }
    }

    /// Finds the inputs and the quantities.
    pub fn resolve(&mut self, system: &mut P::System, state: &P::State) -> Result<(), InputError> {
        let (inputs, quantities) = (self.functions.resolve)(system, state, &self.requested)?;
        (self.inputs, self.quantities) = (Some(inputs), quantities);
        self.attach(system);
        Ok(())
    }

    /// Sets the delayed inputs of the system. An event may have replaced its inputs.
    pub fn attach(&self, system: &mut P::System) {
        if let Some(inputs) = &self.inputs {
            (self.functions.set)(system, inputs.clone());
        }
    }

    /// Returns the shortest dead time with its input.
    fn shortest(&self) -> Option<&DeadTime> {
        self.requested.iter().min_by(|one, other| one.duration.total_cmp(&other.duration))
    }

    /// Checks that no step is longer than a dead time, and limits the controlled steps.
    pub fn limit_steps(&self, plan: &mut Plan, start: f64) -> Result<(), InputError> {
        let Some(DeadTime { input, duration, .. }) = self.shortest() else { return Ok(()) };
        let step = match plan.size {
            StepSize::Fixed(step) => step,
            StepSize::Controlled(controller) => controller.minimum_step,
        };
        if step > duration * (1.0 + SAME_TIME) {
            return Err(InputError::StepExceedsDeadTime { input: input.clone(), dead_time: *duration, step });
        }
        plan.limit_steps(Some(*duration), true, start);
        Ok(())
    }

    /// Returns the delayed quantities in a state, in the order of the delayed inputs.
    pub fn values(&self, system: &P::System, state: &P::State) -> Vec<f64> {
        let mut found = Vec::new();
        let mut section = Vec::new();
        for quantity in &self.quantities {
            section.clear();
            (self.functions.visit)(system, state, quantity.section, &mut |value| section.push(value));
            found.extend(quantity.values.iter().map(|&at| section[at]));
        }
        found
    }

    /// Sets the constant values before the start from the initial state.
    pub fn start(&mut self, system: &P::System, state: &P::State, order: usize) -> Result<(), InputError> {
        self.order = order;
        let Some(inputs) = &self.inputs else { return Ok(()) };
        // A quantity that reads a delayed input becomes NaN.
        let counts = self.quantities.iter().map(|quantity| quantity.values.len());
        inputs.set_initial(&vec![f64::NAN; counts.clone().sum()]);
        let values = self.values(system, state);
        let mut end = 0;
        for (count, requested) in counts.zip(&self.requested) {
            end += count;
            if !values[end - count..end].iter().all(|value| value.is_finite()) {
                let DeadTime { input, quantity, .. } = requested;
                return Err(InputError::DelayedQuantity { input: input.clone(), quantity: quantity.clone() });
            }
        }
        inputs.set_initial(&values);
        Ok(())
    }

    /// Returns the interpolation nodes of a step, as parts of it. A short step without an error of the method has a linear polynomial.
    pub fn nodes(&self, is_short: bool) -> impl Iterator<Item = f64> + use<P> {
        delay_nodes(if is_short { 1 } else { self.order })
    }

    /// Adds the step of size h from the time `start`, with the values at its nodes.
    pub fn push(&self, start: f64, h: f64, rows: &[Vec<f64>]) {
        if let Some(inputs) = &self.inputs {
            inputs.push(start, h, rows);
        }
    }

    /// Returns the latest end of a step that begins at `time`: `end`, or a discontinuity, or the longest step.
    pub fn reach(&self, time: f64, end: f64) -> f64 {
        let longest = self.shortest().map_or(f64::INFINITY, |shortest| shortest.duration);
        let until = self.breaks.first().map_or(end, |first| first.0);
        let reach = if until < end - self.tolerance(end) { until } else { end };
        if reach - time > longest * (1.0 + SAME_TIME) { time + longest } else { reach }
    }

    /// Begins a step at `time`. Returns true if an input is discontinuous there, or one of its first derivatives.
    pub fn arrive(&mut self, time: f64) -> bool {
        if let Some(inputs) = &self.inputs {
            inputs.begin_step(time);
        }
        let reached = self.breaks.partition_point(|(at, _)| *at <= time + self.tolerance(time));
        let passed: Vec<_> = self.breaks.drain(..reached).collect();
        for (_, derivative) in &passed {
            self.note_discontinuity(time, derivative + 1);
        }
        !passed.is_empty()
    }

    /// Records that the derivative of this order of the quantities may be discontinuous at a time.
    pub fn note_discontinuity(&mut self, time: f64, derivative: usize) {
        if derivative > self.order {
            return;
        }
        for requested in &self.requested {
            let at = time + requested.duration;
            match self.breaks.iter_mut().find(|(known, _)| (known - at).abs() <= SAME_TIME * requested.duration) {
                Some((_, known)) => *known = derivative.min(*known),
                None => self.breaks.push((at, derivative)),
            }
        }
        self.breaks.sort_by(|one, other| one.0.total_cmp(&other.0));
    }

    /// Ends the run, see [`DelayedInputs::end`].
    pub fn end(&self) {
        if let Some(inputs) = &self.inputs {
            inputs.end();
        }
    }

    /// Returns the memory of the history, in bytes.
    pub fn bytes(&self) -> u64 {
        self.inputs.as_ref().map_or(0, DelayedInputs::bytes)
    }

    /// Returns the distance below which times are equal.
    fn tolerance(&self, time: f64) -> f64 {
        let shortest = self.shortest().map_or(0.0, |shortest| shortest.duration);
        (SAME_TIME * shortest).max(8.0 * f64::EPSILON * time.abs())
    }
}
