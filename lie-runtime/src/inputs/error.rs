//! Errors of inputs and of input tables.

use crate::messages::{Remedy, alternatives, always, counted, listed, see, suggested};

/// The error of missing or unsuitable inputs.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum InputError {
    /// The inputs are not defined.
    #[error("{} {}", missing(.inputs, .fields), see("inputs"))]
    Missing {
        /// The inputs struct.
        inputs: &'static str,
        /// Its fields.
        fields: Vec<&'static str>,
    },
    /// Inputs that are set by name are not defined.
    #[error(
        "missing inputs {}: set {} {}",
        listed(.fields),
        Remedy::Input(.fields[0]),
        see("inputs")
    )]
    MissingByName {
        /// The inputs.
        fields: Vec<&'static str>,
    },
    /// A controller by name returned an input that it cannot set.
    #[error("the controller returned the input `{input}`, {reason} {}", see("inputs"))]
    ControllerOutput {
        /// The name.
        input: String,
        /// The reason, with the remedy.
        reason: String,
    },
    /// The inputs depend on the state or are discontinuous; a function of time is required.
    #[error(
        "`{function}` requires inputs that are functions of time; {} {}",
        alternatives([
            Remedy::InputsOverTime.after("set"),
            Remedy::InputTable.after("set"),
            feedback()
        ]),
        see("inputs")
    )]
    NotOverTime {
        /// The constraint or the potential with these inputs.
        function: &'static str,
    },
    /// The inputs are not twice differentiable; a constraint requires it.
    #[error(
        "constraint `{function}` requires the first two derivatives of its inputs with respect to time; {} {}",
        alternatives([Remedy::InputsOverTime.after("set"), always("use a table with cubic interpolation")]),
        see("inputs")
    )]
    NotSmooth {
        /// The constraint.
        function: &'static str,
    },
    /// The inputs are not defined at a time of the run.
    #[error(
        "the inputs `{inputs}` are defined from t = {:?} to t = {:?}, and the run requires them at t = {time:?}. {} {}",
        .range[0],
        .range[1],
        alternatives([
            always("Add rows to the table"),
            always("set an earlier end time"),
            Remedy::ConstantExtrapolation.after("call")
        ]),
        see("inputs")
    )]
    OutOfRange {
        /// A time of the run.
        time: f64,
        /// The interval of definition.
        range: [f64; 2],
        /// The inputs struct.
        inputs: &'static str,
    },
    /// The inputs depend on the state or on a controller; derivatives with respect to the state are required.
    #[error(
        "the inputs `{inputs}` depend on the state and have no derivatives; {} {}",
        alternatives([
            Remedy::InputsOverTime.after("set"),
            always("declare the control law as a `#[force]` with parameters")
        ]),
        see("inputs")
    )]
    OfState {
        /// The inputs struct.
        inputs: &'static str,
    },
    /// A value is NaN or infinite.
    #[error(
        "the input `{field}` is not finite at t = {time:?}; check the closure or the table of the inputs {}",
        see("inputs")
    )]
    NotFinite {
        /// The field.
        field: &'static str,
        /// The time of the evaluation.
        time: f64,
    },
    /// The sampling period is not positive and finite.
    #[error(
        "the sampling period is {period:?}; it must be finite, positive and above the floating-point resolution of the time {}",
        see("inputs")
    )]
    Period {
        /// The period.
        period: f64,
    },
    /// A delayed input is not declared.
    #[error("`.delayed`: unknown input `{name}`; the inputs are {}{} {}", listed(.known), suggested(.name, .known), see("dead-time"))]
    UnknownInput {
        /// The name.
        name: String,
        /// The inputs.
        known: Vec<&'static str>,
    },
    /// A delayed quantity is not a member of q or v, an auxiliary state or an observable.
    #[error(
        "`.delayed({input:?}, …)`: unknown quantity `{name}`; the quantities are {}{} {}",
        listed(.known),
        suggested(.name, .known),
        see("dead-time")
    )]
    UnknownQuantity {
        /// The input.
        input: String,
        /// The name.
        name: String,
        /// The quantities.
        known: Vec<String>,
    },
    /// A delayed input and its quantity, or its initial history, have different numbers of values.
    #[error(
        "the input `{input}` has {}, and {source_name} has {}; use equal numbers of values {}",
        counted(*.expected, "value"),
        counted(*.found, "value"),
        see("dead-time")
    )]
    DelayedShape {
        /// The input.
        input: String,
        /// The number of its values.
        expected: usize,
        /// The quantity, or the initial history.
        source_name: String,
        /// The number of values there.
        found: usize,
    },
    /// A dead time is not positive and finite.
    #[error(
        "the dead time of the input `{input}` is {dead_time:?}; it must be finite and positive {}",
        see("dead-time")
    )]
    DeadTime {
        /// The input.
        input: String,
        /// The dead time.
        dead_time: f64,
    },
    /// A step is longer than a dead time.
    #[error(
        "the step size {step:?} exceeds the dead time {dead_time:?} of the input `{input}`; set {} or a smaller step {}",
        Remedy::Setting { name: "step", value: &format!("{dead_time:?}") },
        see("dead-time")
    )]
    StepExceedsDeadTime {
        /// The input.
        input: String,
        /// The dead time.
        dead_time: f64,
        /// The fixed step size, or the minimum of controlled steps.
        step: f64,
    },
    /// An input is delayed twice.
    #[error("the input `{input}` has two dead times; remove one call of `.delayed({input:?}, …)` {}", see("dead-time"))]
    DelayedTwice {
        /// The input.
        input: String,
    },
    /// A constraint or a potential reads a delayed input.
    #[error(
        "`{function}` reads the input `{input}`, which depends on the state at an earlier time. Read it in a `#[force]` instead {}",
        see("dead-time")
    )]
    DelayedPrescribed {
        /// The input.
        input: String,
        /// The constraint or the potential.
        function: &'static str,
    },
    /// A delayed quantity depends on a delayed input at the same time, or it is not finite.
    #[error(
        "the quantity `{quantity}` of the delayed input `{input}` is not finite at the start, or it reads a delayed input. Declare it as a \
         function of the state and of other inputs {}",
        see("dead-time")
    )]
    DelayedQuantity {
        /// The input.
        input: String,
        /// The quantity.
        quantity: String,
    },
}

