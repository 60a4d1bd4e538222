//! Parquet export of ensemble results.

use std::fs::File;
use std::io::{self, Write};
use std::path::Path;
use std::sync::Arc;

use parquet::basic::{ConvertedType, Repetition, Type as Kind};
use parquet::data_type::{ByteArray, ByteArrayType, DataType, DoubleType, Int64Type};
use parquet::errors::ParquetError;
use parquet::file::properties::WriterProperties;
use parquet::file::writer::{SerializedFileWriter, SerializedRowGroupWriter};
use parquet::schema::types::{Type, TypePtr};

use super::export::{MISSING, WARNINGS};
use super::results::Results;
use crate::simulate::export::ExportError;

/// Number of rows in a row group, which a reader loads at once.
const ROWS: usize = 65_536;

impl Results {
    /// Writes a Parquet table with one row for each state of each member and the columns of [`write_csv`](Results::write_csv). Missing
    /// values are NaN; the column `missing` contains the reason, and the column `warnings` the kinds of the warnings of each run.
    ///
    /// # Errors
    /// [`ExportError`] if the writer fails.
    pub fn write_parquet(&self, writer: impl Write + Send) -> Result<(), ExportError> {
        self.write_columns(writer).map_err(|error| ExportError::Io(io::Error::other(error)))
    }

    /// Writes [`write_parquet`](Results::write_parquet) to a file.
    ///
    /// # Errors
    /// [`ExportError`] if the file cannot be written.
    pub fn save_parquet(&self, path: impl AsRef<Path>) -> Result<(), ExportError> {
        self.write_parquet(File::create(path)?)
    }

    fn write_columns(&self, writer: impl Write + Send) -> Result<(), ParquetError> {
        // Values hardly repeat.
        let properties = WriterProperties::builder().set_dictionary_enabled(false).build();
        let mut table = SerializedFileWriter::new(writer, self.schema()?, Arc::new(properties))?;
        let (states, width) = (self.states().max(1), self.columns.len());
        let rows = self.values.len().checked_div(width).unwrap_or(0);
        for first in (0..rows).step_by(ROWS) {
            let here = first..rows.min(first + ROWS);
            let mut group = table.next_row_group()?;
            // All rows are in memory, so that their number fits into an i64.
            let number = |row: usize| i64::try_from(row / states).unwrap_or(i64::MAX);
            let members: Vec<i64> = here.clone().map(number).collect();
            write_column::<Int64Type>(&mut group, &members)?;
            for variable in 0..self.variables.len() {
                let of = |row: usize| self.samples[row / states].get(variable).copied().unwrap_or(f64::NAN);
                write_column::<DoubleType>(&mut group, &here.clone().map(of).collect::<Vec<_>>())?;
            }
            for column in 0..width {
                let values = here.clone().map(|row| self.values[row * width + column]);
                write_column::<DoubleType>(&mut group, &values.collect::<Vec<_>>())?;
            }
            let reason = |row: usize| self.missing(row / states, row % states).unwrap_or_default();
            let reasons: Vec<ByteArray> = here.clone().map(|row| ByteArray::from(reason(row).as_str())).collect();
            write_column::<ByteArrayType>(&mut group, &reasons)?;
            let warnings = |row: usize| ByteArray::from(self.kinds_of_warnings(row / states).as_str());
            write_column::<ByteArrayType>(&mut group, &here.clone().map(warnings).collect::<Vec<_>>())?;
            group.close()?;
        }
        table.close()?;
        Ok(())
    }

    fn schema(&self) -> Result<TypePtr, ParquetError> {
        let field = |name: &str, kind| {
            let field = Type::primitive_type_builder(name, kind).with_repetition(Repetition::REQUIRED);
            field.build().map(Arc::new)
        };
        let mut fields = vec![field("member", Kind::INT64)?];
        for name in &self.variables {
            fields.push(field(&format!("sample.{name}"), Kind::DOUBLE)?);
        }
        for name in &self.columns {
            fields.push(field(name, Kind::DOUBLE)?);
        }
        for name in [MISSING, WARNINGS] {
            let text = Type::primitive_type_builder(name, Kind::BYTE_ARRAY).with_converted_type(ConvertedType::UTF8);
            fields.push(text.with_repetition(Repetition::REQUIRED).build().map(Arc::new)?);
        }
        Type::group_type_builder("ensemble").with_fields(fields).build().map(Arc::new)
    }
}

/// Writes the next column of a row group.
fn write_column<T: DataType>(
    group: &mut SerializedRowGroupWriter<'_, impl Write + Send>,
    values: &[T::T],
) -> Result<(), ParquetError> {
    let missing = || ParquetError::General("the schema has no further column".to_owned());
    let mut column = group.next_column()?.ok_or_else(missing)?;
    column.typed::<T>().write_batch(values, None, None)?;
    column.close()
}

#[cfg(test)]
mod tests {
    use parquet::file::reader::{FileReader, SerializedFileReader};
    use parquet::record::Field;

    use super::*;

    fn written_and_opened(results: &Results, name: &str) -> SerializedFileReader<File> {
        let path = std::env::temp_dir().join(format!("ensemble-{name}-{}.parquet", std::process::id()));
        results.save_parquet(&path).unwrap();
        let reader = SerializedFileReader::new(File::open(&path).unwrap()).unwrap();
        std::fs::remove_file(path).unwrap();
        reader
    }

    #[test]
    fn a_table_is_read_back_as_it_was() {
        let members = 40_000; // More than one row group.
        let results = Results {
            variables: vec!["mass".to_owned()],
            samples: (0..members).map(|member| vec![f64::from(member) / 3.0]).collect(),
            columns: vec!["t".to_owned(), "configuration.x".to_owned()],
            times: vec![0.0, 1.0],
            stops: vec![None; 40_000],
            warnings: Vec::new(),
            values: (0..4 * members).map(|at| if at == 7 { f64::NAN } else { f64::from(at).sqrt() }).collect(),
            failures: Vec::new(),
            resumed: 0,
            seconds: 0.0,
        };
        let reader = written_and_opened(&results, "whole");
        assert_eq!(reader.metadata().num_row_groups(), 2);
        let mut count = 0;
        for (at, row) in reader.get_row_iter(None).unwrap().enumerate() {
            let row = row.unwrap();
            let (names, fields): (Vec<&str>, Vec<&Field>) =
                row.get_column_iter().map(|(name, field)| (name.as_str(), field)).unzip();
            assert_eq!(names, ["member", "sample.mass", "t", "configuration.x", "missing", "warnings"]);
            assert_eq!(*fields[0], Field::Long(i64::try_from(at / 2).unwrap()));
            let expected = [results.samples[at / 2][0], results.values[2 * at], results.values[2 * at + 1]];
            for (field, expected) in fields[1..4].iter().zip(expected) {
                let Field::Double(value) = field else { panic!("{field} is not a number") };
                assert!(value.to_bits() == expected.to_bits(), "{value} {expected}");
            }
            count += 1;
        }
        assert_eq!(count, results.values.len() / 2);
    }

    #[test]
    fn no_members_are_a_table_without_rows() {
        let results = Results {
            variables: Vec::new(),
            samples: Vec::new(),
            columns: vec!["t".to_owned()],
            times: vec![0.0; 3],
            stops: Vec::new(),
            warnings: Vec::new(),
            values: Vec::new(),
            failures: Vec::new(),
            resumed: 0,
            seconds: 0.0,
        };
        let reader = written_and_opened(&results, "empty");
        assert_eq!(reader.metadata().file_metadata().num_rows(), 0);
    }
}
