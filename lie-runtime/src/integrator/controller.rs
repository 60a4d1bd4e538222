//! Step-size control by the local error (paper 1, section 3), independent of the method.

use super::{LocalError, State};
use crate::group::TangentVector;
use crate::messages::see;
use crate::scalar::{Scalar, larger};
use crate::system::MechanicalSystem;

/// Which components of y = (θ, v) the error indicator (paper 1, eq. 21) runs over.
///
/// The paper defines y = (θ, v), but its m = 6(N + 1) counts the components of θ alone.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum ErrorComponents {
    /// θ and v; m is twice the dimension of the group.
    #[default]
    IncrementAndVelocity,
    /// θ alone; m is the dimension of the group.
    Increment,
}

/// The error indicator (paper 1, eq. 21) and the choice of the next step (eq. 22).
///
/// ```
/// use lie_runtime::integrator::StepController;
/// use lie_runtime::prelude::*;
///
/// #[mechanical_system]
/// pub mod oscillator {
///     #[configuration]
///     pub struct Position { pub x: f64 }
///
///     #[kinetic_energy]
///     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x.powi(2) }
///
///     #[potential]
///     fn spring(q: &Position) -> f64 { 0.5 * q.x.powi(2) }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let system = oscillator::System::new()?;
/// // The relative and the absolute tolerance. A step grows at most by the factor 2.
/// let controller = StepController::new(1e-6, 1e-8).largest_factor(2.0);
/// let run = Simulation::of(&system)
///     .at_rest(oscillator::Position { x: 1.0 })
///     .step_controller(controller)
///     .end_time(1.0)
///     .run()?;
/// assert!((run.last().configuration.x - 1.0_f64.cos()).abs() < 1e-5);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(alias = "adaptive step size")]
#[doc(alias = "step size control")]
#[non_exhaustive]
pub struct StepController {
    /// The relative tolerance Rtol, dimensionless.
    pub(crate) relative_tolerance: f64,
    /// The absolute tolerance Atol, in the units of each component.
    pub(crate) absolute_tolerance: f64,
    /// The safety factor fac, default 0.8.
    pub(crate) safety: f64,
    /// The smallest step factor facmin, default 0.2: a step is at least this multiple of the previous step.
    pub(crate) smallest_factor: f64,
    /// The largest step factor facmax, default 5: a step is at most this multiple of the previous step.
    pub(crate) largest_factor: f64,
    /// The components that count, default (θ, v).
    pub(crate) components: ErrorComponents,
    /// The minimum step, default 0 (always at least 16 units of round-off of the time); a shorter step is an error.
    pub(crate) minimum_step: f64,
    /// The maximum step, default infinite.
    pub(crate) maximum_step: f64,
    /// The number of consecutive rejections that is an error, default 20.
    pub(crate) maximum_rejections: usize,
}

/// An error of the settings of a controller.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum ControllerError {
    /// A setting is out of its range or NaN.
    #[error("the {name} is {value}; it must be {expected} {}", see("tolerances"))]
    Setting {
        /// The setting.
        name: &'static str,
        /// Its value.
        value: f64,
        /// The valid range.
        expected: &'static str,
    },
}

crate::messages::debug_is_the_message!(ControllerError);
/// The decision about a step.
#[derive(Clone, Copy, Debug, PartialEq)]
#[doc(hidden)]
pub enum Decision {
    /// The step is accepted; the next step has this size.
    Accept {
        /// The size of the next step.
        next: f64,
    },
    /// The step is rejected and repeated with this size.
    Reject {
        /// The size of the repeated step.
        next: f64,
    },
}

impl Default for StepController {
    /// Creates a controller with a relative tolerance of 1e-6 and an absolute tolerance of 1e-8.
    fn default() -> Self {
        StepController::new(1e-6, 1e-8)
    }
}

crate::setters::setters! {
    StepController {
        /// Sets the relative tolerance Rtol, dimensionless.
        relative_tolerance: f64,
        /// Sets the absolute tolerance Atol, in the units of each component.
        absolute_tolerance: f64,
        /// Sets the safety factor fac, default 0.8.
        safety: f64,
        /// Sets the smallest step factor facmin, default 0.2: a step is at least this multiple of the previous step.
        smallest_factor: f64,
        /// Sets the largest step factor facmax, default 5: a step is at most this multiple of the previous step.
        largest_factor: f64,
        /// Sets the components that count, default (θ, v).
        components: ErrorComponents,
        /// Sets the minimum step, default 0 (always at least 16 units of round-off of the time); a shorter step is an error.
        minimum_step: f64,
        /// Sets the maximum step, default infinite.
        maximum_step: f64,
        /// Sets the number of consecutive rejections that is an error, default 20.
        maximum_rejections: usize,
    }
}

impl StepController {
    /// Creates the controller of paper 1 with these tolerances.
    pub fn new(relative_tolerance: f64, absolute_tolerance: f64) -> Self {
        StepController {
            relative_tolerance,
            absolute_tolerance,
            safety: 0.8,
            smallest_factor: 0.2,
            largest_factor: 5.0,
            components: ErrorComponents::default(),
            minimum_step: 0.0,
            maximum_step: f64::INFINITY,
            maximum_rejections: 20,
        }
    }

