//! What identification says of its own errors.

use crate::identify::{Experiment, UNKNOWNS, WITHIN, errors_in_deviations, fit};

/// Noise alone is left, and covariances are symmetric and of the size of the errors.
#[test]
fn what_is_left_is_noise() {
    let found = fit(&Experiment::made(7).unwrap()).unwrap();
    assert!((found.left - 1.0).abs() < 0.25, "{}", found.left);
    for row in 0..UNKNOWNS {
        assert!(found.deviation(row) < 0.02 * found.values[row], "{}: {}", found.names[row], found.deviation(row));
        for column in 0..row {
            let (entry, mirrored) = (found.covariances[row][column], found.covariances[column][row]);
            let scale = found.deviation(row) * found.deviation(column);
            assert!((entry - mirrored).abs() < 1e-6 * scale && entry.abs() < scale, "{row}, {column}: {entry}");
        }
    }
}

/// 144 intervals of 95 %: about 137 of them hold the truth, and errors are as large as they are said to be.
#[test]
fn intervals_hold_the_truth() {
    let errors: Vec<f64> = errors_in_deviations(24).unwrap().into_iter().flatten().collect();
    let inside = errors.iter().filter(|error| error.abs() <= WITHIN).count();
    let mean_square = errors.iter().map(|error| error * error).sum::<f64>() / errors.len() as f64;
    assert!((125..=144).contains(&inside), "{inside} of {}", errors.len());
    assert!((0.6..1.6).contains(&mean_square), "{mean_square}");
}
