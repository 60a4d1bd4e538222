//! The path of the runtime in generated code.

use proc_macro2::{TokenStream, TokenTree};

fn names_the_runtime(tokens: TokenStream) -> bool {
    tokens.into_iter().any(|token| match token {
        TokenTree::Ident(name) => name == "lie_runtime",
        TokenTree::Group(group) => names_the_runtime(group.stream()),
        TokenTree::Punct(_) | TokenTree::Literal(_) => false,
    })
}

#[test]
fn a_renamed_runtime_is_named_nowhere_else() {
    let arguments: TokenStream = "crate = lie, derivative_check".parse().expect("it lexes");
    let sample = crate::samples::HEAVY_TOP.replace("lie_runtime", "lie");
    let expansion = crate::expand(arguments, sample.parse().expect("it lexes"));
    assert!(!names_the_runtime(expansion));
}
