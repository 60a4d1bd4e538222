//! Tests of `expr::elementary`.

use super::{Function, Modulus, Parity};

/// Parities and orders of the table agree with the values.
#[test]
fn the_table_is_true_of_the_values() {
    for &function in Function::ALL {
        assert_eq!(Function::named(function.name()), Some(function));
        let f = |x: f64| function.value(x);
        for x in [0.1, 0.4, 0.9, 1.7, 2.5] {
            let (here, there) = (f(x), f(-x));
            // Not every function is evaluated symmetrically.
            let are_close = |a: f64, b: f64| a.is_nan() || (a - b).abs() <= 4.0 * f64::EPSILON * a.abs();
            match function.parity() {
                Parity::Even => assert!(are_close(there, here), "{function:?}({x})"),
                Parity::Odd => assert!(are_close(there, -here), "{function:?}({x})"),
                Parity::Neither => assert!(there != here && there != -here, "{function:?}({x})"),
            }
        }
        // The start of the domain, and the point of the largest derivative.
        let places = [0.0, 1.0, 1e-3, 0.5];
        for step in [1e-4, 1e-6, 1e-8] {
            let largest = |h: f64| {
                let change = |x: f64| ((f(x + step) - f(x)) / step.powf(h)).abs();
                places.into_iter().map(change).filter(|change| change.is_finite()).fold(0.0, f64::max)
            };
            match function.modulus() {
                Modulus::Vanishing(h) => {
                    assert!(largest(h) < 10.0 && f(step).abs() < 10.0 * step.powf(h), "{function:?}");
                }
                Modulus::Bounded(h) if function != Function::Ln => assert!(largest(h) < 10.0, "{function:?}"),
                Modulus::Bounded(_) | Modulus::Pieces => {}
            }
        }
    }
}
