//! Internal errors: a panic of the compiler becomes an error message, and the user's items are kept.
//!
//! Invariant: no panic leaves the compiler. An unreachable branch or a missing table entry is a `bug!` and never a default value: a wrong
//! expansion without an error is worse than no expansion.

use std::cell::RefCell;
use std::panic::{AssertUnwindSafe, PanicHookInfo, catch_unwind, set_hook, take_hook};
use std::sync::Arc;

use proc_macro2::Span;

use crate::diagnostics::{Code, Report};

/// Panics with a message; [`guarded`] converts the panic to an error.
macro_rules! bug {
    ($($message:tt)*) => {
        panic!($($message)*)
    };
}

thread_local! {
    /// The message and position of a panic during an expansion on this thread.
    static CAUGHT: RefCell<Option<String>> = const { RefCell::new(None) };
    static IS_RUNNING: RefCell<bool> = const { RefCell::new(false) };
}

/// Returns the result of `work`, or the error after a panic.
pub(crate) fn guarded<T>(work: impl FnOnce() -> T) -> Result<T, Report> {
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
    result.map_err(|_| report(&CAUGHT.take().unwrap_or_else(|| "an unknown panic".to_owned())))
}

/// Returns the message and the position of a panic.
fn describe(panic: &PanicHookInfo<'_>) -> String {
    let message = panic.payload_as_str().unwrap_or("no message");
    match panic.location() {
        Some(at) => format!("{message} ({}:{})", at.file(), at.line()),
        None => message.to_owned(),
    }
}

/// Returns the error, with the span of the attribute: no part of the declaration is known to be wrong.
fn report(panic: &str) -> Report {
    let message = crate::diagnostics::with_help(
        format_args!("internal error of lie-macros: {panic}"),
        "report this message together with the declaration.\n\
         Remove items one by one to find the item that causes the error",
    );
    Report { code: Code::Internal, error: syn::Error::new(Span::call_site(), message) }
}

#[cfg(test)]
#[path = "../tests/unit/bug.rs"]
mod tests;
