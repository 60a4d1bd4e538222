//! Where one element of a system stands: its members, their velocity components and its constraint rows.

/// One element: where its slots and rows stand.
#[derive(Clone, Copy, Debug)]
pub struct ElementLocation<'a> {
    /// The position among the elements of its kind.
    pub element: usize,
    /// The number of its (first) member in the chain, or of its window: `index` of the declared functions.
    pub index: usize,
    /// How many members that chain has: `length` of the declared functions.
    pub length: usize,
    /// The member of each slot.
    pub members: &'a [usize],
    /// The first component of each slot in a velocity, [`CLAMPED`](super::chain::CLAMPED) if it has none; where slots are frames, of each joint that moves them.
    pub offsets: &'a [usize],
    /// The first global row of each constraint function for element 0; element i stands i times its rows further.
    pub starts: &'a [usize],
}

impl ElementLocation<'_> {
    /// Of a term that sees everything: its members are known by name.
    pub const EVERYTHING: ElementLocation<'static> =
        ElementLocation { element: 0, index: 0, length: 1, members: &[], offsets: &[], starts: &[] };
}
