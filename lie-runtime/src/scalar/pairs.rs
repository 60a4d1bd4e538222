//! Two sequences side by side.

/// The items of two sequences in pairs, as many as the shorter one has.
///
/// `Iterator::zip` makes the same, but in a function of the standard library that is generic and not marked as one to be inlined: it is
/// compiled once, in one codegen unit, and is a call in all others. With `lto = "fat"` these are optimised, and numbers packed two to a
/// register, before the call is inlined; what is stored around it then is read in other pieces than it was written.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn pairs<A: IntoIterator, B: IntoIterator>(first: A, second: B) -> Pairs<A::IntoIter, B::IntoIter> {
    Pairs(first.into_iter(), second.into_iter())
}

/// What [`pairs`] makes.
#[derive(Clone)]
pub(crate) struct Pairs<A, B>(A, B);

impl<A: Iterator, B: Iterator> Iterator for Pairs<A, B> {
    type Item = (A::Item, B::Item);

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next(&mut self) -> Option<Self::Item> {
        Some((self.0.next()?, self.1.next()?))
    }
}
