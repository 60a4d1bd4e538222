//! Residuals of positions are watched.

use lie_runtime::prelude::*;
use lie_runtime::simulate::SetupError;

use crate::models::{driven_off, linkage};

/// |x|² = 1 and x = t: half-explicit methods keep B v + b = 0, and follow x = t off the circle.
#[test]
fn a_motion_that_leaves_its_constraint_is_an_error() {
    let system = driven_off::System::new().unwrap();
    let start = driven_off::Point { place: Vector2::new(0.0, 1.0) };
    let run = || Simulation::of(&system).initial(start, Vector2::new(1.0, 0.0)).step(0.01).end_time(1.5);
    for method in HalfExplicit::all() {
        let error = run().method(method).run().unwrap_err();
        let id = method.tableau().id;
        let Failure::OffConstraints { time, row, residual, scale, tolerance } = error.failure else {
            // Some come so near to the singular point that they fail there.
            assert!(matches!(error.failure, Failure::Step(_) | Failure::Diverged { .. }), "{id}: {error}");
            continue;
        };
        assert_eq!((row.constraint, row.row), ("circle", 0), "{id}");
        assert!((1.0..1.4).contains(&time) && residual > tolerance * scale && scale > 1.0, "{id}: {error}");
        let last = error.last.as_ref().unwrap();
        // The last good state is on the circle, up to the tolerance and what may be added to it between two comparisons; and it
        // is one of the last 32 steps.
        let off = (last.configuration.place.norm_squared() - 1.0).abs();
        assert!(off <= 1.5 * tolerance * scale, "{id}: {off:e} {scale:e}, {last:?}");
        assert!((0.0..=0.32 + 1e-9).contains(&(time - last.time)) && last.time < time, "{id}: {last:?}");
        assert!(error.trajectory.last().unwrap().time <= last.time);
        assert!(error.trajectory.statistics.position_residual >= residual);
        assert!(error.to_string().contains("the residual of constraint `circle` row 0"), "{error}");
    }
    // It can be allowed, and is told then.
    let whole = run().constraint_tolerance(f64::INFINITY).run().unwrap();
    assert!(whole.statistics.position_residual > 1.0, "{:?}", whole.statistics);
    // Recorded or not.
    let error = run().output_times(&[1.5]).run().unwrap_err();
    assert!(matches!(error.failure, Failure::OffConstraints { .. }), "{error}");
}

/// The closed linkage with coarse steps: a drift of O(h²) is not an error.
#[test]
fn honest_coarse_runs_pass() {
    let lengths = linkage::Lengths { crank: 1.0, coupler: 3.0, rocker: 2.5, ground: 3.2 };
    let system = linkage::System::new(lengths).unwrap();
    let start =
        linkage::Bars { crank: SO2::from_angle(0.7), coupler: SO2::from_angle(0.4), rocker: SO2::from_angle(1.9) };
    let run = |h: f64| {
        let run = Simulation::of(&system).initial(start, Vector3::new(2.0, 0.0, 0.0)).fix_initial(["crank"]);
        run.method(HalfExplicit::herk2_heun()).step(h).end_time(5.0).run().unwrap()
    };
    let (coarse, fine) = (run(0.02).statistics.position_residual, run(0.01).statistics.position_residual);
    assert!(coarse > 1e-6 && (coarse / fine).log2() > 1.5, "{coarse:e} {fine:e}");
}

#[test]
fn tolerances_are_checked() {
    let system = driven_off::System::new().unwrap();
    for bad in [-1.0, f64::NAN] {
        let start = driven_off::Point { place: Vector2::new(0.0, 1.0) };
        let run = Simulation::of(&system).initial(start, Vector2::new(1.0, 0.0)).step(0.01).end_time(0.5);
        let error = run.constraint_tolerance(bad).run().unwrap_err();
        assert!(matches!(error.failure, Failure::Setup(SetupError::Limit { .. })), "{error}");
        assert!(error.to_string().contains("constraint_tolerance"), "{error}");
    }
}
