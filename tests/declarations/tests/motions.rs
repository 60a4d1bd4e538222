//! Random declarations move by Hamilton's principle: the variation of the action of a motion equals minus the work of the other forces,
//! including constraint forces.
//!
//! The Lagrangian and the work are sums of the declared functions, called one by one, their changes are differences, and velocities of frames
//! follow the declared recursion. The only generated code in use is the motion of configurations.

use fixtures::random::Random;
use lie_runtime::group::TangentVector;
use lie_runtime::nalgebra::SVector;
use lie_runtime::nalgebra::Vector3;
use lie_runtime::prelude::*;
use lie_runtime::space::ConfigurationSpace;
use lie_runtime::system::MechanicalSystem;

type Components<M> = <M as MechanicalSystem>::Velocity;
type Point<M> = <M as MechanicalSystem>::Configuration;

/// The conditions generated with each declaration.
trait Moving {
    type System: MechanicalSystem<Scalar = f64>;

    /// The system, and a configuration that meets its constraints.
    fn made(number: &mut dyn FnMut() -> f64) -> (Self::System, Point<Self::System>);
    /// A run to 0.4 by the method of this name.
    fn run(
        system: &Self::System,
        q: Point<Self::System>,
        v: Components<Self::System>,
        method: &str,
        steps: u32,
    ) -> Trajectory<Self::System>;
    /// The same system with so much more `weight`.
    fn weighing(system: &Self::System, more: f64) -> Self::System;
    /// A number of the end of a short run and its derivative by `weight`, by `hedop5` and by `lie_alpha`.
    fn gradients(system: &Self::System, q: &Point<Self::System>, v: &Components<Self::System>) -> [[f64; 2]; 2];
    fn lagrangian(system: &Self::System, t: f64, q: &Point<Self::System>, v: &Components<Self::System>) -> f64;
    /// The work of all forces that are not gradients of the potential.
    fn work(system: &Self::System, state: &State<Self::System>, variation: &Components<Self::System>) -> f64;
    /// Members on spheres: where the components of their velocities begin, and where they are.
    fn directions(q: &Point<Self::System>) -> Vec<(usize, Vector3<f64>)>;
}

/// The length of differences of the fourth order.
const LENGTH: f64 = 1e-3;

/// The derivative of a function at 0.
fn slope(f: impl Fn(f64) -> f64) -> f64 {
    let difference = |e: f64| f(e) - f(-e);
    (8.0 * difference(LENGTH) - difference(2.0 * LENGTH)) / (12.0 * LENGTH)
}

/// The derivatives of a vector at 0.
fn slopes<const N: usize>(f: impl Fn(f64) -> SVector<f64, N>) -> SVector<f64, N> {
    let difference = |e: f64| f(e) - f(-e);
    (difference(LENGTH) * 8.0 - difference(2.0 * LENGTH)) / (12.0 * LENGTH)
}

/// q moved by e times a velocity.
fn moved<M: MechanicalSystem<Scalar = f64>>(system: &M, q: &Point<M>, velocity: &Components<M>, e: f64) -> Point<M> {
    let (mut moved, mut way) = (q.clone(), velocity.clone());
    way.scale(e);
    system.space().compose_exp(q, &way, &mut moved);
    moved
}

fn components<M: MechanicalSystem<Scalar = f64>>(system: &M, component: impl Fn(usize) -> f64) -> Components<M> {
    let mut all = system.zero_velocity();
    (0..system.dof()).for_each(|at| all.set_component(at, component(at)));
    all
}

/// A variation η of a motion in a state, and δv, the change of v that goes with it: η' + ad_v η.
fn variation<T: Moving>(
    system: &T::System,
    state: &State<T::System>,
    x: f64,
    duration: f64,
    trial: usize,
) -> [Components<T::System>; 2] {
    // Zero at both ends with seven derivatives, so that the trapezoidal rule loses nothing there.
    let (sine, cosine) = (std::f64::consts::PI * x).sin_cos();
    let bump = [sine.powi(8), 8.0 * sine.powi(7) * cosine * std::f64::consts::PI / duration];
    let shape = |at: usize| {
        let (a, b) = (((trial * 31 + at * 17 + 5) as f64).sin(), ((trial * 13 + at * 29 + 3) as f64).cos());
        [a + b * x, b / duration]
    };
    let mut eta = components(system, |at| bump[0] * shape(at)[0]);
    let mut rate = components(system, |at| bump[1] * shape(at)[0] + bump[0] * shape(at)[1]);
    let v = &state.velocity;
    // A direction u is varied across itself, by u × η.
    for (at, u) in T::directions(&state.configuration) {
        let part = |of: &Components<T::System>| Vector3::from_fn(|axis, _| of.component(at + axis));
        let (own, own_rate) = (part(&eta), part(&rate));
        let (across, across_rate) = (u.cross(&own), part(v).cross(&u).cross(&own) + u.cross(&own_rate));
        for axis in 0..3 {
            eta.set_component(at + axis, across[axis]);
            rate.set_component(at + axis, across_rate[axis]);
        }
    }
    let mut turned = system.zero_velocity();
    for at in 0..system.dof() {
        let unit = components(system, |other| f64::from(u8::from(other == at)));
        let mut row = system.zero_velocity();
        system.space().coadjoint(v, &unit, &mut row);
        turned.set_component(at, row.dot(&eta));
    }
    let change = components(system, |at| rate.component(at) + turned.component(at));
    [eta, change]
}

