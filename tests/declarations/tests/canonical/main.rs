//! Hamiltonians of systems that are assembled of terms: chains, powers, bodies with directions.

mod declared;
mod motions;

use fixtures::canonical::{check_derivatives, check_motion};
use fixtures::derivatives::worst_deviations;
use fixtures::random::Random;
use lie_runtime::field::OnCotangent;
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;

use declared::{needles, rod};

/// States of a rod with a slider and needles.
fn anywhere(random: &mut Random, nodes: usize) -> rod::Rod {
    let pose = |at: usize, random: &mut Random| {
        S3R3::exp(&(random.vector::<6>() * 0.2)) * S3R3::new(S3::identity(), Vector3::new(0.0, 0.0, at as f64))
    };
    rod::Rod {
        slider: random.number(),
        nodes: (0..nodes).map(|at| pose(at, random)).collect(),
        needles: (0..3).map(|_| direction(random)).collect(),
    }
}

fn direction(random: &mut Random) -> S2 {
    S2::new(random.vector::<3>()).expect("a direction")
}

/// Velocities that turn no needle about itself.
fn velocities(q: &rod::Rod, random: &mut Random) -> DVector<f64> {
    let velocity = rod::Velocity {
        slider: random.number(),
        nodes: q.nodes.iter().map(|_| random.vector()).collect(),
        needles: q.needles.iter().map(|needle| needle.direction().cross(&random.vector())).collect(),
    };
    velocity.into()
}

fn pins(random: &mut Random) -> needles::Pins {
    let pin = |random: &mut Random| needles::Pin { place: random.vector(), needle: direction(random) };
    needles::Pins { pins: [pin(random), pin(random), pin(random), pin(random)] }
}

#[test]
fn kernels_are_those_of_the_declaration() {
    let system = rod::System::new(rod::SECTION, rod::Lengths { nodes: 4, needles: 3 }).unwrap();
    let held = needles::System::new().unwrap();
    let reports = [worst_deviations(&system, 10, |random| anywhere(random, 4)), worst_deviations(&held, 10, pins)];
    for report in reports {
        for kernel in ["hamiltonian", "spatial_momentum", "hamiltonian_velocity", "hamiltonian_force"] {
            assert!(report.iter().any(|entry| entry.kernel == kernel), "{kernel} is not compared");
        }
        for entry in report {
            assert!(entry.deviation < 1e-12, "{entry:?}");
        }
    }
}

#[test]
fn derivatives_are_those_of_the_hamiltonian() {
    let system = rod::System::new(rod::SECTION, rod::Lengths { nodes: 4, needles: 3 }).unwrap();
    check_derivatives(&system, &anywhere(&mut Random::new(3), 4));
    check_derivatives(&needles::System::new().unwrap(), &pins(&mut Random::new(5)));
}

#[test]
fn canonical_motion_is_the_lagrangian_one() {
    let system = rod::System::new(rod::SECTION, rod::Lengths { nodes: 4, needles: 3 }).unwrap();
    let mut random = Random::new(4);
    let q = anywhere(&mut random, 4);
    let v = velocities(&q, &mut random);
    check_motion(&system, &q, &v, 1e-10);
}

/// The derivatives of a step do not grow with the chain.
#[test]
fn as_many_directions_however_long() {
    let colours = |nodes| {
        let system = rod::System::new(rod::SECTION, rod::Lengths { nodes, needles: 3 }).unwrap();
        system.coupling().colours()
    };
    let few = colours(8);
    assert_eq!(few, colours(500));
    // A node and its two neighbours have 18 components; the slider and the needles are beside the first.
    assert!((18..=24).contains(&few), "{few}");
}

/// The obstacles are named, and a configuration of another length is an error.
#[test]
fn lengths_are_checked() {
    let system = rod::System::new(rod::SECTION, rod::Lengths { nodes: 4, needles: 3 }).unwrap();
    let mut random = Random::new(6);
    let (short, long) = (anywhere(&mut random, 3), anywhere(&mut random, 4));
    let v = velocities(&long, &mut random);
    for (q, v) in [(short, v.clone()), (long, DVector::zeros(3))] {
        let run = Simulation::of_hamiltonian(&system).initial_velocity(q, v).step(0.01).end_time(0.1).run();
        let error = run.expect_err("another system").to_string();
        println!("{error}");
        assert!(error.contains("not finite"), "{error}");
    }
}
