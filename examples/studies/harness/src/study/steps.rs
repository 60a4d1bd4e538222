//! Error estimates and step sizes over time (paper 1, Figs. 10-12).

use core::error::Error;

use super::{history, in_parallel};
use crate::example::Example;
use crate::figure::{Axis, Panel, Series};
use crate::request::{Outcome, Recording, Request, Step};

/// Rtol and Atol of the paper's runs.
pub const TOLERANCES: (f64, f64) = (1e-6, 1e-8);

/// The estimates of one run with a fixed step: its size, then times and estimated errors.
pub type Estimates = (f64, Vec<(f64, f64)>);

/// The error estimates of `method` along runs with the steps 2h, h and h/2, in units of [`TOLERANCES`].
///
/// # Errors
/// An error if a run cannot be started or fails on its way.
pub fn estimates(
    example: &Example,
    group: &str,
    request: &Request,
    h: f64,
) -> Result<Vec<Estimates>, Box<dyn Error + Send + Sync>> {
    let sizes = [2.0 * h, h, 0.5 * h];
    in_parallel(sizes.len(), |index| {
        let (relative, absolute) = TOLERANCES;
        let step = Step::Estimated { step: sizes[index], relative, absolute };
        let request = Request { step, recording: Recording::Samples, ..request.clone() };
        let outcome = history(example, group, &request)?;
        Ok((sizes[index], outcome.steps.iter().map(|step| (step.time, step.error)).collect()))
    })
}

/// The median over time of the ratio of the estimates of each run to the estimates of the next run, which has half the step.
pub fn ratios(estimates: &[Estimates]) -> Vec<f64> {
    estimates
        .windows(2)
        .map(|pair| {
            // Step n of the longer size starts with step 2n of the shorter one.
            let mut ratios: Vec<f64> = (pair[0].1.iter().zip(pair[1].1.iter().step_by(2)))
                .map(|(coarse, fine)| coarse.1 / fine.1)
                .filter(|ratio| ratio.is_finite())
                .collect();
            ratios.sort_by(f64::total_cmp);
            ratios.get(ratios.len() / 2).copied().unwrap_or(f64::NAN)
        })
        .collect()
}

/// Fig. 10.
pub fn estimates_panel(title: &str, estimates: &[Estimates]) -> Panel {
    let names = ["2h", "h", "h/2"];
    let lines = estimates.iter().zip(names).enumerate();
    let series = lines.map(|(style, ((_, points), name))| Series::line(name, style, points.clone())).collect();
    Panel::over_time(title, Axis::log("estimated error err"), series)
}

/// Figs. 11 and 12: errors of the accepted steps and their sizes over time.
pub fn history_panels(runs: &[(&str, &Outcome)]) -> [Panel; 2] {
    let panel = |title: &str, label: &str, value: fn(f64, f64) -> f64| {
        let lines = runs.iter().enumerate().map(|(style, (label, run))| {
            let accepted = run.steps.iter().filter(|step| step.accepted);
            Series::line(label, style, accepted.map(|step| (step.time, value(step.error, step.step))).collect())
        });
        Panel::over_time(title, Axis::log(label), lines.collect())
    };
    [panel("Estimated error", "err", |error, _| error), panel("Step size", "h [s]", |_, step| step)]
}
