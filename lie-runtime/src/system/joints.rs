//! Joints of robot files by their names.

use core::fmt;

/// No joint with a coordinate of its own has this name: the error of `from_joints`, which a robot file adds to a module.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct UnknownJoint {
    /// The name that was given.
    pub name: String,
    /// The names of the joints in the file.
    pub known: Vec<&'static str>,
}

impl UnknownJoint {
    /// Returns the error for a name that is not among the known ones.
    #[must_use]
    pub fn new(name: &str, known: &[&'static str]) -> Self {
        Self { name: name.to_owned(), known: known.to_vec() }
    }
}

impl fmt::Display for UnknownJoint {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let Self { name, known } = self;
        write!(
            f,
            "unknown joint `{name}`: the hinges and slides with a coordinate of their own are {}",
            known.join(", ")
        )
    }
}

impl std::error::Error for UnknownJoint {}
