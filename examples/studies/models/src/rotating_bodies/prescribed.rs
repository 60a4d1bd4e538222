//! A body under the torque that makes it follow a given rotation vector ϑ(t) (paper 4, section IV.A).
//!
//! The torque is not given but derived: the momentum exp(ϑ) J T(ϑ) ϑ' of the prescribed motion is differentiated with
//! respect to time by dual numbers.

use lie_runtime::prelude::*;
use lie_runtime::system::ModelError;

rotating_body! {
    /// A body under a prescribed torque.
    {
        /// 1: ϑ = (t², 0, t/5); 2: ϑ = (t + sin t, 0, cos t).
        load
    }

    use lie_runtime::scalar::Dual;

    /// ϑ(t).
    pub fn rotation_vector<S: Scalar>(t: S, load: S) -> Vector3<S> {
        if load.value() == 1.0 {
            Vector3::new(t * t, S::zero(), t * S::from_f64(0.2))
        } else {
            Vector3::new(t + t.sin(), S::zero(), t.cos())
        }
    }

    /// Ω = T(ϑ) ϑ'.
    pub fn angular_velocity<S: Scalar>(t: S, load: S) -> Vector3<S> {
        let theta = rotation_vector(Dual { re: t, eps: S::one() }, Dual { re: load, eps: S::zero() });
        SO3::tangent(&theta.map(|x| x.re), &theta.map(|x| x.eps))
    }

    /// The momentum in space.
    fn momentum<S: Scalar>(t: S, moments: Vector3<S>, load: S) -> Vector3<S> {
        SO3::exp(&rotation_vector(t, load)) * angular_velocity(t, load).component_mul(&moments)
    }

    /// Its rate, the torque in space.
    #[opaque]
    pub fn torque<S: Scalar>(t: S, moments: Vector3<S>, load: S) -> Vector3<S> {
        let constant = |x: S| Dual { re: x, eps: S::zero() };
        momentum(Dual { re: t, eps: S::one() }, moments.map(constant), constant(load)).map(|x| x.eps)
    }

    #[force(on = attitude)]
    fn load(load: &Data, q: &Body, t: f64) -> Vector3<f64> {
        q.attitude.inverse() * torque(t, load.moments, load.load)
    }

    /// In space.
    #[observable]
    fn spatial_torque(load: &Data, t: f64) -> Vector3<f64> {
        torque(t, load.moments, load.load)
    }

    /// The angle between the attitude and the prescribed one, from Σ |R eᵢ − R* eᵢ|² = 8 sin²(angle/2).
    #[observable]
    fn angle_error(load: &Data, q: &Body, t: f64) -> f64 {
        let exact = SO3::exp(&rotation_vector(t, load.load));
        let sum = (q.attitude * Vector3::x() - exact * Vector3::x()).norm_squared()
            + (q.attitude * Vector3::y() - exact * Vector3::y()).norm_squared()
            + (q.attitude * Vector3::z() - exact * Vector3::z()).norm_squared();
        2.0 * (0.125 * sum).sqrt().min(1.0).asin()
    }
}

/// The moments of inertia of the paper.
pub const MOMENTS: Vector3<f64> = Vector3::new(5.0, 5.0, 1.0);
