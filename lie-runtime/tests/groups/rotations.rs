//! Tests of rotations that the common suite of groups lacks: half turns, checked constructors, matrices against quaternions.

use lie_runtime::group::{GroupError, LieGroup, S3, SO2, SO3};
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

/// A quaternion of a mirrored, sheared or large matrix is as little a rotation as the matrix.
#[test]
fn quaternions_of_what_is_no_rotation_are_refused() {
    for matrix in [Matrix3::identity() * 2.0, -Matrix3::identity(), Matrix3::from_element(f64::NAN), Matrix3::zeros()] {
        assert_eq!(S3::from_rotation_matrix(&matrix).is_err(), SO3::from_matrix(matrix).is_err());
        assert!(S3::from_rotation_matrix(&matrix).is_err());
    }
    let rotation = SO3::exp(&Vector3::new(0.1, 2.0, -0.3));
    let quaternion = S3::from_rotation_matrix(&rotation.matrix()).expect("a rotation");
    assert!((quaternion.rotation_matrix() - rotation.matrix()).norm() < 1e-15);
    assert_eq!(SO2::from_coordinates([0.0, f64::NAN]), Err(GroupError::NoDirection));
    assert_eq!(SO2::<f64>::from_coordinates([0.0; 2]), Err(GroupError::NoDirection));
    let angle = SO2::from_coordinates([-3e300, 4e300]).expect("an angle");
    assert!((angle.angle() - 4.0_f64.atan2(-3.0)).abs() < 1e-15);
}

/// The nearest rotation is the orthogonal factor of the polar decomposition: RᵀA is symmetric and positive definite.
#[test]
fn the_nearest_rotation_is_that_of_the_polar_decomposition() {
    for (i, axis) in axes().into_iter().enumerate() {
        let rotation = SO3::exp(&(axis * 2.0));
        let stretch = Matrix3::new(2.0, 0.3, -0.1, 0.3, 0.7, 0.2, -0.1, 0.2, 1.5);
        let scale = 10.0_f64.powi(i32::try_from(i % 5).unwrap() * 70 - 140);
        let found = SO3::nearest(&(rotation.matrix() * stretch * scale)).expect("the determinant is positive");
        assert!((found.matrix() - rotation.matrix()).norm() < 1e-14, "{axis}, times {scale:e}");
        assert!(found.membership_defect() < 1e-15, "{:e}", found.membership_defect());
    }
    let nearly = Matrix3::from_diagonal(&Vector3::new(1.0, 1.0, 1e-12));
    assert!((SO3::nearest(&nearly).expect("just regular").matrix() - Matrix3::identity()).norm() < 1e-14);
    assert_eq!(SO3::nearest(&-Matrix3::<f64>::identity()), Err(GroupError::Reflection));
    for matrix in [
        Matrix3::zeros(),
        Matrix3::from_element(1.0),
        Matrix3::from_element(f64::NAN),
        Matrix3::from_element(f64::INFINITY),
    ] {
        assert!(matches!(SO3::nearest(&matrix), Err(GroupError::Singular { .. })), "{matrix}");
    }
    let single = SO3::<f32>::nearest(&(SO3::<f32>::exp(&Vector3::new(0.1, 2.0, -0.3)).matrix() * 3.0));
    assert!(single.expect("a rotation").membership_defect() < 1e-6);
}

/// Defects become their squares, and the rotation stays.
#[test]
fn renormalising_removes_a_small_defect() {
    for axis in axes().into_iter().step_by(7) {
        let exact = SO3::exp(&axis);
        let noise = Matrix3::new(1.0, -2.0, 0.5, 0.3, 1.0, -1.0, 2.0, 0.1, -0.7) * 1e-6;
        let mut matrix = SO3::from_matrix_unchecked(exact.matrix() + noise);
        assert!(matrix.membership_defect() > 1e-7);
        matrix.renormalize();
        assert!(matrix.membership_defect() < 3e-11, "{:e}", matrix.membership_defect());
        matrix.renormalize();
        assert!(matrix.membership_defect() < 1e-15);
        let nearest = SO3::nearest(&(exact.matrix() + noise)).unwrap();
        assert!((matrix.matrix() - nearest.matrix()).norm() < 1e-15);
        let mut quaternion = S3::from_coordinates_unchecked(S3::exp(&axis).coordinates().map(|x| x * (1.0 + 1e-6)));
        assert!((quaternion.membership_defect() - 1e-6).abs() < 1e-12);
        quaternion.renormalize();
        assert!(quaternion.membership_defect() < 3e-12);
    }
}
