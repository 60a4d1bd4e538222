//! The sentence that says what is to be simulated.

use core::ops::ControlFlow;
use std::sync::Arc;

use super::error::{Failure, SetupError, SimulationError};
use super::growth;
use super::limits::{Answer, both, unobserved};
use super::mechanical;
use super::record::Timed;
use super::settings::{Plan, Settings, settings_methods};
use super::trajectory::Trajectory;
use super::watch;
use crate::group::TangentVector;
use crate::integrator::any::Erased;
use crate::integrator::{HalfExplicit, Integrator, State, StepController};
use crate::scalar::Scalar;
use crate::space::ConfigurationSpace;
use crate::system::MechanicalSystem;

/// A system of which it is not yet said where it starts.
pub struct Start<'a, M: MechanicalSystem> {
    system: &'a M,
}

/// A simulation to be described and run.
///
/// The method is [`HalfExplicit::hedop5`] and time starts at zero unless something else is said.
///
/// It is [`Send`] where its observers are: systems and states are.
pub struct Simulation<'a, M: MechanicalSystem, I = HalfExplicit, O = fn(&State<M>) -> ControlFlow<()>> {
    pub(super) system: &'a M,
    pub(super) initial: Initial<M>,
    pub(super) integrator: I,
    pub(super) settings: Settings,
    pub(super) options: Options,
    pub(super) observer: O,
}

/// What a simulation of a mechanical system is told besides.
#[derive(Clone, Copy)]
pub(super) struct Options {
    /// True if λ and v' of the index-1 system are asked for.
    pub full_order_multipliers: bool,
    /// See [`Watch`](watch::Watch).
    pub constraint_tolerance: f64,
    /// See [`Growth`](growth::Growth).
    pub growth: f64,
}

/// Where a simulation starts.
pub(super) struct Initial<M: MechanicalSystem> {
    pub state: State<M>,
    /// False if the state is to be taken as it is.
    pub project: bool,
    /// The members that are to be kept.
    pub held: Vec<String>,
    /// The largest change that is made to the others, if it was said.
    pub limit: Option<f64>,
}

/// The largest change of an initial value that is made unasked.
const CORRECTION: f64 = 1e-2;

impl<M: MechanicalSystem> Initial<M> {
    /// The largest change that is made.
    pub fn limit(&self) -> f64 {
        self.limit.unwrap_or(if self.held.is_empty() { CORRECTION } else { f64::INFINITY })
    }
}

impl<'a, M: MechanicalSystem> Simulation<'a, M> {
    /// Begins the description of a simulation.
    #[allow(clippy::new_ret_no_self)] // Where it starts has to be said next.
    pub fn of(system: &'a M) -> Start<'a, M> {
        Start { system }
    }
}

impl<'a, M: MechanicalSystem> Start<'a, M> {
    /// Starts from the consistent values next to q₀ and v₀ (see [`ConsistentValues`](super::ConsistentValues)); values far
    /// from consistent ones are an error (see [`allowing_initial_correction`](Simulation::allowing_initial_correction)).
    pub fn starting_at(self, configuration: M::Configuration, velocity: M::Velocity) -> Simulation<'a, M> {
        let mut state = State::at_rest(self.system, 0.0, configuration);
        state.velocity = velocity;
        self.simulation(state, true)
    }

    /// Goes on from a state as it is, λ included, at its time.
    pub fn continuing_from(self, state: State<M>) -> Simulation<'a, M> {
        self.simulation(state, false)
    }

    fn simulation(self, state: State<M>, project: bool) -> Simulation<'a, M> {
        Simulation {
            system: self.system,
            initial: Initial { state, project, held: Vec::new(), limit: None },
            integrator: HalfExplicit::hedop5(),
            settings: Settings::none(),
            observer: unobserved,
            options: Options {
                full_order_multipliers: false,
                constraint_tolerance: watch::TOLERANCE,
                growth: growth::UNACCOUNTED,
            },
        }
    }
}

