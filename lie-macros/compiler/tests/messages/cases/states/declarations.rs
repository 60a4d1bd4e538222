//! Structs that cannot be auxiliary states, and systems that cannot have them.

use lie_runtime::prelude::*;

#[mechanical_system]
pub mod name_of_the_states {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub x: f64,
        pub states: f64,
    }

    #[states]
    pub struct Motor {
        pub current: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x * v.x + 0.5 * v.states * v.states
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
        pub current: Vec<f64>,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x * v.x
    }

    #[rate]
    fn circuit(z: &Motor) -> Motor {
        Motor { current: z.current }
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
        pub current: [f64; 3],
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x * v.x
    }

    #[rate]
    fn circuit(z: &Motor) -> Motor {
        Motor { current: z.current }
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
        pub current: SO3,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x * v.x
    }

    #[rate]
    fn circuit(z: &Motor) -> Motor {
        Motor { current: z.current }
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
    pub struct Motor {}

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x * v.x
    }

    #[rate]
    fn circuit() -> Motor {
        Motor {}
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

    #[states]
    pub struct Filter {
        pub signal: f64,
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

    #[force]
    fn drive(z: &Motor) -> Velocity {
        Velocity { x: z.current }
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

    #[mass_matrix]
    fn mass() -> SMatrix<f64, 1, 1> {
        SMatrix::<f64, 1, 1>::identity()
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
