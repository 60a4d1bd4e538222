//! Errors of the setup of a simulation.

use crate::inputs::InputError;
use crate::integrator::ControllerError;
use crate::messages::{
    Remedy, alternatives, fewer_states, larger_steps, listed, nearest, see, suggested, without_contact,
};
use crate::system::{DeclarationError, Description, ModelError};

/// An invalid setting of a simulation, reported before the first step.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum SetupError {
    /// No step size is set, and the method has no error estimate.
    #[error(
        "missing step size: `{method}` has no error estimate; set {}, or choose another method {}",
        Remedy::Setting { name: "step", value: "h" },
        see("run-settings")
    )]
    NoStep {
        /// The method.
        method: &'static str,
    },
    /// No end time is set.
    #[error("missing end time; set {} {}", Remedy::Setting { name: "end_time", value: "end" }, see("run-settings"))]
    NoEnd,
    /// The step size is zero, negative or not finite.
    #[error("the step size is {step}; it must be finite and positive {}", see("run-settings"))]
    Step {
        /// The step size.
        step: f64,
    },
    /// The end time is before the start time or not finite.
    #[error("the end time is {end}; it must be finite and not before the start time {start} {}", see("run-settings"))]
    End {
        /// The start time.
        start: f64,
        /// The end time.
        end: f64,
    },
    /// The number of steps exceeds the limit, or the largest exact count.
    #[error("{steps:.1e} steps exceed the limit of {limit:.1e}; {} {}", larger_steps("steps"), see("limits"))]
    TooManySteps {
        /// The number of steps.
        steps: f64,
        /// The limit.
        limit: f64,
    },
    /// The recorded states exceed the memory limit.
    #[error(
        "{states:.1e} recorded states require {bytes:.1e} bytes, more than the limit of {limit:.1e}; {} {}",
        fewer_states(),
        see("limits")
    )]
    TooManyStates {
        /// The number of recorded states.
        states: f64,
        /// Their memory in bytes.
        bytes: f64,
        /// The limit.
        limit: f64,
    },
    /// A tolerance or a setting of the step-size control is invalid.
    #[error(transparent)]
    Controller(ControllerError),
    /// Both tolerances are below the round-off of the values.
    #[error(
        "the relative tolerance {relative:?} and the absolute tolerance {absolute:?} are below the round-off of values of size {size:.1e}. Set {}, or \
         an absolute tolerance of at least {:.1e} {}",
        Remedy::Tolerances { relative: *.smallest, absolute: *.absolute },
        .smallest * .size,
        see("tolerances")
    )]
    BelowRoundOff {
        /// The relative tolerance.
        relative: f64,
        /// The absolute tolerance.
        absolute: f64,
        /// The smallest useful relative tolerance.
        smallest: f64,
        /// The size of the initial velocity, 1 if the motion starts at rest. The smallest useful absolute tolerance is `smallest` times
        /// `size`.
        size: f64,
    },
    /// The method has no embedded error estimate.
    #[error(
        "method `{method}` has no embedded error estimate; set a fixed step, or use a method with an estimate, such as `hedop5` {}",
        see("choice-of-a-method")
    )]
    NoEstimate {
        /// The method's identifier.
        method: &'static str,
    },
    /// An output time is outside the simulated interval, or NaN.
    #[error(
        "the output time {time} is not between the start time {start} and the end time {end} {}",
        see("run-settings")
    )]
    SampleTime {
        /// The output time.
        time: f64,
        /// The start time.
        start: f64,
        /// The end time.
        end: f64,
    },
    /// The initial state belongs to another system: a chain or a vector of another length.
    #[error(transparent)]
    ForeignState(ModelError),
    /// A declared function and its generated code differ.
    #[error("{error}{}", without_check(), error = .0)]
    Declaration(DeclarationError),
    /// The inputs of the system are missing or invalid.
    #[error(transparent)]
    Inputs(InputError),
    /// `output_every(0)` is set.
    #[error(
        "{} records no state; set at least 1, every step {}",
        Remedy::Setting { name: "output_every", value: "0" },
        see("run-settings")
    )]
    RecordEvery,
    /// An initial value is NaN or infinite.
    #[error("the initial {value} is not finite; set finite components {}", see("initial-values"))]
    NotFinite {
        /// The name of the value.
        value: &'static str,
    },
    /// The step size is below the floating-point resolution of the time.
    #[error(
        "the step size {step:?} is below the floating-point resolution {resolution:.1e} of the time t = {time:?}; use larger steps, or a start \
         time closer to zero {}",
        see("run-settings")
    )]
    BelowResolution {
        /// The step size.
        step: f64,
        /// The time.
        time: f64,
        /// The resolution of the time.
        resolution: f64,
    },
    /// A limit is negative or NaN.
    #[error("the limit `{option}` is {value:?}; it must be positive, zero or infinite {}", see("limits"))]
    Limit {
        /// The name of the setting.
        option: &'static str,
        /// The value of the setting.
        value: f64,
    },
    /// The maximum step is not positive, or smaller than the fixed step size.
    #[error("{} {}", maximum_step(*.maximum, *.step), see("run-settings"))]
    MaximumStep {
        /// The maximum step.
        maximum: f64,
        /// The fixed step size, if it exceeds the maximum.
        step: Option<f64>,
    },
    /// A fixed member does not exist.
    #[error("`fix_initial`: unknown member `{name}`; the members are {}{} {}", listed(.known), suggested(.name, .known), see("initial-values"))]
    UnknownMember {
        /// The name.
        name: String,
        /// The known members.
        known: Vec<&'static str>,
    },
    /// Members are fixed for a restart, which does not change the state.
    #[error(
        "`fix_initial` applies to initial values, and `restart_from` does not change the state; start with `initial`, or remove `fix_initial` {}",
        see("initial-values")
    )]
    NothingToHold,
    /// The velocity of a direction of S² in a restart state has a component along the direction.
    #[error(
        "the velocity of `{member}` has a component {spin:.2e} along its direction, and a direction has no spin. Start with `initial`, which \
         removes the component, or use SO3 for a body that spins {}",
        see("initial-values")
    )]
    Spin {
        /// The member.
        member: &'static str,
        /// The largest component along the direction.
        spin: f64,
    },
    /// The declaration has no event of this name.
    #[error("{} {}", unknown_event(.name, *.nearest, .known), see("event-functions"))]
    UnknownEvent {
        /// The name.
        name: String,
        /// The most similar event, if it is similar enough.
        nearest: Option<&'static str>,
        /// The declared events.
        known: &'static [&'static str],
    },
    /// A contact is not declared.
    #[error("unknown contact `{name}`; the contacts are {}{} {}", listed(.known), suggested(.name, .known), see("contacts"))]
    UnknownContact {
        /// The name.
        name: String,
        /// The declared contacts.
        known: Vec<&'static str>,
    },
    /// The coefficient of restitution of a contact is negative, larger than one or NaN.
    #[error(
        "the coefficient of restitution of `{name}` is {coefficient}; it must be between 0 and 1 {}",
        see("contacts")
    )]
    Restitution {
        /// The contact or the velocity constraint.
        name: String,
        /// The coefficient or the bound.
        coefficient: f64,
    },
    /// A run with derivatives has a contact.
    #[error("the contact `{name}` has no derivatives; {} {}", without_contact(), see("derivatives-at-events"))]
    ContactDerivatives {
        /// The contact.
        name: String,
    },
    /// The coefficient of friction of a contact, or the bound of the friction of a joint, is negative, infinite or NaN.
    #[error(
        "the coefficient or the bound of the friction of `{name}` is {coefficient}; it must be finite and not negative {}",
        see("contacts")
    )]
    Friction {
        /// The contact or the velocity constraint.
        name: String,
        /// The coefficient or the bound.
        coefficient: f64,
    },
    /// The Stribeck law of a joint has parameters out of range.
    #[error(
        "the Stribeck law of `{name}` has the sliding friction {sliding}, the bound {bound} and the Stribeck velocity {velocity}; the sliding \
         friction must be between 0 and the bound, and the velocity must be positive {}",
        see("friction-of-joints")
    )]
    Stribeck {
        /// The velocity constraint.
        name: String,
        /// The largest friction, at the velocity zero.
        bound: f64,
        /// The friction of fast sliding.
        sliding: f64,
        /// The Stribeck velocity.
        velocity: f64,
    },
    /// A setting requires the events of contacts, and a time-stepping method has none.
    #[error(
        "`{setting}` is not available for contacts and dry friction with the time-stepping method `{method}`; remove it, or use a method with \
         events, such as `hedop5` {}",
        see("contacts")
    )]
    TimeStepping {
        /// The method's identifier.
        method: &'static str,
        /// The setting.
        setting: &'static str,
    },
    /// The ξ of a symmetry does not have one finite component for each degree of freedom.
    #[error("{} {}", symmetry(.name, *.expected, *.given), see("symmetries"))]
    Symmetry {
        /// The name of the symmetry.
        name: &'static str,
        /// The number of degrees of freedom.
        expected: usize,
        /// The number of components of ξ.
        given: usize,
    },
}