impl<'a, M: MechanicalSystem, I, O: FnMut(&State<M>) -> ControlFlow<()>> Simulation<'a, M, I, O> {
    /// Integrates by this method.
    pub fn with<J: Integrator<M>>(self, integrator: J) -> Simulation<'a, M, J, O> {
        Simulation {
            system: self.system,
            initial: self.initial,
            integrator,
            settings: self.settings,
            options: self.options,
            observer: self.observer,
        }
    }

    /// Shows the initial state and every step's to `observer`, which answers nothing, or whether the run goes on.
    ///
    /// `ControlFlow::Break(())` stops the run: the state is recorded, and [`Trajectory::stopped`] tells its time.
    ///
    /// ```
    /// # use lie_runtime::prelude::*;
    /// # #[mechanical_system]
    /// # pub mod stone {
    /// #     use lie_runtime::prelude::*;
    /// #     #[configuration]
    /// #     pub struct Height { pub z: R1 }
    /// #     #[kinetic_energy]
    /// #     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.z.norm_squared() }
    /// #     #[potential]
    /// #     fn weight(q: &Height) -> f64 { 9.81 * q.z.x }
    /// # }
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// # let system = stone::System::new()?;
    /// # let (height, at_rest) = (stone::Height { z: Vector1::new(1.0) }, Vector1::new(0.0));
    /// use std::ops::ControlFlow;
    ///
    /// let until_it_lands = |state: &State<stone::System>| match state.configuration.z.x > 0.0 {
    ///     true => ControlFlow::Continue(()),
    ///     false => ControlFlow::Break(()),
    /// };
    /// let fall = Simulation::of(&system).starting_at(height, at_rest).step(0.01).until(10.0).observe(until_it_lands).run()?;
    /// assert!((fall.stopped.unwrap() - (2.0_f64 / 9.81).sqrt()).abs() < 0.01);
    /// # Ok(())
    /// # }
    /// ```
    pub fn observe<A: Answer>(
        self,
        observer: impl FnMut(&State<M>) -> A,
    ) -> Simulation<'a, M, I, impl FnMut(&State<M>) -> ControlFlow<()>> {
        Simulation {
            system: self.system,
            initial: self.initial,
            integrator: self.integrator,
            settings: self.settings,
            options: self.options,
            observer: both(self.observer, observer),
        }
    }

    /// Starts at this time instead of zero.
    #[must_use]
    pub fn from_time(mut self, start: f64) -> Self {
        self.initial.state.time = start;
        self
    }

    /// Steps whose size follows from the estimated error (paper 1, eqs. 21 and 22).
    #[must_use]
    pub fn tolerance(self, relative: f64, absolute: f64) -> Self {
        self.controlled_by(StepController::new(relative, absolute))
    }

    /// Records λ and v' of the index-1 system, which have the order of q and v, instead of the method's own.
    #[must_use]
    pub fn full_order_multipliers(mut self) -> Self {
        self.options.full_order_multipliers = true;
        self
    }

    /// The members of these names keep the configuration and the velocity they are given; those of the others are guesses,
    /// moved as far as the constraints ask for.
    ///
    /// So are mechanisms specified: by the angle and the rate of a crank, the rest follows from closure. Where the others
    /// cannot close the mechanism it is a [`ConsistencyError::NoClosure`](super::ConsistencyError::NoClosure). How far
    /// they may be moved is unlimited unless [`allowing_initial_correction`](Self::allowing_initial_correction) is said.
    #[must_use]
    pub fn holding<N: Into<String>>(mut self, members: impl IntoIterator<Item = N>) -> Self {
        self.initial.held.extend(members.into_iter().map(Into::into));
        self
    }

    /// The largest change of initial values that is made to meet the constraints, default 0.01: of any component of
    /// log(q₀⁻¹ q), in radians and units of length; of any component of v, the same times 1 + the largest of v₀.
    ///
    /// A larger one wanted is a [`ConsistencyError::TooFar`](super::ConsistencyError::TooFar). What was changed is told by
    /// [`Trajectory::initial`].
    #[must_use]
    pub fn allowing_initial_correction(mut self, limit: f64) -> Self {
        self.initial.limit = Some(limit);
        self
    }

    /// The largest residual of a holonomic constraint that is tolerated, default 0.05: relative to how much the terms of
    /// the constraint have changed since the start, max Σⱼ |Bᵢⱼ θⱼ| with θ = log(q₀⁻¹ q).
    ///
    /// A larger one, in a state that is recorded, in one of 32 steps or in the last, ends the run with
    /// [`Failure::OffConstraints`]. The residuals of half-explicit methods are those of their order, O(hᵖ); with an infinite
    /// tolerance they are shown by [`Statistics::position_residual`](super::Statistics::position_residual) alone.
    #[must_use]
    pub fn constraint_tolerance(mut self, relative: f64) -> Self {
        self.options.constraint_tolerance = relative;
        self
    }

    /// How many times speeds may grow, over a run, where neither potential energy nor forces of the time nor those at both
    /// ends of 32 steps account for it, default 100: blows that are meant, from forces of the state that last for a few steps.
    ///
    /// More is a [`Failure::Diverged`]. What is at rest may be set off by anything.
    #[must_use]
    pub fn allowing_growth(mut self, factor: f64) -> Self {
        self.options.growth = factor;
        self
    }

    settings_methods!();
}

