//! Local coordinates of direct products of rotations and positions: the coordinates of the rotation, then the position.

use nalgebra::{Matrix3, SMatrix, SVector, Vector3, Vector6};

use super::rates::direct_rate;
use super::{
    CoordinateMap, LocalCoordinates, LocalGradient, LocalMotion, rotation, rotation_gradient, tangent, tangent_inverse,
};
use crate::group::LieGroup;
use crate::scalar::Scalar;

/// The line of the direct products.
macro_rules! of_direct_products {
    ($($group:ident)*) => {
        local_coordinates!($($group)* [6, 6] direct_tangent, direct_tangent_inverse, direct_motion, direct_gradient, direct_rate);
    };
}

direct_products_of_space!(of_direct_products);

/// The angular and the linear part of a vector; they are independent.
#[inline]
fn halves<S: Scalar>(vector: &Vector6<S>) -> [Vector3<S>; 2] {
    [Vector3::from_fn(|i, _| vector[i]), Vector3::from_fn(|i, _| vector[3 + i])]
}

/// A matrix on the angular part, and a multiple of the identity on the linear one.
#[inline]
fn beside<S: Scalar>(angular: &Matrix3<S>, linear: S) -> SMatrix<S, 6, 6> {
    SMatrix::from_fn(|row, column| match (row < 3, column < 3) {
        (true, true) => angular[(row, column)],
        (false, false) if row == column => linear,
        _ => S::zero(),
    })
}

#[inline]
fn direct_tangent<S: Scalar>(theta: &Vector6<S>) -> SMatrix<S, 6, 6> {
    beside(&tangent(&halves(theta)[0]), S::one())
}

#[inline]
fn direct_tangent_inverse<S: Scalar>(theta: &Vector6<S>) -> SMatrix<S, 6, 6> {
    beside(&tangent_inverse(&halves(theta)[0]), S::one())
}

#[inline]
fn direct_motion<S: Scalar>(map: &CoordinateMap, motion: [&Vector6<S>; 3]) -> LocalMotion<Vector6<S>> {
    let [[x, position], [rate, velocity], [second, acceleration]] = motion.map(halves);
    let turning = rotation(map, [&x, &rate, &second]);
    let join = |angular: Vector3<S>, linear: Vector3<S>| {
        Vector6::from_fn(|i, _| if i < 3 { angular[i] } else { linear[i - 3] })
    };
    LocalMotion {
        theta: join(turning.theta, position),
        velocity: join(turning.velocity, velocity),
        acceleration: join(turning.acceleration, acceleration),
    }
}

#[inline]
fn direct_gradient<S: Scalar>(map: &CoordinateMap, motion: [&Vector6<S>; 3]) -> LocalGradient<S, 6> {
    let [x, rate, second] = motion.map(|vector| halves(vector)[0]);
    let turning = rotation_gradient(map, [&x, &rate, &second]);
    LocalGradient {
        tangent: beside(&turning.tangent, S::one()),
        velocity_by_position: beside(&turning.velocity_by_position, S::zero()),
        acceleration_by_position: beside(&turning.acceleration_by_position, S::zero()),
        acceleration_by_rate: beside(&turning.acceleration_by_rate, S::zero()),
    }
}
