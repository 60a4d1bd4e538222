//! Every message of an error or a warning names a section of the page of error messages, and its remedies name existing methods.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::additions::files;

/// Sections of the page that no run-time message names.
const WITHOUT_MESSAGES: [&str; 2] = ["compile-errors", "results-that-look-wrong"];

/// Methods in remedies that belong to the standard library or to nalgebra, or that a macro of the library defines.
const FOREIGN_METHODS: [&str; 5] = ["norm", "norm_squared", "rkmk4", "signum", "tanh"];

/// The code of each file below a folder, without its tests.
fn sources(folder: &str) -> Vec<(String, String)> {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(folder);
    let mut sources: Vec<(String, String)> = files(&folder)
        .into_iter()
        .map(|path| {
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]").next().unwrap_or_default().to_owned();
            (path.strip_prefix(&folder).unwrap().to_string_lossy().replace('\\', "/"), code)
        })
        .collect();
    sources.sort();
    sources
}

/// The anchors of the headings below the title of the page, as mdBook forms them: `## Mass matrix` has the anchor `mass-matrix`.
fn anchors(level: &str) -> BTreeSet<String> {
    let page = include_str!("../../book/src/reference/errors.md");
    let titles = page.lines().filter_map(|line| line.strip_prefix(level));
    titles.map(|title| title.to_lowercase().replace(' ', "-")).collect()
}

/// The text from `start` to the bracket that closes the one at its end. Brackets in string literals do not count.
fn enclosed(code: &str, start: usize, open: char, close: char) -> &str {
    let (mut depth, mut in_string, mut is_escaped) = (0, false, false);
    for (at, character) in code[start..].char_indices() {
        match character {
            _ if is_escaped => is_escaped = false,
            '\\' if in_string => is_escaped = true,
            '"' => in_string = !in_string,
            _ if in_string => {}
            _ if character == open => depth += 1,
            _ if character == close => {
                depth -= 1;
                if depth == 0 {
                    return &code[start..=start + at];
                }
            }
            _ => {}
        }
    }
    panic!("no end of {}", &code[start..start + 40]);
}

/// The attributes `#[error(…)]` of a file.
fn messages(code: &str) -> impl Iterator<Item = &str> {
    code.match_indices("#[error(").map(|(start, _)| enclosed(code, start + 1, '[', ']'))
}

/// The string literals of some code, joined.
fn literals(code: &str) -> String {
    code.replace("\\\"", "'").split('"').skip(1).step_by(2).collect::<Vec<_>>().join("\n")
}

/// The sections that some code names.
fn named(code: &str) -> Vec<&str> {
    let calls = code.split("see(").skip(1).filter_map(|call| call.trim_start().strip_prefix('"'));
    calls.filter_map(|call| call.split('"').next()).collect()
}

/// True if a message forwards the message of its cause, or if it or a function that it calls names a section.
fn names_a_section(attribute: &str, code: &str) -> bool {
    const CAUSES: [&str; 9] = [
        "{error}",
        "{message}",
        "{fault}",
        "{failure}",
        "{limit}",
        "{divergence}",
        "{violation}",
        "{0}",
        "StepFailure::",
    ];
    let is_of_function = || {
        let called = attribute
            .split('(')
            .filter_map(|before| before.rsplit(|c: char| !(c.is_alphanumeric() || c == '_')).next());
        called.filter(|name| !name.is_empty()).any(|name| {
            let body = code.find(&format!("\nfn {name}(")).map(|start| enclosed(code, start, '{', '}'));
            body.is_some_and(|body| !named(body).is_empty())
        })
    };
    attribute.contains("transparent")
        || !named(attribute).is_empty()
        || CAUSES.iter().any(|cause| attribute.contains(cause))
        || is_of_function()
}

#[test]
fn messages_name_their_sections() {
    let (all, sections) = (&anchors("## ") | &anchors("### "), anchors("### "));
    let (mut used, mut count) = (BTreeSet::new(), 0);
    for (file, code) in sources("../src") {
        for section in named(&code) {
            assert!(all.contains(section), "{file}: the page has no section `{section}`");
            used.insert(section.to_owned());
        }
        for attribute in messages(&code) {
            assert!(names_a_section(attribute, &code), "{file}: no section of the page in {attribute}");
            count += 1;
        }
    }
    assert!(count > 200, "{count} messages");
    used.extend(WITHOUT_MESSAGES.map(str::to_owned));
    let unused: Vec<&String> = sections.difference(&used).collect();
    assert!(unused.is_empty(), "sections without a message: {unused:?}");
    // The test fails without a section.
    assert!(!names_a_section("[error(\"the step is {step}\")]", ""));
}

