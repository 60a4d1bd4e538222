//! Diverging motions.

use core::fmt;

use crate::integrator::StepFailure;
use crate::messages::{alternatives, always, see, setting};

/// The growth of a diverging motion and its probable cause.
#[derive(Clone, Debug, PartialEq)]
pub struct Divergence {
    /// The time of the last checked state before the growth.
    pub since: f64,
    /// The size of the last step.
    pub step: f64,
    /// The ratio of the last speed to the largest speed before the growth.
    pub growth: f64,
    /// The largest rate of the equations of motion at `since`, the reciprocal of a time. If the steps resolve this rate, the rate at the last
    /// state. `None` if the rate is not defined.
    pub rate: Option<f64>,
    /// True for methods without a Newton iteration.
    pub is_explicit: bool,
    /// True for equations of first order, which have no methods for stiff systems.
    pub is_first_order: bool,
    /// The failure of the last step, if it had no result.
    pub failure: Option<StepFailure>,
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Divergence { since, step, growth, rate, is_explicit, is_first_order, failure } = self;
        f.write_str("the motion diverges")?;
        if *growth > 2.0 {
            write!(f, ": speeds have grown by a factor of {growth:.0e} since t = {since:?}")?;
        }
        match rate {
            Some(rate) if *is_explicit && rate * step > 1.0 => {
                write!(
                    f,
                    ". The largest rate of the equations there is {rate:.1e} per unit of time, and steps of {step:?} are too large for an explicit \
                     method: use steps of about {:.1e}",
                    rate.recip()
                )?;
                if !is_first_order {
                    f.write_str(", or a method for stiff systems (`lie_alpha`, `tr_bdf2`)")?;
                }
            }
            Some(rate) => write!(
                f,
                ". The largest rate of the equations there is {rate:.1e} per unit of time, and the step is {step:?}. {}",
                alternatives([
                    always("Use smaller steps"),
                    always("check that no force supplies energy"),
                    setting("max_velocity_growth").after("allow intended impacts with"),
                ])
            )?,
            None => f.write_str("; use smaller steps")?,
        }
        write!(f, " {}", see("divergence"))?;
        // Values that are not finite follow from the divergence.
        let failure = failure.as_ref().filter(|failure| !matches!(failure, StepFailure::NotFinite { .. }));
        failure.map_or(Ok(()), |failure| write!(f, "; the last step failed: {failure}"))
    }
}
