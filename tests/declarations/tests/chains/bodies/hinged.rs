//! Rigid bodies with ball joints: member by member, as bodies, as a power and as a chain of them.

pub mod declared;

use fixtures::derivatives::worst_deviations;
use fixtures::measure::run;
use fixtures::random::Random;
use lie_runtime::field::HamiltonianSystem;
use lie_runtime::group::SO3xR3;
use lie_runtime::group::TangentVector;
use lie_runtime::integrator::Integrator;
use lie_runtime::nalgebra::SVector;
use lie_runtime::prelude::*;
use lie_runtime::scalar::Dual;
use lie_runtime::system::Linearised;

use declared::{apart, chain, free, free_apart, library, power, together};

macro_rules! data {
    ($module:ident) => {
        $module::Data {
            mass: 1.5,
            inertia: Matrix3::new(0.02, 0.001, 0.0, 0.001, 0.15, 0.0, 0.0, 0.0, 0.14),
            half: Vector3::new(0.5, 0.0, 0.0),
            gravity: Vector3::new(0.0, 0.0, -9.81),
            damping: 0.2,
        }
    };
}

/// The bodies of a straight chain, with the attitude of one after the other turned a little about its own axis.
fn placed(count: usize) -> Vec<(SO3, Vector3<f64>)> {
    (0..count)
        .map(|at| {
            let along = at as f64;
            (SO3::exp(&Vector3::new(0.1 * along, 0.0, 0.0)), Vector3::new(0.5 + along, 0.0, 0.0))
        })
        .collect()
}

