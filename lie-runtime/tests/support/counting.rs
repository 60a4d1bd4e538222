//! A system that counts the calls of its kernels.

use std::cell::Cell;

use lie_runtime::system::{Description, MechanicalSystem, SaddleError};

/// How often each kernel was called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    pub saddle: usize,
    pub mass: usize,
    pub solve_mass: usize,
    pub force: usize,
    pub jacobian: usize,
    pub exponential: usize,
    pub tangent_inverse: usize,
}

/// Counts what is asked of `system`.
pub struct Counting<M> {
    system: M,
    calls: Cell<Calls>,
}

impl<M> Counting<M> {
    pub fn of(system: M) -> Self {
        Counting { system, calls: Cell::default() }
    }

    /// The calls that `run` makes.
    pub fn during(&self, run: impl FnOnce()) -> Calls {
        self.calls.set(Calls::default());
        run();
        self.calls.get()
    }

    fn count(&self, change: impl FnOnce(&mut Calls)) {
        let mut calls = self.calls.get();
        change(&mut calls);
        self.calls.set(calls);
    }
}

impl<M: MechanicalSystem> MechanicalSystem for Counting<M> {
    type Scalar = M::Scalar;
    type Configuration = M::Configuration;
    type Velocity = M::Velocity;
    type Multipliers = M::Multipliers;
    type Jacobian = M::Jacobian;
    type Mass = M::Mass;

    fn description(&self) -> &Description {
        self.system.description()
    }
    fn dof(&self) -> usize {
        self.system.dof()
    }
    fn constraint_rows(&self) -> usize {
        self.system.constraint_rows()
    }
    fn holonomic_rows(&self) -> usize {
        self.system.holonomic_rows()
    }
    fn zero_velocity(&self) -> M::Velocity {
        self.system.zero_velocity()
    }
    fn zero_multipliers(&self) -> M::Multipliers {
        self.system.zero_multipliers()
    }
    fn zero_jacobian(&self) -> M::Jacobian {
        self.system.zero_jacobian()
    }
    fn zero_mass(&self) -> M::Mass {
        self.system.zero_mass()
    }
    fn compose_exp(&self, q: &M::Configuration, theta: &M::Velocity, out: &mut M::Configuration) {
        self.count(|calls| calls.exponential += 1);
        self.system.compose_exp(q, theta, out);
    }
    fn log_difference(&self, from: &M::Configuration, to: &M::Configuration, out: &mut M::Velocity) {
        self.system.log_difference(from, to, out);
    }
    fn tangent_inverse(&self, theta: &M::Velocity, v: &M::Velocity, out: &mut M::Velocity) {
        self.count(|calls| calls.tangent_inverse += 1);
        self.system.tangent_inverse(theta, v, out);
    }
    fn tangent(&self, theta: &M::Velocity, v: &M::Velocity, out: &mut M::Velocity) {
        self.system.tangent(theta, v, out);
    }
    fn configuration_is_finite(&self, q: &M::Configuration) -> bool {
        self.system.configuration_is_finite(q)
    }
    fn mass(&self, t: M::Scalar, q: &M::Configuration, out: &mut M::Mass) -> Result<(), SaddleError> {
        self.count(|calls| calls.mass += 1);
        self.system.mass(t, q, out)
    }
    fn solve_mass(&self, mass: &mut M::Mass, force: &M::Velocity, acceleration: &mut M::Velocity) {
        self.count(|calls| calls.solve_mass += 1);
        self.system.solve_mass(mass, force, acceleration);
    }
    fn force(&self, t: M::Scalar, q: &M::Configuration, v: &M::Velocity, out: &mut M::Velocity) {
        self.count(|calls| calls.force += 1);
        self.system.force(t, q, v, out);
    }
    fn constraint(&self, t: M::Scalar, q: &M::Configuration, out: &mut M::Multipliers) {
        self.system.constraint(t, q, out);
    }
    fn constraint_jacobian(&self, t: M::Scalar, q: &M::Configuration, out: &mut M::Jacobian) {
        self.count(|calls| calls.jacobian += 1);
        self.system.constraint_jacobian(t, q, out);
    }
    fn constraint_drift(&self, t: M::Scalar, q: &M::Configuration, out: &mut M::Multipliers) {
        self.system.constraint_drift(t, q, out);
    }
    fn constraint_curvature(&self, t: M::Scalar, q: &M::Configuration, v: &M::Velocity, out: &mut M::Multipliers) {
        self.system.constraint_curvature(t, q, v, out);
    }
    fn jacobian_times(&self, jacobian: &M::Jacobian, v: &M::Velocity, out: &mut M::Multipliers) {
        self.system.jacobian_times(jacobian, v, out);
    }
    fn jacobian_transpose_times(&self, jacobian: &M::Jacobian, multipliers: &M::Multipliers, out: &mut M::Velocity) {
        self.system.jacobian_transpose_times(jacobian, multipliers, out);
    }
    fn solve_saddle(
        &self,
        mass: &mut M::Mass,
        first: &M::Jacobian,
        second: &M::Jacobian,
        force: &M::Velocity,
        constraint: &M::Multipliers,
        acceleration: &mut M::Velocity,
        multipliers: &mut M::Multipliers,
    ) -> Result<(), SaddleError> {
        self.count(|calls| calls.saddle += 1);
        self.system.solve_saddle(mass, first, second, force, constraint, acceleration, multipliers)
    }
    fn kinetic_energy(&self, t: M::Scalar, q: &M::Configuration, v: &M::Velocity) -> M::Scalar {
        self.system.kinetic_energy(t, q, v)
    }
    fn potential_energy(&self, t: M::Scalar, q: &M::Configuration) -> M::Scalar {
        self.system.potential_energy(t, q)
    }
}
