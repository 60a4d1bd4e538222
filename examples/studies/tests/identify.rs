//! The error estimates of the identification.

use crate::identify::{Arm, Device, Experiment, Top, Unknowns, WITHIN, arm, determined_by, errors_of, fit};
use crate::identify::{slopes_by_all, spectrum};

/// Noise alone is left, and covariances are symmetric and of the size of the errors.
fn noise_alone_is_left<D: Device>() {
    let found = fit::<D>(&Experiment::made(7).unwrap(), &D::guess().unwrap()).unwrap();
    assert!((found.left - 1.0).abs() < 0.25, "{}", found.left);
    for row in 0..found.values.len() {
        for column in 0..row {
            let (entry, mirrored) = (found.covariances[(row, column)], found.covariances[(column, row)]);
            let scale = found.deviation(row) * found.deviation(column);
            assert!((entry - mirrored).abs() < 1e-6 * scale && entry.abs() < scale, "{row}, {column}: {entry}");
        }
    }
}

#[test]
fn noise_alone_is_left_of_the_top() {
    noise_alone_is_left::<Top>();
}

#[test]
fn noise_alone_is_left_of_the_arm() {
    noise_alone_is_left::<Arm>();
}

/// The number of 95 % intervals that contain the true value is binomially distributed, for each value and for the independent combinations.
/// The errors have their estimated size.
fn intervals_hold_the_truth<D: Device>(experiments: usize) {
    let errors = errors_of::<D>(experiments, &D::truth().unwrap()).unwrap();
    let numbers = errors[0].in_deviations.len();
    let is_binomial = |inside: usize, count: usize| {
        let (mean, deviation) = (0.95 * count as f64, (0.95 * 0.05 * count as f64).sqrt());
        (inside as f64 - mean).abs() < 4.0 * deviation
    };
    for at in 0..numbers {
        let inside = errors.iter().filter(|error| error.in_deviations[at].abs() <= WITHIN).count();
        assert!(is_binomial(inside, experiments), "number {at}: {inside} of {experiments}");
    }
    let independent: Vec<f64> = errors.iter().flat_map(|error| error.independent.iter().copied()).collect();
    let inside = independent.iter().filter(|error| error.abs() <= WITHIN).count();
    assert!(is_binomial(inside, independent.len()), "{inside} of {}", independent.len());
    // χ²/n has the variance 2/n.
    let count = independent.len() as f64;
    let mean_square = independent.iter().map(|error| error * error).sum::<f64>() / count;
    assert!((mean_square - 1.0).abs() < 4.0 * (2.0 / count).sqrt(), "{mean_square}");
}

#[test]
fn intervals_hold_the_data_of_the_top() {
    intervals_hold_the_truth::<Top>(60);
}

#[test]
fn intervals_hold_the_base_parameters_of_the_arm() {
    intervals_hold_the_truth::<Arm>(30);
}

/// The closed form of the base parameters against the sensitivities: as many of them as there are directions that move the
/// measurements, and none that they do not move.
#[test]
fn base_parameters_are_what_the_motion_depends_on() {
    let experiment = Experiment::<Arm>::made(3).unwrap();
    let system = Arm::truth().unwrap();
    let all = Unknowns::named(&system, &arm::all_data().into_iter().map(|(name, _)| name).collect::<Vec<_>>()).unwrap();
    let mut base = determined_by::<Arm>(&system, &all).unwrap();
    assert_eq!((base.nrows(), base.ncols()), (42, 66));
    for (mut column, (_, size)) in base.column_iter_mut().zip(arm::all_data()) {
        column *= size;
    }
    let values = spectrum(&experiment).unwrap();
    assert!(values[41] > 1.0 && values[42] < 1e-9 * values[0], "{:?}", &values[40..44]);
    // What does not move them does not move the measurements, and as many directions are left: both span the same.
    let slopes = slopes_by_all(&experiment).unwrap();
    let across = base.clone().svd(false, true).v_t.unwrap();
    let along = across.rows(0, 42);
    let rest = &slopes - &slopes * along.transpose() * along;
    assert!(rest.amax() < 1e-9 * slopes.amax(), "{} of {}", rest.amax(), slopes.amax());
}

/// Data that no measurement determines may be held at any guess; the determined data do not change.
#[test]
fn base_parameters_do_not_depend_on_what_is_held() {
    let experiment = Experiment::<Arm>::made(11).unwrap();
    let [guessed, true_ones] =
        [Arm::guess().unwrap(), Arm::truth().unwrap()].map(|begin| fit(&experiment, &begin).unwrap());
    for at in 0..42 {
        let difference = (guessed.values[at] - true_ones.values[at]).abs() / guessed.deviation(at);
        assert!(difference < 1e-2, "{}: {difference} of a deviation", guessed.names[at]);
        let ratio = guessed.deviation(at) / true_ones.deviation(at);
        assert!((ratio - 1.0).abs() < 1e-2, "{}: {ratio}", guessed.names[at]);
    }
    let masses = [&guessed, &true_ones].map(|fit| fit.system.parameters().links[3].mass);
    assert!((masses[0] / masses[1] - 1.0).abs() > 0.05, "{masses:?}");
}
