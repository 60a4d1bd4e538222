//! Measures of the language of a source tree: doc comments and the text of string literals.
//!
//! A sentence counts if it has at least three words. Code blocks, inline code, tables, headings and link targets are removed first.

mod measures;
mod prose;
mod source;
mod vocabulary;

pub use measures::{Limits, Measures, faults};
pub use prose::{Sentence, sentences};
pub use source::{Text, rust_files, texts};
pub use vocabulary::{GENERIC_FILES, REPLACED, replaced};

/// The sentences of all Rust files below a folder, or of one file.
#[must_use]
pub fn sentences_below(path: &std::path::Path) -> Vec<Sentence> {
    rust_files(path)
        .iter()
        .flat_map(|file| texts(file))
        .flat_map(|text| sentences(&text.content, &text.file, text.line))
        .collect()
}
