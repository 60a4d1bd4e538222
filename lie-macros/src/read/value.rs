//! What an expression of the subset can be.

use crate::expr::{Expressions, Node};
use crate::model::{Group, Rotation};

/// The value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// `f64`.
    Scalar(Node),
    /// A nalgebra vector or matrix.
    Matrix(Node),
    /// An integer known at compile time.
    Integer(i64),
    /// A whole number known at run time: the number of an element, the length of a chain.
    Count(Node),
    /// A truth value known at compile time.
    Known(bool),
    /// A truth value that depends on the state.
    Truth(Node),
    /// An element of SO(2), SO(3) or S³.
    Rotation(Node),
    /// An element of a semidirect product.
    Pose {
        group: Group,
        rotation: Node,
        translation: Node,
    },
    /// A point of S².
    Direction(Node),
    /// An array.
    Array(Vec<Value>),
    /// A tuple.
    Tuple(Vec<Value>),
    /// The parameters, the configuration, the velocity as a whole.
    Parameters,
    Configuration,
    Velocity,
    /// A parameter of a type that no expression can contain.
    Opaque(String),
    /// `()`.
    Unit,
    /// An error has been reported where this value should have come from.
    Unknown,
}

impl Value {
    /// How many elements an array or tuple holds in all.
    pub fn size(&self) -> usize {
        match self {
            Value::Array(items) | Value::Tuple(items) => {
                items.iter().fold(1, |sum, item| item.size().saturating_add(sum))
            }
            _ => 1,
        }
    }

    /// What the value is, for messages.
    pub fn describe(&self, expressions: &Expressions) -> String {
        match self {
            Value::Scalar(_) => "a scalar".into(),
            Value::Matrix(node) => match expressions.shape(*node) {
                (rows, 1) => format!("a {rows}-vector"),
                (rows, columns) => format!("a {rows}×{columns} matrix"),
            },
            Value::Integer(value) => format!("the integer {value}"),
            Value::Count(_) => "a whole number".into(),
            Value::Known(_) | Value::Truth(_) => "a truth value".into(),
            Value::Rotation(node) => {
                let name = match expressions.rotation(*node) {
                    Some(Rotation::SO2) => "SO(2)",
                    Some(Rotation::S3) => "S³",
                    _ => "SO(3)",
                };
                format!("an element of {name}")
            }
            Value::Pose { group, .. } => format!("an element of {}", group.notation),
            Value::Direction(_) => "a point of S²".into(),
            Value::Array(items) => format!("an array of {}", items.len()),
            Value::Tuple(_) => "a tuple".into(),
            Value::Parameters => "the parameters".into(),
            Value::Configuration => "the configuration".into(),
            Value::Velocity => "the velocity".into(),
            Value::Opaque(name) => format!("the opaque parameter `{name}`"),
            Value::Unit => "nothing".into(),
            Value::Unknown => "an unknown value".into(),
        }
    }
}
