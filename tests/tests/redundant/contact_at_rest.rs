//! A block on a rough inclined plane, which rests for twenty thousand steps.

use lie_runtime::prelude::*;

#[mechanical_system]
mod block {
    #[configuration]
    pub struct Position {
        pub x: f64,
        pub z: f64,
    }

    #[parameters]
    pub struct Data {
        pub slope: f64,
        pub mu: f64,
        pub on_plane: bool,
        pub slip: i32,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * 2.0 * (v.x * v.x + v.z * v.z)
    }

    #[potential]
    fn weight(q: &Position) -> f64 {
        2.0 * 9.81 * q.z
    }

    #[constraint(active = p.on_plane)]
    fn plane(p: &Data, q: &Position) -> f64 {
        q.z * p.slope.cos() + q.x * p.slope.sin()
    }

    #[velocity_constraint(contact = plane, friction = p.mu, slip = p.slip)]
    fn sliding(p: &Data, v: &Velocity) -> f64 {
        v.x * p.slope.cos() - v.z * p.slope.sin()
    }
}

/// The block neither creeps nor gains energy: the sum of 20,000 errors of the size of a round-off would be 2e-12.
#[test]
fn a_block_rests_on_an_inclined_plane_for_twenty_thousand_steps() {
    let slope: f64 = 0.4;
    let system = block::System::new(block::Data { slope, mu: 1.01 * slope.tan(), on_plane: true, slip: 0 }).unwrap();
    let rest = block::Position { x: 0.0, z: 0.0 };
    let run = Simulation::of(&system).at_rest(rest).contact("plane", 0.0).step(1e-3).output_every(100);
    let run = run.end_time(20.0).run_precompiled("hedop5").unwrap();
    assert_eq!((run.events.len(), run.statistics.accepted), (0, 20_000));
    for state in &run.states {
        let energy = system.energy(state.time, &state.configuration, &state.velocity);
        assert!(energy.abs() <= 1e-13, "{energy:e} at {}", state.time);
        let State { configuration: q, velocity: v, .. } = state;
        let largest = [q.x, q.z, v.x, v.y].into_iter().fold(0.0, |most: f64, part| most.max(part.abs()));
        assert!(largest <= 1e-13, "{largest:e} at {}", state.time);
    }
}
