//! A row of parallelograms, 40 bodies with 12 loops: a tree of hinges with pins, against free bodies with all joints as constraints.

use lie_runtime::prelude::*;
use lie_runtime::system::chain::{ElementSystem, Elimination};

/// Angles; the parents, the pins that close loops and the springs are lists.
#[mechanical_system]
pub mod jointed {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Angles {
        pub hinges: Vec<SO2>,
    }

    #[parameters]
    pub struct Data {
        /// The position of each hinge on the parent body.
        pub arms: Vec<Vector2<f64>>,
        pub stiffness: f64,
    }

    #[kinematics(over = hinges, parents = parents)]
    pub fn body(data: &Data, index: usize, above: &SE2, hinge: &SO2) -> SE2 {
        *above * SE2::new(*hinge, data.arms[index])
    }

    #[kinetic_energy(over = body)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * 2.0 * (v[1] * v[1] + v[2] * v[2]) + 0.5 * 0.1 * v[0] * v[0]
    }

    #[potential(over = body)]
    fn weight(x: &SE2) -> f64 {
        2.0 * 9.81 * x.position().y
    }

    /// The tip of the rocker is on the end of the coupler.
    #[constraint(over = (body, body).by(pins))]
    fn pinned(coupler: &SE2, rocker: &SE2) -> Vector2<f64> {
        coupler * Vector2::new(0.7, 0.0) - rocker * Vector2::new(0.0, 0.5)
    }

    #[potential(over = (body, body).by(springs))]
    fn spring(data: &Data, a: &SE2, b: &SE2) -> f64 {
        0.5 * data.stiffness * (a * Vector2::new(0.1, 0.2) - b.position()).norm_squared()
    }
}

/// The same of free bodies, the ground first.
#[mechanical_system]
pub mod free {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Poses {
        #[clamped(first)]
        pub bodies: Vec<SE2>,
    }

    #[parameters]
    pub struct Data {
        pub arms: Vec<Vector2<f64>>,
        pub stiffness: f64,
    }

    #[kinetic_energy(over = bodies)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * 2.0 * (v[1] * v[1] + v[2] * v[2]) + 0.5 * 0.1 * v[0] * v[0]
    }

    #[potential(over = bodies)]
    fn weight(x: &SE2) -> f64 {
        2.0 * 9.81 * x.position().y
    }

    #[constraint(over = (bodies, bodies).by(joints))]
    fn jointed(data: &Data, index: usize, before: &SE2, body: &SE2) -> Vector2<f64> {
        before * data.arms[index] - body.position()
    }

    #[constraint(over = (bodies, bodies).by(pins))]
    fn pinned(coupler: &SE2, rocker: &SE2) -> Vector2<f64> {
        coupler * Vector2::new(0.7, 0.0) - rocker * Vector2::new(0.0, 0.5)
    }

    #[potential(over = (bodies, bodies).by(springs))]
    fn spring(data: &Data, a: &SE2, b: &SE2) -> f64 {
        0.5 * data.stiffness * (a * Vector2::new(0.1, 0.2) - b.position()).norm_squared()
    }
}

/// The parents, and the pinned and tied bodies.
struct Row {
    parents: Vec<Option<usize>>,
    arms: Vec<Vector2<f64>>,
    pins: Vec<[usize; 2]>,
    springs: Vec<[usize; 2]>,
}

/// Parallelograms, each on the coupler of the one before it, and a pendulum on each of the first four cranks.
fn row(modules: usize) -> Row {
    let mut row = Row { parents: vec![], arms: vec![], pins: vec![], springs: vec![] };
    let mut base = None;
    for module in 0..modules {
        let crank = 3 * module;
        let start = if module == 0 { 0.0 } else { 0.35 };
        row.parents.extend([base, Some(crank), base]);
        row.arms.extend([Vector2::new(start, 0.0), Vector2::new(0.0, 0.5), Vector2::new(start + 0.7, 0.0)]);
        row.pins.push([crank + 1, crank + 2]);
        base = Some(crank + 1);
    }
    for pendulum in 0..modules.min(4) {
        row.parents.push(Some(3 * pendulum));
        row.arms.push(Vector2::new(0.2, 0.1));
        row.springs.push([row.parents.len() - 1, 3 * modules - 1]);
    }
    row
}

