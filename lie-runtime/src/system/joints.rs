//! Joints of robot files by their names.

use crate::messages::{listed, see, suggested};

/// No joint with a coordinate of its own has this name: the error of `from_joints`, which a robot file adds to a module.
#[derive(Clone, PartialEq, Eq, thiserror::Error)]
#[error(
    "unknown joint `{name}`; the revolute and prismatic joints with their own coordinate are {}{} {}",
    listed(.known),
    suggested(.name, .known),
    see("robot-joints")
)]
pub struct UnknownJoint {
    /// The name that was given.
    pub name: String,
    /// The names of the joints in the file.
    pub known: Vec<&'static str>,
}

crate::messages::debug_is_the_message!(UnknownJoint);

impl UnknownJoint {
    /// Returns the error for a name that is not among the known ones.
    #[must_use]
    #[doc(hidden)]
    pub fn new(name: &str, known: &[&'static str]) -> Self {
        Self { name: name.to_owned(), known: known.to_vec() }
    }
}
