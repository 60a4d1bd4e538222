//! What is known of a motion that has blown up.

use core::fmt;

use crate::integrator::StepFailure;

/// A motion that has blown up.
#[derive(Clone, Debug, PartialEq)]
pub struct Divergence {
    /// The time of the last state that was looked at and had not begun to.
    pub since: f64,
    /// The size of the last step.
    pub step: f64,
    /// How many times speeds have grown since the start.
    pub growth: f64,
    /// The rate of the fastest motion that the equations allow at `since`, the reciprocal of a time; of the state last seen if
    /// steps resolve that of `since`. `None` if they have no value.
    pub rate: Option<f64>,
    /// True of methods without a Newton iteration.
    pub is_explicit: bool,
    /// True of equations of first order, for which there are no methods for stiff systems.
    pub is_first_order: bool,
    /// What failed in the end, if something did.
    pub failure: Option<StepFailure>,
}

impl fmt::Display for Divergence {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Divergence { since, step, growth, rate, is_explicit, is_first_order, failure } = self;
        f.write_str("the motion has blown up")?;
        if *growth > 2.0 {
            write!(f, ": speeds are {growth:.0e} times those until t = {since:?}")?;
        }
        match rate {
            Some(rate) if *is_explicit && rate * step > 1.0 => {
                write!(
                    f,
                    "; the fastest motion there has a rate of {rate:.1e}, for which steps of {step:?} are too large: an \
                     explicit method needs about {:.1e}",
                    rate.recip()
                )?;
                if *is_first_order {
                    Ok(())
                } else {
                    f.write_str(", or take one for stiff systems (`lie_alpha`, `tr_bdf2`)")
                }
            }
            Some(rate) => write!(
                f,
                "; the fastest motion there has a rate of {rate:.1e} and steps are {step:?}: take smaller ones, and look \
                 whether a force feeds energy to the motion; blows that are meant are let through by `.max_velocity_growth(…)`"
            ),
            None => f.write_str("; take smaller steps"),
        }?;
        match failure {
            Some(failure) => write!(f, " (what failed in the end: {failure})"),
            None => Ok(()),
        }
    }
}
