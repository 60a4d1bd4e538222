//! Tables of inputs over time.

use super::smooth::{is_cubic, resolution};
use super::{InputComponents, InputSet, OverTime, TableError, spline};
use crate::messages::nearest;
use crate::scalar::Scalar;

/// Interpolation between the rows of a table.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Interpolation {
    /// Cubic spline: u' and u'' are continuous, and the error is O(h⁴) for smooth data.
    ///
    /// Methods of order above 3 keep their order if steps end at the times of the rows, or if the rows are so dense that discontinuities of
    /// u''' are negligible.
    #[default]
    Cubic,
    /// Linear interpolation: for forces, not for constraints.
    Linear,
}

/// Inputs at a list of times with interpolation.
///
/// ```
/// use lie_runtime::inputs::{Interpolation, OverTime, Table};
/// use lie_runtime::prelude::*;
///
/// #[mechanical_system]
/// pub mod cart {
///     #[configuration]
///     pub struct Rail { pub x: f64 }
///
///     #[inputs]
///     pub struct Inputs { pub push: f64 }
///
///     #[kinetic_energy]
///     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
///
///     #[force(on = x)]
///     fn motor(u: &Inputs) -> f64 { u.push }
/// }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// let table: Table<cart::Inputs> = Table::from_csv("t,push\n0.0,0.0\n1.0,2.0\n3.0,2.0\n", Interpolation::Linear)?;
/// assert_eq!(table.at(0.5).push, 1.0);
///
/// let system = cart::System::new()?.with_inputs_from(table);
/// let run = Simulation::of(&system)
///     .initial(cart::Rail { x: 0.0 }, system.zero_velocity()).step(0.125).end_time(3.0).run()?;
/// assert!((run.last().velocity[0] - 5.0).abs() < 1e-12);
/// # Ok(())
/// # }
/// ```
#[derive(Clone, Debug)]
#[doc(alias = "lookup table")]
#[doc(alias = "time series")]
pub struct Table<U: InputSet> {
    times: Vec<f64>,
    rows: Vec<U>,
    /// u'' at the times, for cubic tables.
    curvatures: Option<Vec<U>>,
    /// The difference between the largest and the smallest value of each component.
    ranges: Vec<f64>,
    holds_ends: bool,
}

impl<U: InputSet> Table<U> {
    /// Creates a table from rows with increasing times.
    ///
    /// # Errors
    /// [`TableError`] with the row.
    pub fn new(times: Vec<f64>, rows: Vec<U>, interpolation: Interpolation) -> Result<Self, TableError> {
        if times.len() != rows.len() {
            return Err(TableError::Lengths { times: times.len(), rows: rows.len() });
        }
        if rows.len() < 2 {
            return Err(TableError::TooShort { rows: rows.len() });
        }
        for (row, (&time, inputs)) in times.iter().zip(&rows).enumerate() {
            let field = if time.is_finite() { inputs.not_finite() } else { Some("t") };
            if let Some(field) = field {
                return Err(TableError::NotFinite { row, column: field.to_owned() });
            }
            if row > 0 && time <= times[row - 1] {
                return Err(TableError::NotSorted { row, time });
            }
        }
        let curvatures = (interpolation == Interpolation::Cubic).then(|| curvatures(&times, &rows));
        let ranges = ranges(&rows);
        Ok(Table { times, rows, curvatures, ranges, holds_ends: false })
    }

    /// Reads a table from CSV text: a header with `t` and the names of the fields (`wind[0]`, `wind[1]` for vectors, `gains[0][1]` for
    /// matrices), and one line per time. The order of the columns is arbitrary.
    ///
    /// # Errors
    /// [`TableError`] with the column or the line.
    pub fn from_csv(text: &str, interpolation: Interpolation) -> Result<Self, TableError> {
        let (times, rows) = read_csv(text, U::FIELDS)?;
        Table::new(times, rows.iter().map(|numbers| of_numbers(numbers)).collect(), interpolation)
    }

    /// Extends the table with constant values before the first row and after the last one.
    ///
    /// The derivatives of inputs of constraints must then vanish at both ends because a kink would be an impact.
    #[must_use]
    pub fn constant_extrapolation(self) -> Self {
        Table { holds_ends: true, ..self }
    }

    /// Returns the row before t, and true if t is outside the table by more than the round-off of times.
    fn locate(&self, t: f64) -> (usize, bool) {
        let last = self.times.len() - 1;
        let after = self.times.partition_point(|&time| time <= t);
        let (first, end, resolution) = (self.times[0], self.times[last], resolution(self.times[0], self.times[last]));
        (after.clamp(1, last) - 1, !(first - resolution <= t && t <= end + resolution))
    }

