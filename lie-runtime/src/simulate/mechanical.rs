//! Simulations of mechanical systems: from consistent initial values.

use super::balance::Watched;
use super::consistency::{Consistency, ConsistencyError};
use super::consistent::ConsistentValues;
use super::energy::{Energy, FASTER};
use super::error::{Failure, SetupError};
use super::growth::{Growth, UNACCOUNTED};
use super::leap::Leap;
use super::motion::{Guard, Motion, Options};
use super::passage::{Passage, Poles};
use super::rank::RankWatch;
use super::stall::{Jump, components, find_jump};
use super::trajectory::SmallestSingularValue;
use super::watch::Watch;
use crate::group::TangentVector;
use crate::inputs::InputError;
use crate::integrator::{HalfExplicit, LocalError, State, StepController, StepError, StepFailure};
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;
use crate::system::{DeclarationError, Description, MechanicalSystem, ModelError};

/// Under this part of a step the multipliers of a sample come from the index-1 system: those of a step of size σh carry
/// round-off divided by σh.
pub(crate) const SHORT_SAMPLE: f64 = 1e-3;

/// Velocities about a direction of S² under this part of all are round-off.
const SPIN: f64 = 1e-6;

impl<M: MechanicalSystem> Motion for State<M> {
    type Scalar = M::Scalar;
    type Method = HalfExplicit;
    type Guard = Mechanical<M>;

    fn method() -> HalfExplicit {
        HalfExplicit::hedop5()
    }
    fn description(system: &M) -> Option<&Description> {
        Some(system.description())
    }

