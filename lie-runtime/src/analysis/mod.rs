//! What is asked of a model besides its motion: where it is in equilibrium, and how it moves near a steady motion.
//!
//! | question | answer |
//! |---|---|
//! | where is it at rest under its loads? | [`Equilibrium`] |
//! | how do equilibria follow a load? | [`LoadSteps`] |
//! | where does it buckle or snap, and what then? | [`Continuation`] |
//! | how does it move near a steady motion, is that stable? how does it answer to inputs? | [`Linearisation`] |
//! | which motions come back, and are they stable? | [`PeriodicOrbit`] |
//! | how do such motions follow a parameter, where do they double their period, and what then? | [`OrbitContinuation`] |
//! | how does it vibrate? | [`Linearisation::modes`], of long chains [`StaticState::modes`] |

// What is long here and not generic is `#[inline]`: compiled in programs that analyse, and not in the library for all that do not.
mod course;
mod curve;
mod equilibrium;
mod family;
mod linearisation;
mod matrices;
mod modes;
mod periodic;
mod unfinished;

pub use equilibrium::{
    Branch, BranchPoint, Continuation, Equilibrium, EquilibriumError, LoadSteps, LooseDirection, SpecialKind,
    SpecialPoint, StaticState,
};
pub use family::{Family, input, parameter};
pub use linearisation::{Linearisation, LinearisationError, Linearise};
pub use modes::Mode;
pub use periodic::{
    Described, Orbit, OrbitBranch, OrbitContinuation, OrbitError, OrbitPoint, PeriodicOrbit, SpecialOrbit,
    SpecialOrbitKind,
};
pub use unfinished::BranchError;
