//! The Lagrangian top: symmetric, heavy, about its fixed point (paper 5, sections 5.2 and 5.3).

use lie_runtime::prelude::*;
use lie_runtime::system::ModelError;

rotating_body! {
    /// A heavy symmetric top.
    {
        /// Weight times the distance of the centre of mass from the fixed point.
        weight
    }

    /// The torque in space is −w R e₃ × e₃.
    #[potential]
    fn height(top: &Data, q: &Body) -> f64 {
        top.weight * (q.attitude * Vector3::z()).z
    }
}

/// The moments of inertia of the paper.
pub const MOMENTS: Vector3<f64> = Vector3::new(5.0, 5.0, 1.0);
/// The weight of the paper.
pub const WEIGHT: f64 = 20.0;

/// The rotation vector Ψ₀ and Ω₀ of the slow top (section 5.2) or of the fast one (section 5.3).
pub fn start(is_fast: bool) -> [Vector3<f64>; 2] {
    let (tilt, spin) = if is_fast { (0.3, 50.0) } else { (0.05, 5.0) };
    [Vector3::new(tilt, 0.0, 0.0), Vector3::new(0.0, 0.0, spin)]
}
