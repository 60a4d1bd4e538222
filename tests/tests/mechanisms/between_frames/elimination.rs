//! Rows of loops that share joints, eliminated along a tree: the solution must satisfy the equations for all rows.

use fixtures::random::Random;
use lie_runtime::nalgebra::DVector;
use lie_runtime::prelude::*;
use lie_runtime::system::chain::{ElementSystem, Elimination};

use super::linkage::linkage;

/// How many joints there are between two frames.
fn between(parents: &[Option<usize>], one: usize, other: usize) -> usize {
    let way = |frame: usize| core::iter::successors(Some(frame), |&at| parents[at]).collect::<Vec<_>>();
    let (one, other) = (way(one), way(other));
    let shared = one.iter().filter(|frame| other.contains(frame)).count();
    one.len() + other.len() - 2 * shared
}

/// A trunk with hinges and slides attached to any previous frame, and pins between frames that are not too close.
fn tangle(random: &mut Random, [hinges, slides, pins]: [usize; 3]) -> linkage::System {
    let frames = 1 + hinges + slides;
    let parents = (0..frames).map(|frame| (frame > 0).then(|| random.below(frame).max(frame.saturating_sub(5))));
    let parents: Vec<Option<usize>> = parents.collect();
    let mut list = Vec::new();
    while list.len() < pins {
        let pin = [random.below(frames), random.below(frames)];
        if between(&parents, pin[0], pin[1]) > 3 {
            list.push(pin);
        }
    }
    let lengths = linkage::Lengths { hinges, slides, parents, pins: list, springs: vec![] };
    linkage::System::new(linkage::Data { stiffness: vec![], damping: 0.3 }, lengths).unwrap()
}

fn place(random: &mut Random, [hinges, slides, _]: [usize; 3]) -> linkage::Linkage {
    linkage::Linkage {
        trunk: SE3::exp(&Vector6::from_fn(|_, _| random.number())),
        hinges: (0..hinges).map(|_| SO2::from_angle(3.0 * random.number())).collect(),
        slides: (0..slides).map(|_| random.number()).collect(),
    }
}

/// v' = M⁻¹ (f − B₁ᵀ λ) and B₂ v' = c, with M⁻¹ of the tree alone; how far from that the solution is, if the rows are independent.
fn residual(system: &linkage::System, random: &mut Random, sizes: [usize; 3], apart: f64) -> Option<f64> {
    let q = place(random, sizes);
    let shift = DVector::from_fn(system.dof(), |_, _| apart * random.number());
    let mut next = q.clone();
    system.space().compose_exp(&q, &shift, &mut next);
    let (mut mass, mut first, mut second) = (system.zero_mass(), system.zero_jacobian(), system.zero_jacobian());
    system.mass(0.3, &q, &mut mass).unwrap();
    system.constraint_jacobian(0.3, &q, &mut first);
    system.constraint_jacobian(0.3, &next, &mut second);
    let force = DVector::from_fn(system.dof(), |_, _| random.number());
    let constraint = DVector::from_fn(system.constraint_rows(), |_, _| random.number());
    let (mut acceleration, mut multipliers) = (system.zero_velocity(), system.zero_multipliers());
    let solved = system.solve_kkt(&mut mass, &first, &second, &force, &constraint, &mut acceleration, &mut multipliers);
    solved.ok()?;
    let (mut reactions, mut expected, mut rates) =
        (system.zero_velocity(), system.zero_velocity(), system.zero_multipliers());
    system.jacobian_transpose_times(&first, &multipliers, &mut reactions);
    system.solve_mass(&mut mass, &(&force - &reactions), &mut expected);
    system.jacobian_times(&second, &acceleration, &mut rates);
    let size = acceleration.amax().max(1.0);
    Some(((acceleration - expected).amax() / size).max((rates - constraint).amax() / size))
}

#[test]
fn what_is_solved_obeys_the_equations() {
    let mut random = Random::new(5);
    let (mut closed, mut solved) = (0, 0);
    for sizes in [[5, 3, 2], [12, 6, 5], [20, 10, 9], [30, 5, 7]] {
        for _ in 0..4 {
            let system = tangle(&mut random, sizes);
            let Elimination::Tree { loops, .. } = system.structure().eliminations()[0] else { panic!("no tree") };
            closed += loops;
            // B of one configuration, of two, and of two far apart.
            for apart in [0.0, 1e-2, 0.3] {
                let Some(found) = residual(&system, &mut random, sizes, apart) else { continue };
                assert!(found < 1e-9, "{sizes:?}, {apart}: {found:.1e}");
                solved += 1;
            }
        }
    }
    assert!(closed > 20, "{closed} loops are eliminated where they close");
    assert!(solved > 36, "{solved} of 48 tangles have independent rows");
}