    fn powers(&self, system: &M) -> Vec<&'static str> {
        let mut names = Vec::new();
        system.powers(M::Scalar::from_f64(self.time), &self.configuration, &self.velocity, &mut |name, _| {
            if !names.contains(&name) {
                names.push(name);
            }
        });
        names
    }

    fn watched<'a>(&self, system: &M, watched: Option<Watched<'a, Self>>) -> Option<Watched<'a, Self>>
    where
        M: 'a,
    {
        Watched::with_symmetries(watched, system, self)
    }

    /// |v|, unless it is at rest.
    fn size(&self) -> f64 {
        let speed = self.velocity.max_norm();
        if speed > 0.0 { speed } else { 1.0 }
    }
    fn bytes(&self) -> usize {
        // Three vectors and a configuration of at most about as many numbers as two more.
        let numbers = 5 * self.velocity.component_count() + self.multipliers.component_count();
        size_of::<Self>().max(numbers * size_of::<M::Scalar>())
    }
    fn forget(&mut self) {
        self.memory.forget();
    }
    fn belongs_to(&self, system: &M) -> Result<(), ModelError> {
        State::check(self, system)
    }
    fn check(&self, system: &M, options: &Options) -> Result<(), SetupError> {
        let finite = |holds, value| {
            if holds { Ok(()) } else { Err(SetupError::NotFinite { value }) }
        };
        self.belongs_to(system).map_err(SetupError::ForeignState)?;
        finite(self.time.is_finite(), "time")?;
        finite(system.space().is_finite(&self.configuration), "configuration")?;
        finite(self.velocity.all_finite(), "velocity")?;
        finite(self.multipliers.all_finite(), "multiplier")?;
        finite(self.acceleration.all_finite(), "acceleration")?;
        let limit = |option, value: f64| {
            if value >= 0.0 { Ok(()) } else { Err(SetupError::Limit { option, value }) }
        };
        limit("allowing_initial_correction", options.largest_correction())?;
        limit("constraint_tolerance", options.constraint_tolerance)?;
        limit("allowing_growth", options.growth.unwrap_or_default())?;
        if !options.project {
            self.check_spins(system)?;
        }
        if options.project || options.held.is_empty() { Ok(()) } else { Err(SetupError::NothingToHold) }
    }
    fn ensure_inputs(&self, system: &M, end: f64) -> Result<(), InputError> {
        system.ensure_inputs(self.time, end)
    }
    fn ensure_finite_inputs(&self, system: &M, step: f64) -> Result<(), InputError> {
        system.ensure_finite_inputs(M::Scalar::from_f64(self.time + step), &self.configuration, &self.velocity)
    }
    /// Without what turns directions about themselves, which is left out before the start.
    fn check_declaration(&self, system: &M) -> Result<(), DeclarationError> {
        let mut velocity = self.velocity.clone();
        system.space().remove_spins(&self.configuration, &mut velocity);
        system.check_against_declaration(M::Scalar::from_f64(self.time), &self.configuration, &velocity)
    }
    fn consistent(self, system: &M, options: &Options) -> Result<(Self, Consistency), Failure> {
        if !options.project {
            return Ok((self.gone_on_from(system, options)?, Consistency::default()));
        }
        let mut values = ConsistentValues::of(system).holding(system, &options.held).map_err(Failure::Setup)?;
        let speed = self.velocity.max_norm();
        let projected = values.state(system, self.time, self.configuration, self.velocity);
        let (state, consistency) = projected.map_err(Failure::InitialValues)?;
        consistency.check(options.largest_correction(), speed).map_err(Failure::InitialValues)?;
        Ok((state, consistency))
    }

    fn estimate(system: &M) -> LocalError<M> {
        LocalError::of(system)
    }
    fn indicator(controller: &StepController, from: &Self, to: &Self, estimate: &LocalError<M>) -> f64 {
        controller.error_norm(from, to, estimate)
    }
    fn moved(&self, system: &M, time: f64, out: &mut Self) {
        let h = M::Scalar::from_f64(time);
        let mut way = self.velocity.clone();
        way.scale(h);
        out.clone_from(self);
        system.space().compose_exp(&self.configuration, &way, &mut out.configuration);
        out.velocity.axpy(h, &self.acceleration);
        out.time += time;
    }
    fn carry(&mut self, system: &M, from: M::Scalar, by: M::Scalar) -> Result<(), Failure> {
        let mut values = ConsistentValues::of(system);
        values.accelerations_at(system, from, self).map_err(Failure::InitialValues)?;
        let (q, mut way) = (self.configuration.clone(), self.velocity.clone());
        way.scale(by);
        system.space().compose_exp(&q, &way, &mut self.configuration);
        self.velocity.axpy(by, &self.acceleration);
        values.accelerations_at(system, from + by, self).map_err(Failure::InitialValues)
    }
    /// v and v'.
    fn speed(&self) -> (f64, f64) {
        (self.velocity.max_norm(), self.acceleration.max_norm())
    }
}

impl<M: MechanicalSystem> State<M> {
    /// The state as one to go on from: on the constraints, or as far off as the run that has recorded it has let it be. One that
    /// is no motion of the system, as after a change of parameters, gets λ and v' of its own, and a method begins anew there.
    fn gone_on_from(mut self, system: &M, options: &Options) -> Result<Self, Failure> {
        let mut values = ConsistentValues::of(system);
        let watch = Watch::of(system, &self, options.constraint_tolerance);
        if watch.is_some_and(|watch| !watch.knows(&self)) {
            let (projection, limit) =
                (values.configuration_off(system, self.time, &self.configuration), options.largest_correction());
            // What is NaN is within no limit.
            let is_within = projection.largest <= limit;
            if !is_within {
                return Err(Failure::InitialValues(ConsistencyError::OffToGoOn { projection, limit }));
            }
        }
        if !values.explain(system, &self) {
            self.memory.forget();
            values.accelerations(system, &mut self).map_err(Failure::InitialValues)?;
        }
        Ok(self)
    }

    /// Refuses what turns a direction about itself; recorded states have round-off of it.
    fn check_spins(&self, system: &M) -> Result<(), SetupError> {
        let mut spins = self.velocity.clone();
        system.space().remove_spins(&self.configuration, &mut spins);
        spins.axpy(-<M::Scalar as num_traits::One>::one(), &self.velocity);
        let spin = spins.max_norm();
        if spin <= SPIN * (1.0 + self.velocity.max_norm()) {
            return Ok(());
        }
        let component = (0..spins.component_count()).find(|&at| spins.component(at).value().abs() >= spin);
        let member = component.map_or("configuration", |at| system.description().member_of_component(at));
        Err(SetupError::Spin { member, spin })
    }
}

