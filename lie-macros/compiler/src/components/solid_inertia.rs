//! Inertia tensors of homogeneous solids about their centres of mass, in the axes of symmetry.
//!
//! Source: J. L. Meriam, L. G. Kraige, Engineering Mechanics: Dynamics, 7th ed., Wiley, 2012, table D/4. The formula of the capsule follows
//! from the formulas of the cylinder and of the half ball by the parallel axis theorem.

use lie_runtime::prelude::*;

/// Returns the inertia of a box with these edges along the axes.
pub fn box_inertia(mass: f64, edges: &Vector3<f64>) -> Matrix3<f64> {
    let (x, y, z) = (edges.x * edges.x, edges.y * edges.y, edges.z * edges.z);
    Matrix3::from_diagonal(&(Vector3::new(y + z, x + z, x + y) * (mass / 12.0)))
}

/// Returns the inertia of a solid ball.
pub fn sphere_inertia(mass: f64, radius: f64) -> Matrix3<f64> {
    Matrix3::identity() * (0.4 * mass * radius * radius)
}

/// Returns the inertia of a hollow ball: 2/5 m (r⁵ − r_i⁵) / (r³ − r_i³). The inner radius must be smaller than the outer radius.
pub fn hollow_sphere_inertia(mass: f64, outer: f64, inner: f64) -> Matrix3<f64> {
    let ratio = (outer.powi(5) - inner.powi(5)) / (outer.powi(3) - inner.powi(3));
    Matrix3::identity() * (0.4 * mass * ratio)
}

/// Returns the inertia of a solid cylinder with its axis along the third axis.
pub fn cylinder_inertia(mass: f64, radius: f64, length: f64) -> Matrix3<f64> {
    hollow_cylinder_inertia(mass, radius, 0.0, length)
}

/// Returns the inertia of a hollow cylinder with its axis along the third axis. Equal radii give a thin shell.
pub fn hollow_cylinder_inertia(mass: f64, outer: f64, inner: f64, length: f64) -> Matrix3<f64> {
    let squares = outer * outer + inner * inner;
    let across = mass * (3.0 * squares + length * length) / 12.0;
    Matrix3::from_diagonal(&Vector3::new(across, across, 0.5 * mass * squares))
}

/// Returns the inertia of a solid capsule with its axis along the third axis: a cylinder of this length with a half ball at each end.
pub fn capsule_inertia(mass: f64, radius: f64, length: f64) -> Matrix3<f64> {
    // The shares of the mass: π r² l of the cylinder, and 4/3 π r³ of both half balls.
    let share = length / (length + 4.0 / 3.0 * radius);
    let (cylinder, ball) = (mass * share, mass * (1.0 - share));
    // The centre of mass of a half ball is 3/8 r from its plane.
    let offset = 0.5 * length + 0.375 * radius;
    let of_half_ball = (0.4 - 0.375 * 0.375) * radius * radius + offset * offset;
    let across = cylinder * (3.0 * radius * radius + length * length) / 12.0 + ball * of_half_ball;
    let along = (0.5 * cylinder + 0.4 * ball) * radius * radius;
    Matrix3::from_diagonal(&Vector3::new(across, across, along))
}

/// Returns the inertia about another point, at this offset from the centre of mass, by the parallel axis theorem: I + m (|c|² 1 − c cᵀ).
pub fn shifted_inertia(inertia: &Matrix3<f64>, mass: f64, offset: &Vector3<f64>) -> Matrix3<f64> {
    inertia + (Matrix3::identity() * offset.norm_squared() - offset * offset.transpose()) * mass
}
