//! Recursive kinematics: the O(N) equations of motion against the same declarations written out, densely derived.

use fixtures::random::Random;
use fixtures::systems::linkages::{
    balls, geared, hinges, pendulum, pendulum_of_five, pendulum_of_one, pendulum_of_two, slides, three_balls,
    three_geared, three_hinges, three_slides,
};
use fixtures::{measure, reference};
use lie_runtime::group::TangentVector;
use lie_runtime::integrator::CommutatorFree;
use lie_runtime::integrator::Integrator;
use lie_runtime::nalgebra::{DMatrix, DVector};
use lie_runtime::prelude::*;
use lie_runtime::scalar::Dual;
use lie_runtime::simulate::ConsistentValues;
use lie_runtime::system::Momentum;

/// v' of a system without constraints.
fn acceleration<M: MechanicalSystem<Scalar = f64>>(
    system: &M,
    t: f64,
    q: &M::Configuration,
    v: &M::Velocity,
) -> Vec<f64> {
    let (mut mass, mut force, mut out) = (system.zero_mass(), system.zero_velocity(), system.zero_velocity());
    system.mass(t, q, &mut mass).expect("a definite mass matrix");
    system.force(t, q, v, &mut force);
    system.solve_mass(&mut mass, &force, &mut out);
    components(&out)
}

fn components<V: TangentVector<Scalar = f64>>(vector: &V) -> Vec<f64> {
    (0..vector.component_count()).map(|at| vector.component(at)).collect()
}

fn given<V: TangentVector<Scalar = f64>>(mut vector: V, numbers: &[f64]) -> V {
    for (at, &number) in numbers.iter().enumerate() {
        vector.set_component(at, number);
    }
    vector
}

fn distance(a: &[f64], b: &[f64]) -> f64 {
    assert_eq!(a.len(), b.len());
    let size = b.iter().fold(1e-300_f64, |size, x| size.max(x.abs()));
    a.iter().zip(b).fold(0.0_f64, |error, (a, b)| error.max((a - b).abs())) / size
}

/// M by columns, through the momenta of unit velocities.
fn mass_matrix<M: Momentum + MechanicalSystem<Scalar = f64>>(system: &M, t: f64, q: &M::Configuration) -> DMatrix<f64> {
    let n = system.dof();
    let mut matrix = DMatrix::zeros(n, n);
    for column in 0..n {
        let (mut unit, mut momentum) = (system.zero_velocity(), system.zero_velocity());
        unit.set_component(column, 1.0);
        system.momentum(t, q, &unit, &mut momentum);
        for row in 0..n {
            matrix[(row, column)] = momentum.component(row);
        }
    }
    matrix
}

/// Everything that two declarations of one system have to agree in, at one state.
fn agree<A, B>(label: &str, chain: (&A, &A::Configuration), dense: (&B, &B::Configuration), t: f64, v: &[f64])
where
    A: Momentum + MechanicalSystem<Scalar = f64>,
    B: Momentum + MechanicalSystem<Scalar = f64>,
{
    let ((a, qa), (b, qb)) = (chain, dense);
    let (va, vb) = (given(a.zero_velocity(), v), given(b.zero_velocity(), v));
    let close = |what: &str, x: &[f64], y: &[f64]| {
        let error = distance(x, y);
        assert!(error < 1e-12, "{label}: {what} differs by {error:.1e}");
    };
    close("T", &[a.kinetic_energy(t, qa, &va)], &[b.kinetic_energy(t, qb, &vb)]);
    close("V", &[a.potential_energy(t, qa)], &[b.potential_energy(t, qb)]);
    let (mut fa, mut fb) = (a.zero_velocity(), b.zero_velocity());
    a.force(t, qa, &va, &mut fa);
    b.force(t, qb, &vb, &mut fb);
    close("the force", &components(&fa), &components(&fb));
    a.momentum(t, qa, &va, &mut fa);
    b.momentum(t, qb, &vb, &mut fb);
    close("the momentum", &components(&fa), &components(&fb));
    close("the acceleration", &acceleration(a, t, qa, &va), &acceleration(b, t, qb, &vb));
    // M⁻¹ is the inverse of M.
    let (mut mass, mut back) = (a.zero_mass(), a.zero_velocity());
    a.mass(t, qa, &mut mass).unwrap();
    a.solve_mass(&mut mass, &fa, &mut back);
    close("M⁻¹ M v", &components(&back), v);
}

fn directions(random: &mut Random, count: usize) -> Vec<S2> {
    (0..count).map(|_| S2::new(random.vector::<3>()).expect("a direction")).collect()
}

