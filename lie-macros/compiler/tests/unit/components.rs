//! Tests of `components`.

use super::*;

fn included(text: &str, runtime: Option<&Path>) -> String {
    let mut items = syn::parse_file(text).unwrap().items;
    include(&mut items, runtime);
    quote!(#(#items)*).to_string().replace(' ', "")
}

#[test]
fn all_components_are_modules_with_documentation() {
    let modules = component_modules().unwrap().to_string();
    for (name, text) in SOURCES {
        assert!(modules.contains(&format!("pub mod {name}")), "{name}");
        assert!(text.starts_with("//! "), "{name}");
    }
}

#[test]
fn imported_components_are_included_once() {
    let text = included(
        "use lie_runtime::{components::tyres::*, prelude::*}; use lie_runtime::components::tyres::slip_angle as angle;",
        None,
    );
    assert!(text.contains("uselie_runtime::{prelude::*};"), "{text}");
    assert!(
        text.contains("useself::__components::tyres::*;")
            && text.contains("useself::__components::tyres::slip_angleasangle;")
    );
    assert_eq!((text.matches("pubmodtyres").count(), text.matches("pubmod").count()), (1, 1), "{text}");
    let unchanged = "use lie_runtime::prelude::*; use std::f64::consts::PI; fn f() {}";
    assert_eq!(included(unchanged, None), unchanged.replace(' ', ""));
    // A renamed runtime.
    let renamed = included("use lie::components::cosserat_rods::{rod_strain};", Some(&parse_quote!(lie)));
    assert!(renamed.contains("uselie::prelude::*;") && !renamed.contains("uselie_runtime"), "{renamed}");
}

/// rustc reports the unknown name.
#[test]
fn unknown_components_remain_imports() {
    let text = "use lie_runtime::components::engines::*;";
    assert_eq!(included(text, None), text.replace(' ', ""));
}
