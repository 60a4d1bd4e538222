//! The simulation builder.

mod contact;
mod contact_state;
mod controller;
mod delay;
mod events;
mod mechanical;
#[cfg(feature = "precompiled")]
mod precompiled;
mod simulation;
mod start;

#[cfg(feature = "precompiled")]
pub use precompiled::PrecompiledError;
pub use simulation::{Answer, Simulation};
pub use start::Start;
