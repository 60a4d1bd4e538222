//! Tests of `diagnostics`.

#[test]
fn tokens_are_formatted_as_usual() {
    for text in [
        "f64::from(q.beta > 0.0)",
        "a <= b && c != -d || !e",
        "SVector<f64, 3>",
        "Vec<SVector<f64, 3>>",
        "-p.m * g.dot(&q.position)",
        "fn up(x: &Vector3<f64>, [a, b]: [&SO3; 2]) -> f64",
        "a[i + 1] as f64 / 2.0",
        "x = *y + *z",
        "vector![1.0, 2.0].sum::<f64>()",
    ] {
        let tokens: proc_macro2::TokenStream = text.parse().expect("it lexes");
        assert_eq!(super::source(tokens), text);
    }
}
