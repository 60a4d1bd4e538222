//! The coefficients: equal to the published ones, and satisfying the order conditions.

use hand_written::reference;
use lie_runtime::integrator::HalfExplicit;
use lie_runtime::integrator::half_explicit::{METHODS, Tableau, TableauError};

/// Sums of products of rationals written as `a/b`, `a*sqrt(3)/b` and `sqrt(3)/b`.
fn exact(text: &str) -> f64 {
    let mut sum = 0.0;
    let mut sign = 1.0;
    for word in text.split(' ') {
        match word {
            "+" => sign = 1.0,
            "-" => sign = -1.0,
            term => {
                let (numerator, denominator) = term.split_once('/').unwrap_or((term, "1"));
                let numerator: f64 = numerator
                    .split('*')
                    .map(|factor| if factor == "sqrt(3)" { 3.0_f64.sqrt() } else { factor.parse().unwrap() })
                    .product();
                sum += sign * numerator / denominator.parse::<f64>().unwrap();
            }
        }
    }
    sum
}

fn list(value: &serde_json::Value) -> Vec<f64> {
    value.as_array().unwrap().iter().map(|entry| exact(entry.as_str().unwrap())).collect()
}

fn assert_close(given: &[f64], expected: &[f64], what: &str) {
    assert_eq!(given.len(), expected.len(), "{what}");
    for (a, b) in given.iter().zip(expected) {
        assert!((a - b).abs() <= 1e-15 * b.abs().max(1.0), "{what}: {a} is not {b}");
    }
}

#[test]
fn coefficients_are_those_of_the_table() {
    let table = reference::tableaux();
    let rows = table["methods"].as_array().unwrap();
    assert_eq!(rows.len(), METHODS.len());
    for (row, method) in rows.iter().zip(METHODS) {
        assert_eq!(method.check(), Ok(()));
        assert_eq!(row["id"], method.id);
        assert_eq!(row["name"], method.name);
        assert_eq!(row["order_q_v"], method.order);
        assert_eq!(row["order_lambda_general"], method.multiplier_order);
        assert_eq!(row["order_lambda_when_B_constant"], method.multiplier_order_constant_jacobian);
        assert_eq!(row["s"], method.stages);
        assert_eq!(row["s_bar"], method.constrained_stages);
        assert_eq!(row["a"].as_object().unwrap().len(), method.constrained_stages);
        for i in 2..=method.constrained_stages + 1 {
            assert_close(method.a[i - 1], &list(&row["a"][i.to_string()]), method.id);
        }
        assert_close(method.c, &list(&row["c"]), method.id);
        assert_close(method.d, &list(&row["d"]), method.id);
        match method.embedded {
            Some(embedded) => assert_close(embedded.row, &list(&row["embedded_row_hat_a"]), method.id),
            None => assert!(row["embedded_row_hat_a"].is_null()),
        }
    }
}

#[test]
fn rows_sum_to_the_abscissae() {
    for method in METHODS {
        for (row, c) in method.a.iter().zip(method.c) {
            let sum: f64 = row.iter().sum();
            assert!((sum - c).abs() < 2e-14, "{}: {sum} {c}", method.id);
        }
        if let Some(embedded) = method.embedded {
            assert!((embedded.row.iter().sum::<f64>() - 1.0).abs() < 1e-15);
        }
    }
}

/// The largest violation of the 17 classical order conditions (one a rooted tree) up to `order`.
fn classical(method: &Tableau, b: &[f64], order: usize) -> f64 {
    let (a, c) = (method.a, method.c);
    let n = b.len();
    // (A x)_i and Σ b_i x_i.
    let apply = |x: &[f64]| -> Vec<f64> { (0..n).map(|i| (0..i).map(|j| a[i][j] * x[j]).sum()).collect() };
    let power = |k: i32| -> Vec<f64> { c[..n].iter().map(|c| c.powi(k)).collect() };
    let times = |x: &[f64], y: &[f64]| -> Vec<f64> { x.iter().zip(y).map(|(x, y)| x * y).collect() };
    let ac = apply(&power(1));
    let conditions = [
        (1, power(0), 1.0),
        (2, power(1), 2.0),
        (3, power(2), 3.0),
        (3, ac.clone(), 6.0),
        (4, power(3), 4.0),
        (4, times(&power(1), &ac), 8.0),
        (4, apply(&power(2)), 12.0),
        (4, apply(&ac), 24.0),
        (5, power(4), 5.0),
        (5, times(&power(2), &ac), 10.0),
        (5, times(&ac, &ac), 20.0),
        (5, times(&power(1), &apply(&power(2))), 15.0),
        (5, times(&power(1), &apply(&ac)), 30.0),
        (5, apply(&power(3)), 20.0),
        (5, apply(&times(&power(1), &ac)), 40.0),
        (5, apply(&apply(&power(2))), 60.0),
        (5, apply(&apply(&ac)), 120.0),
    ];
    conditions
        .iter()
        .filter(|(degree, ..)| *degree <= order)
        .map(|(_, x, gamma)| (b.iter().zip(x).map(|(b, x)| b * x).sum::<f64>() - 1.0 / gamma).abs())
        .fold(0.0, f64::max)
}

