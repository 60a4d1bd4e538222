//! The values of the symbolic interpreter.

use std::collections::HashMap;
use std::rc::Rc;

use super::integers::Integer;
use crate::expr::{Expressions, Node};
use crate::group::{Element, Operand};

/// The value of an expression.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Value {
    /// `f64`.
    Scalar(Node),
    /// A nalgebra vector or matrix.
    Matrix(Node),
    /// An integer known at compile time.
    Integer(Integer),
    /// An integer known at run time: the index of an element, the length of a chain, a choice between integers; true if its type
    /// is signed.
    Count(Node, bool),
    /// A boolean value known at compile time.
    Known(bool),
    /// A boolean value that depends on the state.
    Bool(Node),
    /// An element of a group that is not a vector space, or a point of the sphere.
    Element(Element),
    /// An array, a slice or a `Vec`.
    Array(Vec<Value>),
    /// A run-time list of the parameters, by its number; its length is the length of a chain.
    List(usize),
    /// A tuple.
    Tuple(Vec<Value>),
    /// A struct of the module: its name, and its fields with their names.
    Struct(String, Vec<(String, Value)>),
    /// A range of integers, without its end.
    Range(Integer, Integer),
    /// An iterator: the items that it yields.
    Sequence(Vec<Value>),
    /// An `Option` known to be `Some` or `None` at compile time.
    Optional(Option<Box<Value>>),
    /// The `Option` of an inverse: `None` for singular matrices.
    Invertible(Node),
    /// A closure or a function.
    Callable(Callable),
    /// The whole parameters, inputs, configuration or velocity.
    Parameters,
    Inputs,
    Configuration,
    Velocity,
    /// A parameter of a type that expressions cannot contain.
    Opaque(String),
    /// A string, only for messages.
    Text,
    /// `()`.
    Unit,
    /// A variable that has no value yet.
    Unset,
    /// A value that is unknown after a reported error.
    Unknown,
}

/// A callable value.
#[derive(Clone, Debug)]
pub(crate) enum Callable {
    /// A closure, the variables that it names and the inlined helpers that contain it.
    Closure { closure: Rc<syn::ExprClosure>, captured: Rc<HashMap<String, usize>>, inlining: Rc<[String]> },
    /// A function by its path.
    Function(Rc<syn::ExprPath>),
}

impl PartialEq for Callable {
    fn eq(&self, other: &Self) -> bool {
        match (self, other) {
            (Callable::Closure { closure: a, captured: x, .. }, Callable::Closure { closure: b, captured: y, .. }) => {
                Rc::ptr_eq(a, b) && Rc::ptr_eq(x, y)
            }
            (Callable::Function(a), Callable::Function(b)) => Rc::ptr_eq(a, b),
            _ => false,
        }
    }
}

impl From<Operand> for Value {
    fn from(operand: Operand) -> Self {
        match operand {
            Operand::Scalar(node) => Value::Scalar(node),
            Operand::Matrix(node) => Value::Matrix(node),
            Operand::Element(element) => Value::Element(element),
        }
    }
}

impl Value {
    /// Returns the value as an operand of a method of a group element.
    pub fn operand(&self) -> Option<Operand> {
        match self {
            Value::Scalar(node) => Some(Operand::Scalar(*node)),
            Value::Matrix(node) => Some(Operand::Matrix(*node)),
            Value::Element(element) => Some(Operand::Element(element.clone())),
            _ => None,
        }
    }

    /// Returns true for an integer whose type is known to be signed.
    pub fn is_signed(&self) -> bool {
        matches!(self, Value::Count(_, true) | Value::Integer(Integer { is_signed: true, .. }))
    }

    /// Returns an integer that is known at compile time as an index or a number of elements.
    pub fn size_known(&self) -> Option<usize> {
        if let Value::Integer(integer) = self { integer.size() } else { None }
    }

    /// Returns the total number of nested values.
    pub fn size(&self) -> usize {
        let sum = |sum: usize, item: &Value| item.size().saturating_add(sum);
        match self {
            Value::Array(items) | Value::Tuple(items) | Value::Sequence(items) => items.iter().fold(1, sum),
            Value::Struct(_, fields) => fields.iter().map(|(_, value)| value).fold(1, sum),
            _ => 1,
        }
    }

    /// Returns a description of the value for messages.
    pub fn describe(&self, expressions: &Expressions) -> String {
        match self {
            Value::Scalar(_) => "a scalar".into(),
            Value::Matrix(node) => match expressions.shape(*node) {
                (rows, 1) => format!("a {rows}-vector"),
                (rows, columns) => format!("a {rows}×{columns} matrix"),
            },
            Value::Integer(integer) => format!("the integer {}", integer.value),
            Value::Count(..) => "an integer".into(),
            Value::Known(_) | Value::Bool(_) => "a `bool`".into(),
            Value::Element(Element { group, .. }) if group.has_sphere() => format!("a point of {}", group.notation),
            Value::Element(Element { group, .. }) => format!("an element of {}", group.notation),
            Value::Array(items) => format!("an array of {}", items.len()),
            Value::List(_) => "a list whose length is known at run time".into(),
            Value::Tuple(_) => "a tuple".into(),
            Value::Struct(name, _) => format!("a `{name}`"),
            Value::Range(..) => "a range".into(),
            Value::Sequence(_) => "an iterator".into(),
            Value::Optional(_) | Value::Invertible(_) => "an `Option`".into(),
            Value::Callable(_) => "a function".into(),
            Value::Parameters => "the parameters".into(),
            Value::Inputs => "the inputs".into(),
            Value::Configuration => "the configuration".into(),
            Value::Velocity => "the velocity".into(),
            Value::Opaque(name) => format!("the opaque parameter `{name}`"),
            Value::Text => "a string".into(),
            Value::Unit => "nothing".into(),
            Value::Unset => "a variable without a value".into(),
            Value::Unknown => "an unknown value".into(),
        }
    }
}
