//! The sentence that says what is to be simulated.

use std::sync::Arc;

use super::error::{Failure, SetupError, SimulationError};
use super::mechanical;
use super::settings::{Plan, Settings, settings_methods};
use super::trajectory::Trajectory;
use crate::group::TangentVector;
use crate::integrator::any::Erased;
use crate::integrator::{HalfExplicit, Integrator, State, StepController};
use crate::scalar::Scalar;
use crate::system::MechanicalSystem;

/// A system of which it is not yet said where it starts.
pub struct Start<'a, M: MechanicalSystem> {
    system: &'a M,
}

/// A simulation to be described and run.
///
/// The method is [`HalfExplicit::hedop5`] and time starts at zero unless something else is said.
pub struct Simulation<'a, M: MechanicalSystem, I = HalfExplicit> {
    pub(super) system: &'a M,
    pub(super) initial: Initial<M>,
    pub(super) integrator: I,
    pub(super) settings: Settings<'a, State<M>>,
    pub(super) full_order_multipliers: bool,
}

/// Where a simulation starts.
pub(super) struct Initial<M: MechanicalSystem> {
    pub state: State<M>,
    /// False if the state is to be taken as it is.
    pub project: bool,
}

impl<'a, M: MechanicalSystem> Simulation<'a, M> {
    /// Begins the description of a simulation.
    #[allow(clippy::new_ret_no_self)] // Where it starts has to be said next.
    pub fn of(system: &'a M) -> Start<'a, M> {
        Start { system }
    }
}

impl<'a, M: MechanicalSystem> Start<'a, M> {
    /// Starts from the consistent values next to q₀ and v₀ (see [`ConsistentValues`](super::ConsistentValues)).
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
            initial: Initial { state, project },
            integrator: HalfExplicit::hedop5(),
            settings: Settings::none(),
            full_order_multipliers: false,
        }
    }
}

impl<'a, M: MechanicalSystem, I> Simulation<'a, M, I> {
    /// Integrates by this method.
    pub fn with<J: Integrator<M>>(self, integrator: J) -> Simulation<'a, M, J> {
        Simulation {
            system: self.system,
            initial: self.initial,
            integrator,
            settings: self.settings,
            full_order_multipliers: self.full_order_multipliers,
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
        self.full_order_multipliers = true;
        self
    }

    settings_methods!('a, State<M>);
}

impl<M: MechanicalSystem, I: Integrator<M>> Simulation<'_, M, I> {
    /// Runs the simulation.
    ///
    /// # Errors
    /// [`SimulationError`] with the trajectory so far and the last good state.
    pub fn run(self) -> Result<Trajectory<M>, Box<SimulationError<M>>> {
        let Simulation { system, initial, integrator, settings, full_order_multipliers } = self;
        // From here on the method is one of many: what is compiled for a system is not compiled for each method anew.
        Described { system, initial, settings, full_order_multipliers }.run(Arc::new(integrator))
    }
}

/// A simulation apart from its method.
pub(super) struct Described<'a, M: MechanicalSystem> {
    pub system: &'a M,
    pub initial: Initial<M>,
    pub settings: Settings<'a, State<M>>,
    pub full_order_multipliers: bool,
}

impl<M: MechanicalSystem> Described<'_, M> {
    fn run(self, method: Arc<dyn Erased<M> + '_>) -> Result<Trajectory<M>, Box<SimulationError<M>>> {
        match self.check(&*method) {
            Ok(plan) => mechanical::run(self, method, &plan),
            Err(error) => Err(Box::new(SimulationError {
                failure: Failure::Setup(error),
                trajectory: Trajectory::new(method.id()),
                last: None,
            })),
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
        finite(self.system.configuration_is_finite(&state.configuration), "configuration")?;
        finite(state.velocity.all_finite(), "velocity")?;
        finite(state.multipliers.all_finite(), "multiplier")?;
        let plan = self.settings.check(state.time, method.estimate_order().is_some(), method.id())?;
        if !self.settings.without_declaration_check {
            let time = M::Scalar::from_f64(state.time);
            let checked = self.system.check_against_declaration(time, &state.configuration, &state.velocity);
            checked.map_err(SetupError::Declaration)?;
        }
        Ok(plan)
    }
}
