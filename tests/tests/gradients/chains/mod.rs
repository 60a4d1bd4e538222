//! Gradients of systems over chains against dual numbers through whole runs, kernel by kernel and step by step.

mod declarations;

use lie_runtime::gradient::adjoint::AdjointState;
use lie_runtime::gradient::{Adjoint, pullback_check};
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;
use lie_runtime::system::Reverse;

use crate::case::Case;
use declarations::{pendulum, rod, springs};

/// A rod of that many edges, bent, with data that differ from edge to edge.
fn bent_rod(edges: usize) -> (rod::System, rod::Rod, DVector<f64>) {
    let wave = |at: usize, phase: f64| (1.3 * at as f64 + phase).sin();
    let edge = |at| rod::Edge {
        length: (1.0 + 0.1 * wave(at, 0.2)) / edges as f64,
        bending: Vector3::new(1.0 + 0.1 * wave(at, 0.4), 1.2, 0.8 - 0.1 * wave(at, 0.7)),
        stretching: Vector3::new(60.0, 70.0 + wave(at, 0.9), 90.0),
    };
    let section = rod::Section {
        density: 1.1,
        edges: (0..edges).map(edge).collect(),
        inertia: Vector3::new(0.01, 0.012, 0.015),
        friction: (0..=edges).map(|at| 1e-3 * (1.0 + 0.2 * wave(at, 1.0))).collect(),
        load: Vector3::new(0.3, -0.2, 0.5),
        gravity: 9.81,
    };
    let twist = Vector6::new(0.4, -0.3, 0.6, 0.02, 0.01, 1.0) / edges as f64;
    let mut nodes = vec![S3R3::identity()];
    for at in 0..edges {
        nodes.push(nodes[at] * S3R3::exp(&(twist * (1.0 + 0.05 * wave(at, 1.4)))));
    }
    let system = rod::System::new(section, rod::Lengths { nodes: edges + 1 }).unwrap();
    let v = DVector::from_fn(system.dof(), |at, _| 0.3 * wave(at, 2.0));
    (system, rod::Rod { nodes }, v)
}

/// A number of links, rotated about various axes, and their support at its start.
pub fn hung_links(count: usize) -> (pendulum::System, pendulum::Chain, DVector<f64>) {
    let data = pendulum::Data {
        halves: (0..count).map(|at| 0.4 + 0.03 * at as f64).collect(),
        masses: (0..count).map(|at| 1.0 + 0.1 * (at as f64).cos()).collect(),
        inertia: Matrix3::new(0.1, 0.01, 0.0, 0.01, 0.12, 0.02, 0.0, 0.02, 0.05),
        amplitude: 0.2,
        friction: 0.05,
    };
    let mut joint = Vector3::zeros();
    let link = |at: usize| {
        let turn = SO3::exp(&Vector3::new(0.3, 0.2 * (at as f64).sin(), 0.5 - 0.2 * at as f64));
        let half = turn * Vector3::new(0.0, 0.0, data.halves[at]);
        let centre = joint - half;
        joint -= half * 2.0;
        SE3::new(turn, centre)
    };
    let links: Vec<SE3> = (0..count).map(link).collect();
    let system = pendulum::System::new(data, pendulum::Lengths { links: count }).unwrap();
    let v = DVector::from_fn(system.dof(), |at, _| if at % 6 < 3 { 0.4 * (0.7 * at as f64).sin() } else { 0.0 });
    let start = Simulation::of(&system).initial(pendulum::Chain { links }, v).max_initial_correction(1e3);
    let first = start.step(1e-3).end_time(1e-3).run().unwrap().first().clone();
    (system, first.configuration, first.velocity)
}

/// A mass on two springs, whose stiffnesses are read by their numbers.
fn two_springs() -> (springs::System, springs::Mass, Vector2<f64>) {
    let system = springs::System::new(springs::Springs { stiffness: vec![3.0, 5.0], mass: 1.5 }).unwrap();
    (system, springs::Mass { place: Vector2::new(0.4, -0.7) }, Vector2::new(0.2, 0.1))
}

