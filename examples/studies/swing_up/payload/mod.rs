//! Two quadrotors carry a payload along a parabola: the system, the start and the way of paper 3, section 6, without its controller.
//!
//! As in the paper thrusts are vectors in space, and the quadrotors, points for the payload, have attitudes that nothing depends on: they
//! are left out.

pub mod control;
pub mod study;

use lie_runtime::inputs::Constant;
use lie_runtime::nalgebra::SVector;
use lie_runtime::prelude::*;
use lie_runtime::scalar::Dual;
use lie_runtime::system::ModelError;

use super::task::{Bound, Grid, Guess, Knot, Lifted, Task};
use crate::quadrotors::model::{Quadrotors, inclined, target};

/// A payload on two rigid links; gravity along e₃.
#[mechanical_system(gradients)]
pub mod declared {
    /// y and qᵢ: quadrotor i is at y − Lᵢ qᵢ.
    #[configuration]
    pub struct Pose {
        /// y.
        pub payload: R3,
        /// q₁ and q₂.
        pub links: [S2; 2],
    }

    /// Masses and lengths.
    #[parameters]
    pub struct Data {
        /// m_y.
        pub payload: f64,
        /// mᵢ.
        pub masses: [f64; 2],
        /// Lᵢ.
        pub lengths: [f64; 2],
        /// g.
        pub gravity: f64,
    }

    /// The task of the search.
    #[inputs]
    pub struct Inputs {
        /// u₁ and u₂, in space.
        pub thrusts: [Vector3<f64>; 2],
    }

    /// The first quadrotor.
    #[quantity]
    pub fn first(data: &Data, q: &Pose) -> Vector3<f64> {
        q.payload - q.links[0].direction() * data.lengths[0]
    }

    /// The second quadrotor.
    #[quantity]
    pub fn second(data: &Data, q: &Pose) -> Vector3<f64> {
        q.payload - q.links[1].direction() * data.lengths[1]
    }

    #[kinetic_energy]
    fn kinetic(data: &Data, q: &Pose, v: &Velocity) -> f64 {
        0.5 * data.payload * v.payload.norm_squared()
            + 0.5 * data.masses[0] * first_rate(data, q, v).norm_squared()
            + 0.5 * data.masses[1] * second_rate(data, q, v).norm_squared()
    }

    #[potential]
    fn weight(data: &Data, q: &Pose) -> f64 {
        -data.gravity
            * (data.payload * q.payload.z + data.masses[0] * first(data, q).z + data.masses[1] * second(data, q).z)
    }

    #[force(at = first)]
    fn first_thrust(u: &Inputs) -> Vector3<f64> {
        u.thrusts[0]
    }

    #[force(at = second)]
    fn second_thrust(u: &Inputs) -> Vector3<f64> {
        u.thrusts[1]
    }
}

/// Duration of the motion [s].
pub const END: f64 = 5.0;
/// The bound of each thrust [N].
pub const BOUND: f64 = 20.0;

/// Weights of deviations [N] in the cost ½ ∫ |u|² + way² |y − y_d|² + formation² Σ |qᵢ − rᵢ|² dt.
#[derive(Clone, Copy, Debug)]
pub struct Weights {
    /// Weight of the distance of the payload from its path, per metre.
    pub way: f64,
    /// Weight of the deviation of a link from its direction in the formation, per radian.
    pub formation: f64,
}

impl Default for Weights {
    fn default() -> Self {
        Weights { way: 10.0, formation: 10.0 }
    }
}

/// The motion between the start and the end of the controller of the paper, along the same path in the same formation.
#[derive(Clone, Debug)]
pub struct Carry {
    /// Masses and lengths.
    pub data: declared::Data,
    /// The bound of each thrust [N].
    pub bound: f64,
    /// The weights of the deviations.
    pub weights: Weights,
    /// rᵢ.
    pub formation: [Vector3<f64>; 2],
    /// The initial guess of the search.
    pub guess: Guess<declared::System>,
}

