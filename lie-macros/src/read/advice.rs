//! What to write instead: values that do not go together, methods and fields that a value does not have.

use quote::ToTokens;

use super::{Reader, Reading, Reported, Value};

impl Reader<'_> {
    pub(super) fn group_sum(&mut self, at: &impl ToTokens, group: &Value, other: &Value) -> Reading {
        let name = group.describe(&self.expressions).replace("an element", "elements");
        let message = format!("{name} are composed with `*`, not added");
        if other.is_group_element() {
            return self.error_with_help(at, message, "the difference of two is `(a.inverse() * b).log()`");
        }
        self.error_with_help(at, message, "to turn a vector write `rotation * vector`")
    }

    /// Reports two values that do not go together.
    pub(super) fn mismatch(&mut self, at: &impl ToTokens, left: &Value, right: &Value, verb: &str) -> Reading {
        if matches!(left, Value::Unknown) || matches!(right, Value::Unknown) {
            return Err(Reported);
        }
        let (a, b) = (left.describe(&self.expressions), right.describe(&self.expressions));
        let message = format!("{a} and {b} cannot be {verb}");
        let help = match (left, right) {
            (Value::Count(..), _) | (_, Value::Count(..)) => Some("make it a number first: `index as f64`".to_owned()),
            (Value::Integer(value), _) | (_, Value::Integer(value)) => {
                Some(format!("write `{}.0`, or `n as f64`: integers are for indices and loops", value.value))
            }
            (Value::Matrix(a), Value::Matrix(b)) if verb == "multiplied" => {
                let ((rows, columns), (other, _)) = (self.expressions.shape(*a), self.expressions.shape(*b));
                if columns == 1 && rows == other {
                    Some("the inner product is `a.dot(&b)`, the cross product `a.cross(&b)`".to_owned())
                } else {
                    Some(format!("the left factor has {columns} columns, the right one {other} rows"))
                }
            }
            (Value::Scalar(_), Value::Matrix(_)) | (Value::Matrix(_), Value::Scalar(_)) if verb != "multiplied" => {
                Some("take an entry such as `v[0]`, or a vector of equal entries".to_owned())
            }
            (left, right) if left.is_group_element() && right.is_group_element() => {
                Some("only elements of one group are composed".to_owned())
            }
            (left, Value::Matrix(_)) if left.is_group_element() => {
                Some("rotations and poses act on vectors of the space they move".to_owned())
            }
            (Value::Matrix(_), right) if right.is_group_element() => {
                Some("group elements act from the left: `rotation * vector`".to_owned())
            }
            (Value::Element(point), _) | (_, Value::Element(point)) if point.group.is_sphere() => {
                Some("its unit vector is `q.direction()`".to_owned())
            }
            (Value::Scalar(_), Value::Element(_)) | (Value::Element(_), Value::Scalar(_)) => {
                Some("a fraction of a rotation is `exp` of a multiple of its `log`".to_owned())
            }
            _ => None,
        };
        match help {
            Some(help) => self.error_with_help(at, message, help),
            None => self.error(at, message),
        }
    }
}
