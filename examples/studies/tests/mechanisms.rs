//! The flexible structures of paper 2: the right-angle cantilever and the four-bar mechanism.

use super::support::{command, json, numbers};
use crate::four_bar;
use crate::right_angle_cantilever as cantilever;
use harness::Status;
use harness::study::Curve;
use serde_json::Value;

/// The observed order between the last two points.
fn order(curve: &Curve, quantity: usize) -> f64 {
    *curve.orders(quantity).last().expect("points")
}

/// Fig. 4 of paper 2: mean numbers of iterations 3.83 and 3.77.
#[test]
fn the_cantilever_vibrates_as_in_the_paper() {
    let example = cantilever::example();
    let runs =
        cantilever::METHODS.map(|(method, _)| cantilever::run(&example, method, cantilever::STEP, 30.0).expect("runs"));
    for run in &runs {
        let iterations = run.newton_iterations.expect("an implicit method");
        assert!((iterations - 3.8).abs() < 0.4, "{}: {iterations} iterations", run.method);
        let (elbow, tip) =
            (cantilever::amplitude(run, "elbow_displacement"), cantilever::amplitude(run, "tip_displacement"));
        assert!(elbow > 5.0 && elbow < 7.0 && tip > 8.0 && tip < 11.0, "{}: {elbow} {tip}", run.method);
        let variation = cantilever::variation_of_energy(run);
        assert!(variation < 0.02, "{}: {variation}", run.method);
    }
    // Both methods overlay.
    for (a, b) in runs[0].history.iter().zip(&runs[1].history) {
        let difference = a.observable("tip_displacement")[2] - b.observable("tip_displacement")[2];
        assert!(difference.abs() < 0.15, "t = {}: {difference}", a.t);
    }
}

#[test]
fn the_cantilever_converges_with_second_order() {
    let example = cantilever::example();
    for (method, _) in cantilever::METHODS {
        let curves = cantilever::convergence(&example, method, 4.0, 9, 5..=6).expect("runs");
        let found = order(&curves[0], 0);
        assert!((found - 2.0).abs() < 0.1, "{method}: {found}");
    }
}

/// A method of fifth order without load conserves the energy of both legs and of the elbow, for all elements.
#[test]
fn the_cantilever_is_conservative_without_load() {
    for (model, step) in [("shear_flexible", 0.001), ("quadratic", 5e-4), ("cubic", 2.5e-4)] {
        let arguments = format!("--model {model} --method hedop5 --step {step} --end 2.2 --samples 2,2.1,2.2");
        let object = json(&cantilever::example(), &arguments);
        let energies: Vec<f64> = object["samples"]
            .as_array()
            .into_iter()
            .flatten()
            .map(|sample| numbers(&sample["energy"]["kinetic"])[0] + numbers(&sample["energy"]["potential"])[0])
            .collect();
        assert_eq!(energies.len(), 3);
        for energy in &energies {
            assert!(energies[0] > 1.0 && (energy / energies[0] - 1.0).abs() < 1e-6, "{model}: {energies:?}");
        }
    }
}

#[test]
fn the_cantilever_has_the_flags_of_rods() {
    let example = cantilever::example();
    let end = "--set hht_alpha=0.05 --end 1";
    let shear = json(&example, end);
    assert_eq!((shear["dof"].as_u64(), shear["constraints"].as_u64()), (Some(60), Some(0)));
    let kirchhoff = json(&example, &format!("--model kirchhoff {end}"));
    assert_eq!((kirchhoff["dof"].as_u64(), kirchhoff["constraints"].as_u64()), (Some(60), Some(20)));
    let finer = json(&example, &format!("--elements 20 {end}"));
    assert_eq!(finer["dof"], 120);
    let elbow = |object: &Value| numbers(&object["samples"][0]["observables"]["elbow_displacement"])[2];
    // Shear hardly matters: GA is a thousand times EI/m².
    assert!((elbow(&shear) - elbow(&kirchhoff)).abs() < 0.01 * elbow(&shear).abs());
    assert!((elbow(&shear) - elbow(&finer)).abs() < 0.1 * elbow(&shear).abs());
    for (arguments, expected) in [
        ("--elements 5", "same number"),
        ("--elements 2", "from 4"),
        ("--set hht_alpha=2", "alpha"),
        ("--model x", "kirchhoff"),
    ] {
        let (status, _, stderr) = command(&example, arguments);
        assert_eq!(status, Status::Misused, "{arguments}: {stderr}");
        assert!(stderr.contains(expected), "{arguments}: {stderr}");
    }
}

/// Figs. 8 and 9 of paper 4: below Newmark at every step, by about two.
#[test]
fn the_third_stage_as_an_output_is_more_accurate_than_newmark() {
    let curves =
        cantilever::accuracy::accuracy(&cantilever::example(), &cantilever::accuracy::RIVALS[0]).expect("runs");
    let [output, .., newmark] = curves.as_slice() else { panic!("no curves") };
    assert_eq!(output.points.len(), newmark.points.len());
    for (found, other) in output.points.iter().zip(&newmark.points) {
        for quantity in 0..2 {
            let ratio = other.1[quantity] / found.1[quantity];
            assert!(ratio > 1.6 && ratio < 2.5, "h = {}: {ratio}", found.0);
        }
    }
}

