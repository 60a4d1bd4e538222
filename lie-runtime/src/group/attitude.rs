//! Rotations of space from an axis and an angle, from Euler angles, and from the rotations of nalgebra.

use nalgebra::{Isometry3, Rotation3, Translation3, UnitQuaternion, Vector3};

use super::{GroupError, LieGroup, Placement, S3, SO3, direction};
use crate::scalar::Scalar;

/// The constructors of SO(3) and S³.
macro_rules! attitudes {
    ($($group:ident)*) => {
        $(impl<S: Scalar> $group<S> {
            /// Returns the rotation about the x axis by an angle in radians.
            #[inline]
            pub fn about_x(angle: S) -> Self {
                Self::exp(&Vector3::new(angle, S::zero(), S::zero()))
            }

            /// Returns the rotation about the y axis by an angle in radians.
            #[inline]
            pub fn about_y(angle: S) -> Self {
                Self::exp(&Vector3::new(S::zero(), angle, S::zero()))
            }

            /// Returns the rotation about the z axis by an angle in radians.
            #[inline]
            pub fn about_z(angle: S) -> Self {
                Self::exp(&Vector3::new(S::zero(), S::zero(), angle))
            }

            /// Returns the rotation about an axis by an angle in radians. The length of the axis does not matter.
            ///
            /// # Errors
            /// [`GroupError::NoDirection`] if the axis is zero or not finite.
            pub fn from_axis_angle(axis: &Vector3<S>, angle: S) -> Result<Self, GroupError> {
                let [x, y, z] = direction([axis.x, axis.y, axis.z])?;
                Ok(Self::exp(&(Vector3::new(x, y, z) * angle)))
            }

            /// Returns R = R_z(yaw) R_y(pitch) R_x(roll), angles in radians: rotations about the fixed axes x, y, z in this order.
            ///
            /// These are the intrinsic Euler angles z-y'-x'' of aerospace and the `rpy` of URDF files.
            #[doc(alias = "euler angles")]
            #[doc(alias = "rpy")]
            pub fn from_roll_pitch_yaw(roll: S, pitch: S, yaw: S) -> Self {
                Self::about_z(yaw).compose(&Self::about_y(pitch)).compose(&Self::about_x(roll))
            }

            /// Returns R = R_z(precession) R_x(nutation) R_z(spin), angles in radians: the intrinsic Euler angles z-x'-z'' of the spinning top.
            #[doc(alias = "euler angles")]
            pub fn from_euler_zxz(precession: S, nutation: S, spin: S) -> Self {
                Self::about_z(precession).compose(&Self::about_x(nutation)).compose(&Self::about_z(spin))
            }

            /// Returns [roll, pitch, yaw] of [`from_roll_pitch_yaw`](Self::from_roll_pitch_yaw): the pitch in [−π/2, π/2], the others in (−π, π].
            ///
            /// At a pitch of ±π/2 (gimbal lock) only the sum or difference of roll and yaw is determined; the three angles still give the
            /// rotation.
            pub fn roll_pitch_yaw(&self) -> [S; 3] {
                let m = self.rotation_matrix();
                let yaw = m.m21.atan2(m.m11);
                let (sine, cosine) = yaw.sin_cos();
                // R_z(yaw)ᵀ R = R_y(pitch) R_x(roll), for any yaw that round-off leaves at gimbal lock.
                let roll = (sine * m.m13 - cosine * m.m23).atan2(cosine * m.m22 - sine * m.m12);
                [roll, (-m.m31).atan2(cosine * m.m11 + sine * m.m21), yaw]
            }

            /// Returns [precession, nutation, spin] of [`from_euler_zxz`](Self::from_euler_zxz): the nutation in [0, π], the others in (−π, π].
            ///
            /// At a nutation of 0 or π (gimbal lock) only the sum or difference of precession and spin is determined; the three angles still
            /// give the rotation.
            pub fn euler_zxz(&self) -> [S; 3] {
                let m = self.rotation_matrix();
                let precession = m.m13.atan2(-m.m23);
                let (sine, cosine) = precession.sin_cos();
                // R_z(precession)ᵀ R = R_x(nutation) R_z(spin).
                let spin = (-cosine * m.m12 - sine * m.m22).atan2(cosine * m.m11 + sine * m.m21);
                [precession, (sine * m.m13 - cosine * m.m23).atan2(m.m33), spin]
            }
        }

        impl From<Rotation3<f64>> for $group {
            fn from(rotation: Rotation3<f64>) -> Self {
                SO3::from_matrix_unchecked(rotation.into_inner()).into()
            }
        }

        impl From<$group> for Rotation3<f64> {
            fn from(rotation: $group) -> Self {
                Rotation3::from_matrix_unchecked(rotation.rotation_matrix())
            }
        })*
    };
}

attitudes! { SO3 S3 }

impl From<UnitQuaternion<f64>> for S3 {
    fn from(rotation: UnitQuaternion<f64>) -> Self {
        Self::from_coordinates_unchecked([rotation.w, rotation.i, rotation.j, rotation.k])
    }
}

impl From<S3> for UnitQuaternion<f64> {
    fn from(rotation: S3) -> Self {
        let [w, x, y, z] = rotation.coordinates();
        UnitQuaternion::new_unchecked(nalgebra::Quaternion::new(w, x, y, z))
    }
}

impl From<UnitQuaternion<f64>> for SO3 {
    fn from(rotation: UnitQuaternion<f64>) -> Self {
        S3::from(rotation).into()
    }
}

impl From<SO3> for UnitQuaternion<f64> {
    fn from(rotation: SO3) -> Self {
        S3::from(rotation).into()
    }
}

