//! Generalized-α with steps of changing size: order 2 in q, v and λ for any sequence of sizes.

use fixtures::measure::order;
use fixtures::random::Random;
use fixtures::systems::top_in_space::{self, top_in_space as top};
use lie_runtime::group::TangentVector;
use lie_runtime::integrator::generalized_alpha::{
    Formulation, GeneralizedAlpha, GeneralizedAlphaOptions, METHODS, Parameters, StartingValues,
};
use lie_runtime::integrator::{Integrator, State};
use lie_runtime::prelude::*;
use lie_runtime::simulate::ConsistentValues;

type Top = top::System;

/// The states of a run with these step sizes.
fn run(method: GeneralizedAlpha, sizes: &[f64]) -> Vec<State<Top>> {
    let (system, q, v) = top_in_space::of_the_paper();
    let (mut state, _) = ConsistentValues::of(&system).state(&system, 0.0, q, v).unwrap();
    let mut workspace = Integrator::<Top>::workspace(&method, &system, &state);
    method.start(&system, &mut state, &mut workspace).unwrap();
    let mut states = vec![state];
    for &h in sizes {
        let mut next = states[states.len() - 1].clone();
        method.step(&system, &states[states.len() - 1], h, &mut next, &mut workspace).unwrap();
        states.push(next);
    }
    states
}

/// The largest errors of q, v and λ over all steps.
fn errors(method: GeneralizedAlpha, sizes: &[f64]) -> [f64; 3] {
    let (system, q, v) = top_in_space::of_the_paper();
    let states = run(method, sizes);
    let times: Vec<f64> = states.iter().map(|state| state.time).collect();
    let start = Simulation::of(&system).initial(q, v).step(1.25e-4).end_time(times[times.len() - 1]);
    let exact = start.output_times(&times).full_order_multipliers().run().unwrap();
    let mut largest = [0.0_f64; 3];
    for (state, exact) in states.iter().zip(&exact.states).skip(1) {
        let mut theta = system.zero_velocity();
        system.space().log_difference(&exact.configuration, &state.configuration, &mut theta);
        let velocity = (state.velocity - exact.velocity).amax();
        let multipliers = (state.multipliers - exact.multipliers).amax();
        for (largest, error) in largest.iter_mut().zip([theta.max_norm(), velocity, multipliers]) {
            *largest = largest.max(error);
        }
    }
    largest
}

/// Each size is made in `parts`, so that the sequence is refined as it is.
fn refined(sizes: &[f64], parts: usize) -> Vec<f64> {
    sizes.iter().flat_map(|&h| core::iter::repeat_n(h / parts as f64, parts)).collect()
}

fn method(formulation: Formulation, start: StartingValues) -> GeneralizedAlpha {
    let options = GeneralizedAlphaOptions::default().formulation(formulation).start(start);
    GeneralizedAlpha::new(Parameters::chung_hulbert(0.9).unwrap(), options).unwrap()
}

fn orders(method: GeneralizedAlpha, sizes: &[f64]) -> [f64; 3] {
    let (coarse, fine) = (errors(method, &refined(sizes, 8)), errors(method, &refined(sizes, 16)));
    let orders = [0, 1, 2].map(|i| order(coarse[i], fine[i]));
    println!("{} {:?}: orders {orders:.2?}, errors {fine:?}", method.id(), method.options().start);
    orders
}

/// Half the size from the middle on, then twice.
#[test]
fn multipliers_do_not_jump_where_the_size_changes() {
    let sizes = [[1e-3; 40].as_slice(), &[5e-4; 80], &[1e-3; 40]].concat();
    for listed in METHODS {
        let [q, v, multipliers] = orders(method(listed.formulation, StartingValues::Settled), &sizes);
        // UL-CRV and UL with the Cayley transform: terms of third order.
        assert!(q > 1.9 && v > 1.9 && (multipliers - 2.0).abs() < 0.1, "{}", listed.id);
        if listed.formulation != Formulation::StabilisedIndex2 {
            // What happens without.
            let [.., multipliers] = orders(method(listed.formulation, StartingValues::SecondOrder), &sizes);
            assert!(multipliers < 1.2, "{}: {multipliers}", listed.id);
        }
    }
}

/// Every size is another than the one before.
#[test]
fn any_sequence_of_sizes() {
    let mut random = Random::new(11);
    let sizes: Vec<f64> = (0..200).map(|_| 1e-3 * (0.75 + 0.25 * random.number())).collect();
    for listed in METHODS {
        let [q, v, multipliers] = orders(method(listed.formulation, StartingValues::Settled), &sizes);
        assert!(q > 1.9 && v > 1.9 && (multipliers - 2.0).abs() < 0.1, "{}: {q} {v} {multipliers}", listed.id);
    }
}

/// A run that goes on from a state of another run, the velocity of which is settled for the step size there.
#[test]
fn restarts() {
    let (system, q, v) = top_in_space::of_the_paper();
    let h = 2.5e-4;
    let exact = Simulation::of(&system).initial(q, v).step(1.25e-4).end_time(0.1).full_order_multipliers();
    let exact = exact.run().unwrap().last().clone();
    for listed in METHODS {
        let method = method(listed.formulation, StartingValues::Settled);
        let mut errors = Vec::new();
        for parts in [1, 10] {
            let mut run =
                Simulation::of(&system).initial(q, v).method(method).step(h).end_time(0.1 / f64::from(parts)).run();
            for n in 2..=parts {
                let last = run.unwrap().last().clone();
                let end = 0.1 * f64::from(n) / f64::from(parts);
                run = Simulation::of(&system).restart_from(last).method(method).step(h).end_time(end).run();
            }
            let last = run.unwrap().last().clone();
            errors.push((last.multipliers - exact.multipliers).amax());
        }
        println!("{}: {errors:?}", listed.id);
        assert!(errors[1] < 0.1, "{}: {errors:?}", listed.id);
    }
}
