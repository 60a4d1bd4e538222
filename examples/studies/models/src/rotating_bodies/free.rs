//! A rigid body that no torque acts on (paper 5, section 5.1).

use lie_runtime::prelude::*;
use lie_runtime::system::ModelError;

rotating_body! {
    /// A rigid body.
    {}

    /// In space.
    #[observable]
    fn spatial_momentum(body: &Data, q: &Body, v: &Velocity) -> Vector3<f64> {
        q.attitude * body.moments.component_mul(&v.attitude)
    }
}

/// The moments of inertia of the paper.
pub const MOMENTS: Vector3<f64> = Vector3::new(0.9144, 1.098, 1.66);
/// Ω₀ of the paper; R₀ = I.
pub const VELOCITY: Vector3<f64> = Vector3::new(0.45549, 0.82623, 0.03476);
