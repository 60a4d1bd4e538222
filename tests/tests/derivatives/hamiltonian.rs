//! The Hamiltonian on T*G that is derived from a declaration, by the Legendre transform.

use fixtures::canonical::{Tangent, check_derivatives, check_motion, moved, random_vector};
use fixtures::random::Random;
use fixtures::systems::conservative::{assembly, double_pendulum, held_body, top, vanishing_mass};
use fixtures::systems::heavy_tops;
use lie_runtime::field::LegendreTransform;
use lie_runtime::field::{HamiltonianProblem, HamiltonianSystem, OnCotangent};
use lie_runtime::group::{LieGroup, TangentVector};
use lie_runtime::integrator::SymplecticLieGroup;
use lie_runtime::integrator::{FieldState, Integrator, StepFailure};
use lie_runtime::nalgebra::DMatrix;
use lie_runtime::prelude::*;
use lie_runtime::space::Cotangent;

fn inertia() -> Matrix3<f64> {
    Matrix3::new(0.3, 0.02, -0.01, 0.02, 0.5, 0.03, -0.01, 0.03, 0.4)
}

fn slow_top() -> top::System {
    let (weight, axis) = (Vector3::new(0.5, -1.0, 4.0), Vector3::new(0.0, 0.6, 0.8));
    top::System::new(top::Top { inertia: inertia(), weight, axis }).unwrap()
}

fn body() -> held_body::System {
    let center = Vector3::new(0.2, -0.1, 0.3);
    let gravity = Vector3::new(0.1, 0.0, -1.0);
    held_body::System::new(held_body::Data { mass: 1.3, inertia: inertia(), center, stiffness: 2.0, gravity }).unwrap()
}

fn pendulum() -> double_pendulum::System {
    let (masses, lengths) = (Vector2::new(1.3, 0.7), Vector2::new(0.9, 1.2));
    double_pendulum::System::new(double_pendulum::Pendulum { masses, lengths, gravity: 9.81 }).unwrap()
}

fn everything() -> assembly::System {
    let data = assembly::Data {
        masses: Vector3::new(1.5, 0.7, 0.9),
        inertia: inertia(),
        length: 0.8,
        field: Vector3::new(0.4, -0.3, 0.6),
    };
    assembly::System::new(data).unwrap()
}

fn members() -> assembly::Members {
    assembly::Members {
        cart: SE2::identity(),
        links: [SO3::identity(); 2],
        wheel: SO2::identity(),
        body: S3R3 { rotation: S3::identity(), translation: Vector3::new(1.0, 0.2, 0.3) },
        drone: SE3 { rotation: SO3::identity(), translation: Vector3::new(-0.5, 1.2, 0.1) },
        gyroscope: S3::identity(),
        slider: Vector2::new(0.4, -0.2),
    }
}

fn pose() -> held_body::Body {
    held_body::Body { pose: SE3::exp(&Vector6::new(0.3, -0.2, 0.4, 0.5, 0.1, -0.3)) }
}

#[test]
fn derivatives_are_those_of_the_hamiltonian() {
    check_derivatives(&slow_top(), &top::Attitude { attitude: SO3::identity() });
    check_derivatives(&body(), &pose());
    check_derivatives(&pendulum(), &double_pendulum::Links { upper: SO2::identity(), lower: SO2::identity() });
    check_derivatives(&everything(), &members());
}

/// H = p · v − L; without terms of first and zeroth degree T + V.
#[test]
fn energies_are_those_of_the_declaration() {
    fn check<H>(system: &H, start: &<H as HamiltonianSystem>::Point)
    where
        H: LegendreTransform + OnCotangent<Scalar = f64>,
        H: MechanicalSystem<Scalar = f64, Configuration = <H as HamiltonianSystem>::Point, Velocity = Tangent<H>>,
    {
        let mut random = Random::new(5);
        for _ in 0..100 {
            let step = random_vector(&mut random, &system.zero());
            let q = moved(system, start, &step);
            let v = random_vector(&mut random, &system.zero());
            let energy = system.kinetic_energy(0.0, &q, &v) + system.potential_energy(0.0, &q);
            let hamiltonian = system.hamiltonian(&q, &system.momentum(&q, &v));
            assert!((energy - hamiltonian).abs() < 1e-13 * (1.0 + energy.abs()), "{energy} {hamiltonian}");
        }
    }
    check(&slow_top(), &top::Attitude { attitude: SO3::identity() });
    check(&body(), &pose());
    check(&pendulum(), &double_pendulum::Links { upper: SO2::identity(), lower: SO2::identity() });
}

