//! Simulation of mechanical systems, from consistent initial values.

use super::mechanical_monitor::MechanicalMonitor;
use super::simulated::Motion;
use crate::group::TangentVector;
use crate::inputs::{InputError, SmoothStretch};
use crate::integrator::{HalfExplicit, LocalError, State, StepController};
use crate::scalar::Scalar;
use crate::simulate::checks::ConstraintMonitor;
use crate::simulate::consistent::{Consistency, ConsistencyError, ConsistentValues};
use crate::simulate::energy_audit::{AuditRequest, suppliers};
use crate::simulate::failure::Failure;
use crate::simulate::setup::{Options, SetupError};
use crate::space::ConfigurationSpace;
use crate::system::{
    DeclarationError, Description, ImposedLaws, MechanicalSystem, ModelError, OneSidedLaw, redundant_rows,
};

/// Size of the disturbance that determines the round-off of functions of a state, in units of the last place.
const DISTURBANCE: f64 = 4.0;
/// Smallest disturbed speed of a system at rest. Its value has no meaning; it identifies functions of the velocity.
const SMALLEST: f64 = 1e-200;

/// The number of constraint rows up to which redundant rows are determined before the first step.
const EXAMINED_ROWS: usize = 120;
/// Velocities about a direction of S² below this part of the velocity are round-off.
const SPIN: f64 = 1e-6;

impl<M: MechanicalSystem> Motion for State<M> {
    type Scalar = M::Scalar;
    type Method = HalfExplicit;
    type Monitor = MechanicalMonitor<M>;

    fn method() -> HalfExplicit {
        HalfExplicit::hedop5()
    }
    fn description(system: &M) -> Option<&Description> {
        Some(system.description())
    }

    fn one_sided_laws(system: &M) -> Vec<OneSidedLaw> {
        system.one_sided_laws()
    }

    fn remove_laws(system: &mut M, laws: &ImposedLaws) -> Result<(), ModelError> {
        if let Some(rows) = system.law_rows(laws)? {
            *system = rows.free;
        }
        Ok(())
    }

