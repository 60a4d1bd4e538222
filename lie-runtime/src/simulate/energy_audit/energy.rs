//! The audit of a mechanical system.
//!
//! Powers are integrated over a step by Gauss's two points along the cubic that joins its ends; the error of v there changes its sign
//! in the middle, so that an O(h⁴) is left.

use super::balance::Balance;
use crate::group::TangentVector;
use crate::integrator::{Solution, State};
use crate::scalar::Scalar;
use crate::scalar::difference::central;
use crate::simulate::checks::total;
use crate::simulate::consistent::ConsistentValues;
use crate::space::cubic::Cubic;
use crate::system::MechanicalSystem;

/// Gauss's points, 1/2 ± √3/6; the weights are halves.
const NODES: [f64; 2] = [0.211_324_865_405_187_13, 0.788_675_134_594_812_9];
/// ∂L/∂t is a difference over this part of a step, which is within the step at both points.
const SPREAD: f64 = 0.1;

/// The names of what gives energy to a motion or takes it, forces and dissipations.
pub(in crate::simulate) fn suppliers<M: MechanicalSystem>(system: &M, state: &State<M>) -> Vec<&'static str> {
    let mut names = Vec::new();
    system.powers(M::Scalar::from_f64(state.time), &state.configuration, &state.velocity, &mut |name, _| {
        if !names.contains(&name) {
            names.push(name);
        }
    });
    names
}

/// The audit of a mechanical system.
pub(super) struct WorkIntegrals<M: MechanicalSystem> {
    /// Where the last step has led.
    last: State<M>,
    /// The energy there.
    energy: f64,
    /// What has been given until then.
    work: Vec<(&'static str, f64)>,
    /// True if the declaration tells all that can give.
    tells: bool,
    /// The position of constraints in the list of works, which time and jumps follow.
    others: Option<usize>,
    /// The energy at the start.
    start: f64,
    defect: f64,
    cubic: Cubic<M::Space>,
    /// Where powers are looked at.
    node: State<M>,
    consistent: ConsistentValues<M>,
    b: M::Multipliers,
    room: M::Velocity,
}

impl<M: MechanicalSystem> WorkIntegrals<M> {
    /// From a state on.
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

    /// Adds to `work` what is given on the way from the last state to one.
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

    /// −∂L/∂t, a difference of fourth order.
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

/// What keeps the audit of the energy of a motion on its way.
pub(super) trait EnergyTracker<S: Solution> {
    /// A step has led to a state.
    fn advance(&mut self, system: &S::System, to: &S);
    /// The system and the state have changed at once.
    fn jump(&mut self, system: &S::System, state: &S);
    /// The energy and all work at a state, the last one or one on the way from it to the next.
    fn at(&mut self, system: &S::System, state: &S) -> (f64, Vec<(&'static str, f64)>);
    /// The largest |E − E₀ − work| after any step, if it can be told.
    fn defect(&self) -> Option<f64>;
}

/// Opens audit where a run starts; true if something may jump.
pub(super) type OpenTracker<'a, S> = fn(&<S as Solution>::System, &S, bool) -> Box<dyn EnergyTracker<S> + 'a>;

/// The larger one; NaN if one of them is.
pub(super) fn largest(a: f64, b: f64) -> f64 {
    if a.is_nan() || a > b { a } else { b }
}

/// WorkIntegrals of the energy that nobody has asked for: what it is where a state is recorded.
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
