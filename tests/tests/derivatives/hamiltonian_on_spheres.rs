//! Hamiltonians of declarations with spheres: on T*S², by momenta that turn the directions.

use fixtures::canonical::{check_derivatives, check_motion};
use fixtures::derivatives::worst_deviations;
use fixtures::random::Random;
use lie_runtime::field::HamiltonianSystem;
use lie_runtime::integrator::SymplecticLieGroup;
use lie_runtime::prelude::*;
use lie_runtime::scalar::{Dual, Scalar};
use lie_runtime::space::{ConfigurationSpace, Cotangent};

/// A mass on a rod.
#[mechanical_system(derivative_check)]
mod swing {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Swing {
        pub rod: S2,
    }

    #[kinetic_energy]
    fn kinetic(q: &Swing, v: &Velocity) -> f64 {
        0.5 * 1.3 * v.rod.cross(&q.rod.direction()).norm_squared()
    }

    /// Weight, and a spring to one side.
    #[potential]
    fn potential(q: &Swing) -> f64 {
        let place = q.rod.direction();
        9.81 * 1.3 * place.z + 2.0 * place.x * place.x
    }
}

/// Two masses on rods that hang from a slider, and a body that the first rod pulls at.
#[mechanical_system(derivative_check)]
mod mixed {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Mixed {
        pub slider: f64,
        pub rods: [S2; 2],
        pub body: SE3,
        pub needle: S2,
    }

    #[kinetic_energy]
    fn kinetic(q: &Mixed, v: &Velocity) -> f64 {
        let first = v.rods[0].cross(&q.rods[0].direction()) + Vector3::x() * v.slider;
        let second = first + v.rods[1].cross(&q.rods[1].direction()) * 0.7;
        let needle = v.needle.cross(&q.needle.direction());
        let (turn, drift) = (v.body.angular(), v.body.linear());
        let inertia = Vector3::new(0.3, 0.5, 0.4);
        // The last one makes T linear in the velocity, too.
        0.4 * v.slider * v.slider
            + 0.5 * first.norm_squared()
            + 0.6 * second.norm_squared()
            + 0.2 * needle.norm_squared()
            + 0.1 * needle.dot(&second)
            + 0.5 * turn.dot(&inertia.component_mul(&turn))
            + 0.9 * drift.norm_squared()
            + 0.3 * needle.x
    }

    #[potential]
    fn potential(q: &Mixed) -> f64 {
        let pull = q.body.rotation() * Vector3::new(0.2, 0.1, -0.4) + q.body.position() - q.rods[0].direction();
        let weight = 9.81 * (q.rods[0].direction().z + 0.8 * q.rods[1].direction().z);
        weight
            + 1.5 * pull.norm_squared()
            + 0.7 * q.slider * q.slider
            + q.needle.direction().dot(&q.rods[1].direction())
    }
}

fn direction(random: &mut Random) -> S2 {
    S2::new(random.vector::<3>()).expect("a direction")
}

fn anywhere(random: &mut Random) -> mixed::Mixed {
    mixed::Mixed {
        slider: random.number(),
        rods: [direction(random), direction(random)],
        body: SE3::exp(&random.vector()),
        needle: direction(random),
    }
}

/// Angular velocities that are orthogonal to the directions.
fn rates(q: &mixed::Mixed, random: &mut Random) -> mixed::Velocity {
    let mut across = |q: S2| q.direction().cross(&random.vector::<3>());
    let rods = q.rods.map(&mut across);
    mixed::Velocity { rods, needle: across(q.needle), slider: 0.4, body: random.vector() }
}

#[test]
fn kernels_are_those_of_the_declaration() {
    let (swing, mixed) = (swing::System::new().unwrap(), mixed::System::new().unwrap());
    let mut reports = vec![worst_deviations(&swing, 50, |random| swing::Swing { rod: direction(random) })];
    reports.push(worst_deviations(&mixed, 20, anywhere));
    for report in reports {
        for kernel in ["hamiltonian", "spatial_momentum", "hamiltonian_velocity", "hamiltonian_force"] {
            assert!(report.iter().any(|entry| entry.kernel == kernel), "{kernel} is not compared");
        }
        for entry in report {
            assert!(entry.deviation < 1e-12, "{entry:?}");
        }
    }
    check_derivatives(&swing, &swing::Swing { rod: S2::new(Vector3::x()).unwrap() });
    check_derivatives(&mixed, &anywhere(&mut Random::new(4)));
}

#[test]
fn canonical_motion_is_the_lagrangian_one() {
    let rod = S2::new(Vector3::new(0.8, 0.1, 0.3)).unwrap();
    let omega = rod.direction().cross(&Vector3::new(0.3, 2.0, -1.0));
    check_motion(&swing::System::new().unwrap(), &swing::Swing { rod }, &omega, 1e-11);
    let mut random = Random::new(8);
    let q = anywhere(&mut random);
    let v = rates(&q, &mut random);
    check_motion(&mixed::System::new().unwrap(), &q, &v.into(), 1e-10);
}

/// The same Hamiltonian on T*SO(3), by hand: H(R, μ) = h(R e, μ), with the inertia about the direction that the declared
/// one is given.
#[derive(Clone, Copy)]
struct Turning<S: Scalar> {
    number: core::marker::PhantomData<S>,
}

impl<S: Scalar> Turning<S> {
    const NEW: Self = Turning { number: core::marker::PhantomData };
}

fn e<S: Scalar>() -> Vector3<S> {
    Vector3::new(S::from_f64(1.0), S::from_f64(0.0), S::from_f64(0.0))
}

impl<S: Scalar> HamiltonianSystem for Turning<S> {
    type Scalar = S;
    type Point = SO3<S>;

