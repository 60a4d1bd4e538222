//! The numbers of the study of paper 2, section 7.1.

use crate::heavy_top_index3;
use harness::Sample;
use harness::study::series;

use heavy_top_index3::{
    METHODS, STEP, asymptotics, convergence, energy, example, first_multiplier, run, second_order_from,
};

/// The largest absolute value.
fn largest(values: impl Iterator<Item = f64>) -> f64 {
    values.fold(0.0, |largest, value| largest.max(value.abs()))
}

/// ψ_2 is known up to turns.
fn turned(angle: f64) -> f64 {
    angle - core::f64::consts::TAU * (angle / core::f64::consts::TAU).round()
}

#[test]
fn motion_iterations_and_energy_of_figure_2() {
    let exact = run(&example(), "hedop5", 0.1 * STEP, 2.0, &[]).unwrap();
    let exact = exact.history.iter().step_by(10);
    for ((method, _), (height, angle, [lowest, highest])) in METHODS.into_iter().zip([
        // Limits of the errors of x_3 up to t = 2 and of ψ_2 up to t = 0.2, of the change of energy.
        (0.05, 0.003, [-0.15, 0.001]),
        (0.05, 0.06, [0.0, 175.0]),
        (0.05, 0.003, [-4.0, 0.0]),
    ]) {
        let run = run(&example(), method, STEP, 2.0, &[]).unwrap();
        let difference = |index: fn(&Sample) -> f64| {
            let pairs = run.history.iter().zip(exact.clone());
            pairs.map(move |(found, exact)| (found.t, index(found) - index(exact))).collect::<Vec<_>>()
        };
        let heights = largest(difference(|sample| sample.observable("position")[2]).iter().map(|error| error.1));
        let angles = difference(|sample| sample.observable("rotation_vector")[1]);
        let angles = largest(angles.iter().filter(|error| error.0 <= 0.2).map(|error| turned(error.1)));
        let iterations = run.newton_iterations.unwrap();
        let energies: Vec<f64> = run.history.iter().map(energy).collect();
        let change: Vec<f64> = energies.iter().map(|energy| energy - energies[0]).collect();
        println!(
            "{method}: x_3 {heights:.3e}, psi_2 {angles:.3e}, {iterations} iterations, energy {:?}",
            change.last()
        );
        assert!((2.8..=3.3).contains(&iterations), "{method}: {iterations}");
        assert!(heights < height && angles < angle, "{method}: {heights} {angles}");
        assert!(change.iter().all(|change| (lowest..=highest).contains(change)), "{method}: {:?}", change.last());
        if method == "ul_crv" {
            assert!(energies.windows(2).all(|pair| pair[1] > pair[0]), "energy grows from step to step");
            assert!(change.last().is_some_and(|change| *change > 170.0));
        }
    }
}

#[test]
fn multipliers_oscillate_at_the_start_unless_they_are_settled() {
    let exact = run(&example(), "hedop5", 0.1 * STEP, 2.0, &[]).unwrap();
    let exact = series(&exact, first_multiplier);
    let errors = |start: &str| {
        let run = run(&example(), "lie_alpha", STEP, 2.0, &[("start", start)]).unwrap();
        let pairs = series(&run, first_multiplier).into_iter().zip(exact.iter().step_by(10));
        pairs.map(|(found, exact)| (found.0, found.1 - exact.1)).collect::<Vec<_>>()
    };
    // The oscillation is what changes its sign from step to step: second differences show it alone.
    let oscillation = |errors: &[(f64, f64)], from: f64, to: f64| {
        let part = errors.windows(3).filter(|three| three[0].0 >= from && three[2].0 <= to);
        largest(part.map(|three| 0.25 * (three[0].1 - 2.0 * three[1].1 + three[2].1)))
    };
    let (usual, settled) = (errors("first_order"), errors("settled"));
    let [start, middle, end] = [(0.0, 0.1), (0.4, 0.5), (1.9, 2.0)].map(|(from, to)| oscillation(&usual, from, to));
    println!("oscillation {start} {middle} {end}, settled {}", oscillation(&settled, 0.0, 2.0));
    assert!(start > 200.0 && middle < 0.1 * start && end < 0.01 * start, "{start} {middle} {end}");
    assert!(oscillation(&settled, 0.0, 2.0) < 0.02 * start);
}

#[test]
fn convergence_of_figure_2() {
    for (method, _) in METHODS {
        let curve = convergence(&example(), method, 1..=3).unwrap();
        println!("{method}: x {:.3?}, λ {:.3?}", curve.orders(0), curve.orders(2));
        let finest = |quantity| curve.orders(quantity)[2];
        // Energy that grows is a term of third order, which UL-CRV has besides.
        let expected = if method == "ul_crv" { 2.2..2.5 } else { 1.9..2.1 };
        assert!(expected.contains(&finest(0)), "{method}: x {}", finest(0));
        let expected = if method == "ul_crv" { 2.0..2.5 } else { 1.9..2.1 };
        assert!(expected.contains(&finest(2)), "{method}: λ {}", finest(2));
    }
}

/// UL-CRV is of second order; the paper's range of steps is just where that begins.
#[test]
fn second_order_of_ul_crv_is_seen_in_small_steps() {
    let (orders, from) = second_order_from(&asymptotics(&example()).unwrap());
    println!("{orders:.2?}, from {from:?}");
    assert!(orders[0] > 2.2 && orders[0] < 2.3);
    assert_eq!(from, Some(1e-3 / 4.0));
    assert!(orders[2..].iter().all(|order| (order - 2.0).abs() < 0.1));
}
