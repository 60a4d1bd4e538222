//! What must not happen: a mistake in this crate, told as such and with the user's items kept.
//!
//! Invariant: no panic leaves the macro. Where an arm cannot be reached, or a table lacks what it was made for, there is a
//! `bug!` and no value that would do: an expansion that is silently wrong is worse than none.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::Arc;

use proc_macro2::TokenStream;

/// Panics with the message; [`guarded`] makes an error of it.
macro_rules! bug {
    ($($message:tt)*) => {
        panic!($($message)*)
    };
}

thread_local! {
    /// While an expansion runs on this thread: what it panicked with, and where.
    static CAUGHT: RefCell<Option<String>> = const { RefCell::new(None) };
    static IS_RUNNING: RefCell<bool> = const { RefCell::new(false) };
}

/// What `work` gives; if it panics, the error that asks for a report, as tokens, before what `recovery` gives.
pub(crate) fn guarded(
    work: impl FnOnce() -> TokenStream,
    recovery: impl FnOnce(&TokenStream) -> TokenStream,
) -> TokenStream {
    let before = Arc::new(take_hook());
    let other_threads = Arc::clone(&before);
    set_hook(Box::new(move |panic| {
        if IS_RUNNING.with_borrow(|is_running| *is_running) {
            CAUGHT.set(Some(describe(panic)));
        } else {
            other_threads(panic);
        }
    }));
    IS_RUNNING.set(true);
    let result = catch_unwind(AssertUnwindSafe(work));
    IS_RUNNING.set(false);
    drop(take_hook());
    match Arc::try_unwrap(before) {
        Ok(hook) => set_hook(hook),
        Err(hook) => set_hook(Box::new(move |panic| hook(panic))),
    }
    result.unwrap_or_else(|_| {
        let what = CAUGHT.take().unwrap_or_else(|| "an unknown panic".to_owned());
        recovery(&report(&what))
    })
}

/// The message and the place of a panic.
fn describe(panic: &PanicHookInfo<'_>) -> String {
    let message = panic.payload_as_str().unwrap_or("no message");
    match panic.location() {
        Some(at) => format!("{message} ({}:{})", at.file(), at.line()),
        None => message.to_owned(),
    }
}

/// The error, at the attribute: nothing in the declaration is known to be wrong.
fn report(what: &str) -> TokenStream {
    let message = crate::diagnostics::with_help(
        format_args!("a bug in lie-macros: {what}"),
        "this declaration is not to blame; please report it with the message above.\n\
         Until it is mended, take the items out one by one to find which one it is about",
    );
    quote::quote!(::core::compile_error! { #message })
}

#[cfg(test)]
mod tests {
    use super::guarded;
    use quote::quote;

    #[test]
    fn a_panic_becomes_an_error_with_its_place_and_the_items_stay() {
        let all = guarded(|| bug!("{} is missing", "a rule"), |error| quote!(#error mod kept {}));
        let text = all.to_string();
        assert!(text.contains("a bug in lie-macros: a rule is missing"), "{text}");
        assert!(text.contains("bug.rs:"), "{text}");
        assert!(text.contains("mod kept"), "{text}");
        let fine = guarded(
            || {
                quote!(
                    mod fine {}
                )
            },
            |_| quote!(),
        );
        assert_eq!(
            fine.to_string(),
            quote!(
                mod fine {}
            )
            .to_string()
        );
    }
}
