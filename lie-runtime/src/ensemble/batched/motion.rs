//! Batches of members as motions.

use super::batch::States;
use super::monitor::BatchMonitor;
use crate::inputs::{InputError, SmoothStretch};
use crate::integrator::{HalfExplicit, LocalError, State, StepController};
use crate::scalar::Lanes;
use crate::simulate::{Consistency, Failure, Motion, Options, SetupError};
use crate::system::{Batched, DeclarationError, Description, MechanicalSystem, ModelError};

impl<M: Batched<L>, L: Lanes> Motion for States<'_, M, L> {
    type Scalar = L;
    type Method = HalfExplicit;
    type Monitor = BatchMonitor<M, L>;

    fn method() -> HalfExplicit {
        <State<M> as Motion>::method()
    }
    fn description(systems: &Self::System) -> Option<&Description> {
        Some(systems.together.description())
    }
    fn powers(&self, systems: &Self::System) -> Vec<&'static str> {
        let first = self.each(systems.each).zip(systems.each).next();
        first.map_or_else(Vec::new, |(state, system)| state.powers(system))
    }
    /// Every row that is redundant in a member.
    fn redundant_rows(&self, systems: &Self::System) -> Option<(Vec<usize>, usize)> {
        let each = self.each(systems.each).zip(systems.each);
        each.filter_map(|(state, system)| state.redundant_rows(system)).reduce(|(mut rows, of), (other, acting)| {
            rows.extend(other);
            rows.sort_unstable();
            rows.dedup();
            (rows, of.max(acting))
        })
    }
    fn size(&self) -> f64 {
        self.together.size()
    }
    fn bytes(&self) -> usize {
        self.together.bytes()
    }
    fn belongs_to(&self, systems: &Self::System) -> Result<(), ModelError> {
        self.ask(systems.each, State::belongs_to)
    }
    fn check(&self, systems: &Self::System, options: &Options) -> Result<(), SetupError> {
        self.ask(systems.each, |state, system| Motion::check(state, system, options))
    }
    fn ensure_inputs(&self, systems: &Self::System, end: f64) -> Result<(), InputError> {
        self.ask(systems.each, |state, system| state.ensure_inputs(system, end))
    }
    fn smooth_until(&self, systems: &Self::System, end: f64, tolerance: f64) -> SmoothStretch {
        systems.each.iter().fold(SmoothStretch::to(end), |all, system| {
            let own = system.smooth_until(self.together.time, end, tolerance);
            SmoothStretch { until: all.until.min(own.until), is_known: all.is_known && own.is_known }
        })
    }
    fn noted_input(systems: &Self::System) -> Option<InputError> {
        systems.each.iter().find_map(MechanicalSystem::noted_input)
    }
    fn ensure_finite_inputs(&self, systems: &Self::System, step: f64) -> Result<(), InputError> {
        self.ask(systems.each, |state, system| state.ensure_finite_inputs(system, step))
    }
    fn check_declaration(&self, systems: &Self::System) -> Result<(), DeclarationError> {
        self.ask(systems.each, Motion::check_declaration)
    }
    /// Corrections of the members are not reported.
    fn consistent(self, systems: &Self::System, options: &Options) -> Result<(Self, Consistency), Failure> {
        let mut each = Vec::with_capacity(systems.each.len());
        for (state, system) in self.each(systems.each).zip(systems.each) {
            each.push(state.consistent(system, options)?.0);
        }
        Ok((systems.states(&each), Consistency::default()))
    }

    fn estimate(systems: &Self::System) -> Self::Estimate {
        LocalError::of(&systems.together)
    }
    fn indicator(controller: &StepController, from: &Self, to: &Self, estimate: &Self::Estimate) -> f64 {
        controller.error_norm(&from.together, &to.together, estimate)
    }
    fn speed(&self) -> (f64, f64) {
        self.together.speed()
    }
    fn moved(&self, systems: &Self::System, time: f64, out: &mut Self) {
        self.together.moved(&systems.together, time, &mut out.together);
    }
    fn disturbed(&self, systems: &Self::System, (sign, step): (f64, f64), out: &mut Self) {
        self.together.disturbed(&systems.together, (sign, step), &mut out.together);
    }
    fn merge(&mut self, systems: &Self::System, before: &Self, changed: &Self) -> Result<(), String> {
        self.together.merge(&systems.together, &before.together, &changed.together)
    }
}
