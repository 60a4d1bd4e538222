//! The simulation builder.

mod contact;
mod contact_state;
mod controller;
mod events;
mod mechanical;
mod simulation;
mod start;

pub use simulation::{Answer, Simulation};
pub use start::Start;
