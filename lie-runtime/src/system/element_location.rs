//! [`ElementLocation`]: the members, velocity components and constraint rows of one element.

/// The location of one element: its members (connectivity), velocity components and constraint rows.
#[derive(Clone, Copy, Debug)]
#[doc(hidden)]
pub struct ElementLocation<'a> {
    /// The number of the element among the elements of its kind.
    pub element: usize,
    /// The number of its (first) member in the chain, or of its window: `index` of the declared functions.
    pub index: usize,
    /// The number of members of that chain: `length` of the declared functions.
    pub length: usize,
    /// The member of each slot.
    pub members: &'a [usize],
    /// The first velocity component of each slot, [`CLAMPED`](super::chain::CLAMPED) for a slot without components. For
    /// elements over frames, the first component of each joint that moves them.
    pub offsets: &'a [usize],
    /// The first global row of each constraint function for element 0; the rows of element i start i times the rows of
    /// the function later.
    pub starts: &'a [usize],
}

impl ElementLocation<'_> {
    /// The location of a term over all members, which it accesses by name.
    pub const EVERYTHING: ElementLocation<'static> =
        ElementLocation { element: 0, index: 0, length: 1, members: &[], offsets: &[], starts: &[] };
}
