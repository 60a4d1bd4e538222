//! A body pinned at a point in the Coulomb potential of a wall that is soft (paper 5, section 5.4).

use lie_runtime::prelude::*;
use lie_runtime::system::ModelError;

rotating_body! {
    /// A body before a soft wall.
    {
        /// 1: attraction at large and repulsion at small distances; −1: the torque as the paper prints it.
        sign
    }

    /// The distance from the wall is u = 1.1 + R₃₃.
    #[potential]
    fn attraction(wall: &Data, q: &Body) -> f64 {
        let u = 1.1 + (q.attitude * Vector3::z()).z;
        wall.sign * (0.001 * u.powi(-10) - 1.0 / u)
    }
}

/// The moments of inertia of the paper.
pub const MOMENTS: Vector3<f64> = Vector3::new(2.0, 3.0, 4.5);

/// Ω₀ to the momentum π₀ = (2, 2, 2) of the paper; R₀ = I.
pub fn start(moments: &Vector3<f64>) -> Vector3<f64> {
    Vector3::repeat(2.0).component_div(moments)
}