/// Masses and lengths of the controlled quadrotors.
pub fn data(of: &Quadrotors) -> declared::Data {
    declared::Data { payload: of.payload, masses: of.masses, lengths: of.lengths, gravity: of.gravity }
}

/// The load of each quadrotor [N].
pub fn half_of_the_weight(data: &declared::Data) -> f64 {
    0.5 * data.gravity * (data.payload + data.masses[0] + data.masses[1])
}

/// At rest, the links so many degrees from e₃, to either side.
pub fn start(degrees: f64) -> Knot<declared::System> {
    let link = |degrees| S2::new_unchecked(inclined(degrees));
    let payload = Vector3::new(-2.0, 0.0, 0.0);
    let configuration = declared::Pose { payload, links: [link(degrees), link(-degrees)] };
    Knot { configuration, velocity: SVector::zeros() }
}

/// How time is divided.
const GRID: Grid = Grid { end: END, pieces: 50, steps: 8 };

/// From one state to another: along the way, the links turning evenly on great circles, and hovering.
pub fn gliding(data: &declared::Data, [start, end]: [&Knot<declared::System>; 2]) -> Guess<declared::System> {
    let aside = [(start, 0.0), (end, END)].map(|(knot, time)| knot.configuration.payload - target(time));
    let turn = [0, 1].map(|link| {
        let [from, to] = [start, end].map(|knot| knot.configuration.links[link].direction());
        let axis = from.cross(&to);
        axis.try_normalize(1e-12).unwrap_or_default() * axis.norm().atan2(from.dot(&to))
    });
    let knot = |number: usize| {
        let part = number as f64 / GRID.pieces as f64;
        let rate = target(Dual::variable(part * END, 1.0)).map(|x| x.eps);
        let payload = target(part * END) + aside[0].lerp(&aside[1], part);
        let links = [0, 1].map(|link| {
            S2::new_unchecked(SO3::exp(&(turn[link] * part)) * start.configuration.links[link].direction())
        });
        let velocity =
            declared::Velocity { payload: rate + (aside[1] - aside[0]) / END, links: turn.map(|turn| turn / END) };
        Knot { configuration: declared::Pose { payload, links }, velocity: velocity.into() }
    };
    let inner = (1..GRID.pieces).map(knot);
    let knots = core::iter::once(start.clone()).chain(inner).chain([end.clone()]).collect();
    let up = -half_of_the_weight(data);
    Guess { knots, inputs: vec![vec![0.0, 0.0, up, 0.0, 0.0, up]; GRID.pieces] }
}

impl Task for Carry {
    type System = declared::System;

    fn grid(&self) -> Grid {
        GRID
    }
    fn driven(&self, inputs: &[f64]) -> Result<declared::System, ModelError> {
        let thrusts = [0, 3].map(|first| Vector3::from_column_slice(&inputs[first..first + 3]));
        Ok(declared::System::new(self.data.clone())?.with_inputs_from(Constant(declared::Inputs { thrusts })))
    }
    fn bounds(&self) -> Vec<Bound> {
        vec![Bound { numbers: 3, norm: self.bound }; 2]
    }
    fn guess(&self) -> Guess<declared::System> {
        self.guess.clone()
    }
    /// How far the payload is from its way, and the links from their formation.
    fn residuals(&self, time: f64, q: &Lifted<declared::System>) -> Vec<Dual<f64>> {
        let Weights { way, formation } = self.weights;
        let from_way = (q.payload - target(Dual::constant(time))) * Dual::constant(way);
        let from_formation = q.links.iter().zip(self.formation).flat_map(|(link, wanted)| {
            let aside = (link.direction() - wanted.map(Dual::constant)) * Dual::constant(formation);
            [aside.x, aside.y, aside.z]
        });
        from_way.iter().copied().chain(from_formation).collect()
    }
}
