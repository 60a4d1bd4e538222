//! Tests of `source`.

use super::{DeclaredSystem, Source, systems};

#[test]
fn systems_are_found_among_other_items() {
    let text = "
        //! A file.
        #![allow(dead_code)]
        use lie_runtime::prelude::*;
        use lie_runtime::{a, b};
        #[derive(Clone)] struct Other { x: f64 }
        /// A system.
        #[mechanical_system(derivative_check)]
        #[allow(unused)]
        pub mod a { fn f() {} }
        fn main() {}";
    let found = systems(text.parse().unwrap());
    let [DeclaredSystem { name, arguments, module }] = &found[..] else { panic!("{found:?}") };
    assert_eq!(name, "a");
    assert_eq!(arguments.to_string(), "derivative_check");
    assert!(syn::parse2::<syn::ItemMod>(module.clone()).is_ok_and(|module| module.attrs.len() == 2));
    assert!(Source::from(text).tokens().is_ok());
}

#[test]
fn systems_are_found_in_modules_and_not_in_macros() {
    let text = "
        mod inner { #[mechanical_system] pub mod first { fn f() {} } }
        macro_rules! declare { () => { #[mechanical_system] mod of_a_macro {} }; }
        fn main() { let x = 1; }
        #[mechanical_system] mod r#second {}";
    let names: Vec<String> = systems(text.parse().unwrap()).into_iter().map(|system| system.name).collect();
    assert_eq!(names, ["first", "second"]);
}

#[test]
fn texts_without_one_system_are_errors() {
    let message = |text: &str| crate::compile(text).unwrap_err().to_string();
    assert!(message("fn main() {}").starts_with("error[module]: the text has no `#[mechanical_system]` module"));
    let twice = "#[mechanical_system] mod a {}\n#[mechanical_system] mod b {}";
    let expected = "error[module]: the text has several systems\n --> declaration:2:22";
    assert!(message(twice).starts_with(expected), "{}", message(twice));
    assert!(message("mod a { \" }").starts_with("error[tokens]: "), "{}", message("mod a { \" }"));
}

/// Returns a chain of this length.
type Chain = fn(usize) -> String;

/// A recursive parser would overflow the stack.
/// Each chain is a tree with one level for each operator, call or branch.
#[test]
fn long_chains_are_an_error() {
    let errors = |potential: &str| {
        let text = format!(
            "#[mechanical_system] mod m {{
                #[configuration] pub struct Q {{ pub x: f64 }}
                #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 {{ 0.5 * v.x * v.x }}
                #[potential] fn potential(q: &Q) -> f64 {{ {potential} }}
            }}"
        );
        crate::compile_to_tape(&text).map(|_| ()).map_err(|errors| errors.to_string())
    };
    let chains: [(&str, Chain); 3] = [
        ("operators", |n| format!("{}q.x", "-".repeat(n))),
        ("calls", |n| format!("q.x{}", ".abs()".repeat(n - 1))),
        ("branches", |n| format!("if q.x > 1.0 {{ 1.0 }} {}else {{ 2.0 }}", "else if q.x > 2.0 { q.x }".repeat(n))),
    ];
    for (name, chain) in chains {
        assert_eq!(errors(&chain(super::CHAIN)), Ok(()), "{name}");
        let message = errors(&chain(5000)).unwrap_err();
        assert!(message.contains("more than 256 operators, calls or branches in a row"), "{name}: {message}");
    }
}

#[test]
fn deep_brackets_are_an_error() {
    let text = |depth: usize| {
        let value = format!("{}1.0{}", "(".repeat(depth), ")".repeat(depth));
        format!("#[mechanical_system] mod deep {{ fn value() -> f64 {{ {value} }} }}")
    };
    let message = |depth: usize| crate::compile(text(depth).as_str()).unwrap_err().to_string();
    assert!(!message(100).contains("nested"), "{}", message(100));
    assert!(message(3000).contains("the brackets are nested more than 128 levels deep"), "{}", message(3000));
}