#[test]
fn classical_order_conditions() {
    for method in METHODS {
        let b = method.a[method.stages];
        assert!(classical(method, b, method.order) < 1e-14, "{}", method.id);
        if method.order < 5 {
            assert!(classical(method, b, method.order + 1) > 1e-3, "{} has a higher order than stated", method.id);
        }
        if let Some(embedded) = method.embedded {
            assert!(classical(method, embedded.row, embedded.order) < 1e-14);
            assert!(classical(method, embedded.row, embedded.order + 1) > 1e-4);
        }
    }
}

/// The stage values w with w₁ = `first` and Σ_{j ≤ i} a_{i+1,j} w_j = `right(c_{i+1})` for the stages with a constraint.
fn stage_values(method: &Tableau, first: f64, right: impl Fn(f64) -> f64) -> Vec<f64> {
    let mut w = vec![first];
    for i in 2..=method.constrained_stages {
        let row = method.a[i];
        let known: f64 = row.iter().zip(&w).map(|(a, w)| a * w).sum();
        w.push((right(method.c[i]) - known) / row[i - 1]);
    }
    w
}

fn combine(d: &[f64], w: &[f64]) -> f64 {
    d.iter().zip(w).map(|(d, w)| d * w).sum()
}

/// Zero stability: an error of λ_n propagates to Λ_i by w_i and to λ_{n+1} by R.
#[test]
fn errors_of_the_multipliers_die_out() {
    let table = reference::tableaux();
    for (row, method) in table["methods"].as_array().unwrap().iter().zip(METHODS) {
        let w = stage_values(method, 1.0, |_| 0.0);
        for (given, expected) in w.iter().zip(list(&row["propagation_w"])) {
            assert!((given - expected).abs() < 1e-12 * expected.abs().max(1.0), "{}", method.id);
        }
        let contractivity = combine(method.d, &w);
        assert!((contractivity - exact(row["contractivity_R"].as_str().unwrap())).abs() < 1e-12, "{}", method.id);
    }
}

/// v' = f(t) − λ, v = g(t), with λ = f − g': for f = t^(k−1) and g = t^k the multiplier has to come out exactly up to its
/// order. Necessary, not sufficient.
#[test]
fn order_conditions_of_the_multipliers() {
    for method in METHODS {
        for k in 1..=i32::try_from(method.multiplier_order).unwrap() {
            let powers: Vec<f64> = method.c.iter().map(|c| c.powi(k - 1)).collect();
            assert!((combine(method.d, &powers) - 1.0).abs() < 1e-13, "{} k = {k}", method.id);
            let first = if k == 1 { 1.0 } else { 0.0 };
            let rates = stage_values(method, first, |c| c.powi(k));
            assert!((combine(method.d, &rates) - f64::from(k)).abs() < 1e-11, "{} k = {k}", method.id);
        }
    }
}

#[test]
fn methods_are_found_by_name_and_by_order() {
    for method in METHODS {
        assert_eq!(HalfExplicit::by_id(method.id).unwrap().tableau(), method);
    }
    assert_eq!(HalfExplicit::by_id("herk6"), None);
    assert_eq!(HalfExplicit::of_order(5), Some(HalfExplicit::hedop5()));
    assert_eq!(HalfExplicit::of_order(1), None);
}

#[test]
fn faulty_tableaux_are_refused() {
    static ZERO: Tableau = Tableau {
        id: "zero",
        name: "no multiplier in the last stage",
        order: 1,
        multiplier_order: 0,
        multiplier_order_constant_jacobian: 0,
        stages: 2,
        constrained_stages: 2,
        a: &[&[], &[1.0], &[1.0, 0.0]],
        c: &[0.0, 1.0, 1.0],
        d: &[0.0, 1.0],
        embedded: None,
    };
    assert_eq!(HalfExplicit::new(&ZERO), Err(TableauError::Subdiagonal { stage: 2 }));
    let short = Tableau { c: &[0.0, 1.0], ..ZERO.clone() };
    assert_eq!(short.check(), Err(TableauError::Length { list: "c" }));
    let infinite = Tableau { d: &[0.0, f64::INFINITY], ..ZERO.clone() };
    assert_eq!(infinite.check(), Err(TableauError::NotFinite));
    let one = Tableau { stages: 1, ..ZERO.clone() };
    assert_eq!(one.check(), Err(TableauError::Stages));
}
