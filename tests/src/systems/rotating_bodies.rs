//! Bodies that rotate about a fixed point, as the examples declare them.

use ::models::rotating_bodies as models;

pub use models::free::MOMENTS;
pub use models::free::so3 as free_body;
pub use models::lagrangian_top::{s3 as top_on_s3, so3 as top_on_so3};
pub use models::prescribed::s3 as prescribed;
pub use models::soft_wall::so3 as soft_wall;

use lie_runtime::prelude::*;

/// The free body of paper 5.
///
/// # Panics
/// Never: the data are good.
pub fn free() -> (free_body::System, free_body::Body, Vector3<f64>) {
    let (system, body) = free_body::Data { moments: MOMENTS }.turned(&Vector3::zeros()).expect("good data");
    (system, body, models::free::VELOCITY)
}

/// The slow or the fast top of paper 5, on matrices and on quaternions, and its angular velocity.
macro_rules! top {
    ($name:ident, $module:ident) => {
        /// The slow or the fast top of paper 5.
        ///
        /// # Panics
        /// Never: the data are good.
        pub fn $name(is_fast: bool) -> ($module::System, $module::Body, Vector3<f64>) {
            use models::lagrangian_top::{MOMENTS, WEIGHT, start};
            let [turn, velocity] = start(is_fast);
            let (system, body) = $module::Data { moments: MOMENTS, weight: WEIGHT }.turned(&turn).expect("good data");
            (system, body, velocity)
        }
    };
}

top!(top, top_on_so3);
top!(quaternion_top, top_on_s3);

/// The body before the wall.
///
/// # Panics
/// Never: the data are good.
pub fn body_and_wall(sign: f64) -> (soft_wall::System, soft_wall::Body, Vector3<f64>) {
    use models::soft_wall::{MOMENTS, start};
    let (system, body) = soft_wall::Data { moments: MOMENTS, sign }.turned(&Vector3::zeros()).expect("good data");
    (system, body, start(&MOMENTS))
}

/// The body under load 1 or 2 of paper 4.
///
/// # Panics
/// Never: the data are good.
pub fn loaded(load: f64) -> (prescribed::System, prescribed::Body, Vector3<f64>) {
    use models::prescribed::MOMENTS;
    let start = prescribed::rotation_vector(0.0, load);
    let (system, body) = prescribed::Data { moments: MOMENTS, load }.turned(&start).expect("good data");
    (system, body, prescribed::angular_velocity(0.0, load))
}