/// The components of the velocity at the end of runs by three methods: explicit, implicit, variational.
fn ends<M>(system: &M, q: &M::Configuration) -> [(&'static str, Vec<f64>); 3]
where
    M: MechanicalSystem<Scalar = f64> + Linearised,
    HalfExplicit: Integrator<M>,
    GeneralizedAlpha: Integrator<M>,
    Rattlie: Integrator<M>,
{
    [
        ("hedop5", end(system, q, HalfExplicit::hedop5())),
        ("lie_alpha", end(system, q, GeneralizedAlpha::chung_hulbert(0.8).expect("a radius"))),
        ("rattlie", end(system, q, Rattlie::new())),
    ]
}

fn end<M: MechanicalSystem<Scalar = f64>, I: Integrator<M>>(system: &M, q: &M::Configuration, method: I) -> Vec<f64> {
    let trajectory = run(system, (q.clone(), system.zero_velocity()), method, 2e-3, 0.2);
    let velocity = &trajectory.last().velocity;
    (0..system.dof()).map(|component| velocity.component(component)).collect()
}

fn assert_close(one: &[f64], other: &[f64], tolerance: f64, what: &str) {
    assert_eq!(one.len(), other.len());
    let size = one.iter().fold(0.0_f64, |size, x| size.max(x.abs()));
    assert!(size > 0.3, "{what}: nothing moves");
    for (x, y) in one.iter().zip(other) {
        assert!((x - y).abs() <= tolerance * size, "{what}: {x} and {y} of {one:?} and {other:?}");
    }
}

#[test]
fn bodies_move_as_their_members() {
    let pair = placed(2);
    let system = apart::System::new(data!(apart)).unwrap();
    let members = apart::Pair {
        upper_attitude: pair[0].0,
        upper_position: pair[0].1,
        lower_attitude: pair[1].0,
        lower_position: pair[1].1,
    };
    let bodies = together::System::new(data!(together)).unwrap();
    let body = |at: usize| together::Body { attitude: pair[at].0, position: pair[at].1 };
    let powers = power::System::new(data!(power)).unwrap();
    let of_power = |at: usize| power::Body { attitude: pair[at].0, position: pair[at].1 };
    let chains = chain::System::new(data!(chain), chain::Lengths { bodies: 2 }).unwrap();
    let of_chain = |at: usize| chain::Body { attitude: pair[at].0, position: pair[at].1 };
    let expected = ends(&system, &members);
    for (what, tolerance, found) in [
        ("members", 1e-12, ends(&bodies, &together::Pair { upper: body(0), lower: body(1) })),
        ("a power", 1e-12, ends(&powers, &power::Pair { bodies: [0, 1].map(of_power) })),
        ("a chain", 1e-9, ends(&chains, &chain::Chain { bodies: [0, 1].map(of_chain).to_vec() })),
    ] {
        for ((method, found), (_, expected)) in found.iter().zip(&expected) {
            assert_close(found, expected, tolerance, &format!("{method}, {what}"));
        }
    }
}

#[test]
fn chains_of_bodies_move_as_those_of_the_library() {
    for length in [3, 20] {
        let all = placed(length);
        let bodies = chain::System::new(data!(chain), chain::Lengths { bodies: length }).unwrap();
        let q = chain::Chain {
            bodies: all.iter().map(|&(attitude, position)| chain::Body { attitude, position }).collect(),
        };
        let library = library::System::new(data!(library), library::Lengths { bodies: length }).unwrap();
        let expected = library::Chain { bodies: all.iter().map(|&(r, x)| SO3xR3::new(r, x)).collect() };
        for ((method, found), (_, expected)) in ends(&bodies, &q).iter().zip(&ends(&library, &expected)) {
            assert_close(found, expected, 1e-10, &format!("{method}, {length} bodies"));
        }
    }
}

/// A body anywhere.
fn anywhere(random: &mut Random) -> (SO3, Vector3<f64>) {
    (SO3::exp(&random.vector()), random.vector())
}

#[test]
fn kernels_of_bodies_are_derivatives() {
    let check = |name: &str, worst: Vec<lie_runtime::system::DerivativeDeviation>| {
        for entry in worst {
            assert!(entry.deviation < 1e-12, "{name}: {entry:?}");
        }
    };
    let system = together::System::new(data!(together)).unwrap();
    let body = |random: &mut Random| {
        let (attitude, position) = anywhere(random);
        together::Body { attitude, position }
    };
    check("members", worst_deviations(&system, 5, |r| together::Pair { upper: body(r), lower: body(r) }));
    let system = power::System::new(data!(power)).unwrap();
    let body = |random: &mut Random| {
        let (attitude, position) = anywhere(random);
        power::Body { attitude, position }
    };
    check("power", worst_deviations(&system, 5, |r| power::Pair { bodies: [body(r), body(r)] }));
    let system = chain::System::new(data!(chain), chain::Lengths { bodies: 4 }).unwrap();
    let body = |random: &mut Random| {
        let (attitude, position) = anywhere(random);
        chain::Body { attitude, position }
    };
    let worst = worst_deviations(&system, 5, |r| chain::Chain { bodies: (0..4).map(|_| body(r)).collect() });
    check("chain", worst);
    let system = free::System::new().unwrap();
    let body = |random: &mut Random| {
        let (attitude, position) = anywhere(random);
        free::Body { attitude, position }
    };
    check("the Hamiltonian", worst_deviations(&system, 5, |r| free::Pose { body: body(r) }));
}

#[test]
fn a_body_has_the_hamiltonian_of_its_members() {
    let (system, apart) = (free::System::new().unwrap(), free_apart::System::new().unwrap());
    let mut random = Random::new(3);
    for _ in 0..5 {
        let (attitude, position) = anywhere(&mut random);
        let (q, members) =
            (free::Pose { body: free::Body { attitude, position } }, free_apart::Pose { attitude, position });
        let v = random.vector::<6>();
        let momentum = system.momentum(&q, &v);
        assert!((momentum - apart.momentum(&members, &v)).norm() < 1e-13);
        let (one, other) = (system.hamiltonian(&q, &momentum), apart.hamiltonian(&members, &momentum));
        assert!((one - other).abs() < 1e-13 * (1.0 + other.abs()), "{one} and {other}");
    }
}

/// The kernels on dual numbers and in single precision are those in double precision.
#[test]
#[allow(clippy::cast_possible_truncation)] // Single precision is what is tested.
fn bodies_of_other_numbers() {
    let (attitude, position) = placed(2)[1];
    let q = power::Pair { bodies: [power::Body { attitude, position }; 2] };
    let system = power::System::new(data!(power)).unwrap();
    let mut force = system.zero_velocity();
    system.force(0.7, &q, &SVector::from_element(0.3), &mut force);

    let lifted = lie_runtime::system::DualModel::lift(&system);
    let lifted_q = lie_runtime::system::DualModel::lift_configuration(&system, &q);
    let one = |x: f64| Dual { re: x, eps: 0.0 };
    let mut dual = lifted.zero_velocity();
    lifted.force(Dual { re: 0.7, eps: 1.0 }, &lifted_q, &SVector::from_element(one(0.3)), &mut dual);
    for row in 0..12 {
        assert!((dual[row].re - force[row]).abs() < 1e-14 * (1.0 + force[row].abs()));
    }
    // Only the drive depends on time.
    assert!((dual[0].eps - 0.3 * 0.7_f64.cos()).abs() < 1e-14);

    let single = |x: &Vector3<f64>| x.map(|x| x as f32);
    let body = power::Body {
        attitude: SO3::from_matrix_unchecked(attitude.matrix().map(|x| x as f32)),
        position: single(&position),
    };
    let data = data!(power);
    let single_data = power::Data::<f32> {
        mass: 1.5,
        inertia: data.inertia.map(|x| x as f32),
        half: single(&data.half),
        gravity: single(&data.gravity),
        damping: 0.2,
    };
    let system = power::System::new(single_data).unwrap();
    let mut small = system.zero_velocity();
    system.force(0.7, &power::Pair { bodies: [body; 2] }, &SVector::from_element(0.3), &mut small);
    for row in 0..12 {
        assert!((f64::from(small[row]) - force[row]).abs() < 1e-5 * (1.0 + force[row].abs()));
    }
}
