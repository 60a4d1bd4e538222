//! What the slots of elements are: fields and parts of them.

use crate::space::Span;

/// Which members of a field the slots of an element are.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum MemberRange {
    /// One element for each member.
    Each,
    /// One element for each run of neighbours, or for every `stride`-th one.
    Windows {
        /// How many neighbours, each a slot.
        size: usize,
        /// From the first member of one run to that of the next.
        stride: usize,
    },
    /// The first member.
    First,
    /// The last member.
    Last,
    /// The member of that number.
    At(usize),
    /// All members, each a slot (of a fixed power or a single member).
    All(usize),
    /// The next member of each tuple of a list, by the number of the list.
    Listed(usize),
}

impl MemberRange {
    /// How many slots it fills.
    pub fn slots(self) -> usize {
        match self {
            MemberRange::Windows { size: n, .. } | MemberRange::All(n) => n,
            MemberRange::Each
            | MemberRange::First
            | MemberRange::Last
            | MemberRange::At(_)
            | MemberRange::Listed(_) => 1,
        }
    }

    /// How many members the field needs.
    pub(super) fn needed(self) -> usize {
        match self {
            MemberRange::Windows { size: n, .. } | MemberRange::All(n) => n,
            MemberRange::At(index) => index + 1,
            MemberRange::Each | MemberRange::First | MemberRange::Last | MemberRange::Listed(_) => 1,
        }
    }

    /// How many elements there are over a field of that length; `None` if it does not run over the field.
    pub(super) fn count(self, length: usize) -> Option<usize> {
        match self {
            MemberRange::Each => Some(length),
            MemberRange::Windows { size, stride } => Some((length + 1).saturating_sub(size).div_ceil(stride)),
            _ => None,
        }
    }

    /// How many of the last members are in no element though the elements leave no gaps.
    pub(super) fn rest(self, length: usize) -> usize {
        match self {
            MemberRange::Windows { size, stride } if stride <= size && size <= length => (length - size) % stride,
            _ => 0,
        }
    }

    /// The first member of element `index`.
    pub(super) fn member(self, index: usize, length: usize) -> usize {
        match self {
            MemberRange::Each => index,
            MemberRange::Windows { stride, .. } => index * stride,
            MemberRange::First | MemberRange::All(_) | MemberRange::Listed(_) => 0,
            MemberRange::Last => length - 1,
            MemberRange::At(member) => member,
        }
    }
}

/// What an element runs over: a field and a part of it.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Selection {
    /// The position of the field in the configuration.
    pub field: usize,
    /// Its members.
    pub part: MemberRange,
}

/// The selection that `index` and `length` are of: the one that runs over a chain, else the first single member of one.
pub(super) struct SelectionSize {
    /// How many elements there are.
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
            if chosen.is_none() && !matches!(selection.part, MemberRange::All(_)) {
                chosen = Some(SelectionSize { count: 1, single: Some(selection.part.member(0, length)), length });
            }
        }
        chosen.unwrap_or(SelectionSize { count: 1, single: Some(0), length: 1 })
    }
}
