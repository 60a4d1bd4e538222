//! Declarations of which something is given at run time: inputs, and lists of the length of a chain.

use lie_runtime::prelude::*;

/// A cart that is pushed, and a slide whose place is given.
#[mechanical_system]
pub mod pushed {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Cart {
        pub x: f64,
    }

    #[inputs]
    pub struct Inputs {
        pub push: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x * v.x
    }

    #[force(on = x)]
    fn push(u: &Inputs) -> f64 {
        u.push
    }
}

/// A slide whose place is given.
#[mechanical_system]
pub mod led {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Slide {
        pub x: f64,
        pub load: f64,
    }

    #[inputs]
    pub struct Inputs {
        pub place: f64,
    }

    #[kinetic_energy]
    fn kinetic(v: &Velocity) -> f64 {
        0.5 * v.x * v.x + 0.5 * v.load * v.load
    }

    #[potential]
    fn spring(q: &Slide) -> f64 {
        0.5 * (q.x - q.load).powi(2)
    }

    #[constraint]
    fn led(q: &Slide, u: &Inputs) -> f64 {
        q.x - u.place
    }
}

/// Masses of a list on a chain, joined by pins, and a force of anything.
#[mechanical_system]
pub mod listed {
    use lie_runtime::prelude::*;

    #[configuration]
    pub struct Net {
        pub knots: Vec<R2>,
    }

    #[parameters]
    pub struct Data {
        pub masses: Vec<f64>,
        pub stiffness: f64,
    }

    #[kinetic_energy(over = knots)]
    fn kinetic(data: &Data, index: usize, v: &Vector2<f64>) -> f64 {
        0.5 * data.masses[index] * v.norm_squared()
    }

    #[potential(over = (knots, knots).by(springs))]
    fn spring(data: &Data, a: &R2, b: &R2) -> f64 {
        0.5 * data.stiffness * (b - a).norm_squared()
    }
}
