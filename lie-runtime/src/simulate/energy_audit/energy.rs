//! Energy and work integrals of a mechanical system.
//!
//! Powers are integrated over a step with the two-point Gauss quadrature along the cubic interpolant. Its error in v is antisymmetric about
//! the midpoint, so that the error of the integral is O(h⁴).

use super::balance::Balance;
use crate::group::TangentVector;
use crate::integrator::{Solution, State};
use crate::scalar::Scalar;
use crate::scalar::difference::central;
use crate::simulate::checks::total;
use crate::simulate::consistent::ConsistentValues;
use crate::space::cubic::Cubic;
use crate::system::MechanicalSystem;

/// The Gauss nodes 1/2 ± √3/6; both weights are 1/2.
const NODES: [f64; 2] = [0.211_324_865_405_187_13, 0.788_675_134_594_812_9];
/// ∂L/∂t is a difference quotient over this part of a step; all its points are within the step.
const SPREAD: f64 = 0.1;

/// Returns the names of the declared forces and dissipations.
pub(in crate::simulate) fn suppliers<M: MechanicalSystem>(system: &M, state: &State<M>) -> Vec<&'static str> {
    let mut names = Vec::new();
    system.powers(M::Scalar::from_f64(state.time), &state.configuration, &state.velocity, &mut |name, _| {
        if !names.contains(&name) {
            names.push(name);
        }
    });
    names
}

