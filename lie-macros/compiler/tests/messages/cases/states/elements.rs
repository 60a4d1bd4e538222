//! Auxiliary states of the elements of chains: selections that do not agree, and functions that cannot read states.

use lie_runtime::prelude::*;

#[mechanical_system]
pub mod rate_without_over {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Arm {
        pub joints: Vec<f64>,
        pub hub: f64,
    }

    #[states(over = joints)]
    pub struct Motor {
        pub current: f64,
    }

    #[kinetic_energy(over = joints)]
    fn kinetic(v: &f64) -> f64 {
        0.5 * v * v
    }

    #[kinetic_energy]
    fn of_hub(v: &Velocity) -> f64 {
        0.5 * v.hub * v.hub
    }

    #[rate]
    fn circuit(z: &Motor) -> Motor {
        Motor { current: -z.current }
    }
}

#[mechanical_system]
pub mod rate_over_windows {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Arm {
        pub joints: Vec<f64>,
        pub hub: f64,
    }

    #[states(over = joints)]
    pub struct Motor {
        pub current: f64,
    }

    #[kinetic_energy(over = joints)]
    fn kinetic(v: &f64) -> f64 {
        0.5 * v * v
    }

    #[kinetic_energy]
    fn of_hub(v: &Velocity) -> f64 {
        0.5 * v.hub * v.hub
    }

    #[rate(over = joints.windows(2))]
    fn circuit(z: &Motor) -> Motor {
        Motor { current: -z.current }
    }
}

#[mechanical_system]
pub mod without_rate {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Arm {
        pub joints: Vec<f64>,
        pub hub: f64,
    }

    #[states(over = joints)]
    pub struct Motor {
        pub current: f64,
    }

    #[kinetic_energy(over = joints)]
    fn kinetic(v: &f64) -> f64 {
        0.5 * v * v
    }

    #[kinetic_energy]
    fn of_hub(v: &Velocity) -> f64 {
        0.5 * v.hub * v.hub
    }

    #[force(over = joints)]
    fn drive(z: &Motor) -> f64 {
        z.current
    }
}

#[mechanical_system]
pub mod force_over_windows {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Arm {
        pub joints: Vec<f64>,
        pub hub: f64,
    }

    #[states(over = joints)]
    pub struct Motor {
        pub current: f64,
    }

    #[kinetic_energy(over = joints)]
    fn kinetic(v: &f64) -> f64 {
        0.5 * v * v
    }

    #[kinetic_energy]
    fn of_hub(v: &Velocity) -> f64 {
        0.5 * v.hub * v.hub
    }

    #[rate(over = joints)]
    fn circuit(z: &Motor) -> Motor {
        Motor { current: -z.current }
    }

    #[force(over = joints.windows(2))]
    fn drive(z: &Motor) -> Vector2<f64> {
        Vector2::new(z.current, -z.current)
    }
}

#[mechanical_system]
pub mod force_on_a_member {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Arm {
        pub joints: Vec<f64>,
        pub hub: f64,
    }

    #[states(over = joints.windows(2))]
    pub struct Motor {
        pub current: f64,
    }

    #[kinetic_energy(over = joints)]
    fn kinetic(v: &f64) -> f64 {
        0.5 * v * v
    }

    #[kinetic_energy]
    fn of_hub(v: &Velocity) -> f64 {
        0.5 * v.hub * v.hub
    }

    #[rate(over = joints.windows(2))]
    fn circuit(z: &Motor) -> Motor {
        Motor { current: -z.current }
    }

    #[force(on = hub)]
    fn drive(z: &Motor) -> f64 {
        z.current
    }
}

#[mechanical_system]
pub mod observed {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Arm {
        pub joints: Vec<f64>,
        pub hub: f64,
    }

    #[states(over = joints)]
    pub struct Motor {
        pub current: f64,
    }

    #[kinetic_energy(over = joints)]
    fn kinetic(v: &f64) -> f64 {
        0.5 * v * v
    }

    #[kinetic_energy]
    fn of_hub(v: &Velocity) -> f64 {
        0.5 * v.hub * v.hub
    }

    #[rate(over = joints)]
    fn circuit(z: &Motor) -> Motor {
        Motor { current: -z.current }
    }

    #[observable]
    fn power(v: &Velocity, z: &Motor) -> f64 {
        z.current * v.hub
    }
}

