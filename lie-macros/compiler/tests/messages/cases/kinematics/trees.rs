//! Trees of joints of several kinds, and what they hang on.

use lie_runtime::prelude::*;

#[mechanical_system]
pub mod robot {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Joints {
        pub trunk: SE3,
        pub hinges: Vec<f64>,
        pub slides: Vec<f64>,
        pub balls: Vec<S3>,
    }

    #[kinematics(over = trunk, base = floor, parents = hinges)]
    fn body(above: &SE3, trunk: &SE3) -> SE3 {
        *above * *trunk
    }

    #[kinematics(over = hinges)]
    fn hinged(above: &SE3, angle: &f64) -> SE3 {
        *above * SE3::new(SO3::exp(&(Vector3::z() * *angle)), Vector3::x())
    }

    #[kinematics(over = slides, frames = bodies)]
    fn sliding(above: &SE3, way: &f64) -> SE3 {
        *above * SE3::new(SO3::identity(), Vector3::x() * *way)
    }

    #[kinematics(over = trunk, frames = body)]
    fn again(above: &SE3, trunk: &SE3) -> SE3 {
        *above * *trunk
    }

    #[kinetic_energy(over = body)]
    fn kinetic(v: &Vector6<f64>) -> f64 {
        0.5 * v.norm_squared()
    }
}

#[mechanical_system]
pub mod mixed {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Joints {
        pub hinges: Vec<f64>,
        pub balls: Vec<S3>,
    }

    fn floor(q: &Joints) -> SE3 {
        SE3::new(SO3::identity(), Vector3::x() * q.hinges[0])
    }

    #[kinematics(over = hinges, base = floor)]
    fn body(above: &SE3, angle: &f64) -> SE3 {
        *above * SE3::new(SO3::exp(&(Vector3::z() * *angle)), Vector3::x())
    }

    #[kinetic_energy(over = body)]
    fn kinetic(v: &Vector6<f64>) -> f64 {
        0.5 * v.norm_squared()
    }
}

#[mechanical_system]
pub mod grouped {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Joints {
        pub hinges: Vec<f64>,
        pub balls: Vec<S3>,
    }

    #[kinematics(over = hinges)]
    fn body(above: &SE3, angle: &f64) -> SE3 {
        *above * SE3::new(SO3::exp(&(Vector3::z() * *angle)), Vector3::x())
    }

    #[kinematics(over = balls, frames = body, parents = parents)]
    fn turned(above: &S3R3, turn: &S3) -> S3R3 {
        *above * S3R3::new(*turn, Vector3::x())
    }

    #[kinetic_energy(over = body)]
    fn kinetic(v: &Vector6<f64>) -> f64 {
        0.5 * v.norm_squared()
    }
}

fn main() {}
