//! Inertia, centre of mass and total momentum of rigid bodies.

use fixtures::random::Random;
use lie_runtime::analysis::{BodyInertia, Fit, InertiaError, StateDynamics, total_momentum};
use lie_runtime::components::log_cholesky::log_cholesky_kinetic_energy;
use lie_runtime::components::solid_inertia::box_inertia;
use lie_runtime::nalgebra::{DVector, Matrix6, SVector};
use lie_runtime::prelude::*;

/// A free trunk with links on spherical joints; all bodies have the same inertia. A rotor about an axis of the trunk has no mass.
#[mechanical_system]
pub mod swimmer {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Swimmer {
        pub trunk: SE3,
        pub joints: Vec<SO3>,
    }

    #[parameters]
    pub struct Body {
        pub mass: f64,
        pub first_moment: Vector3<f64>,
        pub inertia: Matrix3<f64>,
        pub gravity: f64,
    }

    #[kinematics(over = trunk)]
    fn link(above: &SE3, trunk: &SE3) -> SE3 {
        *above * *trunk
    }

    #[kinematics(over = joints, frames = link)]
    fn limb(above: &SE3, joint: &SO3) -> SE3 {
        *above * SE3::new(*joint, *joint * Vector3::new(0.1, 0.0, -0.4))
    }

    #[kinetic_energy(over = link)]
    fn kinetic(body: &Body, twist: &Vector6<f64>) -> f64 {
        let (spin, speed) = (twist.angular(), twist.linear());
        0.5 * body.mass * speed.norm_squared()
            + speed.dot(&spin.cross(&body.first_moment))
            + 0.5 * spin.dot(&(body.inertia * spin))
    }

    #[potential(over = link)]
    fn weight(body: &Body, x: &SE3) -> f64 {
        body.gravity * (body.mass * x.position().z + (x.rotation() * body.first_moment).z)
    }
}

/// The inertia of a box about its corner.
pub fn body() -> BodyInertia {
    BodyInertia::new(2.0, Vector3::new(0.15, -0.1, 0.05), box_inertia(2.0, &Vector3::new(0.3, 0.2, 0.1))).unwrap()
}

pub fn swimmer(gravity: f64) -> swimmer::System {
    let matrix = body().matrix();
    let body = swimmer::Body {
        mass: body().mass(),
        first_moment: body().center_of_mass() * body().mass(),
        inertia: matrix.fixed_view::<3, 3>(0, 0).into(),
        gravity,
    };
    swimmer::System::new(body, swimmer::Lengths { joints: 3 }).unwrap()
}

pub fn state(random: &mut Random) -> (swimmer::Swimmer, DVector<f64>) {
    let trunk = SE3::exp(&random.vector());
    let joints = (0..3).map(|_| SO3::exp(&random.vector())).collect();
    (swimmer::Swimmer { trunk, joints }, DVector::from_fn(15, |_, _| random.number()))
}

fn momentum(system: &swimmer::System, t: f64, q: &swimmer::Swimmer, v: &DVector<f64>) -> Vector6<f64> {
    total_momentum(&system.link_frames(t, q), &system.link_inertias(t, q), &system.link_velocities(t, q, v))
}

/// The potential is m g z, the linear momentum is m c', and the kinetic energy is a sum.
#[test]
fn the_centre_of_mass_follows_the_potential_and_the_momentum() {
    let (mut random, system) = (Random::new(5), swimmer(3.0));
    let (q, v) = state(&mut random);
    let total =
        |q: &swimmer::Swimmer| BodyInertia::total(&system.link_frames(0.0, q), &system.link_inertias(0.0, q)).unwrap();
    assert!((total(&q).mass() - 8.0).abs() < 1e-13);
    let height = system.potential_energy(0.0, &q) / (8.0 * 3.0);
    assert!((total(&q).center_of_mass().z - height).abs() < 1e-14, "{height}");
    let moved = |step: f64| {
        let mut moved = q.clone();
        system.space().compose_exp(&q, &(&v * step), &mut moved);
        total(&moved).center_of_mass()
    };
    let rate = (moved(1e-5) - moved(-1e-5)) / 2e-5;
    assert!((momentum(&system, 0.0, &q, &v).linear() - rate * 8.0).norm() < 1e-8);
    let energy = |(matrix, twist): (Matrix6<f64>, SVector<f64, 6>)| 0.5 * twist.dot(&(matrix * twist));
    let all = system.link_inertias(0.0, &q).into_iter().zip(system.link_velocities(0.0, &q, &v));
    assert!((all.map(energy).sum::<f64>() - system.kinetic_energy(0.0, &q, &v)).abs() < 1e-14);

    // The moments of inertia of points of equal mass.
    let frames = system.link_frames(0.0, &q);
    let points = [[0.0, 0.0], [0.0, 1.0], [1.0, 0.0], [1.0, 1.0]].map(|[x, y]| Vector3::new(x, y, x - 0.3));
    let points = points.map(|place| BodyInertia::new(0.5, place, Matrix3::zeros()).unwrap().matrix());
    let found = BodyInertia::total(&frames, &points).unwrap();
    let places: Vec<Vector3<f64>> = frames
        .iter()
        .zip(points)
        .map(|(x, point)| *x * BodyInertia::of_matrix(&point).unwrap().center_of_mass())
        .collect();
    let center = places.iter().sum::<Vector3<f64>>() / 4.0;
    let about = |place: &Vector3<f64>| {
        let arm = (place - center).cross_matrix();
        -(arm * arm) * 0.5
    };
    assert!((found.center_of_mass() - center).norm() < 1e-14);
    assert!((found.inertia() - places.iter().map(about).sum::<Matrix3<f64>>()).norm() < 1e-13);
}

