//! Studies: the same run over groups, methods and step sizes, side by side on all processors.

mod reference;
pub mod rods;
pub mod rotation;
pub mod steps;

use core::error::Error;
use core::sync::atomic::{AtomicUsize, Ordering};
use std::io::{self, Write};
use std::path::PathBuf;
use std::sync::Mutex;
use std::thread;

use crate::example::Example;
use crate::output::table::table;
use crate::request::{Outcome, Request};
use crate::settings::UsageError;
use lie_runtime::simulate::Sample;

pub use reference::{Ladder, Quantities, errors_against, errors_of};

/// Relative errors of q, v and λ below these values contain round-off.
const ROUND_OFF: [f64; 3] = [1e-11; 3];

/// The description of a curve.
pub const QUANTITIES: [&str; 3] = ["q", "v", "λ"];

/// Evaluates `job` for 0..count on all processors, the results in order.
///
/// # Errors
/// The first error by number.
pub fn in_parallel<T: Send, E: Send>(count: usize, job: impl Fn(usize) -> Result<T, E> + Sync) -> Result<Vec<T>, E> {
    let next = AtomicUsize::new(0);
    let results: Mutex<Vec<(usize, Result<T, E>)>> = Mutex::new(Vec::new());
    let threads = thread::available_parallelism().map_or(1, usize::from);
    thread::scope(|scope| {
        for _ in 0..threads {
            scope.spawn(|| {
                loop {
                    let index = next.fetch_add(1, Ordering::Relaxed);
                    if index >= count {
                        return;
                    }
                    let result = job(index);
                    if let Ok(mut results) = results.lock() {
                        results.push((index, result));
                    }
                }
            });
        }
    });
    let mut results = results.into_inner().unwrap_or_default();
    results.sort_by_key(|(index, _)| *index);
    results.into_iter().map(|(_, result)| result).collect()
}

/// The errors of one method on one group at step sizes that halve.
#[derive(Clone, Debug)]
pub struct Curve {
    /// The group.
    pub group: &'static str,
    /// The method.
    pub method: String,
    /// Step size, errors of q, v and λ, seconds.
    pub points: Vec<(f64, [f64; 3], f64)>,
}

impl Curve {
    /// The order between each point and the one before, NaN for the first.
    pub fn orders(&self, quantity: usize) -> Vec<f64> {
        let between = self
            .points
            .windows(2)
            .map(|pair| (pair[0].1[quantity] / pair[1].1[quantity]).ln() / (pair[0].0 / pair[1].0).ln());
        core::iter::once(f64::NAN).chain(between).collect()
    }

    /// The order at the two finest steps whose errors are not round-off; NaN if there are none.
    pub fn order(&self, quantity: usize) -> f64 {
        let orders = self.orders(quantity);
        self.points
            .iter()
            .zip(orders)
            .rfind(|(point, _)| point.1[quantity] > ROUND_OFF[quantity])
            .map_or(f64::NAN, |(_, order)| order)
    }

    /// The points of one quantity.
    pub fn errors(&self, quantity: usize) -> Vec<(f64, f64)> {
        self.points.iter().map(|(h, errors, _)| (*h, errors[quantity])).collect()
    }
}

/// One curve that is to be computed: group, method and the number of steps of the coarsest and of the finest run as
/// powers of two.
#[derive(Clone, Debug)]
pub struct Halving {
    /// The group.
    pub group: &'static str,
    /// The method.
    pub method: &'static str,
    /// The powers of two.
    pub steps: core::ops::RangeInclusive<i32>,
}

/// Measures errors at `end` for step sizes that halve.
///
/// # Errors
/// [`UsageError`] if a run cannot be started; a run that fails on its way has errors that are NaN.
pub fn convergence(
    example: &Example,
    end: f64,
    curves: &[Halving],
    error: impl Fn(&Sample) -> [f64; 3] + Sync,
) -> Result<Vec<Curve>, UsageError> {
    let runs: Vec<(usize, i32)> = curves
        .iter()
        .enumerate()
        .flat_map(|(curve, halving)| halving.steps.clone().map(move |power| (curve, power)))
        .collect();
    let points = in_parallel(runs.len(), |index| {
        let (curve, power) = runs[index];
        let h = end * 0.5f64.powi(power);
        let outcome = example.variant(curves[curve].group)?.run(&Request::fixed(curves[curve].method, h, end))?;
        let errors = match (outcome.samples.first(), &outcome.failure) {
            (Some(sample), None) => error(sample),
            _ => [f64::NAN; 3],
        };
        Ok::<_, UsageError>((h, errors, outcome.seconds))
    })?;
    Ok(curves
        .iter()
        .enumerate()
        .map(|(curve, halving)| Curve {
            group: halving.group,
            method: halving.method.to_owned(),
            points: runs.iter().zip(&points).filter(|((of, _), _)| *of == curve).map(|(_, point)| *point).collect(),
        })
        .collect())
}

