//! A step allocates nothing, solves s̄ − 1 linear systems, and repeats nothing of the first stage when it is repeated.

use hand_written::chain::Chain;
use hand_written::counting::{Calls, Counting};
use hand_written::heavy_top_se3::HeavyTop;
use hand_written::pendulum::Pendulum;
use hand_written::vector_space::OnVectors;
use lie_runtime::integrator::{HalfExplicit, Integrator, LocalError};
use lie_runtime::prelude::*;
use lie_runtime::simulate::ConsistentValues;

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
    let chain = Chain::new(17);
    assert_no_allocation(&chain, (chain.zero_velocity(), vec![Vector1::new(1.0); 17]));
    assert_no_allocation(&Pendulum::driven(), (Vector2::new(0.6, -0.8), Vector2::new(0.4, 0.3)));
}

/// A chain whose length is known at run time only is integrated by the same code.
#[test]
fn chains_of_any_length() {
    for nodes in [2, 5, 40] {
        let chain = Chain::new(nodes);
        // The lowest mode of nodes 1 … N − 1 between two clamps: sin(π i / N) with ω = 2 sin(π / 2N).
        let mode = |i: usize| (std::f64::consts::PI * i as f64 / nodes as f64).sin();
        let shape: Vec<_> = (0..nodes).map(|i| Vector1::new(mode(i))).collect();
        let omega = 2.0 * (std::f64::consts::PI / (2.0 * nodes as f64)).sin();
        let run = Simulation::of(&chain).initial(shape, chain.zero_velocity()).rtol(1e-9).atol(1e-10);
        let trajectory = run.end_time(3.0).run().unwrap();
        let state = trajectory.last();
        for i in 0..nodes {
            assert!((state.configuration[i][0] - mode(i) * (3.0 * omega).cos()).abs() < 1e-8, "{nodes} {i}");
        }
        assert!((state.multipliers[0][0] - mode(1) * (3.0 * omega).cos()).abs() < 1e-6);
    }
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
        let mut workspace = Integrator::<Counting<OnVectors<Pendulum, 2, 1>>>::workspace(&method, &system, &from);
        let first = usize::from(!tableau.first_same_as_last());
        for step in 1..=3 {
            // Steps from the same state, as after a rejection: no stage 1.
            let calls =
                system.during(|| method.step(&system, &from, 1e-3 / f64::from(step), &mut to, &mut workspace).unwrap());
            let expected = Calls {
                kkt: stages - 1,
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
            assert_eq!(calls.kkt, stages, "one more for the estimate");
        }
    }
}