/// At accelerations and multipliers that are no solution, off the constraints.
#[test]
fn of_each_kernel() {
    macro_rules! each {
        ($($system:expr),*) => {$({
            let (system, q, v) = $system;
            let mut state = State::at_rest(&system, 0.7, q);
            state.velocity = v;
            for at in 0..system.dof() {
                state.acceleration[at] = 1.0 - (at as f64).sin();
            }
            for at in 0..system.constraint_rows() {
                state.multipliers[at] = 0.8 - 0.3 * at as f64;
            }
            for kernel in pullback_check(&system, &state).unwrap() {
                assert!(kernel.deviation < 1e-13, "{}: {kernel:?}", system.description().name);
            }
        })*};
    }
    each!(bent_rod(3), hung_links(3), two_springs());
}

/// All data of the elements there are, of a few of them; everything that is shared; a few initial values.
#[test]
fn of_a_rod_of_64_elements() {
    let (system, q, v) = bent_rod(64);
    let names = [
        "density",
        "inertia",
        "load",
        "edges[0].length",
        "edges[31].bending",
        "edges[63].stretching[2]",
        "friction[17]",
        "q.nodes[0]",
        "q.nodes[200]",
        "v.nodes[383]",
    ];
    let case = Case::new(&system, q, v, 1e-4, 5e-4).compared_by(&names);
    case.check(HalfExplicit::hedop5());
    Case { step: 1e-3, end: 5e-3, ..case }.check(GeneralizedAlpha::lie_alpha());
}

#[test]
fn of_a_pendulum_of_many_links() {
    let (system, q, v) = hung_links(6);
    let names = ["halves[0]", "halves[3]", "masses[5]", "inertia", "amplitude", "friction", "q.links[20]", "v.links"];
    let case = Case::new(&system, q, v, 5e-3, 0.03).compared_by(&names);
    case.check(HalfExplicit::hedop5());
    case.check(OnMechanical(MuntheKaas::rkmk4()));
    case.check(GeneralizedAlpha::lie_alpha_stab2());
    case.check(TrBdf2::new());
    case.check(crate::implicit::rattlie());
}

/// A step back allocates nothing, but where a run begins.
#[test]
fn steps_back_allocate_nothing() {
    fn check<M: Reverse<Scalar = f64>, I: Adjoint<M> + Clone>(
        system: &M,
        (q, v): (&M::Configuration, &M::Velocity),
        step: f64,
        method: &I,
    ) {
        let id = method.id();
        let run =
            Simulation::of(system).initial(q.clone(), v.clone()).method(method.clone()).step(step).end_time(5.0 * step);
        let states = run.run().unwrap_or_else(|error| panic!("{id}: {error}")).into_trajectory().states;
        let mut back = method.retraced(system, &states[0]).unwrap_or_else(|error| panic!("{id}: {error}"));
        let mut cotangent = AdjointState::zero(system);
        cotangent.velocity.set_component(0, 1.0);
        for at in (1..states.len()).rev() {
            let allocations = allocation_counter::measure(|| {
                back.step_back(system, &states[at - 1], &states[at], step, None, &mut cotangent).unwrap();
            });
            assert!(allocations.count_total == 0 || at == 1, "{id}, step {at}: {allocations:?}");
        }
        assert!(cotangent.parameters.iter().any(|slope| *slope != 0.0));
    }
    let (system, q, v) = bent_rod(8);
    check(&system, (&q, &v), 1e-4, &HalfExplicit::hedop5());
    check(&system, (&q, &v), 1e-3, &GeneralizedAlpha::lie_alpha());
    check(&system, (&q, &v), 1e-3, &TrBdf2::new());
    let (system, q, v) = hung_links(6);
    check(&system, (&q, &v), 5e-3, &HalfExplicit::hedop5());
    check(&system, (&q, &v), 5e-3, &OnMechanical(MuntheKaas::rkmk4()));
    check(&system, (&q, &v), 5e-3, &GeneralizedAlpha::lie_alpha_stab2());
    check(&system, (&q, &v), 5e-3, &TrBdf2::third_order());
    check(&system, (&q, &v), 5e-3, &Collocation::radau_iia3());
}
