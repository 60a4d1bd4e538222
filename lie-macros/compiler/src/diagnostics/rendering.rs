//! Errors with their positions in a text, in the format of rustc.

use std::fmt;
use std::ops::Range;

use proc_macro2::{LineColumn, Span, TokenStream};

use super::{Code, Rejection, Report, split_help};

/// A position in a text.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct SourcePosition {
    /// The line, from 1.
    pub line: usize,
    /// The column in characters, from 1.
    pub column: usize,
}

impl From<LineColumn> for SourcePosition {
    fn from(LineColumn { line, column }: LineColumn) -> Self {
        Self { line, column: column + 1 }
    }
}

/// An error of a declaration.
#[derive(Clone, Debug)]
pub struct Diagnostic {
    /// The part of the declaration that the error concerns.
    pub code: Code,
    /// One line in lower case, with names in backticks.
    pub message: String,
    /// The correction, if one is known.
    pub help: Option<String>,
    /// The file; `declaration` for a text without a file.
    pub file: String,
    /// Line and column of the first character.
    pub start: SourcePosition,
    /// Line and column after the last character.
    pub end: SourcePosition,
    /// The bytes of the text.
    pub bytes: Range<usize>,
    /// Further positions of the error, each with a message: `first declared here`.
    pub notes: Vec<Diagnostic>,
}

/// All errors of a declaration. The [`fmt::Display`] text has the format of rustc.
#[derive(Clone, Debug)]
pub struct Diagnostics {
    errors: Vec<Diagnostic>,
    /// The text of the declaration, whose lines are shown.
    text: Option<String>,
    tokens: TokenStream,
}

impl Diagnostics {
    pub(crate) fn new(rejection: &Rejection) -> Self {
        let with_notes = |Report { code, error }: &Report| {
            let parts = error.clone().into_iter();
            let mut parts = parts.map(|part| diagnostic(*code, &part.to_string(), part.span()));
            let first = parts.next()?;
            Some(Diagnostic { notes: parts.collect(), ..first })
        };
        let errors = rejection.errors.iter().filter_map(with_notes).collect();
        Self { errors, text: None, tokens: rejection.tokens() }
    }

    /// An error at the beginning of a line of a file that is not a declaration.
    #[cfg(feature = "robots")]
    pub(crate) fn of_file(code: Code, message: String, help: String, file: &str, line: usize) -> Self {
        let start = SourcePosition { line, column: 1 };
        let (file, help) = (file.to_owned(), Some(help));
        let error = Diagnostic { code, message, help, file, start, end: start, bytes: 0..0, notes: vec![] };
        Self { errors: vec![error], text: None, tokens: TokenStream::new() }
    }

    /// The errors in the order of the stages of the compiler; at least one.
    pub fn errors(&self) -> &[Diagnostic] {
        &self.errors
    }

    /// The expansion of the macro: the errors for rustc, and items in place of the declaration, so that its users have no further errors.
    pub fn into_tokens(self) -> TokenStream {
        self.tokens
    }

    /// Sets the name of the file.
    #[must_use]
    pub fn in_file(mut self, file: &str) -> Self {
        for error in &mut self.errors {
            file.clone_into(&mut error.file);
            error.notes.iter_mut().for_each(|note| file.clone_into(&mut note.file));
        }
        self
    }

    /// Sets the text of the declaration, whose lines are shown.
    #[must_use]
    pub fn with_text(mut self, text: &str) -> Self {
        self.text = Some(text.to_owned());
        self
    }
}

fn diagnostic(code: Code, text: &str, span: Span) -> Diagnostic {
    let (message, help) = split_help(text);
    Diagnostic {
        code,
        message: message.to_owned(),
        help,
        file: span.file(),
        start: span.start().into(),
        end: span.end().into(),
        bytes: span.byte_range(),
        notes: vec![],
    }
}

impl fmt::Display for Diagnostic {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.write_all(f, None)
    }
}

impl Diagnostic {
    /// Writes the error and its notes.
    fn write_all(&self, f: &mut fmt::Formatter<'_>, text: Option<&str>) -> fmt::Result {
        self.write(f, text, &format!("error[{}]", self.code.id()))?;
        for note in &self.notes {
            f.write_str("\n")?;
            note.write(f, text, "note")?;
        }
        Ok(())
    }

    fn write(&self, f: &mut fmt::Formatter<'_>, text: Option<&str>, level: &str) -> fmt::Result {
        let Self { message, help, file, start, end, .. } = self;
        let margin = start.line.to_string().len();
        write!(f, "{level}: {}", message.replace('\n', "\n       "))?;
        write!(f, "\n{:margin$}--> {file}:{}:{}", "", start.line, start.column)?;
        let line = text.and_then(|text| text.lines().nth(start.line - 1));
        if let Some(line) = line {
            // A longer span is marked to the end of its first line.
            let last = if end.line == start.line { end.column } else { line.chars().count() + 1 };
            let marks = "^".repeat(last.saturating_sub(start.column).max(1));
            // Tabs have the width of the terminal, above as below.
            let before: String =
                line.chars().take(start.column - 1).map(|c| if c == '\t' { '\t' } else { ' ' }).collect();
            write!(f, "\n{:margin$} |\n{} | {line}\n{:margin$} | {before}{marks}", "", start.line, "")?;
        }
        if let Some(help) = help {
            let indented = help.replace('\n', &format!("\n{:margin$}           ", ""));
            if line.is_some() {
                write!(f, "\n{:margin$} |", "")?;
            }
            write!(f, "\n{:margin$} = help: {indented}", "")?;
        }
        Ok(())
    }
}

impl fmt::Display for Diagnostics {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (number, error) in self.errors.iter().enumerate() {
            f.write_str(if number > 0 { "\n\n" } else { "" })?;
            error.write_all(f, self.text.as_deref())?;
        }
        Ok(())
    }
}

impl std::error::Error for Diagnostics {}
