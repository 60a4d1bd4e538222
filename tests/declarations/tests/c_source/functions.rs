//! A declaration with the operations that mechanisms need rarely.

use lie_runtime::prelude::*;

/// A point whose position is also a rotation vector.
#[mechanical_system]
pub mod vector {
    /// The point.
    #[configuration]
    pub struct Place {
        /// The position.
        pub x: R3,
    }

    /// Data.
    #[parameters]
    pub struct Data {
        /// A direction in the body.
        pub axis: Vector3<f64>,
        /// A direction in space.
        pub weight: Vector3<f64>,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x.norm_squared()
    }

    #[potential]
    fn rotated(data: &Data, q: &Place) -> f64 {
        data.weight.dot(&(SO3::exp(&q.x) * data.axis)) + data.axis.dot(&(S3::exp(&q.x) * data.weight))
    }

    #[potential]
    fn powers(q: &Place) -> f64 {
        0.01 * q.x.x.powi(5) + q.x.y.powi(-6) + q.x.z.abs().powf(1.7) + q.x.x.atan2(q.x.y) + q.x.z % 0.3
    }

    #[potential]
    fn spring(q: &Place) -> f64 {
        if q.x.x > 0.0 && q.x.y > 0.5 || q.x.z < -1.0 {
            (q.x.x * q.x.y).sin().exp() + q.x.z.cosh().ln()
        } else {
            (q.x.x - q.x.y).max(q.x.z).tanh() + q.x.y.exp_m1()
        }
    }
}
