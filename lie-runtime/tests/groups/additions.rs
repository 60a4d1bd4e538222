//! The files that an addition changes: a group is one file and a line in each list of groups.

use std::fs;
use std::path::{Path, PathBuf};

/// The Rust files below a folder.
pub fn files(folder: &Path) -> Vec<PathBuf> {
    let entries = fs::read_dir(folder).unwrap_or_else(|error| panic!("{}: {error}", folder.display()));
    let paths = entries.map(|entry| entry.unwrap().path());
    paths
        .flat_map(|path| if path.is_dir() { files(&path) } else { vec![path] })
        .filter(|path| path.extension().is_some_and(|extension| extension == "rs"))
        .collect()
}

/// The lines of code that have `word`, file by file: not comments, nor the tests at the end of a file.
fn lines_with(word: &str, folder: &str) -> Vec<(String, usize)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("..").join(folder);
    let is_word = |line: &str| {
        let mut words = line.split(|c: char| !c.is_alphanumeric() && c != '_');
        !line.trim_start().starts_with("//") && words.any(|found| found == word)
    };
    let mut found: Vec<(String, usize)> = files(&folder)
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap_or_default();
            let name = path.strip_prefix(&folder).unwrap().to_string_lossy().replace('\\', "/");
            (name, code.lines().filter(|line| is_word(line)).count())
        })
        .filter(|(_, count)| *count > 0)
        .collect();
    found.sort();
    found
}

/// Other files that name a group, each with the number of lines.
fn elsewhere(word: &str, folder: &str, own: &str) -> Vec<(String, usize)> {
    let found = lines_with(word, folder);
    assert!(found.iter().any(|(file, _)| file == own), "{own} is not where {word} is: {found:?}");
    found.into_iter().filter(|(file, _)| file != own).collect()
}

#[test]
fn a_group_is_a_file_and_a_line_in_each_list() {
    let macros = elsewhere("dual_quaternions", "../lie-macros/compiler/src", "group/mod.rs");
    assert_eq!(macros, [], "the list of `group/mod.rs` alone knows the file");
    // Models at run time have lists of the kinds of elements, of their scalars and of their reports.
    let is_of_code = |(file, _): &(String, usize)| !file.starts_with("dynamic/");
    let lists = ["dynamic/configuration.rs", "dynamic/group_element.rs", "dynamic/report.rs"];
    // Its name is among the elements of groups, in the list of the rigid motions and in the prelude,
    let (runtime, dynamic): (Vec<_>, Vec<_>) = elsewhere("DQ", "src", "group/dq.rs").into_iter().partition(is_of_code);
    assert_eq!(runtime, [("group/mod.rs".to_owned(), 2), ("prelude.rs".to_owned(), 1)]);
    assert!(dynamic.iter().all(|(file, lines)| lists.contains(&file.as_str()) && *lines <= 5), "{dynamic:?}");
    // where its file is known: in a line of its own, and with its name.
    let declaration: Vec<_> = lines_with("dq", "src").into_iter().filter(is_of_code).collect();
    assert_eq!(declaration, [("group/mod.rs".to_owned(), 2)]);
}

#[test]
fn a_method_is_its_folder_its_card_and_a_line_in_each_list() {
    let of_method =
        ["integrator/rattlie/", "simulate/methods/families/rattlie.rs", "gradient/adjoint/implicit/rattlie/"];
    let found = lines_with("rattlie", "src");
    let others: Vec<_> = found
        .iter()
        .filter(|(file, _)| !of_method.iter().any(|own| file.starts_with(own)))
        // What advises it by name.
        .filter(|(file, _)| !file.starts_with("simulate/failure/") && file != "simulate/warning.rs")
        .collect();
    let lists = [
        "gradient/adjoint/implicit/mod.rs",
        "integrator/mod.rs",
        "simulate/methods/families/mod.rs",
        "simulate/methods/registered.rs",
    ];
    assert!(others.iter().all(|(file, lines)| lists.contains(&file.as_str()) && *lines <= 3), "{others:?}");
}
