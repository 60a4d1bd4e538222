//! Every `cargo` command of the README, of the book and of doc comments names packages, targets, features and tests that exist.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

/// The root of the workspace.
const ROOT: &str = concat!(env!("CARGO_MANIFEST_DIR"), "/../..");

/// The folders of targets, by the option that selects one.
const TARGETS: [(&str, &str, &str); 4] = [
    ("--example", "example", "examples"),
    ("--bench", "bench", "benches"),
    ("--test", "test", "tests"),
    ("--bin", "bin", "src/bin"),
];

/// Options without a value.
const FLAGS: [&str; 7] = ["--release", "--workspace", "--tests", "--no-deps", "--open", "--lib", "--doc"];

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display()))
}

/// The files below a folder with these extensions, except build output.
fn files(folder: &Path, extensions: &[&str], found: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).expect("a folder").map(|entry| entry.expect("an entry").path()) {
        let name = entry.file_name().unwrap_or_default().to_string_lossy().into_owned();
        if entry.is_dir() {
            if name != "target" && !name.starts_with('.') {
                files(&entry, extensions, found);
            }
        } else if entry.extension().is_some_and(|extension| extensions.iter().any(|known| extension == *known)) {
            found.push(entry);
        }
    }
}

/// The quoted strings after `key = ` in a section of a manifest.
fn strings(section: &str, key: &str) -> Vec<String> {
    let line = section.lines().find(|line| line.split('=').next().is_some_and(|name| name.trim() == key));
    line.map_or_else(Vec::new, |line| line.split('"').skip(1).step_by(2).map(str::to_owned).collect())
}

/// A package of the workspace.
struct Package {
    name: String,
    folder: PathBuf,
    manifest: String,
}

impl Package {
    fn of(member: &str) -> Self {
        let folder = Path::new(ROOT).join(member);
        let manifest = read(&folder.join("Cargo.toml"));
        let name = strings(&manifest, "name").remove(0);
        Package { name, folder, manifest }
    }

    /// The features that a target needs; `None` if there is no such target.
    fn target(&self, kind: &str, folder: &str, name: &str) -> Option<Vec<String>> {
        let listed = self.manifest.split(&format!("[[{kind}]]")).skip(1).find_map(|section| {
            let section = section.split("\n[").next().unwrap_or_default();
            (strings(section, "name") == [name]).then(|| strings(section, "required-features"))
        });
        let folder = self.folder.join(folder).join(name);
        let exists = folder.with_extension("rs").is_file() || folder.join("main.rs").is_file();
        listed.or_else(|| exists.then(Vec::new))
    }

    /// The section of the features.
    fn features(&self) -> &str {
        self.manifest.split("\n[features]").nth(1).and_then(|rest| rest.split("\n[").next()).unwrap_or_default()
    }

    fn has_feature(&self, feature: &str) -> bool {
        self.features().lines().any(|line| line.starts_with(&format!("{feature} = ")))
    }

    /// True if a test whose path contains a word may exist: a folder, a file or a function is called so.
    fn has_test(&self, word: &str) -> bool {
        let mut sources = Vec::new();
        files(&self.folder, &["rs"], &mut sources);
        sources.iter().any(|path| {
            let inside = path.strip_prefix(&self.folder).unwrap_or(path);
            inside.to_string_lossy().contains(word)
                || read(path).lines().any(|line| line.trim_start().starts_with("fn ") && line.contains(word))
        })
    }
}

/// The commands in code spans and code blocks of a text.
fn commands(text: &str) -> Vec<String> {
    let code = text.split('`').skip(1).step_by(2);
    let mut found = Vec::new();
    for code in code {
        // A block has a line for each command, a span is one command whatever its lines.
        let lines: Vec<String> = if code.matches("cargo ").count() > 1 {
            code.lines().map(str::to_owned).collect()
        } else {
            vec![code.replace('\n', " ")]
        };
        for line in lines.iter().flat_map(|line| line.split("&&")) {
            let Some(at) = line.find("cargo ") else { continue };
            let (before, command) = line.split_at(at);
            // `UPDATE_EXPECT=1 cargo test` is a command, `[cargo docs]` is not; a language may stand before a block.
            let is_command =
                before.split_whitespace().all(|word| word.contains('=') || ["sh", "text", "bash"].contains(&word));
            if is_command {
                found.push(command.to_owned());
            }
        }
    }
    found
}

