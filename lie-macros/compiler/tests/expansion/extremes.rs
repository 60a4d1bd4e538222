//! Tests of extreme declarations: very long, very large, nearly singular. None may cause a panic or a stack overflow.

use proc_macro2::TokenStream;

use crate::expand;

/// The stack size of a macro in rustc.
const STACK: usize = 8 << 20;

/// A point mass in a plane with this potential.
fn point(potential: &str) -> String {
    format!(
        "mod point {{
            #[configuration] struct Place {{ x: R2 }}
            #[parameters] struct Data {{ mass: f64, stiffness: f64 }}
            #[kinetic_energy] fn kinetic(data: &Data, v: &Velocity) -> f64 {{ 0.5 * data.mass * v.x.dot(&v.x) }}
            #[potential] fn energy(data: &Data, q: &Place) -> f64 {{ {potential} }}
        }}"
    )
}

fn expansion(declaration: &str) -> String {
    expand(TokenStream::new(), declaration.parse().expect("the declaration lexes")).to_string()
}

/// Returns the expansion of a point mass with this potential, with the stack size of the compiler.
fn expanded(potential: String) -> String {
    let thread = std::thread::Builder::new().stack_size(STACK);
    let work = thread.spawn(move || expansion(&point(&potential))).expect("a thread");
    work.join().expect("no panic")
}

/// The errors in an expansion.
fn errors(text: &str) -> Vec<&str> {
    text.split("compile_error").skip(1).collect()
}

/// The i-th of many different terms.
fn term(i: usize) -> String {
    format!("{}.5 * q.x.x * q.x.y.powi({})", i, 2 + i % 7)
}

/// rustc fails between 4,000 and 6,000 terms.
#[test]
fn sums_of_thousands_of_terms_expand() {
    for count in [2_001, 4_000] {
        let sum: Vec<String> = (0..count).map(term).collect();
        let text = expanded(sum.join(" + "));
        assert!(errors(&text).is_empty(), "{:.300}", errors(&text)[0]);
    }
}

#[test]
fn thousands_of_statements_expand() {
    let sum = |count: usize| {
        let statements: Vec<String> = (0..count).map(|i| format!("e += {};", term(i % 100))).collect();
        expanded(format!("let mut e = 0.0; {} e", statements.join(" ")))
    };
    let text = sum(4_000);
    assert!(errors(&text).is_empty(), "{:.300}", errors(&text)[0]);
    // More statements than the limit are an error.
    let text = sum(30_000);
    assert!(errors(&text).len() == 1 && text.contains("steps"), "{text:.300}");
}

/// Zeros of a large matrix are not written as separate entries, also not in placeholders of declarations with errors.
#[test]
fn matrices_of_large_powers_are_short() {
    let module = "mod net {
        #[configuration] pub struct Net { pub nodes: [R3; 100] }
        #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { v.nodes.iter().map(|v| 0.5 * v.norm_squared()).sum::<f64>() }
    }";
    let text = expand(TokenStream::new(), module.parse().expect("it lexes")).to_string();
    assert!(errors(&text).is_empty(), "{:.300}", errors(&text)[0]);
    // Three matrices with 90,000 written entries would need 20 MB.
    assert!(text.len() < 1_000_000, "{}", text.len());
}

/// Long sums of vectors are evaluated by component; sums with shared terms form trees of exponential size without sharing.
#[test]
fn sums_of_thousands_of_vectors_expand() {
    let terms: Vec<String> = (0..1_500).map(|i| format!("{i}.5 * q.x")).collect();
    let halves = "let v = v + 0.5 * v;".repeat(60);
    let text = expanded(format!("let v = {}; {halves} v.x * v.y", terms.join(" + ")));
    assert!(errors(&text).is_empty(), "{:.300}", errors(&text)[0]);
}

/// The size of kernels grows linearly with the number of nested clamps, up to forty.
#[test]
fn nested_clamps_grow_linearly() {
    let length = |count: usize| {
        let clamps = "let x = (x + 0.5 * x.sin()).clamp(-data.stiffness, data.stiffness);".repeat(count);
        expanded(format!("let x = q.x.x; {clamps} 0.5 * data.stiffness * x * x")).len()
    };
    let lengths: Vec<usize> = [10, 20, 40].into_iter().map(length).collect();
    assert!(lengths[2] - lengths[1] < 3 * (lengths[1] - lengths[0]), "{lengths:?}");
    assert!(lengths[2] < 1_000_000, "{lengths:?}");
}

