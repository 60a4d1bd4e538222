//! The joint evaluation of elements at one point equals their separate kernels.

use fixtures::random::Random;
use fixtures::systems::chained::chained_example;
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;
use lie_runtime::system::chain::{ChainJacobian, ElementSystem, ElementVisitor, Elimination};
use lie_runtime::system::{Block, Linearised, Term};

/// A rod whose edges have a strain energy, and constraints, and no damping: force and B are found together.
#[mechanical_system]
mod rod {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Rod {
        pub nodes: Vec<S3R3>,
    }

    #[parameters]
    pub struct Data {
        pub stiffness: Vector6<f64>,
        pub damping: f64,
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(v: &Vector6<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[quantity(over = nodes.windows(2))]
    pub fn strain([a, b]: [&S3R3; 2]) -> Vector6<f64> {
        (a.inverse() * b).log()
    }

    #[potential(over = nodes.windows(2))]
    fn elastic(data: &Data, [a, b]: [&S3R3; 2]) -> f64 {
        let w = strain([a, b]);
        0.5 * w.dot(&data.stiffness.component_mul(&w))
    }

    #[constraint(over = nodes.windows(2))]
    fn unsheared(t: f64, [a, b]: [&S3R3; 2]) -> Vector2<f64> {
        let w = strain([a, b]);
        Vector2::new(w[3] - 0.1 * t, w[4])
    }

    #[potential(over = nodes.last())]
    fn weight(q: &S3R3) -> f64 {
        9.81 * q.translation[2]
    }

    #[dissipation(over = nodes)]
    fn viscous(data: &Data, v: &Vector6<f64>) -> f64 {
        0.5 * data.damping * v.norm_squared()
    }
}

/// A random node.
fn node(random: &mut Random) -> S3R3 {
    S3R3 { rotation: S3::exp(&random.rotation_vector()), translation: random.vector() }
}

fn assert_within(tolerance: f64, what: &str, found: &[f64], expected: &[f64]) {
    let scale = expected.iter().fold(1.0, |scale: f64, entry| scale.max(entry.abs()));
    for (at, (found, expected)) in found.iter().zip(expected).enumerate() {
        assert!((found - expected).abs() <= tolerance * scale, "{what}, entry {at}: {found} for {expected}");
    }
}

fn assert_close(what: &str, found: &[f64], expected: &[f64]) {
    assert_within(1e-12, what, found, expected);
}

/// Compares the kernels of every element at one point; counts the kinds that have something in common.
struct Compare<'a, M: ElementSystem> {
    system: &'a M,
    q: &'a M::Configuration,
    random: &'a mut Random,
    with_jacobian: usize,
}

impl<M: ElementSystem<Scalar = f64>> ElementVisitor<M> for Compare<'_, M> {
    fn element<E: Term<M>>(&mut self) {
        let Compare { system, q, random, .. } = self;
        let t = 0.4;
        self.with_jacobian += usize::from(E::FORCE_WITH_JACOBIAN);
        let (mut v, mut acceleration, mut multipliers) = (E::Vector::zeros(), E::Vector::zeros(), E::Rows::zeros());
        for place in system.structure().layout().kinds[E::KIND].places() {
            for list in [v.as_mut_slice(), acceleration.as_mut_slice(), multipliers.as_mut_slice()] {
                list.fill_with(|| random.number());
            }
            let (mut force, mut jacobian) = (E::Vector::zeros(), E::Jacobian::zeros());
            let (mut joint_force, mut joint_jacobian) = (E::Vector::zeros(), E::Jacobian::zeros());
            E::constraint_jacobian(system, &place, t, q, &mut jacobian);
            if E::FORCE_WITH_JACOBIAN {
                E::force(system, &place, t, q, &v, &mut force);
                E::force_and_jacobian(system, &place, t, q, &mut joint_force, &mut joint_jacobian);
                assert_close("force", joint_force.as_slice(), force.as_slice());
                assert_close("B", joint_jacobian.as_slice(), jacobian.as_slice());
            }
            let (mut residual, mut constraint) = (E::Vector::zeros(), E::Rows::zeros());
            let (mut joint_residual, mut joint_constraint) = (E::Vector::zeros(), E::Rows::zeros());
            E::residual(system, &place, t, q, &v, &acceleration, &multipliers, &mut residual);
            E::constraint(system, &place, t, q, &mut constraint);
            let (r, phi) = (&mut joint_residual, &mut joint_constraint);
            E::residual_and_constraint(system, &place, t, q, &v, &acceleration, &multipliers, r, phi);
            assert_close("r", joint_residual.as_slice(), residual.as_slice());
            assert_close("Φ", joint_constraint.as_slice(), constraint.as_slice());
            let (mut stiffness, mut damping) = (E::Matrix::zeros(), E::Matrix::zeros());
            let (mut joint_stiffness, mut joint_damping) = (E::Matrix::zeros(), E::Matrix::zeros());
            E::tangent_stiffness(system, &place, t, q, &v, &acceleration, &multipliers, &mut stiffness);
            E::tangent_damping(system, &place, t, q, &v, &mut damping);
            let (k, c, b) = (&mut joint_stiffness, &mut joint_damping, &mut joint_jacobian);
            E::linearise(system, &place, t, q, &v, &acceleration, &multipliers, k, c, b);
            assert_close("K", joint_stiffness.as_slice(), stiffness.as_slice());
            assert_close("C", joint_damping.as_slice(), damping.as_slice());
            assert_close("B together with K", joint_jacobian.as_slice(), jacobian.as_slice());
        }
    }
}