impl SetupError {
    /// Returns the error of an unknown member of a system with this description.
    pub(in crate::simulate) fn unknown_member(name: &str, description: &Description) -> Self {
        let known = description.members.iter().map(|member| member.name).collect();
        SetupError::UnknownMember { name: name.to_owned(), known }
    }

    /// Returns the error of an unknown event of a declaration with these events.
    pub(in crate::simulate) fn unknown_event(name: &str, known: &'static [&'static str]) -> Self {
        SetupError::UnknownEvent { name: name.to_owned(), nearest: nearest(name, known).copied(), known }
    }
}

crate::messages::debug_is_the_message!(SetupError);

/// The remedy of a function that differs from its generated code for a known reason.
fn without_check() -> String {
    let skipped = Remedy::Setting { name: "without_declaration_check", value: "" };
    skipped.after("; skip this check with").unwrap_or_default()
}

/// The message of an invalid maximum step.
fn maximum_step(maximum: f64, step: Option<f64>) -> String {
    match step {
        None => format!("the maximum step is {maximum:?}; it must be positive"),
        Some(step) => {
            let value = format!("{maximum:?}");
            let set = Remedy::Setting { name: "step", value: &value };
            format!("the step size {step:?} exceeds the maximum step {maximum:?}; set {set}")
        }
    }
}

/// The message of an unknown event.
fn unknown_event(name: &str, nearest: Option<&str>, known: &[&str]) -> String {
    let nearest = nearest.map_or_else(String::new, |nearest| format!("; did you mean `{nearest}`?"));
    match known {
        [] => {
            let declared = format!("declare `#[event] fn {name}(…) -> f64`");
            let value = format!("{name:?}, |system, state| …");
            let function = Remedy::Setting { name: "event", value: &value }.after("register a function with");
            format!(
                "unknown event `{name}`: the declaration has no `#[event]`; {}",
                alternatives([Some(declared), function])
            )
        }
        _ => format!("unknown event `{name}`; the events are {}{nearest}", listed(known)),
    }
}

/// The message of an invalid symmetry.
fn symmetry(name: &str, expected: usize, given: usize) -> String {
    if expected == given {
        return format!(
            "`monitor_momentum({name:?}, …)`: a component of ξ is not finite at the start; return finite components"
        );
    }
    format!(
        "`monitor_momentum({name:?}, …)`: ξ has {given} components, and the system has {expected} degrees of freedom; start from \
         `system.zero_velocity()`"
    )
}
