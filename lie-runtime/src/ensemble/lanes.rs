//! Ensembles with several members in SIMD lanes.

use core::ops::ControlFlow;
use core::panic::AssertUnwindSafe;
use std::panic::catch_unwind;

use super::batched::{BatchProblem, BatchedMethod, Systems};
use super::error::{EnsembleError, MemberFailure};
use super::measure::{Measure, ResultRow, StoredWarning};
use super::results::Results;
use super::run::{Ensemble, Outcome, Shared, caught};
use super::samples::Member;
use crate::integrator::{Integrator, Problem, State};
use crate::scalar::Lanes;
use crate::simulate::{Sampled, Simulation, Trajectory, Warning};
use crate::system::{Batched, ParameterSet, Parametrised};

impl<S> Ensemble<'_, S> {
    /// Runs all members like [`run`](Self::run), in batches with one member per lane of `L`. `describe` returns the simulation of a member
    /// without running it.
    ///
    /// ```
    /// use lie_runtime::ensemble::{Ensemble, Samples};
    /// use lie_runtime::prelude::*;
    /// use lie_runtime::scalar::F64x4;
    /// # #[mechanical_system]
    /// # pub mod oscillator {
    /// #     #[configuration]
    /// #     pub struct Position { pub x: f64 }
    /// #     #[parameters]
    /// #     pub struct Spring { pub stiffness: f64 }
    /// #     #[kinetic_energy]
    /// #     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
    /// #     #[potential]
    /// #     fn spring(spring: &Spring, q: &Position) -> f64 { 0.5 * spring.stiffness * q.x * q.x }
    /// # }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let system = oscillator::System::new(oscillator::Spring { stiffness: 1.0 })?;
    /// let samples = Samples::sobol(64, 1).parameter("stiffness", 0.9..1.1).variable("start", 1.0..2.0);
    /// let results = Ensemble::of(&system).samples(samples).run_in_lanes::<F64x4, _, _>(|system, member| {
    ///     let (q0, v0) = (oscillator::Position { x: member.value("start")? }, Vector1::new(0.0));
    ///     Ok(Simulation::of(system).initial(q0, v0).step(0.01).end_time(1.0).output_times(&[0.5, 1.0]))
    /// })?;
    /// assert!(results.failures().is_empty());
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// For fixed steps the results are bitwise identical to `run`: a member with a converged Newton iteration does not change while other
    /// members continue. Differences within the tolerances result from decisions for the whole batch: the pivoting of implicit methods, the
    /// update of reused matrices, and error-controlled step sizes, which the member with the largest error determines.
    ///
    /// Consecutive members form a batch if their simulations differ only in parameters and initial values, use the given system and have no
    /// events. Other members, and all members of a batch with a failure, are run separately, so that each failure belongs to one member.
    /// Limits of [`seconds`](crate::simulate::Limits::seconds) and [`bytes`](crate::simulate::Limits::bytes) apply to a batch.
    ///
    /// # Errors
    /// Errors of [`run`](Self::run).
    pub fn run_in_lanes<L, I, F>(self, describe: F) -> Result<Results, EnsembleError>
    where
        L: Lanes,
        S: Parametrised<Parameters: ParameterSet> + Batched<L> + Sampled<S> + Sync,
        I: Integrator<S> + Integrator<S::Batch> + Clone + PartialEq,
        F: for<'s> Fn(&'s S, &Member<'_>) -> Result<Simulation<'s, S, I>, MemberFailure> + Sync,
    {
        self.run_by((core::any::type_name::<S>(), L::LANES), |shared, system, members| {
            together::<S, L, I, F>(shared, system, members, &describe)
        })
    }
}