/// The same of the whole system.
fn compare_assembled<M, K>(system: &M, q: &M::Configuration, random: &mut Random)
where
    M: Linearised<Scalar = f64, Velocity = DVector<f64>, Multipliers = DVector<f64>, Jacobian = ChainJacobian<f64, K>>,
{
    let t = 0.4;
    let mut vector = |mut list: DVector<f64>| {
        list.iter_mut().for_each(|entry| *entry = random.number());
        list
    };
    let (v, acceleration) = (vector(system.zero_velocity()), vector(system.zero_velocity()));
    let multipliers = vector(system.zero_multipliers());
    let (mut force, mut jacobian) = (system.zero_velocity(), system.zero_jacobian());
    // What buffers held before does not matter.
    let (mut joint_force, mut joint_jacobian) = (vector(system.zero_velocity()), system.zero_jacobian());
    system.force(t, q, &v, &mut force);
    system.constraint_jacobian(t, q, &mut jacobian);
    system.jacobian_and_force(t, q, &mut joint_jacobian, Some(&mut joint_force));
    system.complete_force(t, q, &v, &mut joint_force);
    assert_close("force of the system", joint_force.as_slice(), force.as_slice());
    assert_close("B of the system", &joint_jacobian.entries, &jacobian.entries);
    let (mut residual, mut constraint) = (system.zero_velocity(), system.zero_multipliers());
    let (mut joint_residual, mut joint_constraint) = (vector(residual.clone()), vector(constraint.clone()));
    system.residual(t, q, &v, &acceleration, &multipliers, &mut residual);
    system.constraint(t, q, &mut constraint);
    let out = (&mut joint_residual, &mut joint_constraint);
    system.residual_and_constraint(t, q, &v, &acceleration, &multipliers, out.0, out.1);
    assert_close("r of the system", joint_residual.as_slice(), residual.as_slice());
    assert_close("Φ of the system", joint_constraint.as_slice(), constraint.as_slice());
}

