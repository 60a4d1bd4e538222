//! What goes wrong at an event.

use core::fmt;

use crate::simulate::consistent::{ConsistencyError, ImpactError};
use crate::simulate::setup::SetupError;
use crate::system::ModelError;

/// What goes wrong at an event.
#[derive(Clone, Debug, PartialEq)]
#[non_exhaustive]
pub enum EventError {
    /// The function of the event is NaN or infinite.
    NotFinite {
        /// Its value.
        value: f64,
    },
    /// The function of the event comes to zero without passing through it, where its time has no derivative.
    Grazing {
        /// Its slope there, by the time.
        slope: f64,
    },
    /// The function of the event is one of plain numbers, in a run on numbers that carry derivatives.
    NoDerivatives,
    /// The function of the event, which is one of plain numbers, has no slope that its differences come to.
    NoSlope,
    /// The event takes place again and again, without a whole step in between.
    Chattering {
        /// How often it has.
        times: usize,
    },
    /// The system cannot have the parameters that it was given.
    Parameters(ModelError),
    /// There is no constraint of that name to strike.
    UnknownConstraint {
        /// The name.
        name: String,
        /// The constraints there are.
        known: Vec<&'static str>,
    },
    /// A coefficient of restitution below zero, above one or NaN.
    Restitution {
        /// The coefficient.
        coefficient: f64,
    },
    /// A coefficient of friction below zero, infinite or NaN.
    Friction {
        /// The coefficient.
        coefficient: f64,
    },
    /// The normal constraint of a contact with friction has more than one row.
    NormalRows {
        /// The constraint.
        constraint: &'static str,
        /// The number of its rows.
        rows: usize,
    },
    /// An impact has no result.
    Impact(ImpactError),
    /// Two events at one instant change the same parameter, coordinate or velocity to different values.
    Conflict {
        /// What both change.
        what: String,
    },
    /// Several events are at one instant, in a run for derivatives: these differ with the order in which a change separates the events.
    Simultaneous {
        /// The other events.
        with: Vec<String>,
    },
    /// What the event has made of the state is none to start from.
    State(Box<SetupError>),
    /// What the event has made of the state is off the constraints.
    Inconsistent(ConsistencyError),
}

impl fmt::Display for EventError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            EventError::NotFinite { value } => write!(f, "its function is {value}"),
            EventError::Grazing { slope } => write!(
                f,
                "its function only touches zero, with the slope {slope:.1e}: how its time changes has no bounds there, nor where blows \
                 follow one another ever faster. Let slow blows be the last ones, begin with a motion that passes through, or run \
                 without derivatives"
            ),
            EventError::NoDerivatives => f.write_str(
                "its function is one of plain numbers, and the run is one for derivatives: say the event after \
                 `.with_sensitivities([…])` or `.with_gradients()`",
            ),
            EventError::NoSlope => f.write_str(
                "its function has no derivative there, or differences of it come to none: say what changes its sign on dual numbers, \
                 `.when(…)`, or run without derivatives",
            ),
            EventError::Chattering { times } => write!(
                f,
                "it has taken place {times} times without a whole step in between: what it changes leads back to it at once. \
                 Let it lead to a state that stays, such as a contact that is kept by a constraint once the rebound is slow"
            ),
            EventError::Parameters(error) => error.fmt(f),
            EventError::UnknownConstraint { name, known } => {
                write!(f, "there is no constraint `{name}` to strike")?;
                if known.is_empty() {
                    f.write_str("; there are none")
                } else {
                    write!(f, "; known: {}", known.join(", "))
                }
            }
            EventError::Restitution { coefficient } => {
                write!(f, "a coefficient of restitution of {coefficient}; it is between 0 and 1")
            }
            EventError::Friction { coefficient } => {
                write!(f, "a coefficient of friction of {coefficient}; it is zero or positive, and finite")
            }
            EventError::NormalRows { constraint, rows } => write!(
                f,
                "friction refers to the normal impulse of `{constraint}`, which has {rows} rows: declare the normal direction of the contact \
                 as a constraint of one row"
            ),
            EventError::Impact(error) => error.fmt(f),
            EventError::Conflict { what } => write!(
                f,
                "these events are at one instant, and two of them change {what} to different values: let one event make both changes"
            ),
            EventError::Simultaneous { with } => write!(
                f,
                "it is at one instant with `{}`: the derivatives of this motion depend on which of them a change makes the first one. Let one \
                 event make all changes, separate the events, or run without derivatives",
                with.join("`, `")
            ),
            EventError::State(error) => write!(f, "the state that it leads to is not one to go on from: {error}"),
            EventError::Inconsistent(error) => write!(
                f,
                "the state that it leads to is not one to go on from: {error}; a constraint that begins to act is met by \
                 `.impact([\"its name\"], 0.0)`"
            ),
        }
    }
}
