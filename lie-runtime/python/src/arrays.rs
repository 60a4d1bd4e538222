//! Named values of recorded states as NumPy arrays.

use lie_runtime::simulate::Sample;
use lie_runtime::system::Value;
use numpy::ndarray::{ArrayD, IxDyn};
use numpy::{Element, PyArray, PyArrayDyn};
use pyo3::exceptions::PyRuntimeError;
use pyo3::prelude::*;
use pyo3::types::PyDict;

/// The values of one name at all states.
struct Column {
    name: String,
    shape: Vec<usize>,
    size: usize,
    values: Vec<f64>,
}

/// The values of all names.
#[derive(Default)]
pub struct Columns {
    states: usize,
    columns: Vec<Column>,
}

/// Returns the shape of an array; `None` for records and for lists with elements of several shapes.
fn shape(value: &Value) -> Option<Vec<usize>> {
    match value {
        Value::Scalar(_) => Some(vec![]),
        Value::Vector(values) => Some(vec![values.len()]),
        Value::Matrix(rows) => Some(vec![rows.len(), rows.first().map_or(0, Vec::len)]),
        Value::List(values) => {
            let mut shapes = values.iter().map(shape);
            let first = shapes.next()??;
            shapes.all(|shape| shape.as_ref() == Some(&first)).then(|| [&[values.len()], &first[..]].concat())
        }
        Value::Record(_) => None,
    }
}

/// Returns an array that owns the memory of these values.
pub fn array<'py, T: Element>(
    py: Python<'py>,
    dimensions: &[usize],
    values: Vec<T>,
) -> PyResult<Bound<'py, PyArrayDyn<T>>> {
    let array = ArrayD::from_shape_vec(IxDyn(dimensions), values);
    Ok(PyArray::from_owned_array(py, array.map_err(|error| PyRuntimeError::new_err(error.to_string()))?))
}

impl Columns {
    /// Collects samples; all of them have the same names.
    pub fn of(samples: impl Iterator<Item = Sample>) -> Self {
        let mut columns = Columns::default();
        for sample in samples {
            columns.push(&sample.into_record());
        }
        columns
    }

    /// Collects the values of one state.
    pub fn of_record(record: &Value) -> Self {
        let mut columns = Columns::default();
        columns.push(record);
        columns
    }

    fn push(&mut self, record: &Value) {
        if self.states == 0 {
            self.add_columns("", record);
        }
        self.states += 1;
        let (mut column, mut columns) = (None, self.columns.iter_mut());
        record.for_each_number(&mut |number| {
            let is_full = |column: &&mut Column| column.values.len() == column.size * self.states;
            if column.as_ref().is_none_or(is_full) {
                column = columns.next();
            }
            if let Some(column) = &mut column {
                column.values.push(number);
            }
        });
    }

    fn add_columns(&mut self, name: &str, value: &Value) {
        if let Some(shape) = shape(value) {
            let size = shape.iter().product();
            if size > 0 {
                self.columns.push(Column { name: name.to_owned(), shape, size, values: vec![] });
            }
            return;
        }
        match value {
            Value::Record(entries) => {
                for (entry, value) in entries {
                    let path = if name.is_empty() { (*entry).to_owned() } else { format!("{name}.{entry}") };
                    self.add_columns(&path, value);
                }
            }
            Value::List(values) => {
                for (index, value) in values.iter().enumerate() {
                    self.add_columns(&format!("{name}[{index}]"), value);
                }
            }
            _ => {}
        }
    }

    /// Returns the names of the arrays.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.columns.iter().map(|column| &column.name[..])
    }

    /// Returns the arrays by name, with the states along the first axis. The arrays own the memory of the columns.
    pub fn into_arrays(self, py: Python<'_>) -> PyResult<Bound<'_, PyDict>> {
        let arrays = PyDict::new(py);
        for column in self.columns {
            let dimensions = [&[self.states], &column.shape[..]].concat();
            arrays.set_item(column.name, array(py, &dimensions, column.values)?)?;
        }
        Ok(arrays)
    }
}
