//! The sentence that says what is to be simulated.

use core::ops::ControlFlow;
use std::sync::Arc;

use super::observer::{Answer, both};
use crate::integrator::{Integrator, Problem, Solution, StepController};
use crate::simulate::balance::Watched;
use crate::simulate::controller::Controller;
use crate::simulate::event::Event;
use crate::simulate::motion::{Motion, Simulated};
use crate::simulate::notice::{Announcer, Notice};
use crate::simulate::outcome::{SimulationError, Trajectory};
use crate::simulate::run::{Described, Given};
use crate::simulate::setup::{Limits, Options, Settings, StepSize};
use crate::system::MechanicalSystem;

/// A simulation to be described and run: of a mechanical system ([`of`](Simulation::of)), a vector field
/// ([`of_field`](Simulation::of_field)) or a Hamiltonian ([`of_hamiltonian`](Simulation::of_hamiltonian)).
///
/// The method is [`HalfExplicit::hedop5`](crate::integrator::HalfExplicit::hedop5) for mechanical systems and
/// [`MuntheKaas::rkmk54`](crate::integrator::MuntheKaas::rkmk54) for fields and Hamiltonians, and time starts at zero unless
/// something else is said.
///
/// It is [`Send`] where its observers are: systems and states are.
pub struct Simulation<
    'a,
    P: Simulated,
    I = <<P as Problem>::State as Motion>::Method,
    O = fn(&<P as Problem>::State) -> ControlFlow<()>,
> {
    pub(crate) system: &'a P::System,
    pub(crate) initial: P::State,
    pub(crate) integrator: I,
    pub(crate) settings: Settings,
    pub(crate) options: Options,
    pub(crate) observer: O,
    pub(crate) controller: Option<Controller<'a, P>>,
    pub(crate) events: Vec<Event<'a, P>>,
    pub(crate) watched: Option<Watched<'a, P::State>>,
}

impl<'a, P: Simulated, I, O: FnMut(&P::State) -> ControlFlow<()>> Simulation<'a, P, I, O> {
    /// Sets the integrator. Default: [`HalfExplicit::hedop5`](crate::integrator::HalfExplicit::hedop5) for mechanical systems.
    #[doc(alias("solver", "integrator", "algorithm"))]
    pub fn method<J: Integrator<P>>(self, integrator: J) -> Simulation<'a, P, J, O> {
        Simulation {
            system: self.system,
            initial: self.initial,
            integrator,
            settings: self.settings,
            options: self.options,
            observer: self.observer,
            controller: self.controller,
            events: self.events,
            watched: self.watched,
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
    /// let fall = Simulation::of(&system).initial(height, at_rest).step(0.01).end_time(10.0).on_step(until_it_lands).run()?;
    /// assert!((fall.stopped.unwrap() - (2.0_f64 / 9.81).sqrt()).abs() < 0.01);
    /// # Ok(())
    /// # }
    /// ```
    pub fn on_step<A: Answer>(
        self,
        observer: impl FnMut(&P::State) -> A,
    ) -> Simulation<'a, P, I, impl FnMut(&P::State) -> ControlFlow<()>> {
        Simulation {
            system: self.system,
            initial: self.initial,
            integrator: self.integrator,
            settings: self.settings,
            options: self.options,
            observer: both(self.observer, observer),
            controller: self.controller,
            events: self.events,
            watched: self.watched,
        }
    }

    /// Sets the start time. Default: 0.
    #[must_use]
    #[doc(alias("tspan", "t0"))]
    pub fn start_time(mut self, start: f64) -> Self {
        self.initial.set_time(start);
        self
    }

    /// Sets the relative tolerance of the step-size control (paper 1, eqs. 21 and 22). Default: 1e-6.
    ///
    /// The step size follows from the estimated local error. For fields and Hamiltonians the estimate is at most `atol` + `rtol` times the
    /// length of the step; a relative tolerance of zero gives the algorithm of paper 3, section 4.
    #[must_use]
    #[doc(alias("reltol", "tolerance", "RelTol"))]
    pub fn rtol(self, relative: f64) -> Self {
        let controller = StepController { relative_tolerance: relative, ..self.settings.controller() };
        self.controlled_by(controller)
    }

    /// Sets the absolute tolerance of the step-size control, in the units of each component. Default: 1e-8.
    #[must_use]
    #[doc(alias("abstol", "tolerance", "AbsTol"))]
    pub fn atol(self, absolute: f64) -> Self {
        let controller = StepController { absolute_tolerance: absolute, ..self.settings.controller() };
        self.controlled_by(controller)
    }

