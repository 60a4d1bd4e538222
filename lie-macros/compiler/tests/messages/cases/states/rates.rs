//! Wrong rates of auxiliary states.

use lie_runtime::prelude::*;

#[mechanical_system]
pub mod without_rate {
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
}

#[mechanical_system]
pub mod two_rates {
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

    #[rate]
    fn second(z: &Motor) -> Motor {
        Motor { current: -z.current }
    }
}

#[mechanical_system]
pub mod scalar_rate {
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
    fn circuit(z: &Motor) -> f64 {
        -z.current
    }
}

#[mechanical_system]
pub mod vector_for_scalar {
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
    fn circuit(z: &Motor) -> Motor {
        Motor { current: Vector2::new(-z.current, 0.0) }
    }
}

#[mechanical_system]
pub mod missing_field {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub x: f64,
    }

    #[states]
    pub struct Motor {
        pub current: f64,
        pub charge: f64,
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
    fn circuit(z: &Motor) -> Motor {
        Motor { current: -z.current }
    }
}

#[mechanical_system]
pub mod unknown_field {
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
    fn circuit(z: &Motor) -> Motor {
        Motor { current: -z.curent }
    }
}

#[mechanical_system]
pub mod accelerated {
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
    fn circuit(a: &Acceleration, z: &Motor) -> Motor {
        Motor { current: a.x - z.current }
    }
}

#[mechanical_system]
pub mod rate_without_states {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Place {
        pub x: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x * v.x
    }

    #[rate]
    fn circuit(v: &Velocity) -> f64 {
        v.x
    }
}

fn main() {}
