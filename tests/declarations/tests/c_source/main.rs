//! The C code of declarations computes the numbers of the Rust code.

mod compiled;
mod errors;
mod functions;

use fixtures::random::Random;
use fixtures::systems::{driven, free_body, placements, spheres, top_in_space};
use lie_runtime::group::{S3xR3, SO3xR3, TangentVector};
use lie_runtime::nalgebra::SMatrix;
use lie_runtime::prelude::*;
use lie_runtime::system::Linearised;

use compiled::Program;

/// The states at which both are evaluated.
const STATES: usize = 5;

/// The scalars of a matrix by rows.
fn rows<const R: usize, const N: usize>(matrix: &SMatrix<f64, R, N>) -> Vec<f64> {
    matrix.transpose().as_slice().to_vec()
}

/// A vector with random components.
fn random_vector<V: TangentVector<Scalar = f64>>(mut vector: V, size: usize, random: &mut Random) -> (V, Vec<f64>) {
    let numbers: Vec<f64> = (0..size).map(|_| random.number()).collect();
    numbers.iter().enumerate().for_each(|(at, &number)| vector.set_component(at, number));
    (vector, numbers)
}

fn components<V: TangentVector<Scalar = f64>>(vector: &V, size: usize) -> Vec<f64> {
    (0..size).map(|at| vector.component(at)).collect()
}

/// All entries of the constraint Jacobian by rows: the products with unit vectors.
fn dense_jacobian<M: MechanicalSystem<Scalar = f64>>(system: &M, jacobian: &M::Jacobian) -> Vec<f64> {
    let (dof, rows) = (system.dof(), system.constraint_rows());
    let mut entries = vec![0.0; rows * dof];
    for column in 0..dof {
        let (mut unit, mut product) = (system.zero_velocity(), system.zero_multipliers());
        unit.set_component(column, 1.0);
        system.jacobian_times(jacobian, &unit, &mut product);
        (0..rows).for_each(|row| entries[row * dof + column] = product.component(row));
    }
    entries
}

/// Compares all kernels of the declaration `name` in `file` with those of the compiled system.
fn compare<M: Linearised<Scalar = f64>>(
    (file, name): (&str, &str),
    system: &M,
    parameters: &[f64],
    mut configuration: impl FnMut(&mut Random) -> (M::Configuration, Vec<f64>),
) {
    let (dof, constraint_rows) = (system.dof(), system.constraint_rows());
    let entries = |matrix: &M::Matrix| -> Vec<f64> {
        (0..dof * dof).map(|at| system.matrix_entry(matrix, at / dof, at % dof)).collect()
    };
    let declaration = fixtures::text::declaration(file, name);
    let header = lie_compiler::compile(&declaration).expect("it compiles").c_source().expect("it has C code");
    let mut program = Program::new(name, header, parameters);
    let mut random = Random::new(7);
    for _ in 0..STATES {
        let (q, numbers) = configuration(&mut random);
        let (v, speeds) = random_vector(system.zero_velocity(), dof, &mut random);
        let (acceleration, accelerations) = random_vector(system.zero_velocity(), dof, &mut random);
        let (multipliers, lambda) = random_vector(system.zero_multipliers(), constraint_rows, &mut random);
        let t = random.number();
        program
            .state(t, &[("q", &numbers), ("v", &speeds), ("acceleration", &accelerations), ("multipliers", &lambda)]);
        let (mut vector, mut matrix) = (system.zero_velocity(), system.zero_matrix());
        system.mass_matrix(t, &q, &mut matrix);
        program.call("mass_matrix", "", entries(&matrix));
        system.force(t, &q, &v, &mut vector);
        program.call("force", "v", components(&vector, dof));
        let state = if constraint_rows > 0 { "v, acceleration, multipliers" } else { "v, acceleration" };
        system.residual(t, &q, &v, &acceleration, &multipliers, &mut vector);
        program.call("residual", state, components(&vector, dof));
        system.tangent_stiffness(t, &q, &v, &acceleration, &multipliers, &mut matrix);
        program.call("tangent_stiffness", state, entries(&matrix));
        system.tangent_damping(t, &q, &v, &mut matrix);
        program.call("tangent_damping", "v", entries(&matrix));
        program.value("kinetic_energy", "v", system.kinetic_energy(t, &q, &v));
        program.value("potential_energy", "", system.potential_energy(t, &q));
        if constraint_rows > 0 {
            let (mut constraint, mut jacobian) = (system.zero_multipliers(), system.zero_jacobian());
            system.constraint(t, &q, &mut constraint);
            program.call("constraint", "", components(&constraint, constraint_rows));
            system.constraint_jacobian(t, &q, &mut jacobian);
            program.call("constraint_jacobian", "", dense_jacobian(system, &jacobian));
            system.constraint_drift(t, &q, &mut constraint);
            program.call("constraint_drift", "", components(&constraint, constraint_rows));
            system.constraint_curvature(t, &q, &v, &mut constraint);
            program.call("constraint_curvature", "v", components(&constraint, constraint_rows));
        }
    }
    program.check();
}

