//! Clamped members in systems from text.

use lie_runtime::dynamic::{DynamicError, ModelLengths};
use lie_runtime::prelude::*;
use lie_runtime::simulate::Methods;
use lie_runtime::system::{Report, Value};

use crate::Pair;
use crate::unrolled::{TIGHT_ALPHA, compare_run};

const FILE: &str = include_str!("clamped.rs");

/// A beam between two walls, a rope with a muscle in each segment, and a support.
#[mechanical_system]
pub mod bridge {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Bridge {
        #[clamped(first, last)]
        pub nodes: Vec<SE3>,
        #[clamped(last)]
        pub rope: Vec<R3>,
        #[clamped(first)]
        pub blocks: [f64; 2],
        #[clamped]
        pub support: R3,
        pub load: R3,
    }

    #[states(over = rope.windows(2))]
    #[derive(Default)]
    pub struct Muscle {
        pub activation: f64,
    }

    #[parameters]
    pub struct Data {
        pub masses: Vec<f64>,
        pub stiffness: f64,
        pub strength: f64,
    }

    #[kinetic_energy(over = nodes)]
    fn inertia(p: &Data, index: usize, v: &Vector6<f64>) -> f64 {
        let (turn, speed) = (v.angular(), v.linear());
        0.5 * turn.dot(&Vector3::new(0.1, 0.2, 0.3).component_mul(&turn)) + 0.5 * p.masses[index] * speed.norm_squared()
    }

    #[kinetic_energy(over = rope)]
    fn hanging(v: &Vector3<f64>) -> f64 {
        0.5 * 0.4 * v.norm_squared()
    }

    #[kinetic_energy(over = blocks)]
    fn sliding(v: &f64) -> f64 {
        0.5 * 0.7 * v * v
    }

    #[potential(over = blocks.windows(2))]
    fn buffer([a, b]: [&f64; 2]) -> f64 {
        0.5 * 3.0 * (b - a - 0.4).powi(2)
    }