#[mechanical_system]
pub mod elastic {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Arm {
        pub joints: Vec<f64>,
        pub hub: f64,
    }

    #[states(over = joints)]
    pub struct Motor {
        pub current: f64,
    }

    #[kinetic_energy(over = joints)]
    fn kinetic(v: &f64) -> f64 {
        0.5 * v * v
    }

    #[kinetic_energy]
    fn of_hub(v: &Velocity) -> f64 {
        0.5 * v.hub * v.hub
    }

    #[rate(over = joints)]
    fn circuit(z: &Motor) -> Motor {
        Motor { current: -z.current }
    }

    #[potential(over = joints)]
    fn spring(x: &f64, z: &Motor) -> f64 {
        0.5 * (x - z.current).powi(2)
    }
}

#[mechanical_system]
pub mod states_of_one_member {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Arm {
        pub joints: Vec<f64>,
        pub hub: f64,
    }

    #[states(over = joints.last())]
    pub struct Motor {
        pub current: f64,
    }

    #[kinetic_energy(over = joints)]
    fn kinetic(v: &f64) -> f64 {
        0.5 * v * v
    }

    #[kinetic_energy]
    fn of_hub(v: &Velocity) -> f64 {
        0.5 * v.hub * v.hub
    }

    #[rate(over = joints)]
    fn circuit(z: &Motor) -> Motor {
        Motor { current: -z.current }
    }
}

#[mechanical_system]
pub mod states_of_nothing {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Arm {
        pub joints: Vec<f64>,
        pub hub: f64,
    }

    #[states(over = links)]
    pub struct Motor {
        pub current: f64,
    }

    #[kinetic_energy(over = joints)]
    fn kinetic(v: &f64) -> f64 {
        0.5 * v * v
    }

    #[kinetic_energy]
    fn of_hub(v: &Velocity) -> f64 {
        0.5 * v.hub * v.hub
    }

    #[rate(over = joints)]
    fn circuit(z: &Motor) -> Motor {
        Motor { current: -z.current }
    }
}

#[mechanical_system]
pub mod one_set_of_states {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Arm {
        pub joints: Vec<f64>,
        pub hub: f64,
    }

    #[states]
    pub struct Motor {
        pub current: f64,
    }

    #[kinetic_energy(over = joints)]
    fn kinetic(v: &f64) -> f64 {
        0.5 * v * v
    }

    #[kinetic_energy]
    fn of_hub(v: &Velocity) -> f64 {
        0.5 * v.hub * v.hub
    }

    #[rate(over = joints)]
    fn circuit(x: &f64, _v: &f64, z: &Motor) -> Motor {
        Motor { current: x - z.current }
    }
}

#[mechanical_system]
pub mod frames {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Arm {
        pub joints: Vec<f64>,
        pub hub: f64,
    }

    #[states]
    pub struct Motor {
        pub current: f64,
    }

    #[kinetic_energy(over = joints)]
    fn kinetic(v: &f64) -> f64 {
        0.5 * v * v
    }

    #[kinetic_energy]
    fn of_hub(v: &Velocity) -> f64 {
        0.5 * v.hub * v.hub
    }

    #[kinematics(over = joints)]
    fn link(above: &SE2, angle: &f64) -> SE2 {
        *above * SE2::new(SO2::from_angle(*angle), Vector2::new(1.0, 0.0))
    }

    #[force(over = link)]
    fn drive(z: &Motor) -> Vector3<f64> {
        Vector3::new(z.current, 0.0, 0.0)
    }

    #[rate]
    fn circuit(z: &Motor) -> Motor {
        Motor { current: -z.current }
    }
}

#[mechanical_system]
pub mod states_as_a_selection {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Arm {
        pub joints: Vec<f64>,
        pub hub: f64,
    }

    #[states(over = joints)]
    pub struct Motor {
        pub current: f64,
    }

    #[kinetic_energy(over = joints)]
    fn kinetic(v: &f64) -> f64 {
        0.5 * v * v
    }

    #[kinetic_energy]
    fn of_hub(v: &Velocity) -> f64 {
        0.5 * v.hub * v.hub
    }

    #[rate(over = joints)]
    fn circuit(z: &Motor) -> Motor {
        Motor { current: -z.current }
    }

    #[force(over = states)]
    fn drive() -> f64 {
        1.0
    }
}

fn main() {}