const DATA: pendulum::Data = pendulum::Data { mass: 0.7, length: 0.9, growth: 0.15, gravity: 9.81 };

fn chain(links: usize) -> pendulum::System {
    pendulum::System::new(DATA, pendulum::Lengths { links }).expect("a pendulum")
}

/// The pendulum of any length against those that are unrolled, at any angular velocity: with q · ω = 0 and without.
macro_rules! against_written_out {
    ($module:ident, $count:literal) => {{
        let pendulum::Data { mass, length, growth, gravity } = DATA;
        let dense = $module::System::new($module::Data { mass, length, growth, gravity }).unwrap();
        let chain = chain($count);
        let mut random = Random::new($count);
        for turn in 0..50 {
            let links = directions(&mut random, $count);
            let omega: Vec<Vector3<f64>> = links
                .iter()
                .map(|q| {
                    let any = random.vector::<3>();
                    if turn % 2 == 0 { q.direction().cross(&any) } else { any }
                })
                .collect();
            let v: Vec<f64> = omega.iter().flat_map(|omega| omega.iter().copied().collect::<Vec<_>>()).collect();
            let unrolled = $module::Pendulum { links: links.clone().try_into().unwrap() };
            agree(stringify!($module), (&chain, &pendulum::Pendulum { links }), (&dense, &unrolled), 0.0, &v);
        }
    }};
}

#[test]
fn pendulums_are_those_written_out() {
    against_written_out!(pendulum_of_one, 1);
    against_written_out!(pendulum_of_two, 2);
    against_written_out!(pendulum_of_five, 5);
}

/// Rigid bodies on hinges, slides and ball joints against three of them by their points.
macro_rules! against_three {
    ($chain:ident, $three:ident, $size:literal, |$random:ident| $joint:expr) => {{
        let mut $random = Random::new(5);
        let data = $chain::Data {
            mass: 0.6,
            spread: Vector3::new(0.02, 0.05, 0.03),
            axis: Vector3::new(0.3, -0.5, 0.8).normalize(),
            arm: Vector3::new(0.4, 0.1, -0.3),
            friction: 0.2,
        };
        let $chain::Data { mass, spread, axis, arm, friction } = data.clone();
        let dense = $three::System::new($three::Data { mass, spread, axis, arm, friction }).unwrap();
        let chain = $chain::System::new(data, $chain::Lengths { joints: 3 }).unwrap();
        for _ in 0..50 {
            let joints = [$joint, $joint, $joint];
            let v: Vec<f64> = (0..3 * $size + 1).map(|_| 2.0 * $random.number()).collect();
            let (other, t) = (Vector1::new($random.number()), 0.5 + $random.number());
            let short = $chain::Chain { joints: joints.to_vec(), other };
            agree(stringify!($chain), (&chain, &short), (&dense, &$three::Chain { joints, other }), t, &v);
        }
    }};
}

#[test]
fn bodies_on_joints_are_those_written_out() {
    against_three!(hinges, three_hinges, 1, |random| SO2::from_angle(3.0 * random.number()));
    against_three!(slides, three_slides, 1, |random| random.vector::<1>());
    against_three!(balls, three_balls, 3, |random| S3::exp(&random.rotation_vector()));
}

/// M from the kinetic energy alone, by dual numbers in two directions.
#[test]
fn inertia_is_the_second_derivative_of_the_energy() {
    type Twice = Dual<Dual<f64>>;
    let links = 4;
    let number = |x: f64| Twice::from_f64(x);
    let data = pendulum::Data {
        mass: number(DATA.mass),
        length: number(DATA.length),
        growth: number(DATA.growth),
        gravity: number(DATA.gravity),
    };
    let twin = pendulum::System::new(data, pendulum::Lengths { links }).unwrap();
    let system = chain(links);
    let mut random = Random::new(3);
    for _ in 0..10 {
        let q = pendulum::Pendulum { links: directions(&mut random, links) };
        let lifted = pendulum::Pendulum {
            links: q.links.iter().map(|link| S2::new_unchecked(link.direction().map(number))).collect(),
        };
        let matrix = mass_matrix(&system, 0.0, &q);
        for row in 0..3 * links {
            for column in 0..3 * links {
                let v = DVector::from_fn(3 * links, |at, _| {
                    let along = |index: usize| if at == index { 1.0 } else { 0.0 };
                    Dual { re: Dual { re: 0.0, eps: along(row) }, eps: Dual { re: along(column), eps: 0.0 } }
                });
                let energy: Twice = twin.kinetic_energy(number(0.0), &lifted, &v);
                let entry = energy.eps.eps;
                assert!((matrix[(row, column)] - entry).abs() < 1e-13, "({row}, {column})");
            }
        }
        // What solves with it is its inverse.
        let (mut mass, mut out) = (system.zero_mass(), system.zero_velocity());
        system.mass(0.0, &q, &mut mass).unwrap();
        let force = DVector::from_fn(3 * links, |_, _| random.number());
        system.solve_mass(&mut mass, &force, &mut out);
        assert!((matrix * out - force).norm() < 1e-12);
    }
}

