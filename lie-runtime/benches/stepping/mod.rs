//! Repeated steps of one system, and of as many systems as SIMD lanes.

use std::borrow::Borrow;
use std::hint::black_box;
use std::time::Instant;

use lie_runtime::integrator::Integrator;
use lie_runtime::prelude::*;
use lie_runtime::scalar::Lanes;
use lie_runtime::simulate::ConsistentValues;
use lie_runtime::system::Batched;

/// A function that makes this number of steps.
pub type Steps<'a> = Box<dyn FnMut(u32) + 'a>;

/// Consistent states at the start.
pub fn started<M: MechanicalSystem<Scalar = f64>>(system: &M, q: M::Configuration, v: M::Velocity) -> State<M>
where
    HalfExplicit: Integrator<M>,
{
    let (mut consistent, no) = (ConsistentValues::of(system), "the initial values are consistent");
    consistent.state(system, 0.0, q, v).expect(no).0
}

/// Steps of a system from this state; the motion restarts after one second.
pub fn steps<'a, M, I>(system: impl Borrow<M> + 'a, method: &'a I, mut first: State<M>, h: f64) -> Steps<'a>
where
    M: MechanicalSystem + 'a,
    I: Integrator<M>,
{
    let mut workspace = method.workspace(system.borrow(), &first);
    method.start(system.borrow(), &mut first, &mut workspace).expect("it can be started");
    let mut states = [first.clone(), first.clone()];
    Box::new(move |times| {
        let [from, to] = &mut states;
        // References alternate, so that the measurement does not contain an exchange of states.
        let (mut from, mut to) = (from, to);
        for _ in 0..times {
            if from.time > 1.0 {
                from.clone_from(&first);
            }
            method.step(system.borrow(), from, black_box(h), to, &mut workspace).expect("no step fails");
            core::mem::swap(&mut from, &mut to);
        }
        if times % 2 == 1 {
            states.swap(0, 1);
        }
        black_box(&states);
    })
}

/// Steps of as many systems as lanes.
pub fn steps_in_lanes<'a, M, L, I>(systems: &[M], method: &'a I, states: &[State<M>], h: f64) -> Steps<'a>
where
    M: Batched<L>,
    M::Batch: 'a,
    L: Lanes,
    I: Integrator<M::Batch>,
{
    let (systems, states) = (&systems[..L::LANES], &states[..L::LANES]);
    let together = M::batch(&systems.iter().collect::<Vec<_>>()).expect("they differ in numbers");
    let q = M::batch_configurations(&|lane| states[lane].configuration.clone());
    let mut first = State::at_rest(&together, 0.0, q);
    for at in 0..states[0].velocity.component_count() {
        first.velocity.set_component(at, L::of_lanes(|lane| states[lane].velocity.component(at)));
        first.acceleration.set_component(at, L::of_lanes(|lane| states[lane].acceleration.component(at)));
    }
    for at in 0..states[0].multipliers.component_count() {
        first.multipliers.set_component(at, L::of_lanes(|lane| states[lane].multipliers.component(at)));
    }
    steps(together, method, first, h)
}

/// Measures nanoseconds per step, the least of some repetitions.
pub fn time(steps: &mut Steps<'_>) -> f64 {
    const STEPS: u32 = 100;
    let mut once = || {
        let clock = Instant::now();
        steps(STEPS);
        clock.elapsed().as_secs_f64() * 1e9 / f64::from(STEPS)
    };
    (0..20).map(|_| once()).fold(f64::INFINITY, f64::min)
}

pub fn median(mut values: Vec<f64>) -> f64 {
    values.sort_by(f64::total_cmp);
    values[values.len() / 2]
}