impl<M: MechanicalSystem, I: Integrator<M>, O: FnMut(&State<M>) -> ControlFlow<()>> Simulation<'_, M, I, O> {
    /// Runs the simulation.
    ///
    /// # Errors
    /// [`SimulationError`] with the trajectory so far and the last good state.
    pub fn run(self) -> Result<Trajectory<M>, Box<SimulationError<M>>> {
        let Simulation { system, initial, integrator, settings, options, mut observer } = self;
        // From here on the method is one of many: what is compiled for a system is not compiled for each method anew.
        Described { system, initial, settings, options, observer: &mut observer }.run(Arc::new(integrator))
    }
}

/// A simulation apart from its method.
pub(super) struct Described<'a, M: MechanicalSystem> {
    pub system: &'a M,
    pub initial: Initial<M>,
    pub settings: Settings,
    pub options: Options,
    pub observer: &'a mut dyn FnMut(&State<M>) -> ControlFlow<()>,
}

impl<M: MechanicalSystem> Described<'_, M> {
    fn run(self, method: Arc<dyn Erased<M> + '_>) -> Result<Trajectory<M>, Box<SimulationError<M>>> {
        match self.check(&*method) {
            Ok(plan) => mechanical::run(self, method, &plan),
            Err(error) => Err(SimulationError::before_the_first_step(Failure::Setup(error), method.id())),
        }
    }

    /// Checks all that can be known before the first step.
    fn check(&self, method: &dyn Erased<M>) -> Result<Plan, SetupError> {
        let state = &self.initial.state;
        let finite = |holds, value| {
            if holds { Ok(()) } else { Err(SetupError::NotFinite { value }) }
        };
        state.check(self.system).map_err(SetupError::ForeignState)?;
        finite(state.time.is_finite(), "time")?;
        finite(self.system.space().is_finite(&state.configuration), "configuration")?;
        finite(state.velocity.all_finite(), "velocity")?;
        finite(state.multipliers.all_finite(), "multiplier")?;
        let limit = |option, value: f64| {
            if value >= 0.0 { Ok(()) } else { Err(SetupError::Limit { option, value }) }
        };
        limit("allowing_initial_correction", self.initial.limit())?;
        limit("constraint_tolerance", self.options.constraint_tolerance)?;
        limit("allowing_growth", self.options.growth)?;
        if !(self.initial.project || self.initial.held.is_empty()) {
            return Err(SetupError::NothingToHold);
        }
        let (bytes, round_off) = (state.bytes(), M::Scalar::epsilon());
        let plan = self.settings.check(state.time, bytes, round_off, method.estimate_order().is_some(), method.id())?;
        if !self.settings.without_declaration_check {
            let time = M::Scalar::from_f64(state.time);
            let checked = self.system.check_against_declaration(time, &state.configuration, &state.velocity);
            checked.map_err(SetupError::Declaration)?;
        }
        Ok(plan)
    }
}
