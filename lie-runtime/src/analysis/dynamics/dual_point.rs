//! A state on dual numbers: exact derivatives of momenta, potentials and rates.

use crate::group::TangentVector;
use crate::scalar::Dual;
use crate::space::ConfigurationSpace;
use crate::system::{Liftable, MechanicalSystem, Momentum, MultibodySystem};

/// The system on dual numbers, with buffers for a state.
pub(super) struct DualPoint<M: Liftable> {
    lifted: M::Lifted,
    /// q.
    start: <M::Lifted as MechanicalSystem>::Configuration,
    /// q exp(ε w).
    moved: <M::Lifted as MechanicalSystem>::Configuration,
    /// ε w.
    direction: <M::Lifted as MechanicalSystem>::Velocity,
    velocity: <M::Lifted as MechanicalSystem>::Velocity,
    momentum: <M::Lifted as MechanicalSystem>::Velocity,
}

/// A dual number.
fn dual(re: f64, eps: f64) -> Dual<f64> {
    Dual { re, eps }
}

impl<M: MultibodySystem> DualPoint<M> {
    /// Allocates the buffers.
    pub(super) fn of(system: &M, q: &M::Configuration) -> Self {
        let (lifted, start) = (system.lift(), system.lift_configuration(q));
        let [direction, velocity, momentum] = [(); 3].map(|()| lifted.zero_velocity());
        DualPoint { moved: start.clone(), lifted, start, direction, velocity, momentum }
    }

    /// Sets the velocity, without derivatives.
    fn set_velocity(&mut self, v: &M::Velocity) {
        for at in 0..v.component_count() {
            self.velocity.set_component(at, dual(v.component(at), 0.0));
        }
    }

    /// Moves q along a component of the velocity.
    fn move_along(&mut self, component: usize) {
        self.direction.fill(dual(0.0, 0.0));
        self.direction.set_component(component, dual(0.0, 1.0));
        self.lifted.space().compose_exp(&self.start, &self.direction, &mut self.moved);
    }

    /// Returns (t + ε, q exp(ε v), v), the motion at constant velocity.
    #[allow(clippy::type_complexity)] // (system, time, configuration, velocity) on dual numbers.
    pub(super) fn along_motion(
        &mut self,
        system: &M,
        (t, q, v): (f64, &M::Configuration, &M::Velocity),
    ) -> (
        &M::Lifted,
        Dual<f64>,
        &<M::Lifted as MechanicalSystem>::Configuration,
        &<M::Lifted as MechanicalSystem>::Velocity,
    ) {
        system.lift_configuration_onto(q, &mut self.start);
        self.set_velocity(v);
        for at in 0..v.component_count() {
            self.direction.set_component(at, dual(0.0, v.component(at)));
        }
        self.lifted.space().compose_exp(&self.start, &self.direction, &mut self.moved);
        (&self.lifted, dual(t, 1.0), &self.moved, &self.velocity)
    }

    /// Adds Ṁ v − ½ D_q (vᵀ M v) to `out`.
    pub(super) fn add_inertial(
        &mut self,
        system: &M,
        (t, q, v): (f64, &M::Configuration, &M::Velocity),
        out: &mut M::Velocity,
    ) {
        self.along_motion(system, (t, q, v));
        self.lifted.momentum(dual(t, 1.0), &self.moved, &self.velocity, &mut self.momentum);
        for at in 0..system.dof() {
            out.set_component(at, out.component(at) + self.momentum.component(at).eps);
        }
        for at in 0..system.dof() {
            self.move_along(at);
            self.lifted.momentum(dual(t, 0.0), &self.moved, &self.velocity, &mut self.momentum);
            let derivative = self.velocity.dot(&self.momentum).eps;
            out.set_component(at, out.component(at) - 0.5 * derivative);
        }
    }

    /// Computes D_q V.
    pub(super) fn gradient_of_potential(&mut self, system: &M, t: f64, q: &M::Configuration, out: &mut M::Velocity) {
        system.lift_configuration_onto(q, &mut self.start);
        for at in 0..system.dof() {
            self.move_along(at);
            out.set_component(at, self.lifted.potential_energy(dual(t, 0.0), &self.moved).eps);
        }
    }

    /// Calls `visit` with (t, q) and the velocity ε e_i, for every component i.
    pub(super) fn derivatives_by_velocity(
        &mut self,
        system: &M,
        t: f64,
        q: &M::Configuration,
        mut visit: impl FnMut(
            &M::Lifted,
            Dual<f64>,
            &<M::Lifted as MechanicalSystem>::Configuration,
            &<M::Lifted as MechanicalSystem>::Velocity,
            usize,
        ),
    ) {
        system.lift_configuration_onto(q, &mut self.start);
        self.velocity.fill(dual(0.0, 0.0));
        for at in 0..system.dof() {
            self.velocity.set_component(at, dual(0.0, 1.0));
            visit(&self.lifted, dual(t, 0.0), &self.start, &self.velocity, at);
            self.velocity.set_component(at, dual(0.0, 0.0));
        }
    }
}
