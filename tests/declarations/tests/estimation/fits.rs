//! Least-squares fits: estimates, standard errors and intervals against closed forms, finite differences and repeated experiments.

use lie_runtime::analysis::{Fit, FitError};
use lie_runtime::nalgebra::{DMatrix, DVector};
use lie_runtime::prelude::*;

use super::noise::Noise;

/// A stone whose motion is linear in its initial values and in its acceleration.
#[mechanical_system]
mod stone {
    #[configuration]
    pub struct Place {
        pub x: f64,
    }

    #[parameters]
    pub struct Stone {
        pub acceleration: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x * v.x
    }

    #[potential]
    fn push(stone: &Stone, q: &Place) -> f64 {
        -stone.acceleration * q.x
    }
}

/// A damped pendulum.
#[mechanical_system]
mod pendulum {
    #[configuration]
    pub struct Angle {
        pub angle: f64,
    }

    #[parameters]
    pub struct Pendulum {
        pub mass: f64,
        pub length: f64,
        pub damping: f64,
    }

    #[kinetic_energy]
    fn kinetic(p: &Pendulum, v: &Velocity) -> f64 {
        0.5 * p.mass * (p.length * v.angle).powi(2)
    }

    #[potential]
    fn weight(p: &Pendulum, q: &Angle) -> f64 {
        -9.81 * p.mass * p.length * q.angle.cos()
    }

    #[dissipation]
    fn bearing(p: &Pendulum, v: &Velocity) -> f64 {
        0.5 * p.damping * v.angle * v.angle
    }

    /// Depends on a parameter, the configuration and the velocity.
    #[observable]
    fn tip(p: &Pendulum, q: &Angle, v: &Velocity) -> Vector2<f64> {
        Vector2::new(p.length * q.angle.sin(), p.length * v.angle * q.angle.cos())
    }
}

/// A body that rotates freely.
#[mechanical_system]
mod body {
    #[configuration]
    pub struct Body {
        pub attitude: SO3,
    }

    #[parameters]
    pub struct Inertia {
        pub moments: Vector3<f64>,
    }

    #[kinetic_energy]
    fn kinetic(body: &Inertia, v: &Velocity) -> f64 {
        0.5 * v.attitude.dot(&body.moments.component_mul(&v.attitude))
    }
}

/// A ball that bounces.
#[mechanical_system(redundant = minimum_norm)]
mod ball {
    #[configuration]
    pub struct Height {
        pub z: f64,
    }

    #[parameters]
    pub struct Ball {
        pub restitution: f64,
        pub touches: bool,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.z * v.z
    }

    #[potential]
    fn weight(q: &Height) -> f64 {
        10.0 * q.z
    }

    #[constraint]
    fn floor(p: &Ball, q: &Height) -> f64 {
        if p.touches { q.z } else { 0.0 }
    }
}

fn times(count: usize, end: f64) -> Vec<f64> {
    (1..=count).map(|k| end * k as f64 / count as f64).collect()
}

fn assert_close(found: f64, expected: f64, tolerance: f64) {
    assert!((found - expected).abs() <= tolerance * (1.0 + expected.abs()), "{found} instead of {expected}");
}

/// x = x₀ + v₀ t + a t²/2: the estimates, their covariance and their intervals are those of ordinary least squares.
#[test]
fn a_linear_fit_is_ordinary_least_squares() {
    let mut noise = Noise::new(5);
    let times = times(12, 3.0);
    let values: Vec<f64> = times.iter().map(|t| 1.0 - 0.7 * t + 0.65 * t * t + 0.2 * noise.normal()).collect();
    let system = stone::System::new(stone::Stone { acceleration: 0.3 }).unwrap();
    let fit = || {
        let run = Simulation::of(&system).initial(stone::Place { x: 0.0 }, Vector1::new(0.0)).step(0.1);
        let run = run.with_sensitivities(["q.x", "v.x", "acceleration"]);
        Fit::of(run).measured("x", &times, &values, &[0.5])
    };
    // The normal equations.
    let design = DMatrix::from_fn(times.len(), 3, |row, column| [1.0, times[row], 0.5 * times[row].powi(2)][column]);
    let inverse = (design.transpose() * &design).try_inverse().unwrap();
    let expected = &inverse * design.transpose() * DVector::from_column_slice(&values);
    let squares = (&design * &expected - DVector::from_column_slice(&values)).norm_squared();
    let known = fit().solve().unwrap();
    let estimated = fit().noise_from_residuals().solve().unwrap();
    for (found, variance, quantile) in
        [(&known, 0.25, 1.959_963_984_540_054), (&estimated, squares / 9.0, 2.262_157_162_854_099)]
    {
        assert_eq!(found.degrees_of_freedom, 9);
        assert_close(found.chi_squared, squares / 0.25, 1e-9);
        for (at, estimate) in found.estimates.iter().enumerate() {
            assert_close(estimate.value, expected[at], 1e-8);
            let error = (variance * inverse[(at, at)]).sqrt();
            assert_close(estimate.standard_error, error, 1e-8);
            assert_close(estimate.interval[1] - estimate.interval[0], 2.0 * quantile * error, 1e-8);
            for other in 0..3 {
                assert_close(found.covariance[(at, other)], variance * inverse[(at, other)], 1e-8);
                let correlation = inverse[(at, other)] / (inverse[(at, at)] * inverse[(other, other)]).sqrt();
                assert_close(found.correlation()[(at, other)], correlation, 1e-8);
            }
        }
    }
    assert_eq!(
        known.estimates.iter().map(|estimate| &*estimate.name).collect::<Vec<_>>(),
        ["q.x[0]", "v.x[0]", "acceleration"]
    );
    let (name, residuals) = &known.residuals[0];
    assert_eq!((name.as_str(), residuals.len()), ("x", 12));
    assert_close(residuals.iter().map(|residual| residual * residual).sum(), known.chi_squared, 1e-12);
    assert_eq!(known.system.parameters().acceleration, known.get("acceleration").unwrap().value);
    let printed = known.to_string();
    assert!(printed.contains("acceleration") && printed.contains("with 9 degrees of freedom"), "{printed}");
}