/// Conversions between the groups of spatial poses and nalgebra's isometry.
macro_rules! isometries {
    ($($group:ident)*) => {
        $(impl From<Isometry3<f64>> for super::$group {
            fn from(pose: Isometry3<f64>) -> Self {
                Self::new(S3::from(pose.rotation).into(), pose.translation.vector)
            }
        }

        impl From<super::$group> for Isometry3<f64> {
            fn from(pose: super::$group) -> Self {
                let rotation = S3::from(Placement::rotation(&pose));
                Isometry3::from_parts(Translation3::from(Placement::position(&pose)), rotation.into())
            }
        })*
    };
}

super::placements_of_space!(isometries);

#[cfg(test)]
mod tests {
    use super::super::elements::{DQ, S3R3, S3xR3, SE3, SO3xR3};
    use super::*;

    const ANGLES: [[f64; 3]; 4] = [[0.3, -0.4, 2.5], [-3.0, 1.2, -0.1], [1.0, -1.5, 3.1], [0.0, 0.0, 0.0]];

    fn distance(a: &SO3, b: &SO3) -> f64 {
        (a.matrix() - b.matrix()).amax()
    }

    #[test]
    fn angles_and_axes_agree_with_nalgebra() {
        for [a, b, c] in ANGLES {
            let (axis, unit) = (Vector3::new(a, 2.0, c), nalgebra::Unit::new_normalize(Vector3::new(a, 2.0, c)));
            let cases = [
                (SO3::from_roll_pitch_yaw(a, b, c), Rotation3::from_euler_angles(a, b, c)),
                (SO3::from_axis_angle(&axis, b).unwrap(), Rotation3::from_axis_angle(&unit, b)),
                (SO3::about_x(a), Rotation3::from_axis_angle(&Vector3::x_axis(), a)),
                (SO3::about_y(a), Rotation3::from_axis_angle(&Vector3::y_axis(), a)),
                (SO3::about_z(a), Rotation3::from_axis_angle(&Vector3::z_axis(), a)),
                (
                    SO3::from_euler_zxz(a, b, c),
                    Rotation3::from_axis_angle(&Vector3::z_axis(), a)
                        * Rotation3::from_axis_angle(&Vector3::x_axis(), b)
                        * Rotation3::from_axis_angle(&Vector3::z_axis(), c),
                ),
            ];
            for (own, expected) in cases {
                assert!(distance(&own, &expected.into()) < 1e-15, "{own:?}");
                assert!((Rotation3::from(own).into_inner() - expected.into_inner()).amax() < 1e-15);
            }
            let pairs = [
                (S3::from_roll_pitch_yaw(a, b, c), SO3::from_roll_pitch_yaw(a, b, c)),
                (S3::from_euler_zxz(a, b, c), SO3::from_euler_zxz(a, b, c)),
                (S3::from_axis_angle(&axis, b).unwrap(), SO3::from_axis_angle(&axis, b).unwrap()),
            ];
            for (quaternion, matrix) in pairs {
                assert!(distance(&quaternion.into(), &matrix) < 1e-15);
            }
        }
        assert_eq!(SO3::from_axis_angle(&Vector3::zeros(), 1.0), Err(GroupError::NoDirection));
        assert_eq!(S3::from_axis_angle(&Vector3::new(f64::NAN, 0.0, 1.0), 1.0), Err(GroupError::NoDirection));
    }

    #[test]
    fn angles_are_recovered() {
        for [a, b, c] in ANGLES {
            let found = SO3::from_roll_pitch_yaw(a, b, c).roll_pitch_yaw();
            assert!((Vector3::from(found) - Vector3::new(a, b, c)).amax() < 1e-14, "{found:?}");
            let [precession, nutation, spin] = SO3::from_euler_zxz(a, b.abs() + 0.1, c).euler_zxz();
            let found = Vector3::new(precession, nutation, spin);
            assert!((found - Vector3::new(a, b.abs() + 0.1, c)).amax() < 1e-14, "{found:?}");
        }
        // Gimbal lock: the rotation is recovered, the angles are not unique. Each exponential map rounds terms of up to 2.
        for rotation in
            [SO3::from_roll_pitch_yaw(0.4, core::f64::consts::FRAC_PI_2, 0.3), SO3::from_euler_zxz(0.4, 0.0, 0.3)]
        {
            let [a, b, c] = rotation.roll_pitch_yaw();
            let again = [SO3::from_roll_pitch_yaw(a, b, c), {
                let [a, b, c] = rotation.euler_zxz();
                SO3::from_euler_zxz(a, b, c)
            }];
            let errors = again.map(|again| distance(&again, &rotation));
            assert!(errors.iter().all(|&error| error < 8.0 * f64::EPSILON), "{errors:?}");
        }
    }

    #[test]
    fn poses_agree_with_isometries() {
        let pose = Isometry3::new(Vector3::new(0.3, -1.0, 2.0), Vector3::new(0.5, 1.5, -2.0));
        let point = nalgebra::Point3::new(1.0, -2.0, 0.5);
        let expected = (pose * point).coords;
        let moved = [
            SE3::from(pose) * point.coords,
            S3R3::from(pose) * point.coords,
            DQ::from(pose) * point.coords,
            (Isometry3::from(SO3xR3::from(pose)) * point).coords,
            (Isometry3::from(S3xR3::from(pose)) * point).coords,
        ];
        assert!(moved.iter().all(|moved| (moved - expected).amax() < 1e-15), "{moved:?}");
        let quaternion = UnitQuaternion::from(SO3::from(pose.rotation));
        assert!(quaternion.angle_to(&pose.rotation) < 1e-15);
    }
}