    /// Returns up to three of u, u' and u'' at t.
    fn evaluate<const N: usize>(&self, t: U::Scalar) -> [U; N] {
        let (row, is_outside) = self.locate(t.value());
        let number = U::Scalar::from_f64;
        if is_outside {
            let end = if t.value() < self.times[0] { self.rows[0] } else { self.rows[self.rows.len() - 1] };
            let outside = |order: usize| match (self.holds_ends, order) {
                (true, 0) => end,
                (true, _) => U::all(number(0.0)),
                (false, _) => U::all(number(f64::NAN)),
            };
            return core::array::from_fn(outside);
        }
        self.within(row, t)
    }

    /// Evaluates the polynomial between this row and the next one.
    fn within<const N: usize>(&self, row: usize, t: U::Scalar) -> [U; N] {
        let number = U::Scalar::from_f64;
        let h = self.times[row + 1] - self.times[row];
        let x = t - number(self.times[row]);
        let (a, b) = (self.rows[row], self.rows[row + 1]);
        let Some(curvatures) = &self.curvatures else {
            return core::array::from_fn(|order| {
                combined([a, b], |[a, b]| match order {
                    0 => a + (b - a) * x * number(h.recip()),
                    1 => (b - a) * number(h.recip()),
                    _ => number(0.0),
                })
            });
        };
        let (c, d) = (curvatures[row], curvatures[row + 1]);
        // a + s x + ½ c x² + (d − c) x³ / (6 h) with s = (b − a) / h − h (2 c + d) / 6.
        core::array::from_fn(|order| {
            combined([a, b, c, d], |[a, b, c, d]| {
                let slope = (b - a) * number(h.recip()) - (c + c + d) * number(h / 6.0);
                let third = (d - c) * number(h.recip());
                match order {
                    0 => a + x * (slope + x * (c * number(0.5) + x * third * number(1.0 / 6.0))),
                    1 => slope + x * (c + x * third * number(0.5)),
                    _ => c + x * third,
                }
            })
        })
    }
}

impl<U: InputSet> OverTime<U> for Table<U> {
    fn jet(&self, t: U::Scalar) -> [U; 3] {
        self.evaluate(t)
    }
    fn at(&self, t: U::Scalar) -> U {
        let [inputs] = self.evaluate(t);
        inputs
    }
    fn range(&self) -> [f64; 2] {
        if self.holds_ends {
            [f64::NEG_INFINITY, f64::INFINITY]
        } else {
            [self.times[0], self.times[self.times.len() - 1]]
        }
    }
    fn smooth_until(&self, from: f64, end: f64, tolerance: f64) -> Option<f64> {
        let last = self.times.len() - 1;
        let resolution = resolution(from, self.times[last]);
        if from < self.times[0] - resolution {
            return Some(end.min(self.times[0]));
        }
        // The first row after `from`.
        let first = self.times.partition_point(|&time| time <= from + resolution);
        // The number of intervals is doubled while they are smooth. A few bisections between the last two numbers follow.
        let (mut smooth, mut too_far, mut bisections) = (first, None, 0);
        while smooth < last && self.times[smooth] < end {
            let next = match too_far {
                None => (2 * smooth + 1 - first).min(last),
                Some(too_far) => {
                    bisections += 1;
                    smooth.midpoint(too_far)
                }
            };
            if next == smooth || bisections > BISECTIONS {
                break;
            }
            if self.is_smooth_between(from, first, next, tolerance) {
                smooth = next;
            } else {
                too_far = Some(next);
            }
        }
        Some(self.times.get(smooth).map_or(end, |time| time.min(end)))
    }
    fn is_smooth(&self) -> bool {
        self.curvatures.is_some()
    }
}

/// Number of bisections. An interval ends at most one sixteenth too early.
const BISECTIONS: u32 = 4;
/// Relative positions in an interval at which the polynomials are compared.
const COMPARED: [f64; 4] = [0.0, 0.25, 0.5, 0.75];

impl<U: InputSet> Table<U> {
    /// Returns true if one cubic polynomial approximates the table from a time in the interval that ends with row `first` to row `last`.
    fn is_smooth_between(&self, from: f64, first: usize, last: usize, tolerance: f64) -> bool {
        let begin = |row: usize| if row < first { from } else { self.times[row] };
        let inside = (first - 1..last).flat_map(|row| {
            let (time, h) = (begin(row), self.times[row + 1] - begin(row));
            COMPARED.map(|part| time + part * h)
        });
        is_cubic([from, self.times[last]], inside, (tolerance, &self.ranges), |time, numbers| {
            let [inputs]: [U; 1] = self.evaluate(U::Scalar::from_f64(time));
            inputs.visit(&mut |number| numbers.push(number.value()));
        })
    }
}

