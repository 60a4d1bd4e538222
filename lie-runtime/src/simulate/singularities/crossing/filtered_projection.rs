//! Projection onto the constraint manifold without corrections by round-off.
//!
//! At the distance θ from a singular configuration, the round-off ε of constraint values causes position corrections of ε / θ and velocity
//! corrections of ε / θ². This is more than the error of the motion. Corrections of this size are not applied.

use crate::group::TangentVector;
use crate::integrator::State;
use crate::scalar::Scalar;
use crate::simulate::consistent::ConsistentValues;
use crate::space::ConfigurationSpace;
use crate::system::{KktError, MechanicalSystem};

/// Distance, in the units of θ, at which constraint values are compared with their linearisation. The difference consists of round-off and
/// a term of second order.
const DISTANCE: f64 = 1e-9;
/// Lower bound of a correction, in multiples of the correction by round-off.
const CERTAIN: f64 = 8.0;

/// Velocity corrections below this part of the velocity are not applied.
const NOTHING: f64 = 1e-13;

/// Projects configurations and velocities onto the constraint manifold as far as round-off permits.
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

    /// Computes M⁻¹ f at a state for the forces without constraint forces.
    pub fn free_acceleration(&mut self, system: &M, at: &State<M>, out: &mut M::Velocity) -> Result<(), KktError> {
        let t = M::Scalar::from_f64(at.time);
        system.mass(t, &at.configuration, &mut self.mass)?;
        system.force(t, &at.configuration, &at.velocity, &mut self.change);
        system.solve_mass(&mut self.mass, &self.change, out);
        Ok(())
    }

    /// Projects q and then v. Each correction is applied if it exceeds the round-off and is at most `largest`. A state in a singular
    /// configuration remains unchanged.
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

    /// Returns the length of the correction of q that corresponds to the round-off of the constraints. The correction remains in
    /// `self.change`.
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
        // Velocity constraints have no position residual.
        for row in system.holonomic_rows()..there.component_count() {
            there.set_component(row, M::Scalar::from_f64(0.0));
        }
        self.solve(system)
    }

    /// Returns the corresponding length for v: the difference of the residuals at q and at a distance that corresponds to the round-off of
    /// positions.
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

    /// Computes the correction for the second values and returns its length.
    fn solve(&mut self, system: &M) -> Result<f64, KktError> {
        let Self { mass, jacobian, zero, change, values: [_, there], multipliers, .. } = self;
        system.solve_kkt(mass, jacobian, jacobian, zero, there, change, multipliers)?;
        Ok(change.dot(change).value().sqrt())
    }
}