/// Paper 3, eqs. (21) and (22), typed in.
#[test]
fn heavy_top_of_the_paper() {
    let system = slow_top();
    let (weight, axis) = (system.parameters().weight, system.parameters().axis);
    let inverse = inertia().try_inverse().unwrap();
    let mut random = Random::new(3);
    for _ in 0..500 {
        let (q, mu) = (SO3::exp(&random.rotation_vector()), random.vector::<3>() * 3.0);
        let omega = q * (inverse * (q.inverse() * mu));
        let energy = 0.5 * mu.dot(&omega) + weight.dot(&(q * axis));
        let torque = mu.cross(&omega) + weight.cross(&(q * axis));
        let point = top::Attitude { attitude: q };
        let (mut velocity, mut force) = (Vector3::zeros(), Vector3::zeros());
        system.derivatives(&point, &mu, &mut velocity, &mut force).unwrap();
        let scale = 1.0 + mu.norm_squared();
        assert!((system.hamiltonian(&point, &mu) - energy).abs() < 1e-13 * scale);
        assert!((velocity - omega).norm() < 1e-13 * scale);
        assert!((force - torque).norm() < 1e-13 * scale * scale);
    }
}

/// The step (q, μ) ↦ (q₁, μ₁) of a method.
fn map<H, I>(system: &H, method: &I, point: Cotangent<H::Point>, h: f64) -> Cotangent<H::Point>
where
    H: OnCotangent<Scalar = f64>,
    I: Integrator<HamiltonianProblem<H>>,
{
    let mut from = FieldState::at(system, 0.0, point);
    let mut workspace = method.workspace(system, &from);
    method.start(system, &mut from, &mut workspace).unwrap();
    let mut to = from.clone();
    method.step(system, &from, h, &mut to, &mut workspace).unwrap();
    to.point
}

/// The largest change of the form ω of paper 3, eq. (13), over pairs of basis vectors, by central differences.
fn defect_of_the_form<H, I>(system: &H, method: &I, q: &H::Point, v: &Tangent<H>) -> f64
where
    H::Point: LieGroup<Scalar = f64, Tangent = Tangent<H>>,
    H: LegendreTransform + OnCotangent<Scalar = f64>,
    I: Integrator<HamiltonianProblem<H>>,
{
    let (h, epsilon) = (0.05, 1e-4);
    let dof = v.component_count();
    let mu = system.momentum(q, v);
    let image = |xi: &Tangent<H>, nu: &Tangent<H>| {
        let mut momentum = mu.clone();
        momentum.axpy(1.0, nu);
        map(system, method, Cotangent { configuration: moved(system, q, xi), momentum }, h)
    };
    let end = image(&system.zero(), &system.zero());
    // (ξ, ν) of every image, by rows.
    let mut images = DMatrix::zeros(2 * dof, 2 * dof);
    for direction in 0..2 * dof {
        // Fourth order: rounding of 1e-15 / ε stays under 1e-10.
        for (weight, offset) in [(1.0, -2.0), (-8.0, -1.0), (8.0, 1.0), (-1.0, 2.0)] {
            let (mut xi, mut nu) = (system.zero(), system.zero());
            let moved = if direction < dof { &mut xi } else { &mut nu };
            moved.set_component(direction % dof, offset * epsilon);
            let near = image(&xi, &nu);
            let turn = LieGroup::log(&near.configuration.compose(&end.configuration.inverse()));
            for at in 0..dof {
                let factor = weight / (12.0 * epsilon);
                images[(direction, at)] += factor * turn.component(at);
                images[(direction, dof + at)] += factor * (near.momentum.component(at) - end.momentum.component(at));
            }
        }
    }
    let form = |mu: &Tangent<H>, first: &[f64], second: &[f64]| {
        let vector = |entries: &[f64]| {
            let mut vector = system.zero();
            for (at, &entry) in entries.iter().enumerate() {
                vector.set_component(at, entry);
            }
            vector
        };
        let [(xi, nu), (eta, rho)] = [first, second].map(|pair| (vector(&pair[..dof]), vector(&pair[dof..])));
        rho.dot(&xi) - nu.dot(&eta) - mu.dot(&<H::Point as LieGroup>::bracket(&xi, &eta))
    };
    let unit = DMatrix::<f64>::identity(2 * dof, 2 * dof);
    let row = |matrix: &DMatrix<f64>, at: usize| matrix.row(at).iter().copied().collect::<Vec<f64>>();
    let mut largest = 0.0_f64;
    for i in 0..2 * dof {
        for j in 0..i {
            let before = form(&mu, &row(&unit, i), &row(&unit, j));
            let after = form(&end.momentum, &row(&images, i), &row(&images, j));
            largest = largest.max((after - before).abs());
        }
    }
    largest
}

