//! Sentences of a Markdown text, without everything that is not prose.
//!
//! Formulas `\\( … \\)` and `\\[ … \\]` of mdBook and lines of HTML are not prose.

use std::path::{Path, PathBuf};

/// A sentence of prose.
#[derive(Clone, Debug)]
pub struct Sentence {
    /// The file that contains the sentence.
    pub file: PathBuf,
    /// The line on which its paragraph begins, from 1.
    pub line: usize,
    /// Its words, without punctuation around them.
    pub words: Vec<String>,
}

impl Sentence {
    /// The sentence as one line.
    #[must_use]
    pub fn text(&self) -> String {
        self.words.join(" ")
    }
}

/// The sentences of a text that have at least three words.
#[must_use]
pub fn sentences(markdown: &str, file: &Path, line: usize) -> Vec<Sentence> {
    paragraphs(markdown)
        .iter()
        .flat_map(|(offset, paragraph)| split(paragraph).into_iter().map(move |words| (line + offset, words)))
        .map(|(line, words)| Sentence { file: file.to_owned(), line, words })
        .filter(|sentence| sentence.words.len() > 2)
        .collect()
}

/// Paragraphs and list items, each in one line and with the index of its first line. Inline code is `code`; code blocks, headings and tables
/// are omitted.
fn paragraphs(markdown: &str) -> Vec<(usize, String)> {
    let (mut paragraphs, mut current, mut is_code) = (Vec::new(), (0, String::new()), false);
    for (index, line) in markdown.lines().enumerate() {
        let line = line.trim();
        if line.starts_with("```") {
            is_code = !is_code;
        }
        let is_item = line.starts_with("* ") || line.starts_with("- ") || line.starts_with("= ");
        let ends = is_code
            || line.is_empty()
            || is_item
            || ["```", "#", "|", "$$", "<", "{{#"].iter().any(|mark| line.starts_with(mark));
        if ends {
            paragraphs.push(std::mem::take(&mut current));
        }
        if !ends || is_item {
            if current.1.is_empty() {
                current.0 = index;
            }
            current.1.push_str(line.trim_start_matches(['*', '-', '=', ' ']));
            current.1.push(' ');
        }
    }
    paragraphs.push(current);
    paragraphs.into_iter().map(|(index, paragraph)| (index, without_code(&paragraph))).collect()
}

/// The text with a placeholder for inline code, and without the targets of links.
fn without_code(text: &str) -> String {
    let mut parts = text.split('`');
    let mut prose = parts.next().unwrap_or_default().to_owned();
    while let Some(_code) = parts.next() {
        prose.push_str("code");
        prose.push_str(parts.next().unwrap_or_default());
    }
    let mut plain = String::new();
    let mut rest = prose.as_str();
    while let Some((before, target)) = rest.split_once("](") {
        plain.push_str(before);
        rest = target.split_once(')').map_or("", |(_, after)| after);
    }
    plain.push_str(rest);
    without_formulas(&without_formulas(&plain, r"\\(", r"\\)"), r"\\[", r"\\]")
}

/// The text without everything between two marks.
fn without_formulas(text: &str, open: &str, close: &str) -> String {
    let mut plain = String::new();
    let mut rest = text;
    while let Some((before, formula)) = rest.split_once(open) {
        plain.push_str(before);
        plain.push('x');
        rest = formula.split_once(close).map_or("", |(_, after)| after);
    }
    plain + rest
}

/// The words of each sentence: it ends with `.`, `!` or `?` before a capital letter, or with the text.
fn split(paragraph: &str) -> Vec<Vec<String>> {
    let words: Vec<&str> = paragraph.split_whitespace().collect();
    let (mut sentences, mut current) = (Vec::new(), Vec::new());
    for (index, word) in words.iter().enumerate() {
        let bare = word.trim_matches(|c: char| !c.is_alphanumeric());
        if bare.chars().any(char::is_alphabetic) {
            current.push(bare.to_owned());
        }
        let ends = word.trim_end_matches([')', ']', '*', '_', '"']).ends_with(['.', '!', '?']);
        let next = words.get(index + 1).and_then(|next| next.chars().find(|c| c.is_alphanumeric()));
        if ends && next.is_none_or(char::is_uppercase) {
            sentences.push(std::mem::take(&mut current));
        }
    }
    sentences.push(current);
    sentences
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn formulas_and_html_are_not_prose() {
        let text = "The force is \\\\(f \\cdot u\\\\) here.\n\n<img src=\"a b c.svg\">\n\n\\\\[ a + b + c \\\\]\n";
        let found: Vec<String> = sentences(text, Path::new(""), 1).iter().map(Sentence::text).collect();
        assert_eq!(found, ["The force is x here"]);
    }

    #[test]
    fn prose_is_split_at_ends_of_sentences() {
        let text = "# Heading of this\nReturns the value of `f(x)`, e.g. at 1.5 m. See [the page](https://a.b).\n\n```\nlet a = 1;\n```\n* An item stands alone\n| a | b |\n";
        let found = sentences(text, Path::new(""), 1);
        assert_eq!(found.iter().map(|sentence| sentence.line).collect::<Vec<_>>(), [2, 2, 7]);
        let found: Vec<String> = found.iter().map(Sentence::text).collect();
        assert_eq!(found, ["Returns the value of code e.g at m", "See the page", "An item stands alone"]);
    }
}
