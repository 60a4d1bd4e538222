//! Observed orders of q, v and λ for every method on every formulation of the heavy top, against an independent
//! reference solution.

use fixtures::measure::{end_state, heavy_top_errors, order};
use fixtures::reference;
use fixtures::systems::formulation::HeavyTop;
use fixtures::systems::heavy_tops::{dq, s3r3, s3xr3, se3, so3xr3};
use lie_runtime::prelude::*;

/// How far an observed order may be from the tabulated one.
const TOLERANCE: f64 = 0.15;

/// Orders of q, v and λ in the asymptotic range, measured with extended precision by an implementation of its own.
struct Row {
    method: HalfExplicit,
    /// On SO(3) × R³; S³ × R³ agrees to round-off.
    direct: [f64; 3],
    /// On SE(3); S³ ⋉ R³ agrees to round-off.
    semidirect: [f64; 3],
}

#[rustfmt::skip]
fn table() -> [Row; 9] {
    [
        Row { method: HalfExplicit::herk2_heun(), direct: [1.98, 1.99, 1.00], semidirect: [2.00, 2.00, 0.98] },
        Row { method: HalfExplicit::herk2_midpoint(), direct: [1.99, 2.00, 1.00], semidirect: [2.00, 2.00, 0.98] },
        Row { method: HalfExplicit::herk2_heun_lambda2(), direct: [2.00, 2.00, 1.99], semidirect: [2.00, 2.00, 2.00] },
        Row { method: HalfExplicit::herk2_midpoint_lambda2(), direct: [2.00, 2.00, 1.99], semidirect: [2.00, 2.00, 2.00] },
        Row { method: HalfExplicit::herk3(), direct: [3.00, 3.00, 2.00], semidirect: [3.00, 3.00, 2.01] },
        Row { method: HalfExplicit::herk3_lambda3(), direct: [3.00, 3.00, 3.00], semidirect: [3.00, 3.00, 3.00] },
        Row { method: HalfExplicit::herk4(), direct: [4.07, 4.03, 3.00], semidirect: [4.01, 4.00, 4.00] },
        Row { method: HalfExplicit::herk4_rational(), direct: [4.05, 4.02, 3.00], semidirect: [4.01, 4.00, 4.00] },
        Row { method: HalfExplicit::hedop5(), direct: [5.07, 5.07, 4.01], semidirect: [5.00, 5.00, 5.00] },
    ]
}

/// Step numbers on [0, 1], for q and v and for λ: the order shows between so many and twice as many.
///
/// The top spins with 150 rad/s: a step has to be well under 1/1000 before the order shows, and it may not be so small
/// that round-off (of size ε |v| / h in λ) does. On SE(3) the order p − 1 of λ shows under h = 1/30000 only; above that
/// a term of higher order hides it.
fn steps(method: HalfExplicit, on_semidirect: bool) -> [u32; 2] {
    let tableau = method.tableau();
    let full_order_multipliers = tableau.multiplier_order == tableau.order;
    match (tableau.order, on_semidirect) {
        (2 | 3, true) if full_order_multipliers => [16_384, 16_384],
        (2 | 3, true) => [65_536, 65_536],
        (2, false) => [32_768, 32_768],
        (3, false) => [16_384, 16_384],
        (4, _) => [8192, 8192],
        (_, true) => [4096, 4096],
        (_, false) => [2048, 4096],
    }
}

/// The error of λ averaged, as a vector, over step sizes that are close to each other: systematic errors remain, round-off averages out.
fn mean_multiplier_error<M: HeavyTop>(exact: &reference::HeavyTop, method: &str, steps: u32) -> f64 {
    const SIZES: u32 = 32;
    let top = M::of_the_paper();
    let error = |size| {
        let state = end_state(&top, M::initial(), method, steps + steps / 128 * size, 1.0);
        state.multipliers - exact.multipliers
    };
    let sum: Vector3<f64> = (0..SIZES).map(error).sum();
    sum.norm() / f64::from(SIZES) / exact.multipliers.norm()
}

