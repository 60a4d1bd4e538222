//! Parameters that are as long as a chain: which of their items are read, and their names.

use crate::scalar::Scalar;
use crate::system::{ModelError, Value};

/// What the number of an item is counted modulo.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Wrap {
    /// Nothing.
    Never,
    /// A number.
    At(u32),
    /// The length of the chain.
    Around,
}

/// The number of an item of a list: ((index · i + length · n + constant) / divisor) mod wrap, with i and n the number of the
/// element and the length of its chain.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Subscript {
    /// The factor of i.
    pub index: i32,
    /// The factor of n.
    pub length: i32,
    /// What is added.
    pub constant: i32,
    /// What the sum is divided by, at least 1; the rest is dropped.
    pub divisor: u32,
    /// What the quotient is counted modulo.
    pub wrap: Wrap,
}

impl Subscript {
    /// The number at element `index` of a chain of `length` members; `usize::MAX`, which is in no list, if it is negative.
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

/// What items are read of.
#[derive(Clone, Copy, Debug)]
pub enum Listing {
    /// A parameter, by its number among the lists.
    Parameter(usize),
    /// An array of the declaration: its name and its length.
    Table(&'static str, usize),
}

/// An item that a declared function reads.
#[derive(Clone, Copy, Debug)]
pub struct ListRead {
    /// What it is read of.
    pub list: Listing,
    /// Its number.
    pub at: Subscript,
    /// True if the elements read one item after the other, so that the list ends where they do.
    pub all: bool,
    /// The function.
    pub function: &'static str,
    /// What is written there.
    pub text: &'static str,
}

/// The lists of the parameters and what is read of them.
pub struct ListReads<'a> {
    /// Names and lengths.
    lists: &'a [(&'static str, usize)],
    /// How many items are read of each, and by whom.
    needed: Vec<Option<(usize, ListRead)>>,
}

impl<'a> ListReads<'a> {
    /// Nothing read yet of the lists with these names and lengths.
    pub fn new(lists: &'a [(&'static str, usize)]) -> Self {
        Self { lists, needed: vec![None; lists.len()] }
    }

    /// What element `index` of a chain of that length reads.
    ///
    /// # Errors
    /// [`ModelError::ItemMissing`] of an item with a negative number or beyond the end of a table.
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
                // Of two that read the last item, the one that goes through all of them tells the length.
                if needed.is_none_or(|(most, by)| at + 1 > most || (at + 1 == most && read.all && !by.all)) {
                    *needed = Some((at + 1, *read));
                }
                Ok(())
            }
        }
    }

    /// Compares what was read with what is there.
    ///
    /// # Errors
    /// [`ModelError::ListLength`] of a list that is too short, or longer than what all elements read.
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

/// The name of an entry in an item of a list: that of all items, where in it the list's ends, and the number of the item.
#[derive(Clone, Copy, Debug)]
pub struct ItemName {
    /// `sections.area`.
    pub name: &'static str,
    /// The length of `sections`.
    pub list: usize,
    /// The number of the item.
    pub at: usize,
}

impl From<ItemName> for String {
    /// `sections[3].area`.
    fn from(ItemName { name, list, at }: ItemName) -> String {
        let (list, rest) = name.split_at(list);
        format!("{list}[{at}]{rest}")
    }
}

/// The number in a name, and the name without it: `sections.area` and 3 of `sections[3].area`.
pub fn list_item(name: &str) -> Option<(String, usize)> {
    let (list, rest) = name.split_once('[')?;
    let (at, rest) = rest.split_once(']')?;
    Some((format!("{list}{rest}"), at.parse().ok()?))
}

/// What one item of a list is called among the numbers of all of them: `sections.size[3][0]` of `sections[3].size[0]`.
pub(crate) fn name_among_items(name: &str) -> Option<String> {
    let (rest, at) = list_item(name)?;
    Some(match rest.split_once('[') {
        Some((column, component)) => format!("{column}[{at}][{component}"),
        None => format!("{rest}[{at}]"),
    })
}

/// What the items of a list have, or one of them has; `None` of an item that is not there.
pub fn list_value<T>(items: &[T], at: Option<usize>, value: impl Fn(&T) -> Value) -> Option<Value> {
    match at {
        Some(at) => items.get(at).map(value),
        None => Some(Value::List(items.iter().map(value).collect())),
    }
}

/// Sets `size` numbers in each item of a list, or in one of them.
///
/// # Errors
/// [`ModelError::ParameterShape`] of another number of components, [`ModelError::UnknownParameter`] of an item that is not there.
pub fn set_list<T>(
    parameter: &'static str,
    size: usize,
    items: &mut [T],
    at: Option<usize>,
    components: &[f64],
    set: impl Fn(&mut T, &[f64]) -> Result<(), ModelError>,
) -> Result<(), ModelError> {
    if let Some(at) = at {
        let name = format!("{parameter}[{at}]");
        let item = items.get_mut(at).ok_or(ModelError::UnknownParameter { name, known: &[] })?;
        return set(item, components);
    }
    let expected = size * items.len();
    if components.len() != expected {
        return Err(ModelError::ParameterShape { parameter, expected, given: components.len() });
    }
    items.iter_mut().zip(components.chunks(size)).try_for_each(|(item, components)| set(item, components))
}

/// Reports the parameter of that name if one of its numbers is not finite.
///
/// # Errors
/// [`ModelError::NonFiniteParameter`].
pub fn check_parameter<'a, S: Scalar>(
    parameter: impl Into<String>,
    values: impl IntoIterator<Item = &'a S>,
) -> Result<(), ModelError> {
    match values.into_iter().find(|value| !value.is_finite()) {
        Some(value) => Err(ModelError::NonFiniteParameter { parameter: parameter.into(), value: value.value() }),
        None => Ok(()),
    }
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
        assert_eq!(String::from(ItemName { name: "sections.area", list: 8, at: 17 }), "sections[17].area");
    }
}
