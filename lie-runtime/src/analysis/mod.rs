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

mod branch;
mod continuation;
mod course;
mod curve;
mod dense;
pub(crate) mod differences;
mod equilibrium;
mod error;
mod family;
mod krylov;
mod linearisation;
mod load_steps;
mod modes;
mod null_space;
mod orbit;
mod orbit_branch;
mod orbit_continuation;
mod orbit_crossing;
mod orbit_path;
mod path;
mod pencil;
mod periodic;
mod residual;
mod round;
mod schur;
mod shooting;
mod symmetries;
mod tangent;

pub use branch::{Branch, BranchPoint, SpecialKind, SpecialPoint};
pub use continuation::Continuation;
pub use equilibrium::{Equilibrium, StaticState};
pub use error::{EquilibriumError, LooseDirection};
pub use family::{Family, input, parameter};
pub use linearisation::{Linearisation, LinearisationError, Linearise};
pub use load_steps::LoadSteps;
pub use modes::Mode;
pub use orbit::{Orbit, OrbitError};
pub use orbit_branch::{OrbitBranch, OrbitPoint, SpecialOrbit, SpecialOrbitKind};
pub use orbit_continuation::OrbitContinuation;
pub use periodic::PeriodicOrbit;
pub use shooting::Described;
