//! Compares steps of four systems in SIMD lanes with steps of one system: `cargo bench -p lie-runtime --features lanes --bench lanes`. The
//! option `RUSTFLAGS="-C target-cpu=x86-64-v3"` puts four values into one register.
//!
//! The output shows the time of a step of one system and the throughput ratio, as medians of the ratios of one round. A name as an argument
//! selects this method only.

mod fixed_point_top;
mod heavy_top;
mod stepping;

use fixed_point_top::{OMEGA, top};
use hand_written::top_hamiltonian::TopHamiltonian;
use heavy_top::generated::principal;
use heavy_top::{CENTER, GRAVITY, MASS, MOMENTS};
use lie_runtime::integrator::{GeneralizedAlpha, Integrator, MuntheKaas, OnMechanical, Rattlie};
use lie_runtime::prelude::*;
use lie_runtime::scalar::{F64x2, F64x4};
use lie_runtime::system::Batched;
use stepping::{median, started, steps, steps_in_lanes, time};

const ROUNDS: usize = 31;

fn compare<M, I>(name: &str, systems: &[M], method: &I, states: &[State<M>], h: f64)
where
    M: Batched<F64x4> + Batched<F64x2>,
    I: Integrator<M> + Integrator<<M as Batched<F64x4>>::Batch> + Integrator<<M as Batched<F64x2>>::Batch>,
{
    let asked = std::env::args().skip(1).find(|argument| argument != "--bench");
    if asked.is_some_and(|asked| asked != name) {
        return;
    }
    let mut versions = [
        (1.0, steps(&systems[0], method, states[0].clone(), h)),
        (2.0, steps_in_lanes::<M, F64x2, I>(systems, method, states, h)),
        (4.0, steps_in_lanes::<M, F64x4, I>(systems, method, states, h)),
    ];
    let rounds: Vec<[f64; 3]> =
        (0..ROUNDS).map(|_| versions.each_mut().map(|(lanes, steps)| time(steps) / *lanes)).collect();
    let times = [0, 1, 2].map(|at| median(rounds.iter().map(|round| round[at]).collect()));
    let [two, four] = [1, 2].map(|at| median(rounds.iter().map(|round| round[0] / round[at]).collect()));
    println!(
        "{name:<12} {:>7.0} ns   in two lanes {:>6.0} ns, {two:.2}   in four {:>6.0} ns, {four:.2}",
        times[0], times[1], times[2]
    );
}

/// The masses of the tops.
const MASSES: [f64; 4] = [MASS, 15.5, 14.0, 16.0];

fn main() {
    let heavy = |mass: f64| {
        let top = principal::HeavyTop { mass, moments: MOMENTS, center_of_mass: CENTER, gravity: GRAVITY };
        principal::System::new(top).expect("masses are positive")
    };
    let tops: Vec<principal::System> = MASSES.map(heavy).into();
    let of_top = |system: &principal::System| {
        let q = principal::Body { pose: SE3::new(SO3::identity(), CENTER) };
        let velocity = -CENTER.cross(&OMEGA);
        started(system, q, Vector6::new(OMEGA.x, OMEGA.y, OMEGA.z, velocity.x, velocity.y, velocity.z))
    };
    let states: Vec<_> = tops.iter().map(of_top).collect();
    compare("hedop5", &tops, &HalfExplicit::hedop5(), &states, 1e-3);
    compare("lie_alpha", &tops, &GeneralizedAlpha::chung_hulbert(0.9).expect("between 0 and 1"), &states, 2e-3);
    compare("rattlie", &tops, &Rattlie::new(), &states, 1e-3);

    let about_its_point = |mass: f64| {
        let TopHamiltonian { moments, weight, axis } = TopHamiltonian::of_the_paper();
        top::System::new(top::Top { moments, weight: weight * (mass / MASS), axis }).expect("positive moments")
    };
    let bodies: Vec<top::System> = MASSES.map(about_its_point).into();
    let of_body = |system: &top::System| started(system, top::Attitude { attitude: SO3::identity() }, OMEGA);
    let states: Vec<_> = bodies.iter().map(of_body).collect();
    compare("rkmk4", &bodies, &OnMechanical(MuntheKaas::rkmk4()), &states, 1e-3);
}
