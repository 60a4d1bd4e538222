//! Collection and format of error messages.
//!
//! Invariant: all errors of an expansion are collected and reported together, and none has the span of the attribute or of the whole
//! module. A message is one line in lower case, with names in backticks, followed by a help with code.

mod code;
mod remedy;
mod rendering;

use proc_macro2::{TokenStream, TokenTree};
use quote::ToTokens;

pub use self::code::Code;
pub use self::remedy::{LengthRemedy, LengthWords, set_length_words};
pub use self::rendering::{Diagnostic, Diagnostics, SourcePosition};

/// Collects errors. Panics if dropped with unreported errors.
pub(crate) struct ErrorCollector {
    /// The code of the errors that follow.
    code: Code,
    errors: Vec<Report>,
}

/// An error and its code.
pub(crate) struct Report {
    pub code: Code,
    pub error: syn::Error,
}

/// The errors of a declaration, and items that replace it without further errors.
pub(crate) struct Rejection {
    pub errors: Vec<Report>,
    pub items: TokenStream,
}

impl Rejection {
    /// The errors for rustc and the items.
    pub fn tokens(&self) -> TokenStream {
        let errors: TokenStream = self.errors.iter().map(|report| report.error.to_compile_error()).collect();
        let items = &self.items;
        quote::quote!(#errors #items)
    }
}

/// Returns an error with the span of `node` and a help.
pub(crate) fn error_with_help(
    node: impl ToTokens,
    message: impl std::fmt::Display,
    help: impl std::fmt::Display,
) -> syn::Error {
    syn::Error::new_spanned(node, with_help(message, help))
}

/// Separates a message from its help.
const BEFORE_HELP: &str = "\n\n  = help: ";

/// Begins the further lines of a help.
const BEFORE_HELP_LINE: &str = "\n          ";

/// Formats a message and its help. Further lines of `help` are aligned below the first.
pub(crate) fn with_help(message: impl std::fmt::Display, help: impl std::fmt::Display) -> String {
    let help = help.to_string().replace('\n', BEFORE_HELP_LINE);
    format!("{message}{BEFORE_HELP}{help}")
}

/// Returns the message and the help of a text from [`with_help`].
fn split_help(text: &str) -> (&str, Option<String>) {
    match text.split_once(BEFORE_HELP) {
        Some((message, help)) => (message, Some(help.replace(BEFORE_HELP_LINE, "\n"))),
        None => (text, None),
    }
}

/// Adds a second message at `node` to an error: "first declared here".
pub(crate) fn and_at(mut error: syn::Error, node: impl ToTokens, message: impl std::fmt::Display) -> syn::Error {
    error.combine(syn::Error::new_spanned(node, message));
    error
}

/// Formats tokens in the usual style.
pub(crate) fn source(node: impl ToTokens) -> String {
    let mut text = String::new();
    write_source(node.to_token_stream(), &mut text);
    text
}

fn write_source(tokens: TokenStream, text: &mut String) {
    // Number of open `<` of types; whether the previous character continues an operator; whether the operator is binary.
    let (mut angles, mut joined, mut between) = (0_usize, false, false);
    for token in tokens {
        match token {
            TokenTree::Group(group) => {
                let (open, close) = match group.delimiter() {
                    proc_macro2::Delimiter::Parenthesis => ("(", ")"),
                    proc_macro2::Delimiter::Bracket => ("[", "]"),
                    proc_macro2::Delimiter::Brace => ("{", "}"),
                    proc_macro2::Delimiter::None => ("", ""),
                };
                text.push_str(open);
                write_source(group.stream(), text);
                text.push_str(close);
                joined = false;
            }
            TokenTree::Punct(punct) => {
                let (character, goes_on) = (punct.as_char(), punct.spacing() == proc_macro2::Spacing::Joint);
                if !joined {
                    between = match character {
                        '=' => true,
                        '!' | '|' => goes_on && follows_operand(text),
                        '<' if opens_types(text) => false,
                        '>' if angles > 0 => false,
                        '+' | '-' | '*' | '/' | '%' | '^' | '&' | '<' | '>' => follows_operand(text),
                        _ => false,
                    };
                    if between && !text.ends_with(' ') {
                        text.push(' ');
                    }
                }
                match character {
                    '<' if !between => angles += 1,
                    '>' if !between => angles = angles.saturating_sub(1),
                    _ => {}
                }
                text.push(character);
                let separates = matches!(character, ',' | ';') || (character == ':' && !text.ends_with("::"));
                if !goes_on && (between || separates) {
                    text.push(' ');
                }
                joined = goes_on;
            }
            TokenTree::Ident(_) | TokenTree::Literal(_) => {
                let is_cast = matches!(&token, TokenTree::Ident(word) if word == "as") && follows_operand(text);
                if is_cast || text.ends_with(|last: char| last.is_alphanumeric() || last == '_') {
                    text.push(' ');
                }
                text.push_str(&token.to_string());
                joined = false;
            }
        }
    }
}

/// Returns true if the text ends with an operand, so that a following operator is binary.
fn follows_operand(text: &str) -> bool {
    let word = text.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    let is_keyword = matches!(word, "in" | "return" | "if" | "match" | "else" | "mut" | "as" | "while" | "break");
    text.ends_with(|last: char| last.is_alphanumeric() || matches!(last, '_' | ')' | ']' | '}' | '?')) && !is_keyword
}

/// Returns true if a `<` after the text opens the arguments of a type.
fn opens_types(text: &str) -> bool {
    let word = text.rsplit(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
    text.ends_with("::") || word.starts_with(char::is_uppercase)
}

impl ErrorCollector {
    /// An empty collection; `code` is the code of the first errors.
    pub fn new(code: Code) -> Self {
        Self { code, errors: vec![] }
    }

    /// Sets the code of the errors that follow.
    pub fn begin(&mut self, code: Code) {
        self.code = code;
    }

    /// Reports `message` with the span of `node`.
    pub fn error(&mut self, node: impl ToTokens, message: impl std::fmt::Display) {
        self.push(syn::Error::new_spanned(node, message));
    }

    /// Reports `message` with the span of `node` and a help.
    pub fn error_with_help(
        &mut self,
        node: impl ToTokens,
        message: impl std::fmt::Display,
        help: impl std::fmt::Display,
    ) {
        self.push(error_with_help(node, message, help));
    }

    /// Reports `message` with the span of `node`, a help, and `note` at another node.
    pub fn error_with_note(
        &mut self,
        node: impl ToTokens,
        message: impl std::fmt::Display,
        help: impl std::fmt::Display,
        (other, note): (impl ToTokens, impl std::fmt::Display),
    ) {
        self.push(and_at(error_with_help(node, message, help), other, note));
    }

    /// Adds an error.
    pub fn push(&mut self, error: syn::Error) {
        self.errors.push(Report { code: self.code, error });
    }

    /// Returns the value, or adds the error and returns `None`.
    pub fn take<T>(&mut self, result: syn::Result<T>) -> Option<T> {
        result.map_err(|error| self.push(error)).ok()
    }

    /// Returns true if nothing was reported.
    pub fn is_empty(&self) -> bool {
        self.errors.is_empty()
    }

    /// The number of reported errors.
    pub fn len(&self) -> usize {
        self.errors.len()
    }

    /// Returns the errors, each once.
    pub fn finish(mut self) -> Vec<Report> {
        // A helper function is interpreted once for each caller.
        let mut seen = std::collections::BTreeSet::new();
        let mut errors = std::mem::take(&mut self.errors);
        errors.retain(|Report { error, .. }| seen.insert((error.to_string(), format!("{:?}", error.span()))));
        errors
    }
}

impl Drop for ErrorCollector {
    fn drop(&mut self) {
        assert!(self.errors.is_empty() || std::thread::panicking(), "errors were collected but not reported");
    }
}

#[cfg(test)]
#[path = "../../tests/unit/diagnostics.rs"]
mod tests;
