//! Inertia of a rigid body from ten numbers without bounds: the log-Cholesky parameters of its pseudo-inertia.
//!
//! The parameters are p = (α, d₁, d₂, d₃, s₁₂, s₂₃, s₁₃, t₁, t₂, t₃). The mass is m = exp(2 α) and the centre of mass is t. The second moments
//! of the mass about the centre of mass are m S Sᵀ, with
//!
//! ```text
//!     | exp(d₁)  s₁₂      s₁₃     |
//! S = | 0        exp(d₂)  s₂₃     |
//!     | 0        0        exp(d₃) |
//! ```
//!
//! All values give a body with positive mass whose principal moments of inertia satisfy the triangle inequality, and every such body has
//! exactly one vector of parameters. A fit of the parameters therefore needs no constraints. A unit of mass belongs to α, and a unit of length
//! to all other parameters.
//!
//! Source: C. Rucker, P. M. Wensing, Smooth parameterization of rigid-body inertia, IEEE Robotics and Automation Letters 7 (2022) 2771-2778.

use lie_runtime::nalgebra::SVector;
use lie_runtime::prelude::*;

/// Returns the mass.
pub fn log_cholesky_mass(p: &SVector<f64, 10>) -> f64 {
    (2.0 * p[0]).exp()
}

/// Returns the position of the centre of mass in the frame of the body.
pub fn log_cholesky_center_of_mass(p: &SVector<f64, 10>) -> Vector3<f64> {
    Vector3::new(p[7], p[8], p[9])
}

/// Returns the inertia about the centre of mass, in the axes of the frame of the body: m (tr(S Sᵀ) 1 − S Sᵀ).
pub fn log_cholesky_inertia(p: &SVector<f64, 10>) -> Matrix3<f64> {
    let root = Matrix3::new(p[1].exp(), p[4], p[6], 0.0, p[2].exp(), p[5], 0.0, 0.0, p[3].exp());
    let second_moments = root * root.transpose();
    (Matrix3::identity() * second_moments.trace() - second_moments) * log_cholesky_mass(p)
}

/// Returns the kinetic energy of the body for the left-trivialised twist of its frame.
pub fn log_cholesky_kinetic_energy(p: &SVector<f64, 10>, twist: &Vector6<f64>) -> f64 {
    let spin = twist.angular();
    let center = twist.linear() + spin.cross(&log_cholesky_center_of_mass(p));
    0.5 * log_cholesky_mass(p) * center.norm_squared() + 0.5 * spin.dot(&(log_cholesky_inertia(p) * spin))
}