    /// Sets the end time. The last step ends there exactly.
    #[must_use]
    #[doc(alias("tspan", "t_end", "until"))]
    pub fn end_time(mut self, end: f64) -> Self {
        self.settings.end = Some(end);
        self
    }

    /// Sets a fixed step size. The last step is shortened to end at the end time.
    ///
    /// Step n ends at the start time plus n h, so that round-off does not accumulate over many steps.
    #[must_use]
    #[doc(alias("dt", "step size", "fixed step"))]
    pub fn step(mut self, h: f64) -> Self {
        self.settings.size = Some(StepSize::Fixed(h));
        self
    }

    /// Sets the controller of the step size, with all its settings; see [`rtol`](Self::rtol) and [`atol`](Self::atol).
    #[must_use]
    pub fn controlled_by(mut self, controller: StepController) -> Self {
        self.settings.size = Some(StepSize::Controlled(controller));
        self
    }

    /// The size of the first error-controlled step; by default it follows from a trial step.
    #[must_use]
    pub fn initial_step(mut self, h: f64) -> Self {
        self.settings.initial_step = Some(h);
        self
    }

    /// Limits the size of error-controlled steps, in units of time. Fixed steps must not be longer.
    ///
    /// Set it to the duration of the shortest event that a closure of inputs or a declared function of the time contains: what lies between
    /// the instants of a step is not seen. By default, steps of such runs are at most one hundredth of the run, and other steps have no limit.
    /// Steps end where [tables](crate::inputs) of inputs bend, whatever the limit.
    #[doc(alias = "maximum_step")]
    #[doc(alias = "dtmax")]
    #[must_use]
    pub fn max_step(mut self, step: f64) -> Self {
        self.settings.max_step = Some(step);
        self
    }

    /// Records the first state, every n-th after it, and the last; by default every state.
    #[must_use]
    pub fn output_every(mut self, steps: usize) -> Self {
        self.settings.output_every = Some(steps);
        self
    }

    /// Records the states at these times, and no others unless [`output_every`](Self::output_every) is said too, but those on both sides of
    /// what an [event](crate::simulate::event) changes and the one in which a run is stopped.
    ///
    /// A sample between two steps is of the order of the method: one-step methods make a step of its own from the
    /// earlier one (see [`Integrator::sample`](crate::integrator::Integrator::sample)). Times may come in any order
    /// and are recorded in order, each as often as it is said.
    #[must_use]
    pub fn output_times(mut self, times: &[f64]) -> Self {
        self.settings.samples.get_or_insert_default().extend_from_slice(times);
        self
    }

    /// What the run may cost at most.
    #[must_use]
    pub fn limits(mut self, limits: Limits) -> Self {
        self.settings.limits = limits;
        self
    }

    /// Starts without comparing the declared functions with the code that was generated from them, see
    /// [`check_against_declaration`](crate::system::MechanicalSystem::check_against_declaration).
    ///
    /// For runs of few steps that are repeated many times, and for functions that must not be called near the initial state.
    #[must_use]
    pub fn without_declaration_check(mut self) -> Self {
        self.settings.without_declaration_check = true;
        self
    }

    /// Sets a function that is called with each [warning](crate::simulate::Notice) of the run as soon as it arises.
    ///
    /// By default, warnings of cost are written to standard error. All warnings are kept in
    /// [`Trajectory::notices`](crate::simulate::Trajectory::notices) in any case.
    #[must_use]
    pub fn on_notice(mut self, show: impl Fn(&Notice) + Send + Sync + 'static) -> Self {
        self.settings.announcer = Announcer::of(show);
        self
    }

    /// Draws a progress bar if the run takes more than a second and standard error is a terminal.
    ///
    /// Without the feature `progress` it does nothing.
    #[must_use]
    pub fn with_progress(mut self) -> Self {
        self.settings.progress = true;
        self
    }
}

impl<P: Simulated, I: Integrator<P>, O: FnMut(&P::State) -> ControlFlow<()>> Simulation<'_, P, I, O> {
    /// Runs the simulation.
    ///
    /// # Errors
    /// [`SimulationError`] with the trajectory so far and the last good state.
    pub fn run(self) -> Result<Trajectory<P>, Box<SimulationError<P>>> {
        let Simulation { system, initial, integrator, settings, options, mut observer, controller, events, watched } =
            self;
        let given = controller.map_or(Given::Lent(system), Given::Controlled);
        // From here on the method is one of many: what is compiled for a problem is not compiled for each method anew.
        Described { given, initial, settings, options, observer: &mut observer, events, watched }
            .run(Arc::new(integrator))
    }
}

