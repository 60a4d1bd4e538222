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

/// Those of a simulation: from what is said of a run, by what is looked at in it, to the run and the sentence that ends in it.
const OF_A_SIMULATION: [&str; 16] = [
    "names",
    "notice",
    "setup",
    "consistent",
    "failure",
    "checks",
    "hazards",
    "balance",
    "motion",
    "controller",
    "event",
    "outcome",
    "export",
    "methods",
    "run",
    "builder",
];

/// Those of the compiler: what a stage knows, and the stages, from the first to the last.
const OF_THE_COMPILER: [&str; 10] =
    ["expr", "graph", "group", "model", "notation", "parse", "read", "derive", "plan", "emit"];

/// Those of its first stage: pieces of Rust, what roles and names mean, the items by their roles, what they declare.
const OF_THE_PARSER: [&str; 7] = ["syntax", "role", "scope", "module", "data", "functions", "errors"];

/// Those of its last stage: what generated code is spelled with, the user's data, and what is made of them.
const OF_THE_EMISSION: [&str; 9] =
    ["words", "data", "terms", "unrolled", "assembled", "reverse", "declaration", "system", "twins"];

/// How many names rooms take from one another, by paths that begin with `root`; none may be of a room above. A room is a folder or a file;
/// what else there is beside them stands `apart`.
fn arrows(source: &str, root: &str, rooms: &[&str], apart: &[&str]) -> usize {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
    let floor = |room: &str| rooms.iter().position(|known| *known == room);
    let (mut arrows, mut upwards) = (0, Vec::new());
    for (below, room) in rooms.iter().enumerate() {
        let is_test =
            |path: &Path| path.components().any(|part| part.as_os_str().to_string_lossy().starts_with("tests"));
        let folder = source.join(room);
        for path in if folder.is_dir() { files(&folder) } else { vec![folder.with_extension("rs")] } {
            let place = path.strip_prefix(&source).unwrap();
            if is_test(place) {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            // What comments refer to is for readers.
            for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
                // Out of the room by its door, which tells nothing of where.
                assert!(!leaves(place, line), "{}: {line}", path.display());
                for part in line.split(root).skip(1) {
                    // Each in a line of its own, or the first names would not be looked at.
                    assert!(!part.starts_with('{'), "{}: {}", path.display(), line.trim());
                    let named = part.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
                    let Some(above) = floor(named) else {
                        // By what stands before all rooms the one that is meant would not be seen.
                        assert!(root == "crate::", "{}: {}", path.display(), line.trim());
                        continue;
                    };
                    arrows += 1;
                    if above > below {
                        upwards.push(format!("{}: {}", path.display(), line.trim()));
                    }
                }
            }
        }
    }
    // What is not listed would not be looked at.
    let unknown: Vec<String> = fs::read_dir(&source)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir() || path.extension().is_some_and(|extension| extension == "rs"))
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .filter(|name| name != "mod" && !apart.contains(&name.as_str()) && floor(name).is_none())
        .collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    assert!(upwards.is_empty(), "{}", upwards.join("\n"));
    arrows
}

/// True of an import that leads out of its room by `super`.
fn leaves(place: &Path, line: &str) -> bool {
    let depth = place.components().count() - usize::from(place.ends_with("mod.rs"));
    let Some((before, path)) = line.split_once("use ") else { return false };
    let is_import = before.is_empty() || (before.starts_with("pub") && before.ends_with(' '));
    let up = path.split("::").take_while(|part| *part == "super").count();
    is_import && up >= depth
}

#[test]
fn no_arrow_points_upwards() {
    let of_the_macros =
        ["bug", "diagnostics", "extremes", "identifier", "lib", "mutation", "robot", "samples", "snapshots"];
    assert!(arrows("../src", "crate::", &OF_THE_RUNTIME, &["guide", "lib", "prelude", "private"]) > 500);
    assert!(arrows("../src/simulate", "crate::simulate::", &OF_A_SIMULATION, &[]) > 120);
    assert!(arrows("../../lie-macros/src", "crate::", &OF_THE_COMPILER, &of_the_macros) > 200);
    assert!(arrows("../../lie-macros/src/parse", "crate::parse::", &OF_THE_PARSER, &["tests"]) > 60);
    assert!(arrows("../../lie-macros/src/emit", "crate::emit::", &OF_THE_EMISSION, &[]) > 100);
}
