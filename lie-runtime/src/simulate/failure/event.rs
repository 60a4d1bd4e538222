//! Errors of events.

use crate::messages::{Remedy, alternatives, always, listed, see, suggested, without_contact};
use crate::simulate::consistent::{ConsistencyError, ImpactError};
use crate::simulate::setup::SetupError;
use crate::system::ModelError;

/// The reason why an event has no result.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum EventError {
    /// The event function is NaN or infinite.
    #[error(
        "the event function is {value}; check it for a division by zero or the root of a negative number {}",
        see("event-functions")
    )]
    NotFinite {
        /// The value of the function.
        value: f64,
    },
    /// The event function touches zero without a change of sign: the event time has no derivative.
    #[error(
        "the event function touches zero without crossing it (its rate is {slope:.1e}), so that the event time has no bounded derivative. Start \
         from a motion that crosses zero, stop the run before impacts accumulate, or run without derivatives {}",
        see("derivatives-at-events")
    )]
    Grazing {
        /// The rate of the event function at this time.
        slope: f64,
    },
    /// The event function does not use dual numbers, and the run computes derivatives.
    #[error(
        "the event function does not use dual numbers, and the run computes derivatives; {} {}",
        alternatives([
            always("declare it with `#[event]`"),
            Remedy::Setting { name: "with_gradients", value: "" }
                .after("register the event after `.with_sensitivities([…])` or")
        ]),
        see("derivatives-at-events")
    )]
    NoDerivatives,
    /// The events of a contact have no derivatives, and the run computes derivatives.
    #[error(
        "the events of a contact have no derivatives, and the run computes derivatives; {} {}",
        without_contact(),
        see("derivatives-at-events")
    )]
    ContactDerivatives,
    /// The event function does not use dual numbers, and its differences do not converge to a derivative.
    #[error(
        "the event function has no derivative: its differences do not converge. Register a function on dual numbers, or run without \
         derivatives {}",
        see("derivatives-at-events")
    )]
    NoSlope,
    /// The event recurs without a full step between its occurrences.
    #[error(
        "the event occurred {times} times without a full step in between: its action leads back to the event at once. Let the action lead to a \
         state that persists, such as a contact that a constraint holds once the rebound is slow {}",
        see("event-functions")
    )]
    Chattering {
        /// The number of occurrences.
        times: usize,
    },
    /// The parameters that the event sets are invalid.
    #[error(transparent)]
    Parameters(ModelError),
    /// The impact names a constraint that does not exist.
    #[error("unknown constraint `{name}`; the constraints are {}{} {}", listed(.known), suggested(.name, .known), see("impacts"))]
    UnknownConstraint {
        /// The name.
        name: String,
        /// The constraints of the declaration.
        known: Vec<&'static str>,
    },
    /// The coefficient of restitution is negative, larger than one or NaN.
    #[error("the coefficient of restitution is {coefficient}; it must be between 0 and 1 {}", see("impacts"))]
    Restitution {
        /// The coefficient.
        coefficient: f64,
    },
    /// The coefficient of friction is negative, infinite or NaN.
    #[error("the coefficient of friction is {coefficient}; it must be finite and not negative {}", see("impacts"))]
    Friction {
        /// The coefficient.
        coefficient: f64,
    },
    /// The normal constraint of a contact with friction has more than one row.
    #[error(
        "the normal constraint `{constraint}` of a contact with friction has {rows} rows; declare the normal direction as a constraint of one \
         row {}",
        see("impacts")
    )]
    NormalRows {
        /// The constraint.
        constraint: &'static str,
        /// The number of its rows.
        rows: usize,
    },
    /// An impact has no result.
    #[error(transparent)]
    Impact(ImpactError),
    /// Two simultaneous events change the same parameter, coordinate or velocity to different values.
    #[error(
        "two simultaneous events change {quantity} to different values; make both changes in one event {}",
        see("simultaneous-events")
    )]
    Conflict {
        /// The parameter, coordinate or velocity.
        quantity: String,
    },
    /// Several events are simultaneous in a run that computes derivatives, which depend on the order of the events.
    #[error(
        "the event is simultaneous with {}, and derivatives depend on the order of the events. Make all changes in one event, separate the \
         events, or run without derivatives {}",
        listed(.with),
        see("simultaneous-events")
    )]
    Simultaneous {
        /// The other events.
        with: Vec<String>,
    },
    /// The gap of an open contact is negative.
    #[error(
        "the gap of the contact is {gap:.3e} and the contact is not active. Start with a positive gap, or on the surface with the parameter \
         of the contact set to `true` {}",
        see("contacts")
    )]
    Penetration {
        /// The gap.
        gap: f64,
    },
    /// The reaction of an active contact pulls.
    #[error(
        "the reaction of the active contact is {reaction:.3e}: it pulls. Start with the parameter of the contact set to `false`, and check \
         that the constraint is positive outside the surface {}",
        see("contacts")
    )]
    Adhesion {
        /// The reaction, positive if it pushes.
        reaction: f64,
    },
    /// The tangential reaction of a sticking contact exceeds the friction limit.
    #[error(
        "the contact sticks, and its tangential reaction exceeds the friction limit by {excess:.3e}. Start with `slip` set to 1 or -1, the \
         sign of the sliding velocity, or with a larger coefficient of friction {}",
        see("friction-of-contacts")
    )]
    Slip {
        /// The difference |λ_t| − μ r of the tangential reaction and the friction limit.
        excess: f64,
    },
    /// The sliding velocity of a contact does not have the sign `slip`.
    #[error(
        "the contact slides with the velocity {speed:.3e} in the direction of `slip`, or accelerates against it. Start with `slip` set to the \
         sign of the sliding velocity, or to 0 for a contact that sticks {}",
        see("friction-of-contacts")
    )]
    SlidingDirection {
        /// The sliding velocity in the direction of `slip`.
        speed: f64,
    },
    /// The contact force of a sliding contact has no unique solution (Painlevé's paradox).
    #[error(
        "the contact force of the sliding contact has no unique solution: 1 − μ s r is {pivot:.3e}, and must be positive (Painlevé's \
         paradox). Reduce the coefficient of friction, or model the compliance of the contact with a stiff spring {}",
        see("friction-of-contacts")
    )]
    Painleve {
        /// The smallest pivot of the matrix 1 − r μ s.
        pivot: f64,
    },
    /// The state after the event is invalid.
    #[error("the state after the event is invalid: {0}")]
    State(Box<SetupError>),
    /// The state after the event does not satisfy the constraints.
    #[error("the state after the event is inconsistent: {error}{}", with_impact(), error = .0)]
    Inconsistent(ConsistencyError),
}

crate::messages::debug_is_the_message!(EventError);

/// The remedy of a state after an event that violates constraints.
fn with_impact() -> String {
    let impact = Remedy::Setting { name: "impact", value: "[\"its name\"], 0.0" };
    impact.after("; activate a constraint with").unwrap_or_default()
}
