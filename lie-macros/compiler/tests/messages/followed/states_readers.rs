//! The declarations of `cases/states/readers.rs` after their helps.

use lie_runtime::prelude::*;

#[mechanical_system]
pub mod constrained {
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

    #[constraint]
    fn rod(q: &Place) -> f64 {
        q.x - 1.0
    }
}

#[mechanical_system]
pub mod elastic {
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

    #[force(on = x)]
    fn spring(q: &Place, z: &Motor) -> f64 {
        z.current - q.x
    }
}

#[mechanical_system]
pub mod measured {
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

    #[observable]
    pub fn tip(q: &Place, z: &Motor) -> f64 {
        q.x + z.current
    }
}

#[mechanical_system]
pub mod by_velocity {
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
