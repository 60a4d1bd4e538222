//! The values of a run, identified by declared names.

use super::FigureError;
use crate::integrator::Problem;
use crate::messages::nearest;
use crate::simulate::{ExportError, Sample, Sampled, Simulated, Trajectory};
use crate::system::Value;

/// The sections that are searched for names, in this order; the first entry is for full names.
const SECTIONS: [&str; 9] = [
    "",
    "configuration.",
    "observables.",
    "velocity.",
    "inputs.",
    "multipliers.",
    "balance.",
    "balance.work.",
    "balance.momenta.",
];
/// T + V, which tables do not contain.
const TOTAL: &str = "energy.total";

/// The values of a run, by samples.
#[derive(Clone, Debug)]
pub(super) struct PlotColumns {
    pub times: Vec<f64>,
    names: Vec<String>,
    rows: Vec<Vec<f64>>,
}

impl PlotColumns {
    /// Returns the columns of a run.
    ///
    /// # Errors
    /// [`FigureError::Empty`], [`FigureError::ForeignState`] or [`FigureError::Columns`].
    pub fn of<P>(trajectory: &Trajectory<P>, system: &P::System) -> Result<Self, FigureError>
    where
        P: Simulated + Problem<System: Sampled<P>>,
    {
        let samples = trajectory.samples(system).map_err(|error| match error {
            ExportError::ForeignState(error) => FigureError::ForeignState(error),
            error => FigureError::Drawing(error.to_string()),
        })?;
        let mut columns = PlotColumns { times: Vec::new(), names: Vec::new(), rows: Vec::new() };
        for sample in samples {
            let row = record(&sample);
            let mut numbers = Vec::with_capacity(columns.names.len());
            let mut names = Vec::new();
            let is_first = columns.rows.is_empty();
            row.for_each("", &mut |name, number| {
                numbers.push(number);
                if is_first {
                    names.push(name.to_owned());
                }
            });
            if is_first {
                columns.names = names;
            }
            if numbers.len() != columns.names.len() {
                return Err(FigureError::Columns { state: columns.rows.len() });
            }
            columns.times.push(sample.t);
            columns.rows.push(numbers);
        }
        if columns.rows.is_empty() { Err(FigureError::Empty) } else { Ok(columns) }
    }

    /// Returns the indices of the columns with this name: one value, or all values of a member, an observable or a group of them.
    ///
    /// The name is a column name of a table, or a part of it. The section can be omitted. `.x`, `.y` and `.z` select the components of
    /// vectors with up to three components. A name without indices selects all members of a list.
    ///
    /// # Errors
    /// [`FigureError::Unknown`].
    pub fn find(&self, name: &str) -> Result<Vec<usize>, FigureError> {
        let component =
            ["x", "y", "z"].iter().position(|letter| name.rsplit_once('.').is_some_and(|(_, own)| own == *letter));
        let component = component.zip(name.rsplit_once('.')).map(|(at, (stem, _))| (stem, format!("[{at}]")));
        for reading in [Reading::Full, Reading::Component, Reading::OfAll] {
            for section in SECTIONS {
                let wanted = format!("{section}{name}");
                let is_wanted = |own: &str| match (reading, &component) {
                    (Reading::Full, _) => begins_with(own, &wanted),
                    (Reading::OfAll, _) => begins_with(&without_indices(own), &wanted),
                    (Reading::Component, Some((stem, index))) => own.strip_suffix(index.as_str()).is_some_and(|head| {
                        // A quaternion has no component x.
                        let is_long = || self.names.iter().any(|other| *other == format!("{head}[3]"));
                        let stem = format!("{section}{stem}");
                        (head == stem || without_indices(head) == stem) && !is_long()
                    }),
                    (Reading::Component, None) => false,
                };
                let found: Vec<usize> = (0..self.names.len()).filter(|&at| is_wanted(&self.names[at])).collect();
                if !found.is_empty() {
                    return Ok(found);
                }
            }
        }
        Err(self.unknown(name))
    }

    /// The names of members, observables and other groups of numbers.
    pub fn known(&self) -> Vec<String> {
        let mut known: Vec<String> = Vec::new();
        for own in &self.names {
            let stem = without_indices(own);
            let short = SECTIONS[1..].iter().rev().find_map(|section| stem.strip_prefix(section)).unwrap_or(&stem);
            if !known.iter().any(|earlier| earlier == short) {
                known.push(short.to_owned());
            }
        }
        known
    }

    fn unknown(&self, name: &str) -> FigureError {
        let known = self.known();
        FigureError::Unknown { name: name.to_owned(), nearest: nearest(name, &known).cloned(), known }
    }

    /// The name of a column without its section, for members and observables.
    pub fn label(&self, column: usize) -> &str {
        let name = self.name(column);
        ["configuration.", "observables."].iter().find_map(|section| name.strip_prefix(section)).unwrap_or(name)
    }

    /// The name of a column.
    pub fn name(&self, column: usize) -> &str {
        &self.names[column]
    }

    /// The numbers of a column.
    ///
    /// # Errors
    /// [`FigureError::NotFinite`].
    pub fn numbers(&self, column: usize) -> Result<Vec<f64>, FigureError> {
        let number = |(row, time): (&Vec<f64>, &f64)| match row[column] {
            number if number.is_finite() => Ok(number),
            _ => Err(FigureError::NotFinite { name: self.names[column].clone(), time: *time }),
        };
        self.rows.iter().zip(&self.times).map(number).collect()
    }
}

#[derive(Clone, Copy)]
enum Reading {
    /// The name is a prefix of the column name.
    Full,
    /// The last part of the name selects a component of a vector, or of all vectors of a list.
    Component,
    /// The name has no indices.
    OfAll,
}

/// The record of a sample, with the total energy.
fn record(sample: &Sample) -> Value {
    let mut record = sample.record();
    if let Value::Record(entries) = &mut record
        && let Some((_, Value::Record(energy))) = entries.iter_mut().find(|(name, _)| *name == "energy")
    {
        let short = TOTAL.trim_start_matches("energy.");
        energy.push((short, Value::Scalar(sample.energy.kinetic + sample.energy.potential)));
    }
    record
}

/// True if `own` starts with the name `wanted`: `position[2]` does for `position`, `positions` does not.
fn begins_with(own: &str, wanted: &str) -> bool {
    own.strip_prefix(wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

/// Removes indices: `nodes[3].translation[1]` becomes `nodes.translation`.
fn without_indices(name: &str) -> String {
    let mut text = String::new();
    let mut depth = 0;
    for letter in name.chars() {
        match letter {
            '[' => depth += 1,
            ']' => depth -= 1,
            letter if depth == 0 => text.push(letter),
            _ => {}
        }
    }
    text
}
