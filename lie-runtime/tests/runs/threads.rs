//! Systems go to other threads, and so do simulations whose observers can.

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use lie_runtime::field::HamiltonianProblem;
use lie_runtime::integrator::{AnyMethod, FieldState};
use lie_runtime::prelude::*;
use lie_runtime::simulate::Failure;

use crate::models::{beads, held_body, wheel};

const fn shared<T: Send + Sync>() {}
const fn sent<T: Send>() {}
const fn sent_by<T: Send>(_: &T) {}

const _: () = {
    shared::<held_body::System>();
    shared::<beads::System>();
    shared::<State<held_body::System>>();
    shared::<State<beads::System>>();
    shared::<FieldState<HamiltonianProblem<wheel::System>>>();
    shared::<Trajectory<held_body::System>>();
    shared::<Trajectory<HamiltonianProblem<wheel::System>>>();
    shared::<SimulationError<beads::System>>();
    shared::<Failure>();
    shared::<AnyMethod<held_body::System>>();
    shared::<AnyMethod<HamiltonianProblem<wheel::System>>>();
    sent::<Simulation<'static, held_body::System>>();
    sent::<Simulation<'static, beads::System, AnyMethod<beads::System>>>();
    sent::<Simulation<'static, HamiltonianProblem<wheel::System>>>();
};

/// One system, many runs at once; an observer that counts goes with its simulation.
#[test]
fn runs_in_threads_are_those_of_one() {
    let system = wheel::System::new(wheel::Data { inertia: 1.0, spring: 4.0 }).unwrap();
    let run = |x: f64| {
        let steps = Arc::new(AtomicUsize::new(0));
        let counter = Arc::clone(&steps);
        let start = Simulation::of(&system).initial(wheel::Wheel { x: R1::new(x) }, Vector1::zeros());
        let simulation = start.step(0.01).end_time(1.0).on_step(move |_| _ = counter.fetch_add(1, Ordering::Relaxed));
        sent_by(&simulation);
        let trajectory = simulation.run().unwrap();
        assert!(steps.load(Ordering::Relaxed) >= 100);
        trajectory.last().configuration.x.x
    };
    let starts = [0.1, 0.2, 0.3, 0.4];
    let apart =
        std::thread::scope(|scope| starts.map(|x| scope.spawn(move || run(x))).map(|thread| thread.join().unwrap()));
    assert_eq!(apart, starts.map(run));
    assert!((apart[3] - 0.4 * 2.0_f64.cos()).abs() < 1e-8);
}