/// The reference of two links and orders of methods that run on it.
#[test]
fn reference_of_two_links() {
    fn error(method: impl Integrator<pendulum::System>, steps: u32) -> f64 {
        let data = pendulum::Data { mass: 1.0, length: 1.0, growth: 0.0, gravity: 9.81 };
        let system = pendulum::System::new(data, pendulum::Lengths { links: 2 }).unwrap();
        let start = pendulum::Pendulum { links: vec![S2::new(Vector3::new(1.0, 0.0, 1.0)).unwrap(); 2] };
        let omega = DVector::from_column_slice(&[0.0, 1.0, 0.0, 0.0, 1.0, 0.0]);
        let (end, q, omegas, _) = reference::double_pendulum(0);
        let run = measure::run(&system, (start, omega), method, end / f64::from(steps), end);
        let state = run.states.last().unwrap();
        (0..2).fold(0.0_f64, |error, link| {
            let omega = omegas[link] - state.velocity.fixed_rows::<3>(3 * link);
            error.hypot((q[link] - state.configuration.links[link].direction()).norm()).hypot(omega.norm())
        })
    }
    for (label, coarse, fine, expected) in [
        ("rkmk4", error(OnMechanical(MuntheKaas::rkmk4()), 1000), error(OnMechanical(MuntheKaas::rkmk4()), 2000), 4.0),
        (
            "cf4",
            error(OnMechanical(CommutatorFree::cf4()), 1000),
            error(OnMechanical(CommutatorFree::cf4()), 2000),
            4.0,
        ),
        ("herk4", error(HalfExplicit::herk4(), 1000), error(HalfExplicit::herk4(), 2000), 4.0),
        ("hedop5", error(HalfExplicit::hedop5(), 400), error(HalfExplicit::hedop5(), 800), 5.0),
    ] {
        let observed = measure::order(coarse, fine);
        println!("{label}: {coarse:.2e} {fine:.2e}, order {observed:.3}");
        assert!((observed - expected).abs() < 0.15, "{label}: {observed}");
    }
}

/// Long chains are cut into pieces.
#[test]
fn pieces_of_a_long_chain_fit_together() {
    let data = pendulum::Data { mass: 0.3, length: 0.01, growth: 0.0, gravity: 9.81 };
    let mut random = Random::new(9);
    // At rest what is below a link weighs on it. Of these, pieces are cut once, twice and three times.
    for links in [100, 1500, 20_000] {
        let system = pendulum::System::new(data.clone(), pendulum::Lengths { links }).unwrap();
        let q = pendulum::Pendulum { links: directions(&mut random, links) };
        let mut force = system.zero_velocity();
        system.force(0.0, &q, &system.zero_velocity(), &mut force);
        let weight = 0.3 * 9.81 * 0.01;
        for (index, link) in q.links.iter().enumerate() {
            let expected = -link.direction().cross(&Vector3::z()) * (weight * (links - index) as f64);
            let error = (force.fixed_rows::<3>(3 * index) - expected).norm();
            // The round-off of sums of so many terms, one after the other.
            let bound = f64::EPSILON * weight * (links * links) as f64;
            assert!(error < bound, "{links}, {index}: {error:.1e}");
        }
    }
    let links = 1500;
    let system = pendulum::System::new(data, pendulum::Lengths { links }).unwrap();
    let q = pendulum::Pendulum { links: directions(&mut random, links) };
    let masses = system.mass_frames(0.0, &q);
    let sum = q.links.iter().fold(Vector3::zeros(), |sum, link| sum + link.direction() * 0.01);
    assert!((masses[links - 1] - sum).norm() < 1e-13);
    // T = ½ vᵀ M v, with M by momenta.
    let v = DVector::from_fn(3 * links, |_, _| random.number());
    let mut momentum = system.zero_velocity();
    Momentum::momentum(&system, 0.0, &q, &v, &mut momentum);
    let energy = system.kinetic_energy(0.0, &q, &v);
    assert!((0.5 * momentum.dot(&v) / energy - 1.0).abs() < 1e-12);
    let (mut mass, mut back) = (system.zero_mass(), system.zero_velocity());
    system.mass(0.0, &q, &mut mass).unwrap();
    system.solve_mass(&mut mass, &momentum, &mut back);
    let error = (&back - &v).norm() / v.norm();
    assert!(error < 1e-10, "{error:.1e}");
}

