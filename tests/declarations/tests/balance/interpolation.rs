//! States between recorded ones.

use lie_runtime::prelude::*;
use lie_runtime::simulate::{ConsistentValues, DenseOutputError};

use super::momenta::{tilted, top};
use super::work::ball;

/// q of fourth order and v of third in the distance of the states, on the constraints.
#[test]
fn a_state_in_between_is_on_the_group_and_on_the_constraints() {
    let system = top::System::new(top::Top { weight: 9.81, friction: 0.0 }).unwrap();
    let (q, v) = tilted();
    let times: Vec<f64> = (0..40).map(|at| 0.01 + f64::from(at) * 0.0237).collect();
    let start = || Simulation::of(&system).initial(q, v).step(1.25e-3).end_time(1.0);
    let exact = start().output_times(&times).run().unwrap();
    let errors = |every: usize| {
        let run = start().output_every(every).run().unwrap();
        let mut worst = [0.0_f64; 2];
        for (time, exact) in times.iter().zip(&exact.states) {
            let state = run.at(*time).unwrap();
            assert_eq!(state.time, *time);
            let (mut position, mut again) = (system.zero_multipliers(), state.clone());
            system.constraint(*time, &state.configuration, &mut position);
            assert!(position.norm() < 1e-12);
            ConsistentValues::of(&system).accelerations(&system, &mut again).unwrap();
            assert!((again.multipliers - state.multipliers).norm() < 1e-9);
            worst[0] = worst[0].max(system.space().distance(&exact.configuration, &state.configuration));
            worst[1] = worst[1].max((exact.velocity - state.velocity).norm());
        }
        worst
    };
    let (coarse, fine) = (errors(16), errors(8));
    let orders = [0, 1].map(|at| (coarse[at] / fine[at]).log2());
    assert!(orders[0] > 3.6 && orders[1] > 2.6, "{orders:?} of {coarse:?}, {fine:?}");
}

/// Interpolation returns the recorded states, keeps discontinuities, and returns nothing outside the run.
#[test]
fn jumps_and_ends_are_where_they_are() {
    let system = ball::System::new().unwrap();
    let run = Simulation::of(&system)
        .initial(ball::Height { z: 1.0 }, Vector1::new(0.0))
        .event("bounce", |_, state| state.configuration.z)
        .falling()
        .apply(|at| at.state().velocity.x *= -0.5)
        .step(0.01)
        .end_time(0.6)
        .run()
        .unwrap();
    let strikes = run.events[0].time;
    assert!((run.at(strikes).unwrap().velocity.x - 0.5 * 20.0_f64.sqrt()).abs() < 1e-12);
    assert!((run.at(strikes - 1e-9).unwrap().velocity.x + 20.0_f64.sqrt()).abs() < 1e-7);
    assert_eq!(run.at(0.6).unwrap().velocity, run.last().velocity);
    for time in [-1e-9, 0.600_001, f64::NAN] {
        assert!(matches!(run.at(time), Err(DenseOutputError::Outside { end: 0.6, .. })));
    }
}
