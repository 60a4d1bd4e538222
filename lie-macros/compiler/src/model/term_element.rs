//! The elements of terms in unrolled declarations.

/// A member of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum ElementMember {
    /// A field, and an element of a power.
    Member(usize, usize),
    /// A frame.
    Frame(usize),
    /// The parent of the frames without a parent.
    Base,
}

/// The members of one element of a term.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(crate) struct TermElement {
    /// The members of each selection.
    pub slots: Vec<Vec<ElementMember>>,
    /// True for selections of windows, whose members are an array.
    pub is_window: Vec<bool>,
    pub index: usize,
    pub length: usize,
    /// The number of the element, if the term runs over members.
    pub number: Option<usize>,
}
