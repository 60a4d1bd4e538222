//! The signature that is shown has the names that are given, so that the body goes on to be read.

use lie_runtime::prelude::*;

#[mechanical_system]
mod rod {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Rod {
        pub nodes: Vec<SE3>,
    }

    /// The velocity of a point.
    #[kinetic_energy(over = nodes)]
    fn kinetic(rate: &Vector3<f64>) -> f64 {
        0.5 * rate.norm_squared()
    }

    /// The velocity before the member.
    #[dissipation(over = nodes)]
    fn drag(rate: &Vector6<f64>, node: &SE3) -> f64 {
        0.5 * rate.norm_squared() * node.translation.z
    }

    /// One of two of another group.
    #[potential(over = nodes.windows(2))]
    fn elastic(pair: [&S3R3; 2]) -> f64 {
        (pair[1].translation - pair[0].translation).norm_squared()
    }
}

/// A rate by the name of another library.
#[mechanical_system]
mod point {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pose {
        pub place: R3,
    }

    #[quantity]
    fn tip(q: &Pose) -> Vector3<f64> {
        2.0 * q.place
    }

    #[kinetic_energy]
    fn kinetic(q: &Pose, v: &Velocity) -> f64 {
        0.5 * tip_velocity(q, v).norm_squared()
    }
}

fn main() {}
