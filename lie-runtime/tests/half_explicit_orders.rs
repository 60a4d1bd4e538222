//! Orders of q, v and λ on the heavy top against the reference solution (t = 1).

mod support;

use lie_runtime::integrator::HalfExplicit;
use lie_runtime::prelude::*;
use support::heavy_top_se3::HeavyTop;
use support::heavy_top_so3r3::DirectTop;
use support::reference;

/// Relative errors of q, v, λ at t = 1.
fn errors_se3(method: HalfExplicit, steps: usize) -> [f64; 3] {
    let top = HeavyTop::of_the_paper();
    let (q, v) = HeavyTop::initial();
    let end = Simulation::of(&top)
        .starting_at(q, v)
        .with(method)
        .step(1.0 / steps as f64)
        .until(1.0)
        .sample_at(&[1.0])
        .run()
        .unwrap();
    let (state, exact) = (end.last().unwrap(), reference::heavy_top());
    let velocity = Vector6::from_iterator(
        exact
            .angular_velocity
            .iter()
            .chain(exact.body_velocity.iter())
            .copied(),
    );
    [
        (state.configuration.position - exact.position).norm()
            + (state.configuration.attitude - exact.attitude).norm(),
        (state.velocity - velocity).norm() / velocity.norm(),
        (state.multipliers - exact.multipliers).norm() / exact.multipliers.norm(),
    ]
}

fn errors_so3r3(method: HalfExplicit, steps: usize) -> [f64; 3] {
    let top = DirectTop::of_the_paper();
    let (q, v) = DirectTop::initial();
    let end = Simulation::of(&top)
        .starting_at(q, v)
        .with(method)
        .step(1.0 / steps as f64)
        .until(1.0)
        .sample_at(&[1.0])
        .run()
        .unwrap();
    let (state, exact) = (end.last().unwrap(), reference::heavy_top());
    let velocity = Vector6::from_iterator(
        exact
            .angular_velocity
            .iter()
            .chain(exact.linear_velocity.iter())
            .copied(),
    );
    [
        (state.configuration.position - exact.position).norm()
            + (state.configuration.attitude - exact.attitude).norm(),
        (state.velocity - velocity).norm() / velocity.norm(),
        (state.multipliers - exact.multipliers).norm() / exact.multipliers.norm(),
    ]
}

#[test]
fn print() {
    for method in HalfExplicit::all() {
        for n in [4096, 8192] {
            let (a, b) = (errors_se3(method, n), errors_se3(method, 2 * n));
            let o: Vec<_> = (0..3).map(|i| reference::order(a[i], b[i])).collect();
            println!("{} SE3 {n} {:.2?} {b:?}", method.tableau().id, o);
            let (a, b) = (errors_so3r3(method, n), errors_so3r3(method, 2 * n));
            let o: Vec<_> = (0..3).map(|i| reference::order(a[i], b[i])).collect();
            println!("{} SO3 {n} {:.2?} {b:?}", method.tableau().id, o);
        }
    }
}
