//! Quantities that are poses, and what acts at them.

use lie_runtime::prelude::*;

#[mechanical_system]
pub mod arm {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Joints {
        pub shoulder: S3,
        pub elbow: SO2,
        pub tip: S2,
    }

    #[kinetic_energy]
    fn kinetic(q: &Joints, v: &Velocity) -> f64 {
        0.5 * upper_rate(q, v).norm_squared() + 0.5 * v.elbow * v.elbow + 0.5 * v.tip.norm_squared()
    }

    #[quantity]
    fn upper(q: &Joints) -> S3R3 {
        S3R3::new(q.shoulder, Vector3::x())
    }

    #[quantity]
    fn direction(q: &Joints) -> S2 {
        q.tip
    }

    #[quantity]
    fn both(q: &Joints) -> (S3, SO2) {
        (q.shoulder, q.elbow)
    }

    #[force(at = upper)]
    fn push() -> Vector3<f64> {
        Vector3::x()
    }
}

#[mechanical_system]
pub mod body {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub pose: S3R3,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.pose.norm_squared()
    }

    #[quantity]
    fn placed(q: &Place) -> SE3 {
        q.pose
    }

    #[quantity]
    fn converted(q: &Place) -> SE3 {
        q.pose.into()
    }

    #[quantity]
    fn turned(q: &Place) -> SO3 {
        q.pose.rotation()
    }

    #[quantity]
    fn flat(q: &Place) -> SE2 {
        q.pose
    }
}

fn main() {}
