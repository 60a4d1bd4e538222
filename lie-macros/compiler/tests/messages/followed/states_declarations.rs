//! The declarations of `cases/states/declarations.rs` after their helps.

use lie_runtime::prelude::*;

#[mechanical_system]
pub mod name_of_the_states {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub x: f64,
        pub y: f64,
    }

    #[states]
    pub struct Motor {
        pub current: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x * v.x + 0.5 * v.y * v.y
    }

    #[force(on = x)]
    fn drive(z: &Motor) -> f64 {
        z.current
    }

    #[rate]
    fn circuit(v: &Velocity, z: &Motor) -> Motor {
        Motor { current: -z.current - v.x }
    }
}

#[mechanical_system]
pub mod list_of_states {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub x: f64,
    }

    #[states]
    pub struct Motor {
        pub current: SVector<f64, 4>,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x * v.x
    }

    #[rate]
    fn circuit(z: &Motor) -> Motor {
        Motor { current: -z.current }
    }
}

#[mechanical_system]
pub mod array_of_states {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub x: f64,
    }

    #[states]
    pub struct Motor {
        pub current: SVector<f64, 3>,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x * v.x
    }

    #[rate]
    fn circuit(z: &Motor) -> Motor {
        Motor { current: -z.current }
    }
}

#[mechanical_system]
pub mod states_on_a_group {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub x: f64,
    }

    #[states]
    pub struct Motor {
        pub current: Vector3<f64>,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x * v.x
    }

    #[rate]
    fn circuit(z: &Motor) -> Motor {
        Motor { current: -z.current }
    }
}

#[mechanical_system]
pub mod no_states {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub x: f64,
    }

    #[states]
    pub struct Motor {
        pub current: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x * v.x
    }

    #[rate]
    fn circuit(z: &Motor) -> Motor {
        Motor { current: -z.current }
    }
}

#[mechanical_system]
pub mod two_structs {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub x: f64,
    }

    #[states]
    pub struct Motor {
        pub current: f64,
        pub signal: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x * v.x
    }

    #[force(on = x)]
    fn drive(z: &Motor) -> f64 {
        z.current
    }

    #[rate]
    fn circuit(v: &Velocity, z: &Motor) -> Motor {
        Motor { current: -z.current - v.x, signal: v.x - z.signal }
    }
}

#[mechanical_system]
pub mod force_on_everything {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub x: f64,
    }

    #[states]
    pub struct Motor {
        pub current: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x * v.x
    }

    #[force(on = x)]
    fn drive(z: &Motor) -> f64 {
        z.current
    }

    #[rate]
    fn circuit(v: &Velocity, z: &Motor) -> Motor {
        Motor { current: -z.current - v.x }
    }
}

#[mechanical_system]
pub mod mass_matrix {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub x: f64,
    }

    #[states]
    pub struct Motor {
        pub current: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x * v.x
    }

    #[force(on = x)]
    fn drive(z: &Motor) -> f64 {
        z.current
    }

    #[rate]
    fn circuit(v: &Velocity, z: &Motor) -> Motor {
        Motor { current: -z.current - v.x }
    }
}

fn main() {}
