//! The variational method where the mass matrix depends on q: a pendulum and a four-bar of hinges along frames and written out, a chain
//! of links, a tree on a floor that shakes.

use fixtures::measure::{energy, order, position_residual, run, self_convergence, self_errors, velocity_residual};
use lie_runtime::group::TangentVector;
use lie_runtime::integrator::rattlie::RattlieOptions;
use lie_runtime::integrator::{Integrator, Rattlie};
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;
use lie_runtime::simulate::ConsistentValues;
use lie_runtime::system::{Linearised, Momentum, MomentumRate};

use crate::joint_coordinates::bars;
use crate::loops::four_bar_at;
use crate::trees;

/// Bars in a plane, each hinged to the end of the one before.
#[mechanical_system]
mod chain {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Hinges {
        pub hinges: Vec<SO2>,
    }

    #[kinematics(over = hinges)]
    pub fn bar(above: &SE2, hinge: &SO2) -> SE2 {
        *above * SE2::new(*hinge, Vector2::zeros()) * SE2::new(SO2::identity(), Vector2::x())
    }

    #[kinetic_energy(over = bar)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        let across = v[2] - 0.5 * v[0];
        0.5 * (v[1] * v[1] + across * across + v[0] * v[0] / 12.0)
    }

    #[potential(over = bar)]
    fn weight(x: &SE2) -> f64 {
        9.81 * (*x * Vector2::new(-0.5, 0.0)).y
    }
}

/// The same three, written out.
#[mechanical_system]
mod unrolled {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Hinges {
        pub hinges: [SO2; 3],
    }

    fn next(above: SE2, hinge: SO2) -> SE2 {
        above * SE2::new(hinge, Vector2::zeros()) * SE2::new(SO2::identity(), Vector2::x())
    }

    #[quantity]
    pub fn first(q: &Hinges) -> SE2 {
        next(SE2::identity(), q.hinges[0])
    }

    #[quantity]
    pub fn second(q: &Hinges) -> SE2 {
        next(first(q), q.hinges[1])
    }

    #[quantity]
    pub fn third(q: &Hinges) -> SE2 {
        next(second(q), q.hinges[2])
    }

    fn energy(v: Vector3<f64>) -> f64 {
        let across = v[2] - 0.5 * v[0];
        0.5 * (v[1] * v[1] + across * across + v[0] * v[0] / 12.0)
    }

    #[kinetic_energy]
    fn kinetic(q: &Hinges, v: &Velocity) -> f64 {
        energy(first_rate(q, v)) + energy(second_rate(q, v)) + energy(third_rate(q, v))
    }

    fn height(x: SE2) -> f64 {
        9.81 * (x * Vector2::new(-0.5, 0.0)).y
    }

    #[potential]
    fn weight(q: &Hinges) -> f64 {
        height(first(q)) + height(second(q)) + height(third(q))
    }
}

const ANGLES: [f64; 3] = [0.3, -0.5, 0.8];
const RATES: [f64; 3] = [0.4, -1.0, 0.7];

fn hinged() -> (chain::System, chain::Hinges, DVector<f64>) {
    let system = chain::System::new(chain::Lengths { hinges: 3 }).unwrap();
    (system, chain::Hinges { hinges: ANGLES.map(SO2::from_angle).to_vec() }, DVector::from_row_slice(&RATES))
}

fn closed() -> (bars::System, bars::Bars, DVector<f64>) {
    let system = bars::System::new(bars::Lengths { hinges: 3 }).unwrap();
    let q = bars::Bars { hinges: [1.2, -1.0, -1.3].map(SO2::from_angle).to_vec() };
    consistent(system, q)
}

/// Run from initial values that satisfy the constraints.
fn consistent<M: MechanicalSystem<Scalar = f64>>(system: M, q: M::Configuration) -> (M, M::Configuration, M::Velocity) {
    let v = system.zero_velocity();
    let (state, _) = ConsistentValues::of(&system).state(&system, 0.0, q, v).unwrap();
    (system, state.configuration, state.velocity)
}

fn assert_order_two(label: &str, [coarse, fine]: [[f64; 3]; 2], kinds: usize) {
    let orders: Vec<f64> = (0..kinds).map(|kind| order(coarse[kind], fine[kind])).collect();
    println!("{label}: errors {fine:?}, orders {orders:.3?}");
    assert!(orders.iter().all(|order| (order - 2.0).abs() < 0.1), "{label}: {orders:?}");
}

/// λ of a system without constraints has no order.
#[test]
fn order_two_along_frames() {
    let (system, q, v) = hinged();
    assert_order_two("hinges", self_errors(&system, &(q, v), ("rattlie", &[]), [256, 4096], 1.0), 2);
    let (system, q, v) = closed();
    assert_order_two("four-bar", self_errors(&system, &(q, v), ("rattlie", &[]), [256, 4096], 1.0), 3);
    // Damped, driven, and on a floor that turns: parts of L are linear in v, and T depends on t.
    let (system, q, v) = trees::shaken();
    assert_order_two("tree", self_errors(&system, &(q, v), ("rattlie", &[]), [256, 4096], 0.5), 2);
}

