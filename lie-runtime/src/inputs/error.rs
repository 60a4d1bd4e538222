//! What can be wrong with inputs.

use crate::messages::{listed, see};

/// Why a system has no inputs at some time, or none that a run could use.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// Nothing gives them.
    #[error("{} {}", missing(.inputs, .fields), see("inputs"))]
    Missing {
        /// The struct.
        inputs: &'static str,
        /// Its fields.
        fields: Vec<&'static str>,
    },
    /// They depend on the state, or jump, where a function of time is needed.
    #[error(
        "`{function}` requires inputs that are functions of time. Set `system.with_inputs_over_time(|t| …)` or \
         `system.with_inputs_from(table)`; other inputs can depend on the state with `.with_feedback(|t, q, v, u| …)` {}",
        see("inputs")
    )]
    NotOverTime {
        /// The constraint or the potential that takes them.
        function: &'static str,
    },
    /// They have no two derivatives where a constraint needs them.
    #[error(
        "constraint `{function}` requires the first two derivatives of its inputs with respect to time. Set \
         `system.with_inputs_over_time(|t| …)`, or use a cubic `Table` {}",
        see("inputs")
    )]
    NotSmooth {
        /// The constraint.
        function: &'static str,
    },
    /// They are not defined at a time of the run.
    #[error(
        "the inputs `{inputs}` are defined from t = {:?} to t = {:?}, and the run requires them at t = {time:?}. Add rows to the table, set an \
         earlier end time, or call `.holding_ends()` of the table {}",
        .range[0],
        .range[1],
        see("inputs")
    )]
    OutOfRange {
        /// A time of the run.
        time: f64,
        /// Where they are defined.
        range: [f64; 2],
        /// The struct.
        inputs: &'static str,
    },
    /// They are a function of the state, or asked of a controller, where derivatives by the state are needed.
    #[error(
        "the inputs `{inputs}` depend on the state and have no derivatives. Set `system.with_inputs_over_time(|t| …)`, or declare the control \
         law as a `#[force]` with parameters {}",
        see("inputs")
    )]
    OfState {
        /// The struct.
        inputs: &'static str,
    },
    /// A number is NaN or infinite.
    #[error(
        "the input `{field}` is not finite at t = {time:?}; check the closure or the table of the inputs {}",
        see("inputs")
    )]
    NotFinite {
        /// The field.
        field: &'static str,
        /// The time at which that was seen.
        time: f64,
    },
    /// The time from one sample to the next is not positive and finite.
    #[error(
        "the sampling period is {period:?}; it must be finite, positive and above the floating-point resolution of the time {}",
        see("inputs")
    )]
    Period {
        /// That time.
        period: f64,
    },
}

crate::messages::debug_is_the_message!(InputError);
/// What is wrong with a table.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// Too few rows: an interpolation has two at least.
    #[error("the table of inputs has {rows} rows; add rows up to at least 2 {}", see("input-tables"))]
    TooShort {
        /// How many there are.
        rows: usize,
    },
    /// As many times as rows are needed.
    #[error("the table of inputs has {times} times and {rows} rows; set one time for each row {}", see("input-tables"))]
    Lengths {
        /// The times.
        times: usize,
        /// The rows.
        rows: usize,
    },
    /// A time that does not come after the one before it.
    #[error(
        "row {row} of the table of inputs, t = {time:?}, is not later than the previous row; sort the rows {}",
        see("input-tables")
    )]
    NotSorted {
        /// The row, from 0.
        row: usize,
        /// Its time.
        time: f64,
    },
    /// A number that is NaN or infinite.
    #[error("`{column}` in row {row} of the table of inputs is not finite; set a finite value {}", see("input-tables"))]
    NotFinite {
        /// The row, from 0.
        row: usize,
        /// The field, or `t`.
        column: String,
    },
    /// A column that is not an input.
    #[error("{} {}", unknown_column(.column, .nearest.as_deref(), .expected), see("input-tables"))]
    UnknownColumn {
        /// Its name.
        column: String,
        /// The missing column that was probably meant.
        nearest: Option<String>,
        /// The columns of such a table.
        expected: Vec<String>,
    },
    /// A column that is there twice.
    #[error("duplicate column `{column}` in the table of inputs; remove one of them {}", see("input-tables"))]
    DuplicateColumn {
        /// Its name.
        column: String,
    },
    /// A column that is missing.
    #[error("missing column `{column}` in the table of inputs; the columns are {} {}", listed(.expected), see("input-tables"))]
    MissingColumn {
        /// Its name.
        column: String,
        /// The columns of such a table.
        expected: Vec<String>,
    },
    /// Something that is no number.
    #[error(
        "`{text}` in line {line} of the table of inputs is not a number; write a decimal number {}",
        see("input-tables")
    )]
    NoNumber {
        /// The line of the file, from 1.
        line: usize,
        /// What stands there.
        text: String,
    },
}

crate::messages::debug_is_the_message!(TableError);

/// The message of missing inputs.
fn missing(inputs: &str, fields: &[&str]) -> String {
    let fields: Vec<String> = fields.iter().map(|field| format!("{field}: …")).collect();
    format!(
        "missing inputs `{inputs}`: set `system.with_inputs(|t, q, v| {inputs} {{ {} }})`, or `.controller(period, …)` of the simulation",
        fields.join(", ")
    )
}

/// The message of an unknown column.
fn unknown_column(column: &str, nearest: Option<&str>, expected: &[String]) -> String {
    let nearest = nearest.map_or_else(String::new, |nearest| format!("did you mean `{nearest}`? "));
    format!("unknown column `{column}` in the table of inputs; {nearest}the columns are {}", listed(expected))
}
