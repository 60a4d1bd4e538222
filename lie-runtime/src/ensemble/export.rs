//! Export of ensemble results.

use std::fs::File;
use std::io::{BufWriter, Write};
use std::path::Path;

use super::results::Results;
use crate::simulate::export::{Array, ExportError, write_arrays, write_row};

/// The quantiles in a table of statistics.
const PARTS: [(&str, f64); 3] = [("5 %", 0.05), ("50 %", 0.5), ("95 %", 0.95)];

/// The column with the reasons for missing values.
pub(super) const MISSING: &str = "missing";
/// The column of the kinds of the warnings of each run.
pub(super) const NOTICES: &str = "notices";

impl Results {
    /// Writes one line for each state of each member: its index, its samples, the recorded values, in the column `missing` the reason for
    /// values that are NaN, and in the column `notices` the kinds of the warnings of its run, separated by semicolons.
    ///
    /// # Errors
    /// [`ExportError`] if the writer fails.
    pub fn write_csv(&self, mut writer: impl Write) -> Result<(), ExportError> {
        let sampled = self.variables.iter().map(|name| format!("sample.{name}"));
        write_row(
            &mut writer,
            ["member".to_owned()]
                .into_iter()
                .chain(sampled)
                .chain(self.columns.iter().cloned())
                .chain([MISSING, NOTICES].map(str::to_owned)),
        )?;
        let width = self.columns.len().max(1);
        let lines = self.values.chunks_exact(self.states().max(1) * width);
        for ((member, sample), states) in self.samples.iter().enumerate().zip(lines) {
            let notices = self.kinds_of_notices(member);
            for (state, values) in states.chunks_exact(width).enumerate() {
                let numbers = sample.iter().chain(values).map(|number| format!("{number:?}"));
                let missing = self.missing(member, state).unwrap_or_default();
                let texts = [missing, notices.clone()];
                write_row(&mut writer, [member.to_string()].into_iter().chain(numbers).chain(texts))?;
            }
        }
        writer.flush()?;
        Ok(())
    }

    /// Writes the statistics of each recorded value over the members, and the number of members without a value, for each state.
    ///
    /// # Errors
    /// [`ExportError`] if the writer fails.
    pub fn write_statistics_csv(&self, mut writer: impl Write) -> Result<(), ExportError> {
        let head = ["state", "column", "members", "missing", "mean", "deviation", "minimum"];
        write_row(&mut writer, head.into_iter().chain(PARTS.map(|(name, _)| name)).chain(["maximum"]))?;
        for state in 0..self.states() {
            for name in &self.columns {
                let Some(column) = self.column(name) else { continue };
                let spread = column.spread(state);
                let parts = column.quantiles(state, PARTS.map(|(_, part)| part));
                let numbers =
                    [spread.mean, spread.deviation(), spread.minimum].into_iter().chain(parts).chain([spread.maximum]);
                let labels = [state.to_string(), name.clone(), spread.count.to_string(), spread.missing.to_string()];
                write_row(&mut writer, labels.into_iter().chain(numbers.map(|number| format!("{number:?}"))))?;
            }
        }
        writer.flush()?;
        Ok(())
    }

    /// Writes an NPZ archive. Arrays such as `sample.mass` have the shape (members); recorded values have the shape (members, states) and
    /// are NaN if they are missing.
    ///
    /// # Errors
    /// [`ExportError`] if the writer fails.
    pub fn write_npz(&self, mut writer: impl Write) -> Result<(), ExportError> {
        let width = self.columns.len().max(1);
        let sampled = self.variables.iter().enumerate().map(|(at, name)| Array {
            name: format!("sample.{name}"),
            shape: Vec::new(),
            entries: self.samples.iter().filter_map(|sample| sample.get(at).copied()).collect(),
        });
        let measured = self.columns.iter().enumerate().map(|(at, name)| Array {
            name: name.clone(),
            shape: vec![self.states() as u64],
            entries: self.values.iter().skip(at).step_by(width).copied().collect(),
        });
        let arrays: Vec<Array> = sampled.chain(measured).collect();
        write_arrays(&arrays, Some(self.members() as u64), &mut writer)
    }

    /// Writes [`write_csv`](Results::write_csv) to a file.
    ///
    /// # Errors
    /// [`ExportError`] if the file cannot be written.
    pub fn save_csv(&self, path: impl AsRef<Path>) -> Result<(), ExportError> {
        self.write_csv(BufWriter::new(File::create(path)?))
    }

    /// Writes [`write_statistics_csv`](Results::write_statistics_csv) to a file.
    ///
    /// # Errors
    /// [`ExportError`] if the file cannot be written.
    pub fn save_statistics_csv(&self, path: impl AsRef<Path>) -> Result<(), ExportError> {
        self.write_statistics_csv(BufWriter::new(File::create(path)?))
    }

    /// Writes [`write_npz`](Results::write_npz) to a file.
    ///
    /// # Errors
    /// [`ExportError`] if the file cannot be written.
    pub fn save_npz(&self, path: impl AsRef<Path>) -> Result<(), ExportError> {
        self.write_npz(BufWriter::new(File::create(path)?))
    }
}