/// The fault of a command.
fn mistake(command: &str, packages: &[Package], defaults: &BTreeSet<String>) -> Option<String> {
    let mut words =
        command.split_whitespace().take_while(|word| *word != "--" && !word.starts_with(['#', '<'])).skip(1);
    let subcommand = words.next()?;
    if ["install", "add", "update"].contains(&subcommand) {
        return None;
    }
    let (mut named, mut targets, mut features, mut filters) = (Vec::new(), Vec::new(), Vec::new(), Vec::new());
    let mut whole = false;
    while let Some(word) = words.next() {
        if let Some(kind) = TARGETS.iter().find(|(option, ..)| *option == word) {
            targets.push((kind, words.next()?));
        } else if word == "-p" {
            named.push(words.next()?);
        } else if word == "--features" {
            features.extend(words.next()?.split(','));
        } else if FLAGS.contains(&word) {
            whole |= word == "--workspace";
        } else if word.starts_with('-') {
            return Some(format!("an option `{word}` that this test does not know"));
        } else {
            filters.push(word);
        }
    }
    if let Some(name) = named.iter().find(|name| packages.iter().all(|package| package.name != **name)) {
        return Some(format!("no package `{name}`"));
    }
    let selected: Vec<&Package> = packages
        .iter()
        .filter(|package| {
            let selected = named.is_empty() && (whole || defaults.contains(&package.name));
            selected || named.contains(&&*package.name)
        })
        .collect();
    if let Some(feature) = features.iter().find(|feature| !selected.iter().any(|package| package.has_feature(feature)))
    {
        return Some(format!("no feature `{feature}`"));
    }
    for ((_, kind, folder), name) in targets {
        let found = selected.iter().find_map(|package| Some((package, package.target(kind, folder, name)?)));
        let Some((package, needed)) = found else { return Some(format!("no {kind} `{name}`")) };
        let defaults = strings(package.features(), "default");
        if let Some(missing) = needed.iter().find(|name| !features.contains(&name.as_str()) && !defaults.contains(name))
        {
            return Some(format!("{kind} `{name}` requires the feature `{missing}`"));
        }
    }
    let has_test = |filter: &&str| selected.iter().any(|package| package.has_test(filter));
    let missing = filters.iter().find(|filter| subcommand == "test" && !has_test(filter));
    missing.map(|filter| format!("no test `{filter}`"))
}

#[test]
fn every_command_that_is_printed_names_what_exists() {
    let root = Path::new(ROOT);
    let manifest = read(&root.join("Cargo.toml"));
    let packages: Vec<Package> = strings(&manifest, "members").iter().map(|member| Package::of(member)).collect();
    let defaults = strings(&manifest, "default-members").iter().map(|member| Package::of(member).name).collect();
    let mut sources = Vec::new();
    files(root, &["md", "rs"], &mut sources);
    let (mut count, mut mistakes) = (0, Vec::new());
    for path in &sources {
        let mut text = read(path);
        if path.extension().is_some_and(|extension| extension == "rs") {
            let comments = text.lines().filter_map(|line| {
                let line = line.trim_start();
                line.strip_prefix("//!").or_else(|| line.strip_prefix("///"))
            });
            text = comments.collect::<Vec<_>>().join("\n");
        }
        for command in commands(&text) {
            count += 1;
            if let Some(mistake) = mistake(&command, &packages, &defaults) {
                mistakes.push(format!("{}: `{command}`: {mistake}", path.display()));
            }
        }
    }
    assert!(mistakes.is_empty(), "{}", mistakes.join("\n"));
    assert!(count > 150, "{count} commands");

    // The test finds what it looks for.
    let wrong = [
        ("cargo run --release --example heavy_tops", "no example `heavy_tops`"),
        ("cargo run --example identify", "example `identify` requires the feature `estimation`"),
        ("cargo bench -p lie-runtime --features lane --bench lanes", "no feature `lane`"),
        ("cargo test -p runtime-test", "no package `runtime-test`"),
        ("cargo test -p runtime-tests no_such_test_anywhere", "no test `no_such_test_anywhere`"),
    ];
    for (command, expected) in wrong {
        let found = mistake(command, &packages, &defaults);
        assert_eq!(found.as_deref(), Some(expected), "{command}");
    }
}
