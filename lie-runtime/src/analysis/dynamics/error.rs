//! Errors of dynamics at a state.

use crate::gradient::DirectionError;
use crate::inputs::{InputError, TableError};
use crate::integrator::StepFailure;
use crate::messages::{listed, see};
use crate::system::ModelError;

/// The reason why a quantity of the dynamics cannot be computed at a state.
#[derive(Clone, PartialEq, thiserror::Error)]
#[non_exhaustive]
pub enum DynamicsError {
    /// The configuration or a vector does not fit the system.
    #[error("the state does not fit the system: {0}")]
    ForeignState(ModelError),
    /// The inputs of the system are missing.
    #[error(transparent)]
    Inputs(InputError),
    /// An argument is NaN or infinite.
    #[error("the {vector} is not finite in `{member}`; pass finite values {}", see("dynamics-at-a-state"))]
    NotFinite {
        /// The name of the argument.
        vector: &'static str,
        /// The member of the configuration, or the constraint.
        member: &'static str,
    },
    /// The rate of a quantity, or its derivative, is NaN or infinite.
    #[error(
        "component {row} of the rate of the quantity is not finite; check the quantity for a division by zero or a norm of zero {}",
        see("dynamics-at-a-state")
    )]
    JacobianNotFinite {
        /// The component of the rate, from 0.
        row: usize,
    },
    /// The operational-space inertia is infinite in some direction.
    #[error(
        "component {row} of the quantity cannot move independently of the previous components, so that its operational-space inertia is \
         infinite; use fewer components, or avoid the singular configuration {}",
        see("dynamics-at-a-state")
    )]
    SingularQuantity {
        /// The component of the rate, from 0.
        row: usize,
    },
    /// A name of a parameter is unknown or repeated.
    #[error(transparent)]
    Parameters(DirectionError),
    /// A name is not the name of a parameter.
    #[error("`{name}` is not a parameter; the parameters are {} {}", listed(.known), see("regressor"))]
    NotAParameter {
        /// The name.
        name: String,
        /// The names of the parameters.
        known: &'static [&'static str],
    },
    /// The forces or the parameters do not fit the regressor.
    #[error(
        "the regressor has {} rows and {} columns, but there are {} forces and {} parameters; pass the forces of all states of the regressor {}",
        .expected.0, .expected.1, .given.0, .given.1, see("regressor")
    )]
    ForceCount {
        /// The numbers of forces and parameters.
        given: (usize, usize),
        /// The numbers of rows and columns of the regressor.
        expected: (usize, usize),
    },
    /// The equations of an estimate are singular.
    #[error(
        "the {rows} forces do not determine the {parameters} base parameters; pass more states, or find the base parameters with the states \
         of the estimate {}",
        see("regressor")
    )]
    NotDetermined {
        /// The number of forces.
        rows: usize,
        /// The number of base parameters.
        parameters: usize,
    },
    /// The forces are not a linear function of some parameters together.
    #[error(
        "the forces are not a linear function of {}; name fewer parameters, or declare products such as the first moment (mass times centre \
         of mass) as parameters {}",
        listed(.names),
        see("regressor")
    )]
    NonlinearParameters {
        /// The names of the parameters whose columns of the regressor depend on the values of the parameters.
        names: Vec<String>,
    },
    /// A recorded motion or a table of it is invalid.
    #[error(transparent)]
    Record(TableError),
    /// A member of the configuration is not a scalar or a vector, so that a table has no columns for it.
    #[error(
        "`{member}` is not a scalar or a vector; pass configurations to `RecordedMotion::new` {}",
        see("recorded-motions")
    )]
    NotACoordinate {
        /// The member.
        member: &'static str,
    },
    /// The system has auxiliary states, which are not in the recorded motion.
    #[error(
        "the recorded motion does not contain the auxiliary states of the system; call `StateDynamics::inverse` with velocities that contain \
         them {}",
        see("recorded-motions")
    )]
    StatesNotRecorded,
    /// The window of a recorded motion does not determine the polynomials.
    #[error(
        "a window of {window} samples does not determine polynomials of degree {degree} in a motion of {samples} samples; the degree must be at \
         least 2 and smaller than the window, and the motion must have at least {window} samples {}",
        see("recorded-motions")
    )]
    Window {
        /// The number of samples in a window.
        window: usize,
        /// The degree of the polynomials.
        degree: usize,
        /// The number of samples of the motion.
        samples: usize,
    },
    /// The mass matrix is singular, constraints depend on each other, or a result is not finite.
    #[error(transparent)]
    Failed(StepFailure),
}

crate::messages::debug_is_the_message!(DynamicsError);
