//! What the ensembles show, against what is known of the tops.

use crate::ensemble::{sleeping_spin, spread, tilts};

/// The line between sleeping and falling tops is that of the linearised equations.
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

/// The azimuth of a fast top grows by the rate of precession, m g l / (I₃ Ω): three independent errors of one in a hundred, the
/// centre of mass in the moment of weight alone, spread it by √3 in a hundred of the angle.
#[test]
fn the_spread_is_that_of_the_precession() {
    let results = spread(400).unwrap();
    assert!(results.failures().is_empty());
    let y = results.column("observables.position[1]").unwrap();
    let last = y.spread(results.states() - 1);
    let angle = 15.0 * 9.81 / (0.468_75 * 150.0);
    let expected = 3f64.sqrt() * 0.01 * angle * angle.sin();
    println!("{last:?}, deviation {} of about {expected}", last.deviation());
    assert!((last.mean - angle.cos()).abs() < 0.1);
    assert!((last.deviation() / expected - 1.0).abs() < 0.25, "{} {expected}", last.deviation());
}
