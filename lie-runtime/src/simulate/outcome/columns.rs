//! The values of a run, selected by declared names.

use core::fmt;

use super::sample::Sample;
use super::sample::Sampled;
use super::trajectory::Trajectory;
use crate::integrator::Problem;
use crate::messages::{listed, nearest, see};
use crate::simulate::motion::Simulated;
use crate::system::{ModelError, Value};

/// The values of a run could not be selected by name.
#[derive(Clone, thiserror::Error)]
#[non_exhaustive]
pub enum ColumnError {
    /// No state was recorded.
    #[error("the trajectory has no recorded state {}", see("recorded-states"))]
    Empty,
    /// The states belong to another system.
    #[error("the trajectory belongs to another system: {0}")]
    ForeignState(ModelError),
    /// The states do not all have the same columns.
    #[error(
        "the columns of state {state} differ from the columns of the first state; use states of one system {}",
        see("recorded-states")
    )]
    Differ {
        /// The index of the first state that differs.
        state: usize,
    },
    /// The name is unknown.
    #[error("unknown name `{name}`{}\n  the names are {} {}", suggestion(.nearest.as_deref()), listed(.known), see("recorded-states"))]
    Unknown {
        /// The name.
        name: String,
        /// The most similar known name, if it is similar enough.
        nearest: Option<String>,
        /// The known names.
        known: Vec<String>,
    },
    /// The name has several values, and one value is required.
    #[error(
        "`{name}` has {values} values; select one component, such as `{name}[0]` or `{name}.x` {}",
        see("recorded-states")
    )]
    Several {
        /// The name.
        name: String,
        /// The number of its values.
        values: usize,
    },
}

crate::messages::debug_is_the_message!(ColumnError);

fn suggestion(nearest: Option<&str>) -> String {
    nearest.map_or_else(String::new, |nearest| format!("; did you mean `{nearest}`?"))
}

/// The sections that are searched for names, in this order; the first entry is for full names.
const SECTIONS: [&str; 10] = [
    "",
    "configuration.",
    "observables.",
    "velocity.",
    "states.",
    "inputs.",
    "multipliers.",
    "balance.",
    "balance.work.",
    "balance.momenta.",
];
/// The entries of the record of a sample. A member or an observable with one of these names keeps its full name.
const ENTRIES: [&str; 10] = [
    "t",
    "configuration",
    "velocity",
    "states",
    "multipliers",
    "inputs",
    "observables",
    "energy",
    "residual",
    "balance",
];
/// The sections that names of columns omit.
const SHORTENED: [&str; 2] = ["configuration", "observables"];

/// Returns true if an entry of a shortened section has a unique name without the section. A member precedes an observable of the same name.
fn is_unique(section: &str, entry: &str, is_member: impl FnOnce(&str) -> bool) -> bool {
    !ENTRIES.contains(&entry) && (section == "configuration" || !is_member(entry))
}

/// Returns the record of a sample under the names of columns: members and observables without their sections.
pub(crate) fn named_record(sample: Sample) -> Value {
    let Value::Record(sections) = sample.into_record() else { return Value::Record(Vec::new()) };
    let members: Vec<&'static str> = match sections.iter().find(|(name, _)| *name == "configuration") {
        Some((_, Value::Record(entries))) => entries.iter().map(|(name, _)| *name).collect(),
        _ => Vec::new(),
    };
    let mut record = Vec::new();
    for (section, value) in sections {
        match value {
            Value::Record(entries) if SHORTENED.contains(&section) => {
                let is_short =
                    |(entry, _): &(&'static str, Value)| is_unique(section, entry, |name| members.contains(&name));
                let (short, long): (Vec<_>, Vec<_>) = entries.into_iter().partition(is_short);
                record.extend(short);
                if !long.is_empty() {
                    record.push((section, Value::Record(long)));
                }
            }
            value => record.push((section, value)),
        }
    }
    Value::Record(record)
}

/// The values of a run, by samples.
#[derive(Clone, Debug)]
pub(crate) struct Columns {
    pub times: Vec<f64>,
    pub names: ColumnNames,
    rows: Vec<Vec<f64>>,
}

impl Columns {
    /// Returns the columns of a run.
    ///
    /// # Errors
    /// [`ColumnError::Empty`], [`ColumnError::ForeignState`] or [`ColumnError::Differ`].
    pub fn of<P>(trajectory: &Trajectory<P>, system: &P::System) -> Result<Self, ColumnError>
    where
        P: Simulated + Problem<System: Sampled<P>>,
    {
        Self::of_samples(trajectory.samples(system).map_err(ColumnError::ForeignState)?)
    }

