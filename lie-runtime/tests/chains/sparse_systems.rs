//! Trees of many branches and lattices by sparse factors against the same by bands, which dual numbers always get.

use hand_written::particles::Particles;
use lie_runtime::integrator::generalized_alpha::Parameters;
use lie_runtime::integrator::{GeneralizedAlpha, HalfExplicit, Integrator};
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;
use lie_runtime::scalar::{Dual, Scalar};
use lie_runtime::system::chain::{ChainJacobian, ElementSystem, Elimination};
use lie_runtime::system::{
    IterationCoefficients, IterationCorrection, IterationPoint, IterationResidual, KktError, Linearised,
};

/// The rows and columns of a lattice that is too wide for a band.
const SIDE: usize = 32;

/// A graph of particles and where they are.
struct Net {
    places: Vec<Vector3<f64>>,
    pairs: Vec<[usize; 2]>,
    /// Whether the first node is held.
    is_held: bool,
}

/// Arms with the same number of links, attached to one node; viewed from above, each arm is opposite to the previous one.
fn star(arms: usize, length: usize) -> Net {
    let mut net = Net { places: vec![Vector3::zeros()], pairs: Vec::new(), is_held: false };
    for arm in 0..arms {
        let angle = (arm / 2) as f64 * 2.399 + (arm % 2) as f64 * std::f64::consts::PI;
        let direction = Vector3::new(angle.cos(), angle.sin(), (3.0 * angle).sin() - 1.0).normalize();
        for link in 1..=length {
            let node = net.places.len();
            net.places.push(direction * link as f64 + Vector3::new(0.0, 0.0, 0.01 * (link * link) as f64));
            net.pairs.push([if link == 1 { 0 } else { node - 1 }, node]);
        }
    }
    net
}

/// Rows and columns, connected to the adjacent ones.
fn lattice(rows: usize, columns: usize) -> Net {
    let mut net = Net { places: Vec::new(), pairs: Vec::new(), is_held: true };
    for row in 0..rows {
        for column in 0..columns {
            let (x, y) = (row as f64, column as f64);
            let node = net.places.len();
            net.places.push(Vector3::new(x, y, 0.3 * (1.3 * x + 0.7 * y).sin()));
            if column > 0 {
                net.pairs.push([node - 1, node]);
            }
            if row > 0 {
                net.pairs.push([node - columns, node]);
            }
        }
    }
    net
}

/// A cheap sequence of numbers in (-1, 1).
fn numbers<S: Scalar>(seed: usize, length: usize) -> DVector<S> {
    DVector::from_fn(length, |i, _| S::from_f64((12.9898 * (seed * 1000 + i) as f64 + 0.3).sin()))
}

/// The solutions of the saddle-point system and of an iteration, without and with stabilisation.
fn solutions<S: Scalar, const RIGID: bool, const CONSISTENT: bool>(net: &Net) -> (Vec<Vec<f64>>, [Elimination; 3]) {
    let count = net.places.len();
    let (stiffness, gravity) = (S::from_f64(40.0), S::from_f64(9.81));
    let system =
        Particles::<S, RIGID, CONSISTENT>::net(count, [net.is_held, false], &net.pairs, stiffness, gravity).unwrap();
    let q: Vec<_> = net.places.iter().map(|place| place.map(S::from_f64)).collect();
    let (n, m) = (system.dof(), system.constraint_rows());
    let (v, acceleration, multipliers) = (numbers::<S>(1, n), numbers::<S>(2, n), numbers::<S>(3, m));
    let t = S::zero();
    let mut out = Vec::new();
    let mut keep = |vector: &DVector<S>| out.push(vector.iter().map(|x| x.value()).collect());

    let mut mass = system.zero_mass();
    system.mass(t, &q, &mut mass).unwrap();
    let mut jacobian = system.zero_jacobian();
    system.constraint_jacobian(t, &q, &mut jacobian);
    let (mut a, mut found) = (system.zero_velocity(), system.zero_multipliers());
    let (force, constraint) = (numbers(4, n), numbers(5, m));
    system.solve_kkt(&mut mass, &jacobian, &jacobian, &force, &constraint, &mut a, &mut found).unwrap();
    keep(&a);
    keep(&found);

    let number = S::from_f64;
    let c = IterationCoefficients {
        mass: number(4.1),
        damping: number(0.2),
        stiffness: number(0.01),
        rate: number(1.9),
        rate_gradient: number(0.1),
    };
    let theta = system.zero_velocity();
    let point = IterationPoint {
        t,
        q: &q,
        v: &v,
        acceleration: &acceleration,
        multipliers: &multipliers,
        theta: &theta,
        local: None,
        reactions: None,
    };
    let residual = IterationResidual::<Particles<S, RIGID, CONSISTENT>> {
        balance: numbers(6, n),
        position: numbers(7, m),
        velocity: numbers(8, m),
    };
    let mut factorisation = system.zero_factorisation();
    for projection in [None, Some(&jacobian), None] {
        let mut correction = IterationCorrection::<Particles<S, RIGID, CONSISTENT>> {
            acceleration: system.zero_velocity(),
            increment: system.zero_velocity(),
            multipliers: system.zero_multipliers(),
            projection: system.zero_multipliers(),
        };
        system.factorise_iteration(&point, &c, projection, &mut factorisation).unwrap();
        system.solve_iteration(&mut factorisation, &residual, &mut correction);
        keep(&correction.acceleration);
        keep(&correction.increment);
        keep(&correction.multipliers);
        keep(&correction.projection);
    }
    (out, system.structure().eliminations())
}

