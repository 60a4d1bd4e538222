//! The data that functions use, for later stages: list items, rates, square roots and factors.

use std::collections::{HashMap, HashSet};

use syn::Ident;

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

/// The data that all interpreted functions use.
#[derive(Default)]
pub(super) struct Records {
    pub reads: Vec<ListItem>,
    pub rates: Vec<MotionRate>,
    /// The radicands of square roots, with their positions in the source.
    pub roots: HashMap<Node, Ident>,
    /// Factors of group elements that are products, by the parts of the product, with their group. Elements of different groups may have
    /// equal parts.
    pub factors: HashMap<Vec<Node>, (Group, [Vec<Node>; 2])>,
    /// Functions with checked attributes.
    pub checked: HashSet<String>,
}

impl Records {
    /// Stores the source position of a square root.
    pub fn remember_root(&mut self, radicand: Node, at: &Ident) {
        self.roots.entry(radicand).or_insert_with(|| at.clone());
    }
}