/// Returns the rows of consecutive members.
fn together<S, L, I, F>(shared: &Shared<'_>, system: &S, members: &[Member<'_>], describe: &F) -> Vec<Outcome>
where
    L: Lanes,
    S: Parametrised<Parameters: ParameterSet> + Batched<L> + Sampled<S>,
    I: Integrator<S> + Integrator<S::Batch> + Clone + PartialEq,
    F: for<'s> Fn(&'s S, &Member<'_>) -> Result<Simulation<'s, S, I>, MemberFailure>,
{
    let alone = |member: &Member<'_>| {
        let system = shared.system(system, member)?;
        shared.measure.row(&system, &describe(&system, member)?.trajectory()?)
    };
    let systems = members.iter().map(|member| shared.system(system, member)).collect::<Result<Vec<S>, _>>();
    let in_lanes = || {
        systems.ok().filter(|systems| systems.len() == L::LANES).and_then(|systems| {
            let described = members.iter().zip(&systems).map(|(member, system)| describe(system, member));
            run_together::<S, L, I>(&shared.measure, &systems, &described.collect::<Result<Vec<_>, _>>().ok()?)
        })
    };
    // After a panic, the members are run separately to find its origin.
    let rows = catch_unwind(AssertUnwindSafe(in_lanes)).ok().flatten();
    rows.unwrap_or_else(|| members.iter().map(|member| caught(|| alone(member))).collect())
}

/// Returns the row of each member; `None` if the members do not form a batch or a member fails.
fn run_together<S, L, I>(measure: &Measure, systems: &[S], simulations: &[Simulation<'_, S, I>]) -> Option<Vec<Outcome>>
where
    L: Lanes,
    S: Batched<L> + Sampled<S>,
    I: Integrator<S::Batch> + Clone + PartialEq,
{
    let first = simulations.first()?;
    let is_like_the_first = |other: &Simulation<'_, S, I>| {
        other.integrator == first.integrator
            && other.settings == first.settings
            && other.options == first.options
            && other.initial.time == first.initial.time
            && other.initial.memory.is_empty()
            && other.initial.memory.seen().is_empty()
            && other.controller.is_none()
            && other.events.is_empty()
    };
    if !simulations.iter().all(is_like_the_first) {
        return None;
    }
    // A simulation of another system cannot be batched. Invalid states are reported by separate runs.
    let is_of = |(simulation, system): (&Simulation<'_, S, I>, &S)| {
        core::ptr::eq(simulation.system, system) && simulation.initial.check(system).is_ok()
    };
    if !simulations.iter().zip(systems).all(is_of) {
        return None;
    }
    let together = Systems::<S, L>::of(systems)?;
    let initial: Vec<State<S>> = simulations.iter().map(|simulation| simulation.initial.clone()).collect();
    let simulation: Simulation<'_, BatchProblem<'_, S, L>, _, _> = Simulation {
        system: &together,
        initial: together.states(&initial),
        integrator: BatchedMethod(first.integrator.clone()),
        settings: first.settings.clone(),
        options: first.options.clone(),
        observer: |_: &<BatchProblem<'_, S, L> as Problem>::State| ControlFlow::Continue(()),
        controller: None,
        events: Vec::new(),
        audit: None,
    };
    let Trajectory { states, warnings, .. } = simulation.trajectory().ok()?;
    // The separate runs of the members determine the members and the values.
    if warnings.iter().any(Warning::has_values_of_the_motion) {
        return None;
    }
    let warnings: Vec<StoredWarning> = warnings.iter().map(StoredWarning::from).collect();
    let mut rows: Vec<ResultRow> =
        systems.iter().map(|_| ResultRow { warnings: warnings.clone(), ..ResultRow::default() }).collect();
    let mut rooms: Vec<State<S>> = initial;
    for recorded in &states {
        for (lane, (system, (row, room))) in systems.iter().zip(rows.iter_mut().zip(&mut rooms)).enumerate() {
            recorded.lane(lane, room);
            measure.add::<S>(system, room, row);
        }
    }
    Some(rows.into_iter().map(ResultRow::unless_empty).collect())
}