fn assert_orders<M: HeavyTop>(on_semidirect: bool) {
    let exact = reference::heavy_top();
    let mut deviations = Vec::new();
    for row in table() {
        let expected = if on_semidirect { row.semidirect } else { row.direct };
        let id = row.method.tableau().id;
        let [by_state, by_multipliers] = steps(row.method, on_semidirect);
        let state = [by_state, 2 * by_state].map(|steps| heavy_top_errors::<M>(id, steps));
        // Order 5: λ, of size 767, carries round-off of 2e-9 next to errors of 1e-8.
        let multipliers = if by_multipliers == by_state {
            state.map(|errors| errors[2])
        } else {
            [by_multipliers, 2 * by_multipliers].map(|steps| mean_multiplier_error::<M>(&exact, id, steps))
        };
        let given =
            [order(state[0][0], state[1][0]), order(state[0][1], state[1][1]), order(multipliers[0], multipliers[1])];
        println!("{:<10} {id:<24} {given:.2?} (expected {expected:?}) errors {:?}", M::GROUP, state[1]);
        if given.iter().zip(expected).any(|(given, expected)| (given - expected).abs() >= TOLERANCE || given.is_nan()) {
            deviations.push(format!("{id} on {}: {given:.3?}, not {expected:?}", M::GROUP));
        }
    }
    assert!(deviations.is_empty(), "{}", deviations.join("\n"));
}

#[test]
fn orders_on_so3_x_r3() {
    assert_orders::<so3xr3::System>(false);
}

#[test]
fn orders_on_s3_x_r3() {
    assert_orders::<s3xr3::System>(false);
}

#[test]
fn orders_on_se3() {
    assert_orders::<se3::System>(true);
}

#[test]
fn orders_on_s3_semidirect_r3() {
    assert_orders::<s3r3::System>(true);
}

/// The accuracy, not only the order: position errors of the order-5 method on SE(3) equal the errors of hand-written straight-line code.
#[test]
fn errors_of_order_five() {
    for (steps, expected) in [(1000, 2.1e-6), (2000, 6.3e-8), (10_000, 2.0e-11)] {
        let top = se3::System::of_the_paper();
        let state = end_state(&top, se3::System::initial(), "hedop5", steps, 1.0);
        let error = (state.configuration.pose.translation - reference::heavy_top().position).amax();
        assert!((0.5 * expected..1.2 * expected).contains(&error), "{steps} steps: {error:e}");
    }
}

/// The formulations with quaternions make the same steps as those with matrices: only round-off differs.
///
/// 1000 steps add up round-off of 1e-16; λ carries ε |v| / h.
fn assert_same_steps<A: HeavyTop, B: HeavyTop>() {
    for method in HalfExplicit::all() {
        let id = method.tableau().id;
        let a = end_state(&A::of_the_paper(), A::initial(), id, 1000, 1.0);
        let b = end_state(&B::of_the_paper(), B::initial(), id, 1000, 1.0);
        let attitude = (A::attitude(&a.configuration) - B::attitude(&b.configuration)).amax();
        let position = (A::position(&a.configuration) - B::position(&b.configuration)).amax();
        let velocity = (a.velocity - b.velocity).amax() / 150.0;
        let multipliers = (a.multipliers - b.multipliers).amax() / a.multipliers.amax();
        println!("{} {id}: {attitude:.1e} {position:.1e} {velocity:.1e} {multipliers:.1e}", A::GROUP);
        assert!(attitude.max(position) < 1e-12, "{id}: {attitude:e} {position:e}");
        assert!(velocity < 1e-13, "{id}: {velocity:e}");
        assert!(multipliers < 1e-11, "{id}: {multipliers:e}");
    }
}

#[test]
fn quaternions_make_the_steps_of_matrices() {
    assert_same_steps::<so3xr3::System, s3xr3::System>();
    assert_same_steps::<se3::System, s3r3::System>();
    assert_same_steps::<se3::System, dq::System>();
}
