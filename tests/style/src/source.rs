//! The texts of a Rust file that a person reads: doc comments and string literals.

use std::fs;
use std::path::{Path, PathBuf};
use std::str::FromStr;

use proc_macro2::{Delimiter, TokenStream, TokenTree};

/// A text and its position.
#[derive(Clone, Debug)]
pub struct Text {
    /// The file that contains the text.
    pub file: PathBuf,
    /// The line on which the text begins, from 1.
    pub line: usize,
    /// The text, in Markdown.
    pub content: String,
}

/// The Rust files below a folder, without build results, generated snapshots and files of rejected declarations; or the file itself.
///
/// # Panics
/// If the folder cannot be read.
#[must_use]
pub fn rust_files(path: &Path) -> Vec<PathBuf> {
    const SKIPPED: [&str; 4] = ["target", "snapshots", "ui", "samples"];
    if path.is_file() {
        let is_rust = path.extension().is_some_and(|extension| extension == "rs");
        return if is_rust { vec![path.to_owned()] } else { vec![] };
    }
    let entries = fs::read_dir(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths
        .into_iter()
        .filter(|path| !path.file_name().is_some_and(|name| SKIPPED.iter().any(|skipped| name == *skipped)))
        .flat_map(|path| if path.is_dir() { rust_files(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}

/// The doc comments and string literals of a file. Consecutive doc lines form one text.
///
/// # Panics
/// If the file cannot be read or is not Rust.
#[must_use]
pub fn texts(file: &Path) -> Vec<Text> {
    let content = fs::read_to_string(file).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let tokens = TokenStream::from_str(&content).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    let mut found = Vec::new();
    collect(tokens, file, &mut found);
    found
}

/// Appends the texts of a token stream in the order of the file.
fn collect(tokens: TokenStream, file: &Path, found: &mut Vec<Text>) {
    let tokens: Vec<TokenTree> = tokens.into_iter().collect();
    // The last line of the doc comment that the next doc line may continue.
    let mut open: Option<usize> = None;
    for (index, token) in tokens.iter().enumerate() {
        match token {
            TokenTree::Group(group) => {
                if let Some((line, content)) = doc_line(&group.stream(), group.delimiter(), index, &tokens) {
                    match found.last_mut().filter(|_| open == Some(line - 1)) {
                        Some(text) => {
                            text.content.push('\n');
                            text.content.push_str(&content);
                        }
                        None => found.push(Text { file: file.to_owned(), line, content }),
                    }
                    open = Some(line);
                } else {
                    collect(group.stream(), file, found);
                }
            }
            TokenTree::Literal(literal) => {
                if let Some(content) = string(&literal.to_string()) {
                    let is_message = content.split_whitespace().count() > 2 && !content.contains("::");
                    if is_message {
                        found.push(Text { file: file.to_owned(), line: literal.span().start().line, content });
                    }
                }
            }
            TokenTree::Ident(_) | TokenTree::Punct(_) => {}
        }
    }
}

/// The content and the line of `[doc = "…"]` after `#` or `#!`.
fn doc_line(stream: &TokenStream, delimiter: Delimiter, index: usize, tokens: &[TokenTree]) -> Option<(usize, String)> {
    let is_attribute = delimiter == Delimiter::Bracket
        && matches!(tokens.get(index.checked_sub(1)?), Some(TokenTree::Punct(mark)) if "#!".contains(mark.as_char()));
    let inside: Vec<TokenTree> = if is_attribute { stream.clone().into_iter().collect() } else { vec![] };
    match inside.as_slice() {
        [TokenTree::Ident(name), TokenTree::Punct(_), TokenTree::Literal(literal)] if name == "doc" => {
            Some((literal.span().start().line, string(&literal.to_string())?))
        }
        _ => None,
    }
}

/// The value of a string literal; `None` for bytes, characters and numbers.
fn string(literal: &str) -> Option<String> {
    let start = literal.find('"')?;
    let (prefix, rest) = literal.split_at(start);
    let is_raw = prefix.starts_with('r');
    if !(prefix.is_empty() || is_raw) {
        return None;
    }
    let inside = rest.trim_end_matches('#').strip_prefix('"')?.strip_suffix('"')?;
    if is_raw {
        return Some(inside.to_owned());
    }
    let (mut value, mut characters) = (String::new(), inside.chars().peekable());
    while let Some(character) = characters.next() {
        if character != '\\' {
            value.push(character);
            continue;
        }
        match characters.next() {
            Some('n') => value.push('\n'),
            // A line that is continued without its indentation.
            Some('\n') => while characters.next_if(|next| next.is_whitespace()).is_some() {},
            Some(escaped @ ('"' | '\\' | '\'')) => value.push(escaped),
            _ => value.push(' '),
        }
    }
    Some(value)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn doc_lines_are_joined_and_literals_are_unescaped() {
        let source = "//! First line.\n//! Second line.\n\n/// Third.\nfn f() { g(\"two \\\"words\\\" and \\\n    more\", b\"no text at all\"); }\n";
        let mut found = Vec::new();
        collect(source.parse().unwrap(), Path::new("f.rs"), &mut found);
        let contents: Vec<&str> = found.iter().map(|text| text.content.trim()).collect();
        assert_eq!(contents, ["First line.\n Second line.", "Third.", "two \"words\" and more"]);
        assert_eq!(found.iter().map(|text| text.line).collect::<Vec<_>>(), [1, 4, 5]);
    }
}
