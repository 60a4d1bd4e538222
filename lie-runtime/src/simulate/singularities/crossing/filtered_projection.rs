//! What of a correction that brings a motion onto its constraints may be round-off.
//!
//! Near to where constraints lose rank, at the distance θ, round-off ε of their values is ε / θ in positions, and as velocities
//! follow from these, ε / θ² there: more than what a motion that has come so far is off. Corrections of that size are not to be made.

use crate::group::TangentVector;
use crate::integrator::State;
use crate::scalar::Scalar;
use crate::simulate::consistent::ConsistentValues;
use crate::space::ConfigurationSpace;
use crate::system::{KktError, MechanicalSystem};

/// How far from a configuration, in the units of θ, the values of constraints are compared with their Jacobian: what differs is round-off, and
/// the square of this.
const DISTANCE: f64 = 1e-9;
/// A correction is made if it is that many times the one that round-off asks for.
const CERTAIN: f64 = 8.0;

/// Corrections of velocities under this part of them change nothing.
const NOTHING: f64 = 1e-13;

/// Brings configurations and velocities onto the constraints, as far as round-off lets it.
pub(super) struct FilteredProjection<M: MechanicalSystem> {
    mass: M::Mass,
    jacobian: M::Jacobian,
    near: M::Configuration,
    corrected: M::Configuration,
    velocity: M::Velocity,
    way: M::Velocity,
    zero: M::Velocity,
    change: M::Velocity,
    values: [M::Multipliers; 2],
    multipliers: M::Multipliers,
}

impl<M: MechanicalSystem> FilteredProjection<M> {
    pub fn of(system: &M, state: &State<M>) -> Self {
        let mut way = system.zero_velocity();
        for component in 0..way.component_count() {
            let sign = if component % 3 == 1 { -1.0 } else { 1.0 };
            way.set_component(component, M::Scalar::from_f64(sign * DISTANCE));
        }
        FilteredProjection {
            mass: system.zero_mass(),
            jacobian: system.zero_jacobian(),
            near: state.configuration.clone(),
            corrected: state.configuration.clone(),
            velocity: system.zero_velocity(),
            way,
            zero: system.zero_velocity(),
            change: system.zero_velocity(),
            values: [system.zero_multipliers(), system.zero_multipliers()],
            multipliers: system.zero_multipliers(),
        }
    }

    /// M⁻¹ f at a state, of the forces without those of constraints.
    pub fn free_acceleration(&mut self, system: &M, at: &State<M>, out: &mut M::Velocity) -> Result<(), KktError> {
        let t = M::Scalar::from_f64(at.time);
        system.mass(t, &at.configuration, &mut self.mass)?;
        system.force(t, &at.configuration, &at.velocity, &mut self.change);
        system.solve_mass(&mut self.mass, &self.change, out);
        Ok(())
    }

    /// q and then v, each if what is corrected is not round-off, and not more than `largest`. What cannot be corrected stays: a
    /// singular point.
    pub fn apply(
        &mut self,
        system: &M,
        consistent: &mut ConsistentValues<M>,
        time: f64,
        q: &mut M::Configuration,
        v: &mut M::Velocity,
        largest: f64,
    ) {
        let Ok(of_positions) = self.of_positions(system, time, q) else { return };
        self.corrected.clone_from(q);
        if let Ok(report) = consistent.project_configuration(system, time, &mut self.corrected)
            && report.distance > CERTAIN * of_positions
            && report.distance <= largest
        {
            q.clone_from(&self.corrected);
        }
        self.velocity.assign(v);
        if let Ok(report) = consistent.project_velocity(system, time, q, &mut self.velocity)
            && report.distance > NOTHING * v.max_norm()
            && let Ok(of_velocities) = self.of_velocities(system, time, q, v)
            && report.distance > CERTAIN * of_velocities
        {
            v.assign(&self.velocity);
        }
    }

    /// The length of the correction of q that the round-off of the constraints asks for; it is left in `self.change`.
    fn of_positions(&mut self, system: &M, time: f64, q: &M::Configuration) -> Result<f64, KktError> {
        let t = M::Scalar::from_f64(time);
        system.mass(t, q, &mut self.mass)?;
        system.constraint_jacobian(t, q, &mut self.jacobian);
        let [here, there] = &mut self.values;
        system.constraint(t, q, here);
        system.space().compose_exp(q, &self.way, &mut self.near);
        system.constraint(t, &self.near, there);
        there.axpy(M::Scalar::from_f64(-1.0), here);
        system.jacobian_times(&self.jacobian, &self.way, here);
        there.axpy(M::Scalar::from_f64(-1.0), here);
        // Rows of velocities are no positions.
        for row in system.holonomic_rows()..there.component_count() {
            there.set_component(row, M::Scalar::from_f64(0.0));
        }
        self.solve(system)
    }

    /// The same of v, at q and at what is as far from it as the round-off of positions.
    fn of_velocities(&mut self, system: &M, time: f64, q: &M::Configuration, v: &M::Velocity) -> Result<f64, KktError> {
        let t = M::Scalar::from_f64(time);
        let [here, there] = &mut self.values;
        system.space().compose_exp(q, &self.change, &mut self.near);
        system.constraint_jacobian(t, &self.near, &mut self.jacobian);
        system.jacobian_times(&self.jacobian, v, there);
        system.constraint_jacobian(t, q, &mut self.jacobian);
        system.jacobian_times(&self.jacobian, v, here);
        there.axpy(M::Scalar::from_f64(-1.0), here);
        self.solve(system)
    }

    /// The correction for the second values, and its length.
    fn solve(&mut self, system: &M) -> Result<f64, KktError> {
        let Self { mass, jacobian, zero, change, values: [_, there], multipliers, .. } = self;
        system.solve_kkt(mass, jacobian, jacobian, zero, there, change, multipliers)?;
        Ok(change.dot(change).value().sqrt())
    }
}
