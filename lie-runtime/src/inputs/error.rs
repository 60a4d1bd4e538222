//! What can be wrong with inputs.

use core::fmt;

use crate::messages::listed;

/// Why a system has no inputs at some time, or none that a run could use.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum InputError {
    /// Nothing gives them.
    Missing {
        /// The struct.
        inputs: &'static str,
        /// Its fields.
        fields: Vec<&'static str>,
    },
    /// They depend on the state, or jump, where a function of time is needed.
    NotOverTime {
        /// The constraint or the potential that takes them.
        function: &'static str,
    },
    /// They have no two derivatives where a constraint needs them.
    NotSmooth {
        /// The constraint.
        function: &'static str,
    },
    /// They are not defined at a time of the run.
    OutOfRange {
        /// A time of the run.
        time: f64,
        /// Where they are defined.
        range: [f64; 2],
        /// The struct.
        inputs: &'static str,
    },
    /// They are a function of the state, or asked of a controller, where derivatives by the state are needed.
    OfState {
        /// The struct.
        inputs: &'static str,
    },
    /// A number is NaN or infinite.
    NotFinite {
        /// The field.
        field: &'static str,
        /// The time at which that was seen.
        time: f64,
    },
    /// The time from one sample to the next is not positive and finite.
    Period {
        /// That time.
        period: f64,
    },
}

impl fmt::Display for InputError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            InputError::Missing { inputs, fields } => {
                let written: Vec<String> = fields.iter().map(|field| format!("{field}: …")).collect();
                write!(
                    f,
                    "nothing gives the inputs `{inputs}`: say `system.with_inputs(|t, q, v| {inputs} {{ {} }})`, or \
                     `.controller(period, …)` of the simulation",
                    written.join(", ")
                )
            }
            InputError::NotOverTime { function } => write!(
                f,
                "`{function}` takes inputs that have to be functions of time: say `system.with_inputs_over_time(|t| …)` or \
                 `system.with_inputs_from(table)`; `.with_feedback(|t, q, v, u| …)` of such a system changes the others"
            ),
            InputError::NotSmooth { function } => write!(
                f,
                "the constraint `{function}` takes inputs, whose first two derivatives it needs: a jump would be an impact; \
                 say `system.with_inputs_over_time(|t| …)`, or take a cubic `Table`"
            ),
            InputError::OutOfRange { time, range: [first, last], inputs } => write!(
                f,
                "the inputs `{inputs}` are given from t = {first:?} to t = {last:?}, and the run comes to t = {time:?}: add \
                 rows to the table, end earlier, or say `.holding_ends()` of the table"
            ),
            InputError::OfState { inputs } => write!(
                f,
                "the inputs `{inputs}` follow the state by a function of numbers, which has no derivatives: give them over \
                 time, `system.with_inputs_over_time(|t| …)`, or declare the law as a `#[force]` with parameters"
            ),
            InputError::NotFinite { field, time } => {
                write!(f, "the input `{field}` is not a finite number at t = {time:?}: look at what gives it")
            }
            InputError::Period { period } => {
                write!(
                    f,
                    "inputs cannot be sampled every {period:?}: the period has to be finite, positive and longer than what times are told apart by"
                )
            }
        }
    }
}

crate::messages::debug_is_the_message!(InputError);
impl std::error::Error for InputError {}

/// What is wrong with a table.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum TableError {
    /// Too few rows: an interpolation has two at least.
    TooShort {
        /// How many there are.
        rows: usize,
    },
    /// As many times as rows are needed.
    Lengths {
        /// The times.
        times: usize,
        /// The rows.
        rows: usize,
    },
    /// A time that does not come after the one before it.
    NotSorted {
        /// The row, from 0.
        row: usize,
        /// Its time.
        time: f64,
    },
    /// A number that is NaN or infinite.
    NotFinite {
        /// The row, from 0.
        row: usize,
        /// The field, or `t`.
        column: String,
    },
    /// A column that is not an input.
    UnknownColumn {
        /// Its name.
        column: String,
        /// The missing column that was probably meant.
        nearest: Option<String>,
        /// The columns of such a table.
        expected: Vec<String>,
    },
    /// A column that is there twice.
    DuplicateColumn {
        /// Its name.
        column: String,
    },
    /// A column that is missing.
    MissingColumn {
        /// Its name.
        column: String,
        /// The columns of such a table.
        expected: Vec<String>,
    },
    /// Something that is no number.
    NoNumber {
        /// The line of the file, from 1.
        line: usize,
        /// What stands there.
        text: String,
    },
}

impl fmt::Display for TableError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            TableError::TooShort { rows } => write!(f, "the table of inputs has {rows} rows; give it two at least"),
            TableError::Lengths { times, rows } => {
                write!(f, "the table of inputs has {times} times and {rows} rows; give it as many of both")
            }
            TableError::NotSorted { row, time } => {
                write!(
                    f,
                    "row {row} of the table of inputs, t = {time:?}, is not later than the one before it; sort the rows"
                )
            }
            TableError::NotFinite { row, column } => {
                write!(f, "`{column}` in row {row} of the table of inputs is not a finite number")
            }
            TableError::UnknownColumn { column, nearest, expected } => {
                write!(f, "unknown column `{column}` in the table of inputs; ")?;
                if let Some(nearest) = nearest {
                    write!(f, "did you mean `{nearest}`? ")?;
                }
                write!(f, "the columns are {}", listed(expected))
            }
            TableError::DuplicateColumn { column } => {
                write!(f, "duplicate column `{column}` in the table of inputs; remove one of them")
            }
            TableError::MissingColumn { column, expected } => {
                write!(f, "missing column `{column}` in the table of inputs; the columns are {}", listed(expected))
            }
            TableError::NoNumber { line, text } => {
                write!(f, "`{text}` in line {line} of the table of inputs is not a number")
            }
        }
    }
}

crate::messages::debug_is_the_message!(TableError);
impl std::error::Error for TableError {}
