//! The tables of the C back end are the tables of the runtime.
//!
//! The compiler cannot depend on the runtime, whose macros it serves; both crates therefore contain the coefficients.

use std::fs;
use std::path::Path;

/// The digits of a table, from its name to the end of its statement.
fn table(path: &str, name: &str) -> String {
    let path = Path::new(env!("CARGO_MANIFEST_DIR")).join("../..").join(path);
    let text = fs::read_to_string(&path).unwrap();
    let beginnings = [format!("const {name}: "), format!("static {name}: ")];
    let start = beginnings.iter().find_map(|beginning| text.find(beginning.as_str())).unwrap();
    let (_, value) = text[start..].split_once(" = ").unwrap();
    value.split_once(';').unwrap().0.to_owned()
}

#[test]
fn singular_functions_have_the_same_coefficients_in_c_and_rust() {
    for (file, name) in
        [("stumpff", "COSINE"), ("stumpff", "SINE"), ("stumpff", "PI_SQUARE"), ("gamma", "FULL"), ("gamma", "TAIL")]
    {
        let runtime = table(&format!("lie-runtime/src/scalar/singular/{file}.rs"), name);
        let compiler = table("lie-macros/compiler/src/backend/c/helpers.rs", name);
        assert!(runtime.len() > 30, "{name}: {runtime}");
        assert_eq!(runtime, compiler, "{name}");
    }
}