const TRUTH: pendulum::Pendulum = pendulum::Pendulum { mass: 2.0, length: 0.5, damping: 0.08 };
const ANGLE: f64 = 1.2;
const UNKNOWNS: [&str; 3] = ["length", "damping", "q.angle"];

/// The named columns of a pendulum at some times.
fn motion(data: pendulum::Pendulum, angle: f64, times: &[f64]) -> Vec<[f64; 3]> {
    let length = data.length;
    let system = pendulum::System::new(data).unwrap();
    let run = Simulation::of(&system).at_rest(pendulum::Angle { angle }).step(0.05);
    let run = run.end_time(times[times.len() - 1]).output_times(times).run().unwrap();
    run.states
        .iter()
        .map(|state| {
            let (q, v) = (state.configuration.angle, state.velocity[0]);
            [q, length * q.sin(), length * v * q.cos()]
        })
        .collect()
}

/// The covariance of a fit of three columns, one of which depends on a parameter, is (Jᵀ W J)⁻¹ with differences of runs as the Jacobian.
#[test]
fn the_covariance_is_that_of_differences() {
    let times = times(15, 2.4);
    let columns = motion(TRUTH, ANGLE, &times);
    let column = |at: usize| columns.iter().map(|row| row[at]).collect::<Vec<_>>();
    let guess = pendulum::System::new(pendulum::Pendulum { length: 0.55, damping: 0.05, ..TRUTH }).unwrap();
    let run = Simulation::of(&guess).at_rest(pendulum::Angle { angle: 1.1 }).step(0.05);
    let found = Fit::of(run.with_sensitivities(UNKNOWNS))
        .measured("angle", &times, &column(0), &[0.01])
        .measured("observables.tip[0]", &times, &column(1), &[0.02])
        .measured("tip.y", &times, &column(2), &[0.05])
        .solve()
        .unwrap();
    let truth = [TRUTH.length, TRUTH.damping, ANGLE];
    for (estimate, truth) in found.estimates.iter().zip(truth) {
        assert_close(estimate.value, truth, 1e-8);
    }
    let moved = |unknown: usize, step: f64| {
        let mut all = truth;
        all[unknown] += step;
        let rows = motion(pendulum::Pendulum { length: all[0], damping: all[1], ..TRUTH }, all[2], &times);
        let weighted = move |at: usize, deviation: f64| rows.clone().into_iter().map(move |row| row[at] / deviation);
        DVector::from_vec(weighted(0, 0.01).chain(weighted(1, 0.02)).chain(weighted(2, 0.05)).collect())
    };
    let columns: Vec<_> = (0..3).map(|unknown| (moved(unknown, 1e-4) - moved(unknown, -1e-4)) / 2e-4).collect();
    let jacobian = DMatrix::from_columns(&columns);
    let system = pendulum::System::new(TRUTH).unwrap();
    let run = Simulation::of(&system).at_rest(pendulum::Angle { angle: ANGLE }).step(0.05);
    let own = Fit::of(run.with_sensitivities(UNKNOWNS))
        .measured("angle", &times, &column(0), &[0.01])
        .measured("observables.tip[0]", &times, &column(1), &[0.02])
        .measured("tip.y", &times, &column(2), &[0.05])
        .jacobian()
        .unwrap();
    assert!((&own - &jacobian).amax() < 1e-6 * jacobian.amax(), "{}", (&own - &jacobian).amax());
    let expected = (jacobian.transpose() * jacobian).try_inverse().unwrap();
    for (found, expected) in found.covariance.iter().zip(&expected) {
        assert!((found - expected).abs() < 1e-5 * expected.abs(), "{found:e} {expected:e}");
    }
}

