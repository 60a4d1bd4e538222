//! The systems and states of a batch of members.

use core::fmt;
use core::marker::PhantomData;

use crate::group::TangentVector;
use crate::integrator::{LocalError, Problem, Solution, State};
use crate::scalar::Lanes;
use crate::space::ConfigurationSpace;
use crate::system::{Batched, MechanicalSystem};

/// A problem with one member per lane.
pub(in crate::ensemble) struct BatchProblem<'s, M, L>(PhantomData<(&'s M, L)>);

/// The systems of the members, separately and as a batch.
pub(in crate::ensemble) struct Systems<'s, M: Batched<L>, L: Lanes> {
    pub each: &'s [M],
    pub together: M::Batch,
}

/// The states of the members.
pub(in crate::ensemble) struct States<'s, M: Batched<L>, L: Lanes> {
    pub together: State<M::Batch>,
    pub of: PhantomData<&'s M>,
}

impl<'s, M: Batched<L>, L: Lanes> Systems<'s, M, L> {
    /// Creates a batch; `None` if the systems are not compatible.
    pub fn of(each: &'s [M]) -> Option<Self> {
        let together = M::batch(&each.iter().collect::<Vec<_>>())?;
        Some(Systems { each, together })
    }

    /// Combines states at the same time, one per lane.
    pub fn states(&self, each: &[State<M>]) -> States<'s, M, L> {
        let q = M::batch_configurations(&|lane| each[lane].configuration.clone());
        let mut together = State::at_rest(&self.together, each.first().map_or(0.0, |state| state.time), q);
        fill(&mut together.velocity, |lane| &each[lane].velocity);
        fill(&mut together.multipliers, |lane| &each[lane].multipliers);
        fill(&mut together.acceleration, |lane| &each[lane].acceleration);
        States { together, of: PhantomData }
    }
}

/// Sets every component from the vectors of all lanes.
fn fill<'a, L: Lanes, W: TangentVector<Scalar = f64> + 'a>(
    together: &mut impl TangentVector<Scalar = L>,
    of_lane: impl Fn(usize) -> &'a W,
) {
    for at in 0..together.component_count() {
        together.set_component(at, L::of_lanes(|lane| of_lane(lane).component(at)));
    }
}

impl<M: Batched<L>, L: Lanes> States<'_, M, L> {
    /// Copies the state of a lane into `out` and removes its history.
    pub fn lane(&self, lane: usize, out: &mut State<M>) {
        out.configuration = M::lane_configuration(&self.together.configuration, lane);
        self.vectors_of_lane(lane, out);
    }

    /// Copies everything except the configuration.
    fn vectors_of_lane(&self, lane: usize, out: &mut State<M>) {
        fn take<W: TangentVector<Scalar = f64>>(
            own: &mut W,
            together: &impl TangentVector<Scalar: Lanes>,
            lane: usize,
        ) {
            use crate::scalar::Scalar;
            for at in 0..own.component_count() {
                own.set_component(at, together.component(at).lane(lane));
            }
        }
        let together = &self.together;
        out.time = together.time;
        take(&mut out.velocity, &together.velocity, lane);
        take(&mut out.multipliers, &together.multipliers, lane);
        take(&mut out.acceleration, &together.acceleration, lane);
        out.memory.forget();
    }

    /// Returns the states of all members.
    pub fn each(&self, systems: &[M]) -> impl Iterator<Item = State<M>> {
        systems.iter().enumerate().map(|(lane, system)| {
            let q = M::lane_configuration(&self.together.configuration, lane);
            let mut state = State::at_rest(system, self.together.time, q);
            self.vectors_of_lane(lane, &mut state);
            state
        })
    }

    /// Calls a check for every member.
    pub fn ask<E>(&self, systems: &[M], ask: impl Fn(&State<M>, &M) -> Result<(), E>) -> Result<(), E> {
        self.each(systems).zip(systems).try_for_each(|(state, system)| ask(&state, system))
    }
}

impl<M: Batched<L>, L: Lanes> Clone for States<'_, M, L> {
    fn clone(&self) -> Self {
        States { together: self.together.clone(), of: PhantomData }
    }
    fn clone_from(&mut self, source: &Self) {
        self.together.clone_from(&source.together);
    }
}

impl<M: Batched<L>, L: Lanes> fmt::Debug for States<'_, M, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.together.fmt(f)
    }
}

impl<'s, M: Batched<L>, L: Lanes> Problem for BatchProblem<'s, M, L> {
    type System = Systems<'s, M, L>;
    type State = States<'s, M, L>;
}

impl<'s, M: Batched<L>, L: Lanes> Solution for States<'s, M, L> {
    type System = Systems<'s, M, L>;
    type Estimate = LocalError<M::Batch>;

    fn time(&self) -> f64 {
        self.together.time
    }
    fn set_time(&mut self, time: f64) {
        self.together.time = time;
    }
    fn renormalize(&mut self, systems: &Self::System) {
        systems.together.space().renormalize(&mut self.together.configuration);
    }
}
