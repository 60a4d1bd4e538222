//! Results of the ensembles against known properties of the tops.

use lie_runtime::prelude::*;

use crate::ensemble::{heavy_top, nominal, sleeping_spin, spread, start, tilts};

/// The boundary between sleeping and falling tops follows from the linearised equations.
#[test]
fn tops_sleep_from_the_critical_spin_on() {
    let cells = tilts().unwrap();
    let (mut sleeping, mut falling) = (0, 0);
    for [spin, weight, tilt] in cells {
        let ratio = spin / sleeping_spin(weight);
        if ratio > 1.15 {
            // The amplification of a tilt at rest, Ω / √(Ω² − Ω_c²), from 0.05.
            let amplified = 0.05 * ratio / (ratio * ratio - 1.0).sqrt();
            assert!(tilt < 1.02 * amplified, "{spin} {weight}: {tilt} of {amplified}");
            sleeping += 1;
        } else if ratio < 0.9 {
            assert!(tilt > 0.5, "{spin} {weight}: {tilt}");
            falling += 1;
        }
    }
    assert!(sleeping > 1000 && falling > 700, "{sleeping} {falling}");
}

/// y of the top with these data at t = 1.
fn end(inertia: f64, length: f64, spin: f64) -> f64 {
    let mut top = nominal();
    (top.inertia.y, top.center_of_mass.y) = (inertia, length);
    let (q0, v0) = start(&top, spin);
    let system = heavy_top::System::new(top).unwrap();
    let run = Simulation::of(&system).initial(q0, v0).step(1e-3).end_time(1.0).run().unwrap();
    run.last().configuration.pose.position().y
}

/// Errors of one in a hundred are small: their squares add up, each weighted by the derivative in its direction.
#[test]
fn the_spread_is_that_of_the_slopes() {
    let results = spread(400).unwrap();
    assert!(results.failures().is_empty());
    let y = results.column("position[1]").unwrap();
    let last = y.spread(results.states() - 1);
    let data = [nominal().inertia.y, 1.0, 150.0];
    let slopes = [0, 1, 2].map(|which| {
        let changed = |part: f64| {
            let mut data = data;
            data[which] *= 1.0 + part;
            let [inertia, length, spin] = data;
            end(inertia, length, spin)
        };
        (changed(1e-3) - changed(-1e-3)) / 2e-3
    });
    let expected = 0.01 * slopes.iter().map(|slope| slope * slope).sum::<f64>().sqrt();
    println!("{last:?}, deviation {} of about {expected}", last.deviation());
    let [inertia, length, spin] = data;
    assert!((last.mean - end(inertia, length, spin)).abs() < 0.1 * expected, "{}", last.mean);
    assert!((last.deviation() / expected - 1.0).abs() < 0.1, "{} {expected}", last.deviation());
}
