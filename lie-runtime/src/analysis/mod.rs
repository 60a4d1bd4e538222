//! What is asked of a model besides its motion: where it is in equilibrium, and how it moves near a steady motion.
//!
//! | question | answer |
//! |---|---|
//! | where is it at rest under its loads? | [`Equilibrium`] |

mod dense;
mod equilibrium;
mod error;
mod krylov;
mod null_space;
mod tangent;

pub use equilibrium::{Equilibrium, StaticState};
pub use error::{EquilibriumError, LooseDirection};
