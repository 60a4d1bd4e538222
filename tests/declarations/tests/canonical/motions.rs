//! Runs by symplectic methods.

use fixtures::random::Random;
use lie_runtime::field::HamiltonianSystem;
use lie_runtime::integrator::SymplecticLieGroup;
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;
use lie_runtime::space::ConfigurationSpace;

use super::declared::{ring, rod, written_out};
use super::{anywhere, velocities};

fn bodies(random: &mut Random, count: usize) -> Vec<SE3> {
    let turn = |at: usize| core::f64::consts::TAU * at as f64 / count as f64;
    let place = |at: usize| Vector3::new(turn(at).cos(), turn(at).sin(), 0.0) * (0.16 * count as f64);
    (0..count)
        .map(|at| SE3::new(SO3::exp(&(random.rotation_vector() * 0.2 + Vector3::new(0.0, 0.0, turn(at)))), place(at)))
        .collect()
}

/// Steps over a chain equal the steps of the same system without chains.
#[test]
fn steps_are_those_of_the_system_written_out() {
    let chain = ring::System::new(ring::Lengths { bodies: 3 }).unwrap();
    let dense = written_out::System::new().unwrap();
    let mut random = Random::new(9);
    let bodies = bodies(&mut random, 3);
    let v = random.vector::<18>();
    for theta in [0.0, 0.8] {
        let method = SymplecticLieGroup::new(theta).unwrap();
        let start = written_out::Ring { bodies: [bodies[0], bodies[1], bodies[2]] };
        let written = Simulation::of_hamiltonian(&dense).initial_velocity(start, v).method(method);
        let written = written.step(0.02).end_time(0.6).run().unwrap().last().clone().point;
        let start = ring::Ring { bodies: bodies.clone() };
        let components = DVector::from_column_slice(v.as_slice());
        let run = Simulation::of_hamiltonian(&chain).initial_velocity(start, components).method(method);
        let looped = run.step(0.02).end_time(0.6).run().unwrap().last().clone().point;
        let apart = (0..3)
            .map(|at| (looped.configuration.bodies[at].inverse() * written.configuration.bodies[at]).log().norm());
        let apart = apart.fold(0.0, f64::max);
        println!("theta = {theta}: {apart:.1e}");
        assert!(apart < 1e-11, "theta = {theta}: {apart:e}");
        assert!((0..18).all(|at| (looped.momentum[at] - written.momentum[at]).abs() < 1e-11), "theta = {theta}");
    }
}

/// The sum of all spatial momenta is conserved to round-off; the energy error is bounded.
#[test]
fn a_free_ring_keeps_its_momenta() {
    let system = ring::System::new(ring::Lengths { bodies: 5 }).unwrap();
    let mut random = Random::new(2);
    let q = ring::Ring { bodies: bodies(&mut random, 5) };
    let v = DVector::from_fn(30, |_, _| 0.5 * random.number());
    let run = Simulation::of_hamiltonian(&system)
        .initial_velocity(q, v)
        .method(SymplecticLieGroup::slgi_half())
        .step(0.05)
        .end_time(20.0)
        .run()
        .unwrap();
    let total = |momentum: &DVector<f64>| -> Vector6<f64> {
        momentum.as_slice().chunks(6).map(Vector6::from_column_slice).sum()
    };
    let (first, last) = (&run.states[0].point, &run.states.last().unwrap().point);
    let drift = (total(&last.momentum) - total(&first.momentum)).norm();
    let energy = |at: usize| system.hamiltonian(&run.states[at].point.configuration, &run.states[at].point.momentum);
    let energies: Vec<f64> = (0..run.states.len()).step_by(10).map(|at| (energy(at) / energy(0) - 1.0).abs()).collect();
    let worst = |half: &[f64]| half.iter().copied().fold(0.0, f64::max);
    let (early, late) = energies.split_at(energies.len() / 2);
    println!("momenta {drift:.1e}, energies {:.1e} then {:.1e}", worst(early), worst(late));
    let moved = system.space().distance(&first.configuration, &last.configuration);
    assert!(moved > 1.0, "it moves: {moved}");
    assert!(drift < 1e-10, "{drift:e}");
    assert!(worst(late) < 0.05 && worst(late) < 1.5 * worst(early), "{:e} then {:e}", worst(early), worst(late));
    // The test can tell: methods that are not symplectic lose energy.
    let heun = Simulation::of_hamiltonian(&system)
        .initial_momentum(first.configuration.clone(), first.momentum.clone())
        .method(MuntheKaas::lie_heun())
        .step(0.05)
        .end_time(20.0)
        .run();
    let gained = heun.map_or(f64::INFINITY, |run| {
        let end = &run.states.last().unwrap().point;
        (system.hamiltonian(&end.configuration, &end.momentum) / energy(0) - 1.0).abs()
    });
    assert!(gained > 2.0 * worst(late), "{gained:e}");
}

#[test]
fn orders_over_a_chain_with_coupled_inertia() {
    let system = rod::System::new(rod::SECTION, rod::Lengths { nodes: 4, needles: 3 }).unwrap();
    let mut random = Random::new(12);
    let q = anywhere(&mut random, 4);
    let v = velocities(&q, &mut random);
    let start = || Simulation::of_hamiltonian(&system).initial_velocity(q.clone(), v.clone()).end_time(0.5);
    let exact = start().method(MuntheKaas::rkmk54()).step(1.0 / 128.0).run().unwrap().last().clone().point;
    for (theta, expected) in [(0.5, 2.0), (0.0, 1.0)] {
        let error = |h: f64| {
            let run = start().method(SymplecticLieGroup::new(theta).unwrap()).step(h).run().unwrap();
            let end = &run.states.last().unwrap().point;
            let apart = system.space().distance(&end.configuration, &exact.configuration);
            apart.hypot((&end.momentum - &exact.momentum).norm())
        };
        let (coarse, fine) = (error(1.0 / 32.0), error(1.0 / 64.0));
        let order = (coarse / fine).log2();
        println!("theta = {theta}: {coarse:.1e}, {fine:.1e}, order {order:.2}");
        assert!((order - expected).abs() < 0.15, "theta = {theta}: {order}");
    }
}
