//! Functions that cannot read auxiliary states.

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
    fn rod(q: &Place, z: &Motor) -> f64 {
        q.x - z.current
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

    #[potential]
    fn spring(q: &Place, z: &Motor) -> f64 {
        0.5 * (q.x - z.current).powi(2)
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

    #[quantity]
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
    fn drive(v: &Velocity) -> f64 {
        v.states.current
    }

    #[rate]
    fn circuit(v: &Velocity, z: &Motor) -> Motor {
        Motor { current: -z.current - v.x }
    }
}

fn main() {}