/// Looks whether a motion stays on its constraints, does not blow up and gains no energy that nothing gives it.
pub struct Mechanical<M: MechanicalSystem> {
    /// True if λ and v' of the index-1 system are asked for.
    full_order: bool,
    consistent: ConsistentValues<M>,
    watch: Option<Watch<M>>,
    rank: Option<RankWatch>,
    growth: Growth<M>,
    energy: Option<Energy<M>>,
    leap: Option<Leap<M>>,
    passage: Option<Passage<M>>,
    poles: Option<Poles<M>>,
    /// The last state that was looked at and found good.
    good: State<M>,
}

impl<M: MechanicalSystem> Mechanical<M> {
    /// λ and v' of the index-1 system.
    fn accelerate(&mut self, system: &M, state: &mut State<M>) -> Result<(), Failure> {
        self.consistent.accelerations(system, state).map_err(|error| match error {
            ConsistencyError::Failed(failure) => Failure::Step(StepError { time: state.time, step: 0.0, failure }),
            error => Failure::InitialValues(error),
        })
    }
}

impl<M: MechanicalSystem> Guard<State<M>> for Mechanical<M> {
    fn of(system: &M, state: &State<M>, options: &Options) -> Self {
        Mechanical {
            full_order: options.full_order_multipliers,
            consistent: ConsistentValues::of(system),
            watch: Watch::of(system, state, options.constraint_tolerance),
            rank: (options.rank && system.constraint_rows() > 0).then(RankWatch::new),
            growth: Growth::from(system, state, options.growth.unwrap_or(UNACCOUNTED)),
            energy: Energy::of(system, state, options.growth.unwrap_or(FASTER)),
            leap: Leap::from(system, state),
            passage: Passage::of(system, state),
            poles: Poles::of(system),
            good: state.clone(),
        }
    }

    fn is_crossing_ahead(&mut self, system: &M, from: &State<M>, h: f64) -> bool {
        if const { !M::REDUNDANCY.is_minimum_norm() } {
            return false;
        }
        self.passage.as_mut().is_some_and(|passage| passage.is_ahead(system, &mut self.consistent, from, h))
    }

    fn cross(
        &mut self,
        system: &M,
        failed: StepError,
        from: &State<M>,
        h: f64,
        to: &mut State<M>,
    ) -> Result<(), StepError> {
        if const { !M::REDUNDANCY.is_minimum_norm() } {
            return Err(failed);
        }
        match &mut self.passage {
            Some(passage) if failed.failure.may_be_of_lost_rank() => {
                let passed = passage.cross(system, &mut self.consistent, from, h, to);
                passed.map_err(|_| match failed.failure {
                    StepFailure::MultipliersJump | StepFailure::SingularConstraints { .. } => {
                        StepError { failure: StepFailure::RankLost, ..failed }
                    }
                    _ => failed,
                })
            }
            _ => Err(failed),
        }
    }

    fn look_at_pole(
        &mut self,
        system: &M,
        states: [&State<M>; 2],
        step: &mut dyn FnMut(&State<M>, f64, &mut State<M>) -> Result<(), StepError>,
    ) -> Result<(), StepError> {
        self.poles.as_mut().map_or(Ok(()), |poles| poles.look(system, &mut self.consistent, states, step))
    }

    fn look(&mut self, system: &M, state: &State<M>, step: Option<f64>, is_explicit: bool) -> Result<(), Failure> {
        if let Some(watch) = &mut self.watch {
            watch.look(system, state.time, &state.configuration, step.is_some())?;
        }
        if let Some(rank) = &mut self.rank {
            rank.look(system, state.time, &state.configuration)?;
        }
        if let Some(h) = step {
            let diverged = |divergence| Failure::Diverged { time: state.time, divergence: Box::new(divergence) };
            self.growth.look(system, state, h, is_explicit).map_err(diverged)?;
            if let Some((part, limit)) = self.energy.as_mut().and_then(|energy| energy.look(system, state)) {
                return Err(Failure::EnergyGained { time: state.time, part, limit });
            }
        }
        if step.is_some() || self.watch.is_some() {
            self.good.clone_from(state);
        }
        Ok(())
    }

