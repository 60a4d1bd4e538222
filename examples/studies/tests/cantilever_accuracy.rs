//! TR-BDF2 against Newmark's method on the right-angle cantilever (paper 4, section IV.B, Figs. 7-9).

use crate::right_angle_cantilever::model::{at_rest, cubic, kirchhoff, quadratic, shear_flexible};
use lie_runtime::integrator::generalized_alpha::Parameters;
use lie_runtime::integrator::{GeneralizedAlpha, Integrator, TrBdf2};
use lie_runtime::prelude::*;

/// Elements of a leg.
const ELEMENTS: usize = 5;
/// The interval of the paper.
const END: f64 = 4.0;

/// Displacement and frame of the elbow at eight times; none if the run fails.
type Motion = Option<Vec<(Vector3<f64>, S3)>>;

/// The motion of so many elements a leg.
macro_rules! motion {
    ($module:ident, $elements:expr, $method:expr, $stretching:expr, $steps:expr) => {{
        let edges = $elements * $module::ORDER;
        let nodes = at_rest(edges).expect("two lines");
        let mut section = $module::Section::of_simo_and_vu_quoc(edges);
        section.stretching = Vector3::repeat($stretching);
        let system = $module::System::new(section, $module::Lengths { nodes: nodes.len() }).expect("a cantilever");
        let times: Vec<f64> = (1..=8).map(|part| END * f64::from(part) / 8.0).collect();
        let run = Simulation::of(&system)
            .initial($module::Cantilever { nodes }, system.zero_velocity())
            .method($method)
            .step(END / f64::from($steps))
            .end_time(END)
            .output_times(&times)
            .run();
        let of =
            |q: &$module::Cantilever| ($module::elbow_displacement(system.parameters(), q), q.nodes[edges].rotation);
        let motion: Motion = run.ok().map(|run| run.states.iter().map(|state| of(&state.configuration)).collect());
        motion
    }};
}

/// The motion of two-node elements.
fn elbow(method: impl Integrator<shear_flexible::System>, stretching: f64, steps: i32) -> Motion {
    motion!(shear_flexible, ELEMENTS, method, stretching, steps)
}

/// The largest distance and the largest angle between two motions of the elbow; infinite if a run has failed.
fn errors(found: Motion, exact: &[(Vector3<f64>, S3)]) -> [f64; 2] {
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
        let found = errors(elbow(TrBdf2::new(), STIFF, steps), &exact);
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

/// The third stage adds an order if the steps resolve every mode.
#[test]
fn the_third_stage_is_of_third_order_where_no_mode_is_stiff() {
    let exact = elbow(HalfExplicit::hedop5(), SOFT, 1 << 11).expect("runs");
    let mut last = [f64::NAN; 2];
    for steps in [256, 512, 1024] {
        let found = errors(elbow(TrBdf2::third_order(), SOFT, steps), &exact);
        let other = errors(elbow(newmark(), SOFT, steps), &exact);
        for k in 0..2 {
            assert!(found[k] < 0.2 * other[k], "{steps} steps: {found:?}, Newmark {other:?}");
            assert!(steps < 512 || (last[k] / found[k]).log2() > 2.7, "{steps} steps: {last:?} {found:?}");
        }
        last = found;
    }
}

/// The weights of order 3 let undamped oscillations grow, here (ω h = 16) until the run fails with an error.
#[test]
fn the_third_stage_does_not_bear_stiff_modes() {
    for id in ["tr_bdf2_third_order", "tr_bdf2_configuration"] {
        let method = TrBdf2::by_id(id).expect("listed");
        assert!(elbow(method, STIFF, 256).is_none(), "{id}");
    }
}

/// The load begins with zero: the first increments are 1e-8, under which the round-off of the constraints is 1e-16.
#[test]
fn short_steps_from_rest_converge() {
    let section = kirchhoff::Section::of_simo_and_vu_quoc(ELEMENTS);
    let nodes = at_rest(ELEMENTS).expect("two lines");
    let system = kirchhoff::System::new(section, kirchhoff::Lengths { nodes: nodes.len() }).expect("a cantilever");
    for step in [5e-3, 2e-3, 1e-3, 1e-4] {
        let run = Simulation::of(&system)
            .initial(kirchhoff::Cantilever { nodes: nodes.clone() }, system.zero_velocity())
            .method(TrBdf2::new())
            .step(step)
            .end_time(20.0 * step)
            .run();
        let run = run.unwrap_or_else(|error| panic!("h = {step}: {error}"));
        let iterations = run.statistics.newton_iterations.expect("an implicit method");
        assert!(iterations < 9.0, "h = {step}: {iterations} in two stages");
    }
}

/// Doubling the number of elements reduces the errors of elements of order p by a factor of 2^(p+1) or more, against one mesh of many cubic
/// elements; few elements of higher order are as good as many of two nodes.
#[test]
fn elements_of_higher_order_need_fewer_nodes() {
    let method = || GeneralizedAlpha::index3(Parameters::simo_vu_quoc());
    let steps = 64;
    let exact = motion!(cubic, 20, method(), STIFF, steps).expect("runs");
    let error = |found: Motion| errors(found, &exact)[0];
    let two = [5, 10].map(|elements| error(motion!(shear_flexible, elements, method(), STIFF, steps)));
    let three = [5, 10].map(|elements| error(motion!(quadratic, elements, method(), STIFF, steps)));
    let four = [3, 6].map(|elements| error(motion!(cubic, elements, method(), STIFF, steps)));
    let order = |[coarse, fine]: [f64; 2]| (coarse / fine).log2();
    println!("{two:?} {three:?} {four:?}: {} {} {}", order(two), order(three), order(four));
    assert!((order(two) - 2.0).abs() < 0.3, "{two:?}");
    assert!(order(three) > 2.7, "{three:?}");
    assert!(order(four) > 3.5, "{four:?}");
    assert!(three[0] < 0.1 * two[0] && four[0] < 0.1 * two[0], "{two:?} {three:?} {four:?}");
}