/// All bodies move with the trunk: the rows of the trunk of the mass matrix are the momentum in the frame of the trunk.
#[test]
fn the_momentum_matrix_is_the_momentum_of_the_trunk() {
    let (mut random, system) = (Random::new(9), swimmer(0.0));
    let (q, v) = state(&mut random);
    let mut dynamics = StateDynamics::of(&system);
    let matrix = dynamics.jacobian(0.0, &q, |system, t, q, v| {
        total_momentum(&system.link_frames(t, q), &system.link_inertias(t, q), &system.link_velocities(t, q, v))
    });
    let matrix = matrix.unwrap();
    let mass = dynamics.mass_matrix(0.0, &q).unwrap();
    for column in 0..15 {
        let own: Vector6<f64> = mass.fixed_view::<6, 1>(0, column).into();
        let expected = q.trunk.inverse().adjoint_transpose(&own);
        assert!((matrix.column(column) - expected).amax() < 1e-13, "{column}");
    }
    assert!((&matrix * &v - momentum(&system, 0.0, &q, &v)).amax() < 1e-13);

    // A free motion conserves the momentum.
    let run = Simulation::of(&system).initial(q, v).rtol(1e-10).atol(1e-12).end_time(2.0).run().unwrap();
    let at = |state: &State<swimmer::System>| momentum(&system, state.time, &state.configuration, &state.velocity);
    let (first, last) = (at(&run.states[0]), at(run.last()));
    assert!((first - last).norm() < 1e-7 * first.norm(), "{first}{last}");
}

/// Ten parameters, log-Cholesky parameters and matrices are the same body.
#[test]
fn conversions_of_an_inertia_are_inverse() {
    let mut random = Random::new(21);
    for _ in 0..200 {
        let p: SVector<f64, 10> = random.vector();
        let body = BodyInertia::of_log_cholesky(&p).unwrap();
        assert!((body.log_cholesky().unwrap() - p).norm() < 1e-12, "{p}");
        for other in [BodyInertia::of_parameters(&body.parameters()), BodyInertia::of_matrix(&body.matrix())] {
            let other = other.unwrap();
            assert!((other.parameters() - body.parameters()).norm() < 1e-13 * body.parameters().norm(), "{p}");
            assert!((other.inertia() - body.inertia()).norm() < 1e-12 * body.matrix().norm(), "{p}");
        }
        // Parameters of any size belong to a body.
        let moments = BodyInertia::of_log_cholesky(&(p * 4.0)).unwrap().inertia().symmetric_eigenvalues();
        assert!(2.0 * moments.max() <= moments.sum() * (1.0 + 1e-12) && moments.min() > 0.0, "{moments}");
        let twist: Vector6<f64> = random.vector();
        let energy = 0.5 * twist.dot(&(body.matrix() * twist));
        assert!((log_cholesky_kinetic_energy(&p, &twist) - energy).abs() < 1e-13 * (1.0 + energy));
    }
}

#[test]
fn impossible_inertias_are_errors() {
    let (place, inertia) = (Vector3::zeros(), Matrix3::identity());
    assert_eq!(BodyInertia::new(-1.0, place, inertia), Err(InertiaError::Mass { mass: -1.0 }));
    let long = Matrix3::from_diagonal(&Vector3::new(1.0, 3.0, 1.5));
    let error = BodyInertia::new(1.0, place, long).unwrap_err();
    assert!(
        matches!(error, InertiaError::Triangle { moments: [_, _, largest] } if (largest - 3.0).abs() < 1e-14),
        "{error}"
    );
    let nowhere = Vector3::new(0.0, f64::INFINITY, 0.0);
    let error = BodyInertia::new(1.0, nowhere, inertia).unwrap_err();
    assert!(matches!(error, InertiaError::CenterOfMass { center: [0.0, f64::INFINITY, 0.0] }), "{error}");
    let skew = inertia + Vector3::x().cross_matrix();
    assert_eq!(BodyInertia::new(1.0, place, skew), Err(InertiaError::NotSymmetric { row: 1, column: 2 }));
    let plate = Matrix3::from_diagonal(&Vector3::new(1.0, 2.0, 3.0));
    assert_eq!(BodyInertia::new(1.0, place, plate).unwrap().log_cholesky(), Err(InertiaError::Flat));
    // The added mass of a fluid depends on the direction.
    let mut added = body().matrix();
    added[(4, 4)] += 0.5;
    assert!(matches!(BodyInertia::total(&[SE3::identity()], &[added]), Err(InertiaError::NotRigid { .. })));
    let none = BodyInertia::total(&[], &[Matrix6::zeros()]).unwrap_err();
    assert!(none.to_string().contains("0 frames and 1 inertias"), "{none}");
}

