//! Errors against a run that is far more accurate.

use core::error::Error;

use super::{Curve, distance, history, in_parallel, norm};
use crate::example::Example;
use crate::request::{Outcome, Request, Step};
use lie_runtime::simulate::Sample;

/// A method and the numbers of steps up to the end of its runs, as powers of two.
pub type Ladder = (&'static str, core::ops::RangeInclusive<i32>);
/// The numbers of a run whose errors are measured, empty where there are none.
pub type Quantities = fn(&Outcome) -> [Vec<f64>; 3];

/// The relative errors of q, v and λ of several methods over the samples of `reference`, whose settings they share.
///
/// Each error is ‖y − y*‖ / ‖y*‖ over all numbers that represent y at all samples; NaN where there are none.
///
/// # Errors
/// An error if a run cannot be started or the reference fails on its way; errors of other runs that fail are NaN.
pub fn errors_against(
    example: &Example,
    group: &'static str,
    reference: &Request,
    ladders: &[Ladder],
) -> Result<Vec<Curve>, Box<dyn Error + Send + Sync>> {
    errors_of(example, group, reference, ladders, quantities)
}

/// The same for other quantities than q, v and λ.
///
/// # Errors
/// As [`errors_against`].
pub fn errors_of(
    example: &Example,
    group: &'static str,
    reference: &Request,
    ladders: &[Ladder],
    quantities: Quantities,
) -> Result<Vec<Curve>, Box<dyn Error + Send + Sync>> {
    let runs: Vec<(usize, f64)> = ladders
        .iter()
        .enumerate()
        .flat_map(|(index, (_, powers))| powers.clone().map(move |power| (index, reference.end * 0.5f64.powi(power))))
        .collect();
    // The longest run first.
    let mut outcomes = in_parallel(runs.len() + 1, |index| {
        if index == 0 {
            return history(example, group, reference);
        }
        let (ladder, step) = runs[index - 1];
        let request = Request { method: ladders[ladder].0.to_owned(), step: Step::Fixed(step), ..reference.clone() };
        Ok(example.variant(group)?.run(&request)?)
    })?;
    let others = outcomes.split_off(1);
    let exact = quantities(&outcomes[0]);
    let points: Vec<(f64, [f64; 3], f64)> = runs
        .iter()
        .zip(&others)
        .map(|(&(_, step), outcome)| {
            let found = quantities(outcome);
            let error = |k: usize| {
                if outcome.failure.is_some() || exact[k].is_empty() {
                    return f64::NAN;
                }
                distance(&found[k], &exact[k], norm(&exact[k]))
            };
            (step, [error(0), error(1), error(2)], outcome.seconds)
        })
        .collect();
    Ok(ladders
        .iter()
        .enumerate()
        .map(|(index, (method, _))| Curve {
            group,
            method: (*method).to_owned(),
            points: runs.iter().zip(&points).filter(|((of, _), _)| *of == index).map(|(_, point)| *point).collect(),
        })
        .collect())
}

/// The numbers of q, v and λ at all samples.
fn quantities(outcome: &Outcome) -> [Vec<f64>; 3] {
    let all = |of: fn(&Sample) -> Vec<f64>| outcome.samples.iter().flat_map(of).collect();
    [
        all(|sample| sample.configuration.numbers()),
        all(|sample| sample.velocity.numbers()),
        all(|sample| sample.multipliers.numbers()),
    ]
}
