//! A parallelogram in joint coordinates through its flat positions, without the declaration that rows may be redundant.
//!
//! Stages on both sides of the pole of their multipliers lead most explicit methods to another branch, on which a run would end without an
//! error. These methods report it; a method that passes through is right.

use fixtures::systems::redundant::passed_loops::plain;
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;

use super::parallelogram::{angles, error};

/// The error after six seconds, or the failure.
fn outcome(method: (&str, f64), (theta, rate): (f64, f64)) -> Result<f64, String> {
    let system = plain::System::new(plain::Lengths { hinges: 3 }).unwrap();
    let hinges = angles(theta).map(SO2::from_angle).to_vec();
    let start = (plain::Bars { hinges }, DVector::from_row_slice(&[rate, -rate, rate]));
    error(&system, start, |q| [q.hinges[0], q.hinges[1], q.hinges[2]], method, (theta, rate))
}

/// Explicit methods, and whether they come through at every step that is tried.
const EXPLICIT: [(&str, bool); 15] = [
    ("herk2_heun", false),
    ("herk2_midpoint", false),
    ("herk2_heun_lambda2", false),
    ("herk2_midpoint_lambda2", false),
    ("herk3", false),
    ("herk3_lambda3", false),
    ("herk4", false),
    ("herk4_rational", true),
    ("hedop5", true),
    ("lie_heun", false),
    ("rkmk3", false),
    ("rkmk4", false),
    ("rkmk5", false),
    ("cf4", false),
    ("cg4", false),
];

#[test]
fn poles_are_not_passed_unseen() {
    for motion in [(0.5, 0.0), (0.3, -8.0)] {
        for (method, passes) in EXPLICIT {
            for h in [1e-2, 4e-3, 1e-3, 3e-4] {
                let found = outcome((method, h), motion);
                println!("{motion:?} {method} {h}: {found:?}");
                match found {
                    Ok(error) => assert!(error < 1e-4, "{method} {h}: {error:e}"),
                    Err(told) => {
                        assert!(!passes, "{method} {h}: {told}");
                        assert!(told.contains("the constraints lose rank within this step"), "{method} {h}: {told}");
                    }
                }
            }
        }
    }
}

/// Hanging, and swinging far from its flat positions.
#[test]
fn what_stays_away_from_poles_is_not_refused() {
    for (method, _) in EXPLICIT {
        let error = outcome((method, 1e-2), (-1.2, 1.0)).unwrap();
        assert!(error < 5e-2, "{method}: {error:e}");
    }
}