    fn powers(&self, system: &M) -> Vec<&'static str> {
        suppliers(system, self)
    }
    fn redundant_rows(&self, system: &M) -> Option<(Vec<usize>, usize)> {
        let is_accepted = system.has_least_norm() && system.constraint_rows() <= EXAMINED_ROWS;
        is_accepted.then(|| redundant_rows(system, M::Scalar::from_f64(self.time), &self.configuration).ok()).flatten()
    }

    fn audit<'a>(&self, system: &M, audit: Option<AuditRequest<'a, Self>>) -> Option<AuditRequest<'a, Self>>
    where
        M: 'a,
    {
        AuditRequest::with_symmetries(audit, system, self)
    }

    /// |v|, or 1 at rest.
    fn size(&self) -> f64 {
        let speed = self.velocity.max_norm();
        if speed > 0.0 { speed } else { 1.0 }
    }
    fn bytes(&self) -> usize {
        // Three vectors, and a configuration with at most approximately twice the number of components.
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
        limit("max_initial_correction", options.largest_correction())?;
        limit("constraint_tolerance", options.constraint_tolerance)?;
        limit("max_velocity_growth", options.growth.unwrap_or_default())?;
        if !options.project {
            self.check_spins(system)?;
        }
        if options.project || options.held.is_empty() { Ok(()) } else { Err(SetupError::NothingToHold) }
    }
    fn ensure_inputs(&self, system: &M, end: f64) -> Result<(), InputError> {
        system.ensure_inputs(self.time, end)
    }
    fn smooth_until(&self, system: &M, end: f64, tolerance: f64) -> SmoothStretch {
        system.smooth_until(self.time, end, tolerance)
    }
    fn noted_input(system: &M) -> Option<InputError> {
        system.noted_input()
    }
    fn ensure_finite_inputs(&self, system: &M, step: f64) -> Result<(), InputError> {
        system.ensure_finite_inputs(M::Scalar::from_f64(self.time + step), &self.configuration, &self.velocity)
    }
    /// Excludes rotations of directions about themselves, which are removed before the start.
    fn check_declaration(&self, system: &M) -> Result<(), DeclarationError> {
        let mut velocity = self.velocity.clone();
        system.space().remove_spins(&self.configuration, &mut velocity);
        system.check_against_declaration(M::Scalar::from_f64(self.time), &self.configuration, &velocity)
    }
    fn consistent(self, system: &M, options: &Options) -> Result<(Self, Consistency), Failure> {
        if !options.project {
            return Ok((self.resumed(system, options)?, Consistency::default()));
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
    fn disturbed(&self, system: &M, (sign, step): (f64, f64), out: &mut Self) {
        let disturb = |at: usize, size: f64| {
            let own = DISTURBANCE * M::Scalar::epsilon() * size;
            M::Scalar::from_f64(if at.is_multiple_of(2) { own } else { sign * own })
        };
        let extent = system.space().extent(&self.configuration);
        out.clone_from(self);
        let mut way = system.zero_velocity();
        for at in 0..way.component_count() {
            way.set_component(at, disturb(at, extent));
        }
        system.space().compose_exp(&self.configuration, &way, &mut out.configuration);
        // At rest the unit is the velocity that moves the coordinates by their round-off in a step. It is never zero.
        let moved = step * self.acceleration.max_norm() + M::Scalar::epsilon() * extent / step;
        let speed = (self.velocity.max_norm() + moved).max(SMALLEST);
        for at in 0..way.component_count() {
            out.velocity.set_component(at, self.velocity.component(at) + disturb(at, speed));
        }
        system.space().remove_spins(&out.configuration, &mut out.velocity);
        let largest = self.multipliers.max_norm();
        for at in 0..self.multipliers.component_count() {
            out.multipliers.set_component(at, self.multipliers.component(at) + disturb(at, largest));
        }
    }
    /// Compares the components of log(q₀⁻¹ q) and of v.
    fn merge(&mut self, system: &M, before: &Self, changed: &Self) -> Result<(), String> {
        let (space, description) = (system.space(), system.description());
        let way = |to: &M::Configuration| {
            let mut way = system.zero_velocity();
            space.log_difference(&before.configuration, to, &mut way);
            way
        };
        let (zero, mut own, other) = (system.zero_velocity(), way(&self.configuration), way(&changed.configuration));
        if own.max_norm() == 0.0 {
            self.configuration.clone_from(&changed.configuration);
        } else if other.max_norm() > 0.0 {
            merge_components(&mut own, &zero, &other).map_err(|at| description.member_of_component(at))?;
            space.compose_exp(&before.configuration, &own, &mut self.configuration);
        }
        merge_components(&mut self.velocity, &before.velocity, &changed.velocity)
            .map_err(|at| format!("velocity of {}", description.member_of_component(at)))
    }
    fn has_velocity_of(&self, other: &Self) -> bool {
        let mut components = 0..self.velocity.component_count();
        components.all(|at| self.velocity.component(at) == other.velocity.component(at))
    }
    fn take_velocity_of(&mut self, other: &Self) {
        self.velocity.clone_from(&other.velocity);
    }
    fn take_reactions_of(&mut self, other: &Self) {
        self.multipliers.clone_from(&other.multipliers);
        self.acceleration.clone_from(&other.acceleration);
    }
    /// Integrates with the method of Heun.
    fn bridge(&self, system: &M, time: f64, out: &mut Self) -> Result<bool, Failure> {
        let (h, half) = (M::Scalar::from_f64(time), M::Scalar::from_f64(0.5 * time));
        let mut values = ConsistentValues::of(system);
        out.clone_from(self);
        values.accelerations(system, out).map_err(Failure::InitialValues)?;
        let first = out.acceleration.clone();
        let mut way = self.velocity.clone();
        way.axpy(half, &first);
        way.scale(h);
        system.space().compose_exp(&self.configuration, &way, &mut out.configuration);
        out.velocity.axpy(h, &first);
        out.time += time;
        values.accelerations(system, out).map_err(Failure::InitialValues)?;
        out.velocity.axpy(half, &out.acceleration);
        out.velocity.axpy(-half, &first);
        system.space().remove_spins(&out.configuration, &mut out.velocity);
        out.memory.forget();
        values.accelerations(system, out).map_err(Failure::InitialValues)?;
        Ok(true)
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
    /// Returns |v| and |v'|.
    fn speed(&self) -> (f64, f64) {
        (self.velocity.max_norm(), self.acceleration.max_norm())
    }
}

/// Copies the components that differ between `before` and `changed`. Returns the first component that already has another value as an
/// error.
fn merge_components<V: TangentVector>(own: &mut V, before: &V, changed: &V) -> Result<(), usize> {
    for at in 0..own.component_count() {
        let [here, start, end] = [&*own, before, changed].map(|vector| vector.component(at));
        if end != start && end != here {
            if here != start {
                return Err(at);
            }
            own.set_component(at, end);
        }
    }
    Ok(())
}

impl<M: MechanicalSystem> State<M> {
    /// Returns the state for a restart. It must be on the constraint manifold, or as close to it as the run that recorded it permitted. If
    /// λ and v' are inconsistent with the system, for example after a change of parameters, they are recomputed and the method restarts.
    fn resumed(mut self, system: &M, options: &Options) -> Result<Self, Failure> {
        let mut values = ConsistentValues::of(system);
        let watch = ConstraintMonitor::of(system, &self, options.constraint_tolerance);
        if watch.is_some_and(|watch| !watch.is_recorded(&self)) {
            let (projection, limit) =
                (values.configuration_off(system, self.time, &self.configuration), options.largest_correction());
            // NaN exceeds every limit.
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

    /// Rejects a rotation of a direction about itself. Recorded states contain it as round-off.
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