/// The largest change of the action and the work along some variations, relative to its summands.
fn defect<T: Moving>(system: &T::System, states: &[State<T::System>]) -> f64 {
    let (first, last) = (states[0].time, states[states.len() - 1].time);
    let of_trial = |trial: usize| {
        let (mut sum, mut size) = (0.0, 0.0);
        for state in states {
            let (t, q) = (state.time, &state.configuration);
            let [eta, change] = variation::<T>(system, state, (t - first) / (last - first), last - first, trial);
            let varied = |e: f64| {
                let v = components(system, |at| state.velocity.component(at) + e * change.component(at));
                T::lagrangian(system, t, &moved(system, q, &eta, e), &v)
            };
            let parts = [slope(varied), T::work(system, state, &eta)];
            sum += parts[0] + parts[1];
            size += parts[0].abs() + parts[1].abs();
        }
        (sum / size).abs()
    };
    (0..3).map(of_trial).fold(0.0, f64::max)
}

/// A motion of a declaration by `hedop5` meets the principle, other methods converge to the same motion with their orders, and gradients
/// equal differences of runs.
fn moves<T: Moving>(seed: u64) {
    let mut random = Random::new(seed);
    let (system, q) = T::made(&mut || 0.8 * random.number());
    let v = components(&system, |at| 0.6 * ((3 * at + 1) as f64).sin());
    let run = |method: &str, steps: u32| T::run(&system, q.clone(), v.clone(), method, steps);
    let exact = run("hedop5", 512);
    let defect = defect::<T>(&system, &exact.states);
    assert!(defect < 1e-7, "{defect:e}; see {SOURCE}");
    has_gradients::<T>(&system, &exact.states[0]);
    let end = exact.last().expect("it has an end");
    for method in ["herk4", "lie_alpha", "rattlie", "tr_bdf2", "bliedf2"] {
        let error = |steps| {
            let run = run(method, steps);
            let last = run.last().expect("it has an end");
            let mut gap = last.velocity.clone();
            (0..system.dof()).for_each(|at| gap.set_component(at, gap.component(at) - end.velocity.component(at)));
            gap.max_norm() + system.space().distance(&end.configuration, &last.configuration)
        };
        let errors = [error(128), error(256)];
        assert!(errors[1] < 0.35 * errors[0] || errors[1] < 1e-9, "{method}: {errors:?}; see {SOURCE}");
    }
}

/// Gradients from a state that is consistent for all weights.
fn has_gradients<T: Moving>(system: &T::System, start: &State<T::System>) {
    let of = |system: &T::System| T::gradients(system, &start.configuration, &start.velocity);
    let found = of(system);
    for (method, [_, by_weight]) in found.into_iter().enumerate() {
        let difference = slope(|e| of(&T::weighing(system, e))[method][0]);
        let error = (by_weight - difference).abs() / (1.0 + difference.abs());
        assert!(error < 1e-7, "{by_weight} against {difference} by the method {method}; see {SOURCE}");
    }
}

/// The module with the declarations.
const SOURCE: &str = concat!(env!("OUT_DIR"), "/motions.rs");

#[allow(warnings, clippy::all, clippy::pedantic)]
mod generated {
    use super::{Components, Moving, SOURCE, moved, moves, slope, slopes};
    use lie_runtime::gradient::Objective;
    use lie_runtime::group::SO3xR3;
    use lie_runtime::prelude::*;
    use lie_runtime::space::ConfigurationSpace;
    use lie_runtime::system::MechanicalSystem;

    include!(concat!(env!("OUT_DIR"), "/motions.rs"));
}
