//! Time a node of steps and solutions over chains, against their length: `cargo bench -p lie-runtime --bench chains`.
//!
//! A rod with six components a node and two constraints an edge whose kernels cost next to nothing: what is left is the
//! assembly, the linear algebra and the vectors of the integrators.

mod rod;

use std::hint::black_box;
use std::time::Instant;

use lie_runtime::group::Rn;
use lie_runtime::integrator::generalized_alpha::{Newton, Options, Parameters};
use lie_runtime::integrator::{GeneralizedAlpha, HalfExplicit, Integrator, State};
use lie_runtime::simulate::ConsistentValues;
use lie_runtime::system::{
    IterationCoefficients, IterationCorrection, IterationPoint, IterationResidual, Linearised, MechanicalSystem,
};
use rod::Rod;

/// The least time of many short rounds, in ns a call and node: other work on the machine does not count.
fn time(nodes: usize, mut call: impl FnMut()) -> f64 {
    let calls = (2_000 / nodes).max(1);
    call();
    let round = |_| {
        let clock = Instant::now();
        for _ in 0..calls {
            call();
        }
        clock.elapsed().as_secs_f64() * 1e9 / (calls * nodes) as f64
    };
    (0..40).map(round).fold(f64::INFINITY, f64::min)
}

fn start(system: &Rod, nodes: usize) -> State<Rod> {
    let bent = |i: usize| Rn::<6>::from_fn(|row, _| 0.01 * (0.3 * i as f64 + row as f64).sin());
    let q = (0..nodes).map(bent).collect();
    ConsistentValues::of(system).state(system, 0.0, q, system.zero_velocity()).expect("consistent").0
}

fn steps(system: &Rod, nodes: usize, integrator: impl Integrator<Rod>) -> f64 {
    let mut from = start(system, nodes);
    let mut to = from.clone();
    let mut workspace = integrator.workspace(system, &from);
    integrator.start(system, &mut from, &mut workspace).expect("start");
    let ns = time(nodes, || {
        integrator.step(system, &from, 1e-3, &mut to, &mut workspace).expect("step");
        core::mem::swap(&mut from, &mut to);
    });
    if let Some(iterations) = integrator.newton_iterations(&workspace) {
        assert!(iterations < 4.0, "{iterations} iterations a step");
    }
    ns
}

fn main() {
    println!("ns a node");
    println!(
        "{:>6} {:>10} {:>10} {:>10} {:>10} {:>10} {:>10}",
        "N", "hedop5", "alpha", "stabilised", "saddle", "factorise", "solve"
    );
    for nodes in [16, 64, 256, 1024, 4096] {
        let system = Rod::new(nodes).expect("a rod");
        let explicit = steps(&system, nodes, HalfExplicit::hedop5());
        let parameters = Parameters::chung_hulbert(0.9).expect("parameters");
        let modified = Options { newton: Newton::Modified, ..Options::default() };
        let implicit = steps(&system, nodes, GeneralizedAlpha::new(parameters, modified).expect("method"));
        let stabilised = steps(&system, nodes, GeneralizedAlpha::stabilised(parameters));

        let state = start(&system, nodes);
        let (mut mass, mut jacobian) = (system.zero_mass(), system.zero_jacobian());
        system.mass(0.0, &state.configuration, &mut mass).expect("mass");
        system.constraint_jacobian(0.0, &state.configuration, &mut jacobian);
        let (force, constraint) = (state.acceleration.clone(), system.zero_multipliers());
        let (mut acceleration, mut multipliers) = (system.zero_velocity(), system.zero_multipliers());
        let saddle = time(nodes, || {
            let blocks = (&jacobian, &jacobian, &force, &constraint);
            let (first, second, force, constraint) = black_box(blocks);
            system
                .solve_saddle(&mut mass, first, second, force, constraint, &mut acceleration, &mut multipliers)
                .expect("regular");
        });

        let mut factorisation = system.zero_factorisation();
        let coefficients =
            IterationCoefficients { mass: 4.0, damping: 2e-3, stiffness: 1e-6, rate: 2.0, rate_gradient: 1e-3 };
        let theta = system.zero_velocity();
        let point = IterationPoint {
            t: 0.0,
            q: &state.configuration,
            v: &state.velocity,
            acceleration: &state.acceleration,
            multipliers: &state.multipliers,
            theta: &theta,
        };
        let factorise = time(nodes, || {
            system.factorise_iteration(black_box(&point), &coefficients, None, &mut factorisation).expect("regular");
        });
        let residual = IterationResidual::<Rod> {
            balance: state.acceleration.clone(),
            position: system.zero_multipliers(),
            velocity: system.zero_multipliers(),
        };
        let mut correction = IterationCorrection::<Rod> {
            acceleration: system.zero_velocity(),
            increment: system.zero_velocity(),
            multipliers: system.zero_multipliers(),
            projection: system.zero_multipliers(),
        };
        let solve = time(nodes, || system.solve_iteration(&mut factorisation, black_box(&residual), &mut correction));
        println!(
            "{nodes:>6} {explicit:>10.0} {implicit:>10.0} {stabilised:>10.0} {saddle:>10.0} {factorise:>10.0} {solve:>10.0}"
        );
    }
}
