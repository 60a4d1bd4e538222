//! Dynamics at a state, static equilibria, linearisation and modes, branches of equilibria, and periodic orbits.
//!
//! | analysis | type |
//! |---|---|
//! | inverse dynamics, mass matrix, Jacobians at a state | [`StateDynamics`] |
//! | inertia, centre of mass and total momentum of bodies | [`BodyInertia`], [`total_momentum`] |
//! | inverse dynamics of a recorded motion | [`RecordedMotion`] |
//! | inverse dynamics as a linear function of parameters, base parameters | [`Regressor`] |
//! | static equilibrium under loads | [`Equilibrium`] |
//! | equilibria under an increasing load | [`LoadSteps`] |
//! | buckling, snap-through and post-buckling | [`Continuation`] |
//! | linearised equations, stability, transfer functions | [`Linearisation`] |
//! | periodic orbits and Floquet multipliers | [`PeriodicOrbit`] |
//! | families of periodic orbits, period doubling | [`OrbitContinuation`] |
//! | vibration modes | [`Linearisation::modes`], for long chains [`StaticState::modes`] |
//! | parameters and initial values from measurements | `Fit` (feature `estimation`) |

// Long functions that are not generic are `#[inline]`: programs that use the analyses compile them, and other programs do not.
mod continuation_settings;
mod curve;
mod dynamics;
mod equilibrium;
mod first_order;
#[cfg(feature = "estimation")]
mod fit;
mod linearisation;
mod matrices;
mod modes;
mod one_sided;
mod parameter_family;
mod pencil;
mod periodic;
mod unfinished;

pub use dynamics::{
    BaseParameters, BodyInertia, DynamicsError, InertiaError, LinearForces, RecordedForces, RecordedMotion, Regressor,
    StateDynamics, total_momentum,
};
pub use equilibrium::{
    Branch, BranchPoint, Continuation, Equilibrium, EquilibriumError, LoadSteps, SpecialKind, SpecialPoint,
    StaticState, ZeroStiffnessMode,
};
#[cfg(feature = "estimation")]
pub use fit::{Estimate, Estimates, Fit, FitError, MeasurementFault};
pub use linearisation::{Linearisation, LinearisationError, Linearise};
pub use modes::Mode;
pub use parameter_family::{ParameterFamily, input, parameter};
pub use periodic::{
    Orbit, OrbitBranch, OrbitContinuation, OrbitError, OrbitPoint, PeriodicOrbit, RunWithEvents, SpecialOrbit,
    SpecialOrbitKind,
};
pub use unfinished::BranchError;
