//! Systems of frames against dual numbers on the declared functions: joints of every group, frames of every group, and
//! wrong entries in every kernel of a recursion.

mod spoilt;

use fixtures::derivatives::worst_deviations;
use fixtures::random::Random;
use fixtures::systems::linkages::{
    balls, duals, geared, hinges, matrices, pendulum, planar, quaternions, rigid, slides, turns,
};
use lie_runtime::group::S3xR3;
use lie_runtime::prelude::*;
use lie_runtime::system::DualModel;

/// Round-off of formulas whose condition is moderate, on entries relative to the largest one.
const TOLERANCE: f64 = 1e-12;

/// Every kernel agrees at `count` states, and all are looked at.
fn check<M: DualModel<Scalar = f64>>(system: &M, count: usize, place: impl FnMut(&mut Random) -> M::Configuration) {
    let name = system.description().name;
    let worst = worst_deviations(system, count, place);
    for kernel in [
        "force",
        "residual",
        "mass_matrix",
        "tangent_stiffness",
        "tangent_damping",
        "momentum",
        "solve_mass",
        "accelerate",
        "kinetic_energy",
        "potential_energy",
        "quantity_rates",
    ] {
        let entry = worst.iter().find(|entry| entry.kernel == kernel).expect("it is compared");
        assert!(!entry.entry.is_empty(), "{name}: nothing was compared of {kernel}");
    }
    for entry in worst {
        assert!(entry.deviation < TOLERANCE, "{name}: {entry:?}");
    }
}

fn several<T>(count: usize, random: &mut Random, one: fn(&mut Random) -> T) -> Vec<T> {
    (0..count).map(|_| one(random)).collect()
}

fn direction(random: &mut Random) -> S2 {
    S2::new(random.vector::<3>()).expect("a direction")
}

fn rotation(random: &mut Random) -> S3 {
    S3::exp(&random.rotation_vector())
}

/// Bodies on joints, with a body elsewhere.
macro_rules! bodies {
    ($module:ident, $joint:expr) => {{
        let data = $module::Data {
            mass: 0.6,
            spread: Vector3::new(0.02, 0.03, 0.05),
            axis: Vector3::new(0.6, 0.0, 0.8),
            arm: Vector3::new(0.4, -0.2, 0.7),
            friction: 0.3,
        };
        let system = $module::System::new(data, $module::Lengths { joints: 3 }).unwrap();
        check(&system, 3, |random| $module::Chain { joints: several(3, random, $joint), other: random.vector() });
    }};
}

/// Bodies along a chain.
macro_rules! placed {
    ($module:ident, $joint:expr) => {{
        let system = $module::System::new($module::Lengths { joints: 2 }).unwrap();
        check(&system, 2, |random| $module::Chain { joints: several(2, random, $joint) });
    }};
}

#[test]
fn bodies_on_joints() {
    bodies!(hinges, |random| SO2::from_angle(3.0 * random.number()));
    bodies!(slides, Random::vector::<1>);
    bodies!(balls, rotation);
}

#[test]
fn frames_of_every_group() {
    placed!(duals, |random| DQ::new(rotation(random), random.vector()));
    placed!(rigid, |random| SE3::new(SO3::exp(&random.rotation_vector()), random.vector()));
    placed!(matrices, |random| SO3::exp(&random.rotation_vector()));
    placed!(quaternions, |random| S3xR3::new(rotation(random), random.vector()));
    placed!(planar, |random| SE2::exp(&random.vector()));
    placed!(turns, direction);
}

#[test]
fn masses_on_directions() {
    let data = pendulum::Data { mass: 0.7, length: 0.9, growth: 0.15, gravity: 9.81 };
    for links in [1, 2, 4] {
        let system = pendulum::System::new(data.clone(), pendulum::Lengths { links }).unwrap();
        check(&system, 5, |random| pendulum::Pendulum { links: several(links, random, direction) });
    }
}

#[test]
fn links_that_are_constrained_and_held() {
    let system = geared::System::new(geared::Lengths { joints: 4 }).unwrap();
    check(&system, 10, |random| geared::Rods { joints: several(4, random, |random| SO2::from_angle(random.number())) });
}
