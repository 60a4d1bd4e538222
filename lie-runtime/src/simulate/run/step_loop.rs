//! Loops over steps of fixed or error-controlled size.

use super::run_state::{EarlyEnd, RunState, StepResult};
use super::stagnation::StagnationMonitor;
use super::stiffness::StiffnessMonitor;
use super::{COINCIDE, round_off};
use crate::integrator::{Decision, StepController};
use crate::simulate::failure::Failure;
use crate::simulate::motion::Simulated;
use crate::simulate::outcome::StepRecord;
use crate::simulate::setup::{Plan, StepSize};

/// The remainder of an interrupted step is merged with the next step if it is shorter than this part of a step. λ and v that follow from
/// differences of positions contain the round-off of the positions, divided by h² and h. A method that restarts there would keep this
/// error.
const REMNANT: f64 = 1e-2;
/// If there is no next step, a remainder below this part of a step is bridged without the method.
const BRIDGED: f64 = 1e-4;

/// Makes the steps to the end.
pub(super) fn run<P: Simulated>(motion: &mut RunState<'_, P>, plan: &Plan) -> Result<(), EarlyEnd> {
    let mut controlled_step = plan.initial_step;
    let mut monitors = (StagnationMonitor::from(motion.time()), StiffnessMonitor::default());
    while let Some(end) = motion.segment()? {
        match &plan.size {
            StepSize::Fixed(h) => fixed(motion, *h, end)?,
            StepSize::Controlled(controller) => {
                while motion.time() < end {
                    let bend = motion.smooth_until(end, controller.relative_tolerance);
                    controlled_step = Some(controlled(motion, controller, controlled_step, bend, &mut monitors)?);
                }
            }
        }
    }
    Ok(())
}

/// Number of steps of fixed size between two times.
#[derive(Clone, Copy)]
pub(crate) struct FixedSteps {
    /// The number of steps.
    count: usize,
    /// The number of steps of full size. The last step ends exactly at the end time.
    whole: usize,
}

impl FixedSteps {
    /// Divides the interval into steps of size h.
    pub fn of(start: f64, end: f64, h: f64) -> Self {
        let ratio = (end - start) / h;
        let rounded = ratio.round();
        // The end is a multiple of h up to the round-off of the division.
        let of_times = 2.0 * round_off(start.abs().max(end.abs())) / h;
        let even = rounded >= 1.0 && (ratio - rounded).abs() <= COINCIDE + 4.0 * f64::EPSILON * rounded + of_times;
        #[allow(clippy::cast_possible_truncation, clippy::cast_sign_loss)]
        // In range: not negative and below 2⁵³.
        let count = if even { rounded } else { ratio.ceil() } as usize;
        let others = count.saturating_sub(1);
        let is_last_whole = count > 0 && start + others as f64 * h + h == end;
        FixedSteps { count, whole: if is_last_whole { count } else { others } }
    }

    /// Returns the number of steps.
    pub fn count(self) -> usize {
        self.count
    }

    /// Returns the number of steps of full size.
    pub fn whole(self) -> usize {
        self.whole
    }
}

/// Makes steps of size h. The last step is shorter if the interval is not a multiple of h.
fn fixed<P: Simulated>(motion: &mut RunState<'_, P>, h: f64, end: f64) -> Result<(), EarlyEnd> {
    let start = motion.time();
    let steps = FixedSteps::of(start, end, h);
    let count = steps.count;
    let mut last = StepResult::Complete;
    // True after the step from an event to the end of the interrupted step.
    let mut is_shorter = false;
    // True after a step that delayed inputs have shortened.
    let mut was_cut = false;
    let mut n = 1;
    while n <= count {
        let planned = if n == count { end } else { start + n as f64 * h };
        let time = motion.reach(planned);
        let is_cut = time < planned;
        let is_whole = last == StepResult::Complete && n <= steps.whole() && !is_cut && !was_cut;
        let step = if is_whole { h } else { time - motion.time() };
        // If an event is at the end of a step, the next step begins there.
        let is_left_over = last == StepResult::Interrupted && n < count && step <= REMNANT * h && !is_cut;
        if step > 0.0 && !is_left_over {
            motion.check_limits()?;
            if (last == StepResult::Interrupted || is_cut) && step < BRIDGED * h {
                motion.bridge(step)?;
            } else {
                let made =
                    if is_shorter || is_cut || was_cut { motion.step_after_shorter(step) } else { motion.step(step) };
                made.map_err(Failure::Step)?;
            }
            is_shorter = last == StepResult::Interrupted;
            last = motion.accept(time)?;
            was_cut = is_cut;
        }
        n += usize::from((last == StepResult::Complete && !was_cut) || is_left_over || step <= 0.0);
    }
    Ok(())
}

