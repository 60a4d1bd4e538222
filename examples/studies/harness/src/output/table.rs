//! Tables for the eye.

use std::io::{self, Write};

use comfy_table::presets::UTF8_BORDERS_ONLY;
use comfy_table::{CellAlignment, Table};
use lie_runtime::simulate::MethodInfo;
use lie_runtime::system::Value;

use crate::example::Example;
use crate::request::Outcome;
use lie_runtime::simulate::Sample;

/// Number of samples in a row.
const COLUMNS: usize = 4;

/// A table with a header, its first column to the left and the others to the right.
pub(crate) fn table(header: &[String], rows: &[Vec<String>]) -> Table {
    let mut table = Table::new();
    table.load_style(UTF8_BORDERS_ONLY);
    table.set_header(header);
    for row in rows {
        table.add_row(row);
    }
    for column in table.column_iter_mut().skip(1) {
        column.set_cell_alignment(CellAlignment::Right);
    }
    table
}

/// Prints a run: its description, then the samples side by side.
pub(crate) fn outcome(example: &Example, outcome: &Outcome, writer: &mut dyn Write) -> io::Result<()> {
    let steps = match outcome.step {
        Some(step) if (1e-9..1e9).contains(&step) => format!("{} steps of {step}", outcome.accepted),
        Some(step) => format!("{} steps of {step:e}", outcome.accepted),
        None => format!("{} steps, {} rejected", outcome.accepted, outcome.rejected),
    };
    let iterations =
        outcome.newton_iterations.map_or_else(String::new, |mean| format!(" · {mean:.2} Newton iterations a step"));
    writeln!(
        writer,
        "{} on {} · {} · {steps} in {:.3} ms · {} degrees of freedom, {} constraints{iterations}",
        example.name,
        outcome.notation,
        outcome.method,
        1e3 * outcome.seconds,
        outcome.dof,
        outcome.constraints,
    )?;
    for samples in outcome.samples.chunks(COLUMNS) {
        writeln!(writer, "{}", side_by_side(samples))?;
    }
    Ok(())
}

/// One column a sample, one row a vector, a row of a matrix or a number.
fn side_by_side(samples: &[Sample]) -> Table {
    let mut header = vec!["t".to_owned()];
    header.extend(samples.iter().map(|sample| sample.t.to_string()));
    let mut rows: Vec<Vec<String>> = Vec::new();
    for (column, sample) in samples.iter().enumerate() {
        let mut cells = Vec::new();
        if let Value::Record(entries) = sample.record() {
            for (name, value) in entries.iter().skip(1) {
                lines(name, value, &mut cells);
            }
        }
        for (row, (name, text)) in cells.into_iter().enumerate() {
            if column == 0 {
                rows.push(vec![name]);
            }
            if let Some(row) = rows.get_mut(row) {
                row.push(text);
            }
        }
    }
    table(&header, &rows)
}

/// The lines of a value under its full name.
fn lines(name: &str, value: &Value, cells: &mut Vec<(String, String)>) {
    let join = |numbers: &[f64]| {
        let texts: Vec<String> = numbers.iter().map(|&number| short(number)).collect();
        texts.join("  ")
    };
    match value {
        Value::Scalar(number) => cells.push((name.to_owned(), short(*number))),
        Value::Vector(numbers) => cells.push((name.to_owned(), join(numbers))),
        Value::Matrix(rows) => {
            for (index, row) in rows.iter().enumerate() {
                let name = if index == 0 { name } else { "" };
                cells.push((name.to_owned(), join(row)));
            }
        }
        Value::List(values) => {
            for (index, value) in values.iter().enumerate() {
                lines(&format!("{name}[{index}]"), value, cells);
            }
        }
        Value::Record(entries) => {
            for (key, value) in entries {
                lines(&format!("{name}.{key}"), value, cells);
            }
        }
    }
}

/// A number in eleven characters.
fn short(number: f64) -> String {
    if number == 0.0 || (1e-3..1e5).contains(&number.abs()) {
        format!("{number:>11.5}")
    } else {
        format!("{number:>11.4e}")
    }
}

/// Prints a list of methods, the identifier first.
pub(crate) fn methods(methods: &[MethodInfo], writer: &mut dyn Write) -> io::Result<()> {
    let width = methods.iter().map(|card| card.id.len()).max().unwrap_or(0);
    for card in methods {
        let control = if card.estimates { "fixed or error-controlled steps" } else { "fixed steps" };
        writeln!(
            writer,
            "{:width$}  order {}, multipliers {}, {control}: {}",
            card.id, card.order, card.multiplier_order, card.name
        )?;
    }
    Ok(())
}
