//! A system that counts the calls of its kernels.

use std::cell::Cell;
use std::rc::Rc;

use lie_runtime::space::ConfigurationSpace;
use lie_runtime::system::{Description, KktError, MechanicalSystem};

/// How often each kernel was called.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Calls {
    pub kkt: usize,
    pub mass: usize,
    pub solve_mass: usize,
    pub force: usize,
    pub jacobian: usize,
    pub exponential: usize,
    pub tangent_inverse: usize,
}

/// Counts the evaluations of `system`.
pub struct Counting<M: MechanicalSystem> {
    system: M,
    space: CountingSpace<M::Space>,
    calls: Rc<Cell<Calls>>,
}

/// Counts the calls of the configuration space.
#[derive(Clone, Debug)]
pub struct CountingSpace<P> {
    space: P,
    calls: Rc<Cell<Calls>>,
}

fn count(calls: &Cell<Calls>, change: impl FnOnce(&mut Calls)) {
    let mut own = calls.get();
    change(&mut own);
    calls.set(own);
}

impl<P: ConfigurationSpace> ConfigurationSpace for CountingSpace<P> {
    type Scalar = P::Scalar;
    type Configuration = P::Configuration;
    type Velocity = P::Velocity;

    fn dof(&self) -> usize {
        self.space.dof()
    }
    fn zero_velocity(&self) -> P::Velocity {
        self.space.zero_velocity()
    }
    fn compose_exp(&self, q: &P::Configuration, theta: &P::Velocity, out: &mut P::Configuration) {
        count(&self.calls, |calls| calls.exponential += 1);
        self.space.compose_exp(q, theta, out);
    }
    fn log_difference(&self, from: &P::Configuration, to: &P::Configuration, out: &mut P::Velocity) {
        self.space.log_difference(from, to, out);
    }
    fn tangent_inverse(&self, theta: &P::Velocity, v: &P::Velocity, out: &mut P::Velocity) {
        count(&self.calls, |calls| calls.tangent_inverse += 1);
        self.space.tangent_inverse(theta, v, out);
    }
    fn tangent(&self, theta: &P::Velocity, v: &P::Velocity, out: &mut P::Velocity) {
        self.space.tangent(theta, v, out);
    }
    fn coadjoint(&self, v: &P::Velocity, p: &P::Velocity, out: &mut P::Velocity) {
        self.space.coadjoint(v, p, out);
    }
    fn is_finite(&self, q: &P::Configuration) -> bool {
        self.space.is_finite(q)
    }
}

impl<M: MechanicalSystem> Counting<M> {
    pub fn of(system: M) -> Self {
        let calls = Rc::<Cell<Calls>>::default();
        let space = CountingSpace { space: system.space().clone(), calls: Rc::clone(&calls) };
        Counting { system, space, calls }
    }

    /// The calls that `run` makes.
    pub fn during(&self, run: impl FnOnce()) -> Calls {
        self.calls.set(Calls::default());
        run();
        self.calls.get()
    }

    fn count(&self, change: impl FnOnce(&mut Calls)) {
        count(&self.calls, change);
    }
}

impl<M: MechanicalSystem> MechanicalSystem for Counting<M> {
    type Scalar = M::Scalar;
    type Configuration = M::Configuration;
    type Velocity = M::Velocity;
    type Space = CountingSpace<M::Space>;
    type Multipliers = M::Multipliers;
    type Jacobian = M::Jacobian;
    type Mass = M::Mass;

    fn description(&self) -> &Description {
        self.system.description()
    }
    fn space(&self) -> &CountingSpace<M::Space> {
        &self.space
    }
    fn constraint_rows(&self) -> usize {
        self.system.constraint_rows()
    }
    fn holonomic_rows(&self) -> usize {
        self.system.holonomic_rows()
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
    fn mass(&self, t: M::Scalar, q: &M::Configuration, out: &mut M::Mass) -> Result<(), KktError> {
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
    fn solve_kkt(
        &self,
        mass: &mut M::Mass,
        first: &M::Jacobian,
        second: &M::Jacobian,
        force: &M::Velocity,
        constraint: &M::Multipliers,
        acceleration: &mut M::Velocity,
        multipliers: &mut M::Multipliers,
    ) -> Result<(), KktError> {
        self.count(|calls| calls.kkt += 1);
        self.system.solve_kkt(mass, first, second, force, constraint, acceleration, multipliers)
    }
    fn kinetic_energy(&self, t: M::Scalar, q: &M::Configuration, v: &M::Velocity) -> M::Scalar {
        self.system.kinetic_energy(t, q, v)
    }
    fn potential_energy(&self, t: M::Scalar, q: &M::Configuration) -> M::Scalar {
        self.system.potential_energy(t, q)
    }
}
