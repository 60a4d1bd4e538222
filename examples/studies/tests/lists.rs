//! Every example is in all lists, and its page contains its commands.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};

use harness::{Example, Status};

use super::support::command;
use crate::all;

/// The packages whose programs are studies.
const MANIFESTS: [&str; 3] = ["Cargo.toml", "models/Cargo.toml", "benchmarks/Cargo.toml"];

/// The folder of the book's gallery.
fn gallery() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).join("../../lie-runtime/book/src/gallery")
}

fn read(path: &Path) -> String {
    fs::read_to_string(path).unwrap_or_else(|error| panic!("{}: {error}", path.display())).replace("\r\n", "\n")
}

/// The page of an example.
fn page(example: &Example) -> String {
    read(&gallery().join(example.name).with_extension("md"))
}

/// The names between two texts.
fn between<'a>(text: &'a str, before: &str, after: &str) -> BTreeSet<&'a str> {
    text.split(before).skip(1).filter_map(|rest| rest.split_once(after)).map(|(name, _)| name).collect()
}

/// A program of the package, a page of the book with a picture, and a row in its table.
#[test]
fn every_example_has_its_program_and_its_page() {
    let names: BTreeSet<&str> = all().iter().map(|example| example.name).collect();

    let manifests: String =
        MANIFESTS.iter().map(|manifest| read(&Path::new(env!("CARGO_MANIFEST_DIR")).join(manifest))).collect();
    let programs = between(&manifests, "[[example]]\nname = \"", "\"");
    assert_eq!(programs, names, "left: the manifests, right: runs.rs");

    let table = read(&gallery().join("index.md"));
    assert_eq!(between(&table, "\n| [`", "`]"), names, "left: the table of gallery/index.md, right: runs.rs");

    for example in all() {
        let name = example.name;
        let page = page(&example);
        assert!(!between(&page, "The picture is `", ".svg`").is_empty(), "{name}.md names its pictures");
        assert!(gallery().join(name).with_extension("svg").is_file(), "the gallery has not drawn {name}");
    }
}

/// Every command that a page gives begins as it is printed there; it ends with its first steps here.
#[test]
fn every_command_of_the_pages_starts() {
    for example in all() {
        let page = page(&example);
        let program = format!("cargo run --release --example {}", example.name);
        let commands: Vec<&str> = page.lines().filter_map(|line| line.strip_prefix(&program)).collect();
        assert!(!commands.is_empty(), "{}.md has no command", example.name);
        // What stands before is for cargo: features.
        for (_, flags) in commands.iter().filter_map(|rest| rest.split_once(" -- ")) {
            let mut words: Vec<&str> = flags.split_whitespace().collect();
            for flag in ["--end", "--samples"] {
                if let Some(at) = words.iter().position(|word| *word == flag) {
                    words.drain(at..at + 2);
                }
            }
            let step = words.iter().position(|word| *word == "--step").map_or("1e-3", |at| words[at + 1]);
            let (status, stdout, stderr) = command(&example, &format!("{} --end {step}", words.join(" ")));
            assert_eq!(status, Status::Done, "{} {flags}: {stderr}", example.name);
            assert!(!stdout.is_empty(), "{} {flags}", example.name);
        }
    }
}