    fn zero(&self) -> Vector3<S> {
        Vector3::from_element(S::from_f64(0.0))
    }
    fn hamiltonian(&self, q: &SO3<S>, mu: &Vector3<S>) -> S {
        let place = q.rotate(&e());
        let kinetic = mu.dot(mu) * S::from_f64(0.5 / 1.3);
        kinetic + place.z * S::from_f64(9.81 * 1.3) + place.x * place.x * S::from_f64(2.0)
    }
    fn velocity(&self, _: &SO3<S>, mu: &Vector3<S>, out: &mut Vector3<S>) {
        *out = mu * S::from_f64(1.0 / 1.3);
    }
    /// −q × ∂H/∂q.
    fn force(&self, q: &SO3<S>, _: &Vector3<S>, out: &mut Vector3<S>) {
        let p = q.rotate(&e());
        let slope = [p.x * S::from_f64(4.0), S::from_f64(0.0), S::from_f64(9.81 * 1.3)];
        *out = -Vector3::new(
            p.y * slope[2] - p.z * slope[1],
            p.z * slope[0] - p.x * slope[2],
            p.x * slope[1] - p.y * slope[0],
        );
    }
}

impl lie_runtime::field::LiftedHamiltonian for Turning<f64> {
    type Lifted = Turning<Dual<f64>>;

    fn lift(&self) -> Turning<Dual<f64>> {
        Turning::NEW
    }
    fn lift_configuration(&self, q: &SO3) -> SO3<Dual<f64>> {
        SO3::from_matrix_unchecked(q.matrix().map(Dual::lift))
    }
}

/// Steps on T*S², embedded in T*SO(3), equal the steps on T*SO(3): symplectic methods are symplectic on T*S².
#[test]
fn steps_are_those_on_rotations() {
    let system = swing::System::new().unwrap();
    let turn = SO3::exp(&Vector3::new(0.2, 0.5, -0.4));
    let rod = S2::new(turn * Vector3::x()).unwrap();
    let mu = rod.direction().cross(&Vector3::new(0.3, 2.0, -1.0)) * 1.3;
    for theta in [0.0, 0.25, 0.5, 1.0] {
        let method = SymplecticLieGroup::new(theta).unwrap();
        let on_sphere = Simulation::of_hamiltonian(&system).initial_momentum(swing::Swing { rod }, mu).method(method);
        let on_rotations = Simulation::of_hamiltonian(&Turning::<f64>::NEW).initial_momentum(turn, mu).method(method);
        let sphere = on_sphere.step(0.01).end_time(2.0).run().unwrap().last().clone().point;
        let rotation = on_rotations.step(0.01).end_time(2.0).run().unwrap().last().clone().point;
        let place = rotation.configuration * Vector3::x();
        assert!((sphere.configuration.rod.direction() - place).norm() < 1e-12, "theta = {theta}");
        assert!((sphere.momentum - rotation.momentum).norm() < 1e-11, "theta = {theta}");
        assert!((rod.direction() - place).norm() > 0.5, "it moves");
        // It stays on T*S².
        assert!(sphere.momentum.dot(&place).abs() < 1e-13, "theta = {theta}");
    }
}

/// Orders, and over 20 000 steps an energy that stays where it is.
#[test]
fn symplectic_steps_on_spheres() {
    let system = mixed::System::new().unwrap();
    let mut random = Random::new(6);
    let q = anywhere(&mut random);
    let v = rates(&q, &mut random);
    let end = |theta: Option<f64>, h: f64| {
        let start = Simulation::of_hamiltonian(&system).initial_velocity(q, v).step(h).end_time(0.5);
        let run = match theta {
            Some(theta) => start.method(SymplecticLieGroup::new(theta).unwrap()).run(),
            None => start.method(MuntheKaas::rkmk54()).run(),
        };
        run.unwrap().last().clone().point
    };
    let exact = end(None, 1.0 / 1024.0);
    for (theta, expected) in [(0.5, 2.0), (0.0, 1.0)] {
        let error = |h: f64| {
            let end = end(Some(theta), h);
            let apart = system.space().distance(&end.configuration, &exact.configuration);
            apart.hypot((end.momentum - exact.momentum).norm())
        };
        let (coarse, fine) = (error(1.0 / 128.0), error(1.0 / 256.0));
        let order = (coarse / fine).log2();
        println!("theta = {theta}: {coarse:.1e}, {fine:.1e}, order {order:.2}");
        assert!((order - expected).abs() < 0.15, "theta = {theta}: {order}");
    }
    let swing = swing::System::new().unwrap();
    let rod = S2::new(Vector3::new(0.8, 0.1, 0.3)).unwrap();
    let omega = rod.direction().cross(&Vector3::new(0.3, 2.0, -1.0));
    let energy = |point: &Cotangent<swing::Swing>| swing.hamiltonian(&point.configuration, &point.momentum);
    let mut errors = Vec::new();
    let mut initial = None;
    Simulation::of_hamiltonian(&swing)
        .initial_velocity(swing::Swing { rod }, omega)
        .method(SymplecticLieGroup::new(0.5).unwrap())
        .step(0.01)
        .end_time(200.0)
        .output_every(20_000)
        .on_step(|state| {
            let energy = energy(&state.point);
            errors.push((energy - *initial.get_or_insert(energy)).abs());
        })
        .run()
        .unwrap();
    let largest = |range: core::ops::Range<usize>| errors[range].iter().copied().fold(0.0, f64::max);
    let (early, late) = (largest(0..5_000), largest(15_000..20_001));
    println!("energy errors: {early:.2e} then {late:.2e}");
    assert!(late < 1e-2 && late < 1.2 * early, "{early:e} then {late:e}");
}