/// A table of step sizes, errors and observed orders.
pub fn table_of_errors(curves: &[&Curve]) -> String {
    let mut header = vec!["method".to_owned(), "h".to_owned()];
    for quantity in QUANTITIES {
        header.extend([format!("error of {quantity}"), "order".to_owned()]);
    }
    let mut rows = Vec::new();
    for curve in curves {
        let orders: Vec<Vec<f64>> = (0..3).map(|quantity| curve.orders(quantity)).collect();
        for (index, (h, errors, _)) in curve.points.iter().enumerate() {
            let method = if index == 0 { curve.method.as_str() } else { "" };
            let mut row = vec![method.to_owned(), fraction(*h)];
            for quantity in 0..3 {
                row.extend([number(errors[quantity]), order(orders[quantity][index])]);
            }
            rows.push(row);
        }
    }
    table(&header, &rows).to_string()
}

/// A table of strings: a header and rows.
pub fn plain_table(header: &[&str], rows: &[Vec<String>]) -> String {
    let header: Vec<String> = header.iter().map(|&title| title.to_owned()).collect();
    table(&header, rows).to_string()
}

/// An order with two digits, nothing where there is none.
pub fn order(order: f64) -> String {
    if order.is_finite() { format!("{order:.2}") } else { String::new() }
}

/// A number with three digits, nothing where there is none.
pub fn number(number: f64) -> String {
    if number.is_finite() { format!("{number:.2e}") } else { String::new() }
}

/// 1/1024 and the like.
pub fn fraction(h: f64) -> String {
    let inverse = 1.0 / h;
    if inverse >= 2.0 && (inverse - inverse.round()).abs() < 1e-9 * inverse {
        format!("1/{inverse:.0}")
    } else {
        let digits = h.to_string();
        if digits.len() > 9 { format!("{h:.4e}") } else { digits }
    }
}

/// ‖a − b‖ / scale over the components that both have.
pub fn distance(a: &[f64], b: &[f64], scale: f64) -> f64 {
    norm(&a.iter().zip(b).map(|(a, b)| a - b).collect::<Vec<_>>()) / scale
}

/// The Euclidean norm.
pub fn norm(a: &[f64]) -> f64 {
    a.iter().map(|a| a * a).sum::<f64>().sqrt()
}

/// Prints the path of the figures.
///
/// # Errors
/// The errors of the writer.
pub fn tell_figures(out: &mut dyn Write, figures: &[PathBuf]) -> io::Result<()> {
    let has_film = figures.iter().any(|path| path.extension().is_some_and(|extension| extension == "html"));
    let besides = if has_film { " and an animation for a browser" } else { "" };
    writeln!(out, "\nFigures (SVG){besides}:")?;
    figures.iter().try_for_each(|path| writeln!(out, "  {}", path.display()))
}

/// A number of each recorded sample over time.
pub fn series(run: &Outcome, value: impl Fn(&Sample) -> f64) -> Vec<(f64, f64)> {
    run.history.iter().map(|sample| (sample.t, value(sample))).collect()
}

/// The recorded motion of a run with a fixed step.
///
/// # Errors
/// An error if it cannot be started or fails on its way.
pub fn history(example: &Example, group: &str, request: &Request) -> Result<Outcome, Box<dyn Error + Send + Sync>> {
    let outcome = example.variant(group)?.run(request)?;
    match &outcome.failure {
        Some(failure) => Err(failure.clone().into()),
        None => Ok(outcome),
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn orders_are_slopes() {
        let curve = Curve {
            group: "",
            method: String::new(),
            points: vec![(0.1, [1e-2, 1e-3, 1e-12], 0.0), (0.05, [2.5e-3, 1.25e-4, 1e-12], 0.0)],
        };
        assert!((curve.order(0) - 2.0).abs() < 1e-12);
        assert!((curve.order(1) - 3.0).abs() < 1e-12);
        assert!(curve.order(2).is_nan());
    }

    #[test]
    fn parallel_results_come_in_order() {
        let squares = in_parallel(100, |index| Ok::<_, ()>(index * index)).unwrap();
        assert!(squares.iter().enumerate().all(|(index, square)| *square == index * index));
        assert_eq!(in_parallel(9, |index| if index > 3 { Err(index) } else { Ok(()) }), Err(4));
    }
}