/// The printed results for the readings of the third stage: 0.0131 (ω h)⁴ of growth for slow modes, and the limits.
#[test]
fn the_third_stage_lets_modes_grow_unless_it_is_an_output() {
    use cantilever::stability::{READINGS, spectral_radius};
    let radius = |reading: usize, z: f64| spectral_radius(&READINGS[reading], z).expect("a step");
    for z in [0.05, 0.3, 1.0, 3.0, 6.0, 20.0, 30.0, 1e3] {
        let [restarted, kept, full, output] = [0, 1, 2, 3].map(|reading| radius(reading, z));
        assert!(output < 1.0, "{z}: {output}");
        assert!(restarted > 1.0 && full > 1.0, "{z}: {restarted} {full}");
        assert_eq!(kept > 1.0, z < 22.0, "{z}: {kept}");
    }
    let growth = (radius(2, 0.1) - 1.0) / 0.1_f64.powi(4);
    assert!((growth - 0.0131).abs() < 1e-3, "{growth}");
    // 0.9096 is the larger root of λ² + 1.276 λ + 0.3333, what is left of the matrix for ω h → ∞.
    assert!((radius(1, 1e6) - 0.9096).abs() < 1e-3 && (radius(0, 1e6) - 2.1700).abs() < 1e-3);
}

/// Mean numbers of iterations, 3.05 and 3.06 in paper 2, for an unspecified time interval; every interval is tested.
#[test]
fn iterations_of_the_mechanism_are_those_of_the_paper() {
    let example = four_bar::example();
    let iterations = |arguments: String| numbers(&json(&example, &arguments)["newton_iterations"])[0];
    for (method, _) in four_bar::METHODS {
        for end in [1, 2, 3] {
            let mean = iterations(format!("--method {method} --end {end}"));
            println!("{method}, t <= {end}: {mean:.2}");
            assert!((mean - 3.05).abs() < 0.2, "{method}, t <= {end}: {mean}");
        }
        // An iteration that converges quadratically to 1e-9 is at 1e-12 one later, unless round-off is above that.
        let [enough, too_much] = ["1e-9", "1e-12"]
            .map(|tolerance| iterations(format!("--method {method} --end 2 --set newton_tolerance={tolerance}")));
        assert!(too_much - enough > 1.5, "{method}: {enough} {too_much}");
    }
}

/// Fig. 6 of paper 2.
#[test]
fn the_misaligned_mechanism_moves_as_in_the_paper() {
    let example = four_bar::example();
    let runs = four_bar::METHODS
        .map(|(method, _)| four_bar::run(&example, method, four_bar::STEP, four_bar::END).expect("runs"));
    for run in &runs {
        assert_eq!((run.dof, run.constraints), (198, 21));
        assert!(four_bar::out_of_plane(run, "middle_position") > 5e-4);
        assert!(run.history.iter().all(|sample| sample.residual.position < 1e-9));
        // CD swings to both sides and does not turn; AB does.
        let angles = || run.history.iter().map(|sample| sample.observable("d_angle")[0]);
        let (low, high) = (angles().fold(f64::INFINITY, f64::min), angles().fold(f64::NEG_INFINITY, f64::max));
        assert!(low < -1.0 && low > -1.5 && high > 1.0 && high < 1.5, "{low} {high}");
        let lowest = run.history.iter().map(|sample| sample.observable("b_position")[1]).fold(f64::INFINITY, f64::min);
        assert!(lowest < -0.11, "{lowest}");
    }
    for (a, b) in runs[0].history.iter().zip(&runs[1].history) {
        let difference = a.observable("d_angle")[0] - b.observable("d_angle")[0];
        assert!(difference.abs() < 1e-3, "t = {}: {difference}", a.t);
    }
}

#[test]
fn the_mechanism_converges_with_second_order() {
    let example = four_bar::example();
    let curves = four_bar::convergence(&example, "lie_alpha", 10, 7..=8).expect("runs");
    for (quantity, name) in [(0, "q"), (2, "λ")] {
        let found = order(&curves[0], quantity);
        assert!((found - 2.0).abs() < 0.25, "{name}: {found}");
    }
}

#[test]
fn an_aligned_mechanism_stays_in_its_plane() {
    let object = json(&four_bar::example(), "--set misalignment=0 --end 0.4 --elements 4");
    let middle = numbers(&object["samples"][0]["observables"]["middle_position"]);
    assert!(middle[2].abs() < 1e-12, "{middle:?}");
    // A parallelogram: BC is displaced along the circle of B by the driven angle (eq. 86).
    let t = 0.4_f64;
    let turn = 4.0 * core::f64::consts::PI;
    let angle = -10.0 * (t * t / 2.0 + ((turn * t).cos() - 1.0) / (turn * turn));
    let expected = [0.12 - 0.12 * angle.sin(), 0.12 * angle.cos()];
    for (found, expected) in middle.iter().zip(expected) {
        assert!((found - expected).abs() < 1e-4, "{middle:?} {expected}");
    }
    let (status, _, stderr) = command(&four_bar::example(), "--elements 0");
    assert_eq!(status, Status::Misused, "{stderr}");
}
