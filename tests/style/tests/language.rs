//! Doc comments, messages, file names, the README and the pages of the book follow the style guide.
//!
//! `cargo run -p style -- FOLDER --sentences` lists the sentences at fault.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

use style::{GENERIC_FILES, Limits, Measures, book, replaced, rust_files, sentences, sentences_below};

/// Folders whose files and subfolders are measured one by one.
const SOURCES: [&str; 7] = [
    "lie-macros/src",
    "lie-macros/compiler/src",
    "lie-macros/robots/src",
    "lie-runtime/src",
    "examples",
    "examples/studies",
    "tests",
];

fn root() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../..")
}

/// The parts of the sources: each entry of a folder of [`SOURCES`] that has Rust code, by its path from the root.
fn parts() -> Vec<String> {
    let mut parts: Vec<String> = SOURCES
        .into_iter()
        .flat_map(|folder| {
            let entries = fs::read_dir(root().join(folder)).unwrap();
            entries.map(move |entry| format!("{folder}/{}", entry.unwrap().file_name().to_string_lossy()))
        })
        .chain(["lie-runtime/tests", "lie-runtime/benches", "lie-runtime/cli"].map(str::to_owned))
        // The lists of replaced words are here.
        .filter(|part| !["tests/style", "examples/studies"].contains(&part.as_str()) && !part.ends_with("target"))
        .filter(|part| !rust_files(&root().join(part)).is_empty())
        .collect();
    parts.sort();
    parts
}

/// The violations of the guide in a part.
fn violations(part: &str) -> Vec<String> {
    let folder = root().join(part);
    let sentences = sentences_below(&folder);
    let words = sentences.iter().flat_map(|sentence| {
        let position = format!("{}:{}", sentence.file.display(), sentence.line);
        replaced(sentence).into_iter().map(move |(now, standard)| format!("{position}: `{now}`: {standard}"))
    });
    let files = rust_files(&folder).into_iter().filter_map(|file| {
        let name = file.file_stem()?.to_string_lossy().into_owned();
        GENERIC_FILES.contains(&name.as_str()).then(|| format!("{}: no standard term", file.display()))
    });
    Measures::of(&sentences).above(Limits::SOURCE).into_iter().chain(words).chain(files).collect()
}

#[test]
fn texts_follow_the_style_guide() {
    let faults =
        |part: &String| violations(part).into_iter().map(|fault| format!("{part}: {fault}")).collect::<Vec<_>>();
    let report: Vec<_> = parts().iter().flat_map(faults).collect();
    assert!(report.is_empty(), "{}", report.join("\n"));
}

/// Pages with fewer words have no lower limit of `can`, `must`, `should`.
const SHORT: usize = 200;

/// The violations of the guide in a page.
fn violations_of_page(page: &Path) -> Vec<String> {
    let text = fs::read_to_string(page).unwrap();
    let sentences = sentences(&text, page, 1);
    let measures = Measures::of(&sentences);
    let modal = measures.per_thousand_words(measures.modal);
    let words = sentences.iter().flat_map(|sentence| {
        replaced(sentence).into_iter().map(|(now, standard)| format!("`{now}` in `{}`: {standard}", sentence.text()))
    });
    let few = (measures.words > SHORT && modal < Limits::MODAL_ON_PAGES)
        .then(|| format!("{modal:.1} can/must/should per 1000 words (at least {})", Limits::MODAL_ON_PAGES));
    measures.above(Limits::SOURCE).into_iter().chain(words).chain(few).collect()
}

#[test]
fn pages_follow_the_style_guide() {
    let folder = root().join("lie-runtime/book/src");
    let pages = book::pages(&folder).into_iter().filter(|page| !page.ends_with("SUMMARY.md"));
    let mut report = Vec::new();
    for page in pages.chain([root().join("README.md")]) {
        report.extend(violations_of_page(&page).into_iter().map(|fault| format!("{}: {fault}", page.display())));
    }
    assert!(report.is_empty(), "{}", report.join("\n"));
}

/// The name of a type that is declared in this line, which is not indented.
fn declared_type(line: &str) -> Option<&str> {
    let item = line.strip_prefix("pub").map_or(line, |rest| match rest.strip_prefix('(') {
        Some(scope) => scope.split_once(')').map_or("", |(_, item)| item),
        None => rest,
    });
    let (kind, rest) = item.trim_start().split_once(' ')?;
    let name = rest.split(|c: char| !c.is_alphanumeric() && c != '_').next()?;
    (["struct", "enum", "union", "trait", "type"].contains(&kind) && !line.starts_with(' ')).then_some(name)
}

/// A type name occurs in one file of its crate. Alternatives of a feature stand in one file; modules of tests are not part of the crate.
#[test]
fn a_type_name_occurs_once_in_a_crate() {
    for folder in ["lie-macros/compiler/src", "lie-macros/robots/src", "lie-runtime/src"] {
        let mut files_of: BTreeMap<String, BTreeSet<PathBuf>> = BTreeMap::new();
        let source = root().join(folder);
        for file in rust_files(&source) {
            let path = file.strip_prefix(&source).unwrap();
            if path.with_extension("").components().any(|part| part.as_os_str() == "tests") {
                continue;
            }
            let text = fs::read_to_string(&file).unwrap();
            for name in text.lines().filter_map(declared_type) {
                files_of.entry(name.to_owned()).or_default().insert(path.to_owned());
            }
        }
        assert!(files_of.len() > 30, "{folder}: {} types", files_of.len());
        files_of.retain(|_, files| files.len() > 1);
        assert!(files_of.is_empty(), "{folder}: types with the name of another type: {files_of:#?}");
    }
}

#[test]
fn declarations_of_types_are_found() {
    let lines = [
        "pub(in crate::a) struct Place<'a> {",
        "enum Kind {",
        "type Rows<S> = Vec<S>;",
        "    type Scalar = f64;",
        "fn of() {}",
    ];
    assert_eq!(lines.map(declared_type), [Some("Place"), Some("Kind"), Some("Rows"), None, None]);
}
