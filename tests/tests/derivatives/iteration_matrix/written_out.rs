//! The unrolled solution of the linear system of the iteration.

use fixtures::random::Random;
use fixtures::systems::driven;
use fixtures::systems::formulation::HeavyTop;
use fixtures::systems::heavy_tops::{s3r3, se3, so3xr3};
use fixtures::systems::{mechanisms, top_in_space};
use lie_runtime::group::TangentVector;
use lie_runtime::integrator::GeneralizedAlpha;
use lie_runtime::simulate::Simulation;
use lie_runtime::system::Linearised;

use super::place::{Place, zero_correction, zero_residual};

/// The unrolled code solves the same equations as the factors of the system, and reports failures.
fn assert_written_out<M: Linearised<Scalar = f64>>(label: &str, system: &M, (q, v): &(M::Configuration, M::Velocity)) {
    let mut random = Random::new(11);
    let mut worst = 0.0_f64;
    for h in [1e-3, 1e-2, 1e-1] {
        let place = Place::random(system, q.clone(), v, h, &mut random);
        let mut factorisation = place.factorisation();
        for _ in 0..5 {
            let right = place.random_residual(&mut random);
            let mut expected = zero_correction(system);
            system.solve_iteration(&mut factorisation, &right, &mut expected);
            let found = place.written_out(&right).unwrap_or_else(|| panic!("{label}: a pivot is not safe"));
            for (found, expected) in [
                (&found.increment, &expected.increment),
                (&found.acceleration, &expected.acceleration),
                (&found.increment, &found.acceleration),
            ] {
                let mut difference = found.clone();
                difference.axpy(-1.0, expected);
                worst = worst.max(difference.max_norm() / expected.max_norm());
            }
            let mut difference = found.multipliers.clone();
            difference.axpy(-1.0, &expected.multipliers);
            worst = worst.max(difference.max_norm() / expected.multipliers.max_norm().max(f64::MIN_POSITIVE));
        }
    }
    println!("{label}, written out: {worst:.1e}");
    assert!(worst < 1e-10, "{label}: {worst:e}");
}

#[test]
fn what_is_written_out_solves_the_same() {
    assert_written_out("SO(3) x R3", &so3xr3::System::of_the_paper(), &so3xr3::System::initial());
    assert_written_out("SE(3)", &se3::System::of_the_paper(), &se3::System::initial());
    assert_written_out("S3 x| R3", &s3r3::System::of_the_paper(), &s3r3::System::initial());
    let (system, q, v) = top_in_space::of_the_paper();
    assert_written_out("in space", &system, &(q, v));
    let (system, q, v) = driven::driven_pendulum_example();
    assert_written_out("driven pendulum", &system, &(q, v));
    let (system, q, v) = driven::knife_edge_example();
    assert_written_out("knife edge", &system, &(q, v));
    let (system, q, v) = driven::skate_example();
    assert_written_out("skate", &system, &(q, v));
    let (system, q, v) = driven::rolling_disc_example();
    assert_written_out("rolling disc", &system, &(q, v));
    // What is long has factors at run time.
    let (system, q, v) = mechanisms::contraption_example();
    let place = Place::random(&system, q, &v, 1e-2, &mut Random::new(7));
    assert!(place.written_out(&zero_residual(&system)).is_none());
}

/// In a unit of length in which a radian moves the centre of mass by more than a thousand, a constraint no longer gives a coordinate: the
/// pivots are chosen at run time, and the motion is the same.
#[test]
fn where_pivots_are_small_they_are_chosen() {
    let motion = |unit: f64| {
        let paper = se3::System::of_the_paper();
        let (mut q, mut v) = se3::System::initial();
        let top = paper.parameters();
        let (inertia, center_of_mass) = (top.inertia * (unit * unit), top.center_of_mass * unit);
        let system =
            se3::System::new(se3::HeavyTop { mass: top.mass, inertia, center_of_mass, gravity: top.gravity * unit })
                .unwrap();
        q.pose.translation *= unit;
        for i in 3..6 {
            v[i] *= unit;
        }
        let place = Place::random(&system, q, &v, 1e-3, &mut Random::new(5));
        let is_written_out = place.written_out(&zero_residual(&system)).is_some();
        let run = Simulation::of(&system)
            .initial(q, v)
            .method(GeneralizedAlpha::lie_alpha())
            .step(1e-3)
            .end_time(0.2)
            .run()
            .unwrap();
        let state = run.last();
        (is_written_out, state.configuration.pose.translation / unit, state.multipliers / unit)
    };
    let ((is_written_out, x, multipliers), (still, same, also)) = (motion(1.0), motion(1e4));
    assert!(is_written_out && !still);
    assert!((x - same).norm() < 1e-9, "{x} {same}");
    assert!((multipliers - also).norm() < 1e-7 * multipliers.norm(), "{multipliers} {also}");
}