#[test]
fn warnings_name_their_sections() {
    let (_, code) = sources("../src").into_iter().find(|(file, _)| file == "simulate/warning.rs").unwrap();
    let body = |start: &str| enclosed(&code, code.find(start).unwrap(), '{', '}');
    let is_variant = |line: &&str| line.strip_prefix("    ").is_some_and(|line| line.starts_with(char::is_uppercase));
    let variants = body("pub enum Warning").lines().filter(is_variant).count();
    assert_eq!(named(body("impl fmt::Display for Warning")).len(), variants);
}

#[test]
fn errors_are_derived() {
    for (file, code) in sources("../src") {
        for line in code.lines().filter(|line| line.starts_with("impl")) {
            assert!(!line.contains("error::Error for "), "{file}: {line}: derive `thiserror::Error`");
        }
    }
}

/// A message contains the message of its cause, so that programs that print the chain of sources print each message once: only errors that
/// forward everything have a source.
#[test]
fn sources_are_not_in_messages() {
    for (file, code) in sources("../src") {
        let mut attribute = None;
        for line in code.lines().map(str::trim) {
            if line.starts_with("#[error(") {
                attribute = Some(line);
            }
            let has_source = ["#[source]", "#[from]", "source:"].iter().any(|part| line.contains(part));
            let forwards = attribute.is_none_or(|attribute| attribute == "#[error(transparent)]");
            assert!(!has_source || forwards, "{file}: {attribute:?}\n{line}");
            if line.starts_with('}') {
                attribute = None;
            }
        }
    }
}

/// The methods and functions in the texts of messages exist: remedies compile.
#[test]
fn remedies_name_existing_methods() {
    let (runtime, macros) = (sources("../src"), sources("../../lie-macros/compiler/src"));
    // The macro writes some of the methods.
    let functions: BTreeSet<&str> = runtime
        .iter()
        .chain(&macros)
        .flat_map(|(_, code)| code.split("fn ").skip(1))
        .filter_map(|rest| rest.split(|c: char| !(c.is_alphanumeric() || c == '_')).next())
        .collect();
    let (mut count, mut unknown) = (0, BTreeSet::new());
    for (file, code) in runtime.iter().filter(|(_, code)| !named(code).is_empty()) {
        for after in literals(code).replace("::", ".").split('.').skip(1) {
            let name: &str = after.split(|c: char| !(c.is_ascii_alphanumeric() || c == '_')).next().unwrap_or_default();
            if !name.is_empty() && after[name.len()..].starts_with('(') && !FOREIGN_METHODS.contains(&name) {
                count += 1;
                if !functions.contains(name) {
                    unknown.insert(format!("{file}: {name}"));
                }
            }
        }
    }
    // Settings are methods of builders, and limits are methods of `Limits`.
    for (file, code) in &runtime {
        for (before, name) in [("Setting {", "name: \""), ("setting(", "\""), ("Limit(", "\"")] {
            let names =
                code.split(before).skip(1).filter_map(|rest| rest.trim_start().strip_prefix(name)?.split('"').next());
            for name in names {
                count += 1;
                if !functions.contains(name) {
                    unknown.insert(format!("{file}: the setting {name}"));
                }
            }
        }
    }
    assert!(unknown.is_empty() && count > 50, "{count} methods, without {unknown:?}");
}

/// A `main` that returns `Box<dyn Error>` prints its error with `Debug`: no error derives it.
#[test]
fn errors_print_their_message() {
    let mut count = 0;
    for (file, code) in sources("../src") {
        for derive in code.split("#[derive(").skip(1).filter_map(|rest| rest.split(")]").next()) {
            if derive.contains("thiserror::Error") {
                count += 1;
                assert!(!derive.contains("Debug"), "{file}: {derive}");
            }
        }
    }
    assert!(count > 30, "{count}");
}
