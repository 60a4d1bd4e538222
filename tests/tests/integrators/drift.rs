//! Drift off the constraints: round-off where B is constant on the constraint and λ consistent, of the order of the
//! method elsewhere.

use fixtures::measure::{order, position_residual, velocity_residual};
use fixtures::systems::formulation::HeavyTop;
use fixtures::systems::heavy_tops::{s3r3, s3xr3, se3, so3xr3};
use lie_runtime::prelude::*;

/// The largest |Φ|∞ and |B v|∞ over the steps in [0, end].
fn largest<M: HeavyTop>(method: HalfExplicit, h: f64, end: f64) -> [f64; 2] {
    let top = M::of_the_paper();
    let (q, v) = M::initial();
    let mut largest = [0.0_f64; 2];
    let run = Simulation::of(&top).initial(q, v).method(method).step(h).end_time(end);
    let run = run.output_times(&[]).on_step(|state| {
        largest[0] = largest[0].max(position_residual(&top, state));
        largest[1] = largest[1].max(velocity_residual(&top, state));
    });
    run.run().unwrap();
    largest
}

/// |Φ| at `end`.
fn at_end<M: HeavyTop>(method: HalfExplicit, h: f64, end: f64) -> f64 {
    let top = M::of_the_paper();
    let (q, v) = M::initial();
    let run =
        Simulation::of(&top).initial(q, v).method(method).step(h).end_time(end).output_times(&[end]).run().unwrap();
    let mut residual = top.zero_multipliers();
    top.constraint(end, &run.last().configuration, &mut residual);
    residual.norm()
}

/// Methods whose λ comes from a last stage at the end of the step: Λ_s̄ is consistent there.
fn is_consistent(method: HalfExplicit) -> bool {
    method.tableau().first_same_as_last()
}

/// The half-explicit methods with "round-off" in the tables on SE(3).
const DRIFT_FREE: [&str; 6] =
    ["herk2_heun_lambda2", "herk2_midpoint_lambda2", "herk3_lambda3", "herk4", "herk4_rational", "hedop5"];

/// The position is of size 1: some 50 units of round-off after 1024 steps.
fn assert_round_off<M: HeavyTop>() {
    for method in HalfExplicit::all().filter(|method| DRIFT_FREE.contains(&method.tableau().id)) {
        // A few hundred steps from instability: round-off it is, not accuracy.
        let [position, _] = largest::<M>(method, 1.0 / 1024.0, 1.0);
        println!("{} {}: {position:.1e}", M::GROUP, method.tableau().id);
        assert!(position < 1.2e-14, "{}: {position:e}", method.tableau().id);
        assert!(is_consistent(method));
    }
}

#[test]
fn nothing_drifts_on_semidirect_products() {
    assert_round_off::<se3::System>();
    assert_round_off::<s3r3::System>();
}

/// B = [X~, I] is constant on the constraint set of SE(3): where Φ does not drift, B v does not either.
#[test]
fn velocities_satisfy_their_constraint_to_round_off() {
    for method in HalfExplicit::all() {
        // |v| = 150: B v is satisfied by every step, on every group, to ε |v|.
        for residual in [
            largest::<se3::System>(method, 1.0 / 2048.0, 0.25)[1],
            largest::<s3r3::System>(method, 1.0 / 2048.0, 0.25)[1],
            largest::<so3xr3::System>(method, 1.0 / 2048.0, 0.25)[1],
            largest::<s3xr3::System>(method, 1.0 / 2048.0, 0.25)[1],
        ] {
            assert!(residual < 1e-12, "{}: {residual:e}", method.tableau().id);
        }
    }
}

/// The published d of p = 2, 3 drift linearly on SE(3): 2.4e-8 per unit of time for p = 3, h = 1/2048.
#[test]
fn published_multipliers_of_low_order_drift_linearly_on_se3() {
    let h = 1.0 / 2048.0;
    let (one, two) =
        (at_end::<se3::System>(HalfExplicit::herk3(), h, 1.0), at_end::<se3::System>(HalfExplicit::herk3(), h, 2.0));
    println!("herk3: {one:.2e} at 1, {two:.2e} at 2");
    assert!((one / 2.4e-8 - 1.0).abs() < 0.1, "{one:e}");
    assert!((two / one - 2.0).abs() < 0.2, "{one:e} {two:e}");
    for (method, expected) in
        [(HalfExplicit::herk2_heun(), 2.0), (HalfExplicit::herk2_midpoint(), 2.0), (HalfExplicit::herk3(), 4.0)]
    {
        let steps = if expected > 3.0 { 2048.0 } else { 32_768.0 };
        let rate = order(
            largest::<se3::System>(method, 1.0 / steps, 1.0)[0],
            largest::<se3::System>(method, 0.5 / steps, 1.0)[0],
        );
        println!("{}: drift of order {rate:.2} on SE(3)", method.tableau().id);
        assert!((rate - expected).abs() < 0.3, "{}: {rate}", method.tableau().id);
        assert!(!is_consistent(method));
    }
}

/// On direct products the residual is of the order of the method; the oscillating, slowly growing part of it makes the
/// observed rate vary by some tenths.
fn assert_order_of_drift<M: HeavyTop>() {
    for method in HalfExplicit::all() {
        let tableau = method.tableau();
        let steps = [16_384.0, 4096.0, 2048.0, 1024.0][tableau.order - 2];
        let (coarse, fine) = (largest::<M>(method, 1.0 / steps, 1.0)[0], largest::<M>(method, 0.5 / steps, 1.0)[0]);
        let rate = order(coarse, fine);
        println!("{} {}: {coarse:.1e} {fine:.1e} order {rate:.2}", M::GROUP, tableau.id);
        assert!((rate - tableau.order as f64).abs() < 0.4, "{}: {rate:.2}, {coarse:e} {fine:e}", tableau.id);
    }
}

#[test]
fn drift_on_so3_x_r3_is_of_the_order_of_the_method() {
    assert_order_of_drift::<so3xr3::System>();
}

#[test]
fn drift_on_s3_x_r3_is_of_the_order_of_the_method() {
    assert_order_of_drift::<s3xr3::System>();
}

/// HEDOP5 on SO(3) × R³ with h = 1/2048: 1.6e-12 at t = 1, 3.0e-12 at t = 10.
#[test]
fn drift_of_order_five_grows_slowly() {
    let h = 1.0 / 2048.0;
    let method = HalfExplicit::hedop5();
    let (one, ten) = (at_end::<so3xr3::System>(method, h, 1.0), at_end::<so3xr3::System>(method, h, 10.0));
    println!("hedop5: {one:.2e} at 1, {ten:.2e} at 10");
    assert!((one / 1.6e-12 - 1.0).abs() < 0.15, "{one:e}");
    // 20480 steps of round-off 1e-16 add up to some 1e-14 to 1e-13.
    assert!((ten / 3.0e-12 - 1.0).abs() < 0.15, "{ten:e}");
}
