//! [`Layout`]: the positions of members, elements and rows for given lengths of the chains.

use super::selection::{MemberRange, Selection, SelectionSize};
use crate::space::Span;
use crate::system::{ElementLocation, ModelError};

/// The offset of a clamped member: it has no components.
pub const CLAMPED: usize = usize::MAX;

/// Returns the first component of a member of a field, [`CLAMPED`] for a clamped member.
pub(super) fn offset_of(span: &Span, member: usize) -> usize {
    if span.free().contains(&member) { span.offset + (member - span.clamped_first) * span.dimension } else { CLAMPED }
}

/// A connection list: tuples of members that are given at run time. Each tuple is an element.
#[derive(Clone, Copy, Debug)]
pub struct Connections<'a> {
    /// The name of the list.
    pub name: &'static str,
    /// The members of its tuples, tuple after tuple.
    pub members: &'a [usize],
}

/// The declaration of one kind of elements.
#[derive(Clone, Copy, Debug)]
pub struct ElementDeclaration {
    /// The names of its functions.
    pub functions: &'static [&'static str],
    /// The selection of its slots, in order; frames have the field number after the last field.
    pub selections: &'static [Selection],
    /// The rows of each constraint function of the element.
    pub segments: &'static [usize],
    /// Whether each of them is holonomic.
    pub holonomic: &'static [bool],
}

/// All elements of one kind.
#[derive(Clone, Debug)]
pub struct ElementKind {
    /// The number of elements.
    pub count: usize,
    /// The number of slots of each element.
    pub slots: usize,
    /// True if the slots are frames. Then `members` are positions in the order of the forward pass, and `offsets` those
    /// of all free joints that move them, leaves first.
    pub over_frames: bool,
    /// The number of offsets of each element: one a slot; over frames the maximum of all elements.
    width: usize,
    /// The length of the chain that `index` and `length` refer to; 1 without a chain.
    pub length: usize,
    /// The number of the member, if the elements do not run over that chain.
    single: Option<usize>,
    /// The field of each slot.
    pub fields: Vec<usize>,
    /// The members of the slots, element after element.
    members: Vec<usize>,
    /// The first component of each slot, [`CLAMPED`] for a slot without components.
    offsets: Vec<usize>,
    /// The first global row of each constraint function.
    starts: Vec<usize>,
}

impl ElementKind {
    /// Returns the location of an element.
    #[inline]
    pub fn place(&self, element: usize) -> ElementLocation<'_> {
        ElementLocation {
            element,
            index: self.single.unwrap_or(element),
            length: self.length,
            members: &self.members[element * self.slots..(element + 1) * self.slots],
            offsets: &self.offsets[element * self.width..(element + 1) * self.width],
            starts: &self.starts,
        }
    }

    /// Replaces frame numbers by positions in the order of the forward pass, and sets the joints that move them.
    pub(super) fn set_frame_joints(&mut self, place: impl Fn(usize) -> usize, joints: impl Fn(&[usize]) -> Vec<usize>) {
        self.members.iter_mut().for_each(|member| *member = place(*member));
        let all: Vec<Vec<usize>> =
            (0..self.count).map(|element| joints(&self.members[element * self.slots..][..self.slots])).collect();
        self.width = all.iter().map(Vec::len).max().unwrap_or(0);
        self.offsets = all
            .iter()
            .flat_map(|own| own.iter().copied().chain(core::iter::repeat_n(CLAMPED, self.width - own.len())))
            .collect();
    }

    /// Returns the first global row of a constraint function.
    pub fn start(&self, function: usize) -> usize {
        self.starts[function]
    }

    /// Iterates over all elements.
    #[inline]
    pub fn places(&self) -> impl Iterator<Item = ElementLocation<'_>> {
        self.places_within(0..self.count)
    }

    /// Iterates over a range of elements.
    #[inline]
    pub fn places_within(&self, elements: core::ops::Range<usize>) -> impl Iterator<Item = ElementLocation<'_>> {
        elements.map(|element| self.place(element))
    }
}

/// The positions of members, elements and rows.
#[derive(Clone, Debug)]
pub struct Layout {
    /// The fields of the configuration.
    pub spans: Vec<Span>,
    /// The kinds of elements.
    pub kinds: Vec<ElementKind>,
    /// The number of components of a velocity.
    pub dof: usize,
    /// The number of constraint rows: holonomic ones first, then by kind and constraint function.
    pub rows: usize,
    /// The number of holonomic rows.
    pub holonomic_rows: usize,
}

