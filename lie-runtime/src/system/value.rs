//! Named, nested numbers: what leaves the typed world for tables and files.

/// A number, an array of numbers, or a record of named values.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A number.
    Scalar(f64),
    /// A vector.
    Vector(Vec<f64>),
    /// A matrix by rows.
    Matrix(Vec<Vec<f64>>),
    /// Values that are numbered (the members of an array or of a chain).
    List(Vec<Value>),
    /// Values that have names.
    Record(Vec<(&'static str, Value)>),
}

/// True of the full name of a number that a name means: the name itself, and what is in it.
pub(crate) fn is_within(full: &str, name: &str) -> bool {
    full.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

impl Value {
    /// The entry of a record.
    pub fn get(&self, name: &str) -> Option<&Value> {
        match self {
            Value::Record(entries) => entries.iter().find(|(key, _)| *key == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// The entry of a record that is not needed any more.
    pub fn into_entry(self, name: &str) -> Option<Value> {
        match self {
            Value::Record(entries) => entries.into_iter().find(|(key, _)| *key == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// Visits every number with its full name, such as `attitude[0][2]`.
    pub fn for_each(&self, name: &str, visit: &mut dyn FnMut(&str, f64)) {
        match self {
            Value::Scalar(value) => visit(name, *value),
            Value::Vector(values) => {
                for (index, value) in values.iter().enumerate() {
                    visit(&format!("{name}[{index}]"), *value);
                }
            }
            Value::Matrix(rows) => {
                for (row, values) in rows.iter().enumerate() {
                    for (column, value) in values.iter().enumerate() {
                        visit(&format!("{name}[{row}][{column}]"), *value);
                    }
                }
            }
            Value::List(values) => {
                for (index, value) in values.iter().enumerate() {
                    value.for_each(&format!("{name}[{index}]"), visit);
                }
            }
            Value::Record(entries) => {
                for (key, value) in entries {
                    let full = if name.is_empty() { (*key).to_owned() } else { format!("{name}.{key}") };
                    value.for_each(&full, visit);
                }
            }
        }
    }

    /// Visits every number in the order of [`for_each`](Self::for_each), without making its name.
    pub fn for_each_number(&self, visit: &mut dyn FnMut(f64)) {
        match self {
            Value::Scalar(value) => visit(*value),
            Value::Vector(values) => values.iter().for_each(|value| visit(*value)),
            Value::Matrix(rows) => rows.iter().flatten().for_each(|value| visit(*value)),
            Value::List(values) => values.iter().for_each(|value| value.for_each_number(visit)),
            Value::Record(entries) => entries.iter().for_each(|(_, value)| value.for_each_number(visit)),
        }
    }

    /// All numbers in order.
    pub fn numbers(&self) -> Vec<f64> {
        let mut numbers = Vec::new();
        self.for_each_number(&mut |value| numbers.push(value));
        numbers
    }
}
