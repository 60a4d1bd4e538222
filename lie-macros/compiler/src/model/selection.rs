//! Selections of members.

/// The members of a field that fill the slots of an element.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum SlotMembers {
    /// `nodes`: one element for each member.
    Each,
    /// `nodes.windows(size)`, `nodes.windows(size).step_by(stride)`: one element for each run of adjacent members, or for every `stride`-th
    /// run.
    Windows { size: usize, stride: usize },
    /// `nodes.first()`.
    First,
    /// `nodes.last()`.
    Last,
    /// `nodes[3]`.
    At(usize),
    /// The whole of a single member, or of a power with this number of members.
    Whole(usize),
    /// `(nodes, nodes).by(springs)`: one element for each tuple of a list; this is the position of the member in the tuple.
    Listed(usize),
    /// The auxiliary states of the element: the member with the number of the element.
    Parallel,
}

impl SlotMembers {
    /// The number of slots that the selection fills.
    pub fn slots(self) -> usize {
        match self {
            SlotMembers::Windows { size: n, .. } | SlotMembers::Whole(n) => n,
            SlotMembers::Each
            | SlotMembers::First
            | SlotMembers::Last
            | SlotMembers::At(_)
            | SlotMembers::Listed(_)
            | SlotMembers::Parallel => 1,
        }
    }

    /// True if every member of the field can be in an element; the contents of a list are only known at run time.
    pub fn covers(self) -> bool {
        match self {
            SlotMembers::Each | SlotMembers::Whole(_) | SlotMembers::Listed(_) => true,
            SlotMembers::Windows { size, stride } => stride <= size,
            SlotMembers::First | SlotMembers::Last | SlotMembers::At(_) | SlotMembers::Parallel => false,
        }
    }

    /// True if there is one element for each member, window or tuple of a list.
    pub fn runs(self) -> bool {
        matches!(self, SlotMembers::Each | SlotMembers::Windows { .. } | SlotMembers::Listed(_))
    }
}

/// A field and its selected members.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) struct Selection {
    pub field: usize,
    pub part: SlotMembers,
}
