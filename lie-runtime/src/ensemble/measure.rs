//! The recorded values of a run, with the names of exported trajectories.

use std::sync::OnceLock;

use super::error::MemberFailure;
use crate::simulate::{ColumnNames, Sampled, Simulated, Trajectory, Warning};
use crate::system::Value;

/// The values of a member, by state and column.
#[derive(Clone, Debug, Default, PartialEq)]
pub(super) struct ResultRow {
    pub values: Vec<f64>,
    /// The reason for an early stop; the last state is the final one.
    pub stopped: Option<String>,
    /// The warnings of the run.
    pub warnings: Vec<StoredWarning>,
}

/// A warning of a run, as it is stored.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct StoredWarning {
    /// See [`Warning::kind`].
    pub kind: String,
    pub message: String,
}

impl From<&Warning> for StoredWarning {
    fn from(warning: &Warning) -> Self {
        StoredWarning { kind: warning.kind().to_owned(), message: warning.to_string() }
    }
}

impl ResultRow {
    /// Returns the row, or an error if it is empty.
    pub(crate) fn unless_empty(self) -> Result<ResultRow, MemberFailure> {
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
    /// A requested name that does not exist, and the names that exist.
    pub unknown: Option<(String, Vec<String>)>,
}

impl Measure {
    pub fn new(asked: Vec<String>) -> Self {
        Measure { asked, columns: OnceLock::new(), parts: OnceLock::new() }
    }

    /// Sets the columns of a checkpoint, which must contain the requested ones.
    pub(crate) fn set_columns(&self, kept: Vec<String>) {
        let names = ColumnNames::of_labels(&kept);
        let unknown = self.asked.iter().find(|asked| !names.has(asked)).map(|asked| (asked.clone(), names.known()));
        // Existing columns are equal.
        let _ = self.columns.set(ResultColumns { kept, unknown });
    }

    /// Returns the columns if they are known.
    pub fn columns(&self) -> Option<&ResultColumns> {
        self.columns.get()
    }

    /// Returns the values of a run.
    pub fn row<P>(&self, system: &P::System, trajectory: &Trajectory<P>) -> Result<ResultRow, MemberFailure>
    where
        P: Simulated<System: Sampled<P>>,
    {
        let warnings = trajectory.warnings().iter().map(StoredWarning::from).collect();
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
        let names = ColumnNames::of(&record);
        let count = record.numbers().len();
        let (mut is_kept, mut unknown) = (vec![self.asked.is_empty(); count], None);
        // The first column is the time.
        is_kept[..count.min(1)].fill(true);
        for asked in &self.asked {
            match names.find(asked) {
                Ok(found) => found.into_iter().for_each(|column| is_kept[column] = true),
                Err(_) => unknown = unknown.or_else(|| Some((asked.clone(), names.known()))),
            }
        }
        let kept = (0..count).filter(|&column| is_kept[column]).map(|column| names.label(column).to_owned()).collect();
        let mut parts = Vec::new();
        let Value::Record(entries) = record else { return parts };
        for (name, value) in entries {
            let later = is_kept.split_off(value.numbers().len());
            let own = core::mem::replace(&mut is_kept, later);
            if own.contains(&true) {
                parts.push(ColumnPart { name, is_kept: own });
            }
        }
        // Columns of a checkpoint are equal.
        let _ = self.columns.set(ResultColumns { kept, unknown });
        parts
    }
}
