//! The singular functions against 20-digit values (`data/singular_functions.py`), and across every switch.

use lie_runtime::scalar::{Dual, Scalar};
use lie_runtime::singular::{Singular, arctangent, gamma, stumpff};

/// A line of the reference table.
struct Reference {
    function: Singular,
    order: usize,
    argument: f64,
    value: f64,
}

fn references() -> Vec<Reference> {
    let table = include_str!("../data/singular_functions.csv");
    let parse = |line: &str| {
        let mut fields = line.split(',');
        let function = match fields.next()? {
            "gamma" => Singular::Gamma,
            "arctangent" => Singular::Arctangent,
            name => Singular::Stumpff(name.strip_prefix('c')?.parse().ok()?),
        };
        let order = fields.next()?.parse().ok()?;
        let argument = f64::from_bits(u64::from_str_radix(fields.next()?, 16).ok()?);
        let value = fields.next()?.parse().ok()?;
        Some(Reference { function, order, argument, value })
    };
    table.lines().skip(1).map(|line| parse(line).unwrap_or_else(|| panic!("malformed line: {line}"))).collect()
}

#[test]
fn values_and_derivatives_are_right_to_a_few_ulp() {
    let references = references();
    assert!(references.len() > 2000, "the table is there");
    let mut worst = std::collections::BTreeMap::new();
    for reference in references {
        let &Reference { function, order, argument, value } = &reference;
        let error = (f64::singular(function, order, argument) / value - 1.0).abs();
        let entry = worst.entry(format!("{function:?} {order}")).or_insert((0.0, 0.0));
        if error > entry.0 || error.is_nan() {
            *entry = (error, argument.sqrt());
        }
    }
    println!("{worst:#?}");
    for (name, (error, x)) in worst {
        assert!(error < 2e-15, "{name}: relative error {error:e} at x = {x}");
    }
}

/// Every member at neighbouring numbers around the places where its evaluation changes.
#[test]
fn nothing_jumps_at_a_switch() {
    let check = |name: &str, f: &dyn Fn(f64) -> f64, switch: f64, tolerance: f64| {
        let below = f(switch.next_down());
        // The closed forms of c₀ and c₁ beyond π are right to an ulp of 1: c₁ is small there.
        let jump = (f(switch) - below).abs() / if switch == 10.0 { below.abs().max(0.1) } else { below.abs() };
        assert!(jump < tolerance, "{name} at {switch}: {jump:e}");
    };
    for n in 0..3 {
        for k in 0..5 {
            check(&format!("c{k}, {n}"), &|z| stumpff(k, n, z), 0.25, 2e-15);
            check(&format!("c{k}, {n}"), &|z| stumpff(k, n, z), 10.0, 2e-14);
        }
        check(&format!("gamma, {n}"), &|z| gamma(n, z), 0.25, 2e-15);
        check(&format!("gamma, {n}"), &|z| gamma(n, z), 40.0, 1e-12);
        check(&format!("arctangent, {n}"), &|y| arctangent(n, y), 1.0 / 128.0, 2e-15);
        check(&format!("arctangent, {n}"), &|y| arctangent(n, y), 1.0, 2e-14);
    }
}

/// Rules that hold for all arguments, where the table does not reach.
#[test]
fn relations_hold_beyond_pi() {
    let close = |a: f64, b: f64, what: &str| assert!((a - b).abs() <= 1e-13 * (1.0 + a.abs()), "{what}: {a} and {b}");
    for i in 1..400 {
        let z = f64::from(i) * 0.4;
        let x = z.sqrt();
        close(stumpff(0, 0, z), x.cos(), "c0");
        close(stumpff(1, 0, z), x.sin() / x, "c1");
        for (k, inverse_factorial) in [1.0, 1.0, 0.5, 1.0 / 6.0, 1.0 / 24.0].into_iter().enumerate() {
            close(stumpff(k, 0, z) + z * stumpff(k + 2, 0, z), inverse_factorial, "c_k + z c_(k+2) = 1/k!");
            close(
                2.0 * stumpff(k, 1, z),
                k as f64 * stumpff(k + 2, 0, z) - stumpff(k + 1, 0, z),
                "2 c_k' = k c_(k+2) - c_(k+1)",
            );
        }
        let (value, slope) = (gamma(0, z), gamma(1, z));
        close(2.0 * z * slope, z * value * value - 3.0 * value + 0.25, "z gamma'");
        close((value * z - 1.0) * (0.5 * x).sin(), -0.5 * x * (0.5 * x).cos(), "gamma by the cotangent");
        close(2.0 * z * arctangent(1, z), 1.0 / (1.0 + z) - arctangent(0, z), "y A'");
    }
}

#[test]
fn dual_numbers_differentiate_to_any_depth() {
    type Twice = Dual<Dual<f64>>;
    for z in [0.0, 1e-9, 0.1, 0.3, 2.0, 9.0, 12.0, 30.0] {
        let variable = Twice::variable(Dual::variable(z, 1.0), Dual::variable(1.0, 0.0));
        for function in [Singular::Stumpff(1), Singular::Stumpff(3), Singular::Gamma, Singular::Arctangent] {
            let result = Twice::singular(function, 0, variable);
            for (value, order) in [(result.re.re, 0), (result.re.eps, 1), (result.eps.re, 1), (result.eps.eps, 2)] {
                assert_eq!(value, f64::singular(function, order, z), "{function:?} {order} at {z}");
            }
        }
    }
}

#[test]
fn single_precision_is_right_to_single_precision() {
    for reference in references() {
        let Reference { function, order, argument, value } = reference;
        #[allow(clippy::cast_possible_truncation)] // Single precision is what is tested.
        let argument = argument as f32;
        // Where a zero is crossed, the rounded argument alone moves the value: compare absolutely.
        let error = (f64::from(f32::singular(function, order, argument)) - value).abs();
        assert!(error < 4e-6 * (1.0 + value.abs()), "{function:?} {order} at {argument}: {error:e}");
    }
}
