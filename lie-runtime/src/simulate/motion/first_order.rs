//! Simulation of first-order equations.

use super::monitor::MotionMonitor;
use super::simulated::Motion;
use crate::field::FirstOrder;
use crate::group::TangentVector;
use crate::inputs::{InputError, SmoothStretch};
use crate::integrator::{FieldState, LocalEstimate, MuntheKaas, StepController, largest_rate};
use crate::scalar::Scalar;
use crate::simulate::checks::{SIGNIFICANT_GROWTH, STABILITY_LIMIT, may_result_from_instability};
use crate::simulate::failure::{Divergence, Failure};
use crate::simulate::setup::{Options, SetupError};
use crate::simulate::singularities::{Discontinuity, components, find_discontinuity};
use crate::system::DeclarationError;

/// Size of the disturbance that determines the round-off of functions of a state, in units of the last place.
const DISTURBANCE: f64 = 4.0;

impl<F: FirstOrder> Motion for FieldState<F> {
    type Scalar = F::Scalar;
    type Method = MuntheKaas;
    type Monitor = FieldGrowth<F>;

    fn method() -> MuntheKaas {
        MuntheKaas::rkmk54()
    }
    fn bytes(&self) -> usize {
        size_of::<Self>().max(3 * self.direction.component_count() * size_of::<F::Scalar>())
    }
    fn check(&self, system: &F::System, _: &Options) -> Result<(), SetupError> {
        if !self.time.is_finite() {
            return Err(SetupError::NotFinite { value: "time" });
        }
        if F::is_finite(system, &self.point) { Ok(()) } else { Err(SetupError::NotFinite { value: "point" }) }
    }
    fn ensure_inputs(&self, system: &F::System, end: f64) -> Result<(), InputError> {
        F::ensure_inputs(system, self.time, end)
    }
    fn smooth_until(&self, system: &F::System, end: f64, tolerance: f64) -> SmoothStretch {
        F::smooth_until(system, self.time, end, tolerance)
    }
    fn noted_input(system: &F::System) -> Option<InputError> {
        F::noted_input(system)
    }
    fn ensure_finite_inputs(&self, system: &F::System, step: f64) -> Result<(), InputError> {
        F::ensure_finite_inputs(system, F::Scalar::from_f64(self.time + step), &self.point)
    }
    fn check_declaration(&self, system: &F::System) -> Result<(), DeclarationError> {
        F::check_declaration(system, F::Scalar::from_f64(self.time), &self.point)
    }
    fn estimate(_: &F::System) -> LocalEstimate {
        LocalEstimate::default()
    }
    /// Returns the error relative to `absolute` + `relative` times the length of the step (paper 3, section 4).
    fn indicator(controller: &StepController, _: &Self, _: &Self, estimate: &LocalEstimate) -> f64 {
        estimate.error / (controller.absolute_tolerance + controller.relative_tolerance * estimate.increment)
    }
    fn moved(&self, system: &F::System, time: f64, out: &mut Self) {
        let mut way = self.direction.clone();
        way.scale(F::Scalar::from_f64(time));
        out.clone_from(self);
        F::flow(system, &self.point, &way, &mut out.point);
        out.time += time;
    }
    /// Disturbs the point in a direction without a pattern. Its size is in units of 1 because the scale of the point is unknown.
    fn disturbed(&self, system: &F::System, (sign, _): (f64, f64), out: &mut Self) {
        let (mut way, size) = (self.direction.clone(), DISTURBANCE * F::Scalar::epsilon());
        for at in 0..way.component_count() {
            way.set_component(at, F::Scalar::from_f64(if at % 2 == 0 { size } else { sign * size }));
        }
        out.clone_from(self);
        F::flow(system, &self.point, &way, &mut out.point);
    }
    fn merge(&mut self, system: &F::System, before: &Self, changed: &Self) -> Result<(), String> {
        let mut workspace = F::workspace(system);
        let mut differs =
            |one: &Self, other: &Self| F::distance(system, &one.point, &other.point, &mut workspace) > 0.0;
        if differs(changed, before) && differs(changed, self) {
            if differs(self, before) {
                return Err("point".to_owned());
            }
            self.point.clone_from(&changed.point);
        }
        Ok(())
    }
    /// A step of unit length takes the time 1 / |f|.
    fn speed(&self) -> (f64, f64) {
        (1.0, self.direction.max_norm())
    }
}

/// Checks if f diverges.
///
/// A vector field has no energy that could explain its growth, only the rate |D f| of its fastest motion. The method is unstable if f has
/// grown considerably between two checks and the steps do not resolve this rate.
pub struct FieldGrowth<F: FirstOrder> {
    /// The initial point.
    origin: F::Point,
    /// The last state before a possible divergence.
    calm: FieldState<F>,
    /// The largest |f| of the states before a possible divergence.
    speed: f64,
}

