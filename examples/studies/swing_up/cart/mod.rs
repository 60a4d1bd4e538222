//! A pendulum on a cart is swung up: the data are taken from M. Kelly, SIAM Review 59 (2017), pp. 849-904, section 6.

use core::f64::consts::PI;

use lie_runtime::inputs::Constant;
use lie_runtime::prelude::*;
use lie_runtime::system::ModelError;

pub mod study;

use super::task::{Bound, Grid, Guess, Knot, Task};

/// A pendulum on a cart.
#[mechanical_system(gradients)]
pub mod declared {
    /// Place of the cart, and attitude of the pole: the identity stands upright.
    #[configuration]
    pub struct Pose {
        /// Position along the rail.
        pub cart: f64,
        /// Against upright.
        pub pole: SO2,
    }

    /// Masses and length.
    #[parameters]
    pub struct CartPole {
        /// The mass of the cart.
        pub cart: f64,
        /// Mass of the bob.
        pub bob: f64,
        /// From the one to the other.
        pub length: f64,
    }

    /// The task of the search.
    #[inputs]
    pub struct Inputs {
        /// The force on the cart.
        pub motor: f64,
    }

    /// Position of the bob.
    #[quantity]
    pub fn bob(data: &CartPole, q: &Pose) -> Vector2<f64> {
        Vector2::new(q.cart, 0.0) + q.pole * Vector2::new(0.0, data.length)
    }

    #[kinetic_energy]
    fn kinetic(data: &CartPole, q: &Pose, v: &Velocity) -> f64 {
        0.5 * data.cart * v.cart * v.cart + 0.5 * data.bob * bob_rate(data, q, v).norm_squared()
    }

    #[potential]
    fn weight(data: &CartPole, q: &Pose) -> f64 {
        9.81 * data.bob * bob(data, q).y
    }

    #[force(on = cart)]
    fn motor(u: &Inputs) -> f64 {
        u.motor
    }

    /// How high the bob is.
    #[observable]
    pub fn height(data: &CartPole, q: &Pose) -> f64 {
        bob(data, q).y
    }
}

/// How far the cart has to go [m].
pub const WAY: f64 = 1.0;
/// The bound of the force [N].
pub const BOUND: f64 = 10.0;

/// From hanging at rest to upright at rest, a metre on, in two seconds.
#[derive(Clone, Debug)]
pub struct SwingUp {
    /// The cart and its pole.
    pub data: declared::CartPole,
    /// The bound of the force [N].
    pub bound: f64,
}

impl Default for SwingUp {
    /// The data of the article.
    fn default() -> Self {
        SwingUp { data: declared::CartPole { cart: 1.0, bob: 0.3, length: 0.5 }, bound: BOUND }
    }
}

/// Hanging at rest.
pub fn start() -> declared::Pose {
    declared::Pose { cart: 0.0, pole: SO2::from_angle(PI) }
}

impl Task for SwingUp {
    type System = declared::System;

    fn grid(&self) -> Grid {
        Grid { end: 2.0, pieces: 50, steps: 16 }
    }
    fn driven(&self, inputs: &[f64]) -> Result<declared::System, ModelError> {
        let system = declared::System::new(self.data.clone())?;
        Ok(system.with_inputs_from(Constant(declared::Inputs { motor: inputs[0] })))
    }
    fn bounds(&self) -> Vec<Bound> {
        vec![Bound { numbers: 1, norm: self.bound }]
    }
    /// It turns evenly and is pushed by nothing, so that no piece meets the next one.
    fn guess(&self) -> Guess<declared::System> {
        let Grid { end, pieces, .. } = self.grid();
        let knot = |number: usize| {
            let part = number as f64 / pieces as f64;
            let pole = start().pole * SO2::from_angle(part * PI);
            let is_end = number.is_multiple_of(pieces);
            let velocity = if is_end { Vector2::zeros() } else { Vector2::new(WAY / end, PI / end) };
            Knot { configuration: declared::Pose { cart: part * WAY, pole }, velocity }
        };
        Guess { knots: (0..=pieces).map(knot).collect(), inputs: vec![vec![0.0]; pieces] }
    }
}