/// Constants that are not finite are reported at their expressions.
#[test]
fn numbers_that_are_not_finite_are_errors() {
    for (number, written) in [
        ("(1e308 * 10.0) * q.x.x", "1e308 * 10.0"),
        ("q.x.x + 1.0 / 0.0", "1.0 / 0.0"),
        ("q.x.x * (-1.0_f64).sqrt()", "sqrt"),
        ("q.x.x * (-2e300_f64).powi(3)", "powi"),
    ] {
        let text = expanded(number.to_owned());
        let errors = errors(&text);
        assert!(
            errors.len() == 1 && errors[0].contains(written) && errors[0].contains("which is not finite"),
            "{text}"
        );
    }
    for fine in
        ["1e308 * (10.0 * q.x.x)", "1e-300 * (1e-300 * q.x.x)", "q.x.x.powi(i32::MIN + 0)", "q.x.x.powi(-2147483648)"]
    {
        let text = expanded(fine.to_owned());
        assert!(!text.contains("internal error"), "{text}");
    }
}

/// Large and small constants are not multiplied with each other if the product leaves the range of `f64`.
#[test]
fn constants_are_multiplied_only_within_range() {
    for (energy, factor) in [("1e200 * (1e200 * q.x.x)", 1e200), ("1e-200 * (1e-200 * q.x.x)", 1e-200)] {
        let text = expanded(energy.to_owned());
        let written = proc_macro2::Literal::f64_unsuffixed(factor).to_string();
        let (_, energy) = text.split_once("fn potential_energy (system").expect("the energy");
        assert!(energy.split('}').next().is_some_and(|body| body.matches(&written).count() == 2), "{energy}");
    }
}

/// Dissipation functions that do not dissipate are reported, others are accepted.
#[test]
fn dissipation_functions_are_checked() {
    let with = |dissipation: &str| {
        let role = format!(
            "#[dissipation] fn friction(data: &Data, t: f64, q: &Place, v: &Velocity) -> f64 {{ {dissipation} }}"
        );
        let declaration = point("0.5 * data.stiffness * q.x.dot(&q.x)");
        let end = declaration.rfind('}').expect("a module");
        expansion(&format!("{} {role} }}", &declaration[..end]))
    };
    for (faulty, said) in [
        ("data.stiffness * v.x.x", "its force −∂R/∂v is not zero there"),
        ("0.5 * v.x.dot(&v.x) + data.mass * v.x.y", "its force −∂R/∂v is not zero there"),
        ("data.stiffness * v.x.x.abs()", "its force −∂R/∂v is not zero there"),
        ("data.stiffness * v.x.norm()", "has no derivative at rest"),
        ("v.x.norm_squared() + v.x.x.hypot(v.x.y)", "has no derivative at rest"),
        ("v.x.norm_squared().powf(0.5) * q.x.x", "has no derivative at rest"),
        ("v.x.x.powi(3) * q.x.x", "changes its sign with the velocity"),
        ("-0.5 * v.x.dot(&v.x)", "is greatest at rest"),
        ("0.5 * data.stiffness * q.x.x", "does not depend on the velocity"),
    ] {
        let text = with(faulty);
        assert!(errors(&text).iter().any(|error| error.contains(said)), "{faulty}: {text}");
    }
    for fine in [
        "0.5 * data.stiffness * v.x.dot(&v.x)",
        "data.stiffness * (v.x.x * v.x.x + 1e-6).sqrt()",
        "v.x.x.powi(4) + v.x.y.abs().powi(3)",
        "0.5 * (v.x.x - t.cos()).powi(2)",
        "if v.x.x > 0.0 { 0.5 * v.x.x * v.x.x } else { 0.0 }",
        "v.x.norm_squared() * q.x.x",
        "v.x.norm().powi(3)",
        "data.mass * v.x.norm() * q.x.x * (data.stiffness * v.x.norm())",
        "(v.x + 0.5 * v.x).norm() * v.x.norm_squared()",
        "v.x.norm().powf(1.5) * (1.0 + v.x.norm()).ln()",
    ] {
        let text = with(fine);
        assert!(errors(&text).is_empty(), "{fine}: {text}");
    }
}