    /// Checks every setting.
    ///
    /// # Errors
    /// [`ControllerError`] with the first setting that is out of its range.
    #[doc(hidden)]
    pub fn check(&self) -> Result<(), ControllerError> {
        let check = |name, value: f64, holds: bool, expected| {
            if holds { Ok(()) } else { Err(ControllerError::Setting { name, value, expected }) }
        };
        let not_negative = "finite and not negative";
        let (relative, absolute) = (self.relative_tolerance, self.absolute_tolerance);
        check("relative tolerance", relative, relative.is_finite() && relative >= 0.0, not_negative)?;
        // Without an absolute tolerance a component of exactly zero would divide by zero.
        check("absolute tolerance", absolute, absolute.is_finite() && absolute > 0.0, "finite and positive")?;
        check("safety factor", self.safety, self.safety > 0.0 && self.safety <= 1.0, "in (0, 1]")?;
        let (least, most) = (self.smallest_factor, self.largest_factor);
        check("smallest step factor", least, least > 0.0 && least < 1.0, "in (0, 1)")?;
        check("largest step factor", most, most.is_finite() && most > 1.0, "finite and greater than 1")?;
        let (shortest, longest) = (self.minimum_step, self.maximum_step);
        check("minimum step", shortest, shortest.is_finite() && shortest >= 0.0, not_negative)?;
        check("maximum step", longest, longest > 0.0 && longest >= shortest, "positive and not under the minimum step")
    }

    /// Returns the error indicator of eq. (21), the largest of all lanes; NaN if an estimate is NaN.
    ///
    /// The root of the mean square of (y − ŷ) / (Atol + max(|y_{n-1}|, |y_n|) Rtol), with θ = 0 at the start of the step.
    #[doc(hidden)]
    pub fn error_norm<M: MechanicalSystem>(&self, from: &State<M>, to: &State<M>, error: &LocalError<M>) -> f64 {
        let (relative, absolute) = (self.relative_tolerance, self.absolute_tolerance);
        let dimension = error.increment.component_count();
        let in_lane = |lane: usize| {
            let mut sum = 0.0;
            let mut count = dimension;
            for i in 0..dimension {
                let scale = absolute + relative * error.increment.component(i).lane(lane).abs();
                let ratio = error.increment_error.component(i).lane(lane) / scale;
                sum += ratio * ratio;
            }
            if self.components == ErrorComponents::IncrementAndVelocity {
                count += dimension;
                for i in 0..dimension {
                    let (before, after) = (from.velocity.component(i).lane(lane), to.velocity.component(i).lane(lane));
                    let ratio = error.velocity_error.component(i).lane(lane)
                        / (absolute + relative * before.abs().max(after.abs()));
                    sum += ratio * ratio;
                }
            }
            (sum / count.max(1) as f64).sqrt()
        };
        (0..M::Scalar::LANES).fold(0.0, |largest, lane| larger(largest, in_lane(lane)))
    }

    /// Returns the factor of eq. (22), with μ the lower order of the pair.
    ///
    /// A NaN error gives the smallest factor.
    #[doc(hidden)]
    pub fn factor(&self, error: f64, lower_order: usize) -> f64 {
        if error.is_nan() {
            return self.smallest_factor;
        }
        let factor = self.safety * error.recip().powf(1.0 / (lower_order as f64 + 1.0));
        factor.clamp(self.smallest_factor, self.largest_factor)
    }

    /// Accepts a step of size `step` if its error indicator is at most 1, and chooses the next size.
    #[doc(hidden)]
    pub fn decide(&self, error: f64, step: f64, lower_order: usize) -> Decision {
        let next = (step * self.factor(error, lower_order)).min(self.maximum_step);
        if error <= 1.0 { Decision::Accept { next } } else { Decision::Reject { next } }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn factors_follow_equation_22() {
        let controller = StepController::new(1e-6, 1e-8);
        assert_eq!(controller.factor(1.0, 4), 0.8);
        assert!((controller.factor(1.0 / 32.0, 4) - 1.6).abs() < 1e-15);
        assert!((controller.factor(32.0, 4) - 0.4).abs() < 1e-15);
        assert_eq!(controller.factor(0.0, 4), 5.0);
        assert_eq!(controller.factor(1e9, 4), 0.2);
        assert_eq!(controller.factor(f64::INFINITY, 4), 0.2);
        assert_eq!(controller.factor(f64::NAN, 4), 0.2);
    }

    #[test]
    fn decisions_turn_at_one() {
        let controller = StepController::new(1e-6, 1e-8).maximum_step(2.0);
        assert_eq!(controller.decide(1.0, 1.0, 4), Decision::Accept { next: 0.8 });
        assert_eq!(controller.decide(0.0, 1.0, 4), Decision::Accept { next: 2.0 });
        assert!(matches!(controller.decide(1.0 + 1e-15, 1.0, 4), Decision::Reject { .. }));
        assert_eq!(controller.decide(f64::NAN, 1.0, 4), Decision::Reject { next: 0.2 });
    }

    #[test]
    fn settings_out_of_range_are_named() {
        let good = StepController::new(1e-6, 1e-8);
        assert_eq!(good.check(), Ok(()));
        for (bad, name) in [
            (good.relative_tolerance(f64::NAN), "relative tolerance"),
            (good.absolute_tolerance(0.0), "absolute tolerance"),
            (good.safety(1.5), "safety factor"),
            (good.smallest_factor(1.0), "smallest step factor"),
            (good.largest_factor(1.0), "largest step factor"),
            (good.minimum_step(-1.0), "minimum step"),
            (good.minimum_step(2.0).maximum_step(1.0), "maximum step"),
        ] {
            assert!(bad.check().unwrap_err().to_string().contains(name), "{name}");
        }
    }
}
