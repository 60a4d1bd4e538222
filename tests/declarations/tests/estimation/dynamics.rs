//! Forces, accelerations, matrices and Jacobians at a state.

use fixtures::random::Random;
use fixtures::systems::chained::{chained, chained_example};
use fixtures::systems::spheres::{direction, double_pendulum, unit_double_pendulum};
use lie_runtime::analysis::{DynamicsError, StateDynamics};
use lie_runtime::group::TangentVector;
use lie_runtime::nalgebra::{DMatrix, DVector, Matrix2, SMatrix};
use lie_runtime::prelude::*;

/// Two links in the plane with point masses at their ends, friction in the joints, and motors.
#[mechanical_system]
mod arm {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Joints {
        pub shoulder: f64,
        pub elbow: f64,
    }

    #[parameters]
    pub struct Arm {
        pub masses: Vector2<f64>,
        pub lengths: Vector2<f64>,
        pub friction: f64,
    }

    #[inputs]
    pub struct Motors {
        pub torque: Vector2<f64>,
    }

    #[quantity]
    pub fn elbow(arm: &Arm, q: &Joints) -> Vector2<f64> {
        Vector2::new(q.shoulder.cos(), q.shoulder.sin()) * arm.lengths.x
    }

    #[quantity]
    pub fn tip(arm: &Arm, q: &Joints) -> Vector2<f64> {
        let angle = q.shoulder + q.elbow;
        elbow(arm, q) + Vector2::new(angle.cos(), angle.sin()) * arm.lengths.y
    }

    #[kinetic_energy]
    fn kinetic(arm: &Arm, q: &Joints, v: &Velocity) -> f64 {
        0.5 * (arm.masses.x * elbow_rate(arm, q, v).norm_squared() + arm.masses.y * tip_rate(arm, q, v).norm_squared())
    }

    #[potential]
    fn weight(arm: &Arm, q: &Joints) -> f64 {
        9.81 * (arm.masses.x * elbow(arm, q).y + arm.masses.y * tip(arm, q).y)
    }

    #[dissipation]
    fn friction(arm: &Arm, v: &Velocity) -> f64 {
        0.5 * arm.friction * (v.shoulder * v.shoulder + v.elbow * v.elbow)
    }

    #[force]
    fn motors(u: &Motors) -> Vector2<f64> {
        u.torque
    }
}

/// A slider-crank mechanism.
#[mechanical_system]
mod slider_crank {
    #[configuration]
    pub struct Joints {
        pub crank: f64,
        pub rod: f64,
        pub slider: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        v.crank * v.crank + 0.5 * v.rod * v.rod + 0.3 * v.slider * v.slider
    }

    #[quantity]
    pub fn stroke(q: &Joints) -> f64 {
        q.slider
    }

    #[constraint]
    fn closed(q: &Joints) -> Vector2<f64> {
        Vector2::new(q.crank.cos() + 2.0 * q.rod.cos() - q.slider, q.crank.sin() + 2.0 * q.rod.sin())
    }
}

/// Links in space on spherical joints, as frames.
#[mechanical_system]
mod tentacle {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Tentacle {
        pub joints: Vec<SO3>,
    }

    #[kinematics(over = joints)]
    fn link(above: &SE3, joint: &SO3) -> SE3 {
        *above * SE3::new(*joint, *joint * Vector3::new(0.0, 0.0, -0.4))
    }

    #[kinetic_energy(over = link)]
    fn kinetic(v: &Vector6<f64>) -> f64 {
        let spin = v.angular();
        0.5 * v.linear().norm_squared() + 0.5 * spin.dot(&Vector3::new(0.1 * spin.x, 0.2 * spin.y, 0.3 * spin.z))
    }

    #[potential(over = link)]
    fn weight(x: &SE3) -> f64 {
        9.81 * x.position().z
    }
}

const GRAVITY: f64 = 9.81;

fn arm() -> arm::System {
    let [masses, lengths] = [Vector2::new(3.0, 2.0), Vector2::new(0.6, 0.5)];
    let system = arm::System::new(arm::Arm { masses, lengths, friction: 0.4 }).unwrap();
    system.with_inputs_over_time(|_| arm::Motors { torque: Vector2::zeros() })
}

fn assert_close<V: TangentVector<Scalar = f64>>(found: &V, expected: &V, tolerance: f64) {
    let mut difference = found.clone();
    difference.axpy(-1.0, expected);
    assert!(difference.max_norm() <= tolerance * expected.max_norm().max(1.0), "{found:?} {expected:?}");
}

