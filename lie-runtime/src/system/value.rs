//! Named, nested values for tables and files.

/// A scalar, an array, or a record of named values.
#[derive(Clone, Debug, PartialEq)]
pub enum Value {
    /// A scalar.
    Scalar(f64),
    /// A vector.
    Vector(Vec<f64>),
    /// A matrix by rows.
    Matrix(Vec<Vec<f64>>),
    /// Numbered values: the members of an array or of a chain.
    List(Vec<Value>),
    /// Named values.
    Record(Vec<(&'static str, Value)>),
}

/// Returns true if `full` is `name` or the name of one of its components.
pub(crate) fn is_within(full: &str, name: &str) -> bool {
    full.strip_prefix(name).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
}

impl Value {
    /// Returns the entry of a record.
    pub fn get(&self, name: &str) -> Option<&Value> {
        match self {
            Value::Record(entries) => entries.iter().find(|(key, _)| *key == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// Removes and returns the entry of a record.
    #[doc(hidden)]
    pub fn into_entry(self, name: &str) -> Option<Value> {
        match self {
            Value::Record(entries) => entries.into_iter().find(|(key, _)| *key == name).map(|(_, value)| value),
            _ => None,
        }
    }

    /// Visits every scalar with its full name, such as `attitude[0][2]`.
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

    /// Visits every scalar in the order of [`for_each`](Self::for_each), without names.
    #[doc(hidden)]
    pub fn for_each_number(&self, visit: &mut dyn FnMut(f64)) {
        match self {
            Value::Scalar(value) => visit(*value),
            Value::Vector(values) => values.iter().for_each(|value| visit(*value)),
            Value::Matrix(rows) => rows.iter().flatten().for_each(|value| visit(*value)),
            Value::List(values) => values.iter().for_each(|value| value.for_each_number(visit)),
            Value::Record(entries) => entries.iter().for_each(|(_, value)| value.for_each_number(visit)),
        }
    }

    /// Returns all scalars in order.
    pub fn numbers(&self) -> Vec<f64> {
        let mut numbers = Vec::new();
        self.for_each_number(&mut |value| numbers.push(value));
        numbers
    }
}

#[cfg(test)]
mod tests {
    use super::Value;

    #[test]
    fn numbers_are_visited_in_the_order_of_their_names() {
        let matrix = Value::Matrix(vec![vec![2.0, 3.0], vec![4.0, 5.0]]);
        let list = Value::List(vec![Value::Vector(vec![6.0, 7.0]), Value::Record(vec![("x", Value::Scalar(8.0))])]);
        let value = Value::Record(vec![
            ("t", Value::Scalar(1.0)),
            ("a", matrix),
            ("b", list),
            ("c", Value::Record(Vec::new())),
        ]);
        let mut named = Vec::new();
        value.for_each("", &mut |name, number| named.push((name.to_owned(), number)));
        let (names, numbers): (Vec<_>, Vec<_>) = named.into_iter().unzip();
        assert_eq!(names, ["t", "a[0][0]", "a[0][1]", "a[1][0]", "a[1][1]", "b[0][0]", "b[0][1]", "b[1].x"]);
        assert_eq!(numbers, [1.0, 2.0, 3.0, 4.0, 5.0, 6.0, 7.0, 8.0]);
        assert_eq!(value.numbers(), numbers);
    }

    #[test]
    fn entries_are_taken_by_their_names() {
        let value = Value::Record(vec![("t", Value::Scalar(1.0)), ("x", Value::Vector(vec![2.0]))]);
        assert_eq!(value.clone().into_entry("x"), value.get("x").cloned());
        assert_eq!(value.into_entry("y"), None);
        assert_eq!(Value::Scalar(1.0).into_entry("t"), None);
    }
}