    /// Returns the columns of samples.
    ///
    /// # Errors
    /// [`ColumnError::Empty`] or [`ColumnError::Differ`].
    pub fn of_samples(samples: impl Iterator<Item = Sample>) -> Result<Self, ColumnError> {
        let mut columns = Columns { times: Vec::new(), names: ColumnNames(Vec::new()), rows: Vec::new() };
        for sample in samples {
            let time = sample.t;
            let record = sample.into_record();
            if columns.rows.is_empty() {
                columns.names = ColumnNames::of(&record);
            }
            let numbers = record.numbers();
            if numbers.len() != columns.names.0.len() {
                return Err(ColumnError::Differ { state: columns.rows.len() });
            }
            columns.times.push(time);
            columns.rows.push(numbers);
        }
        if columns.rows.is_empty() { Err(ColumnError::Empty) } else { Ok(columns) }
    }

    /// Returns the values with these names.
    ///
    /// # Errors
    /// [`ColumnError::Unknown`].
    pub fn table<N: AsRef<str>>(&self, names: impl IntoIterator<Item = N>) -> Result<ResultTable, ColumnError> {
        let mut found = Vec::new();
        for name in names {
            found.extend(self.names.find(name.as_ref())?);
        }
        let names = found.iter().map(|&column| self.names.label(column).to_owned()).collect();
        Ok(ResultTable { names, rows: self.rows(&found).collect() })
    }

    /// The values of these columns, one row for each state.
    pub fn rows<'a>(&'a self, columns: &'a [usize]) -> impl Iterator<Item = Vec<f64>> + 'a {
        self.rows.iter().map(|row| columns.iter().map(|&column| row[column]).collect())
    }

    /// The values of a column, one for each state.
    pub fn values(&self, column: usize) -> impl Iterator<Item = f64> + '_ {
        self.rows.iter().map(move |row| row[column])
    }
}

/// The names of columns, with their sections.
#[derive(Clone, Debug)]
pub(crate) struct ColumnNames(Vec<String>);

impl ColumnNames {
    /// Returns the names of the values of a record.
    pub fn of(record: &Value) -> Self {
        let mut names = Vec::new();
        record.for_each("", &mut |name, _| names.push(name.to_owned()));
        ColumnNames(names)
    }

    /// Returns columns by their labels.
    #[cfg(feature = "ensemble")]
    pub fn of_labels(labels: &[String]) -> Self {
        ColumnNames(labels.to_vec())
    }

    /// Returns true if there are columns with this name among labels. The section of a label of a member or an observable is unknown.
    #[cfg(feature = "ensemble")]
    pub fn has(&self, name: &str) -> bool {
        let is_shortened = |label: &String| !ENTRIES.contains(&entry_of(label));
        let is_section = SHORTENED.contains(&name);
        [name, without_section(name)].into_iter().any(|name| self.find(name).is_ok())
            || (is_section && self.0.iter().any(is_shortened))
    }

