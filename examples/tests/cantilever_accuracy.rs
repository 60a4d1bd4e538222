//! TR-BDF2 against Newmark's method on the right-angle cantilever (paper 4, section IV.B, Figs. 7-9).

use examples::models::right_angle::shear_flexible::{Cantilever, Lengths, Section, System, elbow_displacement};
use examples::models::rods::straight;
use lie_runtime::integrator::generalized_alpha::Parameters;
use lie_runtime::integrator::{GeneralizedAlpha, Integrator, TrBdf2};
use lie_runtime::prelude::*;

/// Edges of a leg.
const ELEMENTS: usize = 5;
/// The interval of the paper.
const END: f64 = 4.0;

/// Displacement and frame of the elbow at eight times; none if the run fails.
fn elbow(method: impl Integrator<System>, stretching: f64, steps: i32) -> Option<Vec<(Vector3<f64>, S3)>> {
    let leg = 10.0;
    let section = Section {
        edge: leg / ELEMENTS as f64,
        bending: Vector3::repeat(1e3),
        stretching: Vector3::repeat(stretching),
        density: 1.0,
        inertia: Vector3::new(10.0, 10.0, 20.0),
        load: 50.0,
    };
    let system = System::new(section, Lengths { leg1: ELEMENTS + 1, leg2: ELEMENTS }).expect("a cantilever");
    let corner = Vector3::new(leg, 0.0, 0.0);
    let leg1 = straight(Vector3::zeros(), corner, ELEMENTS).expect("a line");
    let leg2 = straight(corner, corner + Vector3::new(0.0, leg, 0.0), ELEMENTS).expect("a line").split_off(1);
    let times: Vec<f64> = (1..=8).map(|part| END * f64::from(part) / 8.0).collect();
    let run = Simulation::of(&system)
        .starting_at(Cantilever { leg1, leg2 }, system.zero_velocity())
        .with(method)
        .step(END / f64::from(steps))
        .until(END)
        .sample_at(&times)
        .run()
        .ok()?;
    let of = |q: &Cantilever| (elbow_displacement(system.parameters(), q), q.leg1[ELEMENTS].rotation);
    Some(run.states.iter().map(|state| of(&state.configuration)).collect())
}

/// The largest distance and the largest angle between two motions of the elbow; infinite if a run has failed.
fn errors(found: Option<Vec<(Vector3<f64>, S3)>>, exact: &[(Vector3<f64>, S3)]) -> [f64; 2] {
    let Some(found) = found else {
        return [f64::INFINITY; 2];
    };
    assert_eq!(found.len(), exact.len());
    found.iter().zip(exact).fold([0.0, 0.0], |[distance, angle], (a, b)| {
        [f64::max(distance, (a.0 - b.0).norm()), f64::max(angle, (b.1.inverse() * a.1).log().norm())]
    })
}

fn newmark() -> GeneralizedAlpha {
    GeneralizedAlpha::index3(Parameters::simo_vu_quoc())
}

/// The stiffness against shear and stretch of the paper: the fastest mode has ω = 1000/s.
const STIFF: f64 = 1e6;
/// The fastest mode has ω = 32/s.
const SOFT: f64 = 1e3;

/// At every step size about half the error, both of second order.
#[test]
fn the_l_stable_method_is_more_accurate_than_newmark_at_every_step() {
    let exact = elbow(HalfExplicit::hedop5(), STIFF, 1 << 12).expect("runs");
    let mut last = [f64::NAN; 2];
    for steps in [32, 64, 128, 256, 512] {
        let found = errors(elbow(TrBdf2::l_stable(), STIFF, steps), &exact);
        let other = errors(elbow(newmark(), STIFF, steps), &exact);
        for k in 0..2 {
            let ratio = other[k] / found[k];
            assert!(ratio > 1.7 && ratio < 2.5, "{steps} steps: {found:?}, Newmark {other:?}");
            assert!(
                steps < 128 || ((last[k] / found[k]).log2() - 2.0).abs() < 0.15,
                "{steps} steps: {last:?} {found:?}"
            );
        }
        last = found;
    }
}

/// What the third stage adds is an order, where the steps resolve every mode.
#[test]
fn the_third_stage_is_of_third_order_where_no_mode_is_stiff() {
    let exact = elbow(HalfExplicit::hedop5(), SOFT, 1 << 11).expect("runs");
    let mut last = [f64::NAN; 2];
    for steps in [256, 512, 1024] {
        let found = errors(elbow(TrBdf2::new(), SOFT, steps), &exact);
        let other = errors(elbow(newmark(), SOFT, steps), &exact);
        for k in 0..2 {
            assert!(found[k] < 0.2 * other[k], "{steps} steps: {found:?}, Newmark {other:?}");
            assert!(steps < 512 || (last[k] / found[k]).log2() > 2.7, "{steps} steps: {last:?} {found:?}");
        }
        last = found;
    }
}

/// The weights of order 3 let undamped oscillations grow, here (ω h = 16) until the run fails; it says so.
#[test]
fn the_third_stage_does_not_bear_stiff_modes() {
    for id in ["tr_bdf2", "tr_bdf2_configuration"] {
        let method = TrBdf2::by_id(id).expect("listed");
        assert!(elbow(method, STIFF, 256).is_none(), "{id}");
    }
}
