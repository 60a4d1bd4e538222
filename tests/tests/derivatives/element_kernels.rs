//! The generated kernels of systems over chains against dual numbers on the declared functions, at random states.

use fixtures::derivatives::worst_deviations;
use fixtures::random::Random;
use fixtures::systems::elements::{directors, joined, kirchhoff, plates, rope, shear_flexible, wrong_spring};
use fixtures::systems::{chained, spheres};
use lie_runtime::prelude::*;
use lie_runtime::system::{DualModel, Linearised};

/// Round-off of formulas whose condition is moderate, on entries relative to the largest one.
const TOLERANCE: f64 = 1e-12;

/// Every kernel agrees at `count` states.
fn check<M>(system: &M, count: usize, place: impl FnMut(&mut Random) -> M::Configuration)
where
    M: DualModel<Scalar = f64> + Linearised,
{
    let name = system.description().name;
    let worst = worst_deviations(system, count, place);
    let largest = worst.iter().fold(None::<&lie_runtime::system::DerivativeDeviation>, |largest, next| match largest {
        Some(largest) if largest.deviation >= next.deviation => Some(largest),
        _ => Some(next),
    });
    println!("{name}, {} components: {largest:?}", system.dof());
    for entry in worst {
        assert!(entry.deviation < TOLERANCE, "{name}: {entry:?}");
    }
}

/// A frame; adjacent frames differ by less than half a rotation.
fn frame(random: &mut Random) -> S3R3 {
    S3R3::new(S3::exp(&(0.8 * random.vector::<3>())), random.vector())
}

fn planar(random: &mut Random) -> SE2 {
    SE2::exp(&random.vector())
}

fn direction(random: &mut Random) -> S2 {
    let place: Vector3<f64> = random.vector();
    spheres::direction(place.x, place.y, place.z + 1.1)
}

/// A number of items.
fn several<T>(count: usize, random: &mut Random, one: fn(&mut Random) -> T) -> Vec<T> {
    (0..count).map(|_| one(random)).collect()
}

/// Data of a rod.
macro_rules! section {
    ($module:ident) => {
        $module::Section {
            length: 2.0,
            bending: Vector3::new(2.0, 3.0, 1.5),
            stretching: Vector3::new(30.0, 40.0, 50.0),
            density: 1.3,
            inertia: Vector3::new(0.3, 0.4, 0.5),
            damping: 0.2,
        }
    };
}

#[test]
fn cosserat_rods() {
    for nodes in [2, 3, 6] {
        let rod = shear_flexible::System::new(section!(shear_flexible), shear_flexible::Lengths { nodes }).unwrap();
        check(&rod, 10, |random| shear_flexible::Rod { nodes: several(nodes, random, frame) });
        let rod = kirchhoff::System::new(section!(kirchhoff), kirchhoff::Lengths { nodes }).unwrap();
        check(&rod, 10, |random| kirchhoff::Rod { nodes: several(nodes, random, frame) });
    }
}

#[test]
fn a_rope() {
    for masses in [3, 4, 9] {
        let rope = rope::System::new(rope::Lengths { masses }).unwrap();
        check(&rope, 20, |random| rope::Rope { masses: several(masses, random, Random::vector) });
    }
}

#[test]
fn elements_of_every_kind() {
    for frames in [3, 5] {
        let data = chained::chained::Data {
            mass: 1.3,
            inertia: Matrix3::new(0.3, 0.02, -0.01, 0.02, 0.5, 0.03, -0.01, 0.03, 0.4),
            stiffness: Vector6::new(2.0, 3.0, 5.0, 7.0, 11.0, 13.0),
            damping: 0.4,
        };
        let system = chained::chained::System::new(data, chained::chained::Lengths { frames }).unwrap();
        check(&system, 10, |random| chained::chained::Line {
            rail: random.vector(),
            frames: several(frames, random, frame),
        });
    }
}

#[test]
fn chains_joined_by_bodies() {
    for [left, cranks, right] in [[3, 2, 2], [4, 3, 3]] {
        let data = joined::Data {
            inertia: Matrix3::new(0.3, 0.02, -0.01, 0.02, 0.5, 0.03, -0.01, 0.03, 0.4),
            stiffness: [3.0, 5.0],
            arms: [Vector3::new(0.3, -0.2, 0.9), Vector3::new(-0.5, 0.1, 0.4)],
        };
        let system = joined::System::new(data, joined::Lengths { left, cranks, right }).unwrap();
        check(&system, 5, |random| joined::Members {
            left: several(left, random, frame),
            cranks: several(cranks, random, |random| SO2::from_angle(random.number())),
            right: several(right, random, planar),
            bar: SE3::new(SO3::exp(&random.vector()), random.vector()),
            hub: SO2::from_angle(random.number()),
            ground: SO3::exp(&random.vector()),
            sliders: core::array::from_fn(|_| random.vector()),
        });
    }
}

#[test]
fn directions() {
    for directors in [3, 6] {
        let data = directors::Data { inertia: 1.7, stiffness: 3.0 };
        let system = directors::System::new(data, directors::Lengths { directors }).unwrap();
        check(&system, 20, |random| directors::Directors {
            directors: several(directors, random, direction),
            pointer: direction(random),
        });
    }
}

#[test]
fn declared_mass_matrices() {
    let system = plates::System::new(plates::Lengths { plates: 4 }).unwrap();
    check(&system, 20, |random| plates::Plates { plates: several(4, random, planar) });
}

/// Every kernel that uses the wrong derivative is reported, at the springs; the other kernels pass.
#[test]
fn a_wrong_derivative_is_found() {
    let system = wrong_spring::System::new(wrong_spring::Lengths { masses: 4 }).unwrap();
    let worst =
        worst_deviations(&system, 10, |random| wrong_spring::Masses { masses: several(4, random, Random::vector) });
    for entry in worst {
        if ["residual", "force", "accelerate", "tangent_stiffness", "hamiltonian_force"].contains(&entry.kernel) {
            assert!(entry.deviation > 1e-3, "{entry:?}");
            assert!(entry.entry.contains("`springs` over masses.windows(2), element "), "{entry:?}");
            assert!(entry.entry.contains("of `masses["), "{entry:?}");
        } else {
            assert!(entry.deviation < TOLERANCE, "{entry:?}");
        }
    }
}
