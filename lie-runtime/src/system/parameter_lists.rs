//! List parameters, one item per element or member: the items that functions read, and their names.

use crate::system::ModelError;

/// The modulus of an item's number.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrap {
    /// No modulus.
    Never,
    /// A constant.
    At(u32),
    /// The length of the chain.
    Around,
}

/// The number of an item of a list: ((index · i + length · n + constant) / divisor) mod wrap, with the number i of the
/// element and the length n of its chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subscript {
    /// The factor of i.
    pub index: i32,
    /// The factor of n.
    pub length: i32,
    /// The constant term.
    pub constant: i32,
    /// The divisor, at least 1; the remainder is dropped.
    pub divisor: u32,
    /// The modulus of the quotient.
    pub wrap: Wrap,
}

impl Subscript {
    /// Returns the number at element `index` of a chain with `length` members; `usize::MAX`, which is in no list, if it
    /// is negative.
    #[inline]
    pub const fn of(self, index: usize, length: usize) -> usize {
        // Chains are shorter than 2^28.
        #[allow(clippy::cast_possible_wrap)]
        let value = self.index as i64 * index as i64 + self.length as i64 * length as i64 + self.constant as i64;
        if value < 0 {
            return usize::MAX;
        }
        #[allow(clippy::cast_sign_loss, clippy::cast_possible_truncation)]
        let quotient = (value / self.divisor as i64) as usize;
        match self.wrap {
            Wrap::Never => quotient,
            Wrap::At(modulus) => quotient % modulus as usize,
            Wrap::Around => quotient % length,
        }
    }
}

/// A list or table that functions read.
#[derive(Clone, Copy, Debug)]
pub enum Listing {
    /// A parameter, by its position among the lists.
    Parameter(usize),
    /// An array of the declaration: name and length.
    Table(&'static str, usize),
}

/// An item that a declared function reads.
#[derive(Clone, Copy, Debug)]
pub struct ListRead {
    /// The list.
    pub list: Listing,
    /// The number of the item.
    pub at: Subscript,
    /// True if the elements read one item after the other, so that the length of the list follows from the number of
    /// elements.
    pub all: bool,
    /// The function.
    pub function: &'static str,
    /// The expression in the source.
    pub text: &'static str,
}

/// The list parameters and the items that functions read.
pub struct ListReads<'a> {
    /// Names and lengths.
    lists: &'a [(&'static str, usize)],
    /// The number of items that are read from each list, and the read that determines it.
    needed: Vec<Option<(usize, ListRead)>>,
}

impl<'a> ListReads<'a> {
    /// Creates the record of reads for lists with these names and lengths.
    pub fn new(lists: &'a [(&'static str, usize)]) -> Self {
        Self { lists, needed: vec![None; lists.len()] }
    }

    /// Records the item that element `index` of a chain of that length reads.
    ///
    /// # Errors
    /// [`ModelError::ItemMissing`] for a negative number or an item after the end of a table.
    pub fn read(&mut self, read: &ListRead, index: usize, length: usize) -> Result<(), ModelError> {
        let at = read.at.of(index, length);
        let missing = |list, items| {
            let (function, text) = (read.function, read.text);
            Err(ModelError::ItemMissing { list, items, function, text, index })
        };
        match read.list {
            Listing::Table(name, items) if at >= items => missing(name, items),
            Listing::Table(..) => Ok(()),
            Listing::Parameter(list) if at == usize::MAX => missing(self.lists[list].0, self.lists[list].1),
            Listing::Parameter(list) => {
                let needed = &mut self.needed[list];
                // Of two reads of the last item, the one that visits all items determines the length.
                if needed.is_none_or(|(most, by)| at + 1 > most || (at + 1 == most && read.all && !by.all)) {
                    *needed = Some((at + 1, *read));
                }
                Ok(())
            }
        }
    }

    /// Compares the reads with the lengths of the lists.
    ///
    /// # Errors
    /// [`ModelError::ListLength`] for a list that is too short, or longer than the number of items that all elements
    /// read.
    pub fn finish(self) -> Result<(), ModelError> {
        for (&(parameter, length), needed) in self.lists.iter().zip(self.needed) {
            let Some((needed, ListRead { all, function, text, .. })) = needed else { continue };
            if length < needed || (all && length > needed) {
                return Err(ModelError::ListLength { parameter, length, needed, exactly: all, function, text });
            }
        }
        Ok(())
    }
}

/// Splits a name into the name without the number, and the number: `sections.area` and 3 for `sections[3].area`.
fn list_item(name: &str) -> Option<(String, usize)> {
    let (list, rest) = name.split_once('[')?;
    let (at, rest) = rest.split_once(']')?;
    Some((format!("{list}{rest}"), at.parse().ok()?))
}

/// Returns the name of one item's component among the components of all items: `sections.size[3][0]` for
/// `sections[3].size[0]`.
pub(crate) fn name_among_items(name: &str) -> Option<String> {
    let (rest, at) = list_item(name)?;
    Some(match rest.split_once('[') {
        Some((column, component)) => format!("{column}[{at}][{component}"),
        None => format!("{rest}[{at}]"),
    })
}

#[cfg(test)]
mod tests {
    use super::*;

    const NEXT: Subscript = Subscript { index: 1, length: 0, constant: 1, divisor: 1, wrap: Wrap::Around };

    #[test]
    fn items_are_numbered() {
        assert_eq!((0..4).map(|index| NEXT.of(index, 4)).collect::<Vec<_>>(), [1, 2, 3, 0]);
        let mirrored = Subscript { index: -1, length: 1, constant: -1, divisor: 1, wrap: Wrap::Never };
        assert_eq!((0..4).map(|index| mirrored.of(index, 4)).collect::<Vec<_>>(), [3, 2, 1, 0]);
        let halves = Subscript { index: 1, length: 0, constant: 0, divisor: 2, wrap: Wrap::At(2) };
        assert_eq!((0..6).map(|index| halves.of(index, 6)).collect::<Vec<_>>(), [0, 0, 1, 1, 0, 0]);
        let before = Subscript { constant: -1, wrap: Wrap::Never, ..NEXT };
        assert_eq!([before.of(0, 4), before.of(1, 4)], [usize::MAX, 0]);
    }

    #[test]
    fn names_of_items() {
        assert_eq!(list_item("sections[3].area"), Some(("sections.area".to_owned(), 3)));
        assert_eq!([list_item("masses"), list_item("masses[-1]"), list_item("masses[2")], [None, None, None]);
    }
}
