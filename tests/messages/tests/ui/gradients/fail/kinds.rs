//! Reverse differentiation of what has none.

use lie_runtime::prelude::*;

#[mechanical_system(gradients)]
mod arm {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Joints {
        pub angles: Vec<SO2>,
    }

    #[kinematics(over = angles)]
    fn link(above: &SE2, angle: &SO2) -> SE2 {
        *above * SE2::new(*angle, Vector2::new(1.0, 0.0))
    }

    #[kinetic_energy(over = link)]
    fn kinetic(v: &Vector3<f64>) -> f64 {
        0.5 * v.norm_squared()
    }
}

#[mechanical_system(gradients)]
mod spherical {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Pendulum {
        pub direction: S2,
    }

    #[kinetic_energy]
    fn kinetic(q: &Pendulum, v: &Velocity) -> f64 {
        0.5 * v.direction.cross(&q.direction.direction()).norm_squared()
    }
}

#[mechanical_system(gradients = all)]
mod valued {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Point {
        pub x: R1,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x.norm_squared()
    }
}

fn main() {}