impl<F: FirstOrder> FieldGrowth<F> {
    /// Returns |f| relative to its previous maximum.
    fn factor(&self, state: &FieldState<F>) -> f64 {
        if self.speed > 0.0 { state.direction.max_norm() / self.speed } else { 1.0 }
    }

    /// Returns |D f| at a state in the direction of its maximum; `None` if f cannot be evaluated.
    fn rate(&self, system: &F::System, state: &FieldState<F>, workspace: &mut F::Workspace) -> Option<f64> {
        let (time, mut point) = (F::Scalar::from_f64(state.time), state.point.clone());
        // The scale of the point is its distance from the origin.
        let scale = 1.0 + F::distance(system, &self.origin, &state.point, workspace);
        let rate = largest_rate(&mut F::zero(system), scale, |direction| {
            F::flow(system, &state.point, direction, &mut point);
            F::evaluate(system, time, &point, workspace, direction).ok()?;
            direction.axpy(-<F::Scalar as num_traits::One>::one(), &state.direction);
            Some(())
        });
        rate.filter(|rate| rate.is_finite())
    }

    fn divergence(&self, system: &F::System, state: &FieldState<F>, step: f64, is_explicit: bool) -> Divergence {
        let mut workspace = F::workspace(system);
        // Derivatives at a diverged point are round-off.
        let calm = self.rate(system, &self.calm, &mut workspace);
        let here = self.rate(system, state, &mut workspace);
        let rate = calm.filter(|rate| rate * step > 1.0).or(here).or(calm);
        let growth = self.factor(state);
        Divergence { since: self.calm.time, step, growth, rate, is_explicit, is_first_order: true, failure: None }
    }
}

impl<F: FirstOrder> MotionMonitor<FieldState<F>> for FieldGrowth<F> {
    fn of(_: &F::System, state: &FieldState<F>, _: &Options) -> Self {
        FieldGrowth { origin: state.point.clone(), calm: state.clone(), speed: state.direction.max_norm() }
    }

    fn check(
        &mut self,
        system: &F::System,
        state: &FieldState<F>,
        step: Option<f64>,
        is_explicit: bool,
    ) -> Result<(), Failure> {
        let Some(h) = step else { return Ok(()) };
        if is_explicit && self.factor(state) > SIGNIFICANT_GROWTH {
            let divergence = self.divergence(system, state, h, is_explicit);
            if divergence.rate.is_some_and(|rate| rate * h > STABILITY_LIMIT) {
                return Err(Failure::Diverged { time: state.time, divergence: Box::new(divergence) });
            }
        }
        self.speed = self.speed.max(state.direction.max_norm());
        self.calm.clone_from(state);
        Ok(())
    }

    fn change(&mut self, system: &F::System, state: &FieldState<F>, options: &Options) {
        *self = Self::of(system, state, options);
    }

    /// Evaluates the field along the initial direction of the step.
    fn discontinuity_ahead(&self, system: &F::System, from: &FieldState<F>, step: f64) -> Option<Discontinuity> {
        let time = F::Scalar::from_f64(from.time);
        let (mut point, mut workspace) = (from.point.clone(), F::workspace(system));
        let jump = find_discontinuity(&mut |s| {
            let (mut way, mut field) = (from.direction.clone(), F::zero(system));
            way.scale(F::Scalar::from_f64(s * step));
            F::flow(system, &from.point, &way, &mut point);
            F::evaluate(system, time, &point, &mut workspace, &mut field).ok()?;
            Some(components(&field))
        })?;
        let is_against = jump.size * from.direction.component(jump.component).value() < 0.0;
        is_against.then_some(jump)
    }

    fn explain(
        &self,
        system: &F::System,
        failure: Failure,
        state: FieldState<F>,
        is_explicit: bool,
    ) -> (Failure, FieldState<F>) {
        match failure {
            Failure::Diverged { .. } => (failure, self.calm.clone()),
            Failure::Step(error) if is_explicit && error.step > 0.0 && may_result_from_instability(&error.failure) => {
                let divergence = self.divergence(system, &state, error.step, is_explicit);
                let units = divergence.rate.map_or(0.0, |rate| rate * error.step);
                if units > STABILITY_LIMIT || (units > 1.0 && divergence.growth > SIGNIFICANT_GROWTH) {
                    let divergence = Divergence { failure: Some(error.failure), ..divergence };
                    (Failure::Diverged { time: state.time, divergence: Box::new(divergence) }, self.calm.clone())
                } else {
                    (Failure::Step(error), state)
                }
            }
            _ => (failure, state),
        }
    }
}
