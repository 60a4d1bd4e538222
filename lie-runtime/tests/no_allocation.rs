//! A step allocates nothing, solves s̄ − 1 linear systems, and repeats nothing of the first stage when it is repeated.

mod support;

use lie_runtime::integrator::{HalfExplicit, Integrator, LocalError};
use lie_runtime::prelude::*;
use lie_runtime::simulate::ConsistentValues;
use support::counting::{Calls, Counting};
use support::heavy_top_se3::HeavyTop;
use support::pendulum::Pendulum;

fn assert_no_allocation<M: MechanicalSystem>(system: &M, (q, v): (M::Configuration, M::Velocity)) {
    let mut consistent = ConsistentValues::of(system);
    let (mut from, _) = consistent.state(system, 0.0, q, v).unwrap();
    let (mut to, mut error) = (from.clone(), LocalError::of(system));
    for method in HalfExplicit::all() {
        let mut workspace = Integrator::<M>::workspace(&method, system, &from);
        let allocations = allocation_counter::measure(|| {
            method.start(system, &mut from, &mut workspace).unwrap();
            for _ in 0..10 {
                method.step(system, &from, 1e-4, &mut to, &mut workspace).unwrap();
                if method.tableau().embedded.is_some() {
                    method.step_with_estimate(system, &from, 1e-4, &mut to, &mut error, &mut workspace).unwrap();
                }
                core::mem::swap(&mut from, &mut to);
                consistent.accelerations(system, &mut from).unwrap();
            }
        });
        assert_eq!(allocations.count_total, 0, "{}", method.tableau().id);
    }
}

#[test]
fn steps_allocate_nothing() {
    let seen = allocation_counter::measure(|| drop(std::hint::black_box(Box::new(1))));
    assert_eq!(seen.count_total, 1, "the counter counts");
    assert_no_allocation(&HeavyTop::of_the_paper(), HeavyTop::initial());
    assert_no_allocation(&Pendulum::driven(), (Vector2::new(0.6, -0.8), Vector2::new(0.4, 0.3)));
}

#[test]
fn a_step_solves_one_linear_system_a_stage_but_the_first() {
    let system = Counting::of(Pendulum::driven());
    let (q, v) = (Vector2::new(0.6, -0.8), Vector2::new(0.4, 0.3));
    let (from, _) = ConsistentValues::of(&system).state(&system, 0.0, q, v).unwrap();
    let mut to = from.clone();
    for method in HalfExplicit::all() {
        let tableau = method.tableau();
        let stages = tableau.constrained_stages;
        let mut workspace = method.workspace(&system, &from);
        let first = usize::from(!tableau.first_same_as_last());
        for step in 1..=3 {
            // Steps from the same state, as after a rejection: no stage 1.
            let calls =
                system.during(|| method.step(&system, &from, 1e-3 / f64::from(step), &mut to, &mut workspace).unwrap());
            let expected = Calls {
                saddle: stages - 1,
                // M is constant: factorised in the first step only.
                mass: usize::from(step == 1),
                force: stages - 1 + first,
                jacobian: stages + first,
                exponential: stages,
                tangent_inverse: stages - 1,
                solve_mass: first,
            };
            assert_eq!(calls, expected, "{}", tableau.id);
            let solves = u64::try_from(stages - 1).unwrap() * u64::try_from(step).unwrap();
            assert_eq!(method.linear_solves(&workspace), solves);
        }
        if tableau.embedded.is_some() {
            let mut error = LocalError::of(&system);
            let calls = system.during(|| {
                method.step_with_estimate(&system, &from, 1e-3, &mut to, &mut error, &mut workspace).unwrap();
            });
            assert_eq!(calls.saddle, stages, "one more for the estimate");
        }
    }
}
