//! What is to be differentiated: a number that a run has.

use super::Moment;
use crate::integrator::State;
use crate::scalar::Dual;
use crate::system::{Liftable, MechanicalSystem};

/// A function of the states of a run, on dual numbers, which differentiate it; the number says which of several times it is.
type Function<'o, M> =
    Box<dyn Fn(usize, &Moment<'_, <M as Liftable>::Lifted>) -> Dual<<M as MechanicalSystem>::Scalar> + 'o>;

/// When a term is evaluated.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum When {
    /// In the last state.
    End,
    /// At these times, each of them that of a step.
    Times(Vec<f64>),
    /// In every state, times the time that it stands for: by the trapezoidal rule on the steps of the run.
    Integral,
    /// At the events of this name that end a run or change it.
    Event(String),
}

/// One of the terms of an objective.
pub(super) struct Term<'o, M: Liftable> {
    pub when: When,
    pub function: Function<'o, M>,
}

/// J = Σ φ(q, v, λ, v') + ∫ ψ dt: closures over states on [dual numbers](crate::scalar::Dual), added up.
///
/// `M` is the system for a [gradient](crate::simulate::Simulation::gradient_of), and the system on dual numbers for
/// [second derivatives](crate::simulate::Simulation::hessian_times).
///
/// ```
/// use lie_runtime::gradient::Objective;
/// use lie_runtime::prelude::*;
/// # #[mechanical_system(gradients)]
/// # pub mod oscillator {
/// #     use lie_runtime::prelude::*;
/// #     #[configuration]
/// #     pub struct Position { pub x: R1 }
/// #     #[parameters]
/// #     pub struct Spring { pub mass: f64, pub stiffness: f64 }
/// #     #[kinetic_energy]
/// #     fn kinetic(spring: &Spring, v: &Velocity) -> f64 { 0.5 * spring.mass * v.x.norm_squared() }
/// #     #[potential]
/// #     fn elastic(spring: &Spring, q: &Position) -> f64 { 0.5 * spring.stiffness * q.x.norm_squared() }
/// # }
///
/// # fn main() -> Result<(), Box<dyn std::error::Error>> {
/// // x(1) = cos ω, ω² = k / m: ∂x/∂k = −sin ω / 2ωm, ∂x/∂x₀ = cos ω.
/// let system = oscillator::System::new(oscillator::Spring { mass: 1.0, stiffness: 4.0 })?;
/// let gradient = Simulation::of(&system)
///     .initial(oscillator::Position { x: Vector1::new(1.0) }, Vector1::new(0.0))
///     .step(0.01)
///     .end_time(1.0)
///     .gradient_of(&Objective::<oscillator::System>::new().at_end(|state| state.configuration.x[0]))?;
/// assert!((gradient.value - 2.0_f64.cos()).abs() < 1e-9);
/// assert!((gradient.by("stiffness")? + 2.0_f64.sin() / 4.0).abs() < 1e-9);
/// assert!((gradient.configuration[0] - 2.0_f64.cos()).abs() < 1e-9);
/// # Ok(())
/// # }
/// ```
pub struct Objective<'o, M: Liftable> {
    pub(super) terms: Vec<Term<'o, M>>,
}

impl<M: Liftable> Default for Objective<'_, M> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'o, M: Liftable> Objective<'o, M> {
    /// Nothing yet.
    pub fn new() -> Self {
        Objective { terms: Vec::new() }
    }

    fn with(mut self, when: When, function: Function<'o, M>) -> Self {
        self.terms.push(Term { when, function });
        self
    }

    /// Adds a function of the last state.
    #[must_use]
    pub fn at_end(self, function: impl Fn(&State<M::Lifted>) -> Dual<M::Scalar> + 'o) -> Self {
        self.with(When::End, Box::new(move |_, at| function(at)))
    }

    /// Adds a function of the states at these times, each of which has to be that of a step; its first argument is the number
    /// of the time, for data to compare with.
    #[must_use]
    pub fn at_times(
        self,
        times: impl Into<Vec<f64>>,
        function: impl Fn(usize, &State<M::Lifted>) -> Dual<M::Scalar> + 'o,
    ) -> Self {
        self.with(When::Times(times.into()), Box::new(move |number, at| function(number, at)))
    }

    /// Adds a function of the states in which the [events](crate::gradient#events) of this name take place, before they change anything,
    /// and of their times; its first argument is the number of the event among those of its name.
    #[must_use]
    pub fn at_event(
        self,
        name: impl Into<String>,
        function: impl Fn(usize, &Moment<'_, M::Lifted>) -> Dual<M::Scalar> + 'o,
    ) -> Self {
        self.with(When::Event(name.into()), Box::new(function))
    }

    /// Adds the integral of a function of the state over the run, by the trapezoidal rule on its steps.
    #[must_use]
    pub fn over_time(self, function: impl Fn(&State<M::Lifted>) -> Dual<M::Scalar> + 'o) -> Self {
        self.with(When::Integral, Box::new(move |_, at| function(at)))
    }
}

impl<M: Liftable> core::fmt::Debug for Objective<'_, M> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.terms.iter().map(|term| &term.when)).finish()
    }
}
