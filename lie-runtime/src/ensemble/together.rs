//! Members abreast as one more kind of problem: steps are made of all of them at a time, and whatever else a simulation asks of
//! a motion is asked of each member by itself, in `f64`, as if it were alone.

use core::fmt;
use core::marker::PhantomData;

use crate::group::TangentVector;
use crate::inputs::InputError;
use crate::integrator::{
    HalfExplicit, Integrator, LocalError, Problem, Solution, State, StepController, StepError, StepFailure,
};
use crate::scalar::{Lanes, Mask};
use crate::simulate::{
    Checks, Consistency, Divergence, Failure, Growth, Guard, Hazards, Jump, Motion, Options, SHORT_SAMPLE, SetupError,
    jump_of_force, may_pass_a_pole,
};
use crate::space::ConfigurationSpace;
use crate::system::{Abreast, DeclarationError, MechanicalSystem, ModelError};

/// The problem of as many members as there are lanes.
pub(super) struct Together<'s, M, L>(PhantomData<(&'s M, L)>);

/// Their systems, one by one and as one.
pub(super) struct Systems<'s, M: Abreast<L>, L: Lanes> {
    each: &'s [M],
    together: M::Together,
}

/// Their states.
pub(super) struct States<'s, M: Abreast<L>, L: Lanes> {
    pub together: State<M::Together>,
    of: PhantomData<&'s M>,
}

impl<'s, M: Abreast<L>, L: Lanes> Systems<'s, M, L> {
    /// These; `None` if they cannot be one.
    pub fn of(each: &'s [M]) -> Option<Self> {
        let together = M::together(&each.iter().collect::<Vec<_>>())?;
        Some(Systems { each, together })
    }

    /// As many states of one time as there are lanes.
    pub fn states(&self, each: &[State<M>]) -> States<'s, M, L> {
        let q = M::configurations_together(&|lane| each[lane].configuration.clone());
        let mut together = State::at_rest(&self.together, each.first().map_or(0.0, |state| state.time), q);
        fill(&mut together.velocity, |lane| &each[lane].velocity);
        fill(&mut together.multipliers, |lane| &each[lane].multipliers);
        fill(&mut together.acceleration, |lane| &each[lane].acceleration);
        States { together, of: PhantomData }
    }
}

/// Sets every component from those of the vectors of all lanes.
fn fill<'a, L: Lanes, W: TangentVector<Scalar = f64> + 'a>(
    together: &mut impl TangentVector<Scalar = L>,
    of_lane: impl Fn(usize) -> &'a W,
) {
    for at in 0..together.component_count() {
        together.set_component(at, L::of_lanes(|lane| of_lane(lane).component(at)));
    }
}

impl<M: Abreast<L>, L: Lanes> States<'_, M, L> {
    /// The state in a lane into `out`, which remembers nothing then.
    pub fn lane(&self, lane: usize, out: &mut State<M>) {
        out.configuration = M::configuration_of_lane(&self.together.configuration, lane);
        self.vectors_of_lane(lane, out);
    }

    /// All of it but the configuration.
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

    /// The states of all members.
    pub fn each(&self, systems: &[M]) -> impl Iterator<Item = State<M>> {
        systems.iter().enumerate().map(|(lane, system)| {
            let q = M::configuration_of_lane(&self.together.configuration, lane);
            let mut state = State::at_rest(system, self.together.time, q);
            self.vectors_of_lane(lane, &mut state);
            state
        })
    }

    /// Asks something of every member.
    fn ask<E>(&self, systems: &[M], ask: impl Fn(&State<M>, &M) -> Result<(), E>) -> Result<(), E> {
        self.each(systems).zip(systems).try_for_each(|(state, system)| ask(&state, system))
    }
}

impl<M: Abreast<L>, L: Lanes> Clone for States<'_, M, L> {
    fn clone(&self) -> Self {
        States { together: self.together.clone(), of: PhantomData }
    }
    fn clone_from(&mut self, source: &Self) {
        self.together.clone_from(&source.together);
    }
}

impl<M: Abreast<L>, L: Lanes> fmt::Debug for States<'_, M, L> {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        self.together.fmt(f)
    }
}

impl<'s, M: Abreast<L>, L: Lanes> Problem for Together<'s, M, L> {
    type System = Systems<'s, M, L>;
    type State = States<'s, M, L>;
}

impl<'s, M: Abreast<L>, L: Lanes> Solution for States<'s, M, L> {
    type System = Systems<'s, M, L>;
    type Estimate = LocalError<M::Together>;

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

impl<M: Abreast<L>, L: Lanes> Motion for States<'_, M, L> {
    type Scalar = L;
    type Method = HalfExplicit;
    type Guard = Guards<M, L>;

