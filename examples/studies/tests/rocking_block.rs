//! Times of impacts agree with the inverted pendulum, their energy loss with Housner.

use crate::rocking_block::{SLENDERNESS, blows, kept, quarter, quarter_of_slender, run};

#[test]
fn blows_are_those_of_the_closed_form() {
    for (method, slenderness, step, end, tolerance) in [
        ("hedop5", SLENDERNESS, 2e-3, 3.0, 1e-9),
        ("hedop5", 0.5, 2e-3, 1.5, 1e-9),
        ("lie_alpha_stab2", SLENDERNESS, 5e-4, 3.0, 1e-5),
    ] {
        let run = run(slenderness, 0.8, method, step, end).unwrap();
        let expected = blows(slenderness, 0.8 * slenderness, 20);
        let found: Vec<_> = run.events_called("upright").collect();
        assert!(found.len() >= 4, "{method}: {} blows", found.len());
        for (event, (time, _)) in found.iter().zip(&expected) {
            assert!((event.time - time).abs() < tolerance, "{method}: {} and {time}", event.time);
            let ratio = event.after.as_ref().unwrap().velocity[0] / event.before.velocity[0];
            assert!((ratio - kept(slenderness)).abs() < 10.0 * tolerance, "{method}: {ratio}");
        }
        let turns = run.events_called("turns").zip(expected.iter().skip(1));
        for (event, (_, tilt)) in turns {
            let found = event.before.configuration.tilt.abs();
            assert!((found - tilt).abs() < tolerance, "{method}: {found} and {tilt}");
        }
    }
}

/// Slender blocks have Housner's period: the difference is of second order in α.
#[test]
fn slender_blocks_have_the_period_of_housner() {
    let errors = [0.1, 0.05].map(|slenderness| {
        let tilt = 0.6 * slenderness;
        (quarter(slenderness, tilt) / quarter_of_slender(slenderness, tilt) - 1.0).abs()
    });
    assert!(errors[0] < 1e-2 && (errors[0] / errors[1] - 4.0).abs() < 0.1, "{errors:?}");
}

/// The remaining motion is below the resolution of an impact: the run ends at rest, without further impacts.
#[test]
fn the_block_comes_to_rest() {
    let run = run(0.5, 0.8, "hedop5", 2e-3, 20.0).unwrap();
    assert!(run.stopped.is_some());
    assert!(run.last().unwrap().configuration.tilt.abs() < 1e-9);
}
