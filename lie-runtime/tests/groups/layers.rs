//! The layers of both crates: a module imports modules of lower layers only, and no folder has an import cycle.

use std::fs;
use std::path::Path;

use super::additions::files;
use super::imports::Modules;

/// The layers of the runtime, the lowest one first.
const RUNTIME_LAYERS: [&str; 19] = [
    "setters",
    "messages",
    "progress_bar",
    "scalar",
    "solve",
    "group",
    "space",
    "inputs",
    "system",
    "dynamic",
    "problem",
    "field",
    "integrator",
    "simulate",
    "gradient",
    "ensemble",
    "picture",
    "analysis",
    "by_name",
];

/// The layers of `simulate`, the lowest one first.
const SIMULATION_LAYERS: [&str; 16] = [
    "warning",
    "setup",
    "consistent",
    "failure",
    "checks",
    "singularities",
    "energy_audit",
    "motion",
    "delay",
    "controller",
    "event",
    "outcome",
    "export",
    "methods",
    "run",
    "builder",
];

/// The layers of the compiler: shared representations first, then the stages in their order.
const COMPILER_LAYERS: [&str; 11] =
    ["components", "expr", "scalar", "group", "model", "notation", "syntax", "interp", "diff", "schedule", "backend"];

/// The layers of the first stage, the lowest one first.
const PARSER_LAYERS: [&str; 7] = ["rust", "role", "scope", "module", "data", "functions", "errors"];

/// The layers of the last stage, the lowest one first.
const EMISSION_LAYERS: [&str; 9] =
    ["codegen", "data", "terms", "unrolled", "assembled", "reverse", "declaration", "system", "dual_model"];

/// Counts the imports between layers by paths that begin with `root`, and fails on an upward import. A layer is a folder or a file; `apart`
/// are the files and folders that belong to no layer.
fn layered_imports(source: &str, root: &str, layers: &[&str], apart: &[&str]) -> usize {
    let source = Path::new(env!("CARGO_MANIFEST_DIR")).join(source);
    let level = |layer: &str| layers.iter().position(|known| *known == layer);
    let (mut imports, mut upward) = (0, Vec::new());
    for (below, layer) in layers.iter().enumerate() {
        let is_test =
            |path: &Path| path.components().any(|part| part.as_os_str().to_string_lossy().starts_with("tests"));
        let folder = source.join(layer);
        for path in if folder.is_dir() { files(&folder) } else { vec![folder.with_extension("rs")] } {
            let file = path.strip_prefix(&source).unwrap();
            if is_test(file) {
                continue;
            }
            let text = fs::read_to_string(&path).unwrap();
            let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or_default();
            // Comments may refer to any module.
            for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
                // A path that leaves the layer by `super` does not name the other layer.
                assert!(!leaves_layer(file, line), "{}: {line}", path.display());
                for part in line.split(root).skip(1) {
                    // One import a line: names within braces are not read.
                    assert!(!part.starts_with('{'), "{}: {}", path.display(), line.trim());
                    let named = part.split(|c: char| !c.is_alphanumeric() && c != '_').next().unwrap_or_default();
                    let Some(above) = level(named) else {
                        // A re-export of the parent hides the layer that is meant.
                        assert!(root == "crate::", "{}: {}", path.display(), line.trim());
                        continue;
                    };
                    imports += 1;
                    if above > below {
                        upward.push(format!("{}: {}", path.display(), line.trim()));
                    }
                }
            }
        }
    }
    // Every file and folder has to be listed.
    let unknown: Vec<String> = fs::read_dir(&source)
        .unwrap()
        .map(|entry| entry.unwrap().path())
        .filter(|path| path.is_dir() || path.extension().is_some_and(|extension| extension == "rs"))
        .map(|path| path.file_stem().unwrap().to_string_lossy().into_owned())
        .filter(|name| name != "mod" && !apart.contains(&name.as_str()) && level(name).is_none())
        .collect();
    assert!(unknown.is_empty(), "{unknown:?}");
    assert!(upward.is_empty(), "{}", upward.join("\n"));
    imports
}

/// True of an import that leaves its layer by `super`.
fn leaves_layer(file: &Path, line: &str) -> bool {
    let depth = file.components().count() - usize::from(file.ends_with("mod.rs"));
    let Some((before, path)) = line.split_once("use ") else { return false };
    let is_import = before.is_empty() || (before.starts_with("pub") && before.ends_with(' '));
    let up = path.split("::").take_while(|part| *part == "super").count();
    is_import && up >= depth
}

#[test]
fn no_import_is_upward() {
    let beside_compiler =
        ["bug", "diagnostics", "extremes", "identifier", "lib", "mutation", "robot", "samples", "snapshots", "source"];
    assert!(
        layered_imports(
            "../src",
            "crate::",
            &RUNTIME_LAYERS,
            &["components", "declaration_names", "lib", "prelude", "private"]
        ) > 500
    );
    assert!(layered_imports("../src/simulate", "crate::simulate::", &SIMULATION_LAYERS, &[]) > 120);
    assert!(layered_imports("../../lie-macros/compiler/src", "crate::", &COMPILER_LAYERS, &beside_compiler) > 200);
    assert!(
        layered_imports("../../lie-macros/compiler/src/syntax", "crate::syntax::", &PARSER_LAYERS, &["tests"]) > 60
    );
    assert!(
        layered_imports("../../lie-macros/compiler/src/backend/rust", "crate::backend::rust::", &EMISSION_LAYERS, &[])
            > 100
    );
}

/// Fails if the modules of a folder import each other.
fn check_cycles(source: &str, apart: &[&str]) {
    let found = Modules::read(source, apart).cycles();
    assert!(found.is_empty(), "modules that import each other, move a type down or merge them: {found:#?}");
}

#[test]
fn no_folder_has_an_import_cycle() {
    check_cycles("../src", &["components", "declaration_names", "lib", "prelude", "private"]);
    check_cycles("../../lie-macros/compiler/src", &["extremes", "lib", "mutation", "samples", "snapshots"]);
}
