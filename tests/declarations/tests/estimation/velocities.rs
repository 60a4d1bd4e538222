//! Velocities as the constraints require.

use lie_runtime::prelude::*;
use lie_runtime::simulate::{ConsistentVelocity, ConsistentVelocityError, InverseKinematics};

/// A slider-crank mechanism on a base that moves as prescribed, in coordinates of all bodies.
#[mechanical_system]
mod slider_crank {
    #[configuration]
    pub struct Joints {
        pub crank: f64,
        pub rod: f64,
        pub slider: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        v.crank * v.crank + 0.5 * v.rod * v.rod + 0.3 * v.slider * v.slider
    }

    #[constraint]
    fn closed(t: f64, q: &Joints) -> Vector2<f64> {
        Vector2::new(q.crank.cos() + 2.0 * q.rod.cos() - q.slider + 0.5 * t, q.crank.sin() + 2.0 * q.rod.sin())
    }
}

#[test]
fn the_crank_determines_all_velocities() {
    let system = slider_crank::System::new().unwrap();
    let guess = slider_crank::Joints { crank: 1.0, rod: -0.4, slider: 2.4 };
    for time in [0.0, 0.3] {
        let q = InverseKinematics::of(&system).at_time(time).fix(["crank"]).guess(&guess).solve().unwrap();
        let guess = slider_crank::Velocity { crank: 5.0, rod: 0.0, slider: 0.0 };
        let v = ConsistentVelocity::of(&system).at_time(time).fix(["crank"]).guess(guess).solve(&q).unwrap();
        let v = system.velocity(&v);
        let rod = -5.0 * q.crank.cos() / (2.0 * q.rod.cos());
        let slider = -5.0 * q.crank.sin() - 2.0 * rod * q.rod.sin() + 0.5;
        assert_eq!(v.crank, 5.0);
        assert!((v.rod - rod).abs() < 1e-12 && (v.slider - slider).abs() < 1e-12, "{v:?} {rod} {slider}");
        // Without a fixed member and without a guess, the least kinetic energy along with the moving base.
        let v = ConsistentVelocity::of(&system).at_time(time).solve(&q).unwrap();
        let v = system.velocity(&v);
        let energy = |crank: f64| {
            let rod = -crank * q.crank.cos() / (2.0 * q.rod.cos());
            let slider = -crank * q.crank.sin() - 2.0 * rod * q.rod.sin() + 0.5;
            crank * crank + 0.5 * rod * rod + 0.3 * slider * slider
        };
        let here = energy(v.crank);
        assert!(energy(v.crank + 1e-3) > here && energy(v.crank - 1e-3) > here, "{v:?}");
    }
}

#[test]
fn velocities_that_cannot_be_are_errors() {
    let system = slider_crank::System::new().unwrap();
    let q = slider_crank::Joints { crank: 0.0, rod: 0.0, slider: 3.0 };
    let all = slider_crank::Velocity { crank: 1.0, rod: 1.0, slider: 0.5 };
    let error = ConsistentVelocity::of(&system).fix(["crank", "rod"]).guess(all).solve(&q).unwrap_err();
    assert!(matches!(error, ConsistentVelocityError::Inconsistent(_)), "{error}");
    let unknown = ConsistentVelocity::of(&system).fix(["crankshaft"]).guess(all).solve(&q).unwrap_err();
    assert!(unknown.to_string().contains("unknown member `crankshaft`"), "{unknown}");
    let nan = ConsistentVelocity::of(&system).guess(Vector3::new(f64::NAN, 0.0, 0.0)).solve(&q).unwrap_err();
    assert!(matches!(nan, ConsistentVelocityError::Failed(_)), "{nan}");
}