/// Mass matrix, Coriolis forces and gravity of the textbook.
#[test]
fn a_planar_arm_has_the_terms_of_the_textbook() {
    let system = arm();
    let mut dynamics = StateDynamics::of(&system);
    let arm::Arm { masses, lengths, friction } = *system.parameters();
    let (q, v, a) = (arm::Joints { shoulder: 0.7, elbow: -1.1 }, Vector2::new(1.3, -0.8), Vector2::new(2.0, 0.5));
    let (b, both) = (masses.y * lengths.x * lengths.y, q.shoulder + q.elbow);
    let last = masses.y * lengths.y.powi(2);
    let off = last + b * q.elbow.cos();
    let first = (masses.x + masses.y) * lengths.x.powi(2) + last + 2.0 * b * q.elbow.cos();
    let mass = Matrix2::new(first, off, off, last);
    let coriolis = b * q.elbow.sin() * Vector2::new(-(2.0 * v.x * v.y + v.y * v.y), v.x * v.x);
    let outer = masses.y * lengths.y * both.cos();
    let gravity = GRAVITY * Vector2::new((masses.x + masses.y) * lengths.x * q.shoulder.cos() + outer, outer);

    let found = dynamics.mass_matrix(0.0, &q).unwrap();
    assert!((found - DMatrix::from_column_slice(2, 2, mass.as_slice())).amax() < 1e-14);
    assert_close(dynamics.mass_times(0.0, &q, &v).unwrap(), &(mass * v), 1e-14);
    assert_close(dynamics.coriolis(0.0, &q, &v).unwrap(), &coriolis, 1e-14);
    assert_close(dynamics.potential_gradient(0.0, &q).unwrap(), &gravity, 1e-14);
    let bias = coriolis + gravity + friction * v;
    assert_close(dynamics.bias(0.0, &q, &v).unwrap(), &bias, 1e-14);
    let torque = *dynamics.inverse(0.0, &q, &v, &a).unwrap();
    assert_close(&torque, &(mass * a + bias), 1e-14);
    assert_close(dynamics.forward_with(0.0, &q, &v, &torque).unwrap().0, &a, 1e-13);
    assert_close(dynamics.forward(0.0, &q, &v).unwrap().0, &(-mass.try_inverse().unwrap() * bias), 1e-13);

    // J, J' v and Λ of the tip.
    let (s, c) = (both.sin(), both.cos());
    let jacobian = Matrix2::new(
        -lengths.x * q.shoulder.sin() - lengths.y * s,
        -lengths.y * s,
        lengths.x * q.shoulder.cos() + lengths.y * c,
        lengths.y * c,
    );
    let found =
        dynamics.jacobian(0.0, &q, |system, _, q, v| arm::tip_rate(system.parameters(), q, &system.velocity(v)));
    assert!((found.unwrap() - DMatrix::from_column_slice(2, 2, jacobian.as_slice())).amax() < 1e-15);
    let turn = v.x + v.y;
    let drift = -lengths.x * v.x * v.x * Vector2::new(q.shoulder.cos(), q.shoulder.sin())
        - lengths.y * turn * turn * Vector2::new(c, s);
    let found = dynamics.jacobian_rate_times_velocity(0.0, &q, &v, |system, _, q, v| {
        arm::tip_rate(system.parameters(), q, &system.velocity(v))
    });
    assert_close(&found.unwrap(), &drift, 1e-14);
    let found = dynamics
        .operational_inertia(0.0, &q, |system, _, q, v| arm::tip_rate(system.parameters(), q, &system.velocity(v)));
    let inverse = jacobian.try_inverse().unwrap();
    assert!((found.unwrap() - inverse.transpose() * mass * inverse).amax() < 1e-13);
}