    fn method() -> HalfExplicit {
        <State<M> as Motion>::method()
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
    fn ensure_finite_inputs(&self, systems: &Self::System, step: f64) -> Result<(), InputError> {
        self.ask(systems.each, |state, system| state.ensure_finite_inputs(system, step))
    }
    fn check_declaration(&self, systems: &Self::System) -> Result<(), DeclarationError> {
        self.ask(systems.each, Motion::check_declaration)
    }
    /// How far they were is not told of each.
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
}

/// What looks after the members: all that every motion is looked at for in all lanes at once, what is there seldom in each member by
/// itself. What looks bad in one lane is a failure of all, whose members are then run one by one and tell what it is.
pub(super) struct Guards<M: Abreast<L>, L: Lanes> {
    /// True if λ and v' of the index-1 system are asked for.
    full_order: bool,
    checks: Checks<M::Together>,
    hazards: Vec<Hazards<M>>,
    /// Room for the change of the multipliers over a step.
    change: <M::Together as MechanicalSystem>::Multipliers,
}

impl<M: Abreast<L>, L: Lanes> Guards<M, L> {
    /// Every member's hazards, with its system and its state among these.
    fn ask<'g>(
        &'g mut self,
        systems: &'g [M],
        states: &'g States<'_, M, L>,
    ) -> impl Iterator<Item = (&'g mut Hazards<M>, &'g M, State<M>)> {
        self.hazards
            .iter_mut()
            .zip(systems)
            .zip(states.each(systems))
            .map(|((own, system), state)| (own, system, state))
    }
}

impl<'s, M: Abreast<L>, L: Lanes> Guard<States<'s, M, L>> for Guards<M, L> {
    fn of(systems: &Systems<'s, M, L>, states: &States<'s, M, L>, options: &Options) -> Self {
        let each = states.each(systems.each).zip(systems.each);
        Guards {
            full_order: options.full_order_multipliers,
            checks: Checks::of(&systems.together, &states.together, options),
            hazards: each.map(|(state, system)| Hazards::of(system, &state, options)).collect(),
            change: systems.together.zero_multipliers(),
        }
    }

    fn is_crossing_ahead(&mut self, systems: &Systems<'s, M, L>, from: &States<'s, M, L>, h: f64) -> bool {
        if const { !M::REDUNDANCY.is_minimum_norm() } {
            return false;
        }
        self.ask(systems.each, from).any(|(own, system, from)| own.is_crossing_ahead(system, &from, h))
    }