/// Reads the times and the rows of a CSV text with the columns of these fields.
pub(crate) fn read_csv(text: &str, fields: &[(&str, &[usize])]) -> Result<(Vec<f64>, Vec<Vec<f64>>), TableError> {
    let expected = columns(fields);
    let mut lines = text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty());
    let head: Vec<&str> = lines.next().map_or("", |(_, line)| line).split(',').map(str::trim).collect();
    if let Some(&unknown) = head.iter().find(|name| !expected.iter().any(|known| known == *name)) {
        let missing: Vec<String> = expected.iter().filter(|name| !head.contains(&name.as_str())).cloned().collect();
        let nearest = nearest(unknown, &missing).cloned();
        return Err(TableError::UnknownColumn { column: unknown.to_owned(), nearest, expected });
    }
    let is_repeated = |name: &&&str| head.iter().filter(|other| *other == *name).count() > 1;
    if let Some(&repeated) = head.iter().find(is_repeated) {
        return Err(TableError::DuplicateColumn { column: repeated.to_owned() });
    }
    let missing = |name: &String| TableError::MissingColumn { column: name.clone(), expected: expected.clone() };
    let place = |name| head.iter().position(|known| known == name).ok_or_else(|| missing(name));
    let places = expected.iter().map(place).collect::<Result<Vec<usize>, TableError>>()?;
    let (mut times, mut rows) = (Vec::new(), Vec::new());
    for (line, text) in lines {
        let cells: Vec<&str> = text.split(',').map(str::trim).collect();
        let number = |place: &usize| {
            let cell = cells.get(*place).copied().unwrap_or_default();
            cell.parse::<f64>().map_err(|_| TableError::NoNumber { line: line + 1, text: cell.to_owned() })
        };
        let numbers = places.iter().map(number).collect::<Result<Vec<f64>, TableError>>()?;
        if let Some(extra) = cells.get(head.len()) {
            return Err(TableError::NoNumber { line: line + 1, text: (*extra).to_owned() });
        }
        times.push(numbers[0]);
        rows.push(numbers[1..].to_vec());
    }
    Ok((times, rows))
}

/// Returns the number of values of the inputs.
fn count<U: InputSet>() -> usize {
    U::FIELDS.iter().map(|(_, shape)| shape.iter().product::<usize>()).sum()
}

fn of_numbers<U: InputSet>(numbers: &[f64]) -> U {
    let mut numbers = numbers.iter();
    U::of(&mut || U::Scalar::from_f64(numbers.next().copied().unwrap_or(f64::NAN)))
}

/// Returns `t` and the names of all values as in trajectory files: `wind[0]`, `gains[1][2]`.
fn columns(fields: &[(&str, &[usize])]) -> Vec<String> {
    let mut columns = vec!["t".to_owned()];
    for (name, shape) in fields {
        let mut names = vec![(*name).to_owned()];
        for &length in *shape {
            names = names.iter().flat_map(|name| (0..length).map(move |at| format!("{name}[{at}]"))).collect();
        }
        columns.extend(names);
    }
    columns
}

/// Combines inputs value by value.
fn combined<U: InputSet, const N: usize>(inputs: [U; N], combine: impl Fn([U::Scalar; N]) -> U::Scalar) -> U {
    let numbers = inputs.map(|inputs| InputComponents::of(&inputs));
    let mut at = 0;
    U::of(&mut || {
        at += 1;
        combine(core::array::from_fn(|which| numbers[which].get(at - 1)))
    })
}

/// Returns the range of each value over the rows.
fn ranges<U: InputSet>(rows: &[U]) -> Vec<f64> {
    let mut ends = vec![[f64::INFINITY, f64::NEG_INFINITY]; count::<U>()];
    for row in rows {
        let mut ends = ends.iter_mut();
        row.visit(&mut |number| {
            if let Some([least, most]) = ends.next() {
                *least = least.min(number.value());
                *most = most.max(number.value());
            }
        });
    }
    ends.into_iter().map(|[least, most]| most - least).collect()
}

/// Returns u'' of each value at the times.
fn curvatures<U: InputSet>(times: &[f64], rows: &[U]) -> Vec<U> {
    let numbers: Vec<InputComponents<U::Scalar>> = rows.iter().map(InputComponents::of).collect();
    let columns: Vec<Vec<f64>> = (0..count::<U>())
        .map(|at| {
            let values: Vec<f64> = numbers.iter().map(|row| row.get(at).value()).collect();
            spline::second_derivatives(times, &values)
        })
        .collect();
    (0..rows.len())
        .map(|row| {
            let numbers: Vec<f64> = columns.iter().map(|column| column[row]).collect();
            of_numbers(&numbers)
        })
        .collect()
}
