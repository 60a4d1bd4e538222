//! The book has a complete table of contents and no broken link.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use style::book::{broken_links, false_excerpts, files, formula_faults, links, normalised, pages};

fn root() -> PathBuf {
    normalised(&Path::new(env!("CARGO_MANIFEST_DIR")).join("../.."))
}

fn book() -> PathBuf {
    root().join("lie-runtime/book/src")
}

#[test]
fn every_link_has_a_target() {
    let of_book = pages(&book()).into_iter().flat_map(|page| broken_links(&page, &book()));
    let others = ["README.md", "lie-runtime/CHANGELOG.md"].map(|page| root().join(page));
    let of_others = others.iter().flat_map(|page| broken_links(page, &root()));
    let faults: Vec<String> = of_book.chain(of_others).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}

#[test]
fn every_page_is_in_the_table_of_contents() {
    let summary = book().join("SUMMARY.md");
    let text = fs::read_to_string(&summary).unwrap();
    let listed: Vec<PathBuf> = links(&text).into_iter().map(|(_, target)| book().join(target)).collect();
    let unique: BTreeSet<&PathBuf> = listed.iter().collect();
    assert_eq!(unique.len(), listed.len(), "a page is listed twice");
    let pages = pages(&book());
    let written: BTreeSet<&PathBuf> = pages.iter().filter(|page| **page != summary).collect();
    assert_eq!(unique, written, "left: SUMMARY.md, right: the pages");
}

#[test]
fn every_figure_is_on_a_page() {
    let pages = pages(&book());
    let used: BTreeSet<PathBuf> = pages
        .iter()
        .flat_map(|page| {
            let folder = page.parent().unwrap().to_owned();
            let targets = links(&fs::read_to_string(page).unwrap());
            targets.into_iter().map(move |(_, target)| normalised(&folder.join(target)))
        })
        .collect();
    let unused: Vec<PathBuf> =
        files(&book(), &["svg", "png", "html"]).into_iter().filter(|figure| !used.contains(figure)).collect();
    assert!(unused.is_empty(), "{unused:?}");
}

/// A page begins with its title, the only heading of the first level.
#[test]
fn every_page_has_one_title() {
    for page in pages(&book()) {
        let text = fs::read_to_string(&page).unwrap();
        let mut is_code = false;
        let titles = text.lines().filter(|line| {
            is_code ^= line.starts_with("```");
            !is_code && line.starts_with("# ")
        });
        let count = titles.count();
        let is_summary = page.file_name().is_some_and(|name| name == "SUMMARY.md");
        assert!(text.starts_with("# ") && (is_summary || count == 1), "{}: {count} titles", page.display());
    }
}

#[test]
fn formulas_reach_mathjax_unchanged() {
    for page in pages(&book()) {
        let faults = formula_faults(&fs::read_to_string(&page).unwrap());
        assert!(faults.is_empty(), "{}:\n{}", page.display(), faults.join("\n"));
    }
}

/// Every test that the page of validation names, `file.rs::function`, exists.
#[test]
fn validation_names_existing_tests() {
    let page = fs::read_to_string(book().join("validation/validation.md")).unwrap();
    let folders =
        ["tests/tests", "examples/studies/tests", "lie-runtime/tests", "lie-macros"].map(|folder| root().join(folder));
    let named = page.split('`').skip(1).step_by(2).filter_map(|code| code.split_once(".rs::"));
    let mut count = 0;
    for (file, function) in named {
        let paths = folders.iter().map(|folder| folder.join(format!("{file}.rs")));
        let text = paths.into_iter().find_map(|path| fs::read_to_string(path).ok());
        let text = text.unwrap_or_else(|| panic!("{file}.rs does not exist"));
        assert!(text.contains(&format!("fn {function}(")), "{file}.rs has no `{function}`");
        count += 1;
    }
    assert!(count > 80, "{count} tests");
}

#[test]
fn excerpts_are_parts_of_their_programs() {
    let faults: Vec<String> = pages(&book()).iter().flat_map(|page| false_excerpts(page)).collect();
    assert!(faults.is_empty(), "{}", faults.join("\n"));
}