    /// Halves of the step are for the member alone to make.
    fn look_at_pole(
        &mut self,
        systems: &Systems<'s, M, L>,
        [from, to]: [&States<'s, M, L>; 2],
        _: &mut dyn FnMut(&States<'s, M, L>, f64, &mut States<'s, M, L>) -> Result<(), StepError>,
    ) -> Result<(), StepError> {
        let multipliers = [&from.together.multipliers, &to.together.multipliers];
        if !may_pass_a_pole(&mut self.change, multipliers).any() {
            return Ok(());
        }
        let mut ends = to.each(systems.each);
        self.ask(systems.each, from).zip(&mut ends).try_for_each(|((own, system, from), to)| {
            let failed =
                StepError { time: from.time, step: to.time - from.time, failure: StepFailure::PoleOfMultipliers };
            own.look_at_pole(system, [&from, &to], &mut |_, _, _| Err(failed.clone()))
        })
    }

    fn look(
        &mut self,
        systems: &Systems<'s, M, L>,
        states: &States<'s, M, L>,
        step: Option<f64>,
        is_explicit: bool,
    ) -> Result<(), Failure> {
        self.checks.look_at_constraints(&systems.together, &states.together, step.is_some())?;
        if self.hazards.iter().any(Hazards::looks_at_rank) {
            self.ask(systems.each, states).try_for_each(|(own, system, state)| own.look_at_rank(system, &state))?;
        }
        let Some(h) = step else { return Ok(()) };
        self.checks.look_at_step(&systems.together, &states.together, |growth| {
            look_at_growth(growth, systems, states, (h, is_explicit))
        })
    }

    fn passes(&mut self) -> bool {
        self.checks.passes() || self.hazards.iter().any(Hazards::may_jump)
    }

    fn note(&mut self, systems: &Systems<'s, M, L>, states: &States<'s, M, L>) -> Result<(), Failure> {
        self.checks.note(&systems.together, &states.together);
        if self.hazards.iter().any(Hazards::may_jump) {
            self.ask(systems.each, states).try_for_each(|(own, system, state)| own.look_at_jumps(system, &state))?;
        }
        Ok(())
    }

    fn jump(&self, systems: &Systems<'s, M, L>, from: &States<'s, M, L>, to: &States<'s, M, L>) -> Option<Jump> {
        let mut states = from.each(systems.each).zip(to.each(systems.each)).zip(systems.each);
        states.find_map(|((from, to), system)| jump_of_force(system, &from, &to))
    }

    /// Members with events and controllers are run one by one.
    fn change(&mut self, systems: &Systems<'s, M, L>, states: &States<'s, M, L>, options: &Options) {
        *self = Self::of(systems, states, options);
    }

    /// The members are run one by one then, and tell it themselves.
    fn explain(
        &self,
        _: &Systems<'s, M, L>,
        failure: Failure,
        states: States<'s, M, L>,
        _: bool,
    ) -> (Failure, States<'s, M, L>) {
        (failure, states)
    }

    fn complete(
        &mut self,
        systems: &Systems<'s, M, L>,
        states: &mut States<'s, M, L>,
        part: f64,
    ) -> Result<(), Failure> {
        if !self.full_order && part >= SHORT_SAMPLE {
            return Ok(());
        }
        let mut each = Vec::with_capacity(systems.each.len());
        for (own, system, mut state) in self.ask(systems.each, states) {
            own.accelerate(system, &mut state)?;
            each.push(state);
        }
        *states = systems.states(&each);
        Ok(())
    }
}

/// Looks at the growth of all members after a step of size h; at that of a suspect one as if it were alone.
fn look_at_growth<M: Abreast<L>, L: Lanes>(
    growth: &mut Growth<M::Together>,
    systems: &Systems<'_, M, L>,
    states: &States<'_, M, L>,
    (h, is_explicit): (f64, bool),
) -> Result<(), Divergence> {
    let seen = growth.see(&systems.together, &states.together, h);
    if seen.is_suspect.any() {
        let calm = States::<M, L> { together: growth.calm.clone(), of: PhantomData };
        let members = states.each(systems.each).zip(calm.each(systems.each)).zip(systems.each).enumerate();
        let mut unaccounted = Vec::with_capacity(systems.each.len());
        for (lane, ((state, calm), system)) in members {
            let mut alone = Growth::of_lane(growth, lane, calm);
            alone.look(system, &state, h, is_explicit)?;
            unaccounted.push(alone.unaccounted);
        }
        growth.unaccounted = L::of_lanes(|lane| unaccounted[lane]);
    }
    growth.go_on(&states.together, &seen);
    Ok(())
}

/// A method that makes steps of all members at a time.
pub(super) struct InLanes<I>(pub I);

impl<'s, M: Abreast<L>, L: Lanes, I: Integrator<M::Together>> Integrator<Together<'s, M, L>> for InLanes<I> {
    type Workspace = I::Workspace;

    fn id(&self) -> &'static str {
        self.0.id()
    }
    fn order(&self) -> usize {
        self.0.order()
    }
    fn estimate_order(&self) -> Option<usize> {
        self.0.estimate_order()
    }
    fn workspace(&self, systems: &Systems<'s, M, L>, states: &States<'s, M, L>) -> I::Workspace {
        self.0.workspace(&systems.together, &states.together)
    }
    fn linear_solves(&self, workspace: &I::Workspace) -> u64 {
        self.0.linear_solves(workspace)
    }
    fn newton_iterations(&self, workspace: &I::Workspace) -> Option<f64> {
        self.0.newton_iterations(workspace)
    }
    fn start(
        &self,
        systems: &Systems<'s, M, L>,
        states: &mut States<'s, M, L>,
        workspace: &mut I::Workspace,
    ) -> Result<(), StepError> {
        self.0.start(&systems.together, &mut states.together, workspace)
    }
    fn step(
        &self,
        systems: &Systems<'s, M, L>,
        from: &States<'s, M, L>,
        h: f64,
        to: &mut States<'s, M, L>,
        workspace: &mut I::Workspace,
    ) -> Result<(), StepError> {
        self.0.step(&systems.together, &from.together, h, &mut to.together, workspace)
    }
    fn step_with_estimate(
        &self,
        systems: &Systems<'s, M, L>,
        from: &States<'s, M, L>,
        h: f64,
        to: &mut States<'s, M, L>,
        error: &mut LocalError<M::Together>,
        workspace: &mut I::Workspace,
    ) -> Result<(), StepError> {
        self.0.step_with_estimate(&systems.together, &from.together, h, &mut to.together, error, workspace)
    }
    fn sample(
        &self,
        systems: &Systems<'s, M, L>,
        from: &States<'s, M, L>,
        to: &States<'s, M, L>,
        time: f64,
        out: &mut States<'s, M, L>,
        workspace: &mut I::Workspace,
    ) -> Result<(), StepError> {
        self.0.sample(&systems.together, &from.together, &to.together, time, &mut out.together, workspace)
    }
}