/// Rotation matrices; no function of `<math.h>` except roots.
#[test]
fn top_on_rotation_matrices() {
    let (system, ..) = top_in_space::of_the_paper();
    let top = system.parameters();
    let parameters =
        [&[top.mass][..], &rows(&top.inertia), top.center_of_mass.as_slice(), top.gravity.as_slice()].concat();
    let file = include_str!("../../../fixtures/src/systems/top_in_space.rs");
    compare((file, "top_in_space"), &system, &parameters, |random| {
        let pose = top_in_space::top_in_space::Pose {
            position: random.vector(),
            attitude: SO3::exp(&random.rotation_vector()),
        };
        let numbers = [pose.position.as_slice(), &rows(&pose.attitude.matrix())].concat();
        (pose, numbers)
    });
}

/// A constraint that depends on time.
#[test]
fn driven_pendulum_in_the_plane() {
    let (system, ..) = driven::driven_pendulum_example();
    let data = system.parameters();
    let parameters = [data.mass, data.inertia, data.arm.x, data.arm.y, data.gravity, data.amplitude, data.frequency];
    let file = include_str!("../../../fixtures/src/systems/driven.rs");
    compare((file, "driven_pendulum"), &system, &parameters, |random| {
        let body = SE2::exp(&random.vector());
        let numbers = [&body.rotation.coordinates()[..], body.translation.as_slice()].concat();
        (driven::driven_pendulum::Plane { body }, numbers)
    });
}

/// A velocity constraint, and an array of parameters.
#[test]
fn rolling_disc() {
    let (system, ..) = driven::rolling_disc_example();
    let data = system.parameters();
    let parameters = [data.mass, data.radius, data.inertia[0], data.inertia[1], data.torque];
    let file = include_str!("../../../fixtures/src/systems/driven.rs");
    compare((file, "rolling_disc"), &system, &parameters, |random| {
        let disc = driven::rolling_disc::Disc {
            contact: SE2::exp(&random.vector()),
            wheel: SO2::from_angle(3.0 * random.number()),
        };
        let contact = &disc.contact;
        let numbers =
            [&contact.rotation.coordinates()[..], contact.translation.as_slice(), &disc.wheel.coordinates()].concat();
        (disc, numbers)
    });
}

/// Dual quaternions, quaternions, group elements as parameters, and singular functions on all of their branches.
#[test]
fn bodies_with_logarithms() {
    let (system, _) = placements::somewhere();
    let data = system.parameters();
    let placed = |pose: &SO3xR3| [&rows(&pose.rotation.matrix()), pose.position().as_slice()].concat();
    let parameters =
        [&rows(&data.inertia)[..], data.point.as_slice(), &data.place.coordinates(), &placed(&data.other)].concat();
    let file = include_str!("../../../fixtures/src/systems/placements.rs");
    compare((file, "bodies"), &system, &parameters, |random| {
        let twist = |random: &mut Random| {
            let (angular, linear) = (random.rotation_vector(), random.vector::<3>());
            Vector6::new(angular.x, angular.y, angular.z, linear.x, linear.y, linear.z)
        };
        let bodies = placements::bodies::Bodies {
            ship: DQ::exp(&twist(random)),
            load: SO3xR3::exp(&twist(random)),
            pair: [S3xR3::exp(&twist(random)), S3xR3::exp(&twist(random))],
            cart: SE2::exp(&random.vector()),
        };
        let of_pair = |pose: &S3xR3| [&pose.rotation().coordinates()[..], pose.position().as_slice()].concat();
        let numbers = [
            &bodies.ship.coordinates()[..],
            &placed(&bodies.load),
            &of_pair(&bodies.pair[0]),
            &of_pair(&bodies.pair[1]),
            &bodies.cart.rotation.coordinates(),
            bodies.cart.translation.as_slice(),
        ];
        let numbers = numbers.concat();
        (bodies, numbers)
    });
}

