//! The drive does the work, and the crank is where it has to be.

use crate::driven_joint;
use driven_joint::{METHODS, balance, example, largest, run, torque};

/// The angle of paper 2, eq. (86), with ω = −5 and t_s = 0.5.
fn angle(t: f64) -> f64 {
    let (omega, rise) = (-5.0, 0.5);
    let turn = core::f64::consts::TAU / rise;
    if t < rise {
        omega / rise * (0.5 * t * t + ((turn * t).cos() - 1.0) / (turn * turn))
    } else {
        omega * (t - 0.5 * rise)
    }
}

#[test]
fn energy_comes_from_the_drive() {
    for method in METHODS {
        let errors = [0.002, 0.001].map(|step| largest(&balance(&run(&example(), method, step, 2.0).unwrap())));
        let order = (errors[0] / errors[1]).log2();
        println!("{method}: {errors:?}, order {order:.2}");
        // Where the rise ends θ'''' jumps, and λ of several steps is wrong there by h² during O(1) steps; Simpson's rule
        // is of order 4.
        let (limit, expected) = match method {
            "hedop5" => (1e-8, 4.0),
            "bliedf4_stab2" => (5e-6, 3.0),
            _ => (1e-3, 2.0),
        };
        assert!(errors[1] < limit, "{method}: {}", errors[1]);
        assert!((order - expected).abs() < 0.2, "{method}: {order}");
    }
}

#[test]
fn the_crank_follows_the_drive() {
    for method in METHODS {
        let run = run(&example(), method, 0.004, 2.0).unwrap();
        // Half-explicit methods meet the constraint at the level of velocities.
        let limit = if method == "hedop5" { 1e-11 } else { 1e-13 };
        for sample in &run.history {
            let rotation = sample.configuration.get("crank").unwrap().get("rotation").unwrap().numbers();
            let (sin, cos) = angle(sample.t).sin_cos();
            let off = (rotation[0] - cos).abs().max((rotation[3] - sin).abs());
            assert!(off < limit, "{method} at {}: {off:e}", sample.t);
            assert!(sample.residual.position < limit, "{method}: {:e}", sample.residual.position);
        }
        let velocity = run.history.iter().map(|sample| sample.residual.velocity).fold(0.0, f64::max);
        // Index-3 forms meet it at the level of positions only.
        let limit = if ["lie_alpha", "bliedf2"].contains(&method) { 2e-3 } else { 1e-13 };
        assert!(velocity < limit, "{method}: {velocity:e}");
    }
}

#[test]
fn methods_agree_about_the_torque() {
    let exact = run(&example(), "hedop5", 0.001, 2.0).unwrap();
    for method in METHODS {
        let run = run(&example(), method, 0.002, 2.0).unwrap();
        let pairs = run.history.iter().zip(exact.history.iter().step_by(2)).skip(5);
        let error = pairs.map(|(a, b)| (torque(a) - torque(b)).abs()).fold(0.0, f64::max);
        println!("{method}: {error:e}");
        assert!(error < 0.02, "{method}: {error}");
    }
}
