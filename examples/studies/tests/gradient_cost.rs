//! The three methods return the same gradient, and the cost of the adjoint method does not grow.

use crate::gradient_cost::measure;

#[test]
fn three_ways_have_the_same_numbers() {
    let cost = measure(10).unwrap();
    let [duals, differences] = cost.one_by_one.unwrap().deviations;
    assert_eq!(cost.parameters, 11 + 10 + 10 + 1);
    assert!(duals < 1e-12, "{duals}");
    assert!(differences < 1e-7, "{differences}");
}

/// Processor times are noisy: ten times as many parameters may not cost twice as many runs.
#[test]
fn the_way_back_does_not_grow() {
    let [few, many] = [34, 340].map(|pieces| measure(pieces).unwrap()).map(|cost| cost.backwards / cost.run);
    assert!(many < 2.0 * few, "{few} and {many} runs");
}