/// What concerns mechanical systems alone.
impl<M: MechanicalSystem, I, O> Simulation<'_, M, I, O> {
    /// Records λ and v' of the index-1 system, which have the order of q and v, instead of the method's own.
    #[must_use]
    pub fn full_order_multipliers(mut self) -> Self {
        self.options.full_order_multipliers = true;
        self
    }

    /// The members of these names keep the configuration and the velocity they are given; those of the others are guesses,
    /// moved as far as the constraints ask for. Of a body a name may be that of a field, `upper.attitude`, of bodies in an
    /// array `bodies[1]` or `bodies[1].attitude`, of a joint in a chain `hinges[2]`.
    ///
    /// So are mechanisms specified: by the angle and the rate of a crank, the rest follows from closure. Where the others
    /// cannot close the mechanism it is a [`ConsistencyError::NoClosure`](crate::simulate::ConsistencyError::NoClosure). How far
    /// they may be moved is unlimited unless [`max_initial_correction`](Self::max_initial_correction) is said.
    #[must_use]
    pub fn fix_initial<N: Into<String>>(mut self, members: impl IntoIterator<Item = N>) -> Self {
        self.options.held.extend(members.into_iter().map(Into::into));
        self
    }

    /// The largest change of initial values that is made to meet the constraints, or that a state to be continued would need,
    /// default 0.01: of any component of
    /// log(q₀⁻¹ q), in radians and units of length; of any component of v, the same times 1 + the largest of v₀.
    ///
    /// A larger one wanted is a [`ConsistencyError::TooFar`](crate::simulate::ConsistencyError::TooFar). What was changed is told by
    /// [`Trajectory::initial`].
    #[must_use]
    pub fn max_initial_correction(mut self, limit: f64) -> Self {
        self.options.correction = Some(limit);
        self
    }

    /// The largest residual of a holonomic constraint that is tolerated, default 0.05: relative to how much the terms of
    /// the constraint have changed since the start, max Σⱼ |Bᵢⱼ θⱼ| with θ = log(q₀⁻¹ q).
    ///
    /// A larger one, in a state that is recorded, in one of 32 steps or in the last, ends the run with
    /// [`Failure::OffConstraints`](crate::simulate::Failure::OffConstraints). The residuals of half-explicit methods are those of their order, O(hᵖ); with an infinite
    /// tolerance they are shown by [`Statistics::position_residual`](crate::simulate::Statistics::position_residual) alone. A step across a jump of a
    /// constraint, by a method that meets it behind, is a [`Failure::ConstraintJumps`](crate::simulate::Failure::ConstraintJumps) at any tolerance.
    #[must_use]
    pub fn constraint_tolerance(mut self, relative: f64) -> Self {
        self.options.constraint_tolerance = relative;
        self
    }

    /// Looks how near the constraints come to losing rank, in every state that is recorded, in one of 32 steps and in the last:
    /// [`Statistics::smallest_singular_value`](crate::simulate::Statistics::smallest_singular_value) tells it and its time.
    ///
    /// Each look takes time for the cube of the number of rows.
    #[must_use]
    pub fn monitor_rank(mut self) -> Self {
        self.options.rank = true;
        self
    }

    /// How many times speeds may grow, over a run, where neither potential energy nor forces of the time nor those at both
    /// ends of 32 steps account for it, default 100: blows that are meant, from forces of the state that last for a few steps.
    ///
    /// More is a [`Failure::Diverged`](crate::simulate::Failure::Diverged). What is at rest may be set off by anything.
    ///
    /// It also limits the energy of a system that [cannot gain any](crate::system::Description::never_gains_energy): a part of 1 − 1/f² of
    /// the energy of a motion may be a numerical gain, as of motions f times as fast, default f = 2. More is a
    /// [`Failure::EnergyGained`](crate::simulate::Failure::EnergyGained);
    /// [`Statistics::energy_gained`](crate::simulate::Statistics::energy_gained) reports the part.
    ///
    /// A limit of what is recognised: in a system with forces, growth under this factor over a whole run, at steps that the rate of
    /// the fastest motion allows (of at most 3.4 of its units for an explicit method), may be the method's and ends well. A run
    /// with half the step, or with a tolerance, tells.
    #[must_use]
    pub fn max_velocity_growth(mut self, factor: f64) -> Self {
        self.options.growth = Some(factor);
        self
    }
}
