//! Sampled controllers in the simulation builder.

use super::simulation::Simulation;
#[cfg(feature = "dynamic")]
use crate::integrator::State;
use crate::simulate::controller::{Controller, StateOf};
use crate::simulate::motion::{Motion, Simulated};
#[cfg(feature = "dynamic")]
use crate::system::NamedInputs;
use crate::system::{Driven, MechanicalSystem};

impl<'a, P, I, O> Simulation<'a, P, I, O>
where
    P: Simulated<System: Driven>,
    P::State: StateOf<P::System> + Motion,
{
    /// Evaluates a controller at the start and after every `period`. The inputs are constant in between (zero-order hold).
    ///
    /// Steps end at the sampling instants start + k `period`, and methods restart after them to keep their order. A controller may have
    /// internal state: it is called once at every instant in order, and not at the end. A run that
    /// [continues](crate::simulate::Start::restart_from) another run from a sampling instant evaluates the controller there and makes the
    /// same steps as an uninterrupted run. Recorded states, including λ and v', are the results of the step before the instant.
    ///
    /// Inputs of constraints and potentials are not held if the system has them as a function of time (see [`inputs`](crate::inputs)).
    ///
    /// ```
    /// # use lie_runtime::prelude::*;
    /// #[mechanical_system]
    /// pub mod cart {
    ///     #[configuration]
    ///     pub struct Rail { pub x: f64 }
    ///
    ///     #[inputs]
    ///     pub struct Inputs { pub push: f64 }
    ///
    ///     #[kinetic_energy]
    ///     fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
    ///
    ///     #[force(on = x)]
    ///     fn motor(u: &Inputs) -> f64 { u.push }
    /// }
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let system = cart::System::new()?;
    /// let (mut sum, period) = (0.0, 0.02);
    /// let pid = |_: f64, q: &cart::Rail, v: &cart::Velocity| {
    ///     let error = 1.0 - q.x;
    ///     sum += error * period;
    ///     cart::Inputs { push: 6.0 * error + 2.0 * sum - 4.0 * v.x }
    /// };
    /// let run = Simulation::of(&system)
    ///     .initial(cart::Rail { x: 0.0 }, system.zero_velocity())
    ///     .controller(period, pid).step(0.01).end_time(20.0).run()?;
    /// assert!((run.last().configuration.x - 1.0).abs() < 1e-3);
    /// assert_eq!(run.sampled_inputs().len(), 1000);
    /// # Ok(())
    /// # }
    /// ```
    #[must_use]
    #[doc(alias = "sample and hold")]
    #[doc(alias = "zero-order hold")]
    #[doc(alias = "digital controller")]
    pub fn controller(
        self,
        period: f64,
        controller: impl FnMut(
            f64,
            &<P::System as MechanicalSystem>::Configuration,
            &<P::System as Driven>::NamedVelocity,
        ) -> <P::System as Driven>::Inputs
        + Send
        + 'a,
    ) -> Self {
        let own = self.controller.unwrap_or_else(|| Controller::of(self.system));
        Simulation { controller: Some(own.sampled(period, controller)), ..self }
    }
}

#[cfg(feature = "dynamic")]
impl<'a, M: NamedInputs, I, O> Simulation<'a, M, I, O> {
    /// Evaluates a controller of a system from text, like [`controller`](Self::controller). The controller returns inputs by name, matrices
    /// by rows.
    ///
    /// The controller sets all inputs without a function of time. Set the other inputs with
    /// [`with_input`](crate::dynamic::DynamicSystem::with_input) and the related methods. The inputs are zero before the first evaluation.
    ///
    /// ```
    /// use lie_runtime::dynamic::{DynamicModel, DynamicSystem};
    /// use lie_runtime::prelude::*;
    ///
    /// # fn main() -> Result<(), Box<dyn std::error::Error>> {
    /// let model = DynamicModel::from_text("
    ///     #[mechanical_system]
    ///     mod cart {
    ///         #[configuration] pub struct Rail { pub x: f64 }
    ///         #[inputs] pub struct Inputs { pub push: f64, pub wind: f64 }
    ///         #[kinetic_energy] fn kinetic(v: &Velocity) -> f64 { 0.5 * v.x * v.x }
    ///         #[force(on = x)] fn motor(u: &Inputs) -> f64 { u.push + u.wind }
    ///     }")?;
    /// let system = model.system([])?.with_input("wind", &[0.5])?;
    /// let start = system.configuration([("x", &[1.0][..])])?;
    /// let damper = |_: &DynamicSystem, state: &State<DynamicSystem>| [("push", [-4.0 * state.velocity[0] - 0.5])];
    /// let v0 = system.velocity([("x", &[1.0][..])])?;
    /// let run = Simulation::of(&system).initial(start, v0).controller_by_name(0.1, damper).end_time(1.0).run()?;
    /// // Each period reduces the speed by 40 %.
    /// assert!((run.last().velocity[0] - 0.6_f64.powi(10)).abs() < 1e-9);
    /// # Ok(())
    /// # }
    /// ```
    ///
    /// # Errors
    /// The run returns [`InputError::ControllerOutput`](crate::inputs::InputError::ControllerOutput) for an unknown input, for a function of
    /// time and for a wrong number of values, and [`InputError::MissingByName`](crate::inputs::InputError::MissingByName) for an input
    /// without a source.
    #[must_use]
    pub fn controller_by_name<N: AsRef<str>, V: AsRef<[f64]>, R: IntoIterator<Item = (N, V)>>(
        self,
        period: f64,
        controller: impl FnMut(&M, &State<M>) -> R + Send + 'a,
    ) -> Self {
        Simulation { controller: Some(Controller::by_name(self.system, period, controller)), ..self }
    }
}