/// Both agree to round-off; gives how the first one was eliminated.
fn agree<const RIGID: bool, const CONSISTENT: bool>(label: &str, net: &Net) -> [Elimination; 3] {
    let (sparse, eliminations) = solutions::<f64, RIGID, CONSISTENT>(net);
    let (banded, bands) = solutions::<Dual<f64>, RIGID, CONSISTENT>(net);
    assert!(!bands.iter().any(|one| matches!(one, Elimination::Sparse { .. })), "{bands:?}");
    for (number, (sparse, banded)) in sparse.iter().zip(&banded).enumerate() {
        let scale = banded.iter().fold(1.0_f64, |largest, x| largest.max(x.abs()));
        let difference = sparse.iter().zip(banded).map(|(a, b)| (a - b).abs()).fold(0.0, f64::max);
        assert!(
            sparse.iter().copied().all(f64::is_finite) && difference < 1e-11 * scale,
            "{label} {number}: {difference:e}"
        );
    }
    eliminations
}

fn is_sparse(elimination: &Elimination) -> bool {
    matches!(elimination, Elimination::Sparse { .. })
}

#[test]
fn stars_of_many_arms() {
    let all = agree::<true, false>("links", &star(60, 4));
    assert!(all.iter().all(is_sparse), "{all:?}");
    let all = agree::<true, true>("links with consistent mass", &star(60, 4));
    assert!(all.iter().all(is_sparse), "{all:?}");
    let [_, iteration, stabilised] = agree::<false, false>("springs", &star(60, 4));
    assert!(is_sparse(&iteration) && is_sparse(&stabilised));
}

#[test]
fn lattices() {
    let all = agree::<true, true>("links with consistent mass", &lattice(SIDE, SIDE));
    assert!(all.iter().all(is_sparse), "{all:?}");
}

/// Narrow matrices remain banded.
#[test]
fn chains_rings_and_strips_are_bands() {
    let mut ring = lattice(1, 400);
    ring.pairs.push([399, 0]);
    for net in [lattice(1, 500), ring, lattice(3, 200), star(4, 100)] {
        let all = agree::<true, false>("narrow", &net);
        assert!(!all.iter().any(is_sparse), "{all:?}");
    }
}

/// The rows that the band names are named, and nothing is NaN.
#[test]
fn failures_are_told() {
    for (name, mut net, twice) in [("star", star(60, 4), 100), ("lattice", lattice(SIDE, SIDE), 400)] {
        let pair = net.pairs[twice];
        net.pairs.push(pair);
        let count = net.places.len();
        let system = Particles::<f64, true, true>::net(count, [net.is_held, false], &net.pairs, 0.0, 9.81).unwrap();
        assert!(is_sparse(&system.structure().eliminations()[0]));
        let mut jacobian = system.zero_jacobian();
        system.constraint_jacobian(0.0, &net.places, &mut jacobian);
        let mut mass = system.zero_mass();
        system.mass(0.0, &net.places, &mut mass).unwrap();
        let (force, constraint) = (numbers(1, system.dof()), numbers(2, system.constraint_rows()));
        let (mut a, mut multipliers) = (force.clone(), constraint.clone());
        let mut solve = |b: &ChainJacobian<f64, ()>| {
            system
                .solve_kkt(&mut mass, b, b, &force, &constraint, &mut a, &mut multipliers)
                .map(|()| multipliers.clone())
        };
        // One of the two.
        let error = solve(&jacobian).unwrap_err();
        let KktError::SingularConstraints { row } = error else { panic!("{name}: {error:?}") };
        assert!(row == twice || row == net.pairs.len() - 1, "{name}: row {row}");

        let mut broken = jacobian.clone();
        broken.entries[6 * twice + 1] = f64::NAN;
        assert_eq!(solve(&broken), Err(KktError::NotFinite), "{name}");

        // A constraint that constrains nothing.
        let mut blank = jacobian.clone();
        blank.entries[6 * twice..6 * twice + 6].fill(0.0);
        assert_eq!(solve(&blank), Err(KktError::SingularConstraints { row: twice }), "{name}");

        // It recovers.
        let mut turned = jacobian.clone();
        for entry in &mut turned.entries[6 * twice..6 * twice + 3] {
            *entry = -2.0 * *entry + 0.1;
        }
        assert!(solve(&turned).is_ok_and(|found| found.iter().copied().all(f64::is_finite)), "{name}");
    }
}

