//! Pages of the book: their links, images, anchors and the table of contents.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// The Markdown files below a folder.
///
/// # Panics
/// If the folder cannot be read.
#[must_use]
pub fn pages(folder: &Path) -> Vec<PathBuf> {
    files(folder, &["md"])
}

/// The files below a folder with one of these extensions.
///
/// # Panics
/// If the folder cannot be read.
#[must_use]
pub fn files(folder: &Path, extensions: &[&str]) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let mut paths: Vec<PathBuf> = entries.filter_map(|entry| Some(entry.ok()?.path())).collect();
    paths.sort();
    paths
        .into_iter()
        .flat_map(|path| if path.is_dir() { files(&path, extensions) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|extension| extensions.iter().any(|known| extension == *known)))
        .collect()
}

/// The lines of a Markdown text outside code blocks, each with its number from 1.
fn prose_lines(markdown: &str) -> impl Iterator<Item = (usize, &str)> {
    let mut is_code = false;
    markdown.lines().enumerate().filter_map(move |(index, line)| {
        let is_fence = line.trim_start().starts_with("```");
        is_code ^= is_fence;
        (!is_code && !is_fence).then_some((index + 1, line))
    })
}

/// The text without inline code.
fn without_inline_code(line: &str) -> String {
    line.split('`').step_by(2).collect::<Vec<_>>().join("code")
}

/// The targets of the links and images of a text: each with the line where it begins.
#[must_use]
pub fn links(markdown: &str) -> Vec<(usize, String)> {
    let mut links = Vec::new();
    for (number, line) in prose_lines(markdown) {
        let line = without_inline_code(line);
        for (before, after) in [("](", ')'), ("src=\"", '"'), ("href=\"", '"')] {
            let targets = line.split(before).skip(1).filter_map(|rest| rest.split(after).next());
            links.extend(targets.map(|target| (number, target.to_owned())));
        }
    }
    links
}

/// The files that `{{#include file}}` inserts, with the line.
#[must_use]
pub fn includes(markdown: &str) -> Vec<(usize, String)> {
    let of_line = |(index, line): (usize, &str)| {
        let target = line.split("{{#include ").nth(1)?.split("}}").next()?;
        Some((index + 1, target.split(':').next()?.trim().to_owned()))
    };
    markdown.lines().enumerate().filter_map(of_line).collect()
}

/// The anchors of the headings of a page, as mdBook forms them: lower case, letters, digits, `-` and `_`, spaces as `-`; repeated
/// headings have a number.
#[must_use]
pub fn anchors(markdown: &str) -> BTreeSet<String> {
    let mut anchors: BTreeSet<String> = BTreeSet::new();
    for (_, line) in prose_lines(markdown) {
        if let Some(id) = line.split_once(" id=\"").and_then(|(_, rest)| rest.split('"').next()) {
            anchors.insert(id.to_owned());
        }
        if !line.starts_with('#') {
            continue;
        }
        let title = line.trim_start_matches('#').trim();
        let title: String = match title.split_once("{#") {
            Some((_, id)) => id.trim_end_matches('}').to_owned(),
            None => title.replace('`', "").to_lowercase(),
        };
        let kept = title.chars().filter_map(|c| match c {
            c if c.is_alphanumeric() || c == '_' || c == '-' => Some(c),
            c if c.is_whitespace() => Some('-'),
            _ => None,
        });
        let anchor: String = kept.collect();
        let mut unique = anchor.clone();
        let mut count = 0;
        while !anchors.insert(unique.clone()) {
            count += 1;
            unique = format!("{anchor}-{count}");
        }
    }
    anchors
}

/// The faults of the formulas of a page: Markdown changes them before MathJax reads them.
///
/// Markdown removes a backslash before punctuation, so that `\\,` must be written with two backslashes. It reads `*`, and `_` after
/// punctuation, as emphasis: write `\ast` and `\_`. It reads `<` as HTML: write `\lt`.
#[must_use]
pub fn formula_faults(markdown: &str) -> Vec<String> {
    let text: String = prose_lines(markdown).flat_map(|(_, line)| [line, "\n"]).collect();
    [(r"\\(", r"\\)"), (r"\\[", r"\\]"), ("$$", "$$")]
        .into_iter()
        .flat_map(|(open, close)| between(&text, open, close))
        .filter_map(|formula| Some(format!("{}: `{formula}`", formula_fault(formula)?)))
        .collect()
}

/// The texts between two marks.
fn between<'a>(text: &'a str, open: &str, close: &str) -> Vec<&'a str> {
    let (mut found, mut rest) = (Vec::new(), text);
    while let Some((formula, after)) = rest.split_once(open).and_then(|(_, after)| after.split_once(close)) {
        found.push(formula);
        rest = after;
    }
    found
}