crate::messages::debug_is_the_message!(InputError);
/// The error of an invalid input table.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum TableError {
    /// The table has fewer than two rows.
    #[error("the table has {rows} rows; add rows up to at least 2 {}", see("input-tables"))]
    TooShort {
        /// The number of rows.
        rows: usize,
    },
    /// The numbers of times and rows differ.
    #[error("the table has {times} times and {rows} rows; set one time for each row {}", see("input-tables"))]
    Lengths {
        /// The number of times.
        times: usize,
        /// The number of rows.
        rows: usize,
    },
    /// A time is not later than the previous one.
    #[error(
        "row {row} of the table, t = {time:?}, is not later than the previous row; sort the rows {}",
        see("input-tables")
    )]
    NotSorted {
        /// The index of the row, from 0.
        row: usize,
        /// The time of the row.
        time: f64,
    },
    /// A value is NaN or infinite.
    #[error("`{column}` in row {row} of the table is not finite; set a finite value {}", see("input-tables"))]
    NotFinite {
        /// The index of the row, from 0.
        row: usize,
        /// The field, or `t`.
        column: String,
    },
    /// A column is not an input.
    #[error("{} {}", unknown_column(.column, .nearest.as_deref(), .expected), see("input-tables"))]
    UnknownColumn {
        /// Its name.
        column: String,
        /// The most similar missing column.
        nearest: Option<String>,
        /// The columns of the table type.
        expected: Vec<String>,
    },
    /// A column occurs twice.
    #[error("duplicate column `{column}` in the table; remove one occurrence {}", see("input-tables"))]
    DuplicateColumn {
        /// Its name.
        column: String,
    },
    /// A column is missing.
    #[error("missing column `{column}` in the table; the columns are {} {}", listed(.expected), see("input-tables"))]
    MissingColumn {
        /// Its name.
        column: String,
        /// The columns of the table type.
        expected: Vec<String>,
    },
    /// A cell is not a number.
    #[error("`{text}` in line {line} of the table is not a number; write a decimal number {}", see("input-tables"))]
    NoNumber {
        /// The line of the file, from 1.
        line: usize,
        /// The text of the cell.
        text: String,
    },
}

crate::messages::debug_is_the_message!(TableError);

/// The remedy of inputs of other functions that depend on the state.
fn feedback() -> Option<String> {
    Remedy::Setting { name: "with_feedback", value: "|t, q, v, u| …" }.after("add inputs that depend on the state with")
}

/// Formats the message of missing inputs.
fn missing(inputs: &str, fields: &[&str]) -> String {
    let fields: Vec<String> = fields.iter().map(|field| format!("{field}: …")).collect();
    format!(
        "missing inputs `{inputs}`: set `system.with_inputs(|t, q, v| {inputs} {{ {} }})`, or `.controller(period, …)` of the simulation",
        fields.join(", ")
    )
}

/// Formats the message of an unknown column.
fn unknown_column(column: &str, nearest: Option<&str>, expected: &[String]) -> String {
    let nearest = nearest.map_or_else(String::new, |nearest| format!("did you mean `{nearest}`? "));
    format!("unknown column `{column}` in the table; {nearest}the columns are {}", listed(expected))
}
