//! Bodies that rotate about a fixed point (paper 5, section 5, and paper 4, section IV.A).

use super::free_body::free_body;
use lie_runtime::prelude::*;

/// The Lagrangian top: V = w R₃₃.
macro_rules! lagrangian_top {
    ($name:ident, $rotation:ident) => {
        /// The Lagrangian top of paper 5.
        #[mechanical_system(derivative_check)]
        pub mod $name {
            use lie_runtime::prelude::*;

            /// The body.
            #[configuration]
            pub struct Body {
                /// Body to space.
                pub attitude: $rotation,
            }

            /// Data.
            #[parameters]
            pub struct Top {
                /// Principal moments of inertia about the fixed point.
                pub moments: Vector3<f64>,
                /// Weight times the distance of the centre of mass.
                pub weight: f64,
            }

            #[kinetic_energy]
            fn rotation(top: &Top, v: &Velocity) -> f64 {
                0.5 * v.attitude.dot(&top.moments.component_mul(&v.attitude))
            }

            #[potential]
            fn height(top: &Top, q: &Body) -> f64 {
                top.weight * (q.attitude * Vector3::z()).z
            }
        }
    };
}

lagrangian_top!(top_on_so3, SO3);
lagrangian_top!(top_on_s3, S3);

/// A body in the potential s (−1/u + 0.001/u¹⁰), u = 1.1 + R₃₃ (paper 5, section 5.4).
#[mechanical_system(derivative_check)]
pub mod soft_wall {
    use lie_runtime::prelude::*;

    /// The body.
    #[configuration]
    pub struct Body {
        /// Body to space.
        pub attitude: SO3,
    }

    /// Data.
    #[parameters]
    pub struct Wall {
        /// Principal moments of inertia.
        pub moments: Vector3<f64>,
        /// 1: the wall attracts from afar; −1: the torque as it is printed.
        pub sign: f64,
    }

    #[kinetic_energy]
    fn rotation(wall: &Wall, v: &Velocity) -> f64 {
        0.5 * v.attitude.dot(&wall.moments.component_mul(&v.attitude))
    }

    #[potential]
    fn attraction(wall: &Wall, q: &Body) -> f64 {
        let u = 1.1 + (q.attitude * Vector3::z()).z;
        wall.sign * (0.001 * u.powi(-10) - 1.0 / u)
    }
}

/// A body that is made to follow a given rotation vector ϑ(t) by the torque in space that this takes.
#[mechanical_system]
pub mod prescribed {
    use lie_runtime::prelude::*;
    use lie_runtime::scalar::Dual;

    /// The body.
    #[configuration]
    pub struct Body {
        /// Body to space.
        pub attitude: S3,
    }

    /// Data.
    #[parameters]
    pub struct Load {
        /// Principal moments of inertia.
        pub moments: Vector3<f64>,
        /// The share of ϑ = (t², 0, t/5).
        pub quadratic: f64,
        /// The share of ϑ = (t + sin t, 0, cos t).
        pub harmonic: f64,
    }

    /// ϑ(t).
    pub fn rotation_vector<S: Scalar>(t: S, quadratic: S, harmonic: S) -> Vector3<S> {
        let first = Vector3::new(t * t, S::zero(), t * S::from_f64(0.2)) * quadratic;
        first + Vector3::new(t + t.sin(), S::zero(), t.cos()) * harmonic
    }

    /// Ω = T(ϑ) ϑ'.
    pub fn angular_velocity<S: Scalar>(t: S, quadratic: S, harmonic: S) -> Vector3<S> {
        let constant = |x: S| Dual { re: x, eps: S::zero() };
        let theta = rotation_vector(Dual { re: t, eps: S::one() }, constant(quadratic), constant(harmonic));
        SO3::tangent(&theta.map(|x| x.re), &theta.map(|x| x.eps))
    }

    /// exp(ϑ) J Ω.
    fn momentum<S: Scalar>(t: S, moments: Vector3<S>, quadratic: S, harmonic: S) -> Vector3<S> {
        let theta = rotation_vector(t, quadratic, harmonic);
        SO3::exp(&theta) * angular_velocity(t, quadratic, harmonic).component_mul(&moments)
    }

    /// The torque in space, the rate of the momentum in space.
    #[opaque]
    pub fn torque<S: Scalar>(t: S, moments: Vector3<S>, quadratic: S, harmonic: S) -> Vector3<S> {
        let constant = |x: S| Dual { re: x, eps: S::zero() };
        let rate =
            momentum(Dual { re: t, eps: S::one() }, moments.map(constant), constant(quadratic), constant(harmonic));
        rate.map(|x| x.eps)
    }

    #[kinetic_energy]
    fn rotation(load: &Load, v: &Velocity) -> f64 {
        0.5 * v.attitude.dot(&load.moments.component_mul(&v.attitude))
    }

    #[force(on = attitude)]
    fn load(load: &Load, q: &Body, t: f64) -> Vector3<f64> {
        q.attitude.inverse() * torque(t, load.moments, load.quadratic, load.harmonic)
    }
}

/// Moments of inertia of the free body of paper 5.
pub const MOMENTS: Vector3<f64> = Vector3::new(0.9144, 1.098, 1.66);

/// The free body of paper 5.
///
/// # Panics
/// Never: the data are good.
pub fn free() -> (free_body::System, free_body::Body, Vector3<f64>) {
    let system = free_body::System::new(free_body::Inertia { moments: MOMENTS }).expect("good data");
    (system, free_body::Body { attitude: SO3::identity() }, Vector3::new(0.45549, 0.82623, 0.03476))
}

/// The slow (Ψ₀ = 0.05, Ω₀ = 5) or the fast top (0.3, 50).
///
/// # Panics
/// Never: the data are good.
pub fn top(is_fast: bool) -> (top_on_so3::System, top_on_so3::Body, Vector3<f64>) {
    use top_on_so3::{Body, System, Top};
    let (tilt, spin) = if is_fast { (0.3, 50.0) } else { (0.05, 5.0) };
    let system = System::new(Top { moments: Vector3::new(5.0, 5.0, 1.0), weight: 20.0 }).expect("good data");
    (system, Body { attitude: SO3::exp(&Vector3::new(tilt, 0.0, 0.0)) }, Vector3::new(0.0, 0.0, spin))
}

/// The body before the wall.
///
/// # Panics
/// Never: the data are good.
pub fn body_and_wall(sign: f64) -> (soft_wall::System, soft_wall::Body, Vector3<f64>) {
    use soft_wall::{Body, System, Wall};
    let moments = Vector3::new(2.0, 3.0, 4.5);
    let system = System::new(Wall { moments, sign }).expect("good data");
    (system, Body { attitude: SO3::identity() }, Vector3::from_element(2.0).component_div(&moments))
}

/// The body under load (i) or (ii) of paper 4.
///
/// # Panics
/// Never: the data are good.
pub fn loaded(load: usize) -> (prescribed::System, prescribed::Body, Vector3<f64>) {
    use prescribed::{Body, Load, System, angular_velocity, rotation_vector};
    let (quadratic, harmonic) = if load == 1 { (1.0, 0.0) } else { (0.0, 1.0) };
    let system = System::new(Load { moments: Vector3::new(5.0, 5.0, 1.0), quadratic, harmonic }).expect("good data");
    let attitude = S3::exp(&rotation_vector(0.0, quadratic, harmonic));
    (system, Body { attitude }, angular_velocity(0.0, quadratic, harmonic))
}