/// In 200 experiments with normal noise, 95 % of the intervals contain the true values.
#[test]
fn intervals_contain_the_truth_as_often_as_they_claim() {
    const EXPERIMENTS: usize = 200;
    let times = times(20, 2.4);
    let exact = motion(TRUTH, ANGLE, &times);
    let guess = pendulum::System::new(pendulum::Pendulum { length: 0.53, damping: 0.05, ..TRUTH }).unwrap();
    let (mut inside, mut chi_squared) = ([0; 3], 0.0);
    for seed in 0..EXPERIMENTS {
        let mut noise = Noise::new(seed as u64 + 1);
        let values: Vec<f64> = exact.iter().map(|row| row[0] + 0.02 * noise.normal()).collect();
        let run = Simulation::of(&guess).at_rest(pendulum::Angle { angle: 1.1 }).step(0.08).without_declaration_check();
        let fit = Fit::of(run.with_sensitivities(UNKNOWNS)).measured("angle", &times, &values, &[0.02]);
        let found = if seed % 2 == 0 { fit.solve() } else { fit.noise_from_residuals().solve() }.unwrap();
        chi_squared += found.reduced_chi_squared() / EXPERIMENTS as f64;
        for (at, truth) in [TRUTH.length, TRUTH.damping, ANGLE].into_iter().enumerate() {
            let [low, high] = found.estimates[at].interval;
            inside[at] += usize::from((low..=high).contains(&truth));
        }
    }
    // The deviation of the number of intervals is 3.1.
    assert!(inside.iter().all(|count| (181..=198).contains(count)), "{inside:?} of {EXPERIMENTS}");
    assert!((chi_squared - 1.0).abs() < 0.07, "{chi_squared}");
}

/// Rotations have no scalar coordinates: the search moves on the group, from a guess that is far away.
#[test]
fn initial_rotations_are_estimated_on_the_group() {
    let times = times(8, 1.0);
    let moments = Vector3::new(1.0, 2.0, 3.0);
    let truth = body::System::new(body::Inertia { moments }).unwrap();
    let (attitude, velocity) = (SO3::exp(&Vector3::new(0.8, -0.9, 0.5)), Vector3::new(0.4, 2.0, -0.5));
    let run = Simulation::of(&truth).initial(body::Body { attitude }, velocity).step(0.05).end_time(1.0);
    let run = run.output_times(&times).run().unwrap();
    let measured: Vec<SO3> = run.states.iter().map(|state| state.configuration.attitude).collect();
    let guess = body::System::new(body::Inertia { moments: Vector3::new(1.1, 2.0, 2.7) }).unwrap();
    let run = Simulation::of(&guess).initial(body::Body { attitude: SO3::identity() }, Vector3::new(0.0, 1.5, 0.0));
    let run = run.step(0.05).with_sensitivities(["moments[0]", "moments[2]", "q.attitude", "v.attitude"]);
    let zeros = vec![0.0; times.len()];
    let mut fit = Fit::of(run);
    for axis in 0..3 {
        let measured = measured.clone();
        fit = fit.measured_function(format!("rotation {axis}"), &times, &zeros, &[1e-3], move |_, state, k| {
            let measured = SO3::from_matrix_unchecked(measured[k].matrix().map(Scalar::from_f64));
            (measured.inverse() * state.configuration.attitude).log()[axis]
        });
    }
    let found = fit.solve().unwrap();
    assert_close(found.get("moments[0]").unwrap().value, 1.0, 1e-7);
    assert_close(found.get("moments[2]").unwrap().value, 3.0, 1e-7);
    let first = &found.trajectory.states[0];
    assert!((first.configuration.attitude.inverse() * attitude).log().norm() < 1e-7, "{first:?}");
    assert!((first.velocity - velocity).norm() < 1e-6, "{first:?}");
}