/// The first fault of a formula.
fn formula_fault(formula: &str) -> Option<&'static str> {
    let mut previous = ' ';
    let mut characters = formula.chars().peekable();
    while let Some(c) = characters.next() {
        match (c, characters.peek()) {
            // Markdown makes one backslash of two.
            ('\\', Some('\\' | '_')) => {
                characters.next();
                previous = '\\';
                continue;
            }
            ('\\', Some(next)) if next.is_ascii_punctuation() => {
                return Some("write two backslashes before punctuation");
            }
            ('*', _) => return Some("write `\\ast`"),
            ('<', _) => return Some("write `\\lt`"),
            ('_', _) if !previous.is_alphanumeric() => return Some("write `\\_` after punctuation"),
            _ => {}
        }
        previous = c;
    }
    None
}

/// The lines of excerpts that do not occur in the programs of the page. Excerpts are the blocks `` ```rust,ignore `` of a page that includes
/// programs.
///
/// # Panics
/// If the page or a program cannot be read.
#[must_use]
pub fn false_excerpts(page: &Path) -> Vec<String> {
    let read = |path: &Path| fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()));
    let (text, folder) = (read(page), page.parent().unwrap_or(Path::new("")));
    let programs: String = includes(&text).iter().map(|(_, program)| read(&folder.join(program))).collect();
    let known: BTreeSet<&str> = programs.lines().map(str::trim).collect();
    if programs.is_empty() {
        return Vec::new();
    }
    between(&text, "```rust,ignore\n", "```")
        .into_iter()
        .flat_map(str::lines)
        .map(str::trim)
        .filter(|line| !line.starts_with("{{#include") && !known.contains(line))
        .map(|line| format!("{}: `{line}` is not in the program", page.display()))
        .collect()
}

/// The path without `.` and `..`.
#[must_use]
pub fn normalised(path: &Path) -> PathBuf {
    let mut plain = PathBuf::new();
    for part in path.components() {
        match part {
            Component::ParentDir => {
                plain.pop();
            }
            Component::CurDir => {}
            part => plain.push(part),
        }
    }
    plain
}

/// The faults of the links of a page: targets that do not exist, anchors without a heading, and targets outside `inside`, the folder that
/// is published. Addresses with a scheme are not checked.
///
/// # Panics
/// If the page cannot be read.
#[must_use]
pub fn broken_links(page: &Path, inside: &Path) -> Vec<String> {
    let text = fs::read_to_string(page).unwrap_or_else(|error| panic!("{}: {error}", page.display()));
    let folder = page.parent().unwrap_or(Path::new(""));
    let fault = |target: &str| -> Option<String> {
        if ["https://", "http://", "mailto:"].iter().any(|scheme| target.starts_with(scheme)) {
            return None;
        }
        let (file, anchor) = target.split_once('#').map_or((target, None), |(file, anchor)| (file, Some(anchor)));
        let path = if file.is_empty() { page.to_owned() } else { normalised(&folder.join(file)) };
        if !path.starts_with(normalised(inside)) && path != page {
            return Some("is outside the published folder".into());
        }
        if !path.exists() {
            return Some("does not exist".into());
        }
        let anchor = anchor?;
        let is_known = fs::read_to_string(&path).is_ok_and(|text| anchors(&text).contains(anchor));
        (!is_known).then(|| format!("has no heading `{anchor}`"))
    };
    let of_links =
        links(&text).into_iter().filter_map(|(line, target)| fault(&target).map(|fault| (line, target, fault)));
    let of_includes = includes(&text).into_iter().filter_map(|(line, target)| {
        let is_missing = !folder.join(&target).is_file();
        is_missing.then(|| (line, target, "is not a file".to_owned()))
    });
    of_links
        .chain(of_includes)
        .map(|(line, target, fault)| format!("{}:{line}: `{target}` {fault}", page.display()))
        .collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn links_and_anchors_are_found() {
        let text = "# The `exp` map\n\nSee [a](b.md#c), ![d](e.svg) and `[x](y)`.\n\n```text\n[no](link)\n```\n## The exp map\n<img src=\"f.svg\">\n";
        assert_eq!(links(text), [(3, "b.md#c".into()), (3, "e.svg".into()), (9, "f.svg".into())]);
        assert_eq!(anchors(text).into_iter().collect::<Vec<_>>(), ["the-exp-map", "the-exp-map-1"]);
        assert_eq!(includes("a\n{{#include ../b.rs:4}}"), [(2, "../b.rs".into())]);
        assert_eq!(formula_faults(r"\\( a_1 \\, b \\) and \\[ \begin{aligned} x{}\_i \\\\ y \\]"), [""; 0]);
        assert_eq!(formula_faults(r"\\( a \, b \\) \\( {a}_1 \\) \\( a * b \\) \\( a < b \\)").len(), 4);
        assert_eq!(normalised(Path::new("a/b/../c/./d")), Path::new("a/c/d"));
    }
}
