//! Errors of a linearisation.

use core::fmt;

use crate::inputs::InputError;
use crate::integrator::StepFailure;
use crate::simulate::ConsistencyError;
use crate::system::ModelError;

/// The reason for a failed linearisation.
#[derive(Clone, PartialEq)]
#[non_exhaustive]
pub enum LinearisationError {
    /// The state does not fit the system.
    ForeignState(ModelError),
    /// The inputs of the system are missing.
    Inputs(InputError),
    /// The accelerations or multipliers of the state are not determined.
    State(ConsistencyError),
    /// The state does not satisfy a constraint.
    OffConstraints {
        /// The constraint.
        constraint: &'static str,
        /// `position` or `velocity`.
        level: &'static str,
        /// The residual.
        residual: f64,
    },
    /// The body-fixed velocity changes.
    NotSteady {
        /// The member with the largest change of the velocity.
        member: &'static str,
        /// The largest component of v' without the contribution of the spin.
        acceleration: f64,
    },
    /// The body-fixed null space of a constraint changes along the motion.
    ConstraintTurns {
        /// The constraint.
        constraint: &'static str,
        /// The rate of change in units of the constraint gradient.
        rate: f64,
    },
    /// A velocity constraint depends explicitly on time.
    TimeDependent {
        /// The constraint.
        constraint: &'static str,
    },
    /// The system cannot be created with dual numbers.
    Model(ModelError),
    /// The input does not exist.
    UnknownInput {
        /// The name.
        name: String,
        /// The existing inputs.
        known: Vec<String>,
    },
    /// The output does not exist.
    UnknownOutput {
        /// The name.
        name: String,
        /// The components of the declared functions.
        known: Vec<String>,
    },
    /// An input moves a constraint, so that the system depends on the rates of the input.
    MovesConstraint {
        /// The input.
        input: String,
        /// The constraint.
        constraint: &'static str,
    },
    /// The inputs are a function of the state, but are not selected as inputs of the linearisation.
    Feedback {
        /// The inputs.
        inputs: Vec<String>,
    },
    /// A function is not differentiable at the state.
    NotSmooth {
        /// The output or the feedback input.
        function: String,
        /// The uncertainty of the best extrapolated difference; infinite without a difference.
        error: f64,
    },
    /// The derivative of an output with respect to deviations changes along the motion.
    OutputTurns {
        /// The output.
        output: String,
    },
    /// Steady motions of directions on spheres have no left-trivialised deviations; equilibria do.
    MovingSphere,
    /// The required rate of a velocity constraint depends on the configuration of a system at rest.
    RateByPosition {
        /// The constraint.
        constraint: &'static str,
    },
    /// The slowest modes are not separated from the others.
    ModesNotFound {
        /// The requested number of modes.
        count: usize,
    },
    /// The metric of slow modes, an energy, is indefinite.
    NoMetric,
    /// The evaluation of a matrix failed.
    Failed(StepFailure),
}

impl fmt::Display for LinearisationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LinearisationError::ForeignState(error) => write!(f, "the state does not fit the system: {error}"),
            LinearisationError::Inputs(error) => error.fmt(f),
            LinearisationError::State(error) => error.fmt(f),
            LinearisationError::OffConstraints { constraint, level, residual } => write!(
                f,
                "the {level} violates constraint `{constraint}` by {residual:.2e}; use `ConsistentValues` or `Equilibrium` to find a \
                 consistent state"
            ),
            LinearisationError::NotSteady { member, acceleration } => write!(
                f,
                "the motion is not steady: the velocity of `{member}` changes by {acceleration:.2e} per unit of time. Start from an \
                 `Equilibrium` or a steady motion, and call `.spinning(…)` for a body that spins about its axis"
            ),
            LinearisationError::ConstraintTurns { constraint, rate } => write!(
                f,
                "the motion is not steady for constraint `{constraint}`: its body-fixed directions change at a rate of \
                 {rate:.2e}. Set the spin of bodies of revolution with `.spinning(…)`, or describe the spin by a separate angle"
            ),
            LinearisationError::TimeDependent { constraint } => write!(
                f,
                "velocity constraint `{constraint}` depends on time, so that no motion is steady; replace the time by an input or \
                 a parameter"
            ),
            LinearisationError::Model(error) => error.fmt(f),
            LinearisationError::UnknownInput { name, known } if known.is_empty() => {
                write!(f, "unknown input `{name}`: the declaration has no `#[inputs]`")
            }
            LinearisationError::UnknownInput { name, known } => {
                write!(f, "unknown input `{name}`; known inputs: {}", known.join(", "))
            }
            LinearisationError::UnknownOutput { name, known } => write!(
                f,
                "unknown output `{name}`; known outputs: {}, and components of members such as `q.member[0]` and `v.member[0]`",
                known.join(", ")
            ),
            LinearisationError::MovesConstraint { input, constraint } => write!(
                f,
                "input `{input}` moves constraint `{constraint}`: its rates drive the system as well. Use a force with a stiff spring that \
                 follows it, or another input"
            ),
            LinearisationError::Feedback { inputs } => write!(
                f,
                "the inputs are a function of the state: call `.inputs([\"{}\"])`, which includes the feedback, or fix the \
                 inputs, for example with `.with_inputs(|_, _, _| …)` and constants",
                inputs.join("\", \"")
            ),
            LinearisationError::NotSmooth { function, error } => write!(
                f,
                "`{function}` has no derivative at this state (the uncertainty of its differences is {error:.1e}): linearise at a smooth point \
                 or omit the function"
            ),
            LinearisationError::OutputTurns { output } => write!(
                f,
                "the derivatives of output `{output}` change along the steady motion: use an output in body-fixed \
                 components, or a component of a member, `v.member[0]`"
            ),
            LinearisationError::MovingSphere => {
                f.write_str("a direction on a sphere moves; use SO3, S3 or angles to linearise a steady motion")
            }
            LinearisationError::RateByPosition { constraint } => write!(
                f,
                "velocity constraint `{constraint}` requires rates that depend on the position: use `Linearisation::of(…)`, which supports \
                 such constraints, and its `modes`"
            ),
            LinearisationError::ModesNotFound { count } => write!(
                f,
                "the {count} slowest modes could not be separated from the others: request fewer (with strain-rate damping, all stiff modes \
                 accumulate at one decay rate), or use `Linearisation::of(…)`, whose `modes` are complete"
            ),
            LinearisationError::NoMetric => f.write_str(
                "the metric of the slowest modes is an energy, which is negative for some motion: make the kinetic energy positive for \
                 every motion, or use `Linearisation::of(…)`, whose `modes` need no metric",
            ),
            LinearisationError::Failed(failure) => failure.fmt(f),
        }
    }
}

crate::messages::debug_is_the_message!(LinearisationError);
impl std::error::Error for LinearisationError {}
