//! No slip, no loss, steady circles.

use crate::rolling_disc;
use harness::Sample;
use rolling_disc::{METHODS, example, largest, largest_change, run};

#[test]
fn the_disc_neither_slips_nor_leaves_the_plane() {
    for method in METHODS {
        // As far as the iteration goes: explicit methods have none.
        let settings: &[_] = if method == "hedop5" { &[] } else { &[("newton_tolerance", "1e-13")] };
        let run = run(&example(), method, 0.005, 4.0, settings).unwrap();
        let slip = largest(&run, |sample| sample.observable("slip")[0]);
        let height = largest(&run, |sample| sample.residual.position);
        let tilts: Vec<f64> = run.history.iter().map(|sample| sample.observable("tilt")[0]).collect();
        let wobble = tilts.iter().fold(0.0_f64, |largest, tilt| largest.max((tilt - tilts[0]).abs()));
        println!("{method}: slip {slip:.1e}, height {height:.1e}, wobble {wobble:.2}");
        // The velocities are of 3 m/s: some 30 units of round-off.
        assert!(slip < 2e-14, "{method}: {slip:e}");
        assert!(height < if method == "hedop5" { 1e-7 } else { 1e-14 }, "{method}: {height:e}");
        assert!(wobble > 0.2, "{method}: {wobble}");
    }
}

#[test]
fn constraints_do_no_work() {
    for method in METHODS {
        let changes = [0.005, 0.0025].map(|step| largest_change(&run(&example(), method, step, 4.0, &[]).unwrap()));
        let order = (changes[0] / changes[1]).log2();
        println!("{method}: {changes:?}, order {order:.2}");
        let expected = match method {
            "hedop5" => 4.5,
            "bliedf4_stab2" => 4.0,
            _ => 2.0,
        };
        assert!(order > expected - 0.3, "{method}: {order}");
    }
}

/// The condition of steady rolling was found from Newton's and Euler's laws, not from the declaration.
#[test]
fn with_the_right_spin_it_rolls_in_a_circle() {
    for (tilt, precession) in [("1.1", "2"), ("0.7", "3"), ("2.2", "-2.5")] {
        let settings = [("tilt", tilt), ("precession", precession), ("excess", "1")];
        let run = run(&example(), "hedop5", 0.002, 5.0, &settings).unwrap();
        let tilt: f64 = tilt.parse().unwrap();
        let change = largest(&run, |sample: &Sample| sample.observable("tilt")[0] - tilt);
        println!("tilt {tilt}: {change:e}");
        assert!(change < 1e-9, "{tilt} {precession}: {change:e}");
    }
}