/// The derivatives include events: the restitution of a ball from its heights after impacts.
#[test]
fn events_are_a_part_of_the_fitted_motion() {
    // It falls for one second; then z = 10 e τ − 5 τ².
    let times = [0.2, 0.5, 0.9, 1.1, 1.3, 1.6, 1.9];
    let height = |t: f64| if t < 1.0 { 5.0 - 5.0 * t * t } else { (10.0 * 0.6 - 5.0 * (t - 1.0)) * (t - 1.0) };
    let heights = times.map(height);
    let system = ball::System::new(ball::Ball { restitution: 0.5, touches: false }).unwrap();
    let run = Simulation::of(&system).at_rest(ball::Height { z: 4.8 }).step(0.01);
    let run =
        run.with_sensitivities(["restitution", "q.z"]).event("strikes", |_, at| at.configuration.z).falling().apply(
            |at| {
                let restitution = at.system().parameters().restitution;
                at.set(|p| p.touches = true);
                at.impact(["floor"], restitution);
                at.set(|p| p.touches = false);
            },
        );
    let found = Fit::of(run).measured("z", &times, &heights, &[1e-3]).solve().unwrap();
    assert_close(found.get("restitution").unwrap().value, 0.6, 1e-8);
    assert_close(found.get("q.z[0]").unwrap().value, 5.0, 1e-8);
}

/// The mass of a pendulum acts through the ratio of its damping to it alone.
#[test]
fn undetermined_combinations_are_named() {
    let times = times(15, 2.4);
    let values: Vec<f64> = motion(TRUTH, ANGLE, &times).iter().map(|row| row[0]).collect();
    let system = pendulum::System::new(TRUTH).unwrap();
    let run = || Simulation::of(&system).at_rest(pendulum::Angle { angle: ANGLE }).step(0.05);
    let all = run().with_sensitivities(["mass", "damping", "length"]);
    let error = Fit::of(all).measured("angle", &times, &values, &[0.01]).solve().unwrap_err();
    let FitError::Undetermined { combinations } = &*error else { panic!("{error}") };
    let [combination] = combinations.as_slice() else { panic!("{error}") };
    assert_eq!(combination.iter().map(|(name, _)| &**name).collect::<Vec<_>>(), ["mass", "damping"]);
    assert_eq!(combination[0].1, 1.0);
    assert_close(combination[1].1, TRUTH.damping / TRUTH.mass, 1e-4);
    assert!(error.to_string().contains("`mass` by 1.0000, `damping` by 0.0400"), "{error}");
}

#[test]
fn invalid_fits_are_errors() {
    let system = pendulum::System::new(TRUTH).unwrap();
    let fit = || {
        let run = Simulation::of(&system).at_rest(pendulum::Angle { angle: ANGLE }).step(0.05);
        Fit::of(run.with_sensitivities(["length", "damping"]))
    };
    let (times, values) = ([0.5, 1.0, 1.5], [0.1, 0.2, 0.3]);
    let message = |fit: Fit<'_, pendulum::System, HalfExplicit>| fit.solve().unwrap_err().to_string();
    for (found, expected) in [
        (message(fit()), "0 measured values cannot determine 2 unknowns"),
        (message(fit().measured("angle", &[0.5], &[0.1], &[0.1])), "1 measured values cannot determine 2 unknowns"),
        (
            message(fit().measured("angle", &times, &[0.1], &[0.1])),
            "it has 3 times, 1 values and 1 standard deviations",
        ),
        (message(fit().measured("angle", &[], &[], &[])), "it has no values"),
        (message(fit().measured("angle", &[-0.5, 0.5], &[0.1, 0.1], &[0.1])), "must not be before the start 0.0"),
        (
            message(fit().measured("angle", &[0.5, 0.7], &[0.1, f64::NAN], &[0.1])),
            "the value NaN at t = 0.7 is not usable",
        ),
        (message(fit().measured("angle", &times, &values, &[0.0])), "the standard deviation at t = 0.5 is 0.0"),
        (message(fit().measured("angel", &times, &values, &[0.1])), "did you mean `angle`?"),
        (message(fit().measured("tip", &times, &values, &[0.1])), "`tip` has 2 values; select one component"),
        (message(fit().measured("angle", &times, &values, &[0.1]).confidence(95.0)), "the confidence is 95"),
        (message(fit().measured("angle", &times, &values, &[0.1]).tolerance(0.0)), "the tolerance is 0"),
    ] {
        assert!(found.contains(expected), "{found}\n{expected}");
    }
    let run = Simulation::of(&system).at_rest(pendulum::Angle { angle: ANGLE }).step(0.05);
    let stopped = run.with_sensitivities(["length"]).event("bottom", |_, at| at.configuration.angle).falling().stop();
    let error = Fit::of(stopped).measured("angle", &[0.1, 2.0], &[1.0, 0.5], &[0.1]).solve().unwrap_err();
    assert!(matches!(*error, FitError::Ended { time: 2.0 }), "{error}");
    let run = Simulation::of(&system).at_rest(pendulum::Angle { angle: ANGLE }).step(0.05);
    let error =
        Fit::of(run.with_sensitivities(["lenght"])).measured("angle", &times, &values, &[0.1]).solve().unwrap_err();
    assert!(error.to_string().contains("unknown variable `lenght`"), "{error}");
}