    fn passes(&mut self) -> bool {
        self.energy.as_mut().is_some_and(Energy::passes) || self.leap.is_some()
    }

    fn note(&mut self, system: &M, state: &State<M>) -> Result<(), Failure> {
        if let Some(energy) = &mut self.energy {
            energy.note(system, state);
        }
        self.leap.as_mut().map_or(Ok(()), |leap| leap.look(system, state))
    }

    fn jump(&self, system: &M, from: &State<M>, to: &State<M>) -> Option<Jump> {
        let t = M::Scalar::from_f64(from.time);
        let (mut theta, mut change) = (system.zero_velocity(), to.velocity.clone());
        system.space().log_difference(&from.configuration, &to.configuration, &mut theta);
        change.axpy(-<M::Scalar as num_traits::One>::one(), &from.velocity);
        let mut q = from.configuration.clone();
        find_jump(&mut |s| {
            let (part, mut v, mut way) = (M::Scalar::from_f64(s), from.velocity.clone(), theta.clone());
            way.scale(part);
            system.space().compose_exp(&from.configuration, &way, &mut q);
            v.axpy(part, &change);
            let mut force = system.zero_velocity();
            system.force(t, &q, &v, &mut force);
            Some(components(&force))
        })
    }

    fn explain(&self, system: &M, failure: Failure, state: State<M>, is_explicit: bool) -> (Failure, State<M>) {
        match failure {
            Failure::Step(error) => match self.growth.explain(system, &state, &error, is_explicit) {
                Some(divergence) => {
                    (Failure::Diverged { time: state.time, divergence: Box::new(divergence) }, self.growth.calm.clone())
                }
                None => (Failure::Step(error), state),
            },
            Failure::Diverged { .. } => (failure, self.growth.calm.clone()),
            Failure::OffConstraints { .. } | Failure::EnergyGained { .. } => (failure, self.good.clone()),
            _ => (failure, state),
        }
    }

    /// Notes what was seen of the constraints; replaces λ and v' by those of the index-1 system where that is asked for or better.
    fn complete(&mut self, system: &M, state: &mut State<M>, part: f64) -> Result<(), Failure> {
        if let Some(watch) = &self.watch {
            watch.mark(state);
        }
        if !self.full_order && part >= SHORT_SAMPLE {
            return Ok(());
        }
        self.accelerate(system, state)
    }

    fn begin_anew(&mut self, system: &M, state: &mut State<M>) -> Result<(), Failure> {
        state.memory.forget();
        self.accelerate(system, state)
    }

    /// The constraints may be others now, and energy may have gone.
    fn change(&mut self, system: &M, state: &State<M>, options: &Options) {
        let (residual, gained, rank) = (self.position_residual(), self.energy_gained(), self.rank.take());
        let crossings = self.crossings();
        *self = Self::of(system, state, options);
        if let Some(passage) = &mut self.passage {
            passage.count = crossings;
        }
        if let Some(watch) = &mut self.watch {
            watch.largest = residual;
        }
        if let (Some(energy), Some(gained)) = (&mut self.energy, gained) {
            energy.gained = gained;
        }
        self.rank = rank;
    }

    fn position_residual(&self) -> f64 {
        self.watch.as_ref().map_or(0.0, |watch| watch.largest)
    }
    fn energy_gained(&self) -> Option<f64> {
        self.energy.as_ref().map(|energy| energy.gained)
    }
    fn crossings(&self) -> usize {
        self.passage.as_ref().map_or(0, |passage| passage.count)
    }
    fn smallest_singular_value(&self) -> Option<SmallestSingularValue> {
        self.rank.as_ref().map(|rank| rank.smallest).filter(|smallest| !smallest.time.is_nan())
    }
}
