//! Momenta of motions of the whole system.

use lie_runtime::prelude::*;
use lie_runtime::simulate::{Failure, SetupError};

/// A heavy top on its point, as a pose in space.
#[mechanical_system]
pub mod top {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose {
        pub attitude: SO3,
        pub position: R3,
    }

    #[parameters]
    pub struct Top {
        pub weight: f64,
        pub friction: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        let w = v.attitude;
        0.5 * (0.2 * w.x * w.x + 0.2 * w.y * w.y + 0.1 * w.z * w.z) + 0.5 * v.position.norm_squared()
    }

    #[potential]
    fn weight(top: &Top, q: &Pose) -> f64 {
        top.weight * q.position.z
    }

    #[constraint]
    fn point(q: &Pose) -> Vector3<f64> {
        q.attitude.inverse() * q.position - Vector3::new(0.0, 0.0, 1.0)
    }

    #[dissipation]
    fn bearing(top: &Top, v: &Velocity) -> f64 {
        0.5 * top.friction * v.attitude.norm_squared()
    }
}

/// A charge in a plane, in a magnetic field: the kinetic energy has a term that is linear in v.
#[mechanical_system]
pub mod charge {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub x: R2,
    }

    #[kinetic_energy]
    fn kinetic(q: &Place, v: &Velocity) -> f64 {
        0.5 * v.x.norm_squared() + 0.7 * (q.x.x * v.x.y - q.x.y * v.x.x)
    }
}

pub fn tilted() -> (top::Pose, Vector6<f64>) {
    let attitude = SO3::exp(&Vector3::new(0.4, 0.0, 0.0));
    let position = attitude * Vector3::new(0.0, 0.0, 1.0);
    let w = Vector3::new(0.1, 0.2, 15.0);
    let v = attitude * w.cross(&Vector3::new(0.0, 0.0, 1.0));
    (top::Pose { attitude, position }, top::Velocity { attitude: w, position: v }.into())
}

/// ξ of a turn of everything about an axis of space.
fn turn(axis: Vector3<f64>) -> impl Fn(&top::System, &top::Pose) -> Vector6<f64> {
    move |_, q| {
        let velocity = top::Velocity { attitude: q.attitude.inverse() * axis, position: axis.cross(&q.position) };
        velocity.into()
    }
}

/// About the vertical the momentum is kept, to round-off by a variational method; about another axis the weight changes it.
#[test]
fn a_heavy_top_keeps_its_vertical_momentum() {
    let system = top::System::new(top::Top { weight: 9.81, friction: 0.0 }).unwrap();
    let (q, v) = tilted();
    let run = |method: &str, axis: Vector3<f64>| {
        Simulation::of(&system)
            .initial(q, v)
            .monitor_momentum("turn", turn(axis))
            .method_named(method)
            .unwrap()
            .step(2e-3)
            .end_time(1.0)
            .run()
            .unwrap()
    };
    let kept = run("rattlie", Vector3::z());
    let momentum = kept.balances[0].momentum("turn").unwrap();
    // R J w + x × m x'.
    let w = Vector3::new(0.1, 0.2, 15.0);
    let spin = q.attitude * Vector3::new(0.2 * w.x, 0.2 * w.y, 0.1 * w.z);
    let orbit = q.position.cross(&v.fixed_rows::<3>(3).into_owned());
    assert!((momentum - (spin + orbit).z).abs() < 1e-14);
    assert!(kept.statistics.momentum_drift.unwrap() < 1e-11, "{:?}", kept.statistics.momentum_drift);
    assert!(run("hedop5", Vector3::z()).statistics.momentum_drift.unwrap() < 1e-6);
    assert!(run("rattlie", Vector3::x()).statistics.momentum_drift.unwrap() > 0.1);
}

/// All three are conserved without weight, and none with friction.
#[test]
fn without_weight_all_of_space_is_alike() {
    for (friction, is_kept) in [(0.0, true), (0.3, false)] {
        let system = top::System::new(top::Top { weight: 0.0, friction }).unwrap();
        let (q, v) = tilted();
        let run = Simulation::of(&system)
            .initial(q, v)
            .monitor_momentum("x", turn(Vector3::x()))
            .monitor_momentum("y", turn(Vector3::y()))
            .monitor_momentum("z", turn(Vector3::z()))
            .step(1e-3)
            .end_time(0.5)
            .run()
            .unwrap();
        let drift = run.statistics.momentum_drift.unwrap();
        assert_eq!(drift < 1e-8, is_kept, "{drift:.1e}");
        // Friction is accounted for.
        assert!(run.statistics.energy_defect.unwrap() < 1e-6);
        let taken = run.balances.last().unwrap().work_of("bearing").unwrap();
        assert_eq!(taken < -1.0, !is_kept);
    }
}

/// L is the same about the middle; its momentum has the part of the linear term.
#[test]
fn terms_that_are_linear_in_v_have_a_momentum() {
    let system = charge::System::new().unwrap();
    let run = Simulation::of(&system)
        .initial(charge::Place { x: Vector2::new(1.0, 0.5) }, Vector2::new(0.3, -0.2))
        .monitor_momentum("turn", |_, q| Vector2::new(-q.x.y, q.x.x))
        .step(0.01)
        .end_time(3.0)
        .run()
        .unwrap();
    let momentum = run.balances[0].momentum("turn").unwrap();
    assert!((momentum - (1.0 * -0.2 - 0.5 * 0.3 + 0.7 * 1.25)).abs() < 1e-14);
    assert!(run.statistics.momentum_drift.unwrap() < 1e-9);
    assert!(run.statistics.energy_defect.unwrap() < 1e-9, "{:?}", run.statistics.energy_defect);
}

/// An invalid ξ is reported before the first step.
#[test]
fn what_is_no_motion_of_the_system_is_refused() {
    let system = charge::System::new().unwrap();
    let error = Simulation::of(&system)
        .initial(charge::Place { x: Vector2::new(0.0, 0.0) }, Vector2::zeros())
        .monitor_momentum("turn", |_, q| Vector2::x() / q.x.x)
        .step(0.01)
        .end_time(1.0)
        .run()
        .unwrap_err();
    let Failure::Setup(SetupError::Symmetry { name: "turn", expected: 2, given: 2 }) = error.failure else {
        panic!("{error}")
    };
    assert!(error.to_string().contains("is not finite"), "{error}");
}
