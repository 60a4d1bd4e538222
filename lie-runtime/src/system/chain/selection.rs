//! Selections: the members that are the slots of an element.

use crate::space::Span;

/// The members of a field that are slots of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberRange {
    /// One element for each member.
    Each,
    /// One element for each window of consecutive members, or for every `stride`-th window.
    Windows {
        /// The number of members of a window, each a slot.
        size: usize,
        /// The distance between the first members of consecutive windows.
        stride: usize,
    },
    /// The first member.
    First,
    /// The last member.
    Last,
    /// The member with this number.
    At(usize),
    /// All members, each a slot, of a field with a fixed number of members.
    All(usize),
    /// The next member of each tuple of a connection list, by the position of the list.
    Listed(usize),
    /// The member with the number of the element: the auxiliary states of the element.
    Parallel,
}

impl MemberRange {
    /// Returns the number of slots.
    pub fn slots(self) -> usize {
        match self {
            MemberRange::Windows { size: n, .. } | MemberRange::All(n) => n,
            MemberRange::Each
            | MemberRange::First
            | MemberRange::Last
            | MemberRange::At(_)
            | MemberRange::Listed(_)
            | MemberRange::Parallel => 1,
        }
    }

    /// Returns the number of members that the field must have.
    pub(super) fn needed(self) -> usize {
        match self {
            MemberRange::Windows { size: n, .. } | MemberRange::All(n) => n,
            MemberRange::At(index) => index + 1,
            MemberRange::Each
            | MemberRange::First
            | MemberRange::Last
            | MemberRange::Listed(_)
            | MemberRange::Parallel => 1,
        }
    }

    /// Returns the number of elements over a field of that length; `None` if the elements do not run over the field.
    pub(super) fn count(self, length: usize) -> Option<usize> {
        match self {
            MemberRange::Each => Some(length),
            MemberRange::Windows { size, stride } => Some(windows(length, size, stride)),
            _ => None,
        }
    }

    /// Returns the number of members at the end of the field that are in no element, for windows without gaps.
    pub(super) fn rest(self, length: usize) -> usize {
        match self {
            MemberRange::Windows { size, stride } if stride <= size && size <= length => (length - size) % stride,
            _ => 0,
        }
    }

    /// Returns the first member of element `index`.
    pub(super) fn member(self, index: usize, length: usize) -> usize {
        match self {
            MemberRange::Each | MemberRange::Parallel => index,
            MemberRange::Windows { stride, .. } => index * stride,
            MemberRange::First | MemberRange::All(_) | MemberRange::Listed(_) => 0,
            MemberRange::Last => length - 1,
            MemberRange::At(member) => member,
        }
    }
}

/// Returns the number of windows of a chain.
pub fn windows(length: usize, size: usize, stride: usize) -> usize {
    (length + 1).saturating_sub(size).div_ceil(stride)
}

/// A field and a range of its members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The position of the field in the configuration.
    pub field: usize,
    /// The range of members.
    pub part: MemberRange,
}

/// The number of elements of several selections: determined by the selection that runs over a chain, otherwise by the
/// first single member. `index` and `length` of the declared functions refer to it.
pub(super) struct SelectionSize {
    /// The number of elements.
    pub count: usize,
    /// The number of the single member.
    pub single: Option<usize>,
    /// The length of the chain; 1 without one.
    pub length: usize,
}

impl SelectionSize {
    pub(super) fn of(selections: &[Selection], spans: &[Span]) -> Self {
        let mut chosen = None;
        for selection in selections {
            let length = spans[selection.field].length;
            if let Some(count) = selection.part.count(length) {
                return SelectionSize { count, single: None, length };
            }
            if chosen.is_none() && !matches!(selection.part, MemberRange::All(_) | MemberRange::Parallel) {
                chosen = Some(SelectionSize { count: 1, single: Some(selection.part.member(0, length)), length });
            }
        }
        chosen.unwrap_or(SelectionSize { count: 1, single: Some(0), length: 1 })
    }
}
