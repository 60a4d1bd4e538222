//! What is kept of a run: numbers under the names of exported trajectories.

use std::sync::OnceLock;

use super::error::MemberFailure;
use crate::simulate::{Sampled, Simulated, Trajectory};
use crate::system::Value;

/// The numbers of a member: state by state, in each column by column.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Row {
    pub values: Vec<f64>,
    /// What has stopped the run, if something has: the last state is the one there.
    pub stopped: Option<String>,
}

impl Row {
    /// The row, if there is something in it.
    pub fn unless_empty(self) -> Result<Row, MemberFailure> {
        if self.values.is_empty() { Err(MemberFailure::NothingRecorded) } else { Ok(self) }
    }
}

/// The columns that are asked for.
pub(super) struct Measure {
    /// Names of columns, or of records and arrays that columns are part of; empty for all.
    asked: Vec<String>,
    /// What there is, as soon as a member has been run.
    columns: OnceLock<Columns>,
    /// The entries of a record with numbers that are kept, from the first record on: names are made once and not for every number.
    parts: OnceLock<Vec<Part>>,
}

/// An entry of the record of a sample.
struct Part {
    name: &'static str,
    /// Which of its numbers are kept.
    is_kept: Vec<bool>,
}

/// The columns that there are.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct Columns {
    /// Those that are kept; the first one is `t`.
    pub kept: Vec<String>,
    /// All.
    pub all: Vec<String>,
}

/// True of `position` and `position[2]` or `position.x` in this order, and of equal names.
fn is_part_of(column: &str, whole: &str) -> bool {
    column.strip_prefix(whole).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

impl Measure {
    pub fn new(asked: Vec<String>) -> Self {
        Measure { asked, columns: OnceLock::new(), parts: OnceLock::new() }
    }

    fn keeps(&self, column: &str) -> bool {
        column == "t" || self.asked.is_empty() || self.asked.iter().any(|asked| is_part_of(column, asked))
    }

    /// Takes columns that are known from elsewhere.
    pub fn set_columns(&self, kept: Vec<String>) {
        let all = kept.clone();
        // Equal ones, if there are any already.
        let _ = self.columns.set(Columns { kept, all });
    }

    /// The columns, as soon as they are known.
    pub fn columns(&self) -> Option<&Columns> {
        self.columns.get()
    }

    /// A name that is asked for and does not exist, as soon as that is known.
    pub fn unknown(&self) -> Option<&str> {
        let columns = self.columns.get()?;
        let exists = |asked: &&String| columns.all.iter().any(|column| is_part_of(column, asked));
        self.asked.iter().find(|asked| !exists(asked)).map(String::as_str)
    }

    /// The numbers of a run.
    pub fn row<P>(&self, system: &P::System, trajectory: &Trajectory<P>) -> Result<Row, MemberFailure>
    where
        P: Simulated<System: Sampled<P>>,
    {
        let mut row = Row { values: Vec::new(), stopped: trajectory.stopped_by() };
        trajectory.for_each_asked(system, |system, state| self.add::<P>(system, state, &mut row));
        row.unless_empty()
    }

    /// Adds the numbers of a state.
    pub fn add<P>(&self, system: &P::System, state: &P::State, row: &mut Row)
    where
        P: Simulated<System: Sampled<P>>,
    {
        for Part { name, is_kept } in self.parts.get_or_init(|| self.look_at(system.sample(state).into_record())) {
            let mut is_kept = is_kept.iter();
            system.visit_part(state, name, &mut |value| {
                if is_kept.next() == Some(&true) {
                    row.values.push(value);
                }
            });
        }
    }

    /// What of such a record is kept; the columns are known from here on.
    fn look_at(&self, record: Value) -> Vec<Part> {
        let mut columns = Columns::default();
        let mut parts = Vec::new();
        let Value::Record(entries) = record else { return parts };
        for (name, value) in entries {
            let mut is_kept = Vec::new();
            value.for_each(name, &mut |column, _| {
                columns.all.push(column.to_owned());
                is_kept.push(self.keeps(column));
                if self.keeps(column) {
                    columns.kept.push(column.to_owned());
                }
            });
            if is_kept.contains(&true) {
                parts.push(Part { name, is_kept });
            }
        }
        // Those of a file, if there are any already, are these.
        let _ = self.columns.set(columns);
        parts
    }
}
