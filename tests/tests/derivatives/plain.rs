//! Generated kernels against dual numbers on the declared functions, at random states.

use fixtures::derivatives::worst_deviations;
use fixtures::systems::{conservative, heavy_tops, mechanisms};
use lie_runtime::group::TangentVector;
use lie_runtime::group::{S3xR3, SO3xR3};
use lie_runtime::prelude::*;
use lie_runtime::system::{DualModel, Linearised};

/// Round-off of formulas whose condition is moderate, on entries relative to the largest one.
const TOLERANCE: f64 = 1e-13;

/// Compares at `count` states that start from `start` and move by a random twist.
fn check<M>(system: &M, count: usize, start: &M::Configuration, rotations: &[usize])
where
    M: DualModel<Scalar = f64> + Linearised,
{
    let worst = worst_deviations(system, count, |random| {
        let mut twist = system.zero_velocity();
        for component in 0..system.dof() {
            twist.set_component(component, random.number());
        }
        for &first in rotations {
            let vector = random.rotation_vector();
            for (at, &entry) in vector.iter().enumerate() {
                twist.set_component(first + at, entry);
            }
        }
        let mut q = start.clone();
        system.space().compose_exp(start, &twist, &mut q);
        q
    });
    println!("{}: {worst:?}", system.description().name);
    for entry in worst {
        assert!(entry.deviation < TOLERANCE, "{entry:?}");
    }
}

fn inertia() -> Matrix3<f64> {
    Matrix3::new(0.3, 0.02, -0.01, 0.02, 0.5, 0.03, -0.01, 0.03, 0.4)
}

/// Parameters of a heavy top.
macro_rules! heavy_top {
    ($module:ident) => {
        heavy_tops::$module::System::new(heavy_tops::$module::HeavyTop {
            mass: 15.0,
            inertia: inertia(),
            center_of_mass: Vector3::new(0.1, 1.0, -0.3),
            gravity: Vector3::new(0.1, 0.0, -9.81),
        })
        .unwrap()
    };
}

/// The heavy top on each group of placements.
macro_rules! on_every_group {
    ($($name:ident: $module:ident, $group:ident;)*) => {
        $(#[test]
        fn $name() {
            let pose = $group::new($group::identity().rotation(), Vector3::new(0.2, 0.9, -0.1));
            check(&heavy_top!($module), 150, &heavy_tops::$module::Body { pose }, &[0]);
        })*
    };
}

on_every_group! {
    heavy_top_on_so3_x_r3: so3xr3, SO3xR3;
    heavy_top_on_s3_x_r3: s3xr3, S3xR3;
    heavy_top_on_se3: se3, SE3;
    heavy_top_on_s3_semidirect_r3: s3r3, S3R3;
    heavy_top_on_dual_quaternions: dq, DQ;
}

/// Common properties of the groups of poses, and DQ together with other groups in one system.
#[test]
fn every_placement() {
    let (system, start) = fixtures::systems::placements::somewhere();
    check(&system, 25, &start, &[]);
}

#[test]
fn contraption() {
    use mechanisms::contraption::{Data, Everything, System};
    let system = System::new(Data {
        masses: [1.5, 0.7, 0.9],
        inertias: [Vector3::new(0.3, 0.4, 0.5), Vector3::new(0.2, 0.7, 0.6)],
        inertia: inertia(),
        length: 0.8,
        stiffness: 3.0,
        gravity: Vector3::new(0.0, 0.3, -9.81),
        label: "contraption".to_owned(),
    })
    .unwrap();
    let start = Everything {
        cart: SE2::identity(),
        wheel: SO2::identity(),
        links: [SO3::identity(), SO3::identity()],
        body: S3R3 { rotation: S3::identity(), translation: Vector3::new(1.0, 0.2, 0.3) },
        drone: SE3 { rotation: SO3::identity(), translation: Vector3::new(-0.5, 1.2, 0.1) },
        slider: Vector2::new(0.4, -0.2),
    };
    println!("{:#?}", system.description());
    check(&system, 25, &start, &[]);
}

#[test]
fn directions() {
    use fixtures::systems::spheres::{direction, double_pendulum, plain_pendulum, slung_load};
    use lie_runtime::group::R3;

    let pendulum = double_pendulum::Pendulum { masses: [1.3, 0.7], lengths: [0.9, 1.2], gravity: 9.81 };
    let start = double_pendulum::Links { links: [direction(1.0, 0.2, 0.3), direction(-0.1, 0.4, 1.0)] };
    check(&double_pendulum::System::new(pendulum).unwrap(), 20, &start, &[0, 3]);

    let pendulum = plain_pendulum::Pendulum { inertia: 1.7, weight: 3.0, friction: 0.2 };
    let start = plain_pendulum::Link { link: direction(1.0, 0.2, 0.3) };
    check(&plain_pendulum::System::new(pendulum).unwrap(), 20, &start, &[0]);

    let load =
        slung_load::Load { mass: 2.0, inertia: inertia(), load: 0.5, length: 1.5, hook: Vector3::new(0.1, -0.2, -0.3) };
    let start = slung_load::Carrier {
        attitude: SO3::identity(),
        rod: direction(0.3, 0.4, -1.0),
        position: R3::new(0.2, 0.9, -0.1),
    };
    check(&slung_load::System::new(load).unwrap(), 40, &start, &[0, 3]);
}

#[test]
fn conservative_systems() {
    use conservative::{assembly, double_pendulum, held_body, top};

    let data = top::Top { inertia: inertia(), weight: Vector3::new(0.5, -1.0, 4.0), axis: Vector3::new(0.0, 0.6, 0.8) };
    check(&top::System::new(data).unwrap(), 20, &top::Attitude { attitude: SO3::identity() }, &[0]);

    let data = held_body::Data {
        mass: 1.3,
        inertia: inertia(),
        center: Vector3::new(0.2, -0.1, 0.3),
        stiffness: 2.0,
        gravity: Vector3::new(0.1, 0.0, -1.0),
    };
    check(&held_body::System::new(data).unwrap(), 20, &held_body::Body { pose: SE3::identity() }, &[]);

    let data =
        double_pendulum::Pendulum { masses: Vector2::new(1.3, 0.7), lengths: Vector2::new(0.9, 1.2), gravity: 9.81 };
    let start = double_pendulum::Links { upper: SO2::identity(), lower: SO2::identity() };
    check(&double_pendulum::System::new(data).unwrap(), 20, &start, &[]);

    let data = assembly::Data {
        masses: Vector3::new(1.5, 0.7, 0.9),
        inertia: inertia(),
        length: 0.8,
        field: Vector3::new(0.4, -0.3, 0.6),
    };
    let start = assembly::Members {
        cart: SE2::identity(),
        links: [SO3::identity(), SO3::identity()],
        wheel: SO2::identity(),
        body: S3R3 { rotation: S3::identity(), translation: Vector3::new(1.0, 0.2, 0.3) },
        drone: SE3 { rotation: SO3::identity(), translation: Vector3::new(-0.5, 1.2, 0.1) },
        gyroscope: S3::identity(),
        slider: Vector2::new(0.4, -0.2),
    };
    check(&assembly::System::new(data).unwrap(), 10, &start, &[]);
}
