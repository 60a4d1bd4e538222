//! Results of the search for the stiffness of a rod.

use crate::tune_rod::{EDGES, Film, fit, true_stiffness};

/// The residual is noise, and the damage is located, for another film than in the study.
#[test]
fn the_damage_is_found() {
    let found = fit(&Film::made(71).unwrap()).unwrap();
    assert!((found.left - 1.0).abs() < 0.1, "{}", found.left);
    let truth = true_stiffness();
    let softest = |stiffness: &[f64]| (0..EDGES).min_by(|&a, &b| stiffness[a].total_cmp(&stiffness[b]));
    assert_eq!(softest(&found.stiffness), softest(&truth));
    let errors = || found.stiffness.iter().zip(&truth).map(|(found, truth)| (found / truth - 1.0).abs());
    let (mean, worst) = (errors().sum::<f64>() / EDGES as f64, errors().fold(0.0, f64::max));
    assert!(mean < 0.08 && worst < 0.3, "{mean} {worst}");
}