    #[kinetic_energy(over = load)]
    fn weight(v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[potential(over = nodes.windows(2))]
    fn beam(p: &Data, [a, b]: [&SE3; 2]) -> f64 {
        let strain = (a.inverse() * *b).log() - Vector6::new(0.0, 0.0, 0.0, 1.0, 0.0, 0.0);
        0.5 * p.stiffness * strain.norm_squared()
    }

    #[potential(over = rope.windows(2))]
    fn elastic(p: &Data, [a, b]: [&R3; 2]) -> f64 {
        0.5 * p.stiffness * ((b - a).norm_squared() - 1.0).powi(2)
    }

    #[force(over = rope.windows(2))]
    fn pull(p: &Data, [a, b]: [&R3; 2], z: &Muscle) -> Vector6<f64> {
        let force = (b - a) * (p.strength * z.activation);
        Vector6::new(force.x, force.y, force.z, -force.x, -force.y, -force.z)
    }

    #[rate(over = rope.windows(2))]
    fn excite(t: f64, index: usize, [a, b]: [&R3; 2], z: &Muscle) -> Muscle {
        Muscle { activation: (3.0 * t + index as f64).sin() + 0.1 * (b - a).norm_squared() - 5.0 * z.activation }
    }

    #[potential(over = (load, support))]
    fn spring(p: &Data, load: &R3, support: &R3) -> f64 {
        0.5 * p.stiffness * (load - support).norm_squared() + 9.81 * load.z
    }

    /// A rigid rod from the support to the load.
    #[constraint(over = (load, rope.last()))]
    fn rod(load: &R3, end: &R3) -> f64 {
        (load - end).norm_squared() - 1.0
    }

    #[observable]
    fn at_the_wall(q: &Bridge, v: &Velocity) -> Vector3<f64> {
        q.nodes[3].position() + v.nodes[3].linear() + v.rope[1] * q.blocks[0]
    }
}

fn lengths() -> ModelLengths {
    ModelLengths::new().length("nodes", 4).length("rope", 3).length("masses", 4)
}

fn generated() -> bridge::System {
    let data = bridge::Data { masses: vec![1.0, 2.0, 1.5, 0.8], stiffness: 30.0, strength: 4.0 };
    bridge::System::new(data, bridge::Lengths { nodes: 4, rope: 3 }).unwrap()
}

fn start() -> bridge::BridgeWithStates {
    let node = |n: usize| {
        let n = n as f64;
        SE3::new(SO3::exp(&Vector3::new(0.05 * n, 0.02, -0.1)), Vector3::new(0.98 * n, 0.05 * n, 0.01))
    };
    let rope = vec![Vector3::new(0.0, 0.1, 0.0), Vector3::new(0.9, 0.0, 0.2), Vector3::new(1.8, 0.1, 0.1)];
    let load = rope[2] + Vector3::new(0.6, 0.0, -0.8);
    let (nodes, support) = ((0..4).map(node).collect(), Vector3::new(2.0, 0.3, -1.0));
    bridge::Bridge { nodes, rope, blocks: [0.1, 0.6], support, load }.into()
}

#[test]
fn clamped_members_are_those_of_the_generated_system() {
    let system = generated();
    let pair = Pair::with_lengths((FILE, "bridge"), &lengths(), &system, &[]);
    let q = start();
    // 2 × 6 + 2 × 3 + 1 + 3, and 2 states.
    assert_eq!((system.dof(), pair.dynamic.dof()), (24, 24));
    pair.compare_kernels_to(1e-12, &q);
    for method in ["rkmk4", "hedop5", "tr_bdf2"] {
        compare_run(&pair, &q, (method, &[]));
    }
    compare_run(&pair, &q, TIGHT_ALPHA);
}

/// All columns of all samples of an explicit method.
#[test]
fn whole_runs_agree_to_round_off() {
    const STEP: f64 = 2e-3;
    let system = generated();
    let pair = Pair::with_lengths((FILE, "bridge"), &lengths(), &system, &[]);
    let (q, v) = (start(), system.zero_velocity());
    let one = Simulation::of(&system).initial(q.clone(), v.clone()).step(STEP).end_time(0.1);
    let two = Simulation::of(&pair.dynamic).initial(pair.configuration(&q), pair.vector(&v)).step(STEP).end_time(0.1);
    let one = one.method_from(&Methods::all(), "hedop5", &[]).unwrap().run().unwrap();
    let two = two.method_from(&Methods::all(), "hedop5", &[]).unwrap().run().unwrap();
    let columns = |record: Value| {
        let mut columns: Vec<(String, f64)> = vec![];
        record.for_each("", &mut |name, value| columns.push((name.to_owned(), value)));
        columns
    };
    let (one, two) = (one.samples(), two.samples());
    let samples: Vec<_> = one.zip(two).collect();
    assert_eq!(samples.len(), 51);
    for (one, two) in samples {
        let (one, two) = (columns(one.record()), columns(two.record()));
        for ((name, x), (known, y)) in one.iter().zip(&two) {
            assert_eq!(name, known);
            // λ is an increment of the velocity divided by the step.
            let scale = if name.starts_with("multipliers") { 1.0 / STEP } else { 1.0 };
            assert!((x - y).abs() <= 1e-13 * (scale + x.abs()), "{name}: {x} and {y}");
        }
        assert_eq!(one.len(), two.len());
    }
}

#[test]
fn clamped_members_are_at_rest() {
    let system = generated();
    let Pair { dynamic, .. } = Pair::with_lengths((FILE, "bridge"), &lengths(), &system, &[]);
    let reported = dynamic.report_velocity(&dynamic.zero_velocity());
    assert_eq!(reported.get("nodes").expect("a member").numbers().len(), 24);
    let v = dynamic.velocity([("nodes[1]", &[0.1; 6][..]), ("nodes[3]", &[])]).expect("a velocity");
    assert_eq!(v.iter().filter(|component| **component == 0.1).count(), 6);
    let refused = dynamic.velocity([("nodes[3]", &[0.1; 6][..])]).expect_err("it is clamped");
    assert!(matches!(refused, DynamicError::WrongSize { expected: 0, given: 6, .. }));
    assert!(refused.to_string().contains("clamped members are at rest"), "{refused}");
}