/// A chain of masses that are zero is an error that names the links.
#[test]
fn links_without_mass_are_refused() {
    let data = pendulum::Data { mass: 0.0, ..DATA };
    let system = pendulum::System::new(data, pendulum::Lengths { links: 3 }).unwrap();
    let q = pendulum::Pendulum { links: directions(&mut Random::new(1), 3) };
    let rest = system.zero_velocity();
    let run =
        Simulation::of(&system).initial(q, rest).method(OnMechanical(MuntheKaas::rkmk4())).step(0.1).end_time(1.0);
    let error = run.run().unwrap_err().to_string();
    assert!(error.contains("`links`"), "{error}");
    let none = pendulum::System::new(DATA, pendulum::Lengths { links: 0 }).unwrap_err().to_string();
    assert!(none.contains("`links`"), "{none}");
}

/// Observables over frames: of one a value, of all a list.
#[test]
fn observables_see_frames() {
    let system = chain(4);
    let mut random = Random::new(2);
    let links = directions(&mut random, 4);
    let omega: Vec<Vector3<f64>> = links.iter().map(|q| q.direction().cross(&random.vector::<3>())).collect();
    let v = DVector::from_iterator(12, omega.iter().flat_map(|omega| omega.iter().copied()));
    let q = pendulum::Pendulum { links };
    let observed = system.report_observables(0.0, &q, &v);
    let masses = system.mass_frames(0.0, &q);
    assert_eq!(observed.get("tip").unwrap().numbers(), masses[3].as_slice());
    let speeds = observed.get("speed").unwrap().numbers();
    let mut rate = Vector3::zeros();
    for (index, (link, omega)) in q.links.iter().zip(&omega).enumerate() {
        rate += omega.cross(&link.direction()) * (0.9 * (1.0 + 0.15 * index as f64));
        assert!((speeds[index] - rate.norm()).abs() < 1e-14);
    }
}

/// Constraints between members, and a member that is held: accelerations and multipliers of those written out.
#[test]
fn constrained_and_clamped_members() {
    let chain = geared::System::new(geared::Lengths { joints: 4 }).unwrap();
    let dense = three_geared::System::new().unwrap();
    assert_eq!((chain.dof(), chain.constraint_rows()), (3, 2));
    let angles = [0.3, 0.7, 1.1, 1.5];
    let turns = angles.map(SO2::from_angle);
    let q = geared::Rods { joints: turns.to_vec() };
    let few = three_geared::Rods { joints: [turns[1], turns[2], turns[3]] };
    let v = Vector3::new(0.4, 0.8, 1.2);
    let (a, _) = ConsistentValues::of(&chain)
        .state(&chain, 0.0, q.clone(), DVector::from_column_slice(v.as_slice()))
        .expect("consistent");
    let (b, _) = ConsistentValues::of(&dense).state(&dense, 0.0, few, v).expect("consistent");
    assert!((a.acceleration.fixed_rows::<3>(0) - b.acceleration).norm() < 1e-12 * b.acceleration.norm());
    assert!((a.multipliers.fixed_rows::<2>(0) - b.multipliers).norm() < 1e-12 * b.multipliers.norm());
    // The same motion by a half-explicit method, which does not mind that the angles of the gears wrap.
    let first =
        Simulation::of(&chain).initial(q.clone(), a.velocity.clone()).step(1e-3).end_time(0.5).output_times(&[0.5]);
    let wrapped = first.run().expect_err("an angle wraps").to_string();
    assert!(wrapped.contains("constraint `gear[1]`") && wrapped.contains("an angle has wrapped"), "{wrapped}");
    let first = Simulation::of(&chain).initial(q, a.velocity.clone()).step(1e-3).end_time(0.5).output_times(&[0.5]);
    let first = first.constraint_tolerance(f64::INFINITY).run().expect("runs");
    let start = three_geared::Rods { joints: [turns[1], turns[2], turns[3]] };
    let second = Simulation::of(&dense).initial(start, v).step(1e-3).end_time(0.5).output_times(&[0.5]);
    let second = second.constraint_tolerance(f64::INFINITY).run().expect("runs");
    let (first, second) = (first.last(), second.last());
    for (joint, other) in first.configuration.joints[1..].iter().zip(&second.configuration.joints) {
        assert!((joint.inverse() * *other).log().norm() < 1e-10);
    }
    assert_eq!(first.configuration.joints[0], turns[0]);
    assert!((first.velocity.fixed_rows::<3>(0) - second.velocity).norm() < 1e-9);
}