    /// Returns the indices of the columns with this name: one value, or all values of a member, an observable or a group of them.
    ///
    /// The name is a column name of a table, or a part of it. The section can be omitted. `.x`, `.y` and `.z` select the components of
    /// vectors with up to three components. A name without indices selects all members of a list.
    ///
    /// # Errors
    /// [`ColumnError::Unknown`].
    pub fn find(&self, name: &str) -> Result<Vec<usize>, ColumnError> {
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
                        let is_long = || self.0.iter().any(|other| *other == format!("{head}[3]"));
                        let stem = format!("{section}{stem}");
                        (head == stem || without_indices(head) == stem) && !is_long()
                    }),
                    (Reading::Component, None) => false,
                };
                let found: Vec<usize> = (0..self.0.len()).filter(|&at| is_wanted(&self.0[at])).collect();
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
        for own in &self.0 {
            let stem = without_indices(own);
            let short = SECTIONS[1..].iter().rev().find_map(|section| stem.strip_prefix(section)).unwrap_or(&stem);
            if !known.iter().any(|earlier| earlier == short) {
                known.push(short.to_owned());
            }
        }
        known
    }

    /// Returns the index of the column with this name, which must have one value.
    ///
    /// # Errors
    /// [`ColumnError::Unknown`] or [`ColumnError::Several`].
    pub fn find_one(&self, name: &str) -> Result<usize, ColumnError> {
        match self.find(name)?.as_slice() {
            [column] => Ok(*column),
            all => Err(ColumnError::Several { name: name.to_owned(), values: all.len() }),
        }
    }

    /// Returns the indices of the columns of an entry of a section, such as a constraint in `multipliers`.
    ///
    /// # Errors
    /// [`ColumnError::Unknown`].
    pub fn find_in(&self, section: &str, name: &str) -> Result<Vec<usize>, ColumnError> {
        let wanted = format!("{section}.{name}");
        let found: Vec<usize> = (0..self.0.len()).filter(|&at| begins_with(&self.0[at], &wanted)).collect();
        if !found.is_empty() {
            return Ok(found);
        }
        let prefix = format!("{section}.");
        let entry = |own: &String| own.strip_prefix(&prefix).map(without_indices);
        let mut known: Vec<String> = self.0.iter().filter_map(entry).collect();
        known.dedup();
        Err(ColumnError::Unknown { name: name.to_owned(), nearest: nearest(name, &known).cloned(), known })
    }

    fn unknown(&self, name: &str) -> ColumnError {
        let known = self.known();
        ColumnError::Unknown { name: name.to_owned(), nearest: nearest(name, &known).cloned(), known }
    }

    /// The unique name of a column: without its section for members and observables.
    pub fn label(&self, column: usize) -> &str {
        let name = self.name(column);
        let short = |section: &&str| {
            let own = name.strip_prefix(*section)?.strip_prefix('.')?;
            let is_member = |entry: &str| {
                let member = format!("configuration.{entry}");
                self.0.iter().any(|other| begins_with(other, &member))
            };
            is_unique(section, entry_of(own), is_member).then_some(own)
        };
        SHORTENED.iter().find_map(short).unwrap_or(name)
    }

    /// The names of all columns.
    pub fn iter(&self) -> impl Iterator<Item = &String> {
        self.0.iter()
    }

    /// The name of a column.
    pub fn name(&self, column: usize) -> &str {
        &self.0[column]
    }
}

/// Selected values of a run, with one row for each recorded state. `Display` prints the table in aligned columns.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub struct ResultTable {
    /// The names of the columns.
    pub names: Vec<String>,
    /// The values, row by row.
    pub rows: Vec<Vec<f64>>,
}

impl ResultTable {
    /// Keeps every n-th row, from the first one on: a short table of a run with many states.
    ///
    /// ```
    /// # use lie_runtime::prelude::*;
    /// # #[mechanical_system]
    /// # mod wheel {
    /// #     #[configuration]
    /// #     pub struct Wheel { pub angle: f64 }
    /// #     #[kinetic_energy]
    /// #     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.angle * v.angle }
    /// # }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let system = wheel::System::new()?;
    /// let start = Simulation::of(&system).initial(wheel::Wheel { angle: 0.0 }, wheel::Velocity { angle: 2.0 });
    /// let run = start.step(0.01).end_time(1.0).run()?;
    /// assert_eq!(run.table(["t", "angle"])?.every(50).rows.len(), 3);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    pub fn every(mut self, n: usize) -> Self {
        self.rows = self.rows.into_iter().step_by(n.max(1)).collect();
        self
    }
}

impl fmt::Display for ResultTable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let widths: Vec<usize> = self.names.iter().map(|name| name.chars().count().max(12)).collect();
        let line = |texts: Vec<String>| {
            let padded = texts.iter().zip(&widths).map(|(text, width)| format!("{text:>width$}"));
            padded.collect::<Vec<_>>().join("  ")
        };
        f.write_str(&line(self.names.clone()))?;
        for row in &self.rows {
            let text = |value: &f64| {
                let is_long = *value != 0.0 && !(1e-3..1e6).contains(&value.abs());
                if is_long { format!("{value:.4e}") } else { format!("{value:.6}") }
            };
            write!(f, "\n{}", line(row.iter().map(text).collect()))?;
        }
        Ok(())
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

/// Removes the section of a member or an observable from a name.
#[cfg(feature = "ensemble")]
pub(crate) fn without_section(name: &str) -> &str {
    let short = |section: &&str| name.strip_prefix(*section)?.strip_prefix('.');
    SHORTENED.iter().find_map(short).unwrap_or(name)
}

/// Returns the first part of a name: `nodes` of `nodes[3].translation[1]`.
fn entry_of(name: &str) -> &str {
    name.split(['.', '[']).next().unwrap_or(name)
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