/// A run of a net that turns about the vertical axis.
fn turning<'a>(
    system: &'a Particles<f64, true, false>,
    net: &Net,
    turn: f64,
) -> Simulation<'a, Particles<f64, true, false>> {
    let velocity = net.places.iter().flat_map(|place| [-turn * place.y, turn * place.x, 0.0]).collect();
    Simulation::of(system).initial(net.places.clone(), DVector::from_vec(velocity))
}

/// A flat star turns about its hub, and falls.
#[test]
fn runs() {
    let mut net = star(60, 3);
    for place in &mut net.places {
        let radius = place.norm().round();
        place.z = 0.0;
        if radius > 0.0 {
            *place *= radius / place.norm();
        }
    }
    let (turn, gravity, end) = (0.8, 9.81, 0.1);
    let exact = |place: &Vector3<f64>| {
        let (sin, cos) = (turn * end).sin_cos();
        let fall = -0.5 * gravity * end * end;
        Vector3::new(cos * place.x - sin * place.y, sin * place.x + cos * place.y, fall)
    };
    let system =
        |pairs: &[[usize; 2]]| Particles::<f64, true, false>::net(net.places.len(), [false; 2], pairs, 0.0, gravity);
    let free = system(&net.pairs).unwrap();
    assert!(free.structure().eliminations().iter().all(is_sparse));
    let error = |places: &[Vector3<f64>]| {
        places.iter().zip(&net.places).map(|(a, b)| (a - exact(b)).norm()).fold(0.0, f64::max)
    };
    let run = turning(&free, &net, turn).method(HalfExplicit::hedop5()).step(0.01).end_time(end).run().unwrap();
    let deviation = error(&run.last().configuration);
    assert!(deviation < 1e-11, "{deviation:e}");
    let implicit = |h: f64| {
        let method = GeneralizedAlpha::stabilised(Parameters::chung_hulbert(0.9).unwrap());
        let run = turning(&free, &net, turn).method(method).step(h).end_time(end).run().unwrap();
        error(&run.last().configuration)
    };
    let (coarse, fine) = (implicit(0.02), implicit(0.01));
    assert!(fine < 1e-4 && (coarse / fine - 4.0).abs() < 0.5, "{coarse:e} {fine:e}");

    // A link that is there twice is named.
    let mut pairs = net.pairs.clone();
    pairs.push(pairs[70]);
    let twice = system(&pairs).unwrap();
    let failure = turning(&twice, &net, turn)
        .method(HalfExplicit::hedop5())
        .step(0.01)
        .end_time(end)
        .run()
        .unwrap_err()
        .to_string();
    assert!(failure.contains("`length` row 180 follows from `length` row 70"), "{failure}");
}

/// Later factorisations use the memory of the first one.
#[test]
fn factorisations_keep_their_memory() {
    let net = star(60, 4);
    let system = Particles::<f64, true, false>::net(net.places.len(), [false; 2], &net.pairs, 0.0, 9.81).unwrap();
    let method = HalfExplicit::hedop5();
    let mut from = lie_runtime::integrator::State::at_rest(&system, 0.0, net.places);
    let mut to = from.clone();
    let mut workspace = Integrator::<Particles<f64, true, false>>::workspace(&method, &system, &from);
    method.start(&system, &mut from, &mut workspace).unwrap();
    method.step(&system, &from, 1e-3, &mut to, &mut workspace).unwrap();
    let count = allocation_counter::measure(|| {
        method.step(&system, &from, 1e-3, &mut to, &mut workspace).unwrap();
    });
    assert_eq!(count.count_total, 0);
}