/// Linear systems that have a factorisation, or the reading of B, in common are those that are solved one by one.
fn compare_solved<M>(system: &M, [here, there]: [&M::Configuration; 2], random: &mut Random)
where
    M: Linearised<Scalar = f64, Velocity = DVector<f64>, Multipliers = DVector<f64>>,
{
    let (t, h) = (0.4, 0.03);
    let mut vector = |mut list: DVector<f64>| {
        list.iter_mut().for_each(|entry| *entry = random.number());
        list
    };
    let zero = system.zero_velocity();
    let (force, velocity) = (vector(zero.clone()), vector(zero.clone()));
    let (mut drift, other) = (system.zero_multipliers(), vector(system.zero_multipliers()));
    let mut jacobians = [system.zero_jacobian(), system.zero_jacobian()];
    system.constraint_jacobian(t, here, &mut jacobians[0]);
    system.constraint_jacobian(t, there, &mut jacobians[1]);
    system.constraint_drift(t, there, &mut drift);
    let mut mass = system.zero_mass();
    system.mass(t, here, &mut mass).expect("positive definite");
    let [b, ahead] = &jacobians;
    let mut solve = |second: &M::Jacobian, force: &DVector<f64>, constraint: &DVector<f64>| {
        let (mut a, mut l) = (vector(zero.clone()), vector(drift.clone()));
        system.solve_kkt(&mut mass, b, second, force, constraint, &mut a, &mut l).expect("independent");
        [a, l]
    };
    let mut rates = drift.clone();
    system.jacobian_times(ahead, &velocity, &mut rates);
    let expected = [solve(ahead, &force, &((rates + &drift) * (-1.0 / h))), solve(b, &zero, &other)];
    solve(b, &force, &drift);

    let mut found = [expected[0].clone(), expected[1].clone()];
    found.iter_mut().flatten().for_each(|list| *list = vector(list.clone()));
    let [[first, first_multipliers], [second, second_multipliers]] = &mut found;
    system
        .solve_kkt_again(&mut mass, b, &zero, &other, second, second_multipliers)
        .expect("factors of the last solution");
    let mut scratch = drift.clone();
    let motion = (&velocity, h);
    system
        .solve_kkt_end_velocity(&mut mass, b, ahead, &force, motion, &mut scratch, first, first_multipliers)
        .expect("independent");
    for (what, found, expected) in [("towards", &found[0], &expected[0]), ("again", &found[1], &expected[1])] {
        assert_within(1e-9, what, found[0].as_slice(), expected[0].as_slice());
        assert_within(1e-9, what, found[1].as_slice(), expected[1].as_slice());
    }
}

#[test]
fn joint_kernels_are_the_single_ones() {
    let mut random = Random::new(5);
    let data = rod::Data { stiffness: Vector6::new(3.0, 4.0, 5.0, 60.0, 70.0, 80.0), damping: 0.3 };
    let system = rod::System::new(data, rod::Lengths { nodes: 5 }).expect("a rod");
    for _ in 0..20 {
        let q = rod::Rod { nodes: (0..5).map(|_| node(&mut random)).collect() };
        let mut compare = Compare { system: &system, q: &q, random: &mut random, with_jacobian: 0 };
        system.visit(&mut compare);
        assert_eq!(compare.with_jacobian, 1, "the edges");
        compare_assembled(&system, &q, &mut random);
        let there = rod::Rod { nodes: (0..5).map(|_| node(&mut random)).collect() };
        compare_solved(&system, [&q, &there], &mut random);
    }
    assert!(matches!(system.structure().eliminations()[0], Elimination::BlockTridiagonal));
    let (system, line, _) = chained_example();
    for _ in 0..5 {
        let mut q = line.clone();
        q.frames.iter_mut().for_each(|frame| *frame = node(&mut random));
        system.visit(&mut Compare { system: &system, q: &q, random: &mut random, with_jacobian: 0 });
        compare_assembled(&system, &q, &mut random);
        compare_solved(&system, [&q, &q], &mut random);
    }
    assert!(!matches!(system.structure().eliminations()[0], Elimination::BlockTridiagonal));
}