impl Layout {
    /// Computes the positions of members and elements.
    ///
    /// # Errors
    /// [`ModelError::ChainTooShort`] if a field is empty or has fewer members than an element over it needs, and
    /// [`ModelError::ChainRemainder`] if windows do not cover its last members; both name the functions of the element.
    /// [`ModelError::ConnectionMember`] and [`ModelError::ConnectionTwice`] for an invalid tuple of a connection list.
    pub fn new(
        spans: Vec<Span>,
        declared: &[ElementDeclaration],
        lists: &[Connections<'_>],
    ) -> Result<Self, ModelError> {
        let fields = spans.len();
        Layout::placed(spans, fields, declared, lists)
    }

    /// Computes the positions for a system with frames: one frame for each member of `fields`, numbered after the
    /// fields.
    ///
    /// # Errors
    /// The errors of [`new`](Self::new).
    pub fn with_frames(
        mut spans: Vec<Span>,
        name: &'static str,
        fields: &[usize],
        declared: &[ElementDeclaration],
        lists: &[Connections<'_>],
    ) -> Result<Self, ModelError> {
        let (frames, length) = (spans.len(), fields.iter().map(|&field| spans[field].length).sum());
        // Frames have no components of their own.
        spans.push(Span::new(name, 0, length, [false; 2]));
        let mut layout = Layout::placed(spans, frames, declared, lists)?;
        layout.spans.truncate(frames);
        Ok(layout)
    }

    /// Computes the layout; the fields from `frames` on are frames.
    fn placed(
        mut spans: Vec<Span>,
        frames: usize,
        declared: &[ElementDeclaration],
        lists: &[Connections<'_>],
    ) -> Result<Self, ModelError> {
        let mut dof = 0;
        for (field, span) in spans.iter_mut().enumerate() {
            ensure_length(field, span, declared)?;
            span.offset = dof;
            dof += span.free().len() * span.dimension;
            if dof > LARGEST {
                let (member, length) = (span.name, span.length);
                return Err(ModelError::TooLarge { member, length, components: dof, largest: LARGEST });
            }
        }
        let mut kinds = Vec::with_capacity(declared.len());
        for kind in declared {
            kinds.push(match kind.selections.first() {
                Some(&Selection { part: MemberRange::Listed(list), .. }) => {
                    ElementKind::connecting(kind, &spans, &lists[list])?
                }
                _ => ElementKind::new(kind, &spans),
            });
        }
        for kind in &mut kinds {
            kind.over_frames = kind.fields.iter().any(|&field| field >= frames);
        }
        let mut rows = 0;
        let mut holonomic_rows = 0;
        for wanted in [true, false] {
            for (kind, declared) in kinds.iter_mut().zip(declared) {
                for (function, (&own, &holonomic)) in declared.segments.iter().zip(declared.holonomic).enumerate() {
                    if holonomic == wanted {
                        kind.starts[function] = rows;
                        rows += own * kind.count;
                    }
                }
            }
            if wanted {
                holonomic_rows = rows;
            }
        }
        Ok(Layout { spans, kinds, dof, rows, holonomic_rows })
    }
}

/// The largest number of velocity components; a larger system is a mistake and would not fit into memory.
const LARGEST: usize = 1 << 28;

/// Checks that a field has as many members as its elements need.
fn ensure_length(field: usize, span: &Span, declared: &[ElementDeclaration]) -> Result<(), ModelError> {
    let needs = |kind: &ElementDeclaration| {
        let own = kind.selections.iter().filter(|selection| selection.field == field);
        own.map(|selection| selection.part.needed()).max().unwrap_or(0)
    };
    let (mut needed, mut functions): (usize, &[&str]) = (1, &[]);
    for kind in declared {
        let own = needs(kind);
        if own > needed || (own == needed && functions.is_empty()) {
            (needed, functions) = (own, kind.functions);
        }
    }
    let (member, length) = (span.name, span.length);
    if length > LARGEST {
        let components = length.saturating_mul(span.dimension);
        return Err(ModelError::TooLarge { member, length, components, largest: LARGEST });
    }
    if length < needed {
        return Err(ModelError::ChainTooShort { member, length, needed, functions });
    }
    for kind in declared {
        let own = kind.selections.iter().filter(|selection| selection.field == field);
        for Selection { part, .. } in own {
            let (rest, functions) = (part.rest(length), kind.functions);
            if let MemberRange::Windows { stride, .. } = *part
                && rest > 0
            {
                return Err(ModelError::ChainRemainder { member, length, rest, stride, functions });
            }
        }
    }
    Ok(())
}

/// Returns the field of each slot.
fn fields(declared: &ElementDeclaration) -> Vec<usize> {
    let slots = declared.selections.iter();
    slots.flat_map(|selection| core::iter::repeat_n(selection.field, selection.part.slots())).collect()
}

impl ElementKind {
    fn new(declared: &ElementDeclaration, spans: &[Span]) -> Self {
        let slots = declared.selections.iter().map(|selection| selection.part.slots()).sum();
        let fields = fields(declared);
        let SelectionSize { count, single, length } = SelectionSize::of(declared.selections, spans);
        let (mut members, mut offsets) = (Vec::with_capacity(count * slots), Vec::with_capacity(count * slots));
        for index in 0..count {
            for selection in declared.selections {
                let span = &spans[selection.field];
                let first = selection.part.member(index, span.length);
                for member in first..first + selection.part.slots() {
                    members.push(member);
                    offsets.push(offset_of(span, member));
                }
            }
        }
        let starts = vec![0; declared.segments.len()];
        ElementKind { count, slots, over_frames: false, width: slots, length, single, fields, members, offsets, starts }
    }

    /// Creates one element for each tuple of a list.
    fn connecting(declared: &ElementDeclaration, spans: &[Span], list: &Connections<'_>) -> Result<Self, ModelError> {
        let slots = declared.selections.len();
        let tuples = list.members.chunks_exact(slots);
        let (count, mut offsets) = (tuples.len(), Vec::with_capacity(list.members.len()));
        for (connection, tuple) in tuples.enumerate() {
            for (slot, (&index, selection)) in tuple.iter().zip(declared.selections).enumerate() {
                let span = &spans[selection.field];
                let (list, member) = (list.name, span.name);
                if index >= span.length {
                    return Err(ModelError::ConnectionMember { list, connection, member, index, length: span.length });
                }
                let is_it = |(&other, of): (&usize, &Selection)| other == index && of.field == selection.field;
                if tuple[..slot].iter().zip(declared.selections).any(is_it) {
                    return Err(ModelError::ConnectionTwice { list, connection, member, index });
                }
                offsets.push(offset_of(span, index));
            }
        }
        let members = list.members[..count * slots].to_vec();
        let starts = vec![0; declared.segments.len()];
        let (over_frames, width, length, fields) = (false, slots, count, fields(declared));
        Ok(ElementKind { count, slots, over_frames, width, length, single: None, fields, members, offsets, starts })
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const ELEMENTS: [ElementDeclaration; 1] = [ElementDeclaration {
        functions: &["elastic"],
        selections: &[Selection { field: 0, part: MemberRange::Windows { size: 3, stride: 2 } }],
        segments: &[],
        holonomic: &[],
    }];

    #[test]
    fn windows_with_a_stride_share_their_ends() {
        let layout = Layout::new(vec![Span::new("nodes", 6, 7, [true, false])], &ELEMENTS, &[]).unwrap();
        let places: Vec<Vec<usize>> = layout.kinds[0].places().map(|place| place.offsets.to_vec()).collect();
        assert_eq!(places, [vec![CLAMPED, 0, 6], vec![6, 12, 18], vec![18, 24, 30]]);
    }

    #[test]
    fn windows_leave_no_rest() {
        let error = Layout::new(vec![Span::new("nodes", 6, 6, [false; 2])], &ELEMENTS, &[]).unwrap_err();
        assert!(error.to_string().starts_with(
            "chain `nodes` has 6 members, and no window of `elastic` contains the last 1 member: use 5 or 7 "
        ));
        let error = Layout::new(vec![Span::new("nodes", 6, 2, [false; 2])], &ELEMENTS, &[]).unwrap_err();
        assert!(matches!(error, ModelError::ChainTooShort { needed: 3, .. }), "{error}");
        // Every second member, on purpose.
        let part = MemberRange::Windows { size: 1, stride: 2 };
        assert_eq!((part.count(6), part.rest(6), part.member(2, 6)), (Some(3), 0, 4));
    }
}