/// Relations between the terms of a system without forces and constraints, at random states. The bias forces are generated from the
/// energies, and the Coriolis forces are derivatives of momenta. The mass matrix follows from the polarisation of the kinetic energy.
fn check_conservative<M: MultibodySystem>(system: &M, q: &M::Configuration, random: &mut Random) {
    let dof = system.dof();
    let mut vector = || {
        let mut vector = system.zero_velocity();
        (0..dof).for_each(|at| vector.set_component(at, random.number()));
        vector
    };
    let [v, a, w] = core::array::from_fn(|_| vector());
    let mut dynamics = StateDynamics::of(system);
    let bias = dynamics.bias(0.0, q, &v).unwrap().clone();
    let mut sum = dynamics.coriolis(0.0, q, &v).unwrap().clone();
    sum.axpy(1.0, dynamics.potential_gradient(0.0, q).unwrap());
    assert_close(&sum, &bias, 1e-12);

    let mass = dynamics.mass_matrix(0.0, q).unwrap();
    let mut both = v.clone();
    both.axpy(1.0, &w);
    let energy = |v: &M::Velocity| system.kinetic_energy(0.0, q, v);
    let product = energy(&both) - energy(&v) - energy(&w);
    let rows = |v: &M::Velocity| DVector::from_fn(dof, |at, _| v.component(at));
    assert!((rows(&v).dot(&(&mass * rows(&w))) - product).abs() < 1e-12 * (1.0 + product.abs()));
    assert!((&mass * rows(&w) - rows(dynamics.mass_times(0.0, q, &w).unwrap())).amax() < 1e-12);

    let forces = dynamics.inverse(0.0, q, &v, &a).unwrap().clone();
    assert!((&mass * rows(&a) + rows(&bias) - rows(&forces)).amax() < 1e-12 * (1.0 + forces.max_norm()));
    assert_close(dynamics.forward_with(0.0, q, &v, &forces).unwrap().0, &a, 1e-11);
}

fn bent(random: &mut Random, links: usize) -> tentacle::Tentacle {
    tentacle::Tentacle { joints: (0..links).map(|_| SO3::exp(&random.vector())).collect() }
}

#[test]
fn forward_dynamics_inverts_inverse_dynamics() {
    let mut random = Random::new(7);
    let links = tentacle::System::new(tentacle::Lengths { joints: 5 }).unwrap();
    for _ in 0..5 {
        check_conservative(&links, &bent(&mut random, 5), &mut random);
    }
}

/// Directions on spheres: velocities orthogonal to the directions.
#[test]
fn a_pendulum_on_spheres_has_its_inertial_forces() {
    let system = unit_double_pendulum();
    let mut dynamics = StateDynamics::of(&system);
    let (first, second) = (direction(0.3, 0.4, -0.8), direction(-0.5, 0.2, -0.6));
    let across = |q: &S2, w: Vector3<f64>| w - q.direction() * q.direction().dot(&w);
    let (a, b) = (across(&first, Vector3::new(0.7, 1.1, -0.4)), across(&second, Vector3::new(-0.9, 0.3, 1.2)));
    let q = double_pendulum::Links { links: [first, second] };
    let v = double_pendulum::Velocity { links: [a, b] }.into();
    let bias = *dynamics.bias(0.0, &q, &v).unwrap();
    let coriolis = *dynamics.coriolis(0.0, &q, &v).unwrap();
    let gradient = *dynamics.potential_gradient(0.0, &q).unwrap();
    assert_close(&(coriolis + gradient), &bias, 1e-13);
}

/// The Jacobian of a frame and its rate against differences of the pose and of the twist.
#[test]
fn frames_have_jacobians() {
    let mut random = Random::new(3);
    let system = tentacle::System::new(tentacle::Lengths { joints: 4 }).unwrap();
    let q = bent(&mut random, 4);
    let v = DVector::from_fn(12, |_, _| random.number());
    let mut dynamics = StateDynamics::of(&system);
    let jacobian = dynamics.jacobian(0.0, &q, |system, t, q, v| system.link_velocities(t, q, v)[3]).unwrap();
    let moved = |w: &DVector<f64>, step: f64| {
        let mut moved = q.clone();
        system.space().compose_exp(&q, &(w * step), &mut moved);
        moved
    };
    let pose = |q: &tentacle::Tentacle| system.link_frames(0.0, q)[3];
    let step = 1e-5;
    for column in 0..12 {
        let unit = DVector::from_fn(12, |at, _| f64::from(u8::from(at == column)));
        let difference = (pose(&moved(&unit, -step)).inverse() * pose(&moved(&unit, step))).log() / (2.0 * step);
        assert!((jacobian.column(column) - difference).amax() < 1e-9, "{column}");
    }
    let twist = |q: &tentacle::Tentacle| system.link_velocities(0.0, q, &v)[3];
    assert!((&jacobian * &v - twist(&q)).amax() < 1e-14);
    let drift = dynamics
        .jacobian_rate_times_velocity(0.0, &q, &v, |system, t, q, v| system.link_velocities(t, q, v)[3])
        .unwrap();
    let difference = (twist(&moved(&v, step)) - twist(&moved(&v, -step))) / (2.0 * step);
    assert!((drift - difference).amax() < 1e-9 && drift.amax() > 0.1, "{drift} {difference}");

    // The response to a force on the frame: Λ⁻¹ f is the change of its acceleration.
    let inertia = dynamics.operational_inertia(0.0, &q, |system, t, q, v| system.link_velocities(t, q, v)[3]).unwrap();
    let force: Vector6<f64> = random.vector();
    let free = dynamics.forward(0.0, &q, &v).unwrap().0.clone();
    let pushed = dynamics.forward_with(0.0, &q, &v, &(jacobian.transpose() * force)).unwrap().0.clone();
    assert!((inertia * (&jacobian * (pushed - free)) - force).amax() < 1e-9);
}