#[test]
fn symplectic_steps_keep_the_form() {
    let angles = double_pendulum::Links { upper: SO2::exp(&Vector1::new(0.8)), lower: SO2::exp(&Vector1::new(-0.4)) };
    let (rates, twist) = (Vector2::new(1.5, -2.0), Vector6::new(1.0, -0.7, 0.5, 0.3, 0.8, -0.6));
    for theta in [0.0, 0.25, 0.5, 1.0] {
        let method = SymplecticLieGroup::new(theta).unwrap();
        let planar = defect_of_the_form(&pendulum(), &method, &angles, &rates);
        let spatial = defect_of_the_form(&body(), &method, &pose(), &twist);
        println!("theta = {theta}: {planar:.1e}, {spatial:.1e}");
        assert!(planar < 1e-9 && spatial < 1e-9, "theta = {theta}: {planar:e}, {spatial:e}");
    }
    // The test can tell: methods that are not symplectic change the form.
    let heun = MuntheKaas::lie_heun();
    assert!(defect_of_the_form(&pendulum(), &heun, &angles, &rates) > 1e-5);
    assert!(defect_of_the_form(&body(), &heun, &pose(), &twist) > 1e-5);
}

#[test]
fn canonical_motion_is_the_lagrangian_one() {
    let attitude = top::Attitude { attitude: SO3::exp(&Vector3::new(0.4, -0.3, 0.2)) };
    check_motion(&slow_top(), &attitude, &Vector3::new(1.0, -2.0, 2.5), 1e-11);
    check_motion(&body(), &pose(), &Vector6::new(1.0, -0.7, 0.5, 0.3, 0.8, -0.6), 1e-11);
    let angles = double_pendulum::Links { upper: SO2::exp(&Vector1::new(0.8)), lower: SO2::exp(&Vector1::new(-0.4)) };
    check_motion(&pendulum(), &angles, &Vector2::new(1.5, -2.0), 1e-11);
    let system = everything();
    let v = random_vector(&mut Random::new(2), &system.zero_velocity());
    check_motion(&system, &members(), &v, 1e-10);
}

/// Over 20 000 steps the energy of a system whose inertia depends on q stays where it is.
#[test]
fn energy_errors_do_not_grow() {
    let system = pendulum();
    let angles = double_pendulum::Links { upper: SO2::exp(&Vector1::new(0.8)), lower: SO2::exp(&Vector1::new(-0.4)) };
    let mut errors = Vec::new();
    let mut initial = None;
    Simulation::of_hamiltonian(&system)
        .initial_velocity(angles, double_pendulum::Velocity { upper: 0.5, lower: -0.3 })
        .method(SymplecticLieGroup::new(0.5).unwrap())
        .step(0.01)
        .end_time(200.0)
        .output_every(20_000)
        .on_step(|state| {
            let energy = system.hamiltonian(&state.point.configuration, &state.point.momentum);
            errors.push((energy - *initial.get_or_insert(energy)).abs());
        })
        .run()
        .unwrap();
    let largest = |range: core::ops::Range<usize>| errors[range].iter().copied().fold(0.0, f64::max);
    let (early, late) = (largest(0..5_000), largest(15_000..20_001));
    println!("energy errors: {early:.2e} then {late:.2e}");
    assert!(late < 1e-2 && late < 1.2 * early, "{early:e} then {late:e}");
}

#[test]
fn a_mass_that_vanishes_is_told() {
    let system = vanishing_mass::System::new().unwrap();
    let q = vanishing_mass::Position { position: Vector2::new(-0.5, 0.2) };
    let error = Simulation::of_hamiltonian(&system)
        .initial_velocity(q, Vector2::new(1.0, 1.0))
        .step(0.1)
        .end_time(1.0)
        .run()
        .unwrap_err();
    let text = error.to_string();
    assert!(text.contains("not positive definite in the block of `position`"), "{text}");
    let mut force = Vector2::zeros();
    HamiltonianSystem::force(&system, &q, &Vector2::new(1.0, 1.0), &mut force);
    assert!(force.iter().all(|entry| entry.is_nan()));
    assert!(system.hamiltonian(&q, &Vector2::new(1.0, 1.0)).is_nan());
    let failure = system.derivatives(&q, &Vector2::new(1.0, 1.0), &mut Vector2::zeros(), &mut force);
    assert!(matches!(failure, Err(StepFailure::MassNotPositiveDefinite { member: "position", component: 0 })));
}

/// A system with constraints has no Hamiltonian; the names of its kernels show it as well.
#[test]
fn kernels_are_listed_where_there_is_a_hamiltonian() {
    let kernels = |system: &lie_runtime::system::Description| {
        system.kernels.iter().filter(|kernel| kernel.name.starts_with("hamiltonian")).count()
    };
    assert_eq!(kernels(pendulum().description()), 2);
    let top = heavy_tops::so3xr3::System::new(heavy_tops::so3xr3::HeavyTop {
        mass: 15.0,
        inertia: inertia(),
        center_of_mass: Vector3::y(),
        gravity: -Vector3::z(),
    });
    assert_eq!(kernels(top.unwrap().description()), 0);
}
