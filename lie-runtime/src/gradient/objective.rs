//! Objectives: the differentiated scalars of a run.

use super::Moment;
use crate::integrator::State;
use crate::scalar::Dual;
use crate::system::{Liftable, MechanicalSystem};

/// A function of the states of a run on dual numbers; the index identifies one of several times.
type ObjectiveFunction<'o, M> =
    Box<dyn Fn(usize, &Moment<'_, <M as Liftable>::Lifted>) -> Dual<<M as MechanicalSystem>::Scalar> + 'o>;

/// The evaluation times of a term.
#[derive(Clone, Debug, PartialEq)]
pub(super) enum EvaluationTimes {
    /// At the last state.
    End,
    /// At these times, each of which must be the time of a step.
    Times(Vec<f64>),
    /// At every state, as an integral by the trapezoidal rule on the steps of the run.
    Integral,
    /// At the events with this name that end or change the run.
    Event(String),
}

/// A term of an objective.
pub(super) struct ObjectiveTerm<'o, M: Liftable> {
    pub times: EvaluationTimes,
    pub function: ObjectiveFunction<'o, M>,
}

/// J = Σ φ(q, v, λ, v') + ∫ ψ dt: a sum of functions of states on [dual numbers](crate::scalar::Dual).
///
/// `M` is the system for a [gradient](crate::simulate::Simulation::gradient_of), and the system on dual numbers for
/// [second derivatives](crate::simulate::Simulation::hessian_times).
///
/// ```
/// use lie_runtime::gradient::Objective;
/// use lie_runtime::prelude::*;
/// # #[mechanical_system(gradients)]
/// # pub mod oscillator {
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
#[doc(alias = "cost function")]
#[doc(alias = "loss")]
pub struct Objective<'o, M: Liftable> {
    pub(super) terms: Vec<ObjectiveTerm<'o, M>>,
}

impl<M: Liftable> Default for Objective<'_, M> {
    fn default() -> Self {
        Self::new()
    }
}

impl<'o, M: Liftable> Objective<'o, M> {
    /// Returns the objective zero.
    pub fn new() -> Self {
        Objective { terms: Vec::new() }
    }

    fn with(mut self, times: EvaluationTimes, function: ObjectiveFunction<'o, M>) -> Self {
        self.terms.push(ObjectiveTerm { times, function });
        self
    }

    /// Adds a function of the last state.
    #[must_use]
    pub fn at_end(self, function: impl Fn(&State<M::Lifted>) -> Dual<M::Scalar> + 'o) -> Self {
        self.with(EvaluationTimes::End, Box::new(move |_, at| function(at)))
    }

    /// Adds a function of the states at these times, each of which must be the time of a step. Its first argument is the index of the
    /// time, for comparisons with data.
    #[must_use]
    pub fn at_times(
        self,
        times: impl Into<Vec<f64>>,
        function: impl Fn(usize, &State<M::Lifted>) -> Dual<M::Scalar> + 'o,
    ) -> Self {
        self.with(EvaluationTimes::Times(times.into()), Box::new(move |number, at| function(number, at)))
    }

    /// Adds a function of the [events](crate::gradient#events) with this name: of the states before their changes, and of their times.
    /// Its first argument is the index among the events with this name.
    #[must_use]
    pub fn at_event(
        self,
        name: impl Into<String>,
        function: impl Fn(usize, &Moment<'_, M::Lifted>) -> Dual<M::Scalar> + 'o,
    ) -> Self {
        self.with(EvaluationTimes::Event(name.into()), Box::new(function))
    }

    /// Adds the time integral of a function of the state, by the trapezoidal rule on the steps of the run.
    #[must_use]
    pub fn over_time(self, function: impl Fn(&State<M::Lifted>) -> Dual<M::Scalar> + 'o) -> Self {
        self.with(EvaluationTimes::Integral, Box::new(move |_, at| function(at)))
    }
}

impl<M: Liftable> core::fmt::Debug for Objective<'_, M> {
    fn fmt(&self, f: &mut core::fmt::Formatter<'_>) -> core::fmt::Result {
        f.debug_list().entries(self.terms.iter().map(|term| &term.times)).finish()
    }
}
