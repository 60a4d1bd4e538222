use lie_runtime::prelude::*;

#[mechanical_system]
mod another_group {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Chain {
        pub joints: Vec<SO3>,
    }

    #[kinematics(over = joints)]
    fn body(above: &SE3, joint: &SO3) -> SE3 {
        above.rotation * *joint
    }

    #[kinetic_energy(over = body)]
    fn kinetic(v: &Vector6<f64>) -> f64 {
        0.5 * v.norm_squared()
    }
}

#[mechanical_system]
mod without_inertia {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Chain {
        pub joints: Vec<SO3>,
    }

    #[kinematics(over = joints)]
    fn body(above: &SE3, joint: &SO3) -> SE3 {
        *above * SE3::new(*joint, Vector3::x())
    }

    #[potential(over = body)]
    fn weight(x: &SE3) -> f64 {
        x.translation[2]
    }

    #[kinetic_energy(over = body.last())]
    fn kinetic(v: &Vector6<f64>) -> f64 {
        0.5 * v.norm_squared()
    }
}

#[mechanical_system]
mod coupled_elsewhere {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Chain {
        pub joints: Vec<SO3>,
    }

    #[kinematics(over = joints)]
    fn body(above: &SE3, joint: &SO3) -> SE3 {
        *above * SE3::new(*joint, Vector3::x())
    }

    #[kinetic_energy(over = body)]
    fn kinetic(v: &Vector6<f64>) -> f64 {
        0.5 * v.norm_squared()
    }

    #[kinetic_energy(over = joints.windows(2))]
    fn gears([a, b]: [&Vector3<f64>; 2]) -> f64 {
        (a - b).norm_squared()
    }
}

fn main() {}
