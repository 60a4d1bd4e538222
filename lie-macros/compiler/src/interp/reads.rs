//! The list items and the rates that functions use.

use crate::expr::{Node, Subscript};
use crate::group::Group;

/// A list or table.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) enum ListSource {
    /// A list of the parameters, by its number.
    Parameter(usize),
    /// An array with this number of items, as written.
    Table(String, usize),
}

/// A list item that a function reads.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct ListItem {
    pub list: ListSource,
    pub at: Subscript,
    /// Conditions on the element index and the length of the chain; the item is read where all of them hold.
    pub conditions: Vec<Node>,
    /// The role function, and the source text of the item.
    pub function: String,
    pub text: String,
}

/// The rate of a quantity along the motion.
#[derive(Clone, Debug)]
pub(crate) struct MotionRate {
    /// The group of the quantity; `None` for a scalar, vector or matrix.
    pub group: Option<Group>,
    /// The rate; for a group element, the blocks of its velocity.
    pub blocks: Vec<Node>,
}
