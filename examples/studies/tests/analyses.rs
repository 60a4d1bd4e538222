//! Analyses of the models, against printed values and closed forms.

use lie_runtime::analysis::SpecialKind;

use crate::{bicycle_modes, post_buckling};

#[test]
fn the_bicycle_is_stable_between_the_printed_speeds() {
    let found = bicycle_modes::critical_speeds().unwrap();
    for (found, printed) in found.into_iter().zip(bicycle_modes::PRINTED) {
        assert!((found - printed).abs() < 1e-9, "{found} {printed}");
    }
    // In between all motions decay.
    let motions = bicycle_modes::motions(5.0).unwrap();
    assert!(motions.weave[0].re < 0.0 && motions.capsize.unwrap() < 0.0 && motions.castering < 0.0, "{motions:?}");
}

#[test]
fn columns_buckle_into_the_elastica() {
    let straight = post_buckling::straight_branch(16, 2.0).unwrap();
    let first = straight.of_kind(SpecialKind::Bifurcation).next().unwrap();
    assert!((first.parameter / post_buckling::EULER - 1.0).abs() < 2e-3, "{}", first.parameter);
    let sides = [1.0, -1.0].map(|side| post_buckling::buckled(16, first, (side, 1.5)).unwrap());
    let ends = sides.each_ref().map(|branch| post_buckling::deflection(branch.points.last().unwrap()));
    assert!((ends[0] + ends[1]).abs() < 1e-6 && ends[0].abs() > 0.6, "{ends:?}");
    assert!(sides.iter().all(|branch| branch.points[1..].iter().all(|point| point.unstable == 0)));
    // (2 K / π)² by the quadrature of K.
    assert!((post_buckling::elastica(1.0) - 1.137_068_723_296).abs() < 1e-11);
}
