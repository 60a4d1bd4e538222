//! Why there is no linearisation.

use core::fmt;

use crate::inputs::InputError;
use crate::integrator::StepFailure;
use crate::simulate::ConsistencyError;
use crate::system::ModelError;

/// A state that cannot be linearised about.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum LinearisationError {
    /// The state belongs to another system.
    ForeignState(ModelError),
    /// The inputs that the system takes are not given.
    Inputs(InputError),
    /// The accelerations or multipliers of the state are not determined.
    State(ConsistencyError),
    /// The state does not meet a constraint.
    OffConstraints {
        /// The constraint.
        constraint: &'static str,
        /// `position` or `velocity`.
        level: &'static str,
        /// The residual.
        residual: f64,
    },
    /// The velocity changes, seen from the bodies.
    NotSteady {
        /// The member whose velocity changes most.
        member: &'static str,
        /// The largest component of v' beyond what the spin explains.
        acceleration: f64,
    },
    /// The directions that a constraint leaves change along the motion, seen from the bodies.
    ConstraintTurns {
        /// The constraint.
        constraint: &'static str,
        /// By how much, in units of its gradient.
        rate: f64,
    },
    /// A velocity constraint that depends on time of itself.
    TimeDependent {
        /// The constraint.
        constraint: &'static str,
    },
    /// The system cannot be made on dual numbers.
    Model(ModelError),
    /// There is no input of that name.
    UnknownInput {
        /// The name.
        name: String,
        /// The inputs there are.
        known: Vec<String>,
    },
    /// There is no output of that name.
    UnknownOutput {
        /// The name.
        name: String,
        /// The declared functions there are, component by component.
        known: Vec<String>,
    },
    /// An input moves a constraint: what it does depends on its rates.
    MovesConstraint {
        /// The input.
        input: String,
        /// The constraint.
        constraint: &'static str,
    },
    /// Inputs are a function of the state, and it was not said that they drive the system.
    Feedback {
        /// The inputs.
        inputs: Vec<String>,
    },
    /// A function has no derivative at the state.
    NotSmooth {
        /// The output, or the input that is a feedback.
        function: String,
        /// By how much the best of its extrapolated differences is uncertain; infinite where there are none.
        error: f64,
    },
    /// An output does not stay the same function of deviations along the motion.
    OutputTurns {
        /// The output.
        output: String,
    },
    /// Steady motions of directions on spheres have no left-trivialised deviations; equilibria have.
    MovingSphere,
    /// What a velocity constraint asks for depends on where the system is, at rest.
    RateByPosition {
        /// The constraint.
        constraint: &'static str,
    },
    /// The slowest modes do not lie apart from the others.
    ModesNotFound {
        /// How many were asked for.
        count: usize,
    },
    /// Slow modes are found in the metric of an energy, and there is none.
    NoMetric,
    /// A matrix could not be made.
    Failed(StepFailure),
}

impl fmt::Display for LinearisationError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            LinearisationError::ForeignState(error) => write!(f, "the state is not of this system: {error}"),
            LinearisationError::Inputs(error) => error.fmt(f),
            LinearisationError::State(error) => error.fmt(f),
            LinearisationError::OffConstraints { constraint, level, residual } => write!(
                f,
                "the {level} misses constraint `{constraint}` by {residual:.2e}; `ConsistentValues` or `Equilibrium` find a \
                 state that meets it"
            ),
            LinearisationError::NotSteady { member, acceleration } => write!(
                f,
                "the motion is not steady: the velocity of `{member}` changes by {acceleration:.2e} a unit of time; start from an \
                 `Equilibrium` or a steady motion, and of a body that spins about its axis say `.spinning(…)`"
            ),
            LinearisationError::ConstraintTurns { constraint, rate } => write!(
                f,
                "the motion is not steady for constraint `{constraint}`: its directions turn, seen from the bodies, at a rate of \
                 {rate:.2e}; say the spin of bodies of revolution by `.spinning(…)`, or let an angle of its own count the spin"
            ),
            LinearisationError::TimeDependent { constraint } => write!(
                f,
                "velocity constraint `{constraint}` depends on time, so that no motion is steady; let an input or a parameter hold \
                 what it takes of time"
            ),
            LinearisationError::Model(error) => error.fmt(f),
            LinearisationError::UnknownInput { name, known } if known.is_empty() => {
                write!(f, "there is no input `{name}`: the declaration has no `#[inputs]`")
            }
            LinearisationError::UnknownInput { name, known } => {
                write!(f, "there is no input `{name}`; known: {}", known.join(", "))
            }
            LinearisationError::UnknownOutput { name, known } => write!(
                f,
                "there is no output `{name}`; known: {}, and components of members as `q.member[0]` and `v.member[0]`",
                known.join(", ")
            ),
            LinearisationError::MovesConstraint { input, constraint } => write!(
                f,
                "input `{input}` moves constraint `{constraint}`: its rates drive the system as well; let a force with a stiff spring \
                 follow it, or drive the system by another input"
            ),
            LinearisationError::Feedback { inputs } => write!(
                f,
                "the inputs are a function of the state: say `.inputs([\"{}\"])`, which takes the feedback into account, or fix the \
                 inputs, as by `.with_inputs(|_, _, _| …)` of constants",
                inputs.join("\", \"")
            ),
            LinearisationError::NotSmooth { function, error } => write!(
                f,
                "`{function}` has no derivative at this state (its differences are uncertain by {error:.1e}): linearise where it is \
                 smooth, or leave it out"
            ),
            LinearisationError::OutputTurns { output } => write!(
                f,
                "output `{output}` changes with the steady motion, and so does what deviations do to it: take one that is seen from \
                 the bodies, or a component of a member, `v.member[0]`"
            ),
            LinearisationError::MovingSphere => {
                f.write_str("a direction on a sphere moves; steady motions are linearised of SO3, S3 or angles instead")
            }
            LinearisationError::RateByPosition { constraint } => write!(
                f,
                "velocity constraint `{constraint}` asks for rates that depend on the position: take `Linearisation::of(…)`, which knows \
                 such constraints, and its `modes`"
            ),
            LinearisationError::ModesNotFound { count } => write!(
                f,
                "the {count} slowest modes were not told from the others: ask for fewer (with damping by rates of strain those of all that is \
                 stiff gather at one decay), or take `Linearisation::of(…)`, whose `modes` are all there are"
            ),
            LinearisationError::NoMetric => f.write_str(
                "the slowest modes are found in the metric of an energy, and that of some motion is negative: make the kinetic energy positive for \
                 every motion, or take `Linearisation::of(…)`, whose `modes` need no metric",
            ),
            LinearisationError::Failed(failure) => failure.fmt(f),
        }
    }
}

impl std::error::Error for LinearisationError {}
