//! What the suite of all groups cannot ask: half turns, checked constructors, matrices against quaternions.

use lie_runtime::group::{GroupError, S3, SO3};
use lie_runtime::nalgebra::{Matrix3, Vector3};

const PI: f64 = core::f64::consts::PI;

fn axes() -> Vec<Vector3<f64>> {
    let mut axes = vec![Vector3::x(), Vector3::y(), Vector3::z(), -Vector3::x(), -Vector3::y(), -Vector3::z()];
    for i in 0..200 {
        let (latitude, longitude) = (0.01571 * f64::from(i) - 1.57, 2.4 * f64::from(i));
        axes.push(Vector3::new(latitude.cos() * longitude.cos(), latitude.cos() * longitude.sin(), latitude.sin()));
    }
    axes
}

#[test]
fn the_axis_survives_up_to_a_half_turn() {
    for axis in axes() {
        for angle in [2.0, 3.0, PI - 1e-3, PI - 1e-6, PI - 1e-9, PI - 1e-12, PI] {
            let theta = axis * angle;
            for log in [SO3::exp(&theta).log(), S3::exp(&theta).log()] {
                let sign = if log.dot(&axis) < 0.0 { -1.0 } else { 1.0 };
                assert!(sign > 0.0 || angle > PI - 1e-15 || PI - angle < 1e-15, "{axis} at {angle}");
                let error = (log.normalize() * sign - axis.normalize()).norm();
                assert!(error < 1.5e-15, "axis {axis} at {angle}: {error:e}");
                assert!((log.norm() - theta.norm()).abs() < 2e-15, "angle {angle}");
                assert!(log.norm() <= PI + 2e-15);
            }
        }
    }
}

#[test]
fn small_rotations_keep_their_digits() {
    for axis in axes() {
        for exponent in 1..300 {
            let theta = axis * 10.0_f64.powi(-exponent);
            for log in [SO3::exp(&theta).log(), S3::exp(&theta).log()] {
                assert!(
                    (log - theta).norm() <= 1e-15 * theta.norm(),
                    "{theta}: {:e}",
                    (log - theta).norm() / theta.norm()
                );
            }
        }
    }
}

#[test]
fn matrices_and_quaternions_rotate_alike() {
    for axis in axes() {
        for angle in [0.0, 1e-7, 0.4, 2.0, 3.1, PI] {
            let (matrix, quaternion) = (SO3::exp(&(axis * angle)), S3::exp(&(axis * angle)));
            assert!((matrix.matrix() - quaternion.rotation_matrix()).norm() < 4e-15);
            let point = Vector3::new(0.2, -1.0, 3.0);
            assert!((matrix * point - quaternion * point).norm() < 1e-14);
            let defect = (matrix.transpose() * matrix).matrix() - Matrix3::identity();
            assert!(defect.norm() < 4e-15, "{defect}");
        }
    }
}

#[test]
fn a_full_turn_is_the_other_quaternion() {
    let turn = S3::exp(&Vector3::new(0.0, 0.0, 2.0 * PI));
    assert!((turn.coordinates()[0] + 1.0).abs() < 1e-15);
    assert!(turn.log().norm() < 1e-15, "-1 does not rotate");
}

#[test]
fn what_is_no_rotation_is_refused() {
    assert!(
        matches!(SO3::from_matrix(Matrix3::identity() * 2.0), Err(GroupError::NotOrthogonal { defect }) if defect == 3.0)
    );
    assert_eq!(SO3::from_matrix(-Matrix3::<f64>::identity()), Err(GroupError::Reflection));
    assert!(SO3::from_matrix(Matrix3::from_element(f64::NAN)).is_err());
    assert_eq!(S3::from_coordinates([0.0; 4]), Err(GroupError::NoDirection));
    assert_eq!(S3::from_coordinates([1.0, f64::INFINITY, 0.0, 0.0]), Err(GroupError::NoDirection));
    let quaternion = S3::from_coordinates([1e-200, 0.0, 1e-200, 0.0]).expect("tiny, but with a direction");
    assert!((quaternion.coordinates()[2] - 0.5_f64.sqrt()).abs() < 3e-16);
    let rotation = SO3::exp(&Vector3::new(0.1, 2.0, -0.3));
    assert_eq!(SO3::from_matrix(rotation.matrix()), Ok(rotation));
    assert!(SO3::<f32>::from_matrix(SO3::<f32>::exp(&Vector3::new(0.1, 2.0, -0.3)).matrix()).is_ok());
}
