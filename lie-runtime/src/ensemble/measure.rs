//! The recorded values of a run, with the names of exported trajectories.

use std::sync::OnceLock;

use super::error::MemberFailure;
use crate::simulate::{Notice, Sampled, Simulated, Trajectory};
use crate::system::Value;

/// The values of a member, by state and column.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ResultRow {
    pub values: Vec<f64>,
    /// The reason for an early stop; the last state is the final one.
    pub stopped: Option<String>,
    /// The warnings of the run.
    pub warnings: Vec<Warning>,
}

/// A warning of a run, as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Warning {
    /// See [`Notice::kind`].
    pub kind: String,
    pub message: String,
}

impl From<&Notice> for Warning {
    fn from(notice: &Notice) -> Self {
        Warning { kind: notice.kind().to_owned(), message: notice.to_string() }
    }
}

impl ResultRow {
    /// Returns the row, or an error if it is empty.
    pub fn unless_empty(self) -> Result<ResultRow, MemberFailure> {
        if self.values.is_empty() { Err(MemberFailure::NothingRecorded) } else { Ok(self) }
    }
}

/// The requested columns.
pub(super) struct Measure {
    /// Names of columns, records or arrays; empty for all columns.
    asked: Vec<String>,
    /// The existing columns; known after the first member.
    columns: OnceLock<ResultColumns>,
    /// The entries of a record with requested values. They are determined once to avoid name comparisons for each value.
    parts: OnceLock<Vec<ColumnPart>>,
}

/// An entry of the record of a sample.
struct ColumnPart {
    name: &'static str,
    /// True for requested values.
    is_kept: Vec<bool>,
}

/// The existing columns.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ResultColumns {
    /// The requested columns; the first one is `t`.
    pub kept: Vec<String>,
    /// All columns.
    pub all: Vec<String>,
}

/// Returns true if a column is an entry of `whole`, for example `position[2]` or `position.x` of `position`, or equal to it.
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

    /// Sets known columns.
    pub fn set_columns(&self, kept: Vec<String>) {
        let all = kept.clone();
        // Existing columns are equal.
        let _ = self.columns.set(ResultColumns { kept, all });
    }

    /// Returns the columns if they are known.
    pub fn columns(&self) -> Option<&ResultColumns> {
        self.columns.get()
    }

    /// Returns a requested name that does not exist, if the columns are known.
    pub fn unknown(&self) -> Option<&str> {
        let columns = self.columns.get()?;
        let exists = |asked: &&String| columns.all.iter().any(|column| is_part_of(column, asked));
        self.asked.iter().find(|asked| !exists(asked)).map(String::as_str)
    }

    /// Returns the values of a run.
    pub fn row<P>(&self, system: &P::System, trajectory: &Trajectory<P>) -> Result<ResultRow, MemberFailure>
    where
        P: Simulated<System: Sampled<P>>,
    {
        let warnings = trajectory.notices.iter().map(Warning::from).collect();
        let mut row = ResultRow { values: Vec::new(), stopped: trajectory.stopped_by(), warnings };
        trajectory.for_each_asked(system, |system, state| self.add::<P>(system, state, &mut row));
        row.unless_empty()
    }

    /// Adds the values of a state.
    pub fn add<P>(&self, system: &P::System, state: &P::State, row: &mut ResultRow)
    where
        P: Simulated<System: Sampled<P>>,
    {
        for ColumnPart { name, is_kept } in self.parts.get_or_init(|| self.look_at(system.sample(state).into_record()))
        {
            let mut is_kept = is_kept.iter();
            system.visit_part(state, name, &mut |value| {
                if is_kept.next() == Some(&true) {
                    row.values.push(value);
                }
            });
        }
    }

    /// Selects the requested entries of a record and stores the columns.
    fn look_at(&self, record: Value) -> Vec<ColumnPart> {
        let mut columns = ResultColumns::default();
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
                parts.push(ColumnPart { name, is_kept });
            }
        }
        // Columns of a checkpoint are equal.
        let _ = self.columns.set(columns);
        parts
    }
}
