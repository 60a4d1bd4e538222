//! Errors of a linearisation.

use crate::analysis::first_order::is_of_states;
use crate::inputs::InputError;
use crate::integrator::StepFailure;
use crate::messages::{see, setting};
use crate::simulate::ConsistencyError;
use crate::system::{LawViolation, ModelError};

/// The reason for a failed linearisation.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum LinearisationError {
    /// The state does not fit the system.
    #[error("the state does not fit the system: {0}")]
    ForeignState(ModelError),
    /// The inputs of the system are missing.
    #[error(transparent)]
    Inputs(InputError),
    /// The accelerations or multipliers of the state are not determined.
    #[error(transparent)]
    State(ConsistencyError),
    /// A contact slides, and the derivatives of its friction are not available.
    #[error(
        "a contact with friction slides, and the derivatives of its friction are not available. Set `slip` to 0 for a contact that sticks {}",
        see("friction-of-contacts")
    )]
    Sliding,
    /// The state violates the law of a contact, of a stop or of dry friction.
    #[error("the state is not possible: {0}")]
    Law(LawViolation),
    /// The state does not satisfy a constraint.
    #[error(
        "the {level} violates constraint `{constraint}` by {residual:.2e}. Find a consistent state with `ConsistentValues` or `Equilibrium` {}",
        see("linearisation")
    )]
    OffConstraints {
        /// The constraint.
        constraint: &'static str,
        /// `position` or `velocity`.
        level: &'static str,
        /// The residual.
        residual: f64,
    },
    /// The body-fixed velocity changes.
    #[error(
        "the motion is not steady: {} changes by {acceleration:.2e} per unit of time. Start from an `Equilibrium` or a \
         steady motion, and set {} for a body that spins about its axis {}",
        changing(.member),
        setting("spin"),
        see("linearisation")
    )]
    NotSteady {
        /// The member with a changing velocity, or the auxiliary state.
        member: &'static str,
        /// The component of v' without the contribution of the spin.
        acceleration: f64,
    },
    /// The body-fixed null space of a constraint changes along the motion.
    #[error(
        "the motion is not steady for constraint `{constraint}`: its body-fixed directions change at a rate of {rate:.2e}. Set the spin of bodies \
         of revolution with {}, or describe the spin by a separate angle {}",
        setting("spin"),
        see("linearisation")
    )]
    ConstraintTurns {
        /// The constraint.
        constraint: &'static str,
        /// The rate of change in units of the constraint gradient.
        rate: f64,
    },
    /// A velocity constraint depends explicitly on time.
    #[error(
        "velocity constraint `{constraint}` depends on time, so that no motion is steady. Replace the time by an input or a parameter {}",
        see("linearisation")
    )]
    TimeDependent {
        /// The constraint.
        constraint: &'static str,
    },
    /// The system cannot be created with dual numbers.
    #[error(transparent)]
    Model(ModelError),
    /// The input does not exist.
    #[error("{} {}", unknown_input(.name, .known), see("linearisation"))]
    UnknownInput {
        /// The name.
        name: String,
        /// The existing inputs.
        known: Vec<String>,
    },
    /// The output does not exist.
    #[error(
        "unknown output `{name}`; known outputs: {}, and components of members such as `q.member[0]` and `v.member[0]` {}",
        .known.join(", "),
        see("linearisation")
    )]
    UnknownOutput {
        /// The name.
        name: String,
        /// The components of the declared functions.
        known: Vec<String>,
    },
    /// An input moves a constraint, so that the system depends on the rates of the input.
    #[error(
        "input `{input}` moves constraint `{constraint}`, so that the rates of the input drive the system as well. Use a force with a stiff spring \
         that follows it, or another input {}",
        see("linearisation")
    )]
    MovesConstraint {
        /// The input.
        input: String,
        /// The constraint.
        constraint: &'static str,
    },
    /// The inputs are a function of the state, but are not selected as inputs of the linearisation.
    #[error(
        "the inputs are a function of the state: call `.inputs([\"{}\"])`, which includes the feedback, or fix the inputs, for example with \
         `.with_inputs(|_, _, _| …)` and constants {}",
        .inputs.join("\", \""),
        see("linearisation")
    )]
    Feedback {
        /// The inputs.
        inputs: Vec<String>,
    },
    /// A function is not differentiable at the state.
    #[error(
        "`{function}` has no derivative at this state (the uncertainty of its differences is {error:.1e}). Linearise at a smooth point, or omit the \
         function {}",
        see("linearisation")
    )]
    NotSmooth {
        /// The output or the feedback input.
        function: String,
        /// The uncertainty of the best extrapolated difference; infinite without a difference.
        error: f64,
    },
    /// The derivative of an output with respect to deviations changes along the motion.
    #[error(
        "the derivatives of output `{output}` change along the steady motion. Use an output in body-fixed components, or a component of a member, \
         `v.member[0]` {}",
        see("linearisation")
    )]
    OutputTurns {
        /// The output.
        output: String,
    },
    /// Steady motions of directions on spheres have no left-trivialised deviations; equilibria do.
    #[error(
        "a direction on a sphere moves; use SO3, S3 or angles to linearise a steady motion {}",
        see("linearisation")
    )]
    MovingSphere,
    /// The required rate of a velocity constraint depends on the configuration of a system at rest.
    #[error(
        "velocity constraint `{constraint}` requires rates that depend on the position. Use `Linearisation::of(…)`, which supports such \
         constraints, and its `modes` {}",
        see("linearisation")
    )]
    RateByPosition {
        /// The constraint.
        constraint: &'static str,
    },
    /// The slowest modes are not separated from the others.
    #[error(
        "the {count} slowest modes could not be separated from the others. Request fewer (with strain-rate damping, all stiff modes accumulate at \
         one decay rate), or use `Linearisation::of(…)`, whose `modes` are complete {}",
        see("linearisation")
    )]
    ModesNotFound {
        /// The requested number of modes.
        count: usize,
    },
    /// The metric of slow modes, an energy, is indefinite.
    #[error(
        "the metric of the slowest modes is an energy, which is negative for some motion. Make the kinetic energy positive for every motion, or \
         use `Linearisation::of(…)`, whose `modes` need no metric {}",
        see("linearisation")
    )]
    NoMetric,
    /// The evaluation of a matrix failed.
    #[error(transparent)]
    Failed(StepFailure),
}

crate::messages::debug_is_the_message!(LinearisationError);

/// The quantity that changes.
fn changing(member: &str) -> String {
    if is_of_states(member) { format!("`{member}`") } else { format!("the velocity of `{member}`") }
}

/// The message of an unknown input.
fn unknown_input(name: &str, known: &[String]) -> String {
    match known {
        [] => format!("unknown input `{name}`: the declaration has no `#[inputs]`"),
        _ => format!("unknown input `{name}`; known inputs: {}", known.join(", ")),
    }
}