/// Makes error-controlled steps. Returns the next step size.
fn controlled<P: Simulated>(
    motion: &mut RunState<'_, P>,
    controller: &StepController,
    initial_step: Option<f64>,
    end: f64,
    (stagnation, stiffness): &mut (StagnationMonitor, StiffnessMonitor),
) -> Result<f64, EarlyEnd> {
    let start = motion.span().0;
    let lower_order = motion.lower_order();
    let mut h = match initial_step {
        Some(h) => h.min(controller.maximum_step),
        None => trial(motion, controller, lower_order),
    };
    let mut rejections = 0;
    let mut last = StepResult::Complete;
    while motion.time() < end {
        motion.check_limits()?;
        let (time, end) = (motion.time(), motion.reach(end));
        let remaining = end - time;
        // A last step that is up to 1 % longer than requested is better than an additional very short step.
        let is_last = 1.01 * h >= remaining;
        let step = if is_last { remaining } else { h };
        if last == StepResult::Interrupted && step < BRIDGED * h {
            motion.bridge(step)?;
            motion.note(StepRecord { time, step, error: 0.0, accepted: true });
            last = motion.accept(end)?;
            continue;
        }
        let (indicator, cause) = match motion.step_with_estimate(step, controller) {
            Ok(indicator) => (indicator, None),
            Err(failed) if failed.failure.may_pass_with_smaller_step() => (f64::NAN, Some(failed.failure)),
            Err(failed) => return Err(Failure::Step(failed).into()),
        };
        let decision = controller.decide(indicator, step, lower_order);
        let accepted = matches!(decision, Decision::Accept { .. });
        motion.note(StepRecord { time, step, error: indicator, accepted });
        let is_searched = stagnation.record_attempt(time, motion.span().1);
        match decision {
            Decision::Accept { next } => {
                rejections = 0;
                last = motion.accept(if is_last { end } else { time + step })?;
                // Interrupted steps are not searched.
                if is_searched && last == StepResult::Complete {
                    motion.check_stagnation(stagnation)?;
                }
                motion.check_stiffness(stiffness, step);
                // An interrupted step does not reduce the previous step size.
                h = if is_last || last == StepResult::Interrupted { next.max(h) } else { next };
            }
            Decision::Reject { next } => {
                rejections += 1;
                h = next;
                // A singularity that remains with smaller steps is reported as such.
                if rejections > controller.maximum_rejections {
                    return Err(Failure::TooManyRejections { time, step, rejections, error: indicator, cause }.into());
                }
            }
        }
        let minimum = controller.minimum_step.max(16.0 * f64::EPSILON * motion.time().abs().max(start.abs()));
        if h < minimum && motion.time() < end {
            let time = motion.time();
            return Err(Failure::StepTooSmall { time, step: h, minimum, error: indicator, cause }.into());
        }
    }
    Ok(h)
}

/// Returns the size of the first step. It follows from the error of a trial step of 1/100 of the characteristic time of the motion. If the
/// trial fails, rejections determine the size.
fn trial<P: Simulated>(motion: &mut RunState<'_, P>, controller: &StepController, lower_order: usize) -> f64 {
    let span = motion.span().1 - motion.time();
    let (speed, change) = motion.speed();
    let guess = if speed > 0.0 && change > 0.0 { 1e-2 * speed / change } else { 1e-3 * span };
    let h = guess.min(1e-2 * span).min(controller.maximum_step).max(controller.minimum_step);
    let wide = controller.smallest_factor(1e-6).largest_factor(1e3);
    let factor = match motion.step_with_estimate(h, controller) {
        Ok(indicator) => wide.factor(indicator, lower_order),
        Err(_) => controller.smallest_factor,
    };
    (h * factor).min(span).min(controller.maximum_step).max(controller.minimum_step)
}
