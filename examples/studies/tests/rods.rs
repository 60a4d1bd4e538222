//! The rods of paper 1: the reference, Figs. 9-12, the energy, the ring, and the flags of both examples.

use crate::flying_spaghetti as spaghetti;
use crate::roll_up as ring;
use std::fs;
use std::path::PathBuf;

use super::support::{command, json};
use harness::chains::centreline;
use harness::study::rods::MODELS;
use harness::study::rods::RodStudy;
use harness::study::{Curve, steps};
use harness::{Request, Status};
use lie_runtime::prelude::*;
use models::rods::studies::{FLYING_SPAGHETTI, ROLL_UP};
use models::rods::{RodSection, flying_spaghetti, straight};
use serde_json::Value;

fn close(found: &[f64], expected: &[f64], tolerance: f64) {
    assert_eq!(found.len(), expected.len());
    let error = found.iter().zip(expected).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
    assert!(error < tolerance, "{found:?} is off by {error:e}");
}

/// The exact motion of the semi-discrete rod with shear at t = 1; computed with 113 bits, all digits are right.
#[test]
fn the_reference_of_the_free_rod_is_met() {
    const ELEMENTS: usize = 16;
    let section = flying_spaghetti::Section::of_paper_1(0.0);
    let system =
        flying_spaghetti::System::new(section, flying_spaghetti::Lengths { nodes: ELEMENTS + 1 }).expect("a system");
    let nodes = straight(Vector3::new(6.0, 0.0, 0.0), Vector3::new(0.0, 8.0, 0.0), ELEMENTS).expect("a line");
    let velocity = system.zero_velocity();
    let run = Simulation::of(&system)
        .initial(flying_spaghetti::Rod { nodes }, velocity)
        .method(HalfExplicit::hedop5())
        .step(5e-4)
        .end_time(1.0)
        .run()
        .expect("runs");
    let last = run.last();
    let nodes = &last.configuration.nodes;
    let (first, end) = (&nodes[0], &nodes[ELEMENTS]);
    close(
        first.translation.as_slice(),
        &[5.587_159_504_199_576, -0.279_772_201_123_352_6, 0.195_320_790_116_127_13],
        1e-11,
    );
    close(
        end.translation.as_slice(),
        &[0.118_765_706_214_516_1, 7.974_702_502_488_659, -0.017_034_720_003_708_318],
        1e-11,
    );
    close(
        &first.rotation.coordinates(),
        &[0.629_098_041_550_248_1, -0.635_886_148_987_22, -0.382_829_287_909_558_45, -0.230_924_654_297_686_13],
        1e-11,
    );
    let (kinetic, elastic) = (
        system.kinetic_energy(1.0, &last.configuration, &last.velocity),
        system.potential_energy(1.0, &last.configuration),
    );
    close(&[kinetic, elastic], &[10.547_062_654_331_011, 16.847_328_657_621_794], 1e-9);
}

/// The order of the last two points.
fn orders(curve: &Curve, quantity: usize) -> f64 {
    *curve.orders(quantity).last().expect("points")
}

/// Fig. 9 with fewer steps.
#[test]
fn methods_have_their_orders() {
    let ring = RodStudy {
        end: 1.0,
        reference: 11,
        ladders: [("herk2_heun", 9..=10), ("herk3", 8..=9), ("herk4", 8..=9), ("hedop5", 8..=9)],
        ..ROLL_UP
    };
    let spaghetti = RodStudy {
        end: 0.5,
        reference: 12,
        ladders: [("herk2_heun", 10..=11), ("herk3", 10..=11), ("herk4", 9..=10), ("hedop5", 8..=9)],
        ..FLYING_SPAGHETTI
    };
    for (example, study, tolerance) in [(ring::example(), ring, 0.3), (spaghetti::example(), spaghetti, 0.4)] {
        for model in MODELS {
            let curves = study.convergence(&example, model).expect("runs");
            for (curve, order) in curves.iter().zip([2.0, 3.0, 4.0, 5.0]) {
                for quantity in [0, 1] {
                    let found = orders(curve, quantity);
                    let name = format!("{} {model} {}", example.name, curve.method);
                    assert!((found - order).abs() < tolerance, "{name}: {found} of {quantity}");
                }
            }
            assert_eq!(orders(&curves[3], 2).is_nan(), model == "shear_flexible", "multipliers of {model}");
        }
    }
}

/// Fig. 10: err = O(h^5).
#[test]
fn estimates_fall_with_the_fifth_power() {
    for (example, study) in [(ring::example(), ROLL_UP), (spaghetti::example(), FLYING_SPAGHETTI)] {
        let study = RodStudy { estimate_end: 1.0, ..study };
        for model in MODELS {
            let estimates = study.estimates(&example, model).expect("runs");
            let sizes: Vec<f64> = estimates.iter().map(|(h, _)| *h).collect();
            close(&sizes, &[2.0, 1.0, 0.5].map(|factor| factor * study.estimate_step), 1e-15);
            let last = estimates[1].1.last().map_or(f64::NAN, |(time, _)| *time);
            assert!((last + study.estimate_step - 1.0).abs() < 1e-9, "{last}");
            for ratio in steps::ratios(&estimates) {
                assert!(ratio > 25.0 && ratio < 40.0, "{} {model}: {ratio}", example.name);
            }
        }
    }
}