/// A number of bodies, with springs.
pub fn system(modules: usize) -> jointed::System {
    let Row { parents, arms, pins, springs } = row(modules);
    let lengths = jointed::Lengths { hinges: parents.len(), parents, pins, springs };
    jointed::System::new(jointed::Data { arms, stiffness: 30.0 }, lengths).unwrap()
}

/// The positions of all bodies after a while from rest.
fn moved(system: &jointed::System, method: &str, step: f64, until: f64) -> Vec<SE2> {
    let start = jointed::Angles { hinges: vec![SO2::identity(); system.dof()] };
    let run = Simulation::of(system).initial(start, system.zero_velocity()).method_named(method).unwrap();
    let run = run.step(step).end_time(until).run().unwrap_or_else(|error| panic!("{method}: {error}"));
    system.body_frames(until, &run.last().configuration)
}

fn apart(one: &[SE2], two: &[SE2]) -> f64 {
    one.iter().zip(two).map(|(a, b)| (a.position() - b.position()).norm()).fold(0.0, f64::max)
}

#[test]
fn forty_bodies_with_twelve_loops_in_both_coordinates() {
    let system = system(12);
    assert_eq!((system.dof(), system.constraint_rows()), (40, 24));
    // Each parallelogram closes at the coupler that it stands on, and the first one at the base.
    assert_eq!(system.structure().eliminations()[0], Elimination::Tree { loops: 11, bandwidth: 1 });
    let one = moved(&system, "hedop5", 1e-3, 0.6);

    let Row { parents, arms, pins, springs } = row(12);
    // Body n is number n + 1 behind the ground.
    let behind = |list: &[[usize; 2]]| list.iter().map(|pair| pair.map(|body| body + 1)).collect::<Vec<_>>();
    let joints = parents.iter().enumerate().map(|(body, parent)| [parent.map_or(0, |at| at + 1), body + 1]).collect();
    let lengths = free::Lengths { bodies: 41, joints, pins: behind(&pins), springs: behind(&springs) };
    let free = free::System::new(free::Data { arms, stiffness: 30.0 }, lengths).unwrap();
    let mut bodies = vec![SE2::identity()];
    bodies.extend(system.body_frames(0.0, &jointed::Angles { hinges: vec![SO2::identity(); 40] }));
    let run = Simulation::of(&free).initial(free::Poses { bodies }, free.zero_velocity());
    let run = run.method_named("hedop5").unwrap().step(1e-3).end_time(0.6).run().unwrap();
    let two = &run.last().configuration.bodies[1..];

    let start = system.body_frames(0.0, &jointed::Angles { hinges: vec![SO2::identity(); 40] });
    assert!(apart(&one, &start) > 0.1, "it falls");
    assert!(apart(&one, two) < 1e-9, "{:.1e}", apart(&one, two));
}

#[test]
fn implicit_methods_find_the_same_motion_to_their_order() {
    let system = system(3);
    let reference = moved(&system, "hedop5", 1e-3, 0.5);
    for (method, order) in
        [("lie_alpha", 2), ("lie_alpha_stab2", 2), ("ul_crv", 2), ("bliedf2", 2), ("bliedf2_stab2", 2), ("tr_bdf2", 2)]
    {
        let error = |step| apart(&moved(&system, method, step, 0.5), &reference);
        let (coarse, fine) = (error(5e-3), error(2.5e-3));
        let rate = (coarse / fine).log2();
        assert!(fine < 1e-3 && rate > f64::from(order) - 0.35, "{method}: {coarse:.1e}, {fine:.1e}, rate {rate:.2}");
    }
}

#[test]
fn a_pin_twice_is_named() {
    let Row { parents, arms, mut pins, springs } = row(3);
    pins.push(pins[1]);
    let lengths = jointed::Lengths { hinges: parents.len(), parents, pins, springs };
    let system = jointed::System::new(jointed::Data { arms, stiffness: 30.0 }, lengths).unwrap();
    let start = jointed::Angles { hinges: vec![SO2::identity(); system.dof()] };
    let run = Simulation::of(&system).initial(start, system.zero_velocity()).method_named("hedop5").unwrap();
    let error = run.step(1e-3).end_time(0.1).run().unwrap_err().to_string();
    assert!(error.contains("pinned"), "{error}");
}
