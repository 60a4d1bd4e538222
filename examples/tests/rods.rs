//! Rods over chains against the same rods written out member by member.

use examples::models::rods::{flying_spaghetti, straight};
use lie_runtime::prelude::*;

const ELEMENTS: usize = 16;

fn spaghetti() -> (flying_spaghetti::System, flying_spaghetti::Rod) {
    let section = flying_spaghetti::Section {
        length: 10.0,
        bending: Vector3::repeat(500.0),
        stretching: Vector3::repeat(1e4),
        density: 1.0,
        inertia: Vector3::repeat(10.0),
        damping: 0.0,
    };
    let system =
        flying_spaghetti::System::new(section, flying_spaghetti::Lengths { nodes: ELEMENTS + 1 }).expect("a system");
    let nodes = straight(Vector3::new(6.0, 0.0, 0.0), Vector3::new(0.0, 8.0, 0.0), ELEMENTS).expect("a line");
    (system, flying_spaghetti::Rod { nodes })
}

#[test]
fn the_reference_of_the_free_rod_is_met() {
    let (system, start) = spaghetti();
    let velocity = system.zero_velocity();
    let run = Simulation::of(&system)
        .starting_at(start, velocity)
        .with(HalfExplicit::hedop5())
        .step(1e-3)
        .until(1.0)
        .run()
        .expect("runs");
    let last = run.last().expect("an end");
    println!("{:?}", last.configuration.nodes[0]);
    println!("{:?}", last.configuration.nodes[16]);
}