/// The moments about the origin are 10¹⁰ times the moments about the centre of mass.
#[test]
fn round_off_of_a_body_far_from_the_origin_is_not_an_error() {
    let edges = Vector3::new(0.03, 0.02, 0.01);
    let far = BodyInertia::new(1.0, Vector3::new(300.0, -700.0, 900.0), box_inertia(1.0, &edges)).unwrap();
    for again in [BodyInertia::of_parameters(&far.parameters()), BodyInertia::of_matrix(&far.matrix())] {
        let again = again.unwrap();
        assert!((again.mass() - 1.0).abs() < 1e-15);
        assert!((again.center_of_mass() - far.center_of_mass()).norm() < 1e-12);
        assert!((again.inertia() - far.inertia()).amax() < 1e-9);
    }
    let frame = SE3::new(SO3::about_x(0.3), Vector3::new(500.0, 0.0, 0.0));
    let total = BodyInertia::total(&[frame], &[far.matrix()]).unwrap();
    assert!((total.center_of_mass() - (frame * far.center_of_mass())).norm() < 1e-12);
}

#[test]
fn a_momentum_of_lists_with_different_lengths_is_not_a_number() {
    let twist = Vector6::new(1.0, 2.0, 3.0, 4.0, 5.0, 6.0);
    let momentum = total_momentum(&[SE3::identity()], &[body().matrix()], &[twist]);
    assert!((momentum - body().matrix() * twist).amax() < 1e-15);
    assert!(total_momentum(&[SE3::identity()], &[body().matrix()], &[]).iter().all(|value: &f64| value.is_nan()));
}

/// A body that a known wrench moves, with log-Cholesky parameters.
#[mechanical_system]
pub mod thrown {
    use lie_runtime::components::log_cholesky::*;
    use lie_runtime::nalgebra::SVector;
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose {
        pub pose: SE3,
    }

    #[parameters]
    pub struct Body {
        pub body: SVector<f64, 10>,
    }

    #[kinetic_energy]
    fn kinetic(p: &Body, v: &Velocity) -> f64 {
        log_cholesky_kinetic_energy(&p.body, &v.pose)
    }

    #[potential]
    fn weight(p: &Body, q: &Pose) -> f64 {
        9.81 * log_cholesky_mass(&p.body) * (q.pose * log_cholesky_center_of_mass(&p.body)).z
    }

    /// A wrench in the frame of the body.
    #[force]
    fn thrust(t: f64) -> Vector6<f64> {
        let turn = Vector3::new(0.05 * (4.0 * t).sin(), 0.03, 0.04 * (7.0 * t).cos());
        Vector6::new(turn.x, turn.y, turn.z, (3.0 * t).cos(), -0.5, 2.0 * (5.0 * t).sin())
    }
}

/// The fit has no constraints, and finds the body from the velocities of a short motion.
#[test]
fn a_fit_identifies_a_consistent_inertia() {
    let system = |body: &BodyInertia| thrown::System::new(thrown::Body { body: body.log_cholesky().unwrap() }).unwrap();
    let times: Vec<f64> = (1..=20).map(|k| 0.025 * f64::from(k)).collect();
    let pose = thrown::Pose { pose: SE3::identity() };
    let exact = system(&body());
    let run = Simulation::of(&exact).at_rest(pose).step(0.0125).end_time(0.5).output_times(&times).run().unwrap();
    let edges = Vector3::new(0.35, 0.15, 0.15);
    let guess = system(&BodyInertia::new(1.5, Vector3::new(0.1, -0.05, 0.0), box_inertia(1.5, &edges)).unwrap());
    let mut fit = Fit::of(Simulation::of(&guess).at_rest(pose).step(0.0125).with_sensitivities(["body"]));
    for at in 0..6 {
        let values: Vec<f64> = run.states.iter().map(|state| state.velocity[at]).collect();
        fit = fit.measured(format!("velocity.pose[{at}]"), &times, &values, &[1e-3]);
    }
    let found = fit.solve().unwrap();
    let identified = BodyInertia::of_log_cholesky(&found.system.parameters().body).unwrap();
    let difference = identified.parameters() - body().parameters();
    assert!(difference.amax() < 1e-6, "{difference} {}", found.evaluations);
}
