//! The names that users import and search for.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use super::additions::files;

/// The code of a file of the runtime, without comments.
fn code(file: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src").join(file);
    let text = fs::read_to_string(path).unwrap();
    text.lines().filter(|line| !line.trim_start().starts_with("//")).collect::<Vec<_>>().join("\n")
}

/// The names that the `pub use` items of a file export; traits without a name are left out.
fn exported(code: &str) -> BTreeSet<String> {
    let imports = code.split("pub use ").skip(1).map(|rest| rest.split(';').next().unwrap());
    let lists = imports.map(|path| match path.split_once('{') {
        Some((_, list)) => list.trim_end().trim_end_matches('}').to_owned(),
        None => path.rsplit("::").next().unwrap().to_owned(),
    });
    let names: Vec<String> =
        lists.flat_map(|list| list.split(',').map(|name| name.trim().to_owned()).collect::<Vec<_>>()).collect();
    names.into_iter().filter(|name| !name.is_empty() && !name.ends_with(" as _")).collect()
}

#[test]
fn the_prelude_has_at_most_40_names() {
    let names = exported(&code("prelude.rs"));
    assert!(names.iter().all(|name| name != "*"), "{names:?}");
    assert!((30..=40).contains(&names.len()), "{} names: {names:?}", names.len());
    for name in ["Simulation", "MultibodySystem", "SO3", "Vector3", "mechanical_system"] {
        assert!(names.contains(name), "{name} is missing: {names:?}");
    }
}

#[test]
fn terms_of_other_packages_are_aliases() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join("../src");
    let mut aliases = BTreeSet::new();
    for path in files(&folder) {
        let text = fs::read_to_string(path).unwrap();
        for attribute in text.split("doc(alias").skip(1) {
            let attribute = attribute.split(")]").next().unwrap();
            aliases.extend(attribute.split('"').skip(1).step_by(2).map(str::to_owned));
        }
    }
    assert!(aliases.len() >= 100, "{} aliases: {aliases:?}", aliases.len());
    let terms = [
        "solve_ivp",
        "saveat",
        "callback",
        "tspan",
        "u0",
        "reltol",
        "restitution",
        "Lagrange multiplier",
        "IK",
        "reaction force",
        "revolute joint",
        "ABA",
        "CRBA",
        "RNEA",
        "Monte Carlo",
        "reverse mode",
        "null space",
        "dense output",
    ];
    for term in terms {
        assert!(aliases.contains(term), "no item has the alias `{term}`");
    }
}