/// Powers, choices, and the singular functions of the exponential map on all of their branches.
#[test]
fn functions_of_a_vector() {
    let data = functions::vector::Data { axis: Vector3::new(0.3, -0.7, 0.4), weight: Vector3::new(0.2, 1.1, -0.5) };
    let parameters = [data.axis.as_slice(), data.weight.as_slice()].concat();
    let system = functions::vector::System::new(data).expect("the data are good");
    let mut scales = [0.2, 1.0, 2.0, 4.0, -3.0].into_iter().cycle();
    compare((include_str!("functions.rs"), "vector"), &system, &parameters, |random| {
        let scale = scales.next().unwrap_or(1.0);
        let place = functions::vector::Place { x: random.vector::<3>().map(|x| scale * (x.abs() + 0.1)) };
        let numbers = place.x.as_slice().to_vec();
        (place, numbers)
    });
}

/// A force that depends on time, and a dissipation.
#[test]
fn pendulum_with_a_motor() {
    let (system, ..) = free_body::motor_pendulum_example();
    let data = system.parameters();
    let parameters = [data.weight, data.damping, data.torque];
    let file = include_str!("../../../fixtures/src/systems/free_body.rs");
    compare((file, "motor_pendulum"), &system, &parameters, |random| {
        let angle = free_body::motor_pendulum::Angle { arm: SO2::from_angle(3.0 * random.number()) };
        let numbers = angle.arm.coordinates().to_vec();
        (angle, numbers)
    });
}

/// A velocity constraint that depends on the heading.
#[test]
fn skate() {
    let (system, ..) = driven::skate_example();
    let data = system.parameters();
    let parameters = [data.mass, data.inertia, data.slope];
    let file = include_str!("../../../fixtures/src/systems/driven.rs");
    compare((file, "skate"), &system, &parameters, |random| {
        let skate = driven::skate::Skate { heading: SO2::from_angle(3.0 * random.number()), position: random.vector() };
        let numbers = [&skate.heading.coordinates()[..], skate.position.as_slice()].concat();
        (skate, numbers)
    });
}

/// A velocity constraint in the body-fixed frame.
#[test]
fn knife_edge() {
    let (system, ..) = driven::knife_edge_example();
    let data = system.parameters();
    let parameters = [data.mass, data.inertia, data.slope];
    let file = include_str!("../../../fixtures/src/systems/driven.rs");
    compare((file, "knife_edge"), &system, &parameters, |random| {
        let sleigh = driven::knife_edge::Sleigh { body: SE2::exp(&random.vector()) };
        let numbers = [&sleigh.body.rotation.coordinates()[..], sleigh.body.translation.as_slice()].concat();
        (sleigh, numbers)
    });
}

fn random_direction(random: &mut Random) -> S2 {
    S2::new(SO3::exp(&random.rotation_vector()) * Vector3::x()).expect("a unit vector")
}

/// An array of directions.
#[test]
fn pendulum_of_directions() {
    let system = spheres::unit_double_pendulum();
    let data = system.parameters();
    let parameters = [&data.masses[..], &data.lengths, &[data.gravity]].concat();
    let file = include_str!("../../../fixtures/src/systems/spheres.rs");
    compare((file, "double_pendulum"), &system, &parameters, |random| {
        let links = spheres::double_pendulum::Links { links: [random_direction(random), random_direction(random)] };
        let numbers = links.links.iter().flat_map(|link| link.direction().as_slice().to_vec()).collect();
        (links, numbers)
    });
}

/// Every kind of term: forces at a point, dissipation, and constraints on positions and velocities.
#[test]
fn load_on_a_rod() {
    let inertia = Matrix3::new(0.4, 0.05, -0.02, 0.05, 0.7, 0.03, -0.02, 0.03, 0.9);
    let hook = Vector3::new(0.1, -0.2, -0.3);
    let data = spheres::slung_load::Load { mass: 2.0, inertia, load: 0.5, length: 1.5, hook };
    let parameters = [&[data.mass][..], &rows(&inertia), &[data.load, data.length], hook.as_slice()].concat();
    let system = spheres::slung_load::System::new(data).expect("the data are good");
    let file = include_str!("../../../fixtures/src/systems/spheres.rs");
    compare((file, "slung_load"), &system, &parameters, |random| {
        let carrier = spheres::slung_load::Carrier {
            attitude: SO3::exp(&random.rotation_vector()),
            rod: random_direction(random),
            position: random.vector(),
        };
        let rod = carrier.rod.direction();
        let numbers = [&rows(&carrier.attitude.matrix())[..], rod.as_slice(), carrier.position.as_slice()].concat();
        (carrier, numbers)
    });
}
