//! The rooms of both crates: each knows those below it, and none above.

use std::fs;
use std::path::Path;

use super::additions::files;

/// The folders of the runtime, from the ground up.
const OF_THE_RUNTIME: [&str; 14] = [
    "scalar",
    "solve",
    "group",
    "space",
    "inputs",
    "system",
    "problem",
    "field",
    "integrator",
    "simulate",
    "gradient",
    "ensemble",
    "picture",
    "analysis",
];

/// Those of the compiler: what a stage knows, and the stages, from the first to the last.
const OF_THE_COMPILER: [&str; 10] =
    ["expr", "graph", "group", "model", "notation", "parse", "read", "derive", "plan", "emit"];

/// Those of its first stage: pieces of Rust, what roles and names mean, the items by their roles, what they declare.
const OF_THE_PARSER: [&str; 7] = ["syntax", "role", "scope", "module", "data", "functions", "errors"];

/// Those of its last stage: what generated code is spelled with, the user's data, and what is made of them.
const OF_THE_EMISSION: [&str; 9] =
    ["words", "data", "terms", "unrolled", "assembled", "reverse", "declaration", "system", "twins"];

/// How many names rooms take from one another, by paths that begin with `root`; none may be of a room above.
fn arrows(source: &str, root: &str, rooms: &[&str], apart: &[&str]) -> usize {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
    let floor = |room: &str| rooms.iter().position(|known| *known == room);
    let (mut arrows, mut upwards) = (0, Vec::new());
    for (below, room) in rooms.iter().enumerate() {
        let is_test =
            |path: &Path| path.components().any(|part| part.as_os_str().to_string_lossy().starts_with("tests"));
        for path in files(&source.join(room)) {
            if is_test(path.strip_prefix(&source).unwrap()) {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            // What comments refer to is for readers.
            for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
                for part in line.split(root).skip(1) {
                    // Each in a line of its own, or the first names would not be looked at.
                    assert!(!part.starts_with('{'), "{}: {}", path.display(), line.trim());
                    let named = part.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
                    let Some(above) = floor(named) else { continue };
                    arrows += 1;
                    if above > below {
                        upwards.push(format!("{}: {}", path.display(), line.trim()));
                    }
                }
            }
        }
    }
    // Folders that are not listed would not be looked at.
    let folders = fs::read_dir(&source).unwrap().map(|entry| entry.unwrap()).filter(|entry| entry.path().is_dir());
    let unknown: Vec<String> = folders
        .map(|folder| folder.file_name().into_string().unwrap())
        .filter(|name| !apart.contains(&name.as_str()) && floor(name).is_none())
        .collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    assert!(upwards.is_empty(), "{}", upwards.join("\n"));
    arrows
}

#[test]
fn no_arrow_points_upwards() {
    assert!(arrows("../src", "crate::", &OF_THE_RUNTIME, &["guide"]) > 500);
    assert!(arrows("../../lie-macros/src", "crate::", &OF_THE_COMPILER, &["samples", "snapshots"]) > 200);
    assert!(arrows("../../lie-macros/src/parse", "crate::parse::", &OF_THE_PARSER, &[]) > 60);
    assert!(arrows("../../lie-macros/src/emit", "crate::emit::", &OF_THE_EMISSION, &[]) > 100);
}