/// A chain with holonomic and velocity constraints, forces, dissipation and a time-dependent constraint, at a state off its constraints.
#[test]
fn chains_have_dynamics_at_a_state() {
    let (system, start, _) = chained_example();
    let mut random = Random::new(11);
    let mut vector = |size: f64| DVector::from_fn(system.dof(), |_, _| size * random.number());
    let (mut q, moved) = (start.clone(), vector(0.4));
    system.space().compose_exp(&start, &moved, &mut q);
    let [v, tau] = [vector(1.0), vector(1.0)];
    let (t, mut dynamics) = (0.7, StateDynamics::of(&system));
    let (a, multipliers) = dynamics.forward_with(t, &q, &v, &tau).unwrap();
    let (a, multipliers) = (a.clone(), multipliers.clone());
    assert!(multipliers.amax() > 0.1, "{multipliers}");
    assert_close(dynamics.inverse_with(t, &q, &v, &a, &multipliers).unwrap(), &tau, 1e-11);
    let bias = dynamics.bias(t, &q, &v).unwrap().clone();
    let forces = dynamics.inverse(t, &q, &v, &a).unwrap().clone();
    assert_close(&(dynamics.mass_matrix(t, &q).unwrap() * &a + bias), &forces, 1e-12);

    // The Jacobian of the strain of an edge, against differences.
    let jacobian = dynamics.jacobian(t, &q, |system, _, q, v| {
        let v = system.velocity(v);
        chained::strain_rate([&q.frames[1], &q.frames[2]], [&v.frames[1], &v.frames[2]])
    });
    let strain = |step: f64| {
        let mut moved = q.clone();
        system.space().compose_exp(&q, &(&v * step), &mut moved);
        chained::strain([&moved.frames[1], &moved.frames[2]])
    };
    let difference = (strain(1e-5) - strain(-1e-5)) / 2e-5;
    assert!((jacobian.unwrap() * &v - difference).amax() < 1e-9);
}

/// The mechanism has one degree of freedom: its effective mass at the slider is 2 T / x'², and forward dynamics with the multipliers leaves
/// no force.
#[test]
fn closed_loops_have_multipliers_and_an_effective_mass() {
    let system = slider_crank::System::new().unwrap();
    let mut dynamics = StateDynamics::of(&system);
    let crank: f64 = 0.9;
    let rod = -(crank.sin() / 2.0).asin();
    let q = slider_crank::Joints { crank, rod, slider: crank.cos() + 2.0 * rod.cos() };
    let turn = -crank.cos() / (2.0 * rod.cos());
    let v = Vector3::new(1.0, turn, -crank.sin() - 2.0 * turn * rod.sin());
    let kinetic = system.kinetic_energy(0.0, &q, &v);
    let found: SMatrix<f64, 1, 1> = dynamics
        .operational_inertia(0.0, &q, |system, _, q, v| Vector1::new(slider_crank::stroke_rate(q, &system.velocity(v))))
        .unwrap();
    assert!((found.x - 2.0 * kinetic / (v.z * v.z)).abs() < 1e-13, "{found}");

    // At rest, the acceleration is u (u·f) / (uᵀ M u) for the only possible velocity u.
    let (force, rest) = (Vector3::new(0.3, 0.1, -2.0), Vector3::zeros());
    let (a, multipliers) = dynamics.forward_with(0.0, &q, &rest, &force).unwrap();
    let (a, multipliers) = (*a, *multipliers);
    assert_close(&a, &(v * (v.dot(&force) / (2.0 * kinetic))), 1e-13);
    assert_close(dynamics.inverse_with(0.0, &q, &rest, &a, &multipliers).unwrap(), &force, 1e-13);
    // In motion, the second derivative of the closed loop is zero.
    let (a, multipliers) = dynamics.forward(0.0, &q, &v).unwrap();
    let (a, multipliers) = (*a, *multipliers);
    let across = a.z + crank.sin() * a.x + crank.cos() * v.x * v.x + 2.0 * (rod.sin() * a.y + rod.cos() * v.y * v.y);
    assert!(across.abs() < 1e-13 && a.amax() > 0.1, "{a}");
    assert_close(dynamics.inverse_with(0.0, &q, &v, &a, &multipliers).unwrap(), &Vector3::zeros(), 1e-13);
    // The slider cannot follow two independent targets.
    let twice = dynamics.operational_inertia(0.0, &q, |system, _, q, v| {
        let rate = slider_crank::stroke_rate(q, &system.velocity(v));
        Vector2::new(rate, rate)
    });
    assert_eq!(twice, Err(DynamicsError::SingularQuantity { row: 1 }));
}