/// Energy and work integrals of a mechanical system.
pub(super) struct WorkIntegrals<M: MechanicalSystem> {
    /// The state after the last step.
    last: State<M>,
    /// The energy of this state.
    energy: f64,
    /// The work up to this state.
    work: Vec<(&'static str, f64)>,
    /// True if the declaration provides all powers.
    tells: bool,
    /// Index of the work of moving constraints in the list; explicit time dependence and jumps follow.
    others: Option<usize>,
    /// The initial energy.
    start: f64,
    defect: f64,
    cubic: Cubic<M::Space>,
    /// The state at a quadrature node.
    node: State<M>,
    consistent: ConsistentValues<M>,
    b: M::Multipliers,
    room: M::Velocity,
}

impl<M: MechanicalSystem> WorkIntegrals<M> {
    /// Starts at a state.
    pub fn open<'a>(system: &M, state: &State<M>, may_jump: bool) -> Box<dyn EnergyTracker<State<M>> + 'a>
    where
        M: 'a,
    {
        let conserves = system.description().conserves_energy && !may_jump;
        let (t, q, v) = (M::Scalar::from_f64(state.time), &state.configuration, &state.velocity);
        let tells = system.powers(t, q, v, &mut |_, _| {}) || conserves;
        let mut work: Vec<(&'static str, f64)> = suppliers(system, state).into_iter().map(|name| (name, 0.0)).collect();
        let others = (tells && !conserves).then_some(work.len());
        if others.is_some() {
            work.extend([Balance::CONSTRAINTS, Balance::TIME, Balance::JUMPS].map(|name| (name, 0.0)));
        }
        let mut room = system.zero_velocity();
        let energy = total(system, state, &mut room);
        Box::new(WorkIntegrals {
            last: state.clone(),
            energy,
            work,
            tells,
            others,
            start: energy,
            defect: 0.0,
            cubic: Cubic::of(system.space()),
            node: state.clone(),
            consistent: ConsistentValues::of(system),
            b: system.zero_multipliers(),
            room,
        })
    }

    /// Adds the work between the last state and another one to `work`.
    fn add(&mut self, system: &M, to: &State<M>, work: &mut [(&'static str, f64)]) {
        let h = to.time - self.last.time;
        if work.is_empty() || h <= 0.0 {
            return;
        }
        let space = system.space();
        let ends = [&self.last, to].map(|state| (&state.configuration, &state.velocity));
        self.cubic.join(space, h, ends[0], ends[1]);
        for node in NODES {
            let (time, q, v) = (self.last.time + node * h, &mut self.node.configuration, &mut self.node.velocity);
            self.cubic.at(space, &self.last.configuration, node, q, v);
            self.node.time = time;
            let weight = 0.5 * h;
            system.powers(M::Scalar::from_f64(time), q, v, &mut |name, power| {
                if let Some((_, work)) = work.iter_mut().find(|(own, _)| *own == name) {
                    *work += weight * power;
                }
            });
            if let Some(at) = self.others {
                work[at].1 += weight * self.power_of_constraints(system);
                work[at + 1].1 += weight * self.power_of_time(system, SPREAD * h);
            }
        }
    }

    /// λᵀ b, with λ of the index-1 system.
    fn power_of_constraints(&mut self, system: &M) -> f64 {
        system.constraint_drift(M::Scalar::from_f64(self.node.time), &self.node.configuration, &mut self.b);
        if self.b.component_count() == 0 || self.b.max_norm() == 0.0 {
            return 0.0;
        }
        match self.consistent.accelerations(system, &mut self.node) {
            Ok(()) => self.node.multipliers.dot(&self.b).value(),
            Err(_) => f64::NAN,
        }
    }

    /// −∂L/∂t by a difference quotient of fourth order.
    fn power_of_time(&self, system: &M, spread: f64) -> f64 {
        let State { time, configuration: q, velocity: v, .. } = &self.node;
        let lagrangian = |offset: f64| {
            let t = M::Scalar::from_f64(time + offset * spread);
            system.kinetic_energy(t, q, v).value() - system.potential_energy(t, q).value()
        };
        let difference = |offset: f64| lagrangian(offset) - lagrangian(-offset);
        -central(difference(1.0), difference(2.0), spread)
    }
}

impl<M: MechanicalSystem> EnergyTracker<State<M>> for WorkIntegrals<M> {
    fn advance(&mut self, system: &M, to: &State<M>) {
        (self.energy, self.work) = self.at(system, to);
        let supplied: f64 = self.work.iter().map(|(_, work)| work).sum();
        self.defect = largest(self.defect, (self.energy - self.start - supplied).abs());
        self.last.clone_from(to);
    }

    fn jump(&mut self, system: &M, state: &State<M>) {
        let energy = total(system, state, &mut self.room);
        if let Some(at) = self.others {
            self.work[at + 2].1 += energy - self.energy;
        }
        self.energy = energy;
        self.last.clone_from(state);
    }

    fn at(&mut self, system: &M, state: &State<M>) -> (f64, Vec<(&'static str, f64)>) {
        let mut work = self.work.clone();
        self.add(system, state, &mut work);
        (total(system, state, &mut self.room), work)
    }

    fn defect(&self) -> Option<f64> {
        self.tells.then_some(self.defect)
    }
}

/// Computes the energy and the work along a motion.
pub(super) trait EnergyTracker<S: Solution> {
    /// Processes a step to a state.
    fn advance(&mut self, system: &S::System, to: &S);
    /// Processes a discontinuous change of the system and the state.
    fn jump(&mut self, system: &S::System, state: &S);
    /// Returns the energy and the work at a state within or at the end of the last step.
    fn at(&mut self, system: &S::System, state: &S) -> (f64, Vec<(&'static str, f64)>);
    /// Returns the largest |E − E₀ − work| after any step, if all powers are known.
    fn defect(&self) -> Option<f64>;
}

/// Creates a tracker at the initial state. The flag is true if events or controllers may change the motion.
pub(super) type OpenTracker<'a, S> = fn(&<S as Solution>::System, &S, bool) -> Box<dyn EnergyTracker<S> + 'a>;

/// Returns the larger value; NaN if either is NaN.
pub(super) fn largest(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

/// Energy without work integrals, for runs that only record momenta.
pub(super) struct EnergyOnly<M: MechanicalSystem> {
    room: M::Velocity,
}

impl<M: MechanicalSystem> EnergyOnly<M> {
    pub fn open<'a>(system: &M, _: &State<M>, _: bool) -> Box<dyn EnergyTracker<State<M>> + 'a>
    where
        M: 'a,
    {
        Box::new(EnergyOnly::<M> { room: system.zero_velocity() })
    }
}

impl<M: MechanicalSystem> EnergyTracker<State<M>> for EnergyOnly<M> {
    fn advance(&mut self, _: &M, _: &State<M>) {}
    fn jump(&mut self, _: &M, _: &State<M>) {}
    fn at(&mut self, system: &M, state: &State<M>) -> (f64, Vec<(&'static str, f64)>) {
        (total(system, state, &mut self.room), Vec::new())
    }
    fn defect(&self) -> Option<f64> {
        None
    }
}