/// Figs. 11 and 12.
#[test]
fn steps_grow_where_the_motion_settles() {
    let largest = |run: &harness::Outcome, from: f64, to: f64| {
        let between = run.steps.iter().filter(|step| step.accepted && step.time >= from && step.time < to);
        between.map(|step| step.step).fold(0.0, f64::max)
    };
    let model = ("model", "kirchhoff");
    let ring = ROLL_UP.controlled(&ring::example(), &[model], 5.0).expect("runs");
    let stiff = ROLL_UP.controlled(&ring::example(), &[model, ("bending", "5e4,5e4,5e4")], 5.0).expect("runs");
    let spaghetti = FLYING_SPAGHETTI.controlled(&spaghetti::example(), &[model], 5.0).expect("runs");
    for run in [&ring, &stiff, &spaghetti] {
        assert!(run.steps.iter().filter(|step| step.accepted).all(|step| step.error <= 1.0));
    }
    assert!(largest(&ring, 1.0, 5.0) > 1.7 * largest(&ring, 0.1, 1.0));
    assert!(largest(&spaghetti, 1.0, 5.0) < 1.3 * largest(&spaghetti, 0.1, 1.0));
    assert!(stiff.accepted > ring.accepted, "{} {}", stiff.accepted, ring.accepted);
    assert!(largest(&stiff, 4.0, 5.0) > 2.0 * largest(&stiff, 0.1, 0.5));
}

#[test]
fn the_free_rod_keeps_its_energy_to_the_order_of_the_method() {
    for model in MODELS {
        let [coarse, fine] = spaghetti::changes_of_energy(&spaghetti::example(), model, 0.004).expect("runs");
        assert!(coarse < 1e-8, "{model}: {coarse:e}");
        assert!((coarse / fine).log2() > 4.8, "{model}: {coarse:e}, {fine:e}");
    }
}

#[test]
fn the_ring_closes() {
    let example = ring::example();
    for model in MODELS {
        // The slowest oscillation decays by 0.06/s.
        let request = Request::fixed("lie_alpha", 0.05, 100.0).every(1).with("model", model).expect("a setting");
        let run = example.variant("s3r3").and_then(|variant| variant.run(&request)).expect("runs");
        assert!(run.failure.is_none());
        let late = run.history.iter().filter(|sample| sample.t > 85.0).map(ring::gap).fold(0.0, f64::max);
        assert!(late < 1e-3, "{model}: {late:e}");
        // A regular octagon, not a knot: the node opposite is a diameter of the inscribed circle away.
        let nodes = centreline(&run.samples[0].configuration, "nodes");
        let distance = nodes[0].iter().zip(nodes[4]).map(|(a, b)| (a - b).powi(2)).sum::<f64>().sqrt();
        assert!((distance - 10.0 / core::f64::consts::PI).abs() < 0.01, "{model}: {distance}");
    }
}

#[test]
fn models_and_lengths_are_chosen_on_the_command_line() {
    for (example, clamped) in [(spaghetti::example(), 0), (ring::example(), 1)] {
        for (model, rows) in [("shear_flexible", 0), ("kirchhoff", 2)] {
            let object = json(&example, &format!("--model {model} --elements 5 --step 0.001 --end 0.01"));
            assert_eq!(object["dof"], 6 * (6 - clamped));
            assert_eq!(object["constraints"], 5 * rows);
            let sample = &object["samples"][0];
            assert_eq!(sample["configuration"]["nodes"].as_array().map(Vec::len), Some(6));
            assert_eq!(sample["observables"]["first_position"], sample["configuration"]["nodes"][0]["translation"]);
            assert_eq!(sample["observables"]["last_position"], sample["configuration"]["nodes"][5]["translation"]);
            assert!(sample["residual"]["position"].as_f64().is_some_and(|residual| residual < 1e-9));
        }
        for (arguments, expected) in [
            ("--elements 0", "from 1 to"),
            ("--elements 99999999999", "from 1 to"),
            ("--elements -1", "whole number"),
            ("--elements 2.5", "whole number"),
            ("--model kirchoff", "did you mean `kirchhoff`"),
            ("--set modle=kirchhoff", "did you mean `model`"),
            ("--set bending=1,2", "3 components"),
            ("--group se3", "s3r3"),
        ] {
            let (status, _, stderr) = command(&example, &format!("--end 0.01 {arguments}"));
            assert_eq!(status, Status::Misused, "{arguments}: {stderr}");
            assert!(stderr.contains(expected), "{arguments}: {stderr}");
        }
        assert_eq!(command(&example, "--list-groups").1, "s3r3\n");
        assert!(command(&example, "--help").1.contains("--elements"));
    }
}

#[test]
fn implicit_methods_run_rods() {
    for method in ["lie_alpha", "lie_alpha_stab2", "ul_crv"] {
        let object = json(&ring::example(), &format!("--model kirchhoff --method {method} --step 0.02 --end 0.5"));
        let explicit = json(&ring::example(), "--model kirchhoff --step 0.002 --end 0.5");
        let tip = |object: &Value| -> Vec<f64> {
            let tip = &object["samples"][0]["observables"]["last_position"];
            tip.as_array().into_iter().flatten().filter_map(Value::as_f64).collect()
        };
        close(&tip(&object), &tip(&explicit), 0.02);
    }
}

#[test]
fn trajectories_go_to_files() {
    let folder = PathBuf::from(env!("CARGO_TARGET_TMPDIR")).join("rod_trajectory");
    let _ = fs::remove_dir_all(&folder);
    let (status, _, stderr) = command(&spaghetti::example(), &format!("--end 0.05 --out {}", folder.display()));
    assert_eq!(status, Status::Done, "{stderr}");
    let table = fs::read_to_string(folder.join("trajectory.csv")).expect("a table");
    assert_eq!(table.lines().count(), 52);
    assert!(table.starts_with("t,"));
}
