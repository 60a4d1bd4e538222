//! Tests of `syntax::rust::split_expressions`.

use super::{LENGTH, cut};
use proc_macro2::TokenStream;

fn text(source: &str) -> String {
    cut(source.parse::<TokenStream>().expect("lexes")).to_string()
}

fn same(source: &str) -> String {
    source.parse::<TokenStream>().expect("lexes").to_string()
}

#[test]
fn short_expressions_are_unchanged() {
    let body = "{ let x: f64 = -a + b * (c - d); if x < 0.0 { -x } else { x.powi(-2) } }";
    assert_eq!(text(body), same(body));
    let many = "let a = b + c; ".repeat(10 * LENGTH);
    assert_eq!(text(&many), same(&many));
}

#[test]
fn only_complete_expressions_are_split() {
    let sum = vec!["x::<3>(y as f64)"; 3 * LENGTH].join(" + ");
    for body in [format!("if c {{ a }} else {{ b }} + {sum}"), format!("0.. {sum}"), format!("a | {sum}")] {
        assert_eq!(text(&body), same(&body));
    }
    for body in [format!("for i in v {{ e += i; }} {sum}"), format!("S {{ x: {sum} }}"), format!("c => {sum},")] {
        assert!(text(&body).contains("__so_far"), "{body}");
    }
    // Signs, and products within sums.
    let signed = vec!["a*-b"; 3 * LENGTH].join("+-");
    let cut = text(&signed);
    assert_eq!(cut.matches("let").count(), 3, "{cut}");
}

#[test]
fn split_sums_keep_their_order() {
    let terms: Vec<String> = (0..=2 * LENGTH).map(|i| format!("-x{i} * f(-1, y - 2)")).collect();
    let sum = terms.join(" - ");
    let [first, second] = [&terms[..LENGTH], &terms[LENGTH..2 * LENGTH]].map(|piece| piece.join(" - "));
    let last = &terms[2 * LENGTH];
    let wanted = format!(
        "let e = {{ let __so_far = {first}; let __so_far = __so_far - {second}; let __so_far = __so_far - {last}; \
         __so_far }};"
    );
    assert_eq!(text(&format!("let e = {sum};")), same(&wanted));
}

#[test]
fn a_long_product_is_split_inside_a_sum() {
    let product = vec!["x"; 2 * LENGTH + 1].join(" * ");
    let cut = text(&format!("a + {product} - b"));
    assert!(cut.starts_with("a + { let __so_far = x * x"), "{cut}");
    assert!(cut.ends_with("__so_far } - b"), "{cut}");
}
