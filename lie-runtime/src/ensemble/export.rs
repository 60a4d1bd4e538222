//! Export of ensemble results.

use core::ops::Range;
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
pub(super) const WARNINGS: &str = "warnings";

impl Results {
    /// Writes one line for each state of each member: its index, its samples, the recorded values, in the column `missing` the reason for
    /// values that are NaN, and in the column `warnings` the kinds of the warnings of its run, separated by semicolons.
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
                .chain([MISSING, WARNINGS].map(str::to_owned)),
        )?;
        let width = self.columns.len().max(1);
        let lines = self.values.chunks_exact(self.states().max(1) * width);
        for ((member, sample), states) in self.samples.iter().enumerate().zip(lines) {
            let warnings = self.kinds_of_warnings(member);
            for (state, values) in states.chunks_exact(width).enumerate() {
                let numbers = sample.iter().chain(values).map(|number| format!("{number:?}"));
                let missing = self.missing(member, state).unwrap_or_default();
                let texts = [missing, warnings.clone()];
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

    /// Writes an NPZ archive. Arrays such as `sample.mass` have the shape (members). Recorded scalars have the shape (members, states), vectors
    /// the shape (members, states, components), matrices (members, states, rows, columns). Missing values are NaN.
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
        let measured = arrays(&self.columns).into_iter().map(|(name, shape, columns)| Array {
            name: name.to_owned(),
            shape: [self.states() as u64].into_iter().chain(shape).collect(),
            entries: self.values.chunks_exact(width).flat_map(|state| &state[columns.clone()]).copied().collect(),
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

/// Combines the columns of vectors and matrices. Returns the name of each array, the shape of its entries, and its columns.
fn arrays(columns: &[String]) -> Vec<(&str, Vec<u64>, Range<usize>)> {
    let named: Vec<(&str, Vec<u64>)> = columns.iter().map(|name| with_indices(name)).collect();
    let mut arrays = Vec::new();
    let mut start = 0;
    for group in named.chunk_by(|(a, _), (b, _)| a == b) {
        let range = start..start + group.len();
        start = range.end;
        let shape: Vec<u64> =
            group.last().map_or_else(Vec::new, |(_, last)| last.iter().map(|index| index + 1).collect());
        let is_whole = group.iter().zip(0..).all(|((_, indices), at)| *indices == indices_of(&shape, at));
        if is_whole && shape.iter().product::<u64>() == group.len() as u64 {
            arrays.push((group[0].0, shape, range));
        } else {
            // Single components were recorded.
            arrays.extend(range.map(|column| (columns[column].as_str(), Vec::new(), column..column + 1)));
        }
    }
    arrays
}

/// Splits the indices from the end of a name: `tip` and 2 of `tip[2]`.
fn with_indices(name: &str) -> (&str, Vec<u64>) {
    let mut stem = name;
    let mut indices = Vec::new();
    while let Some((rest, index)) = stem.strip_suffix(']').and_then(|inner| inner.rsplit_once('['))
        && let Ok(index) = index.parse()
    {
        indices.insert(0, index);
        stem = rest;
    }
    (stem, indices)
}

/// Returns the indices of an entry of an array in row-major order.
fn indices_of(shape: &[u64], mut entry: u64) -> Vec<u64> {
    let mut indices = vec![0; shape.len()];
    for (index, size) in indices.iter_mut().zip(shape).rev() {
        *index = entry % size;
        entry /= size;
    }
    indices
}

#[cfg(test)]
mod tests {
    use super::arrays;

    #[test]
    fn whole_vectors_and_matrices_are_arrays() {
        let names = [
            "t",
            "R[0][0]",
            "R[0][1]",
            "R[1][0]",
            "R[1][1]",
            "tip[0]",
            "tip[1]",
            "x[1]",
            "nodes[3].x[0]",
            "nodes[3].x[1]",
        ];
        let columns: Vec<String> = names.map(str::to_owned).to_vec();
        let expected = [
            ("t", vec![], 0..1),
            ("R", vec![2, 2], 1..5),
            ("tip", vec![2], 5..7),
            ("x[1]", vec![], 7..8),
            ("nodes[3].x", vec![2], 8..10),
        ];
        assert_eq!(arrays(&columns), expected);
    }
}
