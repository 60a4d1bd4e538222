//! Trajectories as CSV and NPZ files.
//!
//! Both formats contain the time, the members of q, v and λ with their declared names, the observables, the energies, and the residuals of
//! position and velocity constraints of each [sample](super::Sample).

mod csv;
mod npz;

use std::fs::File;
use std::io::{self, BufWriter, Write};
use std::path::Path;

pub(crate) use csv::write_row;
pub(crate) use npz::Array;

use crate::messages::see;
use crate::simulate::motion::Simulated;
use crate::simulate::outcome::{Run, Sampled, named_record};
use crate::system::{ModelError, Value};

/// The error of a trajectory that could not be written.
#[derive(thiserror::Error)]
#[non_exhaustive]
pub enum ExportError {
    /// The file could not be written.
    #[error("the trajectory could not be written: {}; check the path and its permissions {}", .0, see("files"))]
    Io(io::Error),
    /// The states belong to another system: a chain or a vector has another length.
    #[error("the trajectory belongs to another system: {0}")]
    ForeignState(ModelError),
    /// The states do not all have the same columns.
    #[error(
        "the columns of state {state} differ from the columns of the first state; export states of one system {}",
        see("recorded-states")
    )]
    Columns {
        /// The index of the first state that differs.
        state: usize,
    },
}

crate::messages::debug_is_the_message!(ExportError);

/// The message contains the message of the operating system, so that the error has no source.
impl From<io::Error> for ExportError {
    fn from(error: io::Error) -> Self {
        ExportError::Io(error)
    }
}

/// Appends the values of `value` to `arrays`, from the array `next` on. Creates the arrays for the first state.
///
/// Returns `None` if the arrays differ from the arrays of the first state.
fn append(value: &Value, name: &str, first: bool, next: &mut usize, arrays: &mut Vec<Array>) -> Option<()> {
    let mut leaf = |shape: Vec<u64>, entries: &mut dyn Iterator<Item = f64>| {
        if first {
            arrays.push(Array { name: name.to_owned(), shape: shape.clone(), entries: Vec::new() });
        }
        let array = arrays.get_mut(*next).filter(|array| array.name == name && array.shape == shape)?;
        array.entries.extend(entries);
        *next += 1;
        Some(())
    };
    match value {
        Value::Scalar(number) => leaf(Vec::new(), &mut core::iter::once(*number)),
        Value::Vector(numbers) => leaf(vec![numbers.len() as u64], &mut numbers.iter().copied()),
        Value::Matrix(rows) => {
            let columns = rows.first().map_or(0, Vec::len);
            leaf(vec![rows.len() as u64, columns as u64], &mut rows.iter().flatten().copied())
        }
        Value::List(values) => values
            .iter()
            .enumerate()
            .try_for_each(|(index, value)| append(value, &format!("{name}[{index}]"), first, next, arrays)),
        Value::Record(entries) => entries.iter().try_for_each(|(key, value)| {
            let full = if name.is_empty() { (*key).to_owned() } else { format!("{name}.{key}") };
            append(value, &full, first, next, arrays)
        }),
    }
}

/// Returns the names and shapes of the arrays of a record.
pub(crate) fn arrays_of(record: &Value) -> Vec<(String, Vec<usize>)> {
    let mut arrays = Vec::new();
    append(record, "", true, &mut 0, &mut arrays);
    let size = |&length: &u64| usize::try_from(length).unwrap_or(usize::MAX);
    arrays.into_iter().map(|Array { name, shape, .. }| (name, shape.iter().map(size).collect())).collect()
}

/// Writes one line per record, with a header of full names such as `attitude[0][2]`.
///
/// # Errors
/// [`ExportError`] if the writer fails.
#[doc(alias = "pandas")]
#[doc(alias = "table")]
pub fn write_csv(records: impl IntoIterator<Item = Value>, mut writer: impl Write) -> Result<(), ExportError> {
    csv_of(&mut records.into_iter(), &mut writer)
}

/// [`write_csv`], compiled only once.
fn csv_of(records: &mut dyn Iterator<Item = Value>, writer: &mut dyn Write) -> Result<(), ExportError> {
    for (index, record) in records.enumerate() {
        if index == 0 {
            let mut names = Vec::new();
            record.for_each("", &mut |name, _| names.push(name.to_owned()));
            write_row(writer, names)?;
        }
        // The shortest decimal representation that is parsed to the same number.
        write_row(writer, record.numbers().iter().map(|number| format!("{number:?}")))?;
    }
    writer.flush()?;
    Ok(())
}

/// Writes an NPZ archive of arrays whose first axis runs over the records, such as `attitude` of shape
/// (records, 3, 3).
///
/// # Errors
/// [`ExportError`] if the writer fails or the columns of a record differ from the first one.
#[doc(alias = "NumPy")]
pub fn write_npz(records: impl IntoIterator<Item = Value>, mut writer: impl Write) -> Result<(), ExportError> {
    npz_of(&mut records.into_iter(), &mut writer)
}

/// [`write_npz`], compiled only once.
fn npz_of(records: &mut dyn Iterator<Item = Value>, writer: &mut dyn Write) -> Result<(), ExportError> {
    let mut arrays = Vec::new();
    let mut count = 0;
    for (index, record) in records.enumerate() {
        let mut next = 0;
        append(&record, "", index == 0, &mut next, &mut arrays)
            .filter(|()| next == arrays.len())
            .ok_or(ExportError::Columns { state: index })?;
        count += 1;
    }
    write_arrays(&arrays, Some(count), writer)
}

/// Writes an NPZ archive of arrays with `count` entries each, or with a single entry.
pub(crate) fn write_arrays(arrays: &[Array], count: Option<u64>, writer: &mut dyn Write) -> Result<(), ExportError> {
    Ok(npz::write(arrays, count, writer)?)
}

impl<P: Simulated<System: Sampled<P>>> Run<'_, P> {
    /// Writes one line for each recorded state, with a header of full names such as `attitude[0][2]`.
    ///
    /// # Errors
    /// [`ExportError`] if the writer fails.
    pub fn write_csv(&self, writer: impl Write) -> Result<(), ExportError> {
        write_csv(self.samples().map(named_record), writer)
    }

    /// [`write_csv`](Run::write_csv) into a file.
    ///
    /// # Errors
    /// [`ExportError`] if the file cannot be written.
    pub fn save_csv(&self, path: impl AsRef<Path>) -> Result<(), ExportError> {
        self.write_csv(BufWriter::new(File::create(path)?))
    }

    /// Writes an NPZ archive of arrays whose first axis runs over the states, such as `attitude` of shape (states, 3, 3).
    ///
    /// # Errors
    /// [`ExportError`] if the writer fails.
    pub fn write_npz(&self, writer: impl Write) -> Result<(), ExportError> {
        write_npz(self.samples().map(named_record), writer)
    }

    /// [`write_npz`](Run::write_npz) into a file.
    ///
    /// # Errors
    /// [`ExportError`] if the file cannot be written.
    pub fn save_npz(&self, path: impl AsRef<Path>) -> Result<(), ExportError> {
        self.write_npz(BufWriter::new(File::create(path)?))
    }
}