#[test]
fn errors_name_the_argument_and_the_member() {
    let system = arm();
    let mut dynamics = StateDynamics::of(&system);
    let q = arm::Joints { shoulder: 0.7, elbow: -1.1 };
    let error = dynamics.inverse(0.0, &q, &Vector2::zeros(), &Vector2::new(0.0, f64::NAN)).unwrap_err();
    assert!(error.to_string().starts_with("the acceleration is not finite in `elbow`"), "{error}");
    let far = arm::Joints { shoulder: f64::INFINITY, elbow: 0.0 };
    let error = dynamics.bias(0.0, &far, &Vector2::zeros()).unwrap_err();
    assert!(error.to_string().starts_with("the argument is not finite in `q`"), "{error}");

    let unpowered = arm::System::new(system.parameters().clone()).unwrap();
    let error = StateDynamics::of(&unpowered).forward(0.0, &q, &Vector2::zeros()).unwrap_err();
    assert!(matches!(error, DynamicsError::Inputs(_)), "{error}");

    let light = arm::System::new(arm::Arm { masses: Vector2::new(1.0, 0.0), ..*system.parameters() }).unwrap();
    let light = light.with_inputs_over_time(|_| arm::Motors { torque: Vector2::zeros() });
    let error = StateDynamics::of(&light).forward(0.0, &q, &Vector2::zeros()).unwrap_err();
    assert!(error.to_string().contains("`elbow`") && error.to_string().contains("mass matrix"), "{error}");

    let links = tentacle::System::new(tentacle::Lengths { joints: 3 }).unwrap();
    let (q, v) = (bent(&mut Random::new(1), 3), DVector::zeros(8));
    let error = StateDynamics::of(&links).bias(0.0, &q, &v).unwrap_err();
    assert!(error.to_string().contains("velocity has 8 components"), "{error}");
    let error = StateDynamics::of(&links).potential_gradient(0.0, &bent(&mut Random::new(1), 4)).unwrap_err();
    assert!(error.to_string().contains("`joints`"), "{error}");
}

/// Calls that return references allocate nothing after the first one.
#[test]
fn repeated_calls_allocate_nothing() {
    fn check<M: MultibodySystem>(system: &M, q: &M::Configuration) {
        let (mut dynamics, mut v) = (StateDynamics::of(system), system.zero_velocity());
        v.fill(0.1);
        let mut all = || {
            dynamics.inverse(0.0, q, &v, &v).unwrap();
            dynamics.forward_with(0.0, q, &v, &v).unwrap();
            dynamics.bias(0.0, q, &v).unwrap();
            dynamics.mass_times(0.0, q, &v).unwrap();
            dynamics.coriolis(0.0, q, &v).unwrap();
            dynamics.potential_gradient(0.0, q).unwrap();
        };
        all();
        assert_eq!(allocation_counter::measure(all).count_total, 0, "{}", system.description().name);
    }
    check(&slider_crank::System::new().unwrap(), &slider_crank::Joints { crank: 0.9, rod: -0.4, slider: 2.0 });
    let joints = 6;
    check(&tentacle::System::new(tentacle::Lengths { joints }).unwrap(), &bent(&mut Random::new(2), joints));
}
