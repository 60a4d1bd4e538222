//! Errors of the runtime as exceptions.
//!
//! `liemech._errors.create` creates the exception: it selects the class by name.

use lie_runtime::dynamic::DynamicError;
use lie_runtime::picture::FigureError;
use lie_runtime::simulate::Failure;
use lie_runtime::simulate::MethodError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// A value of an attribute.
#[derive(IntoPyObject)]
pub enum Attribute {
    Real(f64),
    Count(usize),
    Text(String),
}

/// The data of an exception.
pub struct Report {
    class: &'static str,
    kind: &'static str,
    message: String,
    attributes: Vec<(&'static str, Attribute)>,
    /// The errors of a declaration.
    diagnostics: Vec<Entry>,
}

/// An error of a declaration.
#[derive(IntoPyObject)]
struct Entry {
    code: &'static str,
    message: String,
    help: Option<String>,
    file: String,
    line: usize,
    column: usize,
}

impl Entry {
    fn new(error: &lie_compiler::Diagnostic) -> Self {
        Entry {
            code: error.code.id(),
            message: error.message.clone(),
            help: error.help.clone(),
            file: error.file.clone(),
            line: error.start.line,
            column: error.start.column,
        }
    }
}

impl Report {
    fn new(class: &'static str, kind: &'static str, message: String) -> Self {
        Report { class, kind, message, attributes: vec![], diagnostics: vec![] }
    }

    fn real(mut self, name: &'static str, value: f64) -> Self {
        self.attributes.push((name, Attribute::Real(value)));
        self
    }

    fn count(mut self, name: &'static str, value: usize) -> Self {
        self.attributes.push((name, Attribute::Count(value)));
        self
    }

    fn text(mut self, name: &'static str, value: impl Into<String>) -> Self {
        self.attributes.push((name, Attribute::Text(value.into())));
        self
    }

    /// Creates the exception.
    pub fn into_exception(self, py: Python<'_>) -> PyResult<Bound<'_, PyAny>> {
        let attributes = PyDict::new(py);
        for (name, value) in self.attributes {
            attributes.set_item(name, value)?;
        }
        if !self.diagnostics.is_empty() {
            attributes.set_item("diagnostics", self.diagnostics)?;
        }
        let create = py.import("liemech._errors")?.getattr("create")?;
        create.call1((self.class, self.kind, self.message, attributes))
    }

    /// Creates the exception as an error to return.
    pub fn into_error(self, py: Python<'_>) -> PyErr {
        self.into_exception(py).map_or_else(|error| error, PyErr::from_value)
    }
}

/// The exception of a model or a state; `file` is the name of the file of a declaration.
pub fn of_model(error: DynamicError, file: Option<&str>) -> Report {
    let message = error.to_string();
    let report = |kind| Report::new("ModelError", kind, message);
    match error {
        DynamicError::Declaration(diagnostics) => {
            let diagnostics = match file {
                Some(file) => diagnostics.in_file(file),
                None => diagnostics,
            };
            let mut report = Report::new("DeclarationError", "Declaration", diagnostics.to_string());
            report.diagnostics = diagnostics.errors().iter().map(Entry::new).collect();
            report
        }
        DynamicError::File { path, .. } => report("File").text("name", path.display().to_string()),
        DynamicError::MissingParameters { .. } => report("MissingParameters"),
        DynamicError::UnknownName { name, .. } => report("UnknownName").text("name", name),
        DynamicError::WrongSize { name, expected, given, .. } => {
            report("WrongSize").text("name", name).count("expected", expected).count("given", given)
        }
        DynamicError::NotInGroup { name, group, defect } => {
            report("NotInGroup").text("name", name).text("group", group).real("defect", defect)
        }
        DynamicError::NotAnInteger { name, .. } => report("NotAnInteger").text("name", name),
        DynamicError::Reflection { name, .. } => report("Reflection").text("name", name),
        DynamicError::Model(_) => report("Parameters"),
        _ => report("Other"),
    }
}

/// The exception of a method.
pub fn of_method(error: &MethodError) -> Report {
    let kind = match error {
        MethodError::Unknown { .. } => "Unknown",
        MethodError::OfOtherProblems { .. } => "OfOtherProblems",
        MethodError::NotApplicable { .. } => "NotApplicable",
        MethodError::UnknownOption { .. } => "UnknownOption",
        MethodError::Option { .. } => "Option",
        _ => "Other",
    };
    Report::new("MethodError", kind, error.to_string())
}

/// The exception of an analysis.
pub fn of_analysis(class: &'static str, message: String) -> Report {
    Report::new(class, "Analysis", message)
}

/// The exception of an animation.
pub fn of_figure(error: &FigureError) -> Report {
    let kind = match error {
        FigureError::Empty => "Empty",
        FigureError::Frames { .. } => "Frames",
        _ => "Other",
    };
    Report::new("FigureError", kind, error.to_string())
}

/// The exception of derivatives that do not exist.
pub fn of_sensitivity(message: String) -> Report {
    Report::new("SensitivityError", "Sensitivity", message)
}

/// The exception of a run; `message` is the message with the progress of the run.
pub fn of_run(failure: &Failure, message: &str) -> Report {
    let of_class = |class, kind| Report::new(class, kind, message.to_owned());
    let report = |kind| of_class("SimulationError", kind);
    match failure {
        Failure::Setup(_) => of_class("SetupError", "Setup"),
        Failure::InitialValues(_) => of_class("ConsistencyError", "InitialValues"),
        Failure::Inputs(_) => of_class("InputError", "Inputs"),
        Failure::Step(error) => of_class("StepError", "Step").real("time", error.time).real("step", error.step),
        Failure::Event { event, time, .. } => of_class("EventError", "Event").text("event", event).real("time", *time),
        Failure::Limit { time, .. } => report("Limit").real("time", *time),
        Failure::Diverged { time, divergence } => {
            report("Diverged").real("time", *time).real("step", divergence.step).real("growth", divergence.growth)
        }
        Failure::EnergyGained { time, part, limit } => {
            report("EnergyGained").real("time", *time).real("part", *part).real("limit", *limit)
        }
        Failure::OffConstraints { time, row, residual, .. } => {
            let report = report("OffConstraints").real("time", *time).real("residual", *residual);
            report.text("constraint", row.constraint)
        }
        Failure::ConstraintJumps { time, row, jump } => {
            report("ConstraintJumps").real("time", *time).real("jump", *jump).text("constraint", row.constraint)
        }
        Failure::PotentialJumps { time, jump, .. } => report("PotentialJumps").real("time", *time).real("jump", *jump),
        Failure::StepTooSmall { time, step, .. } => report("StepTooSmall").real("time", *time).real("step", *step),
        Failure::Stalled { time, step, .. } => report("Stalled").real("time", *time).real("step", *step),
        Failure::TooManyRejections { time, step, .. } => {
            report("TooManyRejections").real("time", *time).real("step", *step)
        }
        _ => report("Other"),
    }
}
