//! The error sink: every error of a run is collected and reported at once.

use proc_macro2::TokenStream;
use quote::ToTokens;

/// Collects errors; panics if dropped with errors that nobody took.
#[derive(Default)]
pub(crate) struct Diagnostics {
    errors: Vec<syn::Error>,
}

impl Diagnostics {
    /// An empty sink.
    pub fn new() -> Self {
        Self::default()
    }

    /// Reports `message` at all the tokens of `node`.
    pub fn error(&mut self, node: impl ToTokens, message: impl std::fmt::Display) {
        self.errors.push(syn::Error::new_spanned(node, message));
    }

    /// Reports `message` at `node`, followed by the fix.
    pub fn error_with_help(
        &mut self,
        node: impl ToTokens,
        message: impl std::fmt::Display,
        help: impl std::fmt::Display,
    ) {
        self.error(node, format_args!("{message}\n\n  = help: {help}"));
    }

    /// Adds an error that was made elsewhere.
    pub fn push(&mut self, error: syn::Error) {
        self.errors.push(error);
    }

    /// True if nothing was reported.
    pub fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// The errors as `compile_error!`s; `None` if there are none.
    pub fn finish(mut self) -> Option<TokenStream> {
        let mut errors = std::mem::take(&mut self.errors).into_iter();
        let first = errors.next()?;
        Some(
            errors
                .fold(first, |mut all, next| {
                    all.combine(next);
                    all
                })
                .to_compile_error(),
        )
    }
}

impl Drop for Diagnostics {
    fn drop(&mut self) {
        debug_assert!(self.errors.is_empty() || std::thread::panicking(), "errors were collected but not reported");
    }
}