/// The same equations, by sweeps and by straight-line code.
#[test]
fn frames_and_what_is_written_out_agree() {
    let (along, q, v) = hinged();
    let found = run(&along, (q, v), Rattlie::new(), 0.01, 2.0);
    let system = unrolled::System::new().unwrap();
    let start = unrolled::Hinges { hinges: ANGLES.map(SO2::from_angle) };
    let expected = run(&system, (start, Vector3::from(RATES)), Rattlie::new(), 0.01, 2.0);
    let mut off = 0.0_f64;
    for (found, expected) in found.states.iter().zip(&expected.states) {
        let hinges = found.configuration.hinges.iter().zip(&expected.configuration.hinges);
        off = hinges.map(|(a, b)| (a.inverse() * *b).angle().abs()).fold(off, f64::max);
        off = (&found.velocity - DVector::from_row_slice(expected.velocity.as_slice())).amax().max(off);
    }
    println!("apart by {off:.1e}");
    assert!(off < 1e-11, "{off:e}");
}

/// The largest deviation of the energy from its first value, in the first and in the last quarter of a run.
fn deviations<M: Linearised<Scalar = f64> + MomentumRate>(
    system: &M,
    start: (M::Configuration, M::Velocity),
    h: f64,
    steps: u32,
) -> [f64; 4] {
    let (mut from, _) = ConsistentValues::of(system).state(system, 0.0, start.0, start.1).unwrap();
    let (method, mut to, first) = (Rattlie::new(), from.clone(), energy(system, &from));
    let mut workspace = Integrator::<M>::workspace(&method, system, &from);
    method.start(system, &mut from, &mut workspace).unwrap();
    let [mut early, mut late, mut off, mut slip] = [0.0_f64; 4];
    for step in 0..steps {
        method.step(system, &from, h, &mut to, &mut workspace).unwrap();
        core::mem::swap(&mut from, &mut to);
        let deviation = (energy(system, &from) - first).abs();
        if step < steps / 4 {
            early = early.max(deviation);
        } else if step >= steps / 4 * 3 {
            late = late.max(deviation);
        }
        off = off.max(position_residual(system, &from));
        slip = slip.max(velocity_residual(system, &from));
    }
    [early, late, off, slip]
}

/// A pendulum of three links that turns over, and four-bars: motions of some ten joules.
#[test]
fn the_energy_stays_for_twenty_thousand_steps() {
    let (system, q, v) = hinged();
    let hinges = deviations(&system, (q, v), 0.002, 20_000);
    let (system, q, v) = closed();
    let along = deviations(&system, (q, v), 0.005, 20_000);
    let (system, q, v) = four_bar_at(0.8);
    let written = deviations(&system, (q, v), 0.005, 20_000);
    for (name, [early, late, off, slip]) in [("hinges", hinges), ("four-bar", along), ("four-bar written out", written)]
    {
        println!("{name}: energy within {early:.2e}, at the end {late:.2e}; |Φ| {off:.1e}, |B v| {slip:.1e}");
    }
    for [early, late, off, slip] in [hinges, along, written] {
        assert!(early < 0.4 && late < 1.5 * early, "{early:e} {late:e}");
        assert!(off < 1e-12 && slip < 1e-12, "{off:e} {slip:e}");
    }
}

/// A step forwards and one backwards, with forces that depend on the velocity.
#[test]
fn the_method_is_symmetric() {
    let (system, q, v) = trees::shaken();
    let (from, _) = ConsistentValues::of(&system).state(&system, 0.0, q, v).unwrap();
    let method = Rattlie::with_options(RattlieOptions::default().tolerance(1e-15));
    let (method, mut there, mut back) = (method.unwrap(), from.clone(), from.clone());
    let mut workspace = Integrator::<trees::robot::System>::workspace(&method, &system, &from);
    method.step(&system, &from, 0.01, &mut there, &mut workspace).unwrap();
    method.step(&system, &there, -0.01, &mut back, &mut workspace).unwrap();
    let mut theta = system.zero_velocity();
    system.space().log_difference(&from.configuration, &back.configuration, &mut theta);
    let off = theta.max_norm().max((&from.velocity - &back.velocity).amax());
    let way = (&from.velocity - &there.velocity).amax();
    println!("off by {off:.1e}, there and back by {way:.1e}");
    assert!(off < 1e-12 && way > 0.01, "{off:e} {way:e}");
}

/// A start at rest has momenta of zero, and forces to measure residuals by.
#[test]
fn a_start_at_rest_begins_to_move() {
    let (system, q, v) = hinged();
    let errors = self_convergence(&system, &(q, 0.0 * v), "rattlie", [64, 2048], 0.5);
    assert!((errors[0] - 2.0).abs() < 0.1 && (errors[1] - 2.0).abs() < 0.1, "{errors:?}");
}

#[test]
fn rates_of_momenta_are_those_of_momenta() {
    let (system, q, v) = trees::shaken();
    let (mut rates, t, h) = (system.rates(&q), 0.3, 1e-5);
    let [mut exact, mut ahead, mut behind] = [(); 3].map(|()| system.zero_velocity());
    system.momentum_rate(&mut rates, t, &q, &v, &mut exact);
    for (side, out) in [(h, &mut ahead), (-h, &mut behind)] {
        let mut moved = q.clone();
        system.space().compose_exp(&q, &(&v * side), &mut moved);
        system.momentum(t + side, &moved, &v, out);
    }
    let off = ((ahead - behind) / (2.0 * h) - &exact).amax();
    assert!(off < 1e-6 * exact.amax() && exact.amax() > 0.1, "{off:e} {exact}");
}
