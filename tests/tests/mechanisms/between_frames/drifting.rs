//! Loops that have drifted open: the elimination is the same as for closed loops, and the solution satisfies the equations.

use fixtures::random::Random;
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;

use super::ladder::jointed;

/// How far M v' + B₁ᵀ λ = f, B₂ v' = c are missed, with B₁ of one configuration and B₂ of another one, and how many loops are left at the
/// base.
fn solved(system: &jointed::System, random: &mut Random, [q, next]: [&jointed::Angles; 2]) -> (f64, usize) {
    let (mut mass, mut first, mut second) = (system.zero_mass(), system.zero_jacobian(), system.zero_jacobian());
    system.mass(0.0, q, &mut mass).unwrap();
    system.constraint_jacobian(0.0, q, &mut first);
    system.constraint_jacobian(0.0, next, &mut second);
    let force = DVector::from_fn(system.dof(), |_, _| random.number());
    let constraint = DVector::from_fn(system.constraint_rows(), |_, _| random.number());
    let (mut acceleration, mut multipliers) = (system.zero_velocity(), system.zero_multipliers());
    system.solve_kkt(&mut mass, &first, &second, &force, &constraint, &mut acceleration, &mut multipliers).unwrap();
    let at_base = mass.eliminated().left_at_base();
    let (mut reactions, mut expected, mut rates) =
        (system.zero_velocity(), system.zero_velocity(), system.zero_multipliers());
    system.jacobian_transpose_times(&first, &multipliers, &mut reactions);
    system.solve_mass(&mut mass, &(force - reactions), &mut expected);
    system.jacobian_times(&second, &acceleration, &mut rates);
    let size = acceleration.amax().max(1.0);
    (((acceleration - expected).amax() / size).max((rates - constraint).amax() / size), at_base)
}

fn open_by(system: &jointed::System, q: &jointed::Angles) -> f64 {
    let mut apart = system.zero_multipliers();
    system.constraint(0.0, q, &mut apart);
    apart.amax()
}

#[test]
fn a_long_run_leaves_no_loop_at_the_base() {
    let system = super::ladder::system(12);
    let start = jointed::Angles { hinges: vec![SO2::identity(); system.dof()] };
    let times: Vec<f64> = (1..=60).map(|time| 0.01 * f64::from(time)).collect();
    let run = Simulation::of(&system).initial(start, system.zero_velocity());
    let run = run.method_named("hedop5").unwrap().step(1e-3).end_time(0.6).output_times(&times).run().unwrap();
    let mut random = Random::new(3);
    let mut left = 0;
    // As they are, and as a method that is less exact would leave them; B₂ is a step later.
    for apart in [0.0, 1e-9, 1e-5] {
        for state in &run.states {
            let moved = |way: DVector<f64>| {
                let mut q = state.configuration.clone();
                system.space().compose_exp(&state.configuration, &way, &mut q);
                q
            };
            let shift = DVector::from_fn(system.dof(), |_, _| apart * random.number());
            let [q, next] = [moved(shift.clone()), moved(shift + &state.velocity * 1e-3)];
            assert!(open_by(&system, &q) >= 0.1 * apart, "{apart}");
            let (missed, at_base) = solved(&system, &mut random, [&q, &next]);
            assert!(missed < 1e-9, "{apart}: {missed:.1e}");
            left += usize::from(at_base > 0);
        }
    }
    // Where a parallelogram is flat, and nowhere else.
    assert!(left <= 3, "{left} of {} solutions", 3 * run.states.len());
}

#[test]
fn loops_far_open_are_closed_in_turns() {
    let system = super::ladder::system(12);
    let mut random = Random::new(4);
    let upright = jointed::Angles { hinges: vec![SO2::from_angle(0.4); system.dof()] };
    for (apart, most_at_base) in [(1e-9, 0), (1e-6, 0), (1e-3, 0), (0.3, 11)] {
        let mut moved = || {
            let shift = DVector::from_fn(system.dof(), |_, _| apart * random.number());
            let mut q = upright.clone();
            system.space().compose_exp(&upright, &shift, &mut q);
            q
        };
        let [q, next] = [moved(), moved()];
        let (missed, at_base) = solved(&system, &mut random, [&q, &next]);
        assert!(at_base <= most_at_base, "{apart}: {at_base}");
        assert!(missed < 1e-10, "{apart}: {missed:.1e}");
    }
}
