//! A `zip` that is always inlined.

/// Pairs the items of two sequences; ends with the shorter one.
///
/// `Iterator::zip` is generic and not marked for inlining: it is compiled in one codegen unit and is a call in all others. With
/// `lto = "fat"` LLVM optimises the units before it inlines the call. It then packs two values per register, and loads of other pieces
/// wait for the stores.
#[cfg_attr(not(debug_assertions), inline(always))]
pub(crate) fn pairs<A: IntoIterator, B: IntoIterator>(first: A, second: B) -> ScalarPairs<A::IntoIter, B::IntoIter> {
    ScalarPairs(first.into_iter(), second.into_iter())
}

/// The iterator of [`pairs`].
#[derive(Clone)]
pub(crate) struct ScalarPairs<A, B>(A, B);

impl<A: Iterator, B: Iterator> Iterator for ScalarPairs<A, B> {
    type Item = (A::Item, B::Item);

    #[cfg_attr(not(debug_assertions), inline(always))]
    fn next(&mut self) -> Option<Self::Item> {
        Some((self.0.next()?, self.1.next()?))
    }
}
