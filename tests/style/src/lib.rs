//! Measures of the language of a source tree: doc comments and the text of string literals.
//!
//! A sentence counts if it has at least three words. Code blocks, inline code, tables, headings and link targets are removed first.

pub mod book;
mod measures;
mod prose;
mod source;
mod vocabulary;

pub use measures::{Limits, Measures, faults};
pub use prose::{Sentence, sentences};
pub use source::{Text, rust_files, texts};
pub use vocabulary::{GENERIC_FILES, REPLACED, replaced};

/// The sentences of all Rust files below a folder, or of one file; of a Markdown file, its prose.
///
/// # Panics
/// If the path cannot be read.
#[must_use]
pub fn sentences_below(path: &std::path::Path) -> Vec<Sentence> {
    if path.extension().is_some_and(|extension| extension == "md") {
        let text = std::fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
        return sentences(&text, path, 1);
    }
    rust_files(path)
        .iter()
        .flat_map(|file| texts(file))
        .flat_map(|text| sentences(&text.content, &text.file, text.line))
        .collect()
}
