//! Results of the work-precision diagram that do not depend on the machine.

use crate::work_precision::study;
use study::{Point, energy, example, finest, measure, work_for};

/// Linear systems for an error of `quantity`.
fn systems(points: &[Point], quantity: usize, error: f64) -> f64 {
    work_for(points, quantity, error, |point| point.solves).unwrap_or(f64::INFINITY)
}

#[test]
fn every_method_converges_at_its_order() {
    let example = example();
    for card in &example.variants[0].methods {
        let last = finest(card.order).min(13);
        let points = measure(&example, card.id, last - 1..=last, 1).unwrap();
        let order = (points[0].errors[0] / points[1].errors[0]).log2();
        println!("{}: order {order:.2} of q, {:?}", card.id, points[1].errors);
        assert!(order > card.order as f64 - 0.2, "{}: {order}", card.id);
        assert!(points[1].solves > points[0].solves && points[1].seconds > 0.0);
    }
}

#[test]
fn linear_systems_for_three_digits_and_five() {
    let example = example();
    let of = |method: &str| {
        let points = measure(&example, method, 9..=13, 1).unwrap();
        [systems(&points, 0, 1e-3), systems(&points, 0, 1e-5)]
    };
    let [hedop5, herk4, bliedf4, rattlie, lie_alpha, bliedf2] =
        ["hedop5", "herk4", "bliedf4_stab2", "rattlie", "lie_alpha", "bliedf2"].map(of);
    println!("{hedop5:?} {herk4:?} {bliedf4:?} {rattlie:?} {lie_alpha:?} {bliedf2:?}");
    // Order decides from five digits on, symmetry among the methods of second order.
    assert!(hedop5[1] < herk4[1] && herk4[1] < bliedf4[1] && bliedf4[1] < 1e4);
    assert!(rattlie[0] < lie_alpha[0] && lie_alpha[0] < bliedf2[0]);
    assert!(rattlie[1].is_infinite() && lie_alpha[1].is_infinite());
}

/// The energy error of RATTLie in the last fifth equals the error in the first fifth; the errors of the explicit and of the backward
/// methods grow.
#[test]
fn energy_over_a_long_time() {
    let growth = |method: &str| {
        let errors = energy(&example(), method, 30.0).unwrap();
        let part = errors.len() / 5;
        let worst = |errors: &[(f64, f64)]| errors.iter().fold(0.0_f64, |worst, (_, error)| worst.max(*error));
        (worst(&errors[..part]), worst(&errors[errors.len() - part..]))
    };
    for (method, drifts) in [("rattlie", false), ("herk2_heun", true), ("bliedf3", true)] {
        let (first, last) = growth(method);
        println!("{method}: {first:.1e} {last:.1e}");
        if drifts {
            assert!(last > 2.0 * first, "{method}: {first:e} {last:e}");
        } else {
            assert!((last / first - 1.0).abs() < 0.1 && last < 1e-4, "{method}: {first:e} {last:e}");
        }
    }
}
