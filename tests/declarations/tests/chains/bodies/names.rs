//! Bodies in files, in errors, and where members are held.

use lie_runtime::prelude::*;
use lie_runtime::simulate::SimulationError;

use super::hinged::declared::{chain, power, together};

fn pair() -> (together::System, together::Pair) {
    let system = together::System::new(data()).expect("a system");
    let body = |x: f64| together::Body { attitude: SO3::identity(), position: Vector3::new(x, 0.0, 0.0) };
    (system, together::Pair { upper: body(0.5), lower: body(1.5) })
}

fn data() -> together::Data {
    together::Data {
        mass: 1.0,
        inertia: Matrix3::identity(),
        half: Vector3::new(0.5, 0.0, 0.0),
        gravity: Vector3::new(0.0, 0.0, -9.81),
        damping: 0.0,
    }
}

fn powers() -> (power::System, power::Pair) {
    let together::Data { mass, inertia, half, gravity, damping } = data();
    let system = power::System::new(power::Data { mass, inertia, half, gravity, damping }).expect("a system");
    let body = |x: f64| power::Body { attitude: SO3::identity(), position: Vector3::new(x, 0.0, 0.0) };
    (system, power::Pair { bodies: [body(0.5), body(1.5)] })
}

fn chains(length: usize) -> (chain::System, chain::Chain) {
    let together::Data { mass, inertia, half, gravity, damping } = data();
    let lengths = chain::Lengths { bodies: length };
    let system = chain::System::new(chain::Data { mass, inertia, half, gravity, damping }, lengths).expect("a system");
    let body = |at: usize| chain::Body { attitude: SO3::identity(), position: Vector3::new(0.5 + at as f64, 0.0, 0.0) };
    (system, chain::Chain { bodies: (0..length).map(body).collect() })
}

fn of<M: MechanicalSystem>(system: &M, q: M::Configuration) -> Simulation<'_, M, HalfExplicit> {
    Simulation::of(system).initial(q, system.zero_velocity()).step(1e-3).end_time(2e-3)
}

fn told<M: MechanicalSystem>(run: Result<Run<'_, M>, Box<SimulationError<M>>>) -> String {
    match run {
        Err(error) => error.to_string(),
        Ok(_) => panic!("it is to be refused"),
    }
}

#[test]
fn files_name_fields_of_bodies() {
    let (system, q) = pair();
    let trajectory = of(&system, q).run().unwrap();
    let mut csv = Vec::new();
    trajectory.write_csv(&mut csv).unwrap();
    let header = String::from_utf8(csv).unwrap().lines().next().unwrap().to_owned();
    for name in ["upper.attitude[0][2]", "lower.position[1]", "velocity.lower.attitude[2]"] {
        assert!(header.split(',').any(|column| column == name), "{name} is not in {header}");
    }
    let (system, q) = chains(3);
    let trajectory = of(&system, q).run().unwrap();
    let mut npz = Vec::new();
    trajectory.write_npz(&mut npz).unwrap();
    for name in ["bodies[2].attitude.npy", "velocity.bodies[0].position.npy"] {
        assert!(npz.windows(name.len()).any(|part| part == name.as_bytes()), "{name} is missing");
    }
}

#[test]
fn descriptions_name_fields_of_bodies() {
    let names = |members: &[lie_runtime::system::MemberDescription]| -> Vec<(&'static str, usize, usize)> {
        members.iter().map(|member| (member.name, member.offset, member.dof)).collect()
    };
    assert_eq!(
        names(&powers().0.description().members),
        [
            ("bodies[0].attitude", 0, 3),
            ("bodies[0].position", 3, 3),
            ("bodies[1].attitude", 6, 3),
            ("bodies[1].position", 9, 3)
        ]
    );
    assert_eq!(names(&chains(4).0.description().members), [("bodies", 0, 24)]);
    assert_eq!(chains(4).0.description().group, "(SO(3) × R³)^N");
}

#[test]
fn a_field_of_a_body_is_held() {
    let (system, mut q) = pair();
    q.upper.attitude = SO3::exp(&Vector3::new(0.0, 0.4, 0.0));
    // Positions that fit neither, while the attitudes are certain.
    let run = of(&system, q).fix_initial(["upper.attitude", "lower.attitude"]).run().unwrap();
    let start = &run.states[0].configuration;
    assert!((start.upper.attitude.matrix() - q.upper.attitude.matrix()).norm() < 1e-14);
    assert!((start.lower.attitude.matrix() - q.lower.attitude.matrix()).norm() < 1e-14);
    assert!((start.upper.position - q.upper.attitude * Vector3::new(0.5, 0.0, 0.0)).norm() < 1e-12);
    assert!(together::gap(&data(), start).norm() < 1e-12);
    // A whole body.
    let (_, mut q) = pair();
    q.lower.position.z = 0.2;
    let start = of(&system, q).fix_initial(["upper"]).run().unwrap().states[0].configuration;
    assert!((start.upper.position - q.upper.position).norm() < 1e-14);
    assert!((start.upper.attitude.matrix() - q.upper.attitude.matrix()).norm() < 1e-14);
    assert!(together::gap(&data(), &start).norm() < 1e-12);
    let text = told(of(&system, q).fix_initial(["upper.attitud"]).run());
    assert!(text.contains("upper.attitud") && text.contains("lower.position"), "{text}");
    let (system, mut q) = powers();
    q.bodies[1].position.z = 0.2;
    let start = of(&system, q).fix_initial(["bodies[0]"]).run().unwrap().states[0].configuration;
    assert!((start.bodies[0].position - q.bodies[0].position).norm() < 1e-14);
}

#[test]
fn errors_name_fields_of_bodies() {
    let skew = SO3::from_matrix_unchecked(Matrix3::new(1.0, 0.1, 0.0, 0.0, 1.0, 0.0, 0.0, 0.0, 1.0));
    let (system, mut q) = pair();
    q.lower.attitude = skew;
    let text = told(of(&system, q).run());
    assert!(text.contains("`lower.attitude` is not an element of its group"), "{text}");
    let (system, mut q) = chains(5);
    q.bodies[3].attitude = skew;
    let text = told(of(&system, q.clone()).run());
    assert!(text.contains("`bodies[3].attitude` is not an element of its group"), "{text}");
    q.bodies.pop();
    let text = told(of(&system, q).run());
    assert!(text.contains("`bodies` has 4 members"), "{text}");
    // Too far from a constraint.
    let (system, mut q) = pair();
    q.lower.position.z = 3.0;
    let text = told(of(&system, q).run());
    assert!(text.contains("`joint`") && text.contains("`lower.") || text.contains("`upper."), "{text}");
}

#[test]
fn components_of_bodies_have_names() {
    use lie_runtime::system::DualModel;
    assert_eq!(chains(4).0.component_name(13), "component 1 of `bodies[2].attitude`");
    assert_eq!(powers().0.component_name(10), "component 1 of `bodies[1].position`");
    assert_eq!(pair().0.component_name(3), "component 0 of `upper.position`");
}
