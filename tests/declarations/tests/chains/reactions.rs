//! Reactions of clamped members: the sum of the loads in equilibrium, the rate of the momentum in motion.

use lie_runtime::prelude::*;

/// Masses on rigid links, or on springs, that hang from both ends.
#[mechanical_system]
mod rope {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Rope {
        #[clamped(first, last)]
        pub nodes: Vec<R3>,
        #[clamped]
        pub hook: R3,
    }

    #[parameters]
    pub struct Data {
        pub masses: Vec<f64>,
        pub stiffness: f64,
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(p: &Data, index: usize, v: &Vector3<f64>) -> f64 {
        0.5 * p.masses[index] * v.norm_squared()
    }

    #[potential(over = nodes)]
    fn weight(p: &Data, index: usize, x: &R3) -> f64 {
        9.81 * p.masses[index] * x.z
    }

    #[constraint(over = nodes.windows(2))]
    fn link([a, b]: [&R3; 2]) -> f64 {
        0.5 * ((b - a).norm_squared() - 1.0)
    }

    /// A spring from the hook to a mass.
    #[potential(over = (nodes[2], hook))]
    fn spring(p: &Data, x: &R3, hook: &R3) -> f64 {
        0.5 * p.stiffness * (x - hook).norm_squared()
    }
}

const MASSES: [f64; 6] = [0.4, 1.0, 2.0, 0.5, 1.5, 0.3];

fn system(stiffness: f64) -> rope::System {
    let data = rope::Data { masses: MASSES.to_vec(), stiffness };
    rope::System::new(data, rope::Lengths { nodes: MASSES.len() }).expect("a rope")
}

/// The sum of the reactions of the members.
fn total(reactions: &[lie_runtime::system::chain::Reaction<f64>]) -> Vector3<f64> {
    reactions.iter().map(|reaction| Vector3::from_column_slice(&reaction.force)).sum()
}

fn weight() -> Vector3<f64> {
    Vector3::new(0.0, 0.0, -9.81 * MASSES.iter().sum::<f64>())
}

/// Straight up and down, nothing can move: the links carry everything to both ends.
#[test]
fn at_rest_supports_carry_the_loads() {
    let system = system(3.0);
    let nodes = [0.0_f64, 0.8, 1.6, 2.4, 3.2, 4.0].map(|x| Vector3::new(x, 0.0, 0.6 * (x * 1.25 % 2.0)));
    let q = rope::Rope { nodes: nodes.to_vec(), hook: Vector3::new(1.0, 2.0, 3.0) };
    let reactions = system.reactions(0.0, &q, &system.zero_velocity()).expect("reactions");
    let names: Vec<_> = reactions.iter().map(|reaction| (reaction.member, reaction.index)).collect();
    assert_eq!(names, [("nodes", 0), ("nodes", 5), ("hook", 0)]);
    // The hook has the spring alone.
    let pull = (q.hook - q.nodes[2]) * 3.0;
    assert!((Vector3::from_column_slice(&reactions[2].force) - pull).norm() < 1e-13);
    // A configuration of another length has none.
    let short = rope::Rope { nodes: vec![Vector3::zeros()], ..q };
    assert!(system.reactions(0.0, &short, &system.zero_velocity()).is_err());
}

/// dP/dt = Σ weights + Σ reactions, with P along a run.
#[test]
fn in_motion_reactions_and_weights_change_the_momentum() {
    let system = system(3.0);
    // A zigzag between the ends, at distances of 1.
    let nodes: Vec<R3> = (0..6_u8).map(|i| Vector3::new(0.8 * f64::from(i), 0.0, 0.6 * f64::from(i % 2))).collect();
    let start = rope::Rope { nodes, hook: Vector3::new(1.0, 2.0, 3.0) };
    let h = 1e-3;
    let run = Simulation::of(&system)
        .initial(start, system.zero_velocity())
        .method(HalfExplicit::hedop5())
        .step(h)
        .end_time(0.2)
        .run()
        .expect("a run");
    let states: Vec<_> = run.states.iter().collect();
    let momentum = |at: usize| -> Vector3<f64> {
        let velocity = system.velocity(&states[at].velocity);
        velocity.nodes.iter().zip(MASSES).map(|(v, mass)| v * mass).sum()
    };
    for at in [50, 100, 150] {
        let state = states[at];
        let near = momentum(at + 1) - momentum(at - 1);
        let far = momentum(at + 2) - momentum(at - 2);
        let rate = (near * 8.0 - far) / (12.0 * h);
        let reactions = system.reactions(state.time, &state.configuration, &state.velocity).expect("reactions");
        // The hook is held against its spring, which pulls at the rope as well.
        let force = total(&reactions) + weight();
        assert!((rate - force).norm() < 1e-6 * rate.norm().max(1.0), "{at}: {rate} {force}");
    }
}

/// A rod of poses on linear springs: the moment at the clamp is the moment of the force at the end.
#[mechanical_system]
mod rod {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Rod {
        #[clamped(first)]
        pub nodes: Vec<SE3>,
    }

    #[kinetic_energy(over = nodes)]
    fn kinetic(v: &Vector6<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    /// Adjacent members are welded.
    #[constraint(over = nodes.windows(2))]
    fn weld([a, b]: [&SE3; 2]) -> Vector6<f64> {
        (a.inverse() * *b).log() - Vector6::new(0.0, 0.0, 0.0, 1.0, 0.0, 0.0)
    }

    #[potential(over = nodes.last())]
    fn load(x: &SE3) -> f64 {
        5.0 * x.translation.z
    }
}

#[test]
fn a_cantilever_is_held_by_force_and_moment() {
    let system = rod::System::new(rod::Lengths { nodes: 5 }).expect("a rod");
    let node = |i: u8| SE3::new(SO3::identity(), Vector3::new(f64::from(i), 0.0, 0.0));
    let q = rod::Rod { nodes: (0..5).map(node).collect() };
    let reactions = system.reactions(0.0, &q, &system.zero_velocity()).expect("reactions");
    // Moment −4 × 5 about y from the load at x = 4, force 5 along z.
    let wanted = [0.0, -20.0, 0.0, 0.0, 0.0, 5.0];
    for (found, wanted) in reactions[0].force.iter().zip(wanted) {
        assert!((found - wanted).abs() < 1e-11, "{reactions:?}");
    }
}
