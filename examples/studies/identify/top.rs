//! The heavy top as it is identified: its attitude and the force in its pivot are measured.

use lie_runtime::prelude::*;
use lie_runtime::scalar::Dual;
use lie_runtime::system::{Liftable, ModelError};

use super::device::Device;

/// The deviations of an angle [rad] and of a force [N] that are measured.
const DEVIATIONS: [f64; 2] = [2e-3, 0.2];

/// A top with a fixed point.
#[mechanical_system]
pub mod top {
    /// The body.
    #[configuration]
    pub struct Body {
        /// Attitude of the body in space.
        pub attitude: SO3,
        /// Position of the centre of mass.
        pub position: R3,
    }

    /// The unknown data.
    #[parameters]
    pub struct Top {
        /// The mass.
        pub mass: f64,
        /// Radii of gyration: the roots of the mean squares of the three coordinates of the mass, from its centre. The moments of inertia
        /// are physical for all values.
        pub radii: Vector3<f64>,
        /// From the fixed point to the centre of mass, along the second axis.
        pub length: f64,
        /// Damping of the bearing: torque per angular velocity.
        pub drag: f64,
    }

    #[kinetic_energy]
    fn kinetic(top: &Top, v: &Velocity) -> f64 {
        let squares = top.radii.component_mul(&top.radii);
        let sum = squares.x + squares.y + squares.z;
        let inertia = Vector3::new(sum - squares.x, sum - squares.y, sum - squares.z) * top.mass;
        0.5 * top.mass * v.position.norm_squared() + 0.5 * v.attitude.dot(&inertia.component_mul(&v.attitude))
    }

    #[potential]
    fn weight(top: &Top, q: &Body) -> f64 {
        9.81 * top.mass * q.position.z
    }

    #[dissipation]
    fn bearing(top: &Top, v: &Velocity) -> f64 {
        0.5 * top.drag * v.attitude.norm_squared()
    }

    /// Its multipliers are the force in the pivot, in the body.
    #[constraint]
    fn pivot(top: &Top, q: &Body) -> Vector3<f64> {
        q.attitude.inverse() * q.position - Vector3::new(0.0, top.length, 0.0)
    }

    #[observable]
    fn position(q: &Body) -> Vector3<f64> {
        q.position
    }
}

/// The top of all experiments.
pub fn data() -> top::Top {
    top::Top { mass: 2.0, radii: Vector3::new(0.10, 0.08, 0.12), length: 0.15, drag: 2e-3 }
}

/// It is let go tilted and spinning; the position follows from the attitude, the velocity from the angular one.
pub fn start(top: &top::Top) -> (top::Body, Vector6<f64>) {
    let (attitude, angular) = (SO3::exp(&Vector3::new(0.5, 0.0, 0.2)), Vector3::new(0.0, 40.0, 0.0));
    let center = Vector3::new(0.0, top.length, 0.0);
    let velocity = attitude * angular.cross(&center);
    let rates = [angular.x, angular.y, angular.z, velocity.x, velocity.y, velocity.z];
    (top::Body { attitude, position: attitude * center }, Vector6::from(rates))
}

/// The top and its measurements.
pub struct Top;

/// An attitude and a force in the pivot.
#[derive(Clone, Debug)]
pub struct Reading {
    attitude: SO3,
    /// In the body [N].
    pub force: Vector3<f64>,
}

impl Device for Top {
    type System = top::System;
    type Method = HalfExplicit;
    type Reading = Reading;

    const STEP: f64 = 5e-3;
    const EVERY: usize = 4;
    const END: f64 = 1.0;
    const NUMBERS: usize = 6;

    fn truth() -> Result<top::System, ModelError> {
        top::System::new(data())
    }

    /// Everything wrong by a tenth or more.
    fn guess() -> Result<top::System, ModelError> {
        top::System::new(top::Top { mass: 1.7, radii: Vector3::new(0.11, 0.07, 0.11), length: 0.17, drag: 1e-3 })
    }

    fn unknowns() -> Vec<String> {
        ["mass", "radii", "length", "drag"].map(str::to_owned).into()
    }

    /// The attitude is held where the position follows from the length.
    fn begun(system: &top::System) -> Simulation<'_, top::System, Self::Method> {
        let (q0, v0) = start(system.parameters());
        Simulation::of(system).initial(q0, v0).fix_initial(["attitude"])
    }

    /// Measured attitudes are turned by small vectors of the body.
    fn read(_: &top::System, state: &State<top::System>, noise: &[f64]) -> Reading {
        let [angle, force] = DEVIATIONS;
        Reading {
            attitude: state.configuration.attitude * SO3::exp(&(Vector3::from_column_slice(&noise[..3]) * angle)),
            force: state.multipliers + Vector3::from_column_slice(&noise[3..]) * force,
        }
    }

    /// The vector that turns the measured attitude into the computed one, and the difference of the forces.
    fn left(
        _: &<top::System as Liftable>::Lifted,
        state: &State<<top::System as Liftable>::Lifted>,
        measured: &Reading,
    ) -> Vec<Dual<f64>> {
        let [angle, force] = DEVIATIONS.map(Dual::from_f64);
        let attitude = SO3::from_matrix_unchecked(measured.attitude.matrix().map(Dual::from_f64));
        let turn = (attitude.inverse() * state.configuration.attitude).log() / angle;
        let rest = (state.multipliers - measured.force.map(Dual::from_f64)) / force;
        turn.iter().chain(&rest).copied().collect()
    }

    /// All that is searched for.
    fn determined(system: &<top::System as Liftable>::Lifted) -> Vec<(String, Dual<f64>)> {
        let top = system.parameters();
        let [rx, ry, rz] = top.radii.into();
        let named = [
            ("mass", top.mass),
            ("radii[0]", rx),
            ("radii[1]", ry),
            ("radii[2]", rz),
            ("length", top.length),
            ("drag", top.drag),
        ];
        named.map(|(name, value)| (name.to_owned(), value)).into()
    }
}
